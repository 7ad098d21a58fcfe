// My hands at a table: noted when they are over, checked when their shoe is, and what shows that one is wrong.

import { FairshoeError } from "../verifier/bytes.mjs";
import { Alarm, Problem } from "./errors.mjs";
import { here } from "./judging.mjs";

/** @typedef {import("./types.mjs").Hand} Hand @typedef {import("./types.mjs").TableState} TableState @typedef {import("./types.mjs").RoundView} RoundView */
/** @typedef {import("./book.mjs").Book} Book @typedef {import("./receipts.mjs").Receipts} Receipts @typedef {(error: unknown) => void} Tell */
/** @typedef {Record<string, any>} Entry */

/** Rounds that were played without this browser and are fetched, the newest. */
const MOST_MISSED = 50;

export class Hands {
  /** @param {Book} book @param {Receipts} receipts @param {import("./log.mjs").Remembered} remembered @param {(hand: Hand) => void} show */
  constructor(book, receipts, remembered, show) {
    this.book = book;
    this.receipts = receipts;
    this.remembered = remembered;
    this.show = show;
    /** what was seen of rounds whose shoe is in play @type {Map<number, RoundView[]>} */
    this.views = new Map();
    /** the shoes of hands that are not checked, once they are known @type {Map<number, string> | null} */
    this.open = null;
    /** @type {Set<number>} */
    this.checking = new Set();
  }

  /** Note a round that is over. @param {TableState} state @param {TableState | null} before @param {{round: number, views: RoundView[]}} seen */
  async look(state, before, seen) {
    const { last } = state;
    if (!last || !before || last.round === before.last?.round) return;
    if (seen.round === last.round) this.views.set(last.round, seen.views);
    const { place } = this.book;
    const hand = this.handOf(last, state.rules, state.options, before.bank, place.seat);
    if (hand) await this.keep(hand, last, place);
  }

  /** @param {Hand} hand @param {Entry | null} entry @param {import("./book.mjs").Place} place */
  async keep(hand, entry, place) {
    await this.book.keepHand(hand, entry, place);
    if (hand.mark === "open") this.open?.set(hand.round, hand.shoe);
    else {
      this.open?.delete(hand.round);
      this.views.delete(hand.round);
    }
    this.show(hand);
  }

  /** @param {Entry} entry a `round` @param {string} rules @param {Hand["options"]} options @param {string} bank who banked @param {number} seat @returns {Hand | null} null where this seat had no part in it */
  handOf(entry, rules, options, bank, seat) {
    const banks = bank === String(seat);
    const hands = entry.hands.filter((/** @type {Entry} */ hand) => banks || hand.seat === seat);
    if (!hands.length) return null;
    const sum = (/** @type {(hand: Entry) => number} */ of) => hands.reduce((/** @type {number} */ all, /** @type {Entry} */ hand) => all + of(hand), 0);
    const net = sum(({ net, insurance = 0 }) => net + insurance);
    return {
      id: `${this.book.table}#${entry.round}`, table: this.book.table, round: entry.round, shoe: entry.shoe, rules, options, at: entry.at, seat, banked: banks,
      stake: banks ? 0 : sum(({ bet, insured = 0 }) => bet + insured), net: banks ? -net : net, mark: "open", step: "", code: "", words: "", entry,
    };
  }

  /** Check the hands whose shoe is over. @param {string | undefined} live the shoe in play @param {Tell} tell */
  async checkEnded(live, tell) {
    if (!this.open) this.open = new Map((await this.book.hands()).filter(({ hand }) => hand.mark === "open").map(({ hand }) => [hand.round, hand.shoe]));
    for (const [round, shoe] of this.open) if (shoe !== live && !this.checking.has(round)) await this.check(round, tell);
  }

  /** Fetch the hands that were played while nobody looked. @param {TableState} state @param {Tell} tell */
  async catchUp({ last }, tell) {
    const rounds = this.receipts.rounds();
    const known = new Set((await this.book.hands()).map(({ hand }) => hand.round));
    const newest = last?.round ?? 0;
    for (const round of rounds.filter((one) => one <= newest && !known.has(one)).slice(-MOST_MISSED)) {
      try {
        await this.check(round, tell);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        tell(error);
      }
    }
  }

