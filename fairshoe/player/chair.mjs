// A chair by its token: requests that are sent one after the other, again where nobody answered, their receipts kept; and
// what a table's state tells, held against what was sent.

import { FairshoeError } from "../verifier/bytes.mjs";
import { digestOf, isStale } from "./book.mjs";
import { CardOpenings, isLater } from "./card-openings.mjs";
import { Comparing } from "./comparing.mjs";
import { Alarm, HeardAndRefused, Problem } from "./errors.mjs";
import { Hands } from "./my-hands.mjs";
import { Openings } from "./openings.mjs";
import { Placer } from "./placer.mjs";
import { asState, jsonOf, pathOf } from "./requests.mjs";

/**
 * @typedef {import("./types.mjs").TableState} TableState
 * @typedef {import("./types.mjs").Wish} Wish
 * @typedef {import("./book.mjs").Book} Book
 * @typedef {import("./book.mjs").Request} Request
 * @typedef {import("./receipts.mjs").Receipts} Receipts
 */

/** What a player who places sends by itself. */
const PLACING = ["commitment", "places"];
/** How many answers one goes on with before it looks again. */
const MOST_ANSWERS = 100;
export const NOBODYS = 401;
export const NOT_NOW = 409;

export class Chair extends EventTarget {
  /** @type {TableState} as seen last */ state = /** @type {any} */ (null);
  /** @type {Alarm[]} what was found wrong, in this browser ever */ alarms = [];
  /** @type {Promise<unknown>} what is being done: one thing at a time */ #busy = Promise.resolve();

  /** @param {Book} book @param {Receipts} receipts */
  constructor(book, receipts) {
    super();
    this.book = book;
    this.house = book.house;
    this.receipts = receipts;
    this.openings = new Openings(book);
    this.placer = new Placer(book, this.openings);
    this.cards = new CardOpenings(book, this.openings);
    this.comparing = new Comparing(book, receipts);
    this.mine = new Hands(book, receipts, this.openings.remembered, (hand) => this.tell("hand", hand));
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

  /**
   * The seed for the shoe that is in play, made where there is none; it stays here until `openSeed`. null: no shoe is.
   * @returns {Promise<{shoe: string, commitment: string, seed: string, hash: string, promised: boolean} | null>}
   */
  async seed() {
    const { shoe } = this.state;
    return shoe && this.book.seedFor(shoe.shoe, shoe.commitment);
  }

  // One thing after the other.

  /** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  inTurn(act) {
    const doing = this.#busy.then(act);
    this.#busy = doing.catch(() => {});
    return doing;
  }

  /** @param {string} what @param {() => Record<string, any>} [fields] as of the state when its turn has come */
  asked(what, fields = () => ({})) {
    return this.inTurn(async () => {
      await this.send(what, fields());
      await this.sentNow();
      return this.state;
    });
  }

  /** What was asked for was sent. */
  async sentNow() {}

  /** Send to one of the table's routes; first what was not answered before. @param {string} what @param {Record<string, any>} fields @returns {Promise<TableState>} */
  async send(what, fields) {
    const same = (/** @type {Request | null} */ waiting) => waiting?.what === what && JSON.stringify(waiting.fields) === JSON.stringify(fields);
    const { waiting } = this.book.sitting;
    if (waiting && (!same(waiting) || (await this.isForgotten(waiting)))) await this.settle();
    const request = this.book.sitting.waiting ?? (await this.book.ask(what, fields, this.state.restored ?? ""));
    return this.carryOut(request);
  }

  /**
   * Send the hash of a seed; that of another seed, once, if it was used before in the log. A sole player's seed is never
   * sent so: the house knows it, and could refuse an order that it does not like.
   * @param {"hash" | "commitment"} what @param {() => Promise<Record<string, any>>} make @returns {Promise<TableState>}
   */
  async sendPromise(what, make) {
    const fields = await make();
    try {
      return await this.send(what, fields);
    } catch (error) {
      if (!(error instanceof Problem && error.alreadyClaimed)) throw error;
      this.told(error);
      await this.book.replaceSeed(fields);
      return this.send(what, await make());
    }
  }

  /** Send the request that was not answered once more, if there is one. What is refused now was not done; what the house may have forgotten is left, since it would do it again. */
  async settle() {
    const { waiting } = this.book.sitting;
    if (!waiting) return;
    if (await this.isForgotten(waiting)) {
      await this.book.answered(waiting, false);
      this.comparing.sure = false;
      this.told(new Problem(0, { detail: `nobody says whether my ${waiting.what} was done, and it is not sent again: look at your chips` }));
      return;
    }
    try {
      await this.carryOut(waiting);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (this.book.sitting.waiting) throw error;
    }
  }

  /** Whether the house may have forgotten that it did the request: after a day, or a restore. @param {Request} request */
  async isForgotten(request) {
    if (PLACING.includes(request.what)) return false; // done once, however often it is sent
    return isStale(request) || (request.what === "chips" && ((await this.house.table(this.table)).restored ?? "") !== (request.restored ?? ""));
  }

  /** Send a request that is in the book, and keep its receipt. @param {Request} request @returns {Promise<TableState>} */
  async carryOut(request) {
    const { what, fields, key } = request;
    const before = this.state;
    const token = what === "seats" || this.book.sitting.left ? null : this.book.sitting.token;
    let answer;
    try {
      answer = asState(jsonOf(await this.house.ask(`${pathOf(this.table)}/${what}`, { method: "POST", body: fields, token, key })));
    } catch (error) {
      const refused = error instanceof Problem && error.status < 500; // of an error's or a gateway's nobody knows whether it was done
      if (refused) await this.book.answered(request, false);
      throw error instanceof Problem ? this.explained(error) : error;
    }
    if (what === "seats") await this.book.keep({ seat: answer.you?.seat ?? 0, sat: answer.log });
    /** @type {unknown} */
    let wrong = null;
    try {
      await this.receipts.keep(what, fields, answer, before?.round ?? null, this.comparing.isSure(answer));
    } catch (error) {
      wrong = error;
    }
    if (what === "places") await this.placer.keepReceipt(fields, answer.answer_receipt);
    await this.book.answered(request, true);
    await this.comparing.sent(what, fields);
    if (!this.isOlder(answer)) await this.looked(answer);
    else if (answer.you) await this.look();
    if (wrong instanceof Alarm) this.alarm(wrong);
    if (wrong) throw wrong;
    return this.state;
  }

  async look() {
    try {
      await this.looked(asState(jsonOf(await this.house.ask(pathOf(this.table), { token: this.book.sitting.token }))));
    } catch (error) {
      throw error instanceof Problem ? this.explained(error) : error;
    }
    return this.state;
  }

  /** Whether a state is from before the one that was seen last: it came late, or is an answer of then. @param {TableState} state */
  isOlder({ log, at, restored }) {
    const { state } = this;
    return Boolean(state) && restored === state.restored && (log < state.log || (log === state.log && at < state.at));
  }

  /** The table is so now. @param {TableState} state */
  async looked(state) {
    if (this.isOlder(state)) return;
    const before = this.state;
    this.state = state;
    this.tell("state", state);
    for await (const alarm of this.comparing.look(state, before)) this.alarm(alarm);
    await this.mine.look(state, before, this.comparing.seen);
    try {
      await this.cards.look(state);
    } catch (error) {
      if (error instanceof Alarm) this.alarm(error);
      else if (!isLater(error)) throw error;
    }
  }

  /** @param {number} [cut] @returns {Promise<TableState>} */
  async openNow(cut) {
    const { waiting } = this.book.sitting;
    if (waiting?.what === "seed") {
      await this.settle();
      return this.state;
    }
    const [wish] = this.expects("seed");
    if (!wish?.shoe) throw new Problem(NOT_NOW, { detail: "no seed is wanted now" });
    let pledge;
    try {
      pledge = await this.openings.find(wish.shoe, this.state, Boolean(wish.owed));
    } catch (error) {
      if (error instanceof Alarm) this.alarm(error);
      throw error;
    }
    try {
      return await this.send("seed", { seed: pledge.seed, ...cutOf(wish, cut) });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || !error.status) throw error;
      throw new HeardAndRefused(error);
    }
  }

