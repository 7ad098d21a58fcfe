// A key that signs notes, as a player who places needs one (RFC 8032 section 5.1.6, c2sp.org/signed-note).

import { concat, fromHex, toBase64, toHex, utf8 } from "../verifier/bytes.mjs";
import { sha512 } from "../verifier/hashes.mjs";
import { add, BASE, encodePoint, keyId, NEUTRAL, number, ORDER } from "../verifier/note.mjs";

const ED25519 = 1;

export class Signer {
  /** @param {string} name @param {string} secret 32 bytes in hex */
  constructor(name, secret) {
    const hash = sha512(fromHex(secret));
    this.name = name;
    this.prefix = hash.subarray(32);
    this.scalar = (number(hash.subarray(0, 32)) & (2n ** 254n - 8n)) | (2n ** 254n);
    this.key = times(this.scalar);
    this.id = keyId(name, concat(Uint8Array.of(ED25519), this.key));
  }

  /** @returns {string} the verifier key, name+id+base64 */
  get verifier() {
    return `${this.name}+${toHex(this.id)}+${toBase64(concat(Uint8Array.of(ED25519), this.key))}`;
  }

  /** @param {string} text that ends with LF @returns {string} the signed note */
  sign(text) {
    return `${text}\n— ${this.name} ${toBase64(concat(this.id, this.signature(utf8(text))))}\n`;
  }

  /** @param {Uint8Array} message @returns {Uint8Array} 64 bytes; the same ones each time */
  signature(message) {
    const nonce = number(sha512(concat(this.prefix, message))) % ORDER;
    const r = times(nonce);
    const k = number(sha512(concat(r, this.key, message))) % ORDER;
    return concat(r, littleEndian((nonce + k * this.scalar) % ORDER));
  }
}

/** @param {bigint} scalar @returns {Uint8Array} [scalar]B, encoded; as many steps whatever it is */
function times(scalar) {
  let sum = NEUTRAL;
  for (let bit = 255n; bit >= 0n; bit--) {
    const twice = add(sum, sum);
    const more = add(twice, BASE);
    sum = (scalar >> bit) & 1n ? more : twice;
  }
  return encodePoint(sum);
}

/** @param {bigint} value @returns {Uint8Array} 32 bytes */
const littleEndian = (value) => Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
