// The order of the cards: docs/protocol.md sections 6 to 8.
import { Words } from "./words.mjs";

/** A shuffled deck of n cards, lazily: a hand costs the cards that it deals, and with a cut those before it. */
export class Shuffle {
  /**
   * @param {Uint8Array} key
   * @param {string} transcript
   * @param {number} n cards
   * @param {number} [cut] 0 … n − 1
   */
  constructor(key, transcript, n, cut = 0) {
    this.words = new Words(key, transcript, "fairshoe/1 shuffle");
    this.cards = Uint32Array.from({ length: n }, (_, i) => i);
    this.cut = cut;
    this.done = 0;
  }

  /**
   * @param {number} position in the dealt order
   * @returns {number} the card there: its index in the deck before the shuffle
   */
  at(position) {
    const { cards } = this;
    const place = (position + this.cut) % cards.length;
    for (; this.done <= place && this.done < cards.length - 1; this.done++) {
      const other = this.done + this.words.uniform(cards.length - this.done);
      [cards[this.done], cards[other]] = [cards[other], cards[this.done]];
    }
    return cards[place];
  }

  /**
   * @param {number} count at most n
   * @returns {number[]} the first cards in the dealt order
   */
  first(count) {
    return Array.from({ length: count }, (_, position) => this.at(position));
  }
}

/**
 * @param {object} of
 * @param {Uint8Array} of.key
 * @param {string} of.transcript
 * @param {readonly string[]} of.deck before the shuffle
 * @param {number} [of.cut]
 * @param {number} [of.first] how many cards are wanted; more than there are is no error
 * @returns {string[]} labels in the dealt order
 */
export function order({ key, transcript, deck, cut = 0, first = deck.length }) {
  return new Shuffle(key, transcript, deck.length, cut).first(Math.min(first, deck.length)).map((card) => deck[card]);
}

/**
 * A named draw: one more committed number.
 * @param {Uint8Array} key
 * @param {string} transcript T of the seal; of a reshuffle's own cut the longer one
 * @param {string} name
 * @param {number} below the bound, 1 to 2^32
 * @returns {number} 0 … below − 1
 */
export const drawNamed = (key, transcript, name, below) =>
  new Words(key, transcript, "fairshoe/1 draw", `draw ${name}\n`).uniform(below);

/**
 * Series of draws have the numbers 0 … k − 1, each once: docs/protocol.md section 7.
 * @param {readonly string[]} names
 * @returns {string | null} a name that breaks it
 */
export function brokenSeries(names) {
  /** @type {Map<string, string[]>} */
  const series = new Map();
  for (const name of names) {
    const found = /^(.*)\/([0-9]+)$/.exec(name);
    if (found) series.set(found[1], [...(series.get(found[1]) ?? []), found[2]]);
  }
  for (const [prefix, numbers] of series)
    for (const number of numbers)
      if (String(Number(number)) !== number || Number(number) >= numbers.length) return `${prefix}/${number}`;
  return null;
}
