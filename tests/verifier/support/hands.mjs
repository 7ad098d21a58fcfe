// Checks many proofs: a line of JSON for each file that is named after the key, with its outcome; "refused" where it is none,
// or of a later version. What the page tells of it says the same, or this ends.
import { readFileSync } from "node:fs";

import { InputError } from "../../../fairshoe/web/verifier/bytes.ts";
import { checkHand } from "../../../fairshoe/web/verifier/hand.ts";
import { tell } from "../../../fairshoe/web/verifier/telling/tell.ts";
import { checkQuicknet } from "../../../fairshoe/web/verifier/quicknet.ts";
import { pairing } from "../../../fairshoe/web/verifier/steps/beacons.ts";

pairing.check = checkQuicknet;

const WORDS = { PASS: "pass", "PASS so far": "bound", FAIL: "fail", "CANNOT SAY": "unsure", refused: "fail" };
const [key, ...paths] = process.argv.slice(2);
for (const path of paths) {
  const file = new Uint8Array(readFileSync(path));
  let found = { outcome: "refused" };
  try {
    found = checkHand(file, key);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  const { verdict, says, steps, scene } = tell({ file, key });
  if (found.bound && says !== "verdict.hand.bound.sealed") throw new Error(`${path}: bound to the seal, and the page says ${says}`);
  if (verdict !== WORDS[found.outcome] && verdict !== "unreadable") throw new Error(`${path}: ${found.outcome}, and the page says ${verdict}`);
  if (verdict !== "pass" && steps.length && steps.every(({ status }) => status === "pass")) throw new Error(`${path}: ${verdict}, and every step passes`);
  const cards = scene?.seats.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards)) ?? [];
  if (verdict === "pass" && cards.some(({ down, turned }) => down && turned === null)) throw new Error(`${path}: a card stays face down`);
  console.log(JSON.stringify(found.newer ? "refused" : found.outcome));
}
