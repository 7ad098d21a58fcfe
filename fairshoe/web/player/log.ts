// The house's signed log as this browser knows it: the newest checkpoint that it was shown, and entries under it.

import { equal, FairshoeError, fromUtf8, NewerError, toHex, utf8 } from "../verifier/bytes.ts";
import { leafHash, nodeHash, Tree } from "../verifier/hashes.ts";
import { openCheckpoint, parseCheckpoint, parseNote, parseVerifierKey } from "../verifier/note.ts";
import { Alarm, Problem } from "./errors.ts";
import { loaded, parsed } from "./requests.ts";
import type { House } from "./house.ts";
import type { Checkpoint } from "../verifier/note.ts";
import type { Stand } from "../verifier/placing.ts";

export type Placed = { index: number; entry: Record<string, any> };

const WIDTH = 256;
const HASH = 32;
/** Entries that are asked for at once. */
const PAGE = 1000;

const broken = (what: string, values?: Record<string, string | number>) => new Alarm("log", what, values);

/** A house's checkpoint as this browser remembers it. */
export class Remembered {
  house: House;

  constructor(house: House) {
    this.house = house;
  }

  /** @returns the newest checkpoint that was shown; "" before the first */
  async checkpoint(): Promise<string> {
    return (await this.house.storage.get(this.house.name("checkpoint"))) ?? "";
  }

  /**
   * Open a proof's entries, and keep its checkpoint where it is the newest. `file`: the proof of a hand or of a shoe;
   * `by`: whether an older one than was shown will not do. Throws Alarm where the house did not sign it, or has signed
   * another log.
   */
  async accept(
    file: string,
    { newest = false }: { newest?: boolean } = {},
  ): Promise<{ head: Checkpoint; note: string; round: string; entries: Placed[] }> {
    const { key } = await this.house.key();
    const note = noteIn(file);
    signedBy(note, key);
    const { openEntries } = await loaded(import("../verifier/proven.ts"));
    let opened;
    try {
      opened = openEntries(utf8(file), key);
    } catch (error) {
      if (!(error instanceof FairshoeError) || error instanceof NewerError) throw error;
      throw broken(`the house's proof does not hold: ${error.message} (${error.where})`);
    }
    for (const { cause, index } of opened.entries)
      if (cause) throw broken(`entry ${index} of the log is none: ${cause}`);
    const head = opened.checkpoint;
    const before = await this.checkpoint();
    const old = before ? parseCheckpoint(parseNote(before)) : null;
    if (old) await this.extend(old, head, newest, note);
    if (!old || head.size > old.size) await this.house.storage.put(this.house.name("checkpoint"), note);
    return { head, note, round: opened.round, entries: opened.entries };
  }

  /** `note`: the head's. Throws Alarm where they are not of one log that goes on. */
  async extend(old: Checkpoint, head: Checkpoint, newest: boolean, note: string) {
    const wrong = (what: string) =>
      new Alarm(
        "log-does-not-extend",
        `${what}: the house shows two logs, and the two checkpoints are the evidence`,
        { old: old.size, size: head.size },
        note,
      );
    if (old.origin !== head.origin) throw wrong(`the log is called ${head.origin} now, and was called ${old.origin}`);
    if (head.size < old.size) {
      if (!newest && (await this.holds(head, old))) return;
      throw wrong(`the log has ${head.size} entries now, and had ${old.size}`);
    }
    if (!(await this.holds(old, head)))
      throw wrong(
        `the log of ${head.size} entries does not go on after the one of ${old.size} that this browser was shown`,
      );
  }

  /** @param head whether the old one begins it, by the tiles */
  async holds(old: Checkpoint, head: Checkpoint) {
    if (old.size === head.size) return equal(old.root, head.root);
    try {
      const tiles = new Tiles(this.house, head.size);
      const before = await extendTree(tiles, new Tree(), old.size);
      return equal(before.root(), old.root) && equal((await extendTree(tiles, before, head.size)).root(), head.root);
    } catch (error) {
      if (error instanceof Alarm || (error instanceof Problem && error.status < 500 && error.status !== 429))
        return false;
      throw error;
    }
  }
}

/** @returns the checkpoint in a proof */
function noteIn(file: string): string {
  const note = parsed(utf8(file))?.checkpoint;
  if (typeof note !== "string") throw broken("the house's proof cannot be read");
  return note;
}

