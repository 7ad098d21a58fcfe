// A log in tiles (C2SP tlog-tiles; log.md, "Tiles"): its entries from the bundles, and every tile made anew from them.

import { concat, equal } from "./bytes.mjs";
import { InputError } from "./errors.mjs";
import { leafHash, nodeHash } from "./tree.mjs";

const WIDTH = 256;

/** @param {number} n @param {number} width how many hashes or entries it has @returns {string} x001/x234/067, and .p/W where it is not full */
function tileName(n, width) {
  const groups = [];
  for (let rest = n, first = true; first || rest > 0; first = false, rest = Math.floor(rest / 1000)) {
    groups.unshift(`${first ? "" : "x"}${String(rest % 1000).padStart(3, "0")}`);
  }
  return groups.join("/") + (width < WIDTH ? `.p/${width}` : "");
}

/**
 * The entries of a log in tiles.
 * @param {(path: string) => Uint8Array} read a file below the log's directory
 * @param {number} size of its checkpoint
 * @param {(path: string) => void} differs is told of a tile that is another than the entries make
 * @returns {Generator<Uint8Array, void, void>}
 * @throws {InputError} where a bundle cannot be split
 */
export function* tiledEntries(read, size, differs) {
  /** hashes of each level that are not in a tile yet @type {Uint8Array[][]} */
  const levels = [];
  /** @type {number[]} */
  const done = [];
  /** @param {number} level @param {Uint8Array} hash */
  const add = (level, hash) => {
    const hashes = (levels[level] ??= []);
    hashes.push(hash);
    if (hashes.length < WIDTH) return;
    tile(level);
    add(level + 1, rootOfFull(hashes));
    levels[level] = [];
  };
  /** @param {number} level */
  const tile = (level) => {
    const hashes = levels[level];
    const path = `tile/${level}/${tileName(done[level] ?? 0, hashes.length)}`;
    done[level] = (done[level] ?? 0) + 1;
    if (!equal(read(path), concat(...hashes))) differs(path);
  };
  for (let from = 0; from < size; from += WIDTH) {
    const width = Math.min(WIDTH, size - from);
    for (const entry of bundle(read(`tile/entries/${tileName(from / WIDTH, width)}`), width)) {
      add(0, leafHash(entry));
      yield entry;
    }
  }
  levels.forEach((hashes, level) => {
    if (hashes.length) tile(level);
  });
}

/** @param {Uint8Array} bytes each entry after its length in two bytes @param {number} width */
function* bundle(bytes, width) {
  let at = 0;
  for (let i = 0; i < width; i++) {
    const length = at + 2 <= bytes.length ? bytes[at] * 256 + bytes[at + 1] : Infinity;
    if (at + 2 + length > bytes.length) throw new InputError("a bundle of entries ends too early", "tile/entries", `${width} entries`);
    yield bytes.subarray(at + 2, at + 2 + length);
    at += 2 + length;
  }
  if (at < bytes.length) throw new InputError("a bundle has more than its entries", "tile/entries", `${width} entries`);
}

/** @param {Uint8Array[]} hashes 256 @returns {Uint8Array} */
function rootOfFull(hashes) {
  let level = hashes;
  while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, i) => nodeHash(level[2 * i], level[2 * i + 1]));
  return level[0];
}
