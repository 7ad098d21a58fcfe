// pontoon: one pack, and a bank that changes (rules.md, section 5).

import { isNatural, rank } from "../cards.mjs";
import { playFirst } from "./casino.mjs";
/** @typedef {import("./round.mjs").Round} Round @typedef {import("./round.mjs").Hand} Hand */

export const pontoon = {
  name: "pontoon",
  many: true,
  even: false,
  cover: 2, // PO-38
  options: { packs: [1, 1], minimum: [1], maximum: ["minimum"], participants: [2, 14] },
  /** @param {Record<string, any>} options @returns {[number, number]} */
  chairs: (options) => [1, options.participants],
  /** @returns {Record<string, number>} */
  draws: () => ({ cut: 52 }),

  /** @param {Round} round */
  play(round) {
    const { bank } = round;
    for (let circuit = 0; circuit < 2; circuit++) { // PO-13
      for (const hand of round.hands) round.draw(hand.cards);
      round.draw(bank);
    }
    round.markNaturals();
    if (isNatural(round.labels(bank))) { // PO-14, PO-15
      for (const hand of round.hands) round.settle(hand, "lose", hand.natural ? -hand.bet : -2 * hand.bet);
      return;
    }
    for (const hand of round.hands) if (hand.natural) round.settle(hand, "natural", 2 * hand.bet); // PO-16
    const closed = (/** @type {Hand} */ hand) => closes(round, hand);
    for (const hand of [...round.hands]) if (!hand.outcome) playFirst(round, hand, true, closed);
    for (const hand of round.hands) if (!hand.outcome) settleEarly(round, hand);
    if (round.hands.some((hand) => !hand.outcome)) dealerPlays(round);
    for (const hand of round.hands) if (!hand.outcome) round.compare(hand, round.total(bank), "lose"); // PO-20, PO-21
  },
};

/** @param {Round} round @param {Hand} hand 7-7-7 and 8-7-6, and the tier that five cards and more have reached */
function closes(round, hand) {
  if (round.total(hand.cards) <= 21 && hand.cards.length >= 5) hand.tier = hand.cards.length;
  return special(round, hand) !== "";
}

/** @param {Round} round @param {Hand} hand */
function special(round, hand) {
  const ranks = round.labels(hand.cards).map(rank).sort().join("-");
  return ranks === "7-7-7" ? ranks : ranks === "6-7-8" ? "8-7-6" : "";
}

/** @param {Round} round @param {Hand} hand */
function settleEarly(round, hand) {
  const name = special(round, hand);
  if (name) round.settle(hand, name, (name === "7-7-7" ? 3 : 2) * hand.bet); // PO-28, PO-29
  else if (hand.tier) round.settle(hand, `${hand.tier} cards`, 2 ** (hand.tier - 4) * hand.bet); // PO-25 to PO-27
  else if (round.isBust(hand)) round.settle(hand, "bust", -hand.bet); // PO-18
}

/** @param {Round} round no rule binds the dealer (PO-19) */
function dealerPlays(round) {
  while (round.total(round.bank) <= 21) {
    if (round.ask(round.dealer, round.drawable ? ["hit", "stand"] : ["stand"]).move === "stand") return;
    round.draw(round.bank);
  }
}
