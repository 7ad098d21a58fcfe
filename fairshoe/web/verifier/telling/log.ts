// A whole log told: who had which hand, with what an audit found of it, and any of them step by step.

import { Audit } from "../audit.ts";
import { readOpenings } from "../bound.ts";
import { toHex } from "../bytes.ts";
import { parseVerifierKey } from "../note.ts";
import { readSignedNotes, waitsOf } from "../waiting.ts";
import { judged, signedBy } from "./hands.ts";
import { NEVER } from "./play.ts";
import { Watching } from "./scene.ts";
import { Telling, untold } from "./told.ts";
import type { Entry, Finding } from "../audit.ts";
import type { Given, Told } from "./told.ts";
import type { Table } from "../state.ts";

/** what one seat had of a round */
export interface Row {
  /** TABLE#NUMBER */
  round: string;
  table: string;
  shoe: string;
  at: string;
  player: string;
  /** as the player wrote it where the id could not hold it */
  name?: string;
  /** of all its hands; 0: it banked */
  bet: number;
  net: number;
  /** of its hands */
  outcomes: string[];
  /** open: its cards are not checked, since the key is not out or never comes; with what is `wrong`: it follows */
  status: "pass" | "fail" | "open";
  /** what is wrong with the round, or with its shoe */
  wrong?: Finding;
}

/** what a page shows of a log */
export interface ShownLog {
  rows: Row[];
  /** what is wrong and no hand's */
  besides: Finding[];
  /** what players did wrong that fails no log, in words */
  beside: string[];
}

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 100;
const LF = 10;
/** Entries that a hand's steps tell of. */
const OF_A_HAND = [
  "table",
  "shoe",
  "seeds",
  "opened",
  "lapse",
  "seal",
  "open",
  "round",
  "reshuffle",
  "reveal",
  "void",
  "lost",
  "placed",
];

/** An audit that keeps who had which hand, which entries are of which table, and the first that is wrong with each. */
class Listing extends Audit {
  rows: Row[] = [];
  /** by TABLE#NUMBER, else by shoe, else by table, else "" */
  wrong: Map<string, Finding> = new Map();
  /** how each shoe ended */
  ends: Map<string, string> = new Map();
  /** the places of each table's entries; of no table: "" */
  places: Map<string, number[]> = new Map();
  /** the newest finding about each table's chips, until another one takes it back */
  wrongChips: Map<string, Finding> = new Map();
  /** how players wrote their names, by their ids */
  names: Map<string, string> = new Map();

  follow(entry: Entry) {
    const table = entry.table ?? this.shoes.get(entry.shoe)?.table?.id ?? "";
    const places = this.places.get(table) ?? [];
    this.places.set(table, places);
    places.push(this.index);
    super.follow(entry);
    if (entry.name) this.names.set(entry.player, entry.name);
    if (["reveal", "void", "lost"].includes(entry.kind)) this.ends.set(entry.shoe, entry.kind);
    if (entry.kind === "round") this.list(entry, this.tables.get(table));
    const astray = this.shoes.get(entry.shoe)?.astray ?? null;
    const cause =
      astray === null ? undefined : this.findings.find((one) => one.entry === astray && one.severity === "fail");
    if (cause && entry.kind === "round" && !this.wrong.has(`${table}#${entry.round}`))
      this.wrong.set(`${table}#${entry.round}`, cause);
  }

  /** @param entry a round */
  list({ round, shoe, at, hands }: Entry, table: Table | undefined) {
    if (!table) return;
    const about = { round: `${table.id}#${round}`, table: table.id, shoe, at };
    const rows: Map<number, Row> = new Map();
    let won = 0;
    for (const { seat, bet, outcome, net, insured = 0, insurance = 0 } of hands) {
      const row = rows.get(seat) ?? {
        ...about,
        player: table.chairs.get(seat)?.player ?? "",
        bet: 0,
        net: 0,
        outcomes: [],
        status: "open",
      };
      rows.set(seat, {
        ...row,
        bet: row.bet + bet + insured,
        net: row.net + net + insurance,
        outcomes: [...row.outcomes, outcome],
      });
      won += net + insurance;
    }
    const banker = table.chairs.get(table.dealer);
    if (banker && !rows.has(banker.seat))
      rows.set(banker.seat, { ...about, player: banker.player, bet: 0, net: -won, outcomes: [], status: "open" });
    this.rows.push(...rows.values());
  }

