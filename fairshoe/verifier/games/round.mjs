// A round as the log tells it, played again: cards are taken in the order in which they were dealt, choices in the
// order in which they were made. A game's own file says when a card is drawn and who is asked.

import { count, isNatural } from "../cards.mjs";

/** What a round holds that the rules do not allow. */
export class Wrong extends Error {
  /**
   * @param {string} check which check of audit.md fails
   * @param {string} field
   * @param {unknown} expected
   * @param {unknown} found
   */
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
 * @property {number} tier pontoon: the bonus reached so far, in bets
 *
 * @typedef {object} Ways what may be chosen beside the move
 * @property {(move: string) => [number, number]} [amount] from … to; left out: none
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
   * @param {number} given.pool of the lounge
   * @param {string[]} given.cards as logged
   * @param {Decision[]} given.decisions as logged
   * @param {number} given.pos position of the first card
   * @param {number} given.size how many cards the present deck has
   * @param {number} given.shoe how many cards the shoe has
   * @param {boolean} given.burns whether a reshuffle burns a card
   */
  constructor(given) {
    this.options = given.options;
    this.bets = given.bets;
    this.dealer = given.dealer;
    this.pool = given.pool;
    this.logged = given.cards;
    this.decisions = given.decisions;
    this.pos = given.pos;
    this.size = given.size;
    this.shoe = given.shoe;
    this.burns = given.burns;
    /** @type {string[]} */ this.cards = [];
    /** @type {number[]} */ this.bank = [];
    /** @type {{after: number, cards: number}[]} */ this.reshuffles = [];
    this.asked = 0;
    /** void: the dealer of chinese had it dealt again (CH-24) */
    this.void = false;
    /** @type {Hand[]} */
    this.hands = given.bets.map((bet) => hand(bet.seat, bet.amount, bet.box));
    /** @type {Map<number, number>} chips that are not staked */
    this.purse = new Map(given.chips);
    for (const bet of given.bets) this.stake(bet.seat, bet.amount);
  }

  /** Cards that can still come: all that do not lie on the table (PO-10). */
  get drawable() {
    return this.shoe - this.cards.length;
  }

  /**
   * The next card.
   * @param {number[]} to the offsets of a hand
   */
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

  /** @param {number[]} offsets */
  labels(offsets) {
    return offsets.map((offset) => this.cards[offset]);
  }

  /** @param {number[]} offsets */
  total(offsets) {
    return count(this.labels(offsets)).total;
  }

  /** @param {number} seat @param {number} amount whether the purse has so much beside what is staked (GE-11) */
  covers(seat, amount) {
    return (this.purse.get(seat) ?? 0) >= amount;
  }

  /** @param {number} seat @param {number} amount */
  stake(seat, amount) {
    this.purse.set(seat, (this.purse.get(seat) ?? 0) - amount);
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
    const at = `decisions[${this.asked}]`;
    const decision = this.decisions[this.asked];
    if (!decision) throw new Wrong("decisions", at, { seat, moves }, undefined);
    if (decision.seat !== seat) throw new Wrong("decisions", `${at}.seat`, seat, decision.seat);
    const { move } = decision;
    if (!moves.includes(move)) throw new Wrong("decisions", `${at}.move`, moves, move);
    const range = ways.amount?.(move) ?? [0, 0];
    const amount = decision.amount ?? 0;
    if (amount < range[0] || amount > range[1] || decision.amount === 0) {
      throw new Wrong("decisions", `${at}.amount`, range, decision.amount);
    }
    const chosen = decision.chosen ?? [];
    const among = move === "reveal" ? ways.among ?? [] : [];
    if (move === "reveal" ? !chosen.length || !chosen.every((one) => among.includes(one)) : decision.chosen) {
      throw new Wrong("decisions", `${at}.chosen`, among, decision.chosen);
    }
    if (decision.by === "table") {
      const fallback = ways.fallback ?? ["stand", "decline", "continue", "hit"].find((one) => moves.includes(one));
      const all = move !== "reveal" || chosen.length === among.length;
      if (move !== fallback || !all) throw new Wrong("decisions", at, fallback, decision);
    }
    this.asked += 1;
    return decision;
  }

  /**
   * Everybody's insurance, in turn, where the dealer shows an ace.
   * @param {(hand: Hand) => [number, number]} range the least and the most that may be staked
   */
  insure(range) {
    for (const hand of this.hands) {
      const [least, most] = range(hand);
      if (most < least || most < 1) continue;
      const answer = this.ask(hand.seat, ["insure", "decline"], {
        amount: (move) => (move === "insure" ? [least, most] : [0, 0]),
        fallback: "decline",
      });
      if (answer.move === "insure") {
        hand.insured = answer.amount ?? 0;
        this.stake(hand.seat, hand.insured);
      }
    }
  }

  /** @param {boolean} won insurance pays 2:1 */
  settleInsurance(won) {
    for (const hand of this.hands) hand.insurance = won ? 2 * hand.insured : -hand.insured;
  }

  /** Marks the naturals among the hands as dealt. */
  markNaturals() {
    for (const hand of this.hands) hand.natural = isNatural(this.labels(hand.cards));
  }

  /**
   * @param {Hand} hand doubled: one card more, and no other
   */
  double(hand) {
    this.stake(hand.seat, hand.bet);
    hand.bet *= 2;
    this.draw(hand.cards);
  }

  /**
   * Makes two hands of one; neither has its second card yet.
   * @param {Hand} left
   * @returns {Hand} the right one, which stands behind it
   */
  split(left) {
    this.stake(left.seat, left.bet);
    const right = hand(left.seat, left.bet, left.box);
    right.cards = left.cards.splice(1);
    left.split = right.split = true;
    this.hands.splice(this.hands.indexOf(left) + 1, 0, right);
    return right;
  }

  /** @param {Hand} hand @param {string} outcome @param {number} net */
  settle(hand, outcome, net) {
    hand.outcome = outcome;
    hand.net = net;
  }

  /** @param {Hand} hand over 21 */
  isBust(hand) {
    return this.total(hand.cards) > 21;
  }

  /**
   * Settles a hand that is neither bust nor special against the dealer's total.
   * @param {Hand} hand
   * @param {number} dealer
   * @param {string} tie what equal totals are: "push", or "lose"
   */
  compare(hand, dealer, tie) {
    const own = this.total(hand.cards);
    if (dealer > 21 || own > dealer) this.settle(hand, "win", hand.bet);
    else if (own === dealer && tie === "push") this.settle(hand, "push", 0);
    else this.settle(hand, "lose", -hand.bet);
  }

  /**
   * The dealer draws to 17.
   * @param {boolean} softToo whether to a soft 17 as well
   * @param {number} [most] cards
   */
  drawTo17(softToo, most = Infinity) {
    for (;;) {
      const { total, soft } = count(this.labels(this.bank));
      if (this.bank.length >= most || total > 17 || (total === 17 && !(soft && softToo))) return;
      this.draw(this.bank);
    }
  }
}

/**
 * @param {number} seat
 * @param {number} bet
 * @param {number} [box]
 * @returns {Hand}
 */
function hand(seat, bet, box) {
  return {
    seat, box, bet, cards: [], split: false, natural: false, outcome: "", net: 0, insured: 0, insurance: 0, short: 0, tier: 0,
  };
}
