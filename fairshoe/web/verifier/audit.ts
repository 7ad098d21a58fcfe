// A whole log, from its first entry to its last: every entry is taken in turn, held against what is known by then, and
// what does not fit is a finding. After one the reading goes on from what the log says.

import { canonicalText, kindIn, parseCanonical, parseInProfile } from "./json.ts";
import { InputError, toHex } from "./bytes.ts";
import { isKind, newerThan, wrongShape } from "./shapes.ts";
import { DAY, HOUR, microseconds, momentText, MONTH, OwnTime, placeUpTo, seconds } from "./forms.ts";
import { leafHash, Tree } from "./hashes.ts";
import { chipsStep, closeStep, startStep, tableStep, tokenStep } from "./steps/tables.ts";
import { deckStep, shoeStep } from "./steps/commitments.ts";
import { dueOf, lapseStep, lateStep, longestOf, openedStep, sealStep, seedsStep } from "./steps/shoes.ts";
import { drawnStep, gatheredStep, shownStep } from "./steps/drawing.ts";
import { openStep } from "./steps/betting.ts";
import { reshuffleStep, roundStep } from "./steps/rounds.ts";
import { bankStep } from "./steps/bank.ts";
import { checkBound, isOver, labelsFit, lostStep, revealStep, voidStep } from "./steps/ends.ts";
import { placedStep, stand } from "./steps/placed.ts";
import type { Opening } from "./bound.ts";
import type { Shoe, Table } from "./state.ts";

export type Entry = Record<string, any>;
export interface Finding {
  /** number of the line, from 0 */
  entry: number | null;
  table: string | null;
  shoe: string | null;
  round: number | null;
  /** as audit.md lists them */
  check: string;
  field: string;
  expected: unknown;
  found: unknown;
  severity: "fail" | "note";
}

type Step = (audit: Audit, entry: any) => void;

/** @returns the step of entries about a table that is known */
const ofTable =
  (step: (audit: Audit, entry: Entry, table: Table) => void): Step =>
  (audit, entry) => {
    const table = audit.table(entry.table);
    if (table) step(audit, entry, table);
  };

/** @returns the step of entries about a shoe in play. `anytime`: whether they may stand at any of its stages. */
const ofShoe =
  (step: (audit: Audit, entry: Entry, shoe: Shoe) => void, anytime: boolean = false): Step =>
  (audit, entry) => {
    const shoe = audit.shoe(entry);
    if (shoe && (anytime || audit.inOrder(shoe))) step(audit, entry, shoe);
  };

export const STEPS: Record<string, Step> = {
  table: tableStep,
  chips: ofTable(chipsStep),
  close: ofTable(closeStep),
  token: ofTable(tokenStep),
  deck: deckStep,
  shoe: shoeStep,
  seeds: ofShoe(seedsStep),
  open: ofShoe(openStep),
  opened: ofShoe(openedStep),
  lapse: ofShoe(lapseStep),
  late: lateStep,
  seal: ofShoe(sealStep),
  drawn: ofShoe(drawnStep),
  gathered: ofShoe(gatheredStep),
  shown: ofShoe(shownStep),
  round: ofShoe(roundStep),
  reshuffle: ofShoe(reshuffleStep),
  bank: ofTable(bankStep),
  reveal: ofShoe(revealStep, true),
  void: ofShoe(voidStep, true),
  lost: lostStep,
  placed: placedStep,
  start: startStep,
};

const MOST_ALIKE = 1000;
const MOST_ORDERED = 8388608; // cards of all shoes, and 256 for each entry (log.md, "Bounds")

