// Cards: labels such as "Ah", and what a hand counts.

import { FRENCH } from "./deck.mjs";

/** @param {string} label its rank: A, 2 … 9, T, J, Q or K */
export function rank(label) {
  return label[0];
}

/** @param {string} label an ace counts 1 here, T J Q K ten @param {Readonly<Record<string, number>>} [values] of its deck */
export function value(label, values = FRENCH.values) {
  return values[rank(label)] ?? 0;
}

/**
 * The total of a hand (GE-02): aces 1, and one of them 11 where that is no bust.
 * @param {string[]} labels
 * @param {Readonly<Record<string, number>>} [values] of their deck
 * @returns {{total: number, soft: boolean}}
 */
export function count(labels, values) {
  let total = 0;
  let ace = false;
  for (const label of labels) {
    total += value(label, values);
    ace ||= rank(label) === "A";
  }
  const soft = ace && total + 10 <= 21;
  return { total: soft ? total + 10 : total, soft };
}

/** @param {string[]} labels an ace and a ten-value, two cards in all (GE-03) @param {Readonly<Record<string, number>>} [values] of their deck */
export function isNatural(labels, values) {
  return labels.length === 2 && count(labels, values).total === 21;
}
