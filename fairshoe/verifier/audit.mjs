// A whole log, from its first entry to its last: every entry is taken in turn, held against what is known by then, and
// what does not fit is a finding. After one the reading goes on from what the log says.

import { canonicalText, parseCanonical } from "./canonical.mjs";
import { toHex } from "./bytes.mjs";
import { InputError } from "./errors.mjs";
import { wrongShape } from "./shapes.mjs";
import { HOUR, MONTH, microseconds } from "./times.mjs";
import { leafHash, Tree } from "./tree.mjs";
import { tableStep, chipsStep, closeStep } from "./steps/tables.mjs";
import { deckStep, lapseStep, lateStep, openedStep, sealStep, seedsStep, shoeStep } from "./steps/shoes.mjs";
import { openStep } from "./steps/betting.mjs";
import { reshuffleStep, roundStep } from "./steps/rounds.mjs";
import { bankStep } from "./steps/bank.mjs";
import { lostStep, revealStep, voidStep } from "./steps/ends.mjs";

/**
 * @typedef {Record<string, any>} Entry
 *
 * @typedef {object} Finding
 * @property {number | null} entry number of the line, from 0
 * @property {string | null} table
 * @property {string | null} shoe
 * @property {number | null} round
 * @property {string} check as audit.md lists them
 * @property {string} field
 * @property {unknown} expected
 * @property {unknown} found
 * @property {"fail" | "note"} severity
 */

/** @type {Record<string, (audit: Audit, entry: any) => void>} */
const STEPS = {
  table: tableStep, chips: chipsStep, close: closeStep, deck: deckStep, shoe: shoeStep, seeds: seedsStep, open: openStep, opened: openedStep,
  lapse: lapseStep, late: lateStep, seal: sealStep, round: roundStep, reshuffle: reshuffleStep, bank: bankStep,
  reveal: revealStep, void: voidStep, lost: lostStep, start: startStep,
};

const MOST_ALIKE = 1000;

export class Audit {
  constructor() {
    /** number and time of the present entry; the time of the last start */
    this.index = -1;
    this.at = 0;
    this.started = 0;
    this.tree = new Tree();
    /** @type {Finding[]} the first of those that are alike */ this.findings = [];
    /** @type {Map<string, number>} how many there are of each */ this.alike = new Map();
    /** cards that were put in order */ this.ordered = 0;
    /** @type {Map<string, import("./state.mjs").Table>} */ this.tables = new Map();
    /** @type {Map<string, import("./state.mjs").Shoe>} in play */ this.shoes = new Map();
    /** @type {Set<string>} every shoe that there was, by id */ this.shoeIds = new Set();
    /** @type {Set<string>} commitments, hashes of seeds: none comes twice */ this.used = new Set();
    /** @type {Map<string, {parts: number, of: number, labels: string[], hash: string}>} */ this.decks = new Map();
    /** shoes and tables that are not followed, since they are not known @type {Set<string>} */ this.unknown = new Set();
    /** @type {string | null} the one checkpoint that entries of kind start may name */ this.continues = null;
    /** @type {Entry} */ this.entry = {};
    this.rounds = 0;
    this.ended = 0;
    /** rounds that could not be played again, entries that could not be read */
    this.unread = 0;
    /** whether one of them may have been the end of a shoe */
    this.endUnread = false;
    /** a proof of one hand: what only the whole log shows is not asked */
    this.partial = false;
    /** @type {number[] | undefined} of a proof: the chairs of the roster, where they do not follow from the shoe */
    this.seats = undefined;
    /** @type {import("./held.mjs").Held | null} receipts that are held against the log */
    this.held = null;
  }

  /** @param {Uint8Array} line without its LF */
  take(line) {
    this.index += 1;
    this.tree.append(leafHash(line));
    const entry = this.read(line);
    if (entry) this.follow(entry);
  }

