// A whole log, from its first entry to its last: every entry is taken in turn, held against what is known by then, and
// what does not fit is a finding. After one the reading goes on from what the log says.

import { canonicalText, kindIn, parseCanonical, parseInProfile } from "./json.mjs";
import { InputError, toHex } from "./bytes.mjs";
import { isKind, newerThan, wrongShape } from "./shapes.mjs";
import { DAY, HOUR, microseconds, momentText, MONTH, OwnTime, placeUpTo } from "./forms.mjs";
import { leafHash, Tree } from "./hashes.mjs";
import { chipsStep, closeStep, startStep, tableStep } from "./steps/tables.mjs";
import { deckStep, shoeStep } from "./steps/commitments.mjs";
import { dueOf, lapseStep, lateStep, longestOf, openedStep, sealStep, seedsStep } from "./steps/shoes.mjs";
import { openStep } from "./steps/betting.mjs";
import { reshuffleStep, roundStep } from "./steps/rounds.mjs";
import { bankStep } from "./steps/bank.mjs";
import { isOver, labelsFit, lostStep, revealStep, unboundOf, voidStep } from "./steps/ends.mjs";
import { placedStep, stand } from "./steps/placed.mjs";

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
export const STEPS = {
  table: tableStep, chips: chipsStep, close: closeStep, deck: deckStep, shoe: shoeStep, seeds: seedsStep, open: openStep, opened: openedStep,
  lapse: lapseStep, late: lateStep, seal: sealStep, round: roundStep, reshuffle: reshuffleStep, bank: bankStep,
  reveal: revealStep, void: voidStep, lost: lostStep, placed: placedStep, start: startStep,
};

const MOST_ALIKE = 1000;
const MOST_ORDERED = 8388608; // cards of all shoes, and 256 for each entry (log.md, "Bounds")

export class Audit {
  constructor() {
    /** number and time of the present entry */
    this.index = -1;
    this.at = -1;
    this.own = new OwnTime();
    /** @type {number[]} when the service started for every table */ this.starts = [];
    this.tree = new Tree();
    /** @type {Finding[]} the first of those that are alike */ this.findings = [];
    /** @type {Map<string, number>} how many there are of each */ this.alike = new Map();
    /** the log's name, where it is known: a placer's chain names it */
    this.origin = "";
    /** what binds cards of shoes with a placer, by the shoe @type {Map<string, import("./bound.mjs").Opening[]>} */ this.openings = new Map();
    /** how many cards of shoes with a placer and without a key no opening shows */ this.unbound = 0;
    /** shoes that are over and whose placer's key is to come @type {Map<string, {shoe: import("./state.mjs").Shoe, at: number}>} */ this.unplaced = new Map();
    /** what players did wrong that fails no log, in words @type {Set<string>} */ this.beside = new Set();
    /** cards that were put in order */ this.ordered = 0;
    /** @type {Map<string, import("./state.mjs").Table>} */ this.tables = new Map();
    /** @type {Map<string, import("./state.mjs").Shoe>} in play */ this.shoes = new Map();
    /** @type {Set<string>} every shoe that there was, by id */ this.shoeIds = new Set();
    /** commitments, and hashes of seeds: none comes twice @type {Record<"commitment" | "seed", Set<string>>} */ this.claims = { commitment: new Set(), seed: new Set() };
    /** @type {Map<string, {parts: number, of: number, labels: string[], hash: string}>} */ this.decks = new Map();
    /** shoes and tables that are not followed, since they are not known @type {Set<string>} */ this.unknown = new Set();
    /** @type {string | null} the one checkpoint that entries of kind start may name */ this.continues = null;
    /** @type {Entry} */ this.entry = {};
    /** whether a line was an entry: a JSON object with a known kind */
    this.known = false;
    this.rounds = 0;
    this.ended = 0;
    /** shoes without a table: no entry says which of their cards were shown, so none is checked */
    this.unshown = 0;
    /** rounds that could not be played again, entries that could not be read */
    this.unread = 0;
    /** a proof of one hand: what only the whole log shows is not asked */
    this.partial = false;
    /** of such a proof: the head of the tree that ends with the present entry @type {string | undefined} */
    this.upto = undefined;
  }

