// A round as the log tells it, played again: cards are taken in the order in which they were dealt, choices in the
// order in which they were made. A game's own file says when a card is drawn, who sees it and who is asked.

import { count, FRENCH, isNatural, rank, value } from "../cards.mjs";

/** What a round holds that the rules do not allow. */
export class Wrong extends Error {
  /** @param {string} check which check of audit.md fails @param {string} field @param {unknown} expected @param {unknown} found */
  constructor(check, field, expected, found) {
    super(`${field}: ${JSON.stringify(expected)} expected, ${JSON.stringify(found)} found`);
    this.check = check;
    this.field = field;
    this.expected = expected;
    this.found = found;
  }
}

/**
 * @typedef {object} Decision one choice of a seat
 * @property {number} seat
 * @property {string} move
 * @property {number} [amount]
 * @property {number[]} [chosen]
 * @property {string} [by]
 *
 * @typedef {object} Bet
 * @property {number} seat
 * @property {number} amount
 * @property {number} [box]
 *
 * @typedef {object} Hand
 * @property {number} seat
 * @property {number} [box]
 * @property {number} bet a double included
 * @property {number[]} cards offsets into the round's cards
 * @property {boolean} split
 * @property {boolean} natural
 * @property {string} outcome empty while nothing is settled
 * @property {number} net
 * @property {number} insured
 * @property {number} insurance
 * @property {number} short
 * @property {number} tier pontoon: how many cards the bonus reached so far is for
 *
 * @typedef {object} Ways what may be chosen beside the move
 * @property {Record<string, [number, number]>} [amount] of a move: from … to; left out: none
 * @property {number[]} [among] the seats of which some are chosen
 * @property {boolean} [always] logged even where there is one way only (CH-09)
 * @property {string} [fallback] what the table does at its time limit
 */

export class Round {
  /**
   * @param {object} given
   * @param {Record<string, any>} given.options the table's
   * @param {Bet[]} given.bets in acting order
   * @param {Map<number, number>} given.chips of each seat before the round
   * @param {number} given.dealer the dealer's seat, 0 where the house deals
   * @param {number} [given.house] what it has before the round where it deals
   * @param {number} given.pool of the lounge
   * @param {string[]} given.cards as logged
   * @param {Decision[]} given.decisions as logged
   * @param {number} given.pos position of the first card
   * @param {number} given.size how many cards the present deck has
   * @param {number} given.shoe how many cards the shoe has
   * @param {boolean} given.burns whether a reshuffle burns a card
   * @param {Readonly<Record<string, number>>} [given.values] what each rank counts, by the deck
   */
  constructor(given) {
    this.options = given.options;
    this.bets = given.bets;
    this.dealer = given.dealer;
    this.house = given.house ?? 0;
    this.pool = given.pool;
    this.gifts = given.options.gift !== undefined; // lounge: nothing is staked
    this.logged = given.cards;
    this.decisions = given.decisions;
    this.pos = given.pos;
    this.size = given.size;
    this.shoe = given.shoe;
    this.burns = given.burns;
    this.values = given.values ?? FRENCH.values;
    /** @type {string[]} */ this.cards = [];
    /** @type {number[]} */ this.bank = [];
    /** @type {Map<number, number>} offsets of cards that lie face down, and the seat that sees each: 0 for nobody */ this.hidden = new Map();
    /** @type {{after: number, cards: number}[]} */
    this.reshuffles = [];
    this.asked = 0;
    /** void: the dealer of chinese had it dealt again (CH-24) */
    this.void = false;
    /** @type {Hand[]} */
    this.hands = given.bets.map(newHand);
    /** @type {Map<number, number>} chips that are not staked */
    this.purse = new Map(given.chips);
    for (const { seat, amount } of given.bets) this.pay(seat, -amount);
  }

  /** Cards that can still come: all that do not lie on the table (PO-10). */
  get drawable() {
    return this.shoe - this.cards.length;
  }

  /** @returns {Hand[]} those that are not settled */
  get open() {
    return this.hands.filter((hand) => !hand.outcome);
  }

