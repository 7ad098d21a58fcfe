// banker: one player against the house (rules.md, section 3).

import { isNatural, rank, value } from "../cards.mjs";
/** @typedef {import("./round.mjs").Round} Round @typedef {import("./round.mjs").Hand} Hand */

export const banker = {
  name: "banker",
  many: false,
  even: true,
  cover: 1,
  options: { packs: [1, 8], minimum: [2], maximum: ["minimum"] },
  /** @returns {[number, number]} */
  chairs: () => [1, 1],
  draws: () => ({}),

  /** @param {Round} round */
  play(round) {
    const [hand] = round.hands;
    const { bank } = round;
    for (const cards of [hand.cards, bank, hand.cards, bank]) round.draw(cards); // BK-10
    if (rank(round.cards[bank[0]]) === "A") round.insure(({ seat, bet }) => [bet / 2, round.covers(seat, bet / 2) ? bet / 2 : 0]); // BK-32
    round.markNaturals();
    const house = isNatural(round.labels(bank)); // BK-12
    round.settleInsurance(house);
    if (house) return void round.settle(hand, hand.natural ? "push" : "lose", hand.natural ? 0 : -hand.bet);
    if (hand.natural) return void round.settle(hand, "natural", (hand.bet / 2) * 3); // BK-14
    first(round, hand);
    for (const one of round.hands) settleEarly(round, one);
    if (round.hands.some((one) => !one.outcome)) round.drawTo17(true); // BK-20, BK-21
    for (const one of round.hands) if (!one.outcome) round.compare(one, round.total(bank), "push");
  },
};

/** @param {Round} round @param {Hand} hand */
function first(round, hand) {
  const labels = round.labels(hand.cards);
  const total = round.total(hand.cards);
  const moves = ["hit", "stand", "surrender"];
  if (round.covers(hand.seat, hand.bet)) {
    if (total >= 9 && total <= 11) moves.push("double"); // BK-23
    if (value(labels[0]) === value(labels[1])) moves.push("split"); // BK-27
  }
  const { move } = round.ask(hand.seat, moves);
  if (move === "surrender") round.settle(hand, "surrender", -hand.bet / 2); // BK-25
  if (move === "double") round.double(hand);
  if (move === "hit") hit(round, hand);
  if (move !== "split") return;
  const right = round.split(hand);
  round.draw(hand.cards); // BK-30: one card to each, at once
  round.draw(right.cards);
  if (rank(labels[0]) === "A") return; // BK-28
  for (const one of [hand, right]) play(round, one);
}

/** @param {Round} round @param {Hand} hand */
function hit(round, hand) {
  round.draw(hand.cards);
  play(round, hand);
}

/** @param {Round} round @param {Hand} hand 21 stands by itself (BK-17) */
function play(round, hand) {
  while (round.total(hand.cards) < 21 && round.ask(hand.seat, ["hit", "stand"]).move === "hit") round.draw(hand.cards);
}

/** @param {Round} round @param {Hand} hand what needs no comparison */
function settleEarly(round, hand) {
  if (hand.outcome) return;
  if (round.isBust(hand)) round.settle(hand, "bust", -hand.bet);
  else if (hand.split && isNatural(round.labels(hand.cards))) round.settle(hand, "natural", hand.bet); // BK-31
}
