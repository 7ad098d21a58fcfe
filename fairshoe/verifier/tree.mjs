// The Merkle tree of RFC 6962 section 2.1 over SHA-256, and its inclusion proofs (2.1.1).
import { concat } from "./bytes.mjs";
import { sha256 } from "./hashes.mjs";

/** @param {Uint8Array} entry @returns {Uint8Array} */
export const leafHash = (entry) => sha256(concat(Uint8Array.of(0), entry));

/** @param {Uint8Array} left @param {Uint8Array} right @returns {Uint8Array} */
export const nodeHash = (left, right) => sha256(concat(Uint8Array.of(1), left, right));

/** A tree that grows leaf by leaf. It keeps the roots of its complete subtrees only, the largest first. */
export class Tree {
  constructor() {
    this.size = 0;
    /** @type {Uint8Array[]} */
    this.peaks = [];
  }

  /** @param {Uint8Array} leaf a leaf hash */
  append(leaf) {
    let node = leaf;
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2)
      node = nodeHash(/** @type {Uint8Array} */ (this.peaks.pop()), node);
    this.peaks.push(node);
    this.size++;
  }

  /** @returns {Uint8Array} the tree head; of the empty tree the hash of nothing */
  root() {
    if (this.size === 0) return sha256(new Uint8Array(0));
    return this.peaks.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** @param {Iterable<Uint8Array>} entries @returns {Uint8Array} the tree head over them */
export function rootOf(entries) {
  const tree = new Tree();
  for (const entry of entries) tree.append(leafHash(entry));
  return tree.root();
}

/**
 * The tree head to which an inclusion proof leads (RFC 9162 section 2.1.3.2).
 * @param {Uint8Array} leaf a leaf hash
 * @param {number} index
 * @param {number} size of the tree
 * @param {readonly Uint8Array[]} path the leaf's sibling first
 * @returns {Uint8Array | null} null where the path has a hash too many or too few, or the index is not in the tree
 */
export function rootFromPath(leaf, index, size, path) {
  if (index < 0 || index >= size) return null;
  let node = leaf;
  let [place, last] = [index, size - 1];
  for (const sibling of path) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      node = nodeHash(sibling, node);
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)];
    } else node = nodeHash(node, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? node : null;
}

/** @param {number} n @returns {number} */
const half = (n) => Math.floor(n / 2);
