// banker: one player against the house (rules.md, section 3).

import { FRENCH } from "../cards.ts";
import { playDealt } from "./round.ts";
import type { Hand, Round } from "./round.ts";
import type { Game } from "../games.ts";

export const banker: Game = {
  deck: FRENCH,
  even: true,
  cover: 1,
  options: { packs: [1, 8], minimum: [2], maximum: ["minimum"] },
  chairs: () => [1, 1],
  draws: () => ({}),
  play(round) {
    round.deal(true); // BK-10, BK-32
    round.settleNaturals(); // BK-12, BK-14
    for (const hand of round.open) playDealt(round, hand, firstMoves(round, hand));
    for (const hand of round.open) {
      if (hand.split && round.isNatural(hand.cards)) round.settle(hand, "natural", hand.bet); // BK-31
    }
    round.finish(true); // BK-20, BK-21
  },
};

function firstMoves(round: Round, hand: Hand) {
  const [left, right] = round.valuesOf(hand.cards);
  const total = round.totalOf(hand.cards);
  const moves = ["hit", "stand", "surrender"]; // BK-25
  if (!round.covers(hand)) return moves;
  if (total >= 9 && total <= 11) moves.push("double"); // BK-23
  if (left === right) moves.push("split"); // BK-27
  return moves;
}
