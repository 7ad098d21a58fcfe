// A seat at a table, for whoever sits there: what it asks of the house and keeps, and what it finds wrong.

import { toHex, utf8 } from "../verifier/bytes.ts";
import { isHex } from "../verifier/forms.ts";
import { Book, digestOf } from "./book.ts";
import { Chair, cutOf, NOBODYS, NOT_NOW } from "./chair.ts";
import { Alarm, Elsewhere, HeardAndRefused, Problem, Unreachable } from "./errors.ts";
import { follow } from "./following.ts";
import { Receipts } from "./receipts.ts";
import type { Choice, Hand, TableState, Wish } from "./types.ts";
import type { House } from "./house.ts";

/**
 * Events, each a CustomEvent whose `detail` is:
 * - `state`: the TableState, after every change;
 * - `alarm`: an Alarm, as soon as the house is found to lie; the same is told once, and `alarms` has all of them;
 * - `trouble`: an Error that is nobody's lie (a refusal, no answer) from what the seat does by itself while it follows;
 * - `hand`: a Hand, when it is over, and again when its mark changes;
 * - `connection`: "live" (a stream of events speaks), "polling" (the table is looked at each second), "lost".
 *
 * Everything that changes something gives the table's state afterwards, and throws Problem, Unreachable, Alarm. What was
 * not answered is sent again, by its own key, before anything else is.
 */
export class Seat extends Chair {
  /** the seed that is wanted is being opened */ #opening = "";
  #following = () => {};
  #live = false;
  #free = () => {};

  /** @param free lets another tab have it */
  constructor(book: Book, receipts: Receipts, free: () => void) {
    super(book, receipts);
    this.#free = free;
  }

  /** Take a chair, by a fresh token that nobody else has. */
  static async sit(
    house: House,
    table: string,
    { player, amount, seat, name }: { player: string; amount: number; seat?: number; name?: string },
  ): Promise<Seat> {
    const taking = await Seat.#opened(house, table);
    try {
      const { book } = taking;
      if (!book.free)
        throw new Problem(0, { detail: `this browser has a seat at ${table} already`, remedy: "go on with it" });
      const { placer } = await house.table(table);
      await book.sit(player);
      const fields = {
        player,
        amount,
        token_sha256: digestOf(book.sitting.token),
        ...(seat && { seat }),
        ...(name && { name }),
        ...(placer?.key === "player" && { placer: taking.placer.verifier }),
      };
      await taking.carryOut(await book.ask("seats", fields, ""));
      return taking;
    } catch (error) {
      taking.close();
      throw error;
    }
  }

  /**
   * Go on with the chair that this browser has there; null where it has none. Throws Elsewhere, Problem (401: nobody
   * has the chair by this token any more: the chair was left, or the operator has to let the token in), Unreachable.
   */
  static async resume(house: House, table: string): Promise<Seat | null> {
    if ((await Book.open(house, table)).free) return null;
    const seat = await Seat.#opened(house, table);
    try {
      await seat.inTurn(() => seat.#comeBack());
      if (!seat.book.free) return seat;
      seat.close();
      return null;
    } catch (error) {
      seat.close();
      throw error;
    }
  }

  /** Begin to regain a chair whose data were lost, by a fresh token; `resume` once the operator has let it in. */
  static async regain(house: House, table: string, { player, seat }: { player: string; seat: number }) {
    const book = await Book.open(house, table);
    if (!book.free) throw new Elsewhere(table);
    await book.sit(player);
    await book.keep({ seat, regained: true });
  }

  /** The SHA-256 of this browser's token there, by which the operator lets it in. */
  static async fingerprint(house: House, table: string): Promise<string> {
    return digestOf((await Book.open(house, table)).sitting.token);
  }

  /** The tables where this browser has a chair. */
  static async kept(house: House): Promise<{ table: string; player: string; seat: number }[]> {
    const kept = await house.storage.all(house.name("seat", ""));
    return kept
      .map(([, sitting]) => sitting)
      .filter(({ left, seat }) => !left && seat)
      .map(({ table, player, seat }) => ({ table, player, seat }));
  }

  /** Forget the chair that the house gives nobody by its token, to sit down anew. Seeds and hands stay. */
  static async forget(house: House, table: string) {
    await (await Book.open(house, table)).keep({ left: true, waiting: null });
  }

  /** Do something about my hands at a table where I need not sit any more. Throws as `resume`. */
  static async away<T>(house: House, table: string, act: (seat: Seat) => Promise<T>): Promise<T> {
    const seat = await Seat.#opened(house, table);
    try {
      return await act(seat);
    } finally {
      seat.close();
    }
  }

  /** Check my hands at a table that I have left; returns them, the newest first. Throws as `resume`. */
  static checkLeft(house: House, table: string): Promise<Hand[]> {
    return Seat.away(house, table, async (seat) => {
      await seat.placeLast();
      await seat.checkEnded();
      return seat.hands();
    });
  }

  static async #opened(house: House, table: string): Promise<Seat> {
    const free = await house.storage.hold(house.name("tab", table));
    if (!free) throw new Elsewhere(table);
    try {
      const { key } = await house.key();
      const book = await Book.open(house, table);
      const seat = new Seat(book, new Receipts(book, key, await house.receiptKey()), free);
      seat.alarms = (await book.alarms()).map(({ code, what, values, note }) => new Alarm(code, what, values, note));
      return seat;
    } catch (error) {
      free();
      throw error;
    }
  }

