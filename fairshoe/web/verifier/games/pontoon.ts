// pontoon: one pack, and a bank that changes (rules.md, section 5).

import { FRENCH, rank } from "../cards.ts";
import { playFirst } from "./casino.ts";
import type { Hand, Round } from "./round.ts";
import type { Game } from "../games.ts";

export const pontoon: Game = {
  deck: FRENCH,
  many: true,
  cover: 2, // PO-38
  bank: "changes",
  cuts: "anybody",
  burns: true,
  options: { packs: [1, 1], minimum: [1], maximum: ["minimum"], participants: [2, 14] },
  chairs: (options) => [1, options.participants],
  draws: () => ({ cut: 52 }),
  play(round) {
    const { bank, dealer } = round;
    for (const { cards, seat } of round.hands) round.drawDown(cards, seat); // PO-13
    round.drawDown(bank, dealer);
    for (const { cards } of round.hands) round.draw(cards);
    round.draw(bank);
    round.markNaturals();
    const house = round.isNatural(bank); // PO-14, PO-15
    for (const hand of round.hands) {
      if (house) round.settle(hand, "lose", hand.natural ? -hand.bet : -2 * hand.bet);
      else if (hand.natural) round.settle(hand, "natural", 2 * hand.bet); // PO-16
    }
    const stop = (hand: Hand) => {
      if (hand.tier)
        round.settle(hand, `${hand.tier} cards`, 2 ** (hand.tier - 4) * hand.bet); // PO-25 to PO-27
      else if (round.isBust(hand)) round.settle(hand, "bust", -hand.bet); // PO-18
    };
    const hit = (hand: Hand) => {
      round.draw(hand.cards);
      const name = specialName(round, hand);
      if (name)
        round.settle(hand, name, (name === "7-7-7" ? 3 : 2) * hand.bet); // PO-28, PO-29
      else if (round.isBust(hand)) stop(hand);
      else if (hand.cards.length >= 5) hand.tier = hand.cards.length;
    };
    for (const hand of round.open) playFirst(round, hand, true, hit, stop);
    if (round.open.length) round.show(bank);
    while (round.open.length && round.totalOf(bank) <= 21) {
      // PO-19: no rule binds the dealer
      if (round.ask(dealer, round.drawable ? ["hit", "stand"] : ["stand"]).move === "stand") break;
      round.draw(bank);
    }
    round.compare("lose"); // PO-20, PO-21
  },
};

function specialName(round: Round, hand: Hand) {
  const ranks = round.labelsOf(hand.cards).map(rank).sort().join("-");
  return ranks === "7-7-7" ? ranks : ranks === "6-7-8" ? "8-7-6" : "";
}
