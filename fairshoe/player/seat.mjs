// A seat at a table, for whoever sits there: what it asks of the house and keeps, and what it finds wrong.

import { FairshoeError } from "../verifier/bytes.mjs";
import { Book, digestOf, isStale } from "./book.mjs";
import { Comparing } from "./comparing.mjs";
import { Alarm, Elsewhere, HeardAndRefused, Problem, Unreachable } from "./errors.mjs";
import { follow } from "./following.mjs";
import { Hands } from "./my-hands.mjs";
import { asState, jsonOf, pathOf } from "./requests.mjs";
import { Openings } from "./openings.mjs";
import { Receipts } from "./receipts.mjs";

/**
 * @typedef {import("./types.mjs").TableState} TableState
 * @typedef {import("./types.mjs").Wish} Wish
 * @typedef {import("./types.mjs").Choice} Choice
 * @typedef {import("./types.mjs").Hand} Hand
 * @typedef {import("./house.mjs").House} House
 * @typedef {import("./book.mjs").Request} Request
 */

const NOBODYS = 401;
const NOT_NOW = 409;

/**
 * Events, each a CustomEvent whose `detail` is:
 * - `state`: the TableState, after every change;
 * - `alarm`: an Alarm, as soon as the house is found to lie; the same is told once, and `alarms` has all of them;
 * - `trouble`: an Error that is nobody's lie (a refusal, no answer) from what the seat does by itself while it follows;
 * - `hand`: a Hand, when it is over, and again when its mark changes;
 * - `connection`: "live" (events), "polling", "lost".
 *
 * Everything that changes something gives the table's state afterwards, and throws Problem, Unreachable, Alarm. What was
 * not answered is sent again, by its own key, before anything else is.
 */
export class Seat extends EventTarget {
  /** @type {TableState} as seen last */ state = /** @type {any} */ (null);
  /** @type {Alarm[]} what was found wrong, in this browser ever */ alarms = [];
  /** Where a sole player cuts, when the seed is opened while following; null: `openSeed` says it, or nobody does while the tab is hidden. @type {number | null} */
  cutAt = null;
  /** @type {Promise<unknown>} what is being done: one thing at a time */ #busy = Promise.resolve();
  /** the seed that is wanted is being opened */ #opening = "";
  #following = () => {};
  #free = () => {};

