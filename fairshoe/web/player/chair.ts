// A chair by its token: requests that are sent one after the other, again where nobody answered, their receipts kept; and
// what a table's state tells, held against what was sent.

import { FairshoeError } from "../verifier/bytes.ts";
import { digestOf, isStale } from "./book.ts";
import { CardOpenings, isLater } from "./card-openings.ts";
import { Comparing } from "./comparing.ts";
import { Alarm, HeardAndRefused, Problem } from "./errors.ts";
import { Hands } from "./my-hands.ts";
import { Openings } from "./openings.ts";
import { Placer } from "./placer.ts";
import { asState, jsonOf, pathOf } from "./requests.ts";
import type { TableState, Wish } from "./types.ts";
import type { Book, Pledge, Request } from "./book.ts";
import type { Receipts } from "./receipts.ts";
import type { House } from "./house.ts";

/** What a player who places sends by itself. */
const PLACING = ["commitment", "places"];
/** How many answers one goes on with before it looks again. */
const MOST_ANSWERS = 100;
export const NOBODYS = 401;
export const NOT_NOW = 409;

export class Chair extends EventTarget {
  /** as seen last */ state: TableState = null as any;
  /** what was found wrong, in this browser ever */ alarms: Alarm[] = [];
  /** what is being done: one thing at a time */ #busy: Promise<unknown> = Promise.resolve();

  book: Book;
  house: House;
  receipts: Receipts;
  openings: Openings;
  placer: Placer;
  cards: CardOpenings;
  comparing: Comparing;
  mine: Hands;

  constructor(book: Book, receipts: Receipts) {
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

  /** The first thing that the table waits for from this chair. */
  get wanted(): Wish | null {
    return this.expects().find((wish) => !("may" in wish && wish.may)) ?? null;
  }

  /** What may be sent now: everything, or by one route. */
  expects<Route extends Wish["do"]>(route?: Route): Wish<Route>[] {
    return (this.state?.you?.expects ?? []).filter((wish): wish is Wish<Route> => !route || wish.do === route);
  }

  /** The seed for the shoe in play, new if there was none; it stays here until `openSeed`. null: no shoe. */
  async seed(): Promise<Pledge | null> {
    const { shoe } = this.state;
    return shoe && this.book.seedFor(shoe.shoe, shoe.commitment);
  }

  // One thing after the other.

  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const doing = this.#busy.then(act);
    this.#busy = doing.catch(() => {});
    return doing;
  }

  /** @param fields as of the state when its turn has come */
  asked(what: string, fields: () => Record<string, any> = () => ({})) {
    return this.inTurn(async () => {
      await this.send(what, fields());
      await this.sentNow();
      return this.state;
    });
  }

  /** What was asked for was sent. */
  async sentNow() {}

  /** Send to one of the table's routes; first what was not answered before. */
  async send(what: string, fields: Record<string, any>): Promise<TableState> {
    const same = (waiting: Request | null) =>
      waiting?.what === what && JSON.stringify(waiting.fields) === JSON.stringify(fields);
    const { waiting } = this.book.sitting;
    if (waiting && (!same(waiting) || (await this.isForgotten(waiting)))) await this.settle();
    const request = this.book.sitting.waiting ?? (await this.book.ask(what, fields, this.state.restored ?? ""));
    return this.carryOut(request);
  }

  /** Send a seed's hash; another seed's, once, if the log has it. A sole player's seed is not sent so. */
  async sendPromise(what: "hash" | "commitment", make: () => Promise<Record<string, any>>): Promise<TableState> {
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
      this.told(
        new Problem(0, {
          detail: `nobody says whether my ${waiting.what} was done, and it is not sent again: look at your chips`,
        }),
      );
      return;
    }
    try {
      await this.carryOut(waiting);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (this.book.sitting.waiting) throw error;
    }
  }

  /** Whether the house may have forgotten that it did the request: after a day, or a restore. */
  async isForgotten(request: Request) {
    if (PLACING.includes(request.what)) return false; // done once, however often it is sent
    return (
      isStale(request) ||
      (request.what === "chips" && ((await this.house.table(this.table)).restored ?? "") !== (request.restored ?? ""))
    );
  }

  /** Send a request that is in the book, and keep its receipt. */
  async carryOut(request: Request): Promise<TableState> {
    const { what, fields, key } = request;
    const before = this.state;
    const token = what === "seats" || this.book.sitting.left ? null : this.book.sitting.token;
    let answer;
    try {
      answer = asState(
        jsonOf(await this.house.ask(`${pathOf(this.table)}/${what}`, { method: "POST", body: fields, token, key })),
      );
    } catch (error) {
      const refused = error instanceof Problem && error.status < 500; // of an error's or a gateway's nobody knows whether it was done
      if (refused) await this.book.answered(request, false);
      throw error instanceof Problem ? this.explained(error) : error;
    }
    if (what === "seats") await this.book.keep({ seat: answer.you?.seat ?? 0, sat: answer.log });
    let wrong: unknown = null;
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

  /** Whether a state is from before the one that was seen last: it came late, or is an answer of then. */
  isOlder({ log, at, restored }: TableState) {
    const { state } = this;
    return Boolean(state) && restored === state.restored && (log < state.log || (log === state.log && at < state.at));
  }

  /** The table is so now. */
  async looked(state: TableState) {
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

  async openNow(cut?: number): Promise<TableState> {
    const { waiting } = this.book.sitting;
    if (waiting?.what === "seed") {
      await this.settle();
      return this.state;
    }
    const [wish] = this.expects("seed");
    if (!wish) throw new Problem(NOT_NOW, { detail: "no seed is wanted now" });
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

  /** @returns whether there was anything */
  async answerNext(): Promise<boolean> {
    const { commit, questions = [] } = this.state?.awaited ?? {};
    if (commit && !this.book.sitting.left && !this.book.sitting.regained) {
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

  tell(type: string, detail: unknown) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  alarm(alarm: Alarm) {
    if (this.alarms.some(({ code, what }) => code === alarm.code && what === alarm.what)) return;
    this.alarms.push(alarm);
    this.book.keepAlarm(this.alarms.length, alarm).catch((error) => this.tell("trouble", error));
    this.tell("alarm", alarm);
  }

  /** @param error of what the seat does by itself */
  told(error: unknown) {
    if (error instanceof Alarm) this.alarm(error);
    else if (error instanceof FairshoeError) this.tell("trouble", error);
    else throw error;
  }

  /** What to do where nobody has the chair by this token. */
  explained<T extends Error>(refusal: T): T {
    if (refusal instanceof Problem && refusal.status === NOBODYS) {
      const { token } = this.book.sitting;
      refusal.remedy = `You have left ${this.table}, were put out, or the token was revoked: the log says which, and what was paid. Who sits there by the log asks the operator to let the token in; its SHA-256 is ${digestOf(token)}.`;
    }
    return refusal;
  }
}

export function cutOf({ cut: range }: Wish<"hash" | "seed">, cut?: number): { cut?: number } {
  return range ? { cut: cut ?? Math.floor((range[0] + range[1]) / 2) } : {};
}