  /** The next card. @param {number[]} to the offsets of a hand */
  draw(to) {
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

  /** The next card, face down. @param {number[]} to @param {number} seat who sees it; 0 for nobody */
  drawDown(to, seat) {
    this.draw(to);
    this.hidden.set(this.cards.length - 1, seat);
  }

  /** @param {number[]} offsets cards that are turned up */
  show(offsets) {
    for (const offset of offsets) this.hidden.delete(offset);
  }

  /** Two circuits of one card each, the dealer last, whose second card lies face down. */
  deal() {
    for (const circuit of [1, 2]) {
      for (const hand of this.hands) this.draw(hand.cards);
      if (circuit === 1) this.draw(this.bank);
      else this.drawDown(this.bank, 0);
    }
  }

  /** @param {number[]} offsets */
  labels(offsets) {
    return offsets.map((offset) => this.cards[offset]);
  }

  /** @param {number[]} offsets */
  valuesOf(offsets) {
    return this.labels(offsets).map((label) => value(label, this.values));
  }

  /** @param {number[]} offsets */
  isNatural(offsets) {
    return isNatural(this.labels(offsets), this.values);
  }

  /** @param {number[]} offsets */
  total(offsets) {
    return count(this.labels(offsets), this.values).total;
  }

  /** @param {Hand} hand whether the purse has as much again beside what is staked (GE-11) */
  covers(hand, amount = hand.bet) {
    return (this.purse.get(hand.seat) ?? 0) >= amount;
  }

  /** @param {number} seat @param {number} amount what its purse gets; of a stake below zero */
  pay(seat, amount) {
    if (!this.gifts || amount > 0) this.purse.set(seat, (this.purse.get(seat) ?? 0) + amount);
  }

  /** @param {number} amount what the bank gets */
  bankGets(amount) {
    if (this.dealer) this.pay(this.dealer, amount);
    else if (this.gifts) this.pool += amount;
    else this.house += amount;
  }

  /**
   * Asks a seat, and takes its answer from the log; what is forced is not asked (GE-12).
   * @param {number} seat
   * @param {string[]} moves what is legal
   * @param {Ways} [ways]
   * @returns {Decision}
   */
  ask(seat, moves, ways = {}) {
    if (moves.length === 1 && !ways.always) return { seat, move: moves[0] };
    const decision = this.decisions[this.asked];
    if (!decision) throw new Wrong("decisions", `decisions[${this.asked}]`, { seat, moves }, undefined);
    const { move, amount = 0, chosen = [] } = decision;
    const among = move === "reveal" ? ways.among ?? [] : [];
    const [least, most] = ways.amount?.[move] ?? [0, 0];
    const fallback = ways.fallback ?? ["stand", "decline", "continue", "hit"].find((one) => moves.includes(one));
    const defaults = move === fallback && (move !== "reveal" || chosen.length === among.length);
    /** @param {boolean} holds @param {string} field @param {unknown} expected @param {unknown} found */
    const must = (holds, field, expected, found) => {
      if (!holds) throw new Wrong("decisions", `decisions[${this.asked}]${field}`, expected, found);
    };
    must(decision.seat === seat, ".seat", seat, decision.seat);
    must(moves.includes(move), ".move", moves, move);
    must(amount >= least && amount <= most && decision.amount !== 0, ".amount", [least, most], decision.amount);
    must(move === "reveal" ? chosen.length > 0 && chosen.every((one) => among.includes(one)) : !decision.chosen, ".chosen", among, decision.chosen);
    must(decision.by !== "table" || defaults, "", fallback, decision);
    this.asked += 1;
    return decision;
  }

  /** Everybody's insurance, in turn, where the dealer shows an ace. @param {boolean} exact half the bet, or up to half of it */
  insure(exact) {
    if (rank(this.cards[this.bank[0]]) !== "A") return;
    for (const hand of this.hands) {
      const half = hand.bet / 2;
      const most = exact && !this.covers(hand, half) ? 0 : Math.min(half, this.purse.get(hand.seat) ?? 0);
      if (most < 1) continue;
      const { move, amount = 0 } = this.ask(hand.seat, ["insure", "decline"], { amount: { insure: [exact ? half : 1, most] } });
      if (move !== "insure") continue;
      hand.insured = amount;
      this.pay(hand.seat, -amount);
    }
  }

  /** @param {boolean} won insurance pays 2:1 */
  settleInsurance(won) {
    for (const hand of this.hands) {
      hand.insurance = won ? 2 * hand.insured : -hand.insured;
      this.pay(hand.seat, hand.insured + hand.insurance);
      this.bankGets(-hand.insurance);
    }
  }

  /** Marks the naturals among the hands as dealt. */
  markNaturals() {
    for (const hand of this.hands) hand.natural = this.isNatural(hand.cards);
  }

  /** @param {boolean} house whether the dealer has a natural: all else loses; a player's alone pays 3:2 */
  settleNaturals(house) {
    for (const hand of this.open) {
      if (house) this.settle(hand, hand.natural ? "push" : "lose", hand.natural ? 0 : -hand.bet);
      else if (hand.natural) this.settle(hand, "natural", (hand.bet / 2) * 3);
    }
  }

  /** @param {Hand} hand one card more; over 21 it is lost at once */
  hit(hand) {
    this.draw(hand.cards);
    if (this.isBust(hand)) this.settle(hand, "bust", this.gifts ? 0 : -hand.bet);
  }

  /** @param {Hand} hand doubled: the stake for one card more, and no other */
  stakeDouble(hand) {
    this.pay(hand.seat, -hand.bet);
    hand.bet *= 2;
  }

  /** Makes two hands of one; neither has its second card yet. @param {Hand} left @returns {Hand} the right one, which stands behind it */
  split(left) {
    this.pay(left.seat, -left.bet);
    const right = newHand({ seat: left.seat, amount: left.bet, box: left.box });
    this.show(left.cards);
    right.cards = left.cards.splice(1);
    left.split = right.split = true;
    this.hands.splice(this.hands.indexOf(left) + 1, 0, right);
    return right;
  }

  /** @param {Hand} hand @param {string} outcome @param {number} net */
  settle(hand, outcome, net) {
    hand.outcome = outcome;
    hand.net = net;
    this.show(hand.cards);
    this.pay(hand.seat, (this.gifts ? 0 : hand.bet) + net);
    this.bankGets(-net);
  }

  /** @param {Hand} hand over 21 */
  isBust(hand) {
    return this.total(hand.cards) > 21;
  }

  /** Settles the open hands against the dealer's total. @param {string} tie what equal totals are: "push", or "lose" */
  compare(tie) {
    const dealer = this.total(this.bank);
    for (const hand of this.open) {
      const own = this.total(hand.cards);
      if (dealer > 21 || own > dealer) this.settle(hand, "win", hand.bet);
      else if (own === dealer && tie === "push") this.settle(hand, "push", 0);
      else this.settle(hand, "lose", -hand.bet);
    }
  }

  /** The dealer draws to 17. @param {boolean} softToo whether to a soft 17 as well @param {number} [most] cards */
  drawTo17(softToo, most = Infinity) {
    this.show(this.bank);
    for (;;) {
      const { total, soft } = count(this.labels(this.bank), this.values);
      if (this.bank.length >= most || total > 17 || (total === 17 && !(soft && softToo))) return;
      this.draw(this.bank);
    }
  }
}

/**
 * A hand from its first decision on where 21 stands by itself, and a split hand gets both cards at once (banker, boxes).
 * @param {Round} round
 * @param {Hand} hand
 * @param {string[]} moves
 */
export function playDealt(round, hand, moves) {
  const on = (/** @type {Hand} */ one) => {
    while (round.total(one.cards) < 21 && round.ask(one.seat, ["hit", "stand"]).move === "hit") round.hit(one);
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

/** @param {Bet} bet @returns {Hand} */
function newHand({ seat, amount, box }) {
  return {
    seat, box, bet: amount, cards: [], split: false, natural: false, outcome: "", net: 0, insured: 0, insurance: 0, short: 0, tier: 0,
  };
}
