// A key that signs notes, as a player who places has one (RFC 8032 section 5.1.6).

import { concat, fromHex, toBase64, toHex, utf8 } from "../verifier/bytes.ts";
import { sha512 } from "../verifier/hashes.ts";
import { add, BASE, ED25519, encodePoint, keyId, littleEndian, NEUTRAL, number, ORDER } from "../verifier/note.ts";

export class Signer {
  name: string;
  prefix: Uint8Array<ArrayBufferLike>;
  scalar: bigint;
  key: Uint8Array<ArrayBufferLike>;
  id: Uint8Array<ArrayBufferLike>;

  /** @param secret 32 bytes in hex */
  constructor(name: string, secret: string) {
    const hash = sha512(fromHex(secret));
    this.name = name;
    this.prefix = hash.subarray(32);
    this.scalar = (number(hash.subarray(0, 32)) & (2n ** 254n - 8n)) | (2n ** 254n);
    this.key = times(this.scalar);
    this.id = keyId(name, concat(Uint8Array.of(ED25519), this.key));
  }

  /** @returns the verifier key, name+id+base64 */
  get verifier(): string {
    return `${this.name}+${toHex(this.id)}+${toBase64(concat(Uint8Array.of(ED25519), this.key))}`;
  }

  /** `text`: ends with LF. Returns the signed note; the same one each time. */
  sign(text: string): string {
    const message = utf8(text);
    const nonce = number(sha512(concat(this.prefix, message))) % ORDER;
    const r = times(nonce);
    const k = number(sha512(concat(r, this.key, message))) % ORDER;
    return `${text}\n— ${this.name} ${toBase64(concat(this.id, r, littleEndian((nonce + k * this.scalar) % ORDER)))}\n`;
  }
}

/** @returns [scalar]B, encoded; as many steps whatever it is */
function times(scalar: bigint): Uint8Array {
  let sum = NEUTRAL;
  for (let bit = 255n; bit >= 0n; bit--) {
    const twice = add(sum, sum);
    const more = add(twice, BASE);
    sum = (scalar >> bit) & 1n ? more : twice;
  }
  return encodePoint(sum);
}
