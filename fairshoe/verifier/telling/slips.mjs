// Receipts: alone, who signed them and what they say; beside a round or a log, whether it says the same.

import { parseVerifierKey } from "../note.mjs";
import { readReceipts } from "../receipts.mjs";
import { grid, Telling } from "./told.mjs";

/** @typedef {import("./told.mjs").Told} Told @typedef {import("./told.mjs").Given} Given @typedef {import("../receipts.mjs").Read} Read */
/** @typedef {{place: number, says: Record<string, any> | null, verdict: string, remark: string, field?: string, receipt?: unknown, log?: unknown}} Slip */

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

/** @param {Telling} telling @param {Slip[]} slips @param {string} [good] what each has to be */
export function tellSlips(telling, slips, good = "agrees") {
  const rows = slips.map(({ place, says, verdict, remark, field }) => {
    const { at = "", player = "", do: what = "", shoe = "", table = "", round } = says ?? {};
    return [place, at, player, what, round === undefined ? shoe || table : `${table}#${round}`, `receipt.${verdict.replaceAll(" ", "-")}`, remark || field || ""];
  });
  telling.show("receipt", { receipts: grid("place-in-file at player do about verdict remark", rows) });
  for (const { place, verdict, remark, field = "", receipt, log } of slips) {
    if (verdict === "refused") telling.fail("receipt", "edited", `receipt ${place}`, "", remark);
    if (verdict === "differs" || verdict === "missing") telling.fail("receipt", "receipt-differs", `receipt ${place} ${field}`.trim(), receipt, log, telling.whose);
  }
  if (slips.length && slips.every(({ verdict }) => verdict === good)) telling.pass("receipt");
}

/** @param {Uint8Array} file @param {Given} given @returns {Told} */
export function tellReceipts(file, given) {
  const telling = new Telling(["receipt"]);
  const reads = readSlips(telling, file, given.key);
  tellSlips(telling, (reads ?? []).map(({ place, receipt, verdict, cause }) => ({ place, says: receipt, verdict, remark: cause })), "signed");
  const says = `verdict.receipt.${telling.failed ? "fail" : reads ? "bound" : "bound.key"}`;
  return telling.told({ what: "receipt", verdict: telling.failed ? "fail" : "bound", says, values: { receipts: reads?.length ?? 0 }, unseen: ["unseen.receipt-log", "unseen.unanswered"] });
}

/** @param {Read[] | null} reads @returns {string} the player whose they are; "" of several */
export function playerOf(reads) {
  const players = new Set((reads ?? []).flatMap(({ receipt }) => (receipt ? [String(receipt.player)] : [])));
  return players.size === 1 ? [...players][0] : "";
}
