// SHA-256 and SHA-512 (FIPS 180-4), HMAC-SHA256 (RFC 2104), HKDF-SHA256 (RFC 5869), and the Merkle tree (RFC 6962).

import { concat, fromHex, toHex, utf8 } from "./bytes.ts";

// The constants of SHA-2: the first 64 bits after the point of square and cube roots of the first primes.

const primes: bigint[] = [];
for (let n = 2n; primes.length < 80; n++) if (primes.every((p) => n % p)) primes.push(n);

/** `power`: 2 or 3. Returns the root's first 64 bits after the point: ⌊p^(1/power) · 2^64⌋ mod 2^64. */
function fraction(p: bigint, power: bigint): bigint {
  const target = p << (64n * power);
  let low = 0n;
  let high = 1n << 70n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

/** Of the first 8 primes, square roots. */
const squareRoots = primes.slice(0, 8).map((p) => fraction(p, 2n));

/** Of the first 80 primes, cube roots. SHA-256 takes the first 64, and of each the upper half. */
const cubeRoots = primes.map((p) => fraction(p, 3n));

// SHA-256.

const K = Int32Array.from(cubeRoots.slice(0, 64), (root) => Number(root >> 32n));
const START = Int32Array.from(squareRoots, (root) => Number(root >> 32n));
const words = new Int32Array(64);

/** One block of 64 bytes. `state`: eight words, changed in place; `at`: where the block begins. */
function compress(state: Int32Array, bytes: Uint8Array, at: number) {
  for (let i = 0; i < 16; i++, at += 4)
    words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** `from`: the state after blocks that stand before them; `before`: how many bytes these are. Returns 32 bytes. */
export function sha256(bytes: Uint8Array, from: Int32Array = START, before: number = 0): Uint8Array {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const bits = 8 * (before + bytes.length);
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bits / 2 ** 32);
  view.setUint32(padded.length - 4, bits);
  const state = from.slice();
  for (let at = 0; at < padded.length; at += 64) compress(state, padded, at);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}

/** @returns the hash, in hex, of the bytes that it writes */
export const sha256Hex = (hex: string): string => toHex(sha256(fromHex(hex)));

/** @returns whether somebody hashed the digits as a text, in place of the bytes that they write */
export const isHashOfDigits = (hex: string, hash: string): boolean =>
  [hex, hex.toUpperCase(), `${hex}\n`].some((text) => toHex(sha256(utf8(text))) === hash);

// SHA-512: Ed25519 alone hashes with it, so it is written for reading and not for speed.

const MASK = 0xffffffffffffffffn;

const rotate = (x: bigint, n: bigint): bigint => (x >> n) | ((x << (64n - n)) & MASK);

/** @returns 64 bytes */
export function sha512(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(128 * Math.ceil((bytes.length + 17) / 128));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  let state = squareRoots;
  for (let at = 0; at < padded.length; at += 128) state = compress512(state, view, at);
  const hash = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => hash.setBigUint64(8 * i, word));
  return new Uint8Array(hash.buffer);
}

/** One block of 128 bytes. */
function compress512(state: bigint[], view: DataView, at: number): bigint[] {
  const words = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
  for (let i = 16; i < 80; i++) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = rotate(x, 1n) ^ rotate(x, 8n) ^ (x >> 7n);
    const s1 = rotate(y, 19n) ^ rotate(y, 61n) ^ (y >> 6n);
    words.push((words[i - 16] + s0 + words[i - 7] + s1) & MASK);
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; i++) {
    const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n);
    const t1 = h + s1 + ((e & f) ^ (~e & MASK & g)) + cubeRoots[i] + words[i];
    const s0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK, c, b, a, (t1 + t2) & MASK];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) & MASK);
}

// HMAC and HKDF.

/** A keyed hash that is used many times: the key's two blocks are hashed once. */
export class Hmac {
  declare inner: Int32Array<ArrayBuffer>;
  declare outer: Int32Array<ArrayBuffer>;

