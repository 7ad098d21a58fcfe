// A round as the log tells it, played again: cards are taken in the order in which they were dealt, choices in the
// order in which they were made. A game's own file says when a card is drawn, who sees it and who is asked.

import { count, FRENCH, isNatural, rank, value } from "../cards.ts";

/** What a round holds that the rules do not allow. */
export class Wrong extends Error {
  declare check: string;
  declare field: string;
  declare expected: unknown;
  declare found: unknown;

  /** @param check which check of audit.md fails */
  constructor(check: string, field: string, expected: unknown, found: unknown) {
    super(field);
    Object.assign(this, { check, field, expected, found });
  }
}

/** one choice of a seat */
export interface Decision {
  seat: number;
  move: string;
  amount?: number;
  chosen?: number[];
  by?: string;
}
export interface Bet {
  seat: number;
  amount: number;
  box?: number;
}
export interface Hand {
  seat: number;
  box?: number;
  /** a double included */
  bet: number;
  /** offsets into the round's cards */
  cards: number[];
  split: boolean;
  natural: boolean;
  /** empty while nothing is settled */
  outcome: string;
  net: number;
  insured: number;
  insurance: number;
  short: number;
  /** pontoon: how many cards the bonus reached so far is for */
  tier: number;
}
/** what may be chosen beside the move */
interface Ways {
  /** of a move: from … to; left out: none */
  amount?: Record<string, [number, number]>;
  /** the seats of which some are chosen */
  among?: number[];
  /** logged even where there is one way only (CH-09) */
  always?: boolean;
  /** what the table does at its time limit */
  fallback?: string;
}

/** What a round begins with. */
interface Start {
  /** the table's */
  options: Record<string, any>;
  /** in acting order */
  bets: Bet[];
  /** the dealer's seat, 0 where the house deals */
  dealer: number;
  /** what it has before the round where it deals */
  house?: number;
  /** of the lounge */
  pool: number;
  /** as logged */
  decisions: Decision[];
  /** position of the first card */
  pos: number;
  /** how many cards the present deck has */
  size: number;
  /** how many cards the shoe has */
  shoe: number;
  /** whether a reshuffle burns a card */
  burns: boolean;
  /** what each rank counts, by the deck */
  values?: Readonly<Record<string, number>>;
}

export interface Round extends Required<Start> {}
export class Round {
  declare gifts: boolean;
  declare logged: string[];
  cards: string[] = [];
  bank: number[] = [];
  /** offsets of cards that lie face down, and the seat that sees each: 0 for nobody */
  hidden: Map<number, number> = new Map();
  reshuffles: { after: number; cards: number }[] = [];
  asked: number = 0;
  /** void: the dealer of chinese had it dealt again (CH-24) */
  void: boolean = false;
  declare hands: Hand[];
  /** chips that are not staked */
  declare purse: Map<number, number>;

  /** `chips`: of each seat before the round; `cards`: as logged. */
  constructor({ chips, cards, ...start }: Start & { chips: Map<number, number>; cards: string[] }) {
    Object.assign(this, { house: 0, values: FRENCH.values }, start);
    this.gifts = start.options.gift !== undefined; // lounge: nothing is staked
    this.logged = cards;
    this.hands = start.bets.map(newHand);
    this.purse = new Map(chips);
    for (const { seat, amount } of start.bets) this.pay(seat, -amount);
  }

  /** Cards that can still come: all that do not lie on the table (PO-10). */
  get drawable() {
    return this.shoe - this.cards.length;
  }

  /** @returns those that are not settled */
  get open(): Hand[] {
    return this.hands.filter((hand) => !hand.outcome);
  }

  /** The next card. `to`: the offsets of a hand. */
  draw(to: number[]) {
    if (this.pos >= this.size) {
      const gathered = this.drawable;
      if (gathered < 1) throw new Wrong("cards", "cards", "a card that is left", "none");
      this.reshuffles.push({ after: this.cards.length, cards: gathered });
      this.size = gathered;
      this.pos = this.burns && gathered > 1 ? 1 : 0;
    }
    const offset = this.cards.length;
    if (offset >= this.logged.length) throw new Wrong("cards", "cards", "one more card", this.logged.length);
    this.cards.push(this.logged[offset]);
    to.push(offset);
    this.pos += 1;
  }

