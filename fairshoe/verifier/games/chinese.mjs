// chinese: ban-ban, ban-nag, and a dealer who chooses whom to reveal (rules.md, section 1).

import { value } from "../cards.mjs";
/** @typedef {import("./round.mjs").Round} Round @typedef {import("./round.mjs").Hand} Hand */

export const chinese = {
  name: "chinese",
  many: false,
  even: false,
  cover: 3, // CH-05
  options: {
    packs: [1, 2], minimum: [1], maximum: ["minimum"], rotation: ["three_rounds", "three_wins", "fixed"],
    first_dealer: [1, 64], direction: ["clockwise", "anticlockwise"],
    escape: [true, false], free_hand: [true, false], five_dragon_21_triple: [true, false], twenty_one_double: [true, false],
  },
  /** @param {Record<string, any>} options @returns {[number, number]} */
  chairs: (options) => [1, options.packs * 10],
  /** @param {Record<string, any>} options @returns {Record<string, number>} */
  draws: (options) => ({ cut: 52 * options.packs }),
  total: chineseTotal,

  /** @param {Round} round */
  play(round) {
    for (let circuit = 0; circuit < 2; circuit++) { // CH-08: the dealer first
      round.draw(round.bank);
      for (const hand of round.hands) round.draw(hand.cards);
    }
    specials(round);
    if (round.options.free_hand) freeHands(round);
    if (round.void) return;
    for (const hand of round.hands) if (!hand.outcome) turn(round, hand);
    if (open(round).length) dealerTurn(round);
  },
};

/**
 * The total of a hand (CH-11): an ace is 11 or 10 of two cards, 1 or 10 of three, 1 of more.
 * @param {string[]} labels
 */
export function chineseTotal(labels) {
  const totals = permitted(labels);
  const fit = totals.filter((total) => total <= 21);
  return fit.length ? Math.max(...fit) : Math.min(...totals);
}

/** @param {string[]} labels every total that the aces permit */
function permitted(labels) {
  const ace = labels.length === 2 ? [11, 10] : labels.length === 3 ? [1, 10] : [1];
  let totals = [0];
  for (const label of labels) {
    const values = label[0] === "A" ? ace : [value(label)];
    totals = totals.flatMap((total) => values.map((one) => total + one));
  }
  return totals;
}

/** @param {string[]} labels of two cards: "ban-ban", "ban-nag", "15" or nothing of these (CH-12, CH-20) */
function nameOf(labels) {
  const aces = labels.filter((label) => label[0] === "A").length;
  if (aces === 2) return "ban-ban";
  if (aces === 1 && labels.some((label) => value(label) === 10)) return "ban-nag";
  return permitted(labels).includes(15) ? "15" : "";
}

/** @param {Round} round the hands that are not settled */
function open(round) {
  return round.hands.filter((hand) => !hand.outcome);
}

/** @param {Round} round CH-13 to CH-18, CH-22 */
function specials(round) {
  const house = nameOf(round.labels(round.bank));
  const worth = /** @type {Record<string, number>} */ ({ "ban-ban": 3, "ban-nag": 2 });
  const escapes = (/** @type {string} */ name) => round.options.escape && name === "15";
  for (const hand of round.hands) {
    const own = nameOf(round.labels(hand.cards));
    const mine = worth[own] ?? 0;
    const theirs = worth[house] ?? 0;
    if (!mine && !theirs) continue;
    if (mine === theirs) round.settle(hand, "push", 0);
    else if (mine ? escapes(house) : escapes(own)) round.settle(hand, "escape", 0);
    else if (mine > theirs) round.settle(hand, own, mine * hand.bet);
    else round.settle(hand, "lose", -theirs * hand.bet);
  }
}

/** @param {Round} round CH-21, CH-23, CH-24 */
function freeHands(round) {
  const stops = (/** @type {number} */ seat) => round.ask(seat, ["continue", "stop"], { always: true }).move === "stop";
  for (const hand of open(round)) {
    if (nameOf(round.labels(hand.cards)) === "15" && stops(hand.seat)) round.settle(hand, "free hand", 0);
  }
  if (!open(round).length || nameOf(round.labels(round.bank)) !== "15" || !stops(round.dealer)) return;
  round.void = true;
  for (const hand of open(round)) round.settle(hand, "void", 0);
}

/** @param {Round} round @param {Hand} hand every step is the owner's, forced ones too (CH-09) */
function turn(round, hand) {
  for (;;) {
    const total = chineseTotal(round.labels(hand.cards));
    if (hand.cards.length === 5 && total <= 21) { // CH-30, CH-31
      return round.settle(hand, "5-dragon", (total === 21 && round.options.five_dragon_21_triple ? 3 : 2) * hand.bet);
    }
    const moves = total < 16 ? ["hit"] : total <= 20 ? ["hit", "stand"] : ["stand"];
    if (round.ask(hand.seat, moves, { always: true }).move === "stand") return;
    round.draw(hand.cards);
  }
}

/** @param {Round} round CH-33 to CH-46 */
function dealerTurn(round) {
  const { options } = round;
  for (;;) {
    const total = chineseTotal(round.labels(round.bank));
    if (round.bank.length === 5 && total <= 21) { // CH-38, CH-39
      const times = total === 21 && options.five_dragon_21_triple ? 3 : 2;
      for (const hand of open(round)) round.settle(hand, "lose", -times * hand.bet);
      return;
    }
    if (total > 21 || total === 21) { // CH-36, CH-37
      for (const hand of open(round)) reveal(round, hand, total);
      return;
    }
    if (total >= 16) {
      const seats = open(round).map((hand) => hand.seat).sort((a, b) => a - b);
      const answer = round.ask(round.dealer, ["reveal", "hit"], { among: seats, always: true, fallback: "reveal" });
      if (answer.move === "reveal") {
        for (const hand of open(round)) if (answer.chosen?.includes(hand.seat)) reveal(round, hand, total);
        if (!open(round).length) return;
        continue;
      }
    }
    round.draw(round.bank);
  }
}

/** @param {Round} round @param {Hand} hand @param {number} dealer CH-40 to CH-46 */
function reveal(round, hand, dealer) {
  const own = chineseTotal(round.labels(hand.cards));
  const double = round.options.twenty_one_double;
  const won = (own === 21 && double ? 2 : 1) * hand.bet;
  const lost = (dealer === 21 && double ? 2 : 1) * hand.bet;
  if (dealer > 21) round.settle(hand, own > 21 ? "push" : "win", own > 21 ? 0 : won);
  else if (own > 21) round.settle(hand, "bust", -lost);
  else if (own < dealer) round.settle(hand, "lose", -lost);
  else if (own === dealer) round.settle(hand, "push", 0);
  else round.settle(hand, "win", won);
}
