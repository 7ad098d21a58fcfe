// Rounds of drand's quicknet: named before they exist (docs/protocol.md section 13). Whether a signature is a round's is
// decided by `checkQuicknet` of a second file, which alone needs @noble/curves.

import { VerificationError } from "../verifier/bytes.ts";
import { isHex, must, isCount } from "../verifier/forms.ts";
import { sha256Hex } from "../verifier/hashes.ts";
import { isSigned, QUICKNET } from "../verifier/proof.ts";
import { OTHER_SHOE, RuleError } from "./sealed.ts";
import type { CheckSignature } from "../verifier/proof.ts";

/** A round of a public beacon that may still lie in the future. */
export interface BeaconRound {
  chain: string;
  number: number;
  /** when it comes out, in seconds since 1970 */
  time: number;
  /** where its signature can be had */
  address: string;
}

/** @param number of a round: there is one every three seconds */
export function drandQuicknet(number: number): BeaconRound {
  must(isCount(number) && number >= 1 && number <= 2 ** 32, "beacon round", "1 to 2^32");
  const address = `https://api.drand.sh/${QUICKNET}/public/${number}`;
  return { chain: QUICKNET, number, time: 1_692_803_367 + (number - 1) * 3, address };
}

/** The beacon that a round's signature gives. */
export function beaconOf(
  { chain, number, address }: BeaconRound,
  signature: string | undefined,
  check: CheckSignature | undefined,
): [string, number, string] {
  if (signature === undefined)
    throw new RuleError("the beacon's signature is missing", "seal", `pass the signature of ${address}`);
  must(isHex(signature, 48, 48), "signature", "96 hex digits");
  must(check !== undefined, "check", "checkQuicknet of fairshoe/beacon.js", `else ${OTHER_SHOE} without a beacon`);
  if (!isSigned(check, number, signature))
    throw new VerificationError("not the signature of this round", "signature", `that of round ${number}`);
  return [chain, number, sha256Hex(signature)];
}
