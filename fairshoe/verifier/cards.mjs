// Cards: labels such as "Ah", and what a hand counts.

const RANKS = "A23456789TJQK";

/** @param {string} label its rank: A, 2 … 9, T, J, Q or K */
export function rank(label) {
  return label[0];
}

/** @param {string} label an ace counts 1 here, T J Q K ten */
export function value(label) {
  const place = RANKS.indexOf(label[0]);
  return place < 9 ? place + 1 : 10;
}

/**
 * The total of a hand (GE-02): aces 1, and one of them 11 where that is no bust.
 * @param {string[]} labels
 * @returns {{total: number, soft: boolean}}
 */
export function count(labels) {
  let total = 0;
  let ace = false;
  for (const label of labels) {
    total += value(label);
    ace ||= label[0] === "A";
  }
  const soft = ace && total + 10 <= 21;
  return { total: soft ? total + 10 : total, soft };
}

/** @param {string[]} labels an ace and a ten-value, two cards in all (GE-03) */
export function isNatural(labels) {
  return labels.length === 2 && count(labels).total === 21;
}
