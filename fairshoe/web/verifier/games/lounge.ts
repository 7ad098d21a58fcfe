// lounge: gifts out of a pool that everybody paid into (rules.md, section 2).

import { FRENCH } from "../cards.ts";
import type { Hand, Round } from "./round.ts";
import type { Game } from "../games.ts";

export const BUY_IN = 10_000; // LO-02, LO-03
export const TO_POOL = 9_000;
const MOST_CARDS = 5; // of a hand (LO-21)

export const lounge: Game = {
  deck: FRENCH,
  cover: 0,
  pool: true,
  options: { packs: [6, 8], gift: [1, TO_POOL], fewest: [1, 61] },
  defaults: { fewest: 1 },
  chairs: () => [1, 61],
  draws: () => ({}),
  play(round) {
    const { bank } = round;
    for (const { cards } of round.hands) {
      // LO-08: both cards at once
      round.draw(cards);
      round.draw(cards);
    }
    round.draw(bank);
    round.drawDown(bank, 0);
    round.markNaturals();
    for (const hand of round.hands) if (!hand.natural) playGift(round, hand);
    if (round.open.some((hand) => !hand.natural)) round.drawTo17(true, MOST_CARDS); // LO-19, LO-21, LO-23
    const house = round.isNatural(bank);
    const total = round.totalOf(bank);
    for (const hand of round.open) {
      const won = hand.natural || total > 21 || round.totalOf(hand.cards) > total;
      const paid = house || !won ? 0 : Math.min(hand.bet, round.pool); // LO-06, LO-27, LO-29
      hand.short = house || !won ? 0 : hand.bet - paid;
      round.settle(hand, house || !won ? "lose" : hand.natural ? "natural" : "win", paid);
    }
  },
};

function playGift(round: Round, hand: Hand) {
  while (!hand.outcome && hand.cards.length < MOST_CARDS) {
    const fresh = hand.cards.length === 2 && round.totalOf(hand.cards) <= 11; // LO-14
    const { move } = round.ask(hand.seat, fresh ? ["hit", "stand", "double"] : ["hit", "stand"]);
    if (move === "stand") return;
    if (move === "double") round.stakeDouble(hand);
    round.hit(hand);
    if (move === "double") return;
  }
}