  /** The next card, face down. `seat`: who sees it; 0 for nobody. */
  drawDown(to: number[], seat: number) {
    this.draw(to);
    this.hidden.set(this.cards.length - 1, seat);
  }

  /** @param offsets cards that are turned up */
  show(offsets: number[]) {
    for (const offset of offsets) this.hidden.delete(offset);
  }

  /** Two circuits of one card each, the dealer last, whose second card lies face down; then insurance. `exact`: as of insure. */
  deal(exact: boolean) {
    for (const circuit of [1, 2]) {
      for (const hand of this.hands) this.draw(hand.cards);
      if (circuit === 1) this.draw(this.bank);
      else this.drawDown(this.bank, 0);
    }
    this.insure(exact);
    this.markNaturals();
  }

  labelsOf(offsets: number[]) {
    return offsets.map((offset) => this.cards[offset]);
  }

  valuesOf(offsets: number[]) {
    return this.labelsOf(offsets).map((label) => value(label, this.values));
  }

  isNatural(offsets: number[]) {
    return isNatural(this.labelsOf(offsets), this.values);
  }

  totalOf(offsets: number[]) {
    return count(this.labelsOf(offsets), this.values).total;
  }

  /** @param hand whether the purse has as much again beside what is staked (GE-11) */
  covers(hand: Hand, amount = hand.bet) {
    return (this.purse.get(hand.seat) ?? 0) >= amount;
  }

  /** @param amount what its purse gets; of a stake below zero */
  pay(seat: number, amount: number) {
    if (!this.gifts || amount > 0) this.purse.set(seat, (this.purse.get(seat) ?? 0) + amount);
  }

  /** @param amount what the bank gets */
  bankGets(amount: number) {
    if (this.dealer) this.pay(this.dealer, amount);
    else if (this.gifts) this.pool += amount;
    else this.house += amount;
  }

  /** Asks a seat, and takes its answer from the log; what is forced is not asked (GE-12). `moves`: what is legal. */
  ask(seat: number, moves: string[], ways: Ways = {}): Decision {
    if (moves.length === 1 && !ways.always) return { seat, move: moves[0] };
    const decision = this.decisions[this.asked];
    if (!decision) throw new Wrong("decisions", `decisions[${this.asked}]`, { seat, moves }, undefined);
    const { move, amount = 0, chosen = [] } = decision;
    const among = move === "reveal" ? (ways.among ?? []) : [];
    const [least, most] = ways.amount?.[move] ?? [0, 0];
    const fallback = ways.fallback ?? ["stand", "decline", "continue", "hit"].find((one) => moves.includes(one));
    const defaults = move === fallback && (move !== "reveal" || chosen.length === among.length);
    const must = (holds: boolean, field: string, expected: unknown, found: unknown) => {
      if (!holds) throw new Wrong("decisions", `decisions[${this.asked}]${field}`, expected, found);
    };
    must(decision.seat === seat, ".seat", seat, decision.seat);
    must(moves.includes(move), ".move", moves, move);
    must(amount >= least && amount <= most && decision.amount !== 0, ".amount", [least, most], decision.amount);
    must(
      move === "reveal" ? chosen.length > 0 && chosen.every((one) => among.includes(one)) : !decision.chosen,
      ".chosen",
      among,
      decision.chosen,
    );
    must(decision.by !== "table" || defaults, "", fallback, decision);
    this.asked += 1;
    return decision;
  }

  /** Everybody's insurance, in turn, where the dealer shows an ace. `exact`: half the bet, or up to half of it. */
  insure(exact: boolean) {
    if (rank(this.cards[this.bank[0]]) !== "A") return;
    for (const hand of this.hands) {
      const half = hand.bet / 2;
      const most = exact && !this.covers(hand, half) ? 0 : Math.min(half, this.purse.get(hand.seat) ?? 0);
      if (most < 1) continue;
      const { move, amount = 0 } = this.ask(hand.seat, ["insure", "decline"], {
        amount: { insure: [exact ? half : 1, most] },
      });
      if (move !== "insure") continue;
      hand.insured = amount;
      this.pay(hand.seat, -amount);
    }
  }

  /** Marks the naturals among the hands as dealt. */
  markNaturals() {
    for (const hand of this.hands) hand.natural = this.isNatural(hand.cards);
  }