  /** @param {Entry} entry whose form is right */
  follow(entry) {
    const at = /** @type {number} */ (microseconds(entry.at));
    if (at <= this.at) this.fail("order", "at", `after ${this.at}`, entry.at);
    else this.at = at;
    this.held?.before(entry);
    try {
      STEPS[entry.kind](this, entry);
      this.held?.after(entry);
    } catch (error) { // what no rule foresees is no pass either
      if (this.partial && error instanceof InputError) throw error;
      this.unread += 1;
      this.fail("syntax", "", "an entry that can be followed", String(error));
    }
  }

  /** @param {Uint8Array} line @returns {Entry | null} */
  read(line) {
    /** @type {Entry} */
    let entry;
    let readable = true;
    this.entry = {};
    try {
      entry = parseCanonical(line);
    } catch (error) {
      this.fail("syntax", "", "a canonical entry", /** @type {Error} */ (error).message);
      try {
        entry = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
      } catch {
        readable = false;
        entry = {};
      }
      if (line.length > 65535 || entry === null || typeof entry !== "object") [entry, readable] = [{}, false];
    }
    this.entry = entry;
    return this.shaped(entry, this.index, readable) ? entry : null;
  }

  /** @param {Entry} entry @param {number} index @param {boolean} [readable] @returns {boolean} whether it can be followed */
  shaped(entry, index, readable = true) {
    const wrong = wrongShape(entry);
    if (!wrong) return true;
    if (readable) this.fail("syntax", wrong.field, "the fields of its kind", wrong.field.split(/[.[]/).reduce(below, entry) ?? null, { entry: index });
    if (!wrong.known) this.unread += 1;
    this.endUnread ||= !readable || ["reveal", "void", "lost"].includes(entry.kind);
    return wrong.known;
  }

  /**
   * @param {string} check
   * @param {string} field
   * @param {unknown} expected
   * @param {unknown} found
   * @param {{entry?: number, round?: number, severity?: "note"}} [where]
   */
  fail(check, field, expected, found, where = {}) {
    const { shoe, table, round } = this.entry;
    const what = `${where.severity ?? "fail"} ${check} ${field.split(/[.[]/)[0]}`;
    const alike = (this.alike.get(what) ?? 0) + 1;
    this.alike.set(what, alike);
    if (alike <= MOST_ALIKE) this.findings.push({
      entry: where.entry ?? this.index,
      table: table ?? this.shoes.get(shoe)?.table?.id ?? null,
      shoe: shoe ?? null,
      round: where.round ?? round ?? null,
      check, field, expected: expected ?? null, found: found ?? null,
      severity: where.severity ?? "fail",
    });
  }

  /**
   * Compares as canonical bytes.
   * @param {string} check
   * @param {string} field
   * @param {unknown} expected undefined: the field must not be there
   * @param {unknown} found
   * @param {{entry?: number, round?: number}} [where]
   */
  same(check, field, expected, found, where) {
    if (sameValue(expected, found)) return true;
    this.fail(check, field, expected ?? null, found, where);
    return false;
  }

  /** @param {string} check @param {string} field @param {string} value a hash that no log has twice */
  once(check, field, value) {
    if (this.used.has(value)) this.fail(check, field, "a new one", value);
    this.used.add(value);
  }

  /** @param {string} check @param {string} field @param {boolean} wanted whether it must be there, or must not @param {unknown} found @param {{entry?: number}} [where] */
  present(check, field, wanted, found, where) {
    if (wanted !== (found !== undefined)) this.fail(check, field, wanted ? "a value" : null, found, where);
  }

  /** @param {string} id @returns {import("./state.mjs").Table | undefined} */
  table(id) {
    const table = this.tables.get(id);
    if (!table) this.missing("table", id);
    return table;
  }

  /** @param {Entry} entry @returns {import("./state.mjs").Shoe | undefined} the shoe in play that it is about */
  shoe(entry) {
    const shoe = this.shoes.get(entry.shoe);
    if (!shoe) this.missing("shoe", entry.shoe);
    else if (shoe.closed && entry.kind !== "void" && entry.kind !== "lost") this.fail("policy", "kind", "a void, since the table was closed", entry.kind);
    return shoe;
  }

  /** @param {string} field @param {string} id reported once */
  missing(field, id) {
    if (!this.unknown.has(id)) this.fail("order", field, "one that was begun, and is not over", id);
    this.unknown.add(id);
  }

  /**
   * What a limit decided must stand that much later than what began the wait, or than the last start.
   * @param {number} since
   * @param {number} wait in microseconds
   * @param {string} field what was decided
   */
  mustHaveWaited(since, wait, field) {
    const least = Math.max(since, this.started) + wait;
    if (this.at < least) this.fail("policy", field, `not before ${new Date(least / 1000).toISOString()}`, this.entry.at);
  }

  /**
   * What nobody was waited for any more must not have been put off: more than an hour is noted, more than 30 days fails.
   * @param {number} since
   * @param {number} limit in microseconds
   */
  mustNotDelay(since, limit) {
    if (this.partial) return;
    const late = this.at - (limit ? Math.max(since, this.started) : since) - limit;
    if (late > HOUR) this.fail("completeness", "at", new Date((this.at - late) / 1000).toISOString(), this.entry.at, late > MONTH ? {} : { severity: "note" });
  }

  /** What the end of the log shows. */
  end() {
    this.entry = {};
    for (const table of this.tables.values()) {
      const owed = table.lounge && table.payers.size && table.pool > 0 && !table.chairs.size && this.at > table.emptied + MONTH;
      if (owed) this.fail("completeness", "share", `what the pool of ${table.id} holds for its payers`, null);
    }
    // an end that could not be read, or was dropped, is not missed once more
    if (this.endUnread || this.findings.some(({ check, severity }) => severity === "fail" && check === "order")) return;
    for (const shoe of this.shoes.values()) {
      const since = shoe.sealed ? Math.max(shoe.stepAt, shoe.sealedAt + shoe.policy.shoe * 1e6) : shoe.stepAt + shoe.policy.shoe * 1e6;
      if (this.at > since + MONTH) this.fail("completeness", "reveal", `the end of ${shoe.id}`, null, { entry: shoe.entry });
    }
  }

  get root() {
    return toHex(this.tree.root());
  }

  get verdict() {
    return this.findings.some(({ severity }) => severity === "fail") ? "fail" : "pass";
  }
}

/** @param {any} value @param {string} name */
function below(value, name) {
  return value?.[name.replace("]", "")];
}

/** @param {unknown} a @param {unknown} b */
export function sameValue(a, b) {
  return a === undefined || b === undefined ? a === b : canonicalText(a) === canonicalText(b);
}

/** @param {Audit} audit @param {Entry} entry */
function startStep(audit, entry) {
  audit.started = audit.at;
  for (const name of ["lost", "copy", "unknown"]) {
    if (entry[name] !== undefined && entry.continues === undefined) audit.fail("syntax", name, undefined, entry[name]);
  }
  for (const name of ["copy", "unknown"]) {
    if (entry[name] === undefined) continue;
    audit.fail("completeness", name, null, entry[name]);
  }
  if (entry.continues === undefined) return;
  if (audit.index === 0) audit.continues = entry.continues;
  else if (audit.continues !== entry.continues) audit.fail("order", "continues", audit.continues, entry.continues);
  audit.fail("completeness", "continues", "a log of its own", "one that comes in the place of another");
  for (const { shoe, key } of entry.lost ?? []) {
    if (audit.shoeIds.has(shoe)) audit.fail("completeness", "lost", "each shoe once", shoe);
    audit.shoeIds.add(shoe);
    audit.fail("completeness", "lost", null, { shoe, key });
  }
}
