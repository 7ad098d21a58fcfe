// A whole log told: who had which hand, with what an audit found of it, and any of them step by step.

import { Audit } from "../audit.mjs";
import { readOpenings } from "../bound.mjs";
import { toHex } from "../bytes.mjs";
import { parseVerifierKey } from "../note.mjs";
import { readSignedNotes, waitsOf } from "../waiting.mjs";
import { judged, signedBy } from "./hands.mjs";
import { Watching } from "./scene.mjs";
import { Telling } from "./told.mjs";

/** @typedef {import("../audit.mjs").Entry} Entry @typedef {import("../audit.mjs").Finding} Finding @typedef {import("./told.mjs").Told} Told */
/** @typedef {import("./told.mjs").Given} Given */

/**
 * @typedef {object} Row what one seat had of a round
 * @property {string} round TABLE#NUMBER
 * @property {string} table
 * @property {string} shoe
 * @property {string} at
 * @property {string} player
 * @property {number} bet of all its hands; 0: it banked
 * @property {number} net
 * @property {string[]} outcomes of its hands
 */

/** Milliseconds for which a page may be busy. */
const SLICE = 40;
const LF = 10;
/** Entries that a hand's steps tell of. */
const OF_A_HAND = ["table", "shoe", "seeds", "opened", "lapse", "seal", "open", "round", "reshuffle", "reveal", "void", "lost", "placed"];

/** An audit that keeps who had which hand, which entries are of which table, and the first that is wrong with each. */
class Listing extends Audit {
  constructor() {
    super();
    /** @type {Row[]} */ this.rows = [];
    /** by TABLE#NUMBER, else by shoe, else by table, else "" @type {Map<string, Finding>} */ this.wrong = new Map();
    /** how each shoe ended @type {Map<string, string>} */ this.ends = new Map();
    /** the places of each table's entries; of no table: "" @type {Map<string, number[]>} */ this.places = new Map();
  }

  /** @param {Entry} entry */
  follow(entry) {
    const table = entry.table ?? this.shoes.get(entry.shoe)?.table?.id ?? "";
    const places = this.places.get(table) ?? [];
    this.places.set(table, places);
    places.push(this.index);
    super.follow(entry);
    if (["reveal", "void", "lost"].includes(entry.kind)) this.ends.set(entry.shoe, entry.kind);
    if (entry.kind === "round") this.list(entry, this.tables.get(table));
    const astray = this.shoes.get(entry.shoe)?.astray ?? null;
    const cause = astray === null ? undefined : this.findings.find((one) => one.entry === astray && one.severity === "fail");
    if (cause && entry.kind === "round" && !this.wrong.has(`${table}#${entry.round}`)) this.wrong.set(`${table}#${entry.round}`, cause);
  }

  /** @param {Entry} entry a round @param {import("../state.mjs").Table | undefined} table */
  list({ round, shoe, at, hands }, table) {
    if (!table) return;
    const about = { round: `${table.id}#${round}`, table: table.id, shoe, at };
    /** @type {Map<number, Row>} */
    const rows = new Map();
    let won = 0;
    for (const { seat, bet, outcome, net, insured = 0, insurance = 0 } of hands) {
      const row = rows.get(seat) ?? { ...about, player: table.chairs.get(seat)?.player ?? "", bet: 0, net: 0, outcomes: [] };
      rows.set(seat, { ...row, bet: row.bet + bet + insured, net: row.net + net + insurance, outcomes: [...row.outcomes, outcome] });
      won += net + insurance;
    }
    const banker = table.chairs.get(table.dealer);
    if (banker && !rows.has(banker.seat)) rows.set(banker.seat, { ...about, player: banker.player, bet: 0, net: -won, outcomes: [] });
    this.rows.push(...rows.values());
  }

  /** @param {Finding} finding */
  report(finding) {
    super.report(finding);
    const { table, shoe, round, severity } = finding;
    const about = table && round ? `${table}#${round}` : shoe ?? table ?? "";
    if (severity === "fail" && !this.wrong.has(about)) this.wrong.set(about, finding);
  }
}

/** A log that was read to its end. */
export class ReadLog {
  /** @param {Uint8Array[]} lines @param {Listing} audit @param {string} checkpoint the note that came with it; "": none @param {string} root of as many entries as it signs, else "" */
  constructor(lines, audit, checkpoint, root) {
    this.lines = lines;
    this.audit = audit;
    this.checkpoint = checkpoint;
    this.root = root;
    this.rows = audit.rows;
  }

  /** @param {Row} row @returns {Finding | undefined} what is wrong with the hand, or with its shoe */
  wrongOf({ round, shoe }) {
    return this.audit.wrong.get(round) ?? this.audit.wrong.get(shoe);
  }

  /** @param {Row} row @returns {"pass" | "fail" | "open"} open: its cards are not checked, since the key is not out or never comes */
  statusOf(row) {
    if (this.wrongOf(row)) return "fail";
    return this.audit.ends.get(row.shoe) === "reveal" && !this.audit.unplaced.has(row.shoe) ? "pass" : "open";
  }