  /** Answer all that is awaited of a player who places. Throws Alarm where the house's signed log and questions do not show that a place may be given. */
  async placeNow() {
    await this.settle();
    for (let number = 0; number < MOST_ANSWERS && (await this.answerNext()); number++);
  }

  /** @returns {Promise<boolean>} whether there was anything */
  async answerNext() {
    const { commit, questions = [] } = this.state?.awaited ?? {};
    if (commit && !this.book.sitting.left) {
      await this.sendPromise("commitment", () => this.placer.commitment(commit));
      return true;
    }
    for (const shown of questions) {
      const answer = await this.placer.answer(shown, this.state);
      if (answer) await this.send("places", answer);
      if (answer) return true;
    }
    return false;
  }

  // What is told.

  /** @param {string} type @param {unknown} detail */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {Alarm} alarm */
  alarm(alarm) {
    if (this.alarms.some(({ code, what }) => code === alarm.code && what === alarm.what)) return;
    this.alarms.push(alarm);
    this.book.keepAlarm(this.alarms.length, alarm).catch((error) => this.tell("trouble", error));
    this.tell("alarm", alarm);
  }

  /** @param {unknown} error of what the seat does by itself */
  told(error) {
    if (error instanceof Alarm) this.alarm(error);
    else if (error instanceof FairshoeError) this.tell("trouble", error);
    else throw error;
  }

  /** What to do where nobody has the chair by this token. @template {Error} T @param {T} refusal @returns {T} */
  explained(refusal) {
    if (refusal instanceof Problem && refusal.status === NOBODYS) {
      const { token } = this.book.sitting;
      refusal.remedy = `You have left ${this.table}, were put out, or the token was revoked: the log says which, and what was paid. Who sits there by the log asks the operator to let the token in; its SHA-256 is ${digestOf(token)}.`;
    }
    return refusal;
  }
}

/** @param {Wish} wish @param {number} [cut] @returns {{cut?: number}} */
export function cutOf({ cut: range }, cut) {
  return range ? { cut: cut ?? Math.floor((range[0] + range[1]) / 2) } : {};
}
