// SHA-512 (FIPS 180-4). Ed25519 hashes with it; nothing else does, so it is written for reading and not for speed.
import { cubeRoots, squareRoots } from "./primes.mjs";

const MASK = 0xffffffffffffffffn;

/** @param {bigint} x @param {bigint} n @returns {bigint} */
const rotate = (x, n) => (x >> n) | ((x << (64n - n)) & MASK);

/** @param {Uint8Array} bytes @returns {Uint8Array} 64 bytes */
export function sha512(bytes) {
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

/**
 * One block of 128 bytes.
 * @param {bigint[]} state
 * @param {DataView} view
 * @param {number} at
 * @returns {bigint[]}
 */
function compress512(state, view, at) {
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
