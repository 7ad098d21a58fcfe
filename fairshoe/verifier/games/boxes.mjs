// boxes: seven betting places against the operator (rules.md, section 6).

import { isNatural, rank, value } from "../cards.mjs";
/** @typedef {import("./round.mjs").Round} Round @typedef {import("./round.mjs").Hand} Hand */

export const boxes = {
  name: "boxes",
  many: false,
  even: true,
  cover: 1,
  options: { packs: [4, 8], minimum: [2], maximum: ["minimum"] },
  /** @returns {[number, number]} */
  chairs: () => [1, 7],
  draws: () => ({}),

  /** @param {Round} round */
  play(round) {
    const { bank } = round;
    for (let circuit = 0; circuit < 2; circuit++) {
      for (const hand of round.hands) round.draw(hand.cards); // BX-08
      round.draw(bank);
    }
    if (rank(round.cards[bank[0]]) === "A") round.insure(({ seat, bet }) => [bet / 2, round.covers(seat, bet / 2) ? bet / 2 : 0]); // BX-30
    round.markNaturals();
    for (const hand of [...round.hands]) if (!hand.natural) first(round, hand);
    const house = isNatural(round.labels(bank)); // BX-09: found only now
    round.settleInsurance(house);
    for (const hand of round.hands) if (round.isBust(hand)) round.settle(hand, "bust", -hand.bet);
    if (!house && round.hands.some((hand) => !hand.outcome && !hand.natural)) round.drawTo17(false); // BX-11, BX-34
    for (const hand of round.hands) {
      if (hand.outcome) continue;
      if (house) round.settle(hand, hand.natural ? "push" : "lose", hand.natural ? 0 : -hand.bet); // BX-29, BX-32
      else if (hand.natural) round.settle(hand, "natural", (hand.bet / 2) * 3); // BX-24
      else round.compare(hand, round.total(bank), "push");
    }
  },
};

/** @param {Round} round @param {Hand} hand */
function first(round, hand) {
  const labels = round.labels(hand.cards);
  const moves = ["hit", "stand"];
  if (round.covers(hand.seat, hand.bet)) {
    moves.push("double"); // BX-20
    if (value(labels[0]) === value(labels[1])) moves.push("split"); // BX-15
  }
  const { move } = round.ask(hand.seat, moves);
  if (move === "double") round.double(hand);
  if (move === "hit") {
    round.draw(hand.cards);
    play(round, hand);
  }
  if (move !== "split") return;
  const right = round.split(hand);
  round.draw(hand.cards); // BX-19: one card to each, at once
  round.draw(right.cards);
  if (rank(labels[0]) === "A") return; // BX-17
  for (const one of [hand, right]) play(round, one);
}

/** @param {Round} round @param {Hand} hand 21 stands by itself (BX-14) */
function play(round, hand) {
  while (round.total(hand.cards) < 21 && round.ask(hand.seat, ["hit", "stand"]).move === "hit") round.draw(hand.cards);
}
