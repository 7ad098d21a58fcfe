// What the second reading and the page say of proofs of one card: [outcome, the page's verdict, its words, the step that fails].
import { readFileSync } from "node:fs";
import { FairshoeError, utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { checkHand } from "../../fairshoe/web/verifier/hand.ts";
import { tell } from "../../fairshoe/web/verifier/telling/tell.ts";

const { key, files } = JSON.parse(readFileSync(0, "utf8"));

/** @param {string} file */
function outcome(file) {
  try {
    return checkHand(utf8(file), key).outcome;
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    return `${error.name} ${error.where}`;
  }
}

const told = files.map((file) => {
  const { verdict, says, steps } = tell({ file: utf8(file), key });
  const cards = steps.flatMap(({ items }) => items.filter(({ label }) => label === "cards"));
  return [outcome(file), verdict, says, steps.find(({ status }) => status === "fail")?.id ?? "", cards[0]?.value ?? []];
});
process.stdout.write(JSON.stringify(told));
