// A log as a house publishes it: the bytes of its file, and the checkpoint and key beside it. Decided here is what no
// entry shows: whether it is a log at all, how the file was saved, and whether the house signed it.

import { Audit } from "./audit.ts";
import { readOpenings } from "./bound.ts";
import { attempt, concat, equal, InputError, toHex } from "./bytes.ts";
import { formatOf } from "./formats.ts";
import { leafHash, Tree } from "./hashes.ts";
import { parseInProfile } from "./json.ts";
import { openCheckpoint, parseCheckpoint, parseNote, parseVerifierKey } from "./note.ts";
import { readSignedNotes, waitsOf } from "./waiting.ts";
import type { Checkpoint, VerifierKey } from "./note.ts";
import type { Finding } from "./audit.ts";

const MAX_LINE = 1 << 28; // in bytes: after so many without a line feed a file is given up
const BOM = [0xef, 0xbb, 0xbf];
const CR = 13;
const LF = 10;

/** the files beside a log, as the house wrote them (`asSaved`); "" or left out: there is none */
type Beside = { checkpoint?: string; vkey?: string };
/** what verify.mjs says, and its exit code */
type Result = { code: number; findings: Finding[]; verdict: object };

export class LogReader {
  audit: Audit;
  /** whether anybody gave openings */
  covering: boolean;
  key: string;
  notes: string[];
  house: VerifierKey | null = null;
  signed: Checkpoint | null = null;
  signature: string = "not-checked";
  /** the first bytes of the file */
  head: Uint8Array<ArrayBuffer>;
  /** what stands after the last line feed */
  rest: Uint8Array[] = [];
  length: number = 0;
  lines: number = 0;
  blank: number;
  /** how the file was saved, in words */
  resaved: string[] = [];
  /** over the lines as they stand in a file that was saved so */
  saved: Tree | null = null;
  /** whether the checkpoint covers the entries, or the lines as they stand in the file */
  covers: { entries: boolean; lines: boolean };

  /**
   * `key`: the house's verifier key, known from elsewhere; `notes`: what placers and house answered, a line each;
   * `openings`: what binds cards, as `fairshoe pull` keeps it; null: nobody gave any.
   */
  constructor(beside: Beside = {}, key: string = "", notes: string = "", openings: string | null = null) {
    this.audit = new Audit();
    this.audit.openings = readOpenings(openings ?? "");
    this.covering = openings !== null;
    this.key = key;
    this.notes = readSignedNotes(notes);
    this.read(beside);
    this.head = new Uint8Array();
    this.blank = 0; // empty lines after the last entry
    this.covers = { entries: isCovered(this.signed, new Tree()), lines: false };
  }

  fail(check: string, field: string, expected: unknown, found: unknown, entry: number | null = null) {
    this.audit.entry = {};
    this.audit.fail(check, field, expected, found, { entry });
  }

  /** @param beside what can be said of it before the log is read */
  read({ checkpoint, vkey }: Beside) {
    let key = null;
    try {
      key = this.key || vkey ? parseVerifierKey(this.key || vkey || "") : null;
    } catch (error) {
      this.fail("signature", "log.vkey", "a verifier key", messageOf(error));
    }
    this.house = key;
    if (this.key) this.signature = "fail";
    this.audit.origin = key?.name ?? "";
    if (!checkpoint) {
      if (this.key) this.fail("signature", "checkpoint", "a checkpoint beside the log", null);
      return;
    }
    try {
      this.signed = parseCheckpoint(parseNote(checkpoint));
      this.audit.origin = this.signed.origin;
      if (key) openCheckpoint(checkpoint, key);
      if (this.key) this.signature = "pass";
    } catch (error) {
      this.fail("signature", "checkpoint", "a checkpoint that this key signed", messageOf(error));
    }
  }

