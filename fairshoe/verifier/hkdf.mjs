// HMAC-SHA256 (RFC 2104) and HKDF-SHA256 (RFC 5869).
import { Sha256, sha256 } from "./sha256.mjs";

/** A keyed hash that is used many times: the key's two blocks are hashed once. */
export class Hmac {
  /** @param {Uint8Array} key of any length */
  constructor(key) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    this.inner = new Sha256().update(block.map((byte) => byte ^ 0x36));
    this.outer = new Sha256().update(block.map((byte) => byte ^ 0x5c));
  }

  /** @param {...Uint8Array} parts @returns {Uint8Array} 32 bytes */
  of(...parts) {
    const inner = this.inner.copy();
    for (const part of parts) inner.update(part);
    return this.outer.copy().update(inner.digest()).digest();
  }
}

/** @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} 32 bytes */
export const hmac = (key, message) => new Hmac(key).of(message);

/** @param {Uint8Array} salt @param {Uint8Array} material @returns {Uint8Array} the PRK, 32 bytes */
export const extract = (salt, material) => hmac(salt, material);

/**
 * The blocks T(1), T(2), … of an expansion, one at a time: at most 255 of 32 bytes.
 * @param {Hmac} prk keyed with the PRK
 * @param {Uint8Array} info
 * @returns {Generator<Uint8Array, void, void>}
 */
export function* blocks(prk, info) {
  let last = /** @type {Uint8Array} */ (new Uint8Array(0));
  for (let counter = 1; counter <= 255; counter++) yield (last = prk.of(last, info, Uint8Array.of(counter)));
}

/**
 * @param {Uint8Array} material IKM
 * @param {Uint8Array} salt
 * @param {Uint8Array} info
 * @param {number} length at most 8160
 * @returns {Uint8Array}
 */
export function hkdf(material, salt, info, length) {
  if (length > 8160) throw new RangeError("one expansion gives at most 8160 bytes");
  const out = new Uint8Array(length);
  let at = 0;
  for (const block of blocks(new Hmac(extract(salt, material)), info)) {
    if (at >= length) break;
    out.set(block.subarray(0, length - at), at);
    at += 32;
  }
  return out;
}
