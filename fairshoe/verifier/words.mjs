// Streams of words, and a uniform index from them: docs/protocol.md section 5.
import { concat, utf8 } from "./bytes.mjs";
import { Hmac, blocks, extract } from "./hkdf.mjs";
import { sha256 } from "./sha256.mjs";

/**
 * The bytes of a stream, 32 at a time; a chunk has 255 such blocks.
 * @param {Uint8Array} key
 * @param {string} transcript
 * @param {string} salt
 * @param {string} [suffix]
 * @returns {Generator<Uint8Array, never, void>}
 */
export function* stream(key, transcript, salt, suffix = "") {
  const prk = new Hmac(extract(utf8(salt), key));
  const hash = sha256(utf8(transcript));
  for (let chunk = 0; ; chunk++) yield* blocks(prk, concat(hash, utf8(`${suffix}chunk ${chunk}\n`)));
}

/** The words of a stream, and indexes from them. */
export class Words {
  /**
   * @param {Uint8Array} key
   * @param {string} transcript
   * @param {string} salt
   * @param {string} [suffix]
   */
  constructor(key, transcript, salt, suffix = "") {
    this.blocks = stream(key, transcript, salt, suffix);
    /** @type {DataView} */
    this.block = new DataView(new ArrayBuffer(0));
    this.at = 0;
    /** How many words were discarded. */
    this.rejected = 0;
  }

  /** @returns {number} the next word, 32 bits */
  next() {
    if (this.at === this.block.byteLength) {
      this.block = new DataView(this.blocks.next().value.buffer);
      this.at = 0;
    }
    this.at += 4;
    return this.block.getUint32(this.at - 4);
  }

  /**
   * @param {number} m 1 to 2^32
   * @returns {number} 0 … m − 1, each equally likely
   */
  uniform(m) {
    const limit = 2 ** 32 - (2 ** 32 % m);
    for (;;) {
      const word = this.next();
      if (word < limit) return word % m;
      this.rejected++;
    }
  }
}
