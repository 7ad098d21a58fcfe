// Checks many proofs: a line of JSON for each file that is named after the key, with its outcome; "refused" where it is none,
// or of a later version.
import { readFileSync } from "node:fs";

import { InputError } from "../../../fairshoe/verifier/bytes.mjs";
import { checkHand } from "../../../fairshoe/verifier/hand.mjs";

const [key, ...paths] = process.argv.slice(2);
for (const path of paths) {
  let outcome = "refused";
  try {
    const told = checkHand(new Uint8Array(readFileSync(path)), key);
    if (!told.newer) outcome = told.outcome;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  console.log(JSON.stringify(outcome));
}