  /** Fetch the hands of a player that this browser does not have, as the house lists them; each is proved by the log, without what was kept of it here. @param {string} player @param {Tell} tell @returns {Promise<number>} how many */
  async fetch(player, tell) {
    const { house, table, receipts } = this.book;
    const known = new Set((await this.book.hands()).map(({ hand }) => hand.round));
    let found = 0;
    for await (const { round, seat } of house.handsOf(table, player)) {
      const number = Number(round.slice(table.length + 1));
      if (known.has(number)) continue;
      await this.check(number, tell, { seat, player, from: receipts.length });
      found += 1;
    }
    return found;
  }

  /** @param {number} round @param {Tell} tell @param {import("./book.mjs").Place} [sat] where I sat then, if that is not kept @returns {Promise<Hand>} */
  async check(round, tell, sat = this.book.place) {
    this.checking.add(round);
    try {
      return await this.judged(round, tell, sat);
    } finally {
      this.checking.delete(round);
    }
  }

  /** @param {number} round @param {Tell} tell @param {import("./book.mjs").Place} sat @returns {Promise<Hand>} */
  async judged(round, tell, sat) {
    const { book } = this;
    const { house, table, sitting } = book;
    const id = `${table}#${round}`;
    const kept = await book.hand(round);
    const place = kept?.place ?? sat;
    const proof = await house.proof(id);
    /** @type {import("./hands.mjs").Judgement} */
    let judgement;
    let { rules = "", options } = kept?.hand ?? {};
    let bank = "";
    let shoe = kept?.hand.shoe ?? "";
    try {
      const { entries } = await this.remembered.accept(proof);
      const of = (/** @type {string} */ kind) => entries.find(({ entry }) => entry.kind === kind)?.entry;
      [rules, options, bank, shoe] = [of("table")?.rules ?? rules, of("table")?.options ?? options, of("shoe")?.bank ?? "", of("shoe")?.shoe ?? shoe];
      const pledges = await book.pledges(shoe);
      const own = pledges.find(({ heard, from }) => heard && from === place.from);
      const asked = {
        proof, key: (await house.key()).key, said: this.receipts.ofShoe(shoe, place.from), sure: sitting.waiting === null,
        commitment: own?.commitment ?? "", seed: own?.seed ?? "", seat: place.seat, player: place.player,
        shown: kept?.entry ?? null, seen: this.views.get(round) ?? [],
      };
      judgement = await (house.judge ?? here)(asked);
    } catch (error) {
      if (!(error instanceof Alarm)) throw error;
      judgement = { mark: "fail", step: error.code === "other-key" ? "signature" : "inclusion", code: error.code, words: error.what, entry: null, bets: [] };
    }
    const { entry, mark, step, code, words, bets } = judgement;
    const base = kept?.hand ?? (entry && this.handOf(entry, rules, options, bank, place.seat)) ?? { id, table, round, shoe, rules, options, at: "", seat: place.seat, stake: 0, net: 0, entry: null };
    /** @type {Hand} */
    const hand = { ...base, mark, step, code, words, bets };
    await this.keep(hand, kept?.entry ?? entry, place);
    if (mark === "fail") tell(new Alarm(code, `hand ${id}: ${words}`, { round }));
    return hand;
  }

  /** @param {number | undefined} round @param {Alarm[]} alarms @returns {Promise<string>} */
  async evidence(round, alarms) {
    const { house, table } = this.book;
    const id = round === undefined ? table : `${table}#${round}`;
    let proof = null;
    try {
      proof = round === undefined ? null : await house.proof(id);
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
    }
    const { key } = await house.key();
    const found = alarms.map(({ code, what, note }) => ({ code, what, note }));
    const form = { kind: "fairshoe evidence", v: 1, about: id, house: house.address, key, checkpoint: await this.remembered.checkpoint(), proof, receipts: this.receipts.file(), found };
    return `${JSON.stringify(form)}\n`;
  }
}
