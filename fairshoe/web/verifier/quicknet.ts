// Signatures of drand's quicknet (protocol.md section 13) by pairings, for `pairing.check` of steps/beacons.ts.

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { isHex } from "./forms.ts";
import { sha256 } from "./hashes.ts";

const PUBLIC_KEY =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
  "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/**
 * Whether a signature is that of a round.
 * @param round its number, from 1
 * @param signature in hex of lower case
 */
export function checkQuicknet(round: number, signature: string): boolean {
  const { Signature, hash, verify } = bls12_381.shortSignatures;
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  try {
    const key = bls12_381.G2.Point.fromHex(PUBLIC_KEY);
    return isHex(signature, 48, 48) && verify(Signature.fromHex(signature), hash(sha256(number), DOMAIN), key);
  } catch {
    return false; // no point of the group
  }
}
