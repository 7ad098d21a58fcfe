// lounge: gifts out of a pool that everybody paid into (rules.md, section 2).

import { count, isNatural } from "../cards.mjs";
/** @typedef {import("./round.mjs").Round} Round @typedef {import("./round.mjs").Hand} Hand */

const MOST = 5; // cards of a hand (LO-21)

export const lounge = {
  name: "lounge",
  many: false,
  even: false,
  cover: 0,
  options: { packs: [6, 8], gift: [1, 9000] },
  /** @returns {[number, number]} */
  chairs: () => [1, 61],
  draws: () => ({}),

  /** @param {Round} round */
  play(round) {
    const { bank } = round;
    for (const hand of round.hands) { // LO-08: both cards at once
      round.draw(hand.cards);
      round.draw(hand.cards);
    }
    round.draw(bank);
    round.draw(bank);
    round.markNaturals();
    for (const hand of round.hands) if (!hand.natural) play(round, hand);
    for (const hand of round.hands) if (round.isBust(hand)) round.settle(hand, "bust", 0);
    if (round.hands.some((hand) => !hand.outcome && !hand.natural)) round.drawTo17(true, MOST); // LO-19, LO-21, LO-23
    const house = isNatural(round.labels(bank));
    const { total } = count(round.labels(bank));
    for (const hand of round.hands) {
      if (hand.outcome) continue;
      const higher = total > 21 || round.total(hand.cards) > total;
      if (house || !(hand.natural || higher)) round.settle(hand, "lose", 0); // LO-27, LO-29
      else pay(round, hand);
    }
  },
};

/** @param {Round} round @param {Hand} hand */
function play(round, hand) {
  while (!round.isBust(hand) && hand.cards.length < MOST) {
    const fresh = hand.cards.length === 2 && round.total(hand.cards) <= 11; // LO-14
    const { move } = round.ask(hand.seat, fresh ? ["hit", "stand", "double"] : ["hit", "stand"]);
    if (move === "stand") return;
    if (move === "double") return round.double(hand);
    round.draw(hand.cards);
  }
}

/** @param {Round} round @param {Hand} hand as far as the pool goes (LO-06) */
function pay(round, hand) {
  const paid = Math.min(hand.bet, round.pool);
  round.pool -= paid;
  hand.short = hand.bet - paid;
  round.settle(hand, hand.natural ? "natural" : "win", paid);
}
