// Whether a seed may leave: by what the house has signed, never by what it says.
//
// Before a seed goes out the house shows a signed checkpoint, of a log that goes on after the newest one that this
// browser has. Under it all of the log is read since the chair was taken, since whoever sat down later opens first; what
// was before that the house shows entry by entry, each proven. By them the shoe must be in play under the commitment
// that the seed was made for, with the hash that was promised, and it must be this player's turn.

import { FairshoeError, fromHex, toHex } from "../verifier/bytes.ts";
import { sha256 } from "../verifier/hashes.ts";
import { Problem, SeedKept } from "./errors.ts";
import { pathOf, pause } from "./requests.ts";
import { Remembered, SignedLog } from "./log.ts";
import { ENDS, isOpening, isSealed, maySitDown, SignedTable, tableOf } from "./signed-table.ts";
import type { TableState } from "./types.ts";
import type { Book, Pledge } from "./book.ts";
import type { Placed } from "./log.ts";
import type { Checkpoint } from "../verifier/note.ts";
import type { Shoe } from "./signed-table.ts";

type Entry = Record<string, any>;

/** How often a checkpoint is asked for that holds what the house has said, and milliseconds between. */
const TRIES = 5;
const PAUSE = 400;

const kept = (why: string, code: string = "seed-too-early", values: Record<string, string | number> = {}) =>
  new SeedKept(why, code, values);

/** The signed log of a chair's table, as far as the chair has followed it. */
export class Openings {
  book: Book;
  remembered: Remembered;
  followed: { log: SignedLog; table: SignedTable } | null = null;

  constructor(book: Book) {
    this.book = book;
    this.remembered = new Remembered(book.house);
  }

  /** The seed that may be sent for shoe `name`; keeps its checkpoint. Throws Alarm, or Problem if unknown here. */
  async find(name: string, state: TableState, owed: boolean): Promise<Pledge> {
    const [table, number] = tableOf(name);
    if (table !== this.book.table) throw kept(`shoe ${name} is of another table`);
    const { head, entries, file } = await this.shown(`${pathOf(table)}/shoes/${number}/proof`, state.log);
    try {
      if (owed)
        return await this.owed(
          name,
          entries.map(({ entry }) => entry).filter(({ shoe }) => shoe === name),
        );
      const signed = await this.follow(name, entries, head);
      try {
        return await this.turn(signed, name, state, entries);
      } catch (error) {
        if (error instanceof SeedKept && head.size > state.log)
          throw new Problem(409, { detail: `the table has gone on: ${error.what}` });
        throw error;
      }
    } catch (error) {
      if (error instanceof SeedKept) error.note = file;
      if (error instanceof FairshoeError) throw error;
      throw kept(
        `the entries about shoe ${name} cannot be followed (${error instanceof Error ? error.message : error})`,
      );
    }
  }

  /** The table of a shoe by the signed log, which has all that a state tells of. Throws as `find`. */
  async upTo(name: string, state: TableState): Promise<SignedTable> {
    const [table, number] = tableOf(name);
    if (table !== this.book.table) throw kept(`shoe ${name} is of another table`);
    const { head, entries } = await this.shown(`${pathOf(table)}/shoes/${number}/proof`, state.log);
    try {
      return await this.follow(name, entries, head);
    } catch (error) {
      if (error instanceof FairshoeError) throw error;
      throw kept(
        `the entries about shoe ${name} cannot be followed (${error instanceof Error ? error.message : error})`,
      );
    }
  }

  /** @param size that the house has said */
  async shown(path: string, size: number): Promise<{ head: Checkpoint; entries: Placed[]; file: string }> {
    for (let number = 1; ; number++) {
      let file;
      try {
        file = await this.book.house.text(path);
      } catch (error) {
        if (error instanceof Problem && error.status === 404) throw kept("it shows no checkpoint that has this shoe");
        throw error;
      }
      const opened = await this.remembered.accept(file, { newest: true });
      if (opened.head.size >= size) return { ...opened, file };
      if (number === TRIES)
        throw kept(`it shows no checkpoint that holds the ${size} entries so far, one of ${opened.head.size} only`);
      await pause(PAUSE);
    }
  }

  // The log.

  /** The table at the head, from this chair's entry on, or from earlier for a doubtful newcomer. */
  async follow(name: string, entries: Placed[], head: Checkpoint) {
    let { log, table } = this.followed ?? this.begin(entries, this.own(entries));
    this.followed = null;
    const marks = [`"shoe":"${this.book.table}/`, `"table":"${this.book.table}"`];
    for (;;) {
      for (const { entry, stand } of await log.entries(head, marks)) table.take(entry, stand);
      const { roster } = entryOf(entries, ({ kind, shoe }) => kind === "shoe" && shoe === name);
      const said = entries.filter(
        ({ entry: { op, player } }) => op === "buy-in" && roster.includes(player) && table.newcomers.has(player),
      );
      const first = Math.min(log.start, ...said.map(({ index }) => index));
      if (first >= log.start) break;
      ({ log, table } = this.begin(entries, first));
    }
    this.followed = { log, table };
    return table;
  }

  begin(entries: Placed[], start: number) {
    const opened = entryOf(entries, ({ kind, table }) => kind === "table" && table === this.book.table);
    return { log: new SignedLog(this.book.house, start), table: new SignedTable(opened) };
  }

