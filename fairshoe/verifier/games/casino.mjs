// casino: seven seats against the house, many rounds a shoe (rules.md, section 4).

import { isNatural, rank } from "../cards.mjs";
/** @typedef {import("./round.mjs").Round} Round @typedef {import("./round.mjs").Hand} Hand */

export const casino = {
  name: "casino",
  many: true,
  even: true,
  cover: 1,
  options: {
    packs: [3, 8], minimum: [2], maximum: ["minimum"],
    /** @param {Record<string, any>} options */
    insert: (options) => [60, 26 * options.packs - 16],
  },
  /** @returns {[number, number]} */
  chairs: () => [1, 7],
  /** @param {Record<string, any>} options @returns {Record<string, number>} */
  draws: (options) => ({ cut: 52 * options.packs, insert: 16 }),

  /** @param {Round} round */
  play(round) {
    const { bank } = round;
    for (let circuit = 0; circuit < 2; circuit++) {
      for (const hand of round.hands) round.draw(hand.cards); // CA-09
      round.draw(bank);
    }
    if (rank(round.cards[bank[0]]) === "A") {
      round.insure(({ seat, bet }) => [1, Math.min(bet / 2, round.purse.get(seat) ?? 0)]); // CA-28
    }
    round.markNaturals();
    const house = isNatural(round.labels(bank)); // CA-15
    round.settleInsurance(house);
    for (const hand of round.hands) {
      if (house) round.settle(hand, hand.natural ? "push" : "lose", hand.natural ? 0 : -hand.bet); // CA-13, CA-14
      else if (hand.natural) round.settle(hand, "natural", (hand.bet / 2) * 3); // CA-12
    }
    for (const hand of [...round.hands]) if (!hand.outcome) playFirst(round, hand, round.covers(hand.seat, hand.bet));
    for (const hand of round.hands) if (!hand.outcome && round.isBust(hand)) round.settle(hand, "bust", -hand.bet);
    if (round.hands.some((hand) => !hand.outcome)) round.drawTo17(false); // CA-19, CA-33
    for (const hand of round.hands) if (!hand.outcome) round.compare(hand, round.total(bank), "push");
  },
};

/**
 * A hand from its first decision on; the hands of pontoon are played like it (PO-22).
 * @param {Round} round
 * @param {Hand} hand
 * @param {boolean} covered whether as much again can be staked
 * @param {(hand: Hand) => boolean} [closed] whether it ends by itself
 */
export function playFirst(round, hand, covered, closed = () => false) {
  const labels = round.labels(hand.cards);
  const total = round.total(hand.cards);
  const moves = round.drawable ? ["hit", "stand"] : ["stand"];
  if (covered && round.drawable && total >= 9 && total <= 11) moves.push("double"); // CA-25
  if (covered && round.drawable > 1 && rank(labels[0]) === rank(labels[1])) moves.push("split"); // CA-20
  const { move } = round.ask(hand.seat, moves);
  if (move === "double") round.double(hand);
  if (move === "hit") {
    round.draw(hand.cards);
    playOn(round, hand, 1, closed);
  }
  if (move !== "split") return;
  const right = round.split(hand);
  const aces = rank(labels[0]) === "A"; // CA-22
  round.draw(hand.cards);
  if (!aces) playOn(round, hand, 2, closed); // CA-21: the right hand still needs a card
  round.draw(right.cards);
  if (!aces) playOn(round, right, 1, closed);
}

/**
 * @param {Round} round
 * @param {Hand} hand
 * @param {number} needed how many cards must be drawable for a hit (PO-10)
 * @param {(hand: Hand) => boolean} closed
 */
function playOn(round, hand, needed, closed) {
  while (!round.isBust(hand) && !closed(hand)) {
    const moves = round.drawable >= needed ? ["hit", "stand"] : ["stand"];
    if (round.ask(hand.seat, moves).move === "stand") return;
    round.draw(hand.cards);
  }
}
