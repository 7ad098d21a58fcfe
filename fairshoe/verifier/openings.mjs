// The root of the openings: docs/protocol.md section 9.
import { concat, utf8 } from "./bytes.mjs";
import { rootOf } from "./tree.mjs";
import { stream } from "./words.mjs";

/**
 * @param {Uint8Array} key
 * @param {string} transcript T of the seal
 * @returns {Generator<Uint8Array, never, void>} the salts of positions 0, 1, …: 16 bytes each
 */
export function* salts(key, transcript) {
  for (const block of stream(key, transcript, "fairshoe/1 opening")) {
    yield block.subarray(0, 16);
    yield block.subarray(16);
  }
  throw new RangeError("a stream has no end");
}

/**
 * @param {Uint8Array} key
 * @param {string} transcript T of the seal
 * @param {readonly string[]} order labels in the dealt order, after the cut
 * @returns {Uint8Array} 32 bytes
 */
export function cardsRoot(key, transcript, order) {
  const salt = salts(key, transcript);
  return rootOf(order.map((label) => concat(salt.next().value, utf8(label))));
}