  /** @param key of any length */
  constructor(key: Uint8Array) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    const after = (pad: number) => {
      const state = START.slice();
      compress(
        state,
        block.map((byte) => byte ^ pad),
        0,
      );
      return state;
    };
    this.inner = after(0x36);
    this.outer = after(0x5c);
  }

  /** @returns 32 bytes */
  of(...parts: Uint8Array[]): Uint8Array {
    return sha256(sha256(concat(...parts), this.inner, 64), this.outer, 64);
  }
}

/** @returns the PRK, 32 bytes */
export const extract = (salt: Uint8Array, material: Uint8Array): Uint8Array => new Hmac(salt).of(material);

/** The blocks T(1), T(2), … of an expansion, one at a time: at most 255 of 32 bytes. `prk`: keyed with the PRK. */
export function* blocks(prk: Hmac, info: Uint8Array): Generator<Uint8Array, void, void> {
  let last = new Uint8Array(0) as Uint8Array;
  for (let counter = 1; counter <= 255; counter++) yield (last = prk.of(last, info, Uint8Array.of(counter)));
}

// The Merkle tree over SHA-256 (RFC 6962 section 2.1), and its inclusion proofs (2.1.1).

export const leafHash = (entry: Uint8Array): Uint8Array => sha256(concat(Uint8Array.of(0), entry));

export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(Uint8Array.of(1), left, right));

/** A tree that grows leaf by leaf. It keeps the roots of its complete subtrees only, the largest first. */
export class Tree {
  size: number = 0;
  peaks: Uint8Array[] = [];

  /** @param leaf a leaf hash */
  append(leaf: Uint8Array) {
    let node = leaf;
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2) node = nodeHash(this.peaks.pop() as Uint8Array, node);
    this.peaks.push(node);
    this.size++;
  }

  /** @returns the tree head; of the empty tree the hash of nothing */
  root(): Uint8Array {
    if (this.size === 0) return sha256(new Uint8Array(0));
    return this.peaks.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** @returns the tree head over them */
export function rootOf(entries: Iterable<Uint8Array>): Uint8Array {
  const tree = new Tree();
  for (const entry of entries) tree.append(leafHash(entry));
  return tree.root();
}

/** `leaves`: leaf hashes, at least one. Returns the levels of their tree, the head alone last. */
export function levelsOf(leaves: Uint8Array[]): Uint8Array[][] {
  const levels = [leaves];
  for (let nodes = leaves; nodes.length > 1; levels.push(nodes))
    nodes = Array.from({ length: Math.ceil(nodes.length / 2) }, (_, i) =>
      2 * i + 1 < nodes.length ? nodeHash(nodes[2 * i], nodes[2 * i + 1]) : nodes[2 * i],
    );
  return levels;
}

/** @returns the inclusion path of a leaf, from the leaf up */
export const pathIn = (levels: Uint8Array[][], position: number): Uint8Array[] =>
  levels.slice(0, -1).flatMap((nodes, height) => nodes[(position >> height) ^ 1] ?? []);

/**
 * The tree head to which an inclusion proof leads (RFC 9162 section 2.1.3.2), and that of the tree which ends with this
 * leaf: of that one's last leaf the siblings on the left are the whole proof. `leaf`: a leaf hash; `size`: of the tree;
 * `path`: the leaf's sibling first. Returns null where the path has a hash too many or too few, or the index is not in
 * the tree.
 */
export function rootsFromPath(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): [whole: Uint8Array, upto: Uint8Array] | null {
  if (index < 0 || index >= size) return null;
  let [node, upto] = [leaf, leaf];
  let [place, last] = [index, size - 1];
  for (const sibling of path) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      [node, upto] = [nodeHash(sibling, node), nodeHash(sibling, upto)];
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)];
    } else node = nodeHash(node, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? [node, upto] : null;
}

/** @returns the first of these two */
export const rootFromPath = (
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null => rootsFromPath(leaf, index, size, path)?.[0] ?? null;

const half = (n: number): number => Math.floor(n / 2);