  /** @param {Uint8Array} line without its LF @throws {import("./bytes.mjs").NewerError} where its version is not known: there is no verdict */
  take(line) {
    this.index += 1;
    this.tree.append(leafHash(line));
    const entry = this.read(line);
    if (!entry) return;
    this.follow(entry);
    stand(this);
  }

  /** @param {Entry} entry whose form is right */
  follow(entry) {
    const at = /** @type {number} */ (microseconds(entry.at));
    if (at <= this.at) this.fail("order", "at", `after ${this.at}`, entry.at);
    else {
      if (this.at >= 0) this.own.pass(this.at, at);
      this.at = at;
    }
    try {
      STEPS[entry.kind](this, entry);
    } catch (error) { // what no rule foresees is no pass either
      if (this.partial && error instanceof InputError) throw error;
      this.unread += 1;
      this.fail("syntax", "", "an entry that can be followed", String(error));
    }
  }

  /** @param {Uint8Array} line @returns {Entry | null} @throws {import("./bytes.mjs").NewerError} where its version is not known */
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
        entry = parseInProfile(line);
      } catch {
        readable = false;
        entry = seeming(line);
      }
    }
    this.entry = entry;
    this.known ||= isKind(readable ? entry.kind : kindIn(line));
    const newer = newerThan(entry.v, `entry ${this.index}`);
    if (newer) throw newer;
    return this.shaped(entry, this.index, readable) ? entry : null;
  }

  /** @param {Entry} entry @param {number} index @param {boolean} [readable] @returns {boolean} whether it can be followed */
  shaped(entry, index, readable = true) {
    const wrong = wrongShape(entry);
    if (!wrong) return true;
    if (readable) this.fail("syntax", wrong.field, "the fields of its kind", wrong.field.split(/[.[]/).reduce(below, entry) ?? null, { entry: index });
    if (wrong.known) return true;
    this.unread += 1;
    const shoe = ["reveal", "void", "lost"].includes(entry.kind) && this.shoes.get(entry.shoe);
    if (shoe) shoe.endUnread = true;
    return false;
  }

  /**
   * @param {string} check
   * @param {string} field
   * @param {unknown} expected
   * @param {unknown} found
   * @param {{entry?: number | null, shoe?: string, round?: number, severity?: "note"}} [where] entry null: nothing in an entry
   */
  fail(check, field, expected, found, where = {}) {
    const { shoe, table, round } = this.entry;
    this.report({
      entry: where.entry === undefined ? this.index : where.entry,
      table: table ?? this.shoes.get(shoe)?.table?.id ?? null,
      shoe: where.shoe ?? shoe ?? null,
      round: where.round ?? round ?? null,
      check, field, expected: expected ?? null, found: found ?? null,
      severity: where.severity ?? "fail",
    });
  }

  /** @param {Finding} finding kept, where there are not many alike */
  report(finding) {
    const what = `${finding.severity} ${finding.check} ${finding.field.split(/[.[]/)[0]}`;
    const alike = (this.alike.get(what) ?? 0) + 1;
    this.alike.set(what, alike);
    if (alike <= MOST_ALIKE || this.partial) this.findings.push(finding);
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

  /**
   * A value that no log has twice. A commitment that is also a seed's hash is a note where the later entry is of version 1.
   * @param {"commitment" | "seed"} kind @param {string} field @param {string} value
   */
  claim(kind, field, value) {
    const { commitment, seed } = this.claims;
    const own = this.claims[kind];
    const note = !own.has(value) && this.entry.v === 1;
    if (commitment.has(value) || seed.has(value)) this.fail(kind === "seed" ? "contributions" : "commitment", field, "a new one", value, note ? { severity: "note" } : {});
    own.add(value);
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
    if (this.at < least) this.fail("policy", field, `not before ${momentText(least)}`, this.entry.at);
  }

  /** @param {import("./state.mjs").Table | undefined} table none: a shoe without one @param {number} [then] @returns {number} when its limits began anew last, before then */
  startedAt(table, then = Infinity) {
    const last = (/** @type {number[]} */ starts) => starts[placeUpTo(starts, then - 1)] ?? 0;
    return Math.max(last(this.starts), last(table?.starts ?? []));
  }

  /** When the limits of the present entry's table began anew last. */
  get started() {
    const { table, shoe } = this.entry;
    return this.startedAt(this.tables.get(table) ?? this.shoes.get(shoe)?.table);
  }

  /** @param {number} due @returns {number} how late it is now, in the log's own time */
  lateBy(due) {
    return this.own.at(this.at) - this.own.at(due);
  }

  /** @param {number} due when a step was due: more than an hour late is noted @param {number} [longest] more than this fails */
  mustNotDelay(due, longest = DAY) {
    const late = this.partial ? 0 : this.lateBy(due);
    if (late > HOUR) this.fail("completeness", "at", momentText(due), this.entry.at, late > longest ? {} : { severity: "note" });
  }

  /** @param {import("./state.mjs").Shoe} shoe whose next step this is @param {{over?: boolean, decisions?: number}} [next] */
  inTime(shoe, next) {
    const longest = longestOf(shoe);
    if (longest < Infinity) this.mustNotDelay(dueOf(shoe, next), longest);
  }

  /** @param {number} cards @returns {boolean} whether so many may be put in order once more */
  mayOrder(cards) {
    this.ordered += cards;
    const may = this.ordered <= MOST_ORDERED + 256 * this.index;
    if (!may) this.fail("cards", "bound", MOST_ORDERED, this.ordered);
    return may;
  }

  /** What the end of the log shows. */
  end() {
    this.entry = {};
    for (const table of this.tables.values()) {
      const owed = table.abandoned && !table.gameLapsed(this.at) && this.lateBy(table.abandonedAt) > DAY;
      if (owed) this.fail("completeness", "share", `what the pool of ${table.id} holds for its payers`, null);
    }
    for (const shoe of this.shoes.values()) {
      if (shoe.endUnread) continue;
      labelsFit(this, shoe);
      this.unbound += unboundOf(this, shoe);
      const due = dueOf(shoe, { over: isOver(shoe) });
      if (this.lateBy(due) > longestOf(shoe)) this.fail("completeness", "reveal", `the next step of ${shoe.id}`, null, { entry: shoe.entry, shoe: shoe.id });
    }
    for (const { shoe, at } of this.unplaced.values()) {
      if (!shoe.playerPlaces && this.lateBy(at) > MONTH) this.fail("completeness", "key", `the placer's key of ${shoe.id}`, null, { entry: shoe.entry, shoe: shoe.id });
    }
  }

  get root() {
    return this.upto ?? toHex(this.tree.root());
  }

  get verdict() {
    return this.findings.some(({ severity }) => severity === "fail") ? "fail" : "pass";
  }
}

/** @param {Uint8Array} line that is no JSON @returns {Entry} what it seems to be about */
function seeming(line) {
  const text = new TextDecoder().decode(line.subarray(0, 65535));
  const [, kind] = /"kind":"([a-z]+)"/.exec(text) ?? [];
  const [, shoe] = /"shoe":"([A-Za-z0-9._:/-]{1,64})"/.exec(text) ?? [];
  return { kind, shoe };
}

/** @param {any} value @param {string} name */
function below(value, name) {
  return value?.[name.replace("]", "")];
}

/** @param {unknown} a @param {unknown} b */
function sameValue(a, b) {
  return a === undefined || b === undefined ? a === b : canonicalText(a) === canonicalText(b);
}
