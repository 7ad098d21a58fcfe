// chinese: ban-ban, ban-nag, and a dealer who chooses whom to reveal (rules.md, section 1).

import { FRENCH, value } from "../cards.ts";
import type { Hand, Round } from "./round.ts";
import type { Game } from "../games.ts";

export const chinese: Game = {
  deck: FRENCH,
  cover: 3, // CH-05
  bank: "rotates",
  cuts: "right",
  options: {
    packs: [1, 2],
    minimum: [1],
    maximum: ["minimum"],
    rotation: ["three_rounds", "three_wins", "fixed"],
    first_dealer: [1, 64],
    direction: ["clockwise", "anticlockwise"],
    escape: [true, false],
    free_hand: [true, false],
    five_dragon_21_triple: [true, false],
    twenty_one_double: [true, false],
  },
  chairs: (options) => [1, options.packs * 10],
  draws: (options) => ({ cut: 52 * options.packs }),
  total: chineseTotal,
  play(round) {
    for (let circuit = 0; circuit < 2; circuit++) {
      // CH-08: the dealer first
      round.drawDown(round.bank, round.dealer); // CH-09
      for (const { cards, seat } of round.hands) round.drawDown(cards, seat);
    }
    specials(round);
    if (round.options.free_hand) freeHands(round);
    if (round.void) return;
    for (const hand of round.open) turnOf(round, hand);
    if (round.open.length) dealerTurn(round);
  },
};

/** The total of a hand (CH-11): an ace is 11 or 10 of two cards, 1 or 10 of three, 1 of more. */
export function chineseTotal(labels: string[]) {
  const totals = permitted(labels);
  const fit = totals.filter((total) => total <= 21);
  return fit.length ? Math.max(...fit) : Math.min(...totals);
}

/** @param labels every total that the aces permit */
function permitted(labels: string[]) {
  const ace = labels.length === 2 ? [11, 10] : labels.length === 3 ? [1, 10] : [1];
  let totals = [0];
  for (const label of labels) {
    const values = label[0] === "A" ? ace : [value(label)];
    totals = totals.flatMap((total) => values.map((one) => total + one));
  }
  return totals;
}

/** @param labels of two cards: "ban-ban", "ban-nag", "15" or nothing of these (CH-12, CH-20) */
function specialOf(labels: string[]) {
  const aces = labels.filter((label) => label[0] === "A").length;
  if (aces === 2) return "ban-ban";
  if (aces === 1 && labels.some((label) => value(label) === 10)) return "ban-nag";
  return permitted(labels).includes(15) ? "15" : "";
}

/** @param round CH-13 to CH-18, CH-22 */
function specials(round: Round) {
  const house = specialOf(round.labelsOf(round.bank));
  const worth = { "ban-ban": 3, "ban-nag": 2 } as Record<string, number>;
  const escapes = (name: string) => round.options.escape && name === "15";
  const theirs = worth[house] ?? 0;
  for (const hand of round.hands) {
    const own = specialOf(round.labelsOf(hand.cards));
    const mine = worth[own] ?? 0;
    if (!mine && !theirs) continue;
    if (mine === theirs) round.settle(hand, "push", 0);
    else if (mine ? escapes(house) : escapes(own)) round.settle(hand, "escape", 0);
    else if (mine > theirs) round.settle(hand, own, mine * hand.bet);
    else round.settle(hand, "lose", -theirs * hand.bet);
    if (theirs || (escapes(house) && mine)) round.show(round.bank);
  }
}

/** @param round CH-21, CH-23, CH-24 */
function freeHands(round: Round) {
  const stops = (cards: number[], seat: number) =>
    specialOf(round.labelsOf(cards)) === "15" &&
    round.ask(seat, ["continue", "stop"], { always: true }).move === "stop";
  for (const hand of round.open) if (stops(hand.cards, hand.seat)) round.settle(hand, "free hand", 0);
  if (!round.open.length || !stops(round.bank, round.dealer)) return;
  round.void = true;
  for (const hand of round.open) round.settle(hand, "void", 0);
}

/** @param hand every step is the owner's, forced ones too (CH-09) */
function turnOf(round: Round, hand: Hand) {
  for (;;) {
    const total = chineseTotal(round.labelsOf(hand.cards));
    if (hand.cards.length === 5 && total <= 21) {
      // CH-30, CH-31
      return round.settle(hand, "5-dragon", (total === 21 && round.options.five_dragon_21_triple ? 3 : 2) * hand.bet);
    }
    const moves = total < 16 ? ["hit"] : total <= 20 ? ["hit", "stand"] : ["stand"];
    if (round.ask(hand.seat, moves, { always: true }).move === "stand") return;
    round.drawDown(hand.cards, hand.seat);
  }
}

/** @param round CH-33 to CH-46 */
function dealerTurn(round: Round) {
  const { options } = round;
  round.show(round.bank);
  while (round.open.length) {
    const total = chineseTotal(round.labelsOf(round.bank));
    const seats = round.open.map(({ seat }) => seat).sort((a, b) => a - b);
    if (round.bank.length === 5 && total <= 21) {
      // CH-38, CH-39
      const times = total === 21 && options.five_dragon_21_triple ? 3 : 2;
      for (const hand of round.open) round.settle(hand, "lose", -times * hand.bet);
    } else if (total >= 21) {
      // CH-36, CH-37
      for (const hand of round.open) revealHand(round, hand, total);
    } else {
      const answer =
        total < 16
          ? { move: "hit", chosen: [] as number[] }
          : round.ask(round.dealer, ["reveal", "hit"], { among: seats, always: true, fallback: "reveal" });
      if (answer.move === "hit") round.draw(round.bank);
      else for (const hand of round.open) if (answer.chosen?.includes(hand.seat)) revealHand(round, hand, total);
    }
  }
}

/** @param dealer CH-40 to CH-46 */
function revealHand(round: Round, hand: Hand, dealer: number) {
  const own = chineseTotal(round.labelsOf(hand.cards));
  const times = (total: number) => (total === 21 && round.options.twenty_one_double ? 2 : 1) * hand.bet;
  if (own > 21) round.settle(hand, dealer > 21 ? "push" : "bust", dealer > 21 ? 0 : -times(dealer));
  else if (dealer > 21 || own > dealer) round.settle(hand, "win", times(own));
  else if (own === dealer) round.settle(hand, "push", 0);
  else round.settle(hand, "lose", -times(dealer));
}
