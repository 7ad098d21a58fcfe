// Receipts: who signed them and what they say, alone or beside a round or a log.

import { parseVerifierKey } from "../note.mjs";
import { readReceipts } from "../receipts.mjs";
import { grid, Telling } from "./told.mjs";

/** @typedef {import("./told.mjs").Told} Told @typedef {import("./told.mjs").Given} Given @typedef {import("../receipts.mjs").Read} Read */

/** @param {Telling} telling @param {Uint8Array | null | undefined} file @param {string} [key] the house's @returns {Read[] | null} null where nobody can say who signed them */
export function readSlips(telling, file, key = "") {
  if (!file?.length) return null;
  telling.step("receipt");
  try {
    return key ? readReceipts(file, parseVerifierKey(key)) : null;
  } catch (error) {
    telling.refuse("receipt", error, "other-receipts");
    return null;
  }
}

/** @param {Telling} telling @param {Read[]} reads who signed them and what each says: whether the log says the same is for the auditor */
export function tellSlips(telling, reads) {
  const rows = reads.map(({ place, receipt, verdict, cause }) => {
    const { at = "", player = "", do: what = "", shoe = "", table = "", round } = receipt ?? {};
    return [place, at, player, what, round === undefined ? shoe || table : `${table}#${round}`, `receipt.${verdict}`, cause];
  });
  telling.show("receipt", { receipts: grid("place-in-file at player do about verdict remark", rows) });
  for (const { place, verdict, cause } of reads) {
    if (verdict === "refused") telling.fail("receipt", "edited", `receipt ${place}`, "", cause);
  }
  if (reads.length && reads.every(({ verdict }) => verdict === "signed")) telling.pass("receipt");
}

/** @param {Uint8Array} file @param {Given} given @returns {Told} */
export function tellReceipts(file, given) {
  const telling = new Telling(["receipt"]);
  const reads = readSlips(telling, file, given.key);
  if (reads) tellSlips(telling, reads);
  const says = `verdict.receipt.${telling.failed ? "fail" : reads ? "bound" : "bound.key"}`;
  return telling.told({ what: "receipt", verdict: telling.failed ? "fail" : "bound", says, values: { receipts: reads?.length ?? 0 }, unseen: ["unseen.receipt-log", "unseen.unanswered"] });
}

/** @param {Read[] | null} reads @returns {string} the player whose they are; "" of several */
export function playerOf(reads) {
  const players = new Set((reads ?? []).flatMap(({ receipt }) => (receipt ? [String(receipt.player)] : [])));
  return players.size === 1 ? [...players][0] : "";
}