  // The ceremony.

  /** Take another seed, before its hash is sent. `typed`: 16 to 128 bytes in hex or a text, "" for a fresh one. */
  async replaceSeed(typed: string) {
    const known = await this.seed();
    if (!known || known.promised)
      throw new Problem(0, { detail: "its hash was sent already: another seed is for the next shoe" });
    const fresh = () => toHex(crypto.getRandomValues(new Uint8Array(32)));
    const own = isHex(typed.toLowerCase(), 16, 128) ? typed.toLowerCase() : toHex(utf8(typed));
    if (typed && (await this.book.isUsed(own, known.shoe)))
      throw new Problem(0, { detail: "this seed was used before: whoever saw it then knows it" });
    return this.book.pledge(known.shoe, known.commitment, typed ? own : fresh(), typed);
  }

  /** Send the hash of the seed. `cut`: where `wanted.cut` asks; else its middle. */
  promise(cut?: number): Promise<TableState> {
    return this.inTurn(async () => {
      const [wish] = this.expects("hash");
      return this.sendPromise("hash", async () => {
        const known = await this.seed();
        if (!wish || known?.shoe !== wish.shoe) throw new Problem(NOT_NOW, { detail: "no hash is wanted now" });
        return { hash: known?.hash, shoe: wish.shoe, ...cutOf(wish, cut) };
      });
    });
  }

  /**
   * Send the seed that is wanted, once the signed log shows that it may be known. Throws SeedKept where it does not
   * (nothing was sent), Problem 409 where the table has gone on: look again.
   */
  openSeed(cut?: number): Promise<TableState> {
    return this.inTurn(() => this.openNow(cut));
  }

  /** Where I place the cards: answer what is awaited. Throws Alarm where that may not be (nothing was sent). */
  place(): Promise<TableState> {
    return this.inTurn(async () => {
      try {
        await this.placeNow();
      } catch (error) {
        if (error instanceof Alarm) this.alarm(error);
        throw error;
      }
      return this.state;
    });
  }

  /** Ask for a shoe. */
  askShoe() {
    return this.asked("shoe");
  }

  /** Have this shoe thrown away. */
  reshuffle() {
    return this.asked("reshuffle", () => ({ shoe: this.state.shoe?.shoe }));
  }

  /** Bet on a shoe without a seed of one's own. */
  waive() {
    return this.asked("waiver", () => ({ shoe: this.state.shoe?.shoe }));
  }

  /** Say that one is back. */
  here() {
    return this.asked("here");
  }

  // Play.

  /** `bets`: none is a pass; `seen`: what the player saw: the house refuses the bet if the table has gone on. */
  bet(bets: { amount: number; box?: number }[], seen?: Wish<"bets">): Promise<TableState> {
    return this.asked("bets", () => ({ round: seen?.round ?? this.state.rounds + 1, bets }));
  }

  /** @param seen what was shown when the player chose: if the table has gone on, the house refuses the decision */
  decide({ move, amount, chosen }: Choice, seen?: Wish<"decisions">): Promise<TableState> {
    return this.asked("decisions", () => {
      const { round = this.state.rounds, step = 0 } = seen ?? this.expects("decisions")[0] ?? {};
      return { round, step, move, ...(amount && { amount }), ...(chosen?.length && { chosen }) };
    });
  }

  // Chips.

  buyIn(amount: number) {
    return this.asked("chips", () => ({ op: "buy-in", amount }));
  }

  /** @param amount all where none is named */
  cashOut(amount?: number) {
    return this.asked("chips", () => ({ op: "cash-out", ...(amount && { amount }) }));
  }

  transfer(amount: number, to: number) {
    return this.asked("chips", () => ({ op: "transfer", amount, to }));
  }

  /** Leave the chair with all chips; who places gives the key of the shoe that ends by it, too. */
  leave() {
    return this.asked("chips", () => ({ op: "cash-out", leave: true }));
  }