  /** `bytes`: the next ones of the file. Throws FairshoeError where there is no verdict. */
  push(bytes: Uint8Array) {
    if (!this.head.length) this.head = bytes.slice(0, 512);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      const tail = bytes.subarray(from, end);
      this.line(this.length ? concat(...this.rest, tail) : tail);
      [this.rest, this.length, from] = [[], 0, end + 1];
    }
    if (from === bytes.length) return;
    this.length += bytes.length - from;
    if (this.length > MAX_LINE)
      throw new InputError("no log: a line has no end", "log", `at most ${MAX_LINE} bytes a line`);
    this.rest.push(bytes.slice(from));
  }

  /** @param stands a line without its LF, as it stands in the file */
  line(stands: Uint8Array) {
    const line = this.asWritten(stands, true);
    if (this.saved) {
      this.saved.append(leafHash(stands));
      this.covers.lines ||= isCovered(this.signed, this.saved);
    }
    if (line.length) this.take(line);
    else this.blank += 1;
  }

  /** The line without what an editor put into it, if the first line shows that one did. `ended`: by LF. */
  asWritten(line: Uint8Array, ended: boolean): Uint8Array {
    const marked = !this.lines && BOM.every((byte, i) => line[i] === byte);
    if (!this.lines && marked) this.resaved.push("a byte order mark at its beginning");
    if (!this.lines && line.at(-1) === CR) this.resaved.push("line ends CR LF");
    if (!this.lines && this.resaved.length) this.saved = new Tree();
    this.lines += 1;
    return line.subarray(marked ? BOM.length : 0, line.length - (this.saved && ended && line.at(-1) === CR ? 1 : 0));
  }

  take(entry: Uint8Array) {
    for (; this.blank; this.blank--) this.takeOne(new Uint8Array()); // more follows: they were not at the end
    this.takeOne(entry);
  }

  takeOne(entry: Uint8Array) {
    this.audit.take(entry);
    this.covers.entries ||= isCovered(this.signed, this.audit.tree);
  }

  /** @throws FairshoeError where there is no verdict */
  end(): Result {
    const { audit } = this;
    const rest = this.asWritten(concat(...this.rest), false);
    const whole = rest.length > 0 && isWhole(rest);
    if (whole) this.take(rest);
    const format = formatOf(this.head) || "a file of which no line is an entry";
    if (!audit.known) throw new InputError(`no log: it is ${format}`, "log", "one entry a line");
    if (rest.length)
      this.fail("syntax", "", "a line with its LF", "a line that is cut off", audit.tree.size - (whole ? 1 : 0));
    audit.end();
    const waits = waitsOf(audit, this.house, this.notes);
    this.saidOfFile();
    this.saidOfTree();
    const {
      verdict,
      rounds,
      ended,
      beacons,
      unshown,
      findings,
      shoes,
      tree,
      beside,
      unbound,
      unkeyed,
      covered,
      hidden,
    } = audit;
    const sum = (i: 0 | 1) => covered.reduce((before, counts) => before + counts[i], 0);
    const openings = `shoes in play: ${covered.length}; cards that openings show to be bound: ${sum(0)}, other cards: ${sum(1)}`;
    const unchecked = [
      ...waits,
      beacons && `${beacons} beacons`,
      unkeyed && `${unkeyed} shoes without their placer's key`,
      unbound && `${unbound} cards not bound`,
      shoes.size && `${shoes.size} shoes in play: their cards`,
      unshown && `${unshown} shoes without a table: their cards`,
    ].filter(Boolean);
    return {
      code: verdict === "pass" ? 0 : 1,
      findings: findings.sort((a, b) => (a.entry ?? -1) - (b.entry ?? -1)),
      verdict: {
        verdict,
        entries: tree.size,
        shoes: ended,
        rounds,
        open: shoes.size,
        unchecked,
        ...(beside.size && { beside: [...beside] }),
        ...(this.covering && { openings }),
        ...(hidden.size && { hidden: Object.fromEntries(hidden) }),
        signature: this.signature,
        root: toHex(tree.root()),
      },
    };
  }

  /** How the file was saved; or that the house signed it like that. */
  saidOfFile() {
    const { signed, blank, audit } = this;
    const words = [...this.resaved, ...(blank ? ["empty lines at its end"] : [])].join(" and ");
    if (!words) return;
    const missing = signed ? signed.size - audit.tree.size : 0;
    if (signed && !this.saved && missing > 0 && missing <= blank) {
      const lines = Object.assign(new Tree(), audit.tree, { peaks: [...audit.tree.peaks] });
      for (let i = 0; i < missing; i++) lines.append(leafHash(new Uint8Array()));
      this.covers.lines = isCovered(signed, lines);
      if (this.covers.lines) this.saved = lines;
    }
    if (!this.covers.lines) return this.fail("syntax", "", "the bytes that the house wrote", words);
    this.fail("syntax", "", "one JSON object a line, and LF", words, this.resaved.length ? 0 : audit.tree.size);
    audit.tree = this.saved as Tree;
  }

  /** Whether the entries are those that the checkpoint covers. */
  saidOfTree() {
    const { signed, covers, audit } = this;
    if (!signed) return;
    const { size } = audit.tree;
    if (size < signed.size) this.fail("tree", "size", signed.size, size, size);
    else if (!covers.entries && !covers.lines) this.fail("tree", "root", toHex(signed.root), audit.root);
    if (size > signed.size) this.fail("tree", "size", signed.size, size, signed.size);
  }
}

function isCovered(signed: Checkpoint | null, tree: Tree) {
  return signed !== null && tree.size === signed.size && equal(tree.root(), signed.root);
}

/** Whether a line, without its LF, has a whole entry. */
const isWhole = (line: Uint8Array): boolean => attempt(() => parseInProfile(line) !== null, false, Error);

const messageOf = (error: unknown): string => (error as Error).message;