  /** The dealer's natural pays insurance 2:1, and all but a natural loses to it; a player's alone pays 3:2. */
  settleNaturals() {
    const house = this.isNatural(this.bank);
    for (const hand of this.hands) {
      hand.insurance = house ? 2 * hand.insured : -hand.insured;
      this.pay(hand.seat, hand.insured + hand.insurance);
      this.bankGets(-hand.insurance);
    }
    for (const hand of this.open) {
      if (house) this.settle(hand, hand.natural ? "push" : "lose", hand.natural ? 0 : -hand.bet);
      else if (hand.natural) this.settle(hand, "natural", (hand.bet / 2) * 3);
    }
  }

  /** @param hand one card more; over 21 it is lost at once */
  hit(hand: Hand) {
    this.draw(hand.cards);
    if (this.isBust(hand)) this.settle(hand, "bust", this.gifts ? 0 : -hand.bet);
  }

  /** @param hand doubled: the stake for one card more, and no other */
  stakeDouble(hand: Hand) {
    this.pay(hand.seat, -hand.bet);
    hand.bet *= 2;
  }

  /** Makes two hands of one; neither has its second card yet. Returns the right one, which stands behind it. */
  split(left: Hand): Hand {
    this.pay(left.seat, -left.bet);
    const right = newHand({ seat: left.seat, amount: left.bet, box: left.box });
    this.show(left.cards);
    right.cards = left.cards.splice(1);
    left.split = right.split = true;
    this.hands.splice(this.hands.indexOf(left) + 1, 0, right);
    return right;
  }

  settle(hand: Hand, outcome: string, net: number) {
    hand.outcome = outcome;
    hand.net = net;
    this.show(hand.cards);
    this.pay(hand.seat, (this.gifts ? 0 : hand.bet) + net);
    this.bankGets(-net);
  }

  /** @param hand over 21 */
  isBust(hand: Hand) {
    return this.totalOf(hand.cards) > 21;
  }

  /** Settles the open hands against the dealer's total. `tie`: what equal totals are: "push", or "lose". */
  compare(tie: string) {
    const dealer = this.totalOf(this.bank);
    for (const hand of this.open) {
      const own = this.totalOf(hand.cards);
      if (dealer > 21 || own > dealer) this.settle(hand, "win", hand.bet);
      else if (own === dealer && tie === "push") this.settle(hand, "push", 0);
      else this.settle(hand, "lose", -hand.bet);
    }
  }

  /** The dealer draws to 17. `softToo`: whether to a soft 17 as well; `most`: cards. */
  drawTo17(softToo: boolean, most: number = Infinity) {
    this.show(this.bank);
    for (;;) {
      const { total, soft } = count(this.labelsOf(this.bank), this.values);
      if (this.bank.length >= most || total > 17 || (total === 17 && !(soft && softToo))) return;
      this.draw(this.bank);
    }
  }

  /** The dealer draws if any hand is open, and these are settled: equal totals push. */
  finish(softToo: boolean) {
    if (this.open.length) this.drawTo17(softToo);
    this.compare("push");
  }
}

/** A hand from its first decision on, where 21 stands and a split hand gets both cards at once (banker, boxes). */
export function playDealt(round: Round, hand: Hand, moves: string[]) {
  const on = (one: Hand) => {
    while (round.totalOf(one.cards) < 21 && round.ask(one.seat, ["hit", "stand"]).move === "hit") round.hit(one);
  };
  const { move } = round.ask(hand.seat, moves);
  if (move === "surrender") round.settle(hand, "surrender", -hand.bet / 2);
  if (move === "double") round.stakeDouble(hand);
  if (move === "double" || move === "hit") round.hit(hand);
  if (move === "hit") on(hand);
  if (move !== "split") return;
  const pair = [hand, round.split(hand)];
  for (const one of pair) round.draw(one.cards);
  if (rank(round.cards[hand.cards[0]]) !== "A") pair.forEach(on);
}

function newHand({ seat, amount, box }: Bet): Hand {
  return {
    seat,
    box,
    bet: amount,
    cards: [],
    split: false,
    natural: false,
    outcome: "",
    net: 0,
    insured: 0,
    insurance: 0,
    short: 0,
    tier: 0,
  };
}
