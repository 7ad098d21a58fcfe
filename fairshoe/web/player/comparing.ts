// What a table shows, held against what this seat has sent and seen: at once, before any key is out.

import { same } from "./receipts.ts";
import { Alarm, Shown } from "./errors.ts";
import type { RoundView, TableState } from "./types.ts";
import type { Book } from "./book.ts";
import type { Receipts } from "./receipts.ts";
import type { Fault } from "./hands.ts";

type Form = Record<string, any>;

export class Comparing {
  book: Book;
  receipts: Receipts;
  /** the house has forgotten nothing that this seat has done */
  sure: boolean = true;
  /** the round that was looked at last, and as what */
  seen: { round: number; views: RoundView[] };
  /** decisions that were taken, of this round */
  decided: { round: number; step: number; move: string; amount?: number; chosen?: number[] }[] = [];

  constructor(book: Book, receipts: Receipts) {
    this.book = book;
    this.receipts = receipts;
    this.seen = { round: 0, views: [] };
  }

  isSure({ restored }: TableState) {
    return this.sure && restored === undefined;
  }

  /** The house has taken this. */
  async sent(what: string, fields: Record<string, any>) {
    if (what !== "decisions") return;
    this.decided = [...this.decided.filter(({ round }) => round === fields.round), fields as any];
  }

  async *look(state: TableState, before: TableState | null): AsyncGenerator<Alarm> {
    const sure = this.isSure(state) && this.book.sitting.waiting === null;
    try {
      await this.receipts.look(state, sure);
    } catch (error) {
      if (!(error instanceof Alarm)) throw error;
      yield error;
    }
    yield* this.shoe(state);
    if (sure) yield* this.bets(state);
    yield* this.cards(state);
    if (before && state.last && state.last.round !== before.last?.round) yield* this.over(state.last);
  }

  /** Commitment and hashes, of the shoe that is in play. */
  async *shoe({ shoe }: TableState) {
    if (!shoe) return;
    const known = (await this.book.pledges(shoe.shoe)).filter(
      ({ heard, from }) => heard && from === this.book.sitting.from,
    );
    if (!known.length) return;
    const own = known.find(({ commitment }) => commitment === shoe.commitment);
    const { player } = this.book.sitting;
    if (!own)
      yield new Shown(
        "other-commitment",
        `the house shows another commitment for shoe ${shoe.shoe} than the one that I sent my hash for`,
        { shoe: shoe.shoe, shown: known[0].commitment, now: shoe.commitment },
      );
    else if (shoe.hashes && shoe.hashes[player] !== own.hash)
      yield new Shown(
        "hash-left-out",
        `the house took my hash for shoe ${shoe.shoe}, and it is not among those that it counts`,
        { shoe: shoe.shoe },
      );
  }

  /** My bets, once no more can be made: of the round that opened last, which is not `last` if it came to nothing. */
  async *bets({ round, rounds, shoe, rules, you, last }: TableState) {
    if (!you || rules === "lounge") return;
    const { seat, player } = this.book.sitting;
    const [where, number] = round && shoe ? [shoe.shoe, round.round] : [last?.shoe, last?.round];
    const offer = this.receipts.lastOffer(where, number);
    if (!offer) return;
    const wrong = (words: string) => new Shown("bet-changed", words, { round: number });
    if (offer.length && number === rounds && !you.receipt && this.receipts.link)
      yield wrong(`I bet in round ${number}, and the house gives no receipt of the bets that stand`);
    if (!round || shoe?.struck.includes(player)) return;
    const stand = round.bets.filter((bet) => bet.seat === seat);
    const extra = stand.find((bet) => !offer.some((one) => same(one, bet)));
    if (extra) yield wrong(`a bet of ${extra.amount} stands for me in round ${number} that I did not make`);
  }

  /** Cards that lay face up stay what they were. */
  async *cards({ round, you }: TableState) {
    if (!round?.view || !you) return;
    if (this.seen.round !== round.round) this.seen = { round: round.round, views: [] };
    const { view } = round;
    const cards = ({ dealer, hands }: RoundView) =>
      [dealer, ...hands]
        .flatMap((hand) => hand.cards)
        .filter((card) => card !== null)
        .sort();
    const last = this.seen.views.at(-1);
    if (last && within(cards(view), cards(last))) return; // an older one that came late, or the same
    if (last && !within(cards(last), cards(view)))
      yield new Shown("other-card", `a card that lay face up in round ${round.round} is another one now`, {
        round: round.round,
      });
    this.seen.views.push(view);
  }

  /** A round that is over, as the table shows it. */
  async *over(entry: Record<string, any>) {
    const { seat } = this.book.sitting;
    for (const { round, step, move, amount, chosen } of this.decided) {
      if (round !== entry.round || this.receipts.about(round, step) === "bank") continue;
      const mine = { seat, move, ...(amount && { amount }), ...(chosen?.length && { chosen }) };
      const there = entry.decisions[step];
      if (!same(there, mine))
        yield new Shown(
          "decision-changed",
          `I sent ${move} in round ${round}, which the house took, and it shows ${there ? `${there.move}${there.by ? " by the table" : ""}` : "nothing"}`,
          { round },
        );
    }
    const views = this.seen.round === entry.round ? this.seen.views : [];
    const fault = shownFault(entry, null, views.filter((view) => missing(view, entry)).slice(0, 1));
    if (fault) yield new Shown(fault.code, fault.words, { round: entry.round });
  }
}

/** Whether each of the sorted `some` is in the sorted `all`, as often. */
function within(some: unknown[], all: unknown[]): boolean {
  const left = [...all];
  return some.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** What the log has against what the table showed. */
export function shownFault(round: Form, shown: Form | null, seen: RoundView[]): Fault | null {
  const fault = (code: string, words: string) => ({ step: "shown", code, words });
  for (const view of seen) {
    const card = missing(view, round);
    if (card) return fault("other-card", `I was shown ${card}, and the log has no such card there`);
  }
  if (!shown || same(shown, round)) return null;
  if (!same(shown.cards, round.cards))
    return fault("other-card", "the log has other cards than the table showed when the hand was over");
  if (!same(shown.decisions, round.decisions))
    return fault("decision-changed", "the log has other decisions than the table showed when the hand was over");
  const net = ({ hands }: Form) => hands.map((one: Form) => one.net).join(", ");
  return fault("other-payout", `the table showed another result (${net(shown)}) than its log has (${net(round)})`);
}

/** @returns a card that lay face up in a place where the log has none such; "" where each is there */
export function missing(view: RoundView, round: Form): string {
  const labels = ({ cards }: Form) => cards.map((offset: number) => round.cards[offset]);
  const place = ({ seat, box }: Form) => `${box ?? seat}`;
  const logged: Map<string, string[]> = new Map([["dealer", labels(round.dealer)]]);
  for (const hand of round.hands) logged.set(place(hand), [...(logged.get(place(hand)) ?? []), ...labels(hand)]);
  for (const hand of [view.dealer, ...view.hands]) {
    const left = logged.get(hand === view.dealer ? "dealer" : place(hand)) ?? [];
    for (const card of hand.cards) {
      if (card === null) continue;
      const at = left.indexOf(card);
      if (at < 0) return card;
      left.splice(at, 1);
    }
  }
  return "";
}