export class Audit {
  /** number and time of the present entry */
  index: number = -1;
  at: number = -1;
  /** the same as text */
  last: string = "";
  own: OwnTime = new OwnTime();
  /** when the service started for every table */
  starts: number[] = [];
  tree: Tree = new Tree();
  /** the first of those that are alike */
  findings: Finding[] = [];
  /** how many there are of each */
  alike: Map<string, number> = new Map();
  /** the log's name, where it is known: a placer's chain names it */
  origin: string = "";
  /** what binds cards of shoes in play, by the shoe */
  openings: Map<string, Opening[]> = new Map();
  /** how many cards of shoes with a placer and without a key no opening shows */
  unbound: number = 0;
  /** shoes whose placer's key is to come */
  unkeyed: number = 0;
  /** of each shoe in play that has openings, or needs some: how many of its cards these show, and how many not */
  covered: [number, number][] = [];
  /** shoes that are over and whose placer's key is to come */
  unplaced: Map<string, { shoe: Shoe; at: number }> = new Map();
  /** what players did wrong that fails no log, in words */
  beside: Set<string> = new Set();
  /** cards that were put in order */
  ordered: number = 0;
  tables: Map<string, Table> = new Map();
  /** in play */
  shoes: Map<string, Shoe> = new Map();
  /** every shoe that there was, by id */
  shoeIds: Set<string> = new Set();
  /** commitments, and hashes of seeds: none comes twice */
  claims: Record<"commitment" | "seed", Set<string>> = { commitment: new Set(), seed: new Set() };
  decks: Map<string, { parts: number; of: number; labels: string[]; hash: string }> = new Map();
  /** shoes and tables that are not followed, since they are not known */
  unknown: Set<string> = new Set();
  /** the one checkpoint that entries of kind start may name */
  continues: string | null = null;
  entry: Entry = {};
  /** whether a line was an entry: a JSON object with a known kind */
  known: boolean = false;
  rounds: number = 0;
  ended: number = 0;
  /** beacons whose signatures could not be checked */
  beacons: number = 0;
  /** shoes without a table: no entry says which of their cards were shown, so none is checked */
  unshown: number = 0;
  /** hidden cards of other shoes without a table that are over, by player, and how many of them nobody has shown */
  hidden: Map<string, [number, number]> = new Map();
  /** rounds that could not be played again, entries that could not be read */
  unread: number = 0;
  /** a proof of one hand: what only the whole log shows is not asked */
  partial: boolean = false;
  /** of such a proof: the head of the tree that ends with the present entry */
  declare upto: string | undefined;

  /**
   * `line`: without its LF. Throws NewerError where its version is not known: there is no verdict. Throws InputError
   * where it is no bytes.
   */
  take(line: Uint8Array) {
    if (!(line instanceof Uint8Array)) throw new InputError("a line is bytes", "line", "utf8(text)");
    this.index += 1;
    this.tree.append(leafHash(line));
    const entry = this.read(line);
    if (!entry) return;
    this.follow(entry);
    stand(this);
  }

  /** @param entry whose form is right, but for its time: without one it gets that of the entry before */
  follow(entry: Entry) {
    const at = microseconds(entry.at);
    if (at === null) entry.at = this.last;
    else if (at <= this.at) this.fail("order", "at", `after ${this.at}`, entry.at);
    else {
      if (this.at >= 0) this.own.pass(this.at, at);
      [this.at, this.last] = [at, entry.at];
    }
    try {
      STEPS[entry.kind](this, entry);
    } catch (error) {
      // what no rule foresees is no pass either
      if (this.partial && error instanceof InputError) throw error;
      this.unread += 1;
      this.fail("syntax", "", "an entry that can be followed", String(error));
    }
  }

  /** @throws NewerError where its version is not known */
  read(line: Uint8Array): Entry | null {
    let entry: Entry;
    let readable = true;
    this.entry = {};
    try {
      entry = parseCanonical(line);
    } catch (error) {
      this.fail("syntax", "", "a canonical entry", (error as Error).message);
      try {
        entry = parseInProfile(line);
      } catch {
        readable = false;
        entry = guessEntry(line);
      }
    }
    this.entry = entry;
    this.known ||= isKind(readable ? entry.kind : kindIn(line));
    const newer = newerThan(entry.v, `entry ${this.index}`);
    if (newer) throw newer;
    return this.shaped(entry, this.index, readable) ? entry : null;
  }

