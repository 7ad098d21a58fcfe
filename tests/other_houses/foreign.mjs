// For each line of JSON, a hand of another house: the answers of the page that checks, as a line of JSON.
import { readFileSync } from "node:fs";
import { checkForeign } from "../../fairshoe/web/verifier/foreign/check.ts";

for (const line of readFileSync(0, "utf8").trim().split("\n"))
  try {
    const { commitment, outcome, payout, expected, slips } = checkForeign(JSON.parse(line));
    console.log(JSON.stringify({ commitment, outcome, payout, expected, slips: slips.length }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error.where }));
  }