  /** Where this chair was taken, for the first time where the house has put its player out since. */
  own(entries: Placed[]) {
    const { player, seat, sat } = this.book.sitting;
    const taken = entries.find(
      ({ index, entry }) =>
        index < (sat ?? Infinity) && entry.player === player && entry.seat === seat && maySitDown(entry),
    );
    if (!taken) throw kept("it does not show how this chair was taken");
    return taken.index;
  }

  // What it must say.

  async turn(table: SignedTable, name: string, state: TableState, entries: Placed[]): Promise<Pledge> {
    const { player } = this.book.sitting;
    const { shoe } = table;
    const { placer } = entryOf(entries, ({ kind, table: id }) => kind === "table" && id === table.id);
    if (placer !== state.placer?.key) throw kept("its log has another second dealer of the table than it shows");
    if (shoe?.id !== name) throw kept(`shoe ${name} is not in play`);
    const [, number] = tableOf(name);
    const before = `${table.id}/${number - 1}`;
    const over =
      table.ended.has(before) || entries.some(({ entry }) => ENDS.includes(entry.kind) && entry.shoe === before);
    if (number > 1 && !over) throw kept(`shoe ${before} has not ended`);
    if (!shoe.roster.includes(player) || shoe.struck.has(player)) throw kept(`${player} has no part in shoe ${name}`);
    if (isSealed(shoe)) throw kept(`shoe ${name} is sealed`);
    if (shoe.course === "one round" && !isOpening(shoe)) throw kept("no bets stand yet");
    const pledge = shoe.alone ? await this.sole(shoe) : await this.inOrder(table, shoe);
    this.bets(table, state);
    return pledge;
  }

  /** A sole contributor sends no hash, and may make the seed only now. */
  async sole({ id, commitment }: Shoe) {
    if ((await this.book.pledges(id)).some(({ promised }) => promised))
      throw kept(`its hash was sent, and shoe ${id} has no \`seeds\``, "hash-left-out", { shoe: id });
    return this.book.seedFor(id, commitment);
  }

  async inOrder(table: SignedTable, shoe: Shoe) {
    const { player } = this.book.sitting;
    if (shoe.stage === "hash") throw kept(`not all hashes of shoe ${shoe.id} are in its log`);
    const pledge = await this.promised(shoe.id, shoe.commitment, shoe.hashes[player]);
    if (shoe.opened.has(player)) throw kept(`the seed of shoe ${shoe.id} is open`);
    const [first] = table.waitsFor(shoe);
    if (first !== player) throw kept(`${first ?? "nobody"} opens first`);
    return pledge;
  }

  /** The seed that was made for this commitment, and whose hash the log has. */
  async promised(shoe: string, commitment: string, hash: string | undefined): Promise<Pledge> {
    const { regained } = this.book.sitting; // then a seed that was not sent was made after the one that was lost
    const known = (await this.book.pledges(shoe)).filter((one) => one.promised || !regained);
    if (!known.length)
      throw new Problem(0, {
        detail: `the seed of shoe ${shoe} is not in this browser: go on where it is, or with the file that you took along`,
      });
    const made = known.filter((one) => one.commitment === commitment);
    const pledge = made.find((one) => one.hash === hash) ?? made[0];
    if (!pledge)
      throw kept(
        `shoe ${shoe} has another commitment in the house's log than the one that I was shown`,
        "other-commitment",
        { shoe, shown: known[0].commitment, logged: commitment },
      );
    if (pledge.hash !== hash)
      throw kept(`the \`seeds\` of shoe ${shoe} do not have my hash`, "hash-left-out", { shoe });
    return pledge;
  }

  /** Of the bets that stand: the logged ones of the chair are those that it was shown. */
  bets({ open }: SignedTable, { round }: TableState) {
    if (!open || !round || round.round !== open.number) return;
    const own = (bets: Entry[]) =>
      JSON.stringify(
        bets
          .filter(({ seat }) => seat === this.book.sitting.seat)
          .map(({ seat, amount, box }) => [seat, amount, box ?? seat]),
      );
    if (own(open.bets) !== own(round.bets))
      throw kept(`other bets stand in round ${open.number} than I was shown`, "bet-changed", { round: open.number });
  }

  /** Of a seed that is to be handed in: its shoe is over, or goes on without it, by the shoe's own entries. */
  async owed(name: string, entries: Entry[]) {
    const { player } = this.book.sitting;
    let [commitment, over] = ["", false];
    let hash: string | undefined;
    for (const entry of entries) {
      if (entry.kind === "shoe") commitment = entry.commitment;
      else if (entry.kind === "seeds") hash = entry.hashes[player];
      else if (entry.kind === "lapse") over ||= entry.player === player;
      else if (ENDS.includes(entry.kind)) {
        if (entry.key && toHex(sha256(fromHex(entry.key))) !== commitment)
          throw kept(`the key of shoe ${name} is not the one that was committed to`, "other-key-of-shoe", {
            shoe: name,
          });
        over = true;
      }
    }
    const pledge = await this.promised(name, commitment, hash);
    if (!over) throw kept(`shoe ${name} is neither void nor over, and ${player} has not let it lapse`);
    return pledge;
  }
}

function entryOf(entries: Placed[], wanted: (entry: Entry) => boolean): Entry {
  const found = entries.find(({ entry }) => wanted(entry));
  if (!found) throw kept("the house does not show an entry that it needs");
  return found.entry;
}
