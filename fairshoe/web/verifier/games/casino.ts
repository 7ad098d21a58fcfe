// casino: seven seats against the house, many rounds a shoe (rules.md, section 4).

import { FRENCH, rank } from "../cards.ts";
import type { Hand, Round } from "./round.ts";
import type { Game } from "../games.ts";

export const casino: Game = {
  deck: FRENCH,
  many: true,
  even: true,
  cover: 1,
  cuts: "turn",
  options: { packs: [3, 8], minimum: [2], maximum: ["minimum"], insert: (options) => [60, 26 * options.packs - 16] },
  chairs: () => [1, 7],
  draws: (options) => ({ cut: 52 * options.packs, insert: 16 }),
  play(round) {
    round.deal(false); // CA-09, CA-28
    round.settleNaturals(); // CA-12 to CA-15
    for (const hand of round.open)
      playFirst(
        round,
        hand,
        round.covers(hand),
        (one) => round.hit(one),
        () => {},
      );
    round.finish(false); // CA-19, CA-33
  },
};

/**
 * A hand from its first decision on; the hands of pontoon are played like it (PO-22). `covered`: whether as much again
 * can be staked; `hit`: draws a card, and settles the hand where that ends it; `stop`: is called where it ends
 * otherwise.
 */
export function playFirst(
  round: Round,
  hand: Hand,
  covered: boolean,
  hit: (hand: Hand) => void,
  stop: (hand: Hand) => void,
) {
  const [left, right] = round.labelsOf(hand.cards).map(rank);
  const total = round.totalOf(hand.cards);
  const moves = round.drawable ? ["hit", "stand"] : ["stand"];
  if (covered && round.drawable && total >= 9 && total <= 11) moves.push("double"); // CA-25
  if (covered && round.drawable > 1 && left === right) moves.push("split"); // CA-20
  const { move } = round.ask(hand.seat, moves);
  if (move === "split") {
    const pair = [hand, round.split(hand)];
    for (const [i, one] of pair.entries()) {
      // CA-21
      round.draw(one.cards);
      if (left !== "A") playOn(round, one, 2 - i, hit, stop); // CA-22; the right hand still needs a card
    }
    return;
  }
  if (move === "double") {
    round.stakeDouble(hand);
    round.drawDown(hand.cards, 0); // CA-26
  }
  if (move !== "hit") return stop(hand);
  hit(hand);
  playOn(round, hand, 1, hit, stop);
}

/** @param needed how many cards must be drawable for a hit (PO-10) */
function playOn(round: Round, hand: Hand, needed: number, hit: (hand: Hand) => void, stop: (hand: Hand) => void) {
  while (!hand.outcome) {
    const moves = round.drawable >= needed ? ["hit", "stand"] : ["stand"];
    if (round.ask(hand.seat, moves).move === "stand") return stop(hand);
    hit(hand);
  }
}