  /** @returns whether it can be followed */
  shaped(entry: Entry, index: number, readable: boolean = true): boolean {
    const wrong = wrongShape(entry);
    if (!wrong) return true;
    if (readable)
      this.fail(
        "syntax",
        wrong.field,
        "the fields of its kind",
        wrong.field.split(/[.[]/).reduce(below, entry) ?? null,
        { entry: index },
      );
    if (wrong.known && readable && (wrong.field !== "at" || this.last)) return true;
    this.unread += 1;
    const shoe = ["reveal", "void", "lost"].includes(entry.kind) && this.shoes.get(entry.shoe);
    if (shoe) shoe.endUnread = true;
    return false;
  }

  /** @param where entry null: nothing in an entry */
  fail(
    check: string,
    field: string,
    expected: unknown,
    found: unknown,
    where: { entry?: number | null; shoe?: string; round?: number; severity?: "note" } = {},
  ) {
    const { shoe, table, round } = this.entry;
    this.report({
      entry: where.entry === undefined ? this.index : where.entry,
      table: table ?? this.shoes.get(shoe)?.table?.id ?? null,
      shoe: where.shoe ?? shoe ?? null,
      round: where.round ?? round ?? null,
      check,
      field,
      expected: expected ?? null,
      found: found ?? null,
      severity: where.severity ?? "fail",
    });
  }

  /** @param finding kept, where there are not many alike */
  report(finding: Finding) {
    const what = `${finding.severity} ${finding.check} ${finding.field.split(/[.[]/)[0]}`;
    const alike = (this.alike.get(what) ?? 0) + 1;
    this.alike.set(what, alike);
    if (alike <= MOST_ALIKE || this.partial) this.findings.push(finding);
  }

  /** Compares as canonical bytes. `expected` undefined: the field must not be there. */
  same(check: string, field: string, expected: unknown, found: unknown, where?: { entry?: number; round?: number }) {
    if (sameValue(expected, found)) return true;
    this.fail(check, field, expected ?? null, found, where);
    return false;
  }

  /** A value that no log has twice; of a commitment and a seed's hash a note if the later entry has version 1. */
  claim(kind: "commitment" | "seed", field: string, value: string) {
    const { commitment, seed } = this.claims;
    const own = this.claims[kind];
    const note = !own.has(value) && this.entry.v === 1;
    if (commitment.has(value) || seed.has(value))
      this.fail(
        kind === "seed" ? "contributions" : "commitment",
        field,
        "a new one",
        value,
        note ? { severity: "note" } : {},
      );
    own.add(value);
  }

  /** @param wanted whether it must be there, or must not */
  present(check: string, field: string, wanted: boolean, found: unknown, where?: { entry?: number }) {
    if (wanted !== (found !== undefined)) this.fail(check, field, wanted ? "a value" : null, found, where);
  }

  table(id: string): Table | undefined {
    const table = this.tables.get(id);
    if (!table) this.missing("table", id);
    return table;
  }

  /** @returns the shoe in play that it is about */
  shoe(entry: Entry): Shoe | undefined {
    const shoe = this.shoes.get(entry.shoe);
    if (!shoe) this.missing("shoe", entry.shoe);
    else if (shoe.closed && entry.kind !== "void" && entry.kind !== "lost")
      this.fail("policy", "kind", "a void, since the table was closed", entry.kind);
    return shoe;
  }

  /** @returns whether the present entry, or one of that kind, may stand at the shoe's stage */
  inOrder({ next }: Shoe, kind: string = this.entry.kind): boolean {
    const may = Object.hasOwn(next, kind);
    if (!may) this.fail("order", "kind", Object.keys(next).join(", "), kind);
    return may;
  }

  /** @param id reported once */
  missing(field: string, id: string) {
    if (!this.unknown.has(id)) this.fail("order", field, "one that was begun, and is not over", id);
    this.unknown.add(id);
  }

  /** What a limit decided must stand `wait` microseconds after the wait's begin, or the last start. */
  mustHaveWaited(since: number, wait: number, field: string) {
    const least = Math.max(since, this.lastStart) + wait;
    if (this.at < least) this.fail("policy", field, `not before ${momentText(least)}`, this.entry.at);
  }

  /** When the limits of a table, or of a shoe without one, last began anew before `then`. */
  startedAt(table: Table | undefined, then: number = Infinity): number {
    const last = (starts: number[]) => starts[placeUpTo(starts, then - 1)] ?? 0;
    return Math.max(last(this.starts), last(table?.starts ?? []));
  }

  /** When the limits of the present entry's table began anew last. */
  get lastStart() {
    const { table, shoe } = this.entry;
    return this.startedAt(this.tables.get(table) ?? this.shoes.get(shoe)?.table);
  }

  /** @returns whether a shoe is sealed for as long as one may be */
  isOld({ sealedAt, policy }: Shoe): boolean {
    return this.at >= sealedAt + seconds(policy.shoe);
  }

  /** @returns how late it is now, in the log's own time */
  lateBy(due: number): number {
    return this.own.at(this.at) - this.own.at(due);
  }

  /** `due`: when a step was due: more than an hour late is noted; `longest`: more than this fails. */
  mustNotDelay(due: number, longest: number = DAY) {
    const late = this.partial ? 0 : this.lateBy(due);
    if (late > HOUR)
      this.fail("completeness", "at", momentText(due), this.entry.at, late > longest ? {} : { severity: "note" });
  }

  /** @param shoe whose next step this is */
  inTime(shoe: Shoe, next?: { over?: boolean; decisions?: number }) {
    const longest = longestOf(shoe);
    if (longest < Infinity) this.mustNotDelay(dueOf(shoe, next), longest);
  }

  /** @returns whether so many may be put in order once more */
  mayOrder(cards: number): boolean {
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
      if (shoe.placer || this.openings.has(shoe.id)) {
        const { bound, left } = checkBound(this, shoe);
        if (shoe.placer) this.unbound += left;
        this.covered.push([bound.size, left]);
      }
      const due = dueOf(shoe, { over: isOver(shoe) });
      if (this.lateBy(due) > longestOf(shoe))
        this.fail("completeness", "reveal", `the next step of ${shoe.id}`, null, { entry: shoe.entry, shoe: shoe.id });
    }
    for (const { shoe, at } of this.unplaced.values()) {
      const late = this.lateBy(at) > MONTH;
      this.unkeyed += Number(!(late && shoe.playerPlaces));
      if (late && !shoe.playerPlaces)
        this.fail("completeness", "key", `the placer's key of ${shoe.id}`, null, { entry: shoe.entry, shoe: shoe.id });
    }
  }

  get root() {
    return this.upto ?? toHex(this.tree.root());
  }

  get verdict() {
    return this.findings.some(({ severity }) => severity === "fail") ? "fail" : "pass";
  }
}

/** The kind and shoe that a line which is no JSON seems to name. */
function guessEntry(line: Uint8Array): Entry {
  const text = new TextDecoder().decode(line.subarray(0, 65535));
  const [, kind] = /"kind":"([a-z]+)"/.exec(text) ?? [];
  const [, shoe] = /"shoe":"([A-Za-z0-9._:/-]{1,64})"/.exec(text) ?? [];
  return { kind, shoe };
}

function below(value: any, name: string) {
  return value?.[name.replace("]", "")];
}

function sameValue(a: unknown, b: unknown) {
  return a === undefined || b === undefined ? a === b : canonicalText(a) === canonicalText(b);
}
