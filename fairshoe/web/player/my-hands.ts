// My hands at a table: noted when they are over, checked when their shoe is, and what shows that one is wrong.

import { FairshoeError } from "../verifier/bytes.ts";
import { GAMES } from "../verifier/games.ts";
import { Alarm, Problem } from "./errors.ts";
import { here } from "./judging.ts";
import type { Hand, RoundView, TableState } from "./types.ts";
import type { Book, Place } from "./book.ts";
import type { Receipts } from "./receipts.ts";
import type { Remembered } from "./log.ts";
import type { Judgement } from "./hands.ts";

type Tell = (error: unknown) => void;
type Entry = Record<string, any>;

/** Rounds that were played without this browser and are fetched, the newest. */
const MOST_MISSED = 50;

/** Who sat where in a shoe, by its entries: its contributors (docs/log.md), and those who came since. */
function playersOf(shoe: Entry, entries: Entry[]): Record<number, string> {
  const { owes = [], waits = [], away = [], chips = {}, roster = [] } = shoe;
  const seats = Object.keys(chips).filter(
    (name) => Number(name) > 0 && ![...owes, ...waits, ...away].includes(Number(name)),
  );
  const came = entries.filter(({ kind, op }) => kind === "chips" && op === "buy-in");
  return {
    ...Object.fromEntries(seats.map((seat, i) => [seat, roster[i]])),
    ...Object.fromEntries(came.map(({ seat, name, player }) => [seat, name ?? player])),
  };
}

export class Hands {
  book: Book;
  receipts: Receipts;
  remembered: Remembered;
  show: (hand: Hand) => void;
  /** what was seen of rounds whose shoe is in play */
  views: Map<number, RoundView[]> = new Map();
  /** the shoes of hands that are not checked, once they are known */
  open: Map<number, string> | null = null;
  checking: Set<number> = new Set();

  constructor(book: Book, receipts: Receipts, remembered: Remembered, show: (hand: Hand) => void) {
    this.book = book;
    this.receipts = receipts;
    this.remembered = remembered;
    this.show = show;
  }

  /** Note a round that is over. */
  async look(state: TableState, before: TableState | null, seen: { round: number; views: RoundView[] }) {
    const { last } = state;
    if (!last || !before || last.round === before.last?.round) return;
    if (seen.round === last.round) this.views.set(last.round, seen.views);
    const { place } = this.book;
    const hand = this.handOf(last, state.rules, state.options, before.bank, place.seat);
    if (!hand) return;
    const seed = (await this.book.pledges(last.shoe)).find(({ from }) => from === place.from)?.typed;
    const names = Object.fromEntries(before.seats.map(({ seat, player, name = player }) => [seat, name]));
    await this.keep({ ...hand, names, ...(seed && { seed }) }, last, place);
  }

  async keep(hand: Hand, entry: Entry | null, place: Place) {
    await this.book.keepHand(hand, entry, place);
    if (hand.mark === "open") this.open?.set(hand.round, hand.shoe);
    else {
      this.open?.delete(hand.round);
      this.views.delete(hand.round);
    }
    this.show(hand);
  }

  /** `entry`: a `round`; `bank`: who banked. Returns null where this seat had no part in it. */
  handOf(entry: Entry, rules: string, options: Hand["options"], bank: string, seat: number): Hand | null {
    const banks = bank === String(seat);
    const hands = entry.hands.filter((hand: Entry) => banks || hand.seat === seat);
    if (!hands.length) return null;
    const sum = (of: (hand: Entry) => number) => hands.reduce((all: number, hand: Entry) => all + of(hand), 0);
    const net = sum(({ net, insurance = 0 }) => net + insurance);
    return {
      id: `${this.book.table}#${entry.round}`,
      table: this.book.table,
      round: entry.round,
      shoe: entry.shoe,
      rules,
      options,
      at: entry.at,
      seat,
      banked: banks,
      stake: banks || GAMES[rules].pool ? 0 : sum(({ bet, insured = 0 }) => bet + insured), // gifts come out of a pool
      net: banks ? -net : net,
      mark: "open",
      step: "",
      code: "",
      words: "",
      entry,
    };
  }