  report(finding: Finding) {
    super.report(finding);
    const { table, shoe, round, severity } = finding;
    const about = table && round ? `${table}#${round}` : (shoe ?? table ?? "");
    if (severity === "fail" && !this.wrong.has(about) && !this.follows(finding)) this.wrong.set(about, finding);
  }

  /**
   * Say whether a finding only follows from an earlier one, and so is about no other hand: chips that take back what was
   * wrong with them; and where and why a shoe ends, if a round of it is wrong.
   */
  follows(finding: Finding): boolean {
    const { field, table, shoe, round } = finding;
    if (field === "chips") {
      const earlier = this.wrongChips.get(table ?? "");
      const back = earlier && takesBack(earlier, finding);
      if (back) this.wrongChips.delete(table ?? "");
      else this.wrongChips.set(table ?? "", finding);
      return back ?? false;
    }
    const atTheEnd = !round && ["end", "why"].includes(field);
    return atTheEnd && this.rows.some((row) => row.shoe === shoe && this.wrong.has(row.round));
  }
}

function takesBack(earlier: Finding, { expected, found }: Finding): boolean {
  const of = (chips: any, seat: string) => chips?.[seat] ?? 0;
  const seats = Object.keys({ ...(expected as object), ...(found as object) });
  return seats.every(
    (seat) => of(found, seat) - of(expected, seat) === of(earlier.expected, seat) - of(earlier.found, seat),
  );
}

/** A log that was read to its end. */
export class ReadLog {
  declare lines: Uint8Array<ArrayBufferLike>[];
  declare audit: Listing;
  declare checkpoint: string;
  declare root: string;
  declare rows: Row[];
  /** how many entries there should be; more than there are: the file is cut off */
  declare size: number;
  /** whether it is not what was signed */
  edited: boolean = false;

  /** `checkpoint`: the note that came with it, or ""; `root`: of as many entries as it signs, else "". */
  constructor(lines: Uint8Array[], audit: Listing, checkpoint: string, root: string, size: number) {
    this.lines = lines;
    this.audit = audit;
    this.checkpoint = checkpoint;
    this.root = root;
    this.rows = audit.rows;
    this.size = size;
  }

  /** What a page shows of it, once it was told. */
  get shown(): ShownLog {
    const { rows, audit } = this;
    const listed = new Set(rows.flatMap(({ round, shoe }) => [round, shoe]));
    const besides = [...audit.wrong]
      .filter(([about, finding]) => !listed.has(about) && !this.follows(finding))
      .map(([, finding]) => finding);
    return { rows, besides, beside: [...audit.beside] };
  }

  /** Who signed it, and that it is what was signed. `reach`: of how many entries. */
  signed(telling: Telling, { key = "" }: Given, reach: number = 0) {
    const signed = this.checkpoint ? signedBy(telling, { checkpoint: this.checkpoint }, key) : null;
    if (!signed || reach > signed.size) return;
    telling.same("inclusion", "edited", "checkpoint", toHex(signed.root), this.root);
    telling.pass("inclusion", { root: this.root });
  }

  /**
   * Say whether a hand's placer only signed another log than this one, whose changed entry stands before the hand: it
   * signs all that stands there.
   */
  follows(wrong: Finding | undefined, round: string = ""): boolean {
    const [first] = this.audit.wrong.values();
    const ofPlacer = /^(placed|signature)/.test(wrong?.field ?? "");
    return this.edited && ofPlacer && (wrong !== first || round !== `${first.table}#${first.round}`);
  }

  mark() {
    const { audit } = this;
    for (const row of this.rows) {
      row.name = audit.names.get(row.player);
      row.wrong = audit.wrong.get(row.round) ?? audit.wrong.get(row.shoe);
      const whole = audit.ends.get(row.shoe) === "reveal" && !audit.unplaced.has(row.shoe);
      row.status = row.wrong && !this.follows(row.wrong, row.round) ? "fail" : whole && !row.wrong ? "pass" : "open";
    }
  }

