// A whole log, small enough for a page: audited from its first entry to its last; its rounds, or one of them.

import { NewerError } from "../errors.mjs";
import { wrongShape } from "../shapes.mjs";
import { factsOf } from "./orders.mjs";
import { NEVER, tellRound } from "./play.mjs";
import { Watching, sceneOf } from "./scene.mjs";
import { playerOf, readSlips, tellSlips, unheld } from "./slips.mjs";
import { grid, Telling } from "./told.mjs";

/** @typedef {import("./told.mjs").Told} Told @typedef {import("./told.mjs").Given} Given @typedef {import("./orders.mjs").Placed} Placed */

const LARGEST_LOG = 16 * 1024 * 1024;
const UNSIGNED = ["unseen.unsigned", "unseen.other-log", ...NEVER];

/** @param {Uint8Array} file @param {Given} given @returns {Told} */
export function tellLog(file, given) {
  const [round = "", id = "", number = ""] = /^(.*)#([1-9][0-9]*)$/.exec(given.round ?? "") ?? [];
  const watching = new Watching(id, Number(number));
  const telling = new Telling(id ? undefined : ["form", "signature"]);
  const what = "log";
  if (file.length > LARGEST_LOG) {
    telling.fail("form", "log-too-large", "log", LARGEST_LOG, file.length, "reader");
    return telling.told({ what, verdict: "fail", says: "verdict.log.fail.size" });
  }
  const reads = readSlips(telling, given.receipt, given.key);
  if (reads) tellSlips(telling, reads);
  const entries = followed(watching, file);
  if (entries instanceof NewerError) {
    telling.leave("form", "newer", entries.where, entries.expected, entries.message);
    return telling.told({ what, verdict: "unsure", says: "verdict.log.unsure.newer" });
  }
  const failed = watching.findings.filter(({ severity }) => severity === "fail");
  const log = { rounds: roundsIn(entries) };
  telling.show("form", { entries: watching.index + 1, rounds: log.rounds.length, root: watching.root });
  if (!id) {
    const [first] = failed;
    if (first) {
      const rows = failed.slice(0, 100).map(({ entry, table, round: of, check, field }) => [entry ?? "", table ?? "", of ?? "", check, field]);
      telling.show("form", { findings: grid("index table round check field", rows) });
      telling.fail("form", "against-rules", `entry ${first.entry} ${first.field}`, first.expected, first.found);
    } else telling.pass("form");
    const verdict = telling.failed ? "fail" : "bound";
    return telling.told({ what, verdict, says: `verdict.log.${verdict}`, values: { entries: watching.index + 1, rounds: log.rounds.length, findings: failed.length }, unseen: [...UNSIGNED, ...unheld(reads)], log });
  }
  const chosen = entriesFor(entries, id, Number(number));
  if (!chosen) {
    telling.fail("form", "no-round", "round", round, "", "reader");
    return telling.told({ what, verdict: "fail", says: "verdict.log.fail.round", values: { round }, log });
  }
  const facts = factsOf(chosen, Number(number));
  const own = failed.filter(({ entry }) => chosen.some(({ index }) => index === entry));
  const unread = failed.some((one) => one.check === "syntax" && !own.includes(one));
  if (!unread) telling.pass("form");
  tellRound(telling, facts, watching, own, false);
  const scene = sceneOf(facts, watching, playerOf(reads));
  const verdict = telling.failed ? "fail" : unread ? "unsure" : "bound";
  const says = verdict !== "bound" ? `verdict.hand.${verdict}` : facts.end?.kind === "reveal" ? "verdict.log.hand" : "verdict.log.hand.cards";
  return telling.told({ what, verdict, says, values: { round, elsewhere: failed.length - own.length }, scene, unseen: [...UNSIGNED, ...unheld(reads)], log });
}

/** @param {Watching} watching @param {Uint8Array} file @returns {Placed[] | NewerError} the entries that have their form; why nothing can be said of them */
function followed(watching, file) {
  /** @type {Placed[]} */
  const entries = [];
  for (let from = 0, end = 0; from < file.length; from = end + 1) {
    end = file.indexOf(10, from);
    if (end < 0) end = file.length;
    const line = file.subarray(from, end);
    try {
      watching.take(line);
    } catch (error) {
      if (error instanceof NewerError) return error;
      throw error;
    }
    if (end === file.length) watching.fail("syntax", "", "a line with its LF", "a line that is cut off");
    const { index, entry } = watching;
    if (entry && wrongShape(entry) === null) entries.push({ index, entry });
  }
  watching.end();
  return entries;
}

/** @param {Placed[]} entries */
function roundsIn(entries) {
  const revealed = new Set(entries.flatMap(({ entry }) => (entry.kind === "reveal" ? [entry.shoe] : [])));
  return entries.flatMap(({ index, entry: { kind, shoe, round } }) =>
    kind === "open" ? [{ round: `${String(shoe).replace(/\/[^/]*$/, "")}#${round}`, index, revealed: revealed.has(shoe) }] : []);
}

/** @param {Placed[]} entries @param {string} table @param {number} number @returns {Placed[] | null} those that the round needs; null where there is no such round */
function entriesFor(entries, table, number) {
  const open = entries.find(({ entry }) => entry.kind === "open" && entry.round === number && String(entry.shoe).startsWith(`${table}/`));
  const chosen = entries.filter(({ entry }) => (entry.kind === "table" ? entry.table === table : entry.kind !== "late" && entry.shoe === open?.entry.shoe));
  return open && ["table", "shoe"].every((kind) => chosen.some(({ entry }) => entry.kind === kind)) ? chosen : null;
}
