// Whether a signature is that of a round of drand's quicknet (docs/protocol.md section 13).

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { fromHex } from "../verifier/bytes.ts";
import { sha256 } from "../verifier/hashes.ts";
import { isCount, isHex, must } from "../verifier/forms.ts";

const PUBLIC_KEY =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
  "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/**
 * @param round its number
 * @param signature 96 hex digits
 */
export function checkQuicknet(round: number, signature: string): boolean {
  must(isCount(round) && round >= 1, "beacon round", "1 or more");
  must(isHex(signature, 48, 48), "signature", "96 hex digits");
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  const { hash, verify } = bls12_381.shortSignatures;
  try {
    return verify(fromHex(signature), hash(sha256(number), DOMAIN), fromHex(PUBLIC_KEY));
  } catch {
    return false; // no point of the group
  }
}