  /** What is wrong and no hand's. */
  get besides() {
    const listed = new Set(this.rows.flatMap(({ round, shoe }) => [round, shoe]));
    return [...this.audit.wrong].filter(([about]) => !listed.has(about)).map(([, finding]) => finding);
  }

  /** Who signed it, and that it is what was signed. @param {Telling} telling @param {Given} given @param {number} [reach] of how many entries */
  signed(telling, { key = "" }, reach = 0) {
    const signed = this.checkpoint ? signedBy(telling, { checkpoint: this.checkpoint }, key) : null;
    if (!signed || reach > signed.size) return;
    telling.same("inclusion", "edited", "checkpoint", toHex(signed.root), this.root);
    telling.pass("inclusion", { root: this.root });
  }

  /** All of it told at once. @param {Given} given @returns {Told} */
  told(given) {
    const telling = new Telling(["signature", "inclusion"]);
    this.signed(telling, given);
    const signed = telling.step("signature").status === "pass";
    const waits = waitsOf(this.audit, signed ? parseVerifierKey(given.key ?? "") : null, readSignedNotes(given.notes ?? ""));
    const statuses = this.rows.map((row) => this.statusOf(row));
    const count = (/** @type {string} */ status) => statuses.filter((one) => one === status).length;
    const failed = this.audit.verdict === "fail" || telling.failed;
    const whole = [...telling.steps.values()].every(({ status }) => status === "pass");
    const verdict = failed ? "fail" : whole && given.key && !count("open") && !waits.length ? "pass" : "bound";
    const about = failed ? (count("fail") ? "" : ".besides") : !whole ? ".key" : count("open") ? ".cards" : waits.length ? ".waits" : "";
    const values = { hands: this.rows.length, wrong: count("fail"), open: count("open"), entries: this.lines.length };
    return telling.told({ what: "log", verdict, says: `verdict.log.${verdict}${about}`, values, unseen: [...(waits.length ? ["waits"] : []), "other-log", "seen-cards", "key", "together", "unanswered"].map((name) => `unseen.${name}`) });
  }

  /** A hand step by step, as its proof would be told. @param {Row} row @param {Given} given @returns {Told} */
  hand(row, given) {
    const { round, table, shoe } = row;
    const number = Number(round.slice(table.length + 1));
    const watching = new Watching(table, number);
    const entries = [];
    const places = ["", table].flatMap((name) => this.audit.places.get(name) ?? []).sort((a, b) => a - b);
    for (const index of places) {
      watching.index = index;
      const entry = watching.read(this.lines[index]);
      if (!entry) continue;
      watching.follow(entry);
      if (entry.kind === "table" ? entry.table === table : entry.shoe === shoe && OF_A_HAND.includes(entry.kind)) entries.push({ index, entry });
      if (this.audit.ends.has(shoe) && !watching.shoes.has(shoe) && watching.shoeIds.has(shoe) && !watching.unplaced.has(shoe)) break;
    }
    const findings = watching.findings.filter((one) => one.shoe === shoe && (one.round || number) === number);
    const fails = () => findings.some(({ severity }) => severity === "fail");
    const wrong = this.wrongOf(row); // what only the log's tree shows
    if (wrong && !fails()) findings.push(wrong);
    const outcome = fails() ? "FAIL" : this.statusOf(row) === "pass" ? "PASS" : "PASS so far";
    const telling = new Telling();
    this.signed(telling, given, (entries.at(-1)?.index ?? 0) + 1);
    telling.pass("form", { round, entries: entries.length });
    return judged(telling, watching, { told: { outcome, entries, findings }, round, given });
  }
}

/**
 * Reads a log from its first line to its last, and lets the page do other things between.
 * @param {Uint8Array} file
 * @param {string} checkpoint that came with it, or ""
 * @param {(share: number) => void} progress told again and again
 * @param {string} [openings] lines as `fairshoe pull` keeps them
 * @returns {Promise<ReadLog>}
 * @throws {import("../bytes.mjs").NewerError} where a newer fairshoe wrote it
 */
export async function readLog(file, checkpoint, progress, openings = "") {
  const size = Number(checkpoint.split("\n")[1] ?? 0);
  const audit = new Listing();
  [audit.origin] = checkpoint.split("\n", 1);
  audit.openings = readOpenings(openings);
  const lines = [];
  let root = "";
  let pause = performance.now() + SLICE;
  for (let from = 0, end = 0; from < file.length; from = end + 1) {
    end = file.indexOf(LF, from);
    if (end < 0) {
      end = file.length;
      audit.fail("syntax", "", "a line with its LF", "a line that is cut off", { entry: audit.index + 1 });
    }
    const line = file.subarray(from, end);
    lines.push(line);
    audit.take(line);
    if (lines.length === size) root = audit.root;
    if (performance.now() < pause) continue;
    progress(end / file.length);
    await new Promise((go) => setTimeout(go));
    pause = performance.now() + SLICE;
  }
  audit.end();
  return new ReadLog(lines, audit, checkpoint, root);
}