  /** All of it told at once. */
  told(given: Given): Told {
    const telling = new Telling(["signature", "inclusion"]);
    this.signed(telling, given);
    const signed = telling.step("signature").status === "pass";
    const waits = waitsOf(
      this.audit,
      signed ? parseVerifierKey(given.key ?? "") : null,
      readSignedNotes(given.notes ?? ""),
    );
    this.edited = telling.failed?.fault?.cause === "cause.edited";
    this.mark();
    const rounds = new Map(this.rows.map(({ round, status }) => [round, status]));
    const count = (status: string) => [...rounds.values()].filter((one) => one === status).length;
    if (this.lines.length < this.size && !count("fail"))
      return untold("verdict.unreadable.half", { entries: this.lines.length });
    const failed = this.audit.verdict === "fail" || telling.failed;
    const whole = [...telling.steps.values()].every(({ status }) => status === "pass");
    const verdict = failed
      ? "fail"
      : whole && given.key && !count("open") && !waits.length && !this.audit.beacons
        ? "pass"
        : "bound";
    const about = failed
      ? (this.edited ? ".edited" : "") + (count("fail") ? "" : ".besides")
      : !whole
        ? ".key"
        : count("open")
          ? ".cards"
          : waits.length
            ? ".waits"
            : this.audit.beacons
              ? ".beacon"
              : "";
    const values = { hands: rounds.size, wrong: count("fail"), open: count("open"), entries: this.lines.length };
    return telling.told({
      what: "log",
      verdict,
      says: `verdict.log.${verdict}${about}`,
      values,
      unseen: [
        ...(waits.length ? ["unseen.waits"] : []),
        ...(given.receipt ? ["unseen.receipt-log"] : []),
        "unseen.other-log",
        "unseen.seen-cards",
        ...NEVER,
      ],
    });
  }

  /** A hand step by step, as its proof would be told. */
  hand({ round, table, shoe, status, wrong }: Row, given: Given): Told {
    const number = Number(round.slice(table.length + 1));
    const watching = new Watching(table, number);
    const entries = [];
    const places = ["", table].flatMap((name) => this.audit.places.get(name) ?? []).sort((a, b) => a - b);
    for (const index of places) {
      watching.index = index;
      const entry = watching.read(this.lines[index]);
      if (!entry) continue;
      watching.follow(entry);
      if (entry.kind === "table" ? entry.table === table : entry.shoe === shoe && OF_A_HAND.includes(entry.kind))
        entries.push({ index, entry });
      if (
        this.audit.ends.has(shoe) &&
        !watching.shoes.has(shoe) &&
        watching.shoeIds.has(shoe) &&
        !watching.unplaced.has(shoe)
      )
        break;
    }
    const isAboutHand = (one: Finding) => one.round === number || (!one.round && (wrong || one.severity === "note"));
    const findings = watching.findings.filter((one) => one.shoe === shoe && isAboutHand(one));
    const fails = () => findings.some(({ severity }) => severity === "fail");
    if (wrong && status === "fail" && !fails()) findings.push(wrong); // what only the log's tree shows
    const outcome = fails() ? "FAIL" : status === "pass" ? "PASS" : "PASS so far";
    const telling = new Telling();
    this.signed(telling, given, (entries.at(-1)?.index ?? 0) + 1);
    telling.pass("form", { round, entries: entries.length });
    return judged(telling, watching, { told: { outcome, entries, findings }, round, given });
  }
}

/**
 * Read a log from its first line to its last. `checkpoint`: came with it, or ""; `openings`: lines as `fairshoe pull`
 * keeps them; `progress`: is called with the share that is read, ten times a second. Throws NewerError if a newer
 * fairshoe wrote it.
 */
export function readLog(
  file: Uint8Array,
  checkpoint: string,
  openings: string,
  progress: (share: number) => void = () => {},
): ReadLog {
  const signed = Number(checkpoint.split("\n")[1] ?? 0);
  const audit = new Listing();
  [audit.origin] = checkpoint.split("\n", 1);
  audit.openings = readOpenings(openings);
  const lines = [];
  let root = "";
  let due = 0;
  for (let from = 0, end = 0; from < file.length; from = end + 1) {
    end = file.indexOf(LF, from);
    if (end < 0) break;
    const line = file.subarray(from, end);
    lines.push(line);
    audit.take(line);
    if (lines.length === signed) root = audit.root;
    if (performance.now() < due) continue;
    progress(end / file.length);
    due = performance.now() + PROGRESS_INTERVAL;
  }
  audit.end();
  const size = Math.max(signed, lines.length + Number(file.at(-1) !== LF));
  return new ReadLog(lines, audit, checkpoint, root, size);
}