  /** Check the hands whose shoe is over. `live`: the shoe in play. */
  async checkEnded(live: string | undefined, tell: Tell) {
    if (!this.open)
      this.open = new Map(
        (await this.book.hands()).filter(({ hand }) => hand.mark === "open").map(({ hand }) => [hand.round, hand.shoe]),
      );
    for (const [round, shoe] of this.open)
      if (shoe !== live && !this.checking.has(round)) await this.check(round, tell);
  }

  /** Fetch the hands that were played while nobody looked. */
  async catchUp({ last }: TableState, tell: Tell) {
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

  /** Fetch a player's hands that this browser lacks, each proved by the log. Returns how many. */
  async fetch(player: string, tell: Tell): Promise<number> {
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

  /** @param sat where I sat then, if that is not kept */
  async check(round: number, tell: Tell, sat: Place = this.book.place): Promise<Hand> {
    this.checking.add(round);
    try {
      return await this.judged(round, tell, sat);
    } finally {
      this.checking.delete(round);
    }
  }

  async judged(round: number, tell: Tell, sat: Place): Promise<Hand> {
    const { book } = this;
    const { house, table, sitting } = book;
    const id = `${table}#${round}`;
    const kept = await book.hand(round);
    const place = kept?.place ?? sat;
    const proof = await house.proof(id);
    let judgement: Judgement;
    let { rules = "", options } = kept?.hand ?? {};
    let bank = "";
    let names: Record<number, string> = {};
    let shoe = kept?.hand.shoe ?? "";
    try {
      const { entries } = await this.remembered.accept(proof);
      const of = (kind: string) => entries.find(({ entry }) => entry.kind === kind)?.entry;
      [rules, options, bank, shoe] = [
        of("table")?.rules ?? rules,
        of("table")?.options ?? options,
        of("shoe")?.bank ?? "",
        of("shoe")?.shoe ?? shoe,
      ];
      names = playersOf(
        of("shoe") ?? {},
        entries.map(({ entry }) => entry),
      );
      const pledges = await book.pledges(shoe);
      const own = pledges.find(({ heard, from }) => heard && from === place.from);
      const asked = {
        proof,
        key: (await house.key()).key,
        said: this.receipts.ofShoe(shoe, place.from),
        sure: sitting.waiting === null,
        commitment: own?.commitment ?? "",
        seed: own?.seed ?? "",
        seat: place.seat,
        player: place.player,
        shown: kept?.entry ?? null,
        seen: this.views.get(round) ?? [],
      };
      judgement = await (house.judge ?? here)(asked);
    } catch (error) {
      if (!(error instanceof Alarm)) throw error;
      judgement = {
        mark: "fail",
        step: error.code === "other-key" ? "signature" : "inclusion",
        code: error.code,
        words: error.what,
        entry: null,
        bets: [],
      };
    }
    const { entry, mark, step, code, words, bets } = judgement;
    const base = kept?.hand ??
      (entry && this.handOf(entry, rules, options, bank, place.seat)) ?? {
        id,
        table,
        round,
        shoe,
        rules,
        options,
        at: "",
        seat: place.seat,
        stake: 0,
        net: 0,
        entry: null,
      };
    const hand: Hand = { names, ...base, mark, step, code, words, bets };
    await this.keep(hand, kept?.entry ?? entry, place);
    if (mark === "fail") tell(new Alarm(code, `hand ${id}: ${words}`, { round }));
    return hand;
  }

  async evidence(round: number | undefined, alarms: Alarm[]): Promise<string> {
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
    const form = {
      kind: "fairshoe evidence",
      v: 1,
      about: id,
      house: house.address,
      key,
      checkpoint: await this.remembered.checkpoint(),
      proof,
      receipts: this.receipts.file(),
      found,
    };
    return `${JSON.stringify(form)}\n`;
  }
}