/** @throws Alarm where the key did not sign it */
function signedBy(note: string, key: string) {
  try {
    openCheckpoint(note, parseVerifierKey(key));
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    throw new Alarm(
      "other-key",
      "the checkpoint is not signed by the key of this house that this browser knows",
      { key },
      note,
    );
  }
}

/** All of the log from entry `start` on, without gaps, as signed checkpoints have it. */
export class SignedLog {
  house: House;
  start: number;
  tree: Tree | null = null;

  constructor(house: House, start: number) {
    this.house = house;
    this.start = start;
  }

  /** Unread entries up to a signed head with one of the marks, each with the tree it ends; none if unsigned. */
  async entries(head: Checkpoint, marks: string[]): Promise<(Placed & { stand: Stand })[]> {
    const tiles = new Tiles(this.house, head.size);
    const begun = this.tree ?? (await extendTree(tiles, new Tree(), this.start));
    const tree = await extendTree(tiles, begun, begun.size); // a copy: it is kept only where it is the signed one
    const marked: (Placed & { stand: Stand })[] = [];
    while (tree.size < head.size) {
      const [from, to] = [tree.size, Math.min(tree.size + PAGE, head.size)];
      const lines = fromUtf8(await this.house.bytes(`/v1/log?from=${from}&to=${to}`), "log").split("\n");
      if (lines.length !== to - from + 1 || lines.pop() !== "")
        throw broken(`the house gave other entries than ${from} to ${to}`);
      for (const line of lines) {
        tree.append(leafHash(utf8(line)));
        if (marks.some((mark) => line.includes(mark)))
          marked.push({
            index: tree.size - 1,
            entry: JSON.parse(line),
            stand: { size: tree.size, root: toHex(tree.root()) },
          });
      }
    }
    if (!equal(tree.root(), head.root))
      throw broken(`the entries are not those of the signed log of ${head.size}`, { size: head.size });
    this.tree = tree;
    return marked;
  }
}

// The nodes of a log's tree, by its tiles (c2sp.org/tlog-tiles): to be held against a signed head.

class Tiles {
  house: House;
  size: number;
  read: Map<string, Promise<Uint8Array>> = new Map();

  /** @param size of the log */
  constructor(house: House, size: number) {
    this.house = house;
    this.size = size;
  }

  /** @returns the root of the complete subtree of 2^height leaves from index · 2^height on */
  async node(height: number, index: number): Promise<Uint8Array> {
    const level = Math.floor(height / 8);
    const count = 2 ** (height % 8);
    const [number, first] = [Math.floor((index * count) / WIDTH), (index * count) % WIDTH];
    const tile = await this.tile(level, number);
    if (tile.length < HASH * (first + count)) throw broken("a tile of the log is too short");
    let nodes: Uint8Array[] = Array.from({ length: count }, (_, i) =>
      tile.slice(HASH * (first + i), HASH * (first + i + 1)),
    );
    while (nodes.length > 1)
      nodes = Array.from({ length: nodes.length / 2 }, (_, i) => nodeHash(nodes[2 * i], nodes[2 * i + 1]));
    return nodes[0];
  }

  tile(level: number, number: number) {
    const width = Math.min(WIDTH, Math.floor(this.size / WIDTH ** level) - WIDTH * number);
    const digits =
      String(number)
        .padStart(3 * Math.ceil(String(number).length / 3), "0")
        .match(/.{3}/g) ?? [];
    const path = digits.map((group, i) => (i < digits.length - 1 ? `x${group}` : group)).join("/");
    const name = `/tile/${level}/${path}${width < WIDTH ? `.p/${width}` : ""}`;
    if (!this.read.has(name)) this.read.set(name, this.house.bytes(name));
    return this.read.get(name) as Promise<Uint8Array>;
  }
}

/** Return the tree extended to `size` leaves by complete subtrees; if both trees were signed, the log goes on. */
async function extendTree(tiles: Tiles, { size: from, peaks }: Tree, size: number): Promise<Tree> {
  const tree = Object.assign(new Tree(), { size: from, peaks: [...peaks] });
  while (tree.size < size) {
    let height = 0;
    while (tree.size % 2 ** (height + 1) === 0 && tree.size + 2 ** (height + 1) <= size) height++;
    let node = await tiles.node(height, tree.size / 2 ** height);
    for (let n = tree.size / 2 ** height; n % 2 === 1; n = (n - 1) / 2)
      node = nodeHash(tree.peaks.pop() as Uint8Array, node);
    tree.peaks.push(node);
    tree.size += 2 ** height;
  }
  return tree;
}