  /** Give the key of a shoe that I placed and that ended since I left. */
  placeLast() {
    return this.inTurn(async () => {
      this.state ??= await this.house.table(this.table);
      await this.#placeDue();
    });
  }

  // Following.

  /** Look now. */
  refresh(): Promise<TableState> {
    return this.inTurn(() => this.look());
  }

  /**
   * Follow the table until `stop`, as `follow` of following.ts does. Where I place the cards that is done as soon as it
   * is asked for, or an alarm says why not. Each seed that was promised is opened as soon as it is due, in a hidden tab
   * too, or an alarm says why not; a hand is checked as soon as its shoe is over.
   */
  follow() {
    this.stop();
    const show = (state: TableState) =>
      this.inTurn(async () => {
        await this.looked(state);
        await this.#openDue();
        await this.#placeDue();
        this.checkEnded().catch((error) => this.told(error));
      }).catch((error) => this.told(error));
    let last = "";
    const say = (how: string) => {
      if (how !== last) this.tell("connection", how);
      last = how;
    };
    this.#live = true;
    const trouble = (error: any) => {
      const { left, waiting } = this.book.sitting;
      if (error.status === NOBODYS && (left || waiting?.fields.leave)) return; // the token ends before the answer that I have left is here
      this.told(this.explained(error));
    };
    this.#following = follow(this.house, this.table, this.book.sitting.token, { show, say, trouble });
  }

  /** Follow no more. */
  stop() {
    this.#following();
    this.#following = () => {};
    this.#live = false;
  }

  /** Let another tab have the seat. */
  close() {
    this.stop();
    this.#free();
    this.#free = () => {};
  }

  // Hands.

  /** Mine at this table, the newest first. */
  async hands(): Promise<Hand[]> {
    return (await this.book.hands()).map(({ hand }) => hand);
  }

  /** Fetch a player's hands at this table that this browser does not have, and check them. Returns how many. */
  fetchHands(player: string): Promise<number> {
    return this.mine.fetch(player, (error) => this.told(error));
  }

  /** Check the hands whose shoe is over and that were not checked; following does so. */
  async checkEnded() {
    const { shoe } = this.book.sitting.left || !this.state ? await this.house.table(this.table) : this.state;
    await this.mine.checkEnded(shoe?.shoe, (error) => this.told(error));
  }

  /** The evidence as a JSON file for `fairshoe-audit`: the hand's proof or the table's, receipts, checkpoint. */
  evidence(round?: number): Promise<string> {
    return this.mine.evidence(round, this.alarms);
  }

  /** Everything that this browser keeps of the seat, to be taken along: whoever has it has the seat. */
  async exported(): Promise<string> {
    const file = await this.book.exported();
    await this.book.keep({ saved: this.state.shoe?.shoe ?? "-" });
    return file;
  }

  /** Take up a seat from such a file. Returns its table: `resume` goes on. */
  static imported(house: House, file: string): Promise<string> {
    return Book.imported(house, file);
  }

  /** Do what was left undone. */
  async #comeBack() {
    const { sitting } = this.book;
    if (!sitting.seat && sitting.waiting) this.state = (await this.house.table(this.table)) as any;
    try {
      await this.settle();
    } catch (error) {
      if (!(error instanceof Alarm)) throw error;
    }
    if (this.book.sitting.left) return;
    if (!this.book.sitting.seat) {
      await this.book.keep({ left: true }); // the chair was refused
      return;
    }
    await this.look();
    await this.mine.catchUp(this.state, (error) => this.told(error));
  }

  /** While it follows, and once it has left, what is wanted of me next is done at once. */
  async sentNow() {
    if (this.#live || this.book.sitting.left) await this.#placeDue();
  }

  /** Place the cards that are due, or say why not. */
  async #placeDue() {
    try {
      await this.placeNow();
    } catch (error) {
      if (error instanceof Problem && error.status === NOT_NOW && !this.book.sitting.left) await this.look();
      else this.told(error);
    }
  }

  /** Open the seed that is due, or say why not. */
  async #openDue() {
    const wish = this.wanted;
    if (wish?.do !== "seed" || (wish.cut && !globalThis.document?.hidden)) return;
    const due = `${wish.shoe} ${this.state.log}`;
    if (this.#opening === due) return;
    this.#opening = due;
    try {
      await this.openNow(); // a cut, where there is one, in the middle
    } catch (error) {
      if (error instanceof Problem && error.status === NOT_NOW && !(error instanceof HeardAndRefused))
        await this.look();
      else {
        if (error instanceof Unreachable) this.#opening = "";
        this.told(error);
      }
    }
  }
}