  /** @param {Book} book @param {Receipts} receipts @param {() => void} free lets another tab have it */
  constructor(book, receipts, free) {
    super();
    this.book = book;
    this.house = book.house;
    this.receipts = receipts;
    this.openings = new Openings(book);
    this.comparing = new Comparing(book, receipts);
    this.mine = new Hands(book, receipts, this.openings.remembered, (hand) => this.#tell("hand", hand));
    this.#free = free;
  }

  /**
   * Take a chair, by a fresh token that nobody else has.
   * @param {House} house @param {string} table
   * @param {{player: string, amount: number, seat?: number, name?: string}} who
   * @returns {Promise<Seat>}
   */
  static async sit(house, table, { player, amount, seat, name }) {
    const taking = await Seat.#opened(house, table);
    try {
      const { book } = taking;
      if (!book.free) throw new Problem(0, { detail: `this browser has a seat at ${table} already`, remedy: "go on with it" });
      await book.sit(player);
      const fields = { player, amount, token_sha256: digestOf(book.sitting.token), ...(seat && { seat }), ...(name && { name }) };
      await taking.#carryOut(await book.ask("seats", fields, ""));
      return taking;
    } catch (error) {
      taking.close();
      throw error;
    }
  }

  /**
   * Go on with the chair that this browser has there; null where it has none. Throws Elsewhere, Problem (401: nobody
   * has the chair by this token any more: the chair was left, or the operator has to let the token in), Unreachable.
   * @param {House} house @param {string} table @returns {Promise<Seat | null>}
   */
  static async resume(house, table) {
    if ((await Book.open(house, table)).free) return null;
    const seat = await Seat.#opened(house, table);
    try {
      await seat.#one(() => seat.#comeBack());
      if (!seat.book.free) return seat;
      seat.close();
      return null;
    } catch (error) {
      seat.close();
      throw error;
    }
  }

  /** The tables where this browser has a chair. @param {House} house @returns {Promise<{table: string, player: string, seat: number}[]>} */
  static async kept(house) {
    const kept = await house.storage.all(house.name("seat", ""));
    return kept.map(([, sitting]) => sitting).filter(({ left, seat }) => !left && seat).map(({ table, player, seat }) => ({ table, player, seat }));
  }

  /** Give the chair up that this browser has there, which the house says is nobody's by its token: to sit down anew. Seeds and hands stay. @param {House} house @param {string} table */
  static async forget(house, table) {
    await (await Book.open(house, table)).keep({ left: true, waiting: null });
  }

  /** Check my hands at a table that I have left, whose shoes are over since. Throws as `resume`. @param {House} house @param {string} table @returns {Promise<Hand[]>} all of mine there, the newest first */
  static async checkLeft(house, table) {
    const seat = await Seat.#opened(house, table);
    try {
      await seat.checkEnded();
      return await seat.hands();
    } finally {
      seat.close();
    }
  }

  /** @param {House} house @param {string} table @returns {Promise<Seat>} */
  static async #opened(house, table) {
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

  get table() {
    return this.book.table;
  }

  get player() {
    return this.book.sitting.player;
  }

  /** The chair. */
  get number() {
    return this.book.sitting.seat;
  }

  /** The first thing that the table waits for from this chair. @returns {Wish | null} */
  get wanted() {
    return this.expects().find(({ may }) => !may) ?? null;
  }

  /** What may be sent now: everything, or by one route. @param {string} [route] @returns {Wish[]} */
  expects(route = "") {
    return (this.state?.you?.expects ?? []).filter((wish) => !route || wish.do === route);
  }

  // The ceremony.

  /**
   * The seed for the shoe that is in play, made where there is none; it stays here until `openSeed`. null: no shoe is.
   * @returns {Promise<{shoe: string, commitment: string, seed: string, hash: string, promised: boolean} | null>}
   */
  async seed() {
    const { shoe } = this.state;
    return shoe && this.book.seedFor(shoe.shoe, shoe.commitment);
  }

  /** Take another seed, before its hash is sent. @param {string} hex 1 to 128 bytes; "" for a fresh one */
  async replaceSeed(hex) {
    const known = await this.seed();
    if (!known || known.promised) throw new Problem(0, { detail: "its hash was sent already: another seed is for the next shoe" });
    const fresh = hex || Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return this.book.pledge(known.shoe, known.commitment, fresh);
  }

  /** Send the hash of the seed. @param {number} [cut] where `wanted.cut` asks; else its middle @returns {Promise<TableState>} */
  promise(cut) {
    return this.#one(async () => {
      const [wish] = this.expects("hash");
      const known = await this.seed();
      if (!wish || known?.shoe !== wish.shoe) throw new Problem(NOT_NOW, { detail: "no hash is wanted now" });
      return this.#send("hash", { hash: known?.hash, shoe: wish.shoe, ...cutOf(wish, cut) });
    });
  }

  /**
   * Send the seed that is wanted, once the signed log shows that it may be known. Throws SeedKept where it does not
   * (nothing was sent), Problem 409 where the table has gone on: look again.
   * @param {number} [cut] @returns {Promise<TableState>}
   */
  openSeed(cut) {
    return this.#one(() => this.#open(cut));
  }

  /** Ask for a shoe. */
  askShoe() {
    return this.#asked("shoe");
  }

  /** Have this shoe thrown away. */
  reshuffle() {
    return this.#asked("reshuffle", () => ({ shoe: this.state.shoe?.shoe }));
  }

  /** Bet on a shoe without a seed of one's own. */
  waive() {
    return this.#asked("waiver", () => ({ shoe: this.state.shoe?.shoe }));
  }

  /** Say that one is back. */
  here() {
    return this.#asked("here");
  }

  // Play.

  /** @param {{amount: number, box?: number}[]} bets none: a pass @returns {Promise<TableState>} */
  bet(bets) {
    return this.#asked("bets", () => ({ round: this.state.rounds + 1, bets }));
  }

  /** @param {Choice} choice @returns {Promise<TableState>} */
  decide({ move, amount, chosen }) {
    return this.#asked("decisions", () => {
      const [{ round = this.state.rounds, step = 0 } = {}] = this.expects("decisions");
      return { round, step, move, ...(amount && { amount }), ...(chosen?.length && { chosen }) };
    });
  }

  // Chips.

  /** @param {number} amount */
  buyIn(amount) {
    return this.#asked("chips", () => ({ op: "buy-in", amount }));
  }

  /** @param {number} [amount] all where none is named */
  cashOut(amount) {
    return this.#asked("chips", () => ({ op: "cash-out", ...(amount && { amount }) }));
  }

  /** @param {number} amount @param {number} to */
  transfer(amount, to) {
    return this.#asked("chips", () => ({ op: "transfer", amount, to }));
  }

  /** Leave the chair with all chips. */
  leave() {
    return this.#asked("chips", () => ({ op: "cash-out", leave: true }));
  }

  // Following.

  /** Look now. @returns {Promise<TableState>} */
  refresh() {
    return this.#one(() => this.#refresh());
  }

  /**
   * Follow the table until `stop`: by events, and where something eats them by waiting requests. `seeds`: each seed
   * that was promised is opened as soon as it is due, in a hidden tab too, or an alarm says why not. `hands`: a hand is
   * checked as soon as its shoe is over.
   * @param {{seeds?: boolean, hands?: boolean}} [by]
   */
  follow({ seeds = true, hands = true } = {}) {
    this.stop();
    const show = (/** @type {TableState} */ state) => this.#one(async () => {
      await this.#looked(state);
      if (seeds) await this.#openDue();
      if (hands) this.checkEnded().catch((error) => this.#told(error));
    }).catch((error) => this.#told(error));
    let last = "";
    const say = (/** @type {string} */ how) => {
      if (how !== last) this.#tell("connection", how);
      last = how;
    };
    this.#following = follow(this.house, this.table, this.book.sitting.token, { show, say, trouble: (error) => this.#told(this.#explained(error)) });
  }

  /** Follow no more. */
  stop() {
    this.#following();
    this.#following = () => {};
  }

  /** Let another tab have the seat. */
  close() {
    this.stop();
    this.#free();
    this.#free = () => {};
  }

  // Hands.

  /** Mine at this table, the newest first. @returns {Promise<Hand[]>} */
  async hands() {
    return (await this.book.hands()).map(({ hand }) => hand);
  }

  /** Check a hand (again). @param {number} round @returns {Promise<Hand>} */
  async check(round) {
    return this.mine.check(round, (error) => this.#told(error));
  }

  /** Check the hands whose shoe is over and that were not checked; following does so. */
  async checkEnded() {
    const { shoe } = this.book.sitting.left || !this.state ? await this.house.table(this.table) : this.state;
    await this.mine.checkEnded(shoe?.shoe, (error) => this.#told(error));
  }

  /**
   * What shows it, as one JSON file that `fairshoe-audit` reads: the hand's proof, my receipts, the checkpoint. Without
   * a round: of this table.
   * @param {number} [round] @returns {Promise<string>}
   */
  evidence(round) {
    return this.mine.evidence(round, this.alarms);
  }

  /** Everything that this browser keeps of the seat, to be taken along: whoever has it has the seat. @returns {Promise<string>} */
  exported() {
    return this.book.exported();
  }

  /** Take up a seat from such a file. @param {House} house @param {string} file @returns {Promise<string>} its table: `resume` goes on */
  static imported(house, file) {
    return Book.imported(house, file);
  }

  // One thing after the other.

  /** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  #one(act) {
    const doing = this.#busy.then(act);
    this.#busy = doing.catch(() => {});
    return doing;
  }

  /** @param {string} what @param {() => Record<string, any>} [fields] as of the state when its turn has come */
  #asked(what, fields = () => ({})) {
    return this.#one(() => this.#send(what, fields()));
  }

  /** Send to one of the table's routes; first what was not answered before. @param {string} what @param {Record<string, any>} fields @returns {Promise<TableState>} */
  async #send(what, fields) {
    const same = (/** @type {Request | null} */ waiting) => waiting?.what === what && JSON.stringify(waiting.fields) === JSON.stringify(fields);
    const { waiting } = this.book.sitting;
    if (waiting && !same(waiting)) await this.#settle();
    else if (waiting) await this.#dropForgotten(waiting, true);
    const request = this.book.sitting.waiting ?? (await this.book.ask(what, fields, this.state.restored ?? ""));
    return this.#carryOut(request);
  }

  /** Send the request that was not answered once more, if there is one. What is refused now was not done. */
  async #settle() {
    const { waiting } = this.book.sitting;
    if (!waiting || (await this.#dropForgotten(waiting, false))) return;
    try {
      await this.#carryOut(waiting);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (this.book.sitting.waiting) throw error;
    }
  }

  /** Whether the house may have forgotten that it did the request, so that it would do it once more: that is not sent again. @param {Request} request @param {boolean} throws */
  async #dropForgotten(request, throws) {
    const restored = request.what === "chips" && ((await this.house.table(this.table)).restored ?? "") !== request.restored;
    if (!isStale(request) && !restored) return false;
    await this.book.answered(request, false);
    this.comparing.sure = false;
    const why = restored ? "the house was restored" : "it was sent too long ago";
    const problem = new Problem(0, { detail: `nobody says whether my ${request.what} was done (${why}), and it is not sent again: look at your chips` });
    if (throws) throw problem;
    this.#told(problem);
    return true;
  }

  /** Send a request that is in the book, and keep its receipt. @param {Request} request @returns {Promise<TableState>} */
  async #carryOut(request) {
    const { what, fields, key } = request;
    const before = this.state;
    const token = what === "seats" ? null : this.book.sitting.token;
    let answer;
    try {
      answer = asState(jsonOf(await this.house.ask(`${pathOf(this.table)}/${what}`, { method: "POST", body: fields, token, key })));
    } catch (error) {
      const refused = error instanceof Problem && error.status < 500; // of an error's or a gateway's nobody knows whether it was done
      if (refused) await this.book.answered(request, false);
      throw error instanceof Problem ? this.#explained(error) : error;
    }
    if (what === "seats") await this.book.keep({ seat: answer.you?.seat ?? 0, sat: answer.log });
    /** @type {unknown} */
    let wrong = null;
    try {
      await this.receipts.keep(what, fields, answer, before?.round ?? null, this.comparing.isSure(answer));
    } catch (error) {
      wrong = error;
    }
    await this.book.answered(request, true);
    await this.comparing.sent(what, fields);
    if (!this.#isOlder(answer)) await this.#looked(answer);
    else if (answer.you) await this.#refresh();
    if (wrong instanceof Alarm) this.#alarm(wrong);
    if (wrong) throw wrong;
    return this.state;
  }

  async #refresh() {
    try {
      await this.#looked(asState(jsonOf(await this.house.ask(pathOf(this.table), { token: this.book.sitting.token }))));
    } catch (error) {
      throw error instanceof Problem ? this.#explained(error) : error;
    }
    return this.state;
  }

  /** Whether a state is from before the one that was seen last: it came late, or is an answer of then. @param {TableState} state */
  #isOlder({ log, at, restored }) {
    const { state } = this;
    return Boolean(state) && restored === state.restored && (log < state.log || (log === state.log && at < state.at));
  }

  /** The table is so now. @param {TableState} state */
  async #looked(state) {
    if (this.#isOlder(state)) return;
    const before = this.state;
    this.state = state;
    this.#tell("state", state);
    for await (const alarm of this.comparing.look(state, before)) this.#alarm(alarm);
    await this.mine.look(state, before, this.comparing.seen);
  }

  /** Do what was left undone. */
  async #comeBack() {
    const { sitting } = this.book;
    if (!sitting.seat && sitting.waiting) this.state = /** @type {any} */ (await this.house.table(this.table));
    try {
      await this.#settle();
    } catch (error) {
      if (!(error instanceof Alarm)) throw error;
    }
    if (this.book.sitting.left) return;
    if (!this.book.sitting.seat) {
      await this.book.keep({ left: true }); // the chair was refused
      return;
    }
    await this.#refresh();
    await this.mine.catchUp(this.state, (error) => this.#told(error));
  }

  /** Open the seed that is due, or say why not. */
  async #openDue() {
    const wish = this.wanted;
    if (wish?.do !== "seed" || (wish.cut && this.cutAt === null && !globalThis.document?.hidden)) return;
    const due = `${wish.shoe} ${this.state.log}`;
    if (this.#opening === due) return;
    this.#opening = due;
    try {
      await this.#open(this.cutAt ?? undefined);
    } catch (error) {
      if (error instanceof Problem && error.status === NOT_NOW && !(error instanceof HeardAndRefused)) await this.#refresh();
      else {
        if (error instanceof Unreachable) this.#opening = "";
        this.#told(error);
      }
    }
  }

  /** @param {number} [cut] @returns {Promise<TableState>} */
  async #open(cut) {
    const { waiting } = this.book.sitting;
    if (waiting?.what === "seed") {
      await this.#settle();
      return this.state;
    }
    const [wish] = this.expects("seed");
    if (!wish?.shoe) throw new Problem(NOT_NOW, { detail: "no seed is wanted now" });
    let pledge;
    try {
      pledge = await this.openings.find(wish.shoe, this.state, Boolean(wish.owed));
    } catch (error) {
      if (error instanceof Alarm) this.#alarm(error);
      throw error;
    }
    try {
      return await this.#send("seed", { seed: pledge.seed, ...cutOf(wish, cut) });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || !error.status) throw error;
      throw new HeardAndRefused(error);
    }
  }

  // What is told.

  /** @param {string} type @param {unknown} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {Alarm} alarm */
  #alarm(alarm) {
    if (this.alarms.some(({ code, what }) => code === alarm.code && what === alarm.what)) return;
    this.alarms.push(alarm);
    this.book.keepAlarm(this.alarms.length, alarm).catch((error) => this.#tell("trouble", error));
    this.#tell("alarm", alarm);
  }

  /** @param {unknown} error of what the seat does by itself */
  #told(error) {
    if (error instanceof Alarm) this.#alarm(error);
    else if (error instanceof FairshoeError) this.#tell("trouble", error);
    else throw error;
  }

  /** What to do where nobody has the chair by this token. @template {Error} T @param {T} refusal @returns {T} */
  #explained(refusal) {
    if (refusal instanceof Problem && refusal.status === NOBODYS) {
      const { token } = this.book.sitting;
      refusal.remedy = `You have left ${this.table}, were put out, or the token was revoked: the log says which, and what was paid. Who sits there by the log asks the operator to let the token in; its SHA-256 is ${digestOf(token)}.`;
    }
    return refusal;
  }
}

/** @param {Wish} wish @param {number} [cut] @returns {{cut?: number}} */
function cutOf({ cut: range }, cut) {
  return range ? { cut: cut ?? Math.floor((range[0] + range[1]) / 2) } : {};
}
