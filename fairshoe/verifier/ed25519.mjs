// Ed25519 signatures verified (RFC 8032 section 5.1.7). Only public values come here: nothing need take constant time.
//
// Browsers do not agree about rare points, and some have no Ed25519 at all; this decides the same everywhere:
// - a public key is the canonical encoding of a point, and not one of the eight of small order, under which
//   one signature fits many messages;
// - s is below the group's order;
// - [s]B − [k]A, encoded, is R byte for byte: the equation without the cofactor.
import { concat, equal } from "./bytes.mjs";
import { sha512 } from "./hashes.mjs";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** @param {bigint} x @returns {bigint} 0 … P − 1 */
const mod = (x) => ((x % P) + P) % P;

/** @param {bigint} base @param {bigint} exponent @returns {bigint} */
function power(base, exponent) {
  let result = 1n;
  for (let square = base; exponent > 0n; exponent >>= 1n, square = (square * square) % P)
    if (exponent & 1n) result = (result * square) % P;
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n); // a square root of -1

/** @typedef {readonly [bigint, bigint, bigint, bigint]} Point X Y Z T: x = X/Z, y = Y/Z, xy = T/Z */

/** @type {Point} */
const NEUTRAL = [0n, 1n, 1n, 0n];

/** @param {Point} p @param {Point} q @returns {Point} */
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (2n * D * ((t1 * t2) % P)) % P;
  const d = (2n * z1 * z2) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

/** @param {Uint8Array} bytes @returns {bigint} least significant byte first */
const number = (bytes) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** @param {Uint8Array} bytes 32 @returns {Point | null} null where they are not the canonical encoding of a point */
function decode(bytes) {
  const value = number(bytes);
  const sign = value >> 255n;
  const y = value & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * power(v, 3n) * power(mod(u * power(v, 7n)), (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

/** @param {Point} point @returns {Uint8Array} 32 bytes */
function encodePoint([x, y, z]) {
  const inverse = power(mod(z), P - 2n);
  let value = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(value & 255n);
    value >>= 8n;
    return byte;
  });
}

/** @param {Point} point whether eight times it is nothing */
function isSmall(point) {
  for (let i = 0; i < 3; i++) point = add(point, point);
  return mod(point[0]) === 0n;
}

const BASE = /** @type {Point} */ (decode(Uint8Array.from({ length: 32 }, (_, i) => (i ? 0x66 : 0x58))));

/** @param {Uint8Array} key @returns {boolean} whether these 32 bytes can be a public key */
export function isPublicKey(key) {
  const point = key.length === 32 ? decode(key) : null;
  return point !== null && !isSmall(point);
}

/** @param {Uint8Array} key 32 bytes @param {Uint8Array} message @param {Uint8Array} signature 64 bytes @returns {boolean} */
export function verifyEd25519(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const point = decode(key);
  if (!point || isSmall(point)) return false;
  const r = signature.subarray(0, 32);
  const s = number(signature.subarray(32));
  if (s >= ORDER) return false;
  const k = number(sha512(concat(r, key, message))) % ORDER;
  /** @type {Point} */
  const minus = [P - point[0], point[1], 1n, P - point[3]];
  const both = add(BASE, minus);
  let sum = NEUTRAL;
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum);
    const [ofS, ofK] = [(s >> bit) & 1n, (k >> bit) & 1n];
    if (ofS | ofK) sum = add(sum, ofS ? (ofK ? both : BASE) : minus);
  }
  return equal(encodePoint(sum), r);
}
