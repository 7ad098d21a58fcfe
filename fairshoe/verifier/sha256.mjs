// SHA-256 (FIPS 180-4), in one call and in pieces.
import { fromHex, toHex } from "./bytes.mjs";
import { cubeRoots, squareRoots } from "./primes.mjs";

const K = Int32Array.from(cubeRoots.slice(0, 64), (root) => Number(root >> 32n));
const START = Int32Array.from(squareRoots, (root) => Number(root >> 32n));
const words = new Int32Array(64);

/**
 * One block of 64 bytes.
 * @param {Int32Array} state eight words, changed in place
 * @param {Uint8Array} bytes
 * @param {number} at where the block begins
 */
function compress(state, bytes, at) {
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

/** A hash in the making: `update` as often as wanted, then `digest` once. A copy goes on from where it was taken. */
export class Sha256 {
  constructor() {
    this.state = START.slice();
    this.rest = new Uint8Array(64);
    this.length = 0;
  }

  copy() {
    const other = new Sha256();
    other.state.set(this.state);
    other.rest.set(this.rest);
    other.length = this.length;
    return other;
  }

  /** @param {Uint8Array} bytes */
  update(bytes) {
    let filled = this.length % 64;
    this.length += bytes.length;
    let at = 0;
    if (filled) {
      at = Math.min(64 - filled, bytes.length);
      this.rest.set(bytes.subarray(0, at), filled);
      filled += at;
      if (filled < 64) return this;
      compress(this.state, this.rest, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) compress(this.state, bytes, at);
    this.rest.set(bytes.subarray(at));
    return this;
  }

  /** @returns {Uint8Array} 32 bytes */
  digest() {
    const filled = this.length % 64;
    const end = new Uint8Array(filled < 56 ? 64 : 128);
    end.set(this.rest.subarray(0, filled));
    end[filled] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(this.length / 0x20000000));
    view.setUint32(end.length - 4, (this.length % 0x20000000) * 8);
    for (let at = 0; at < end.length; at += 64) compress(this.state, end, at);
    const hash = new Uint8Array(32);
    const out = new DataView(hash.buffer);
    this.state.forEach((word, i) => out.setInt32(4 * i, word));
    return hash;
  }
}

/** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export const sha256 = (bytes) => new Sha256().update(bytes).digest();

/** @param {string} hex @returns {string} the hash, in hex, of the bytes that it writes */
export const sha256Hex = (hex) => toHex(sha256(fromHex(hex)));
