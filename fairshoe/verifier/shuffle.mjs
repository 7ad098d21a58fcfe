// From a key and everybody's seeds to the order of the cards: docs/protocol.md sections 4 to 9.

import { concat, toHex, utf8 } from "./bytes.mjs";
import { deckHash } from "./cards.mjs";
import { blocks, extract, Hmac, rootOf, sha256 } from "./hashes.mjs";

// The transcript T: everything that makes the order besides the key, as a text (sections 4 and 8).

/**
 * @typedef {object} Parts
 * @property {string} shoe its id
 * @property {readonly string[]} deck labels before the shuffle
 * @property {string} commitment 64 hex digits
 * @property {readonly (readonly [string, Uint8Array])[]} [seeds] in roster order
 * @property {readonly [string, number, string] | null} [beacon] chain, round, randomness
 * @property {string} [hash] the deck's hash, where it is known already
 * @property {readonly [string, string] | null} [placer] name, commitment (docs/placer-protocol.md)
 */

/** @param {Parts} parts within their limits (forms.mjs) @returns {string} T of the seal */
export function transcript({ shoe, deck, commitment, seeds = [], beacon = null, hash = deckHash(deck), placer = null }) {
  const lines = [placer ? "fairshoe/2" : "fairshoe/1", `shoe ${shoe}`, `deck ${deck.length} ${hash}`, `commitment ${commitment}`];
  if (placer) lines.push(`placer ${placer.join(" ")}`);
  for (const [who, seed] of seeds) lines.push(`seed ${who} ${toHex(seed)}`);
  if (beacon) lines.push(`beacon ${beacon.join(" ")}`);
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * @param {string} before T as it was
 * @param {number} k 1, 2, … in this shoe
 * @param {readonly string[]} deck the gathered cards, in the order of the original deck
 * @returns {string} T after the reshuffle
 */
export const reshuffled = (before, k, deck) => `${before}reshuffle ${k} ${deck.length} ${deckHash(deck)}\n`;

// Streams of words, and a uniform index from them (section 5).

/**
 * The bytes of a stream, 32 at a time; a chunk has 255 such blocks.
 * @param {Uint8Array} key
 * @param {string} transcript
 * @param {string} salt
 * @param {string} [suffix]
 * @returns {Generator<Uint8Array, never, void>}
 */
export function* stream(key, transcript, salt, suffix = "") {
  const prk = new Hmac(extract(utf8(salt), key));
  const hash = sha256(utf8(transcript));
  for (let chunk = 0; ; chunk++) yield* blocks(prk, concat(hash, utf8(`${suffix}chunk ${chunk}\n`)));
}

/** The words of a stream, and indexes from them. */
export class Words {
  /** @param {Uint8Array} key @param {string} transcript @param {string} salt @param {string} [suffix] */
  constructor(key, transcript, salt, suffix = "") {
    this.blocks = stream(key, transcript, salt, suffix);
    /** @type {DataView} */
    this.block = new DataView(new ArrayBuffer(0));
    this.at = 0;
    /** How many words were discarded. */
    this.rejected = 0;
  }

  /** @returns {number} the next word, 32 bits */
  next() {
    if (this.at === this.block.byteLength) {
      this.block = new DataView(this.blocks.next().value.buffer);
      this.at = 0;
    }
    this.at += 4;
    return this.block.getUint32(this.at - 4);
  }

  /** @param {number} m 1 to 2^32 @returns {number} 0 … m − 1, each equally likely */
  uniform(m) {
    const limit = 2 ** 32 - (2 ** 32 % m);
    for (;;) {
      const word = this.next();
      if (word < limit) return word % m;
      this.rejected++;
    }
  }
}

// The order of the cards, and named draws (sections 6 to 8).

/** A shuffled deck of n cards, lazily: a hand costs the cards that it deals, and with a cut those before it. */
export class Shuffle {
  /** @param {Uint8Array} key @param {string} transcript @param {number} n cards @param {number} [cut] 0 … n − 1 @param {string} [salt] */
  constructor(key, transcript, n, cut = 0, salt = "fairshoe/1 shuffle") {
    this.words = new Words(key, transcript, salt);
    this.cards = Uint32Array.from({ length: n }, (_, i) => i);
    this.cut = cut;
    this.done = 0;
  }

  /** @param {number} position in the dealt order @returns {number} the card there: its index in the deck before the shuffle */
  at(position) {
    const { cards } = this;
    const place = (position + this.cut) % cards.length;
    for (; this.done <= place && this.done < cards.length - 1; this.done++) {
      const other = this.done + this.words.uniform(cards.length - this.done);
      [cards[this.done], cards[other]] = [cards[other], cards[this.done]];
    }
    return cards[place];
  }

  /** @param {number} count at most n @returns {number[]} the first cards in the dealt order */
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

// The root of the openings (section 9).

/**
 * @param {Uint8Array} key
 * @param {string} transcript T of the seal
 * @param {string} [salt] of the stream
 * @returns {Generator<Uint8Array, never, void>} the salts of positions 0, 1, …: 16 bytes each
 */
function* salts(key, transcript, salt = "fairshoe/1 opening") {
  for (const block of stream(key, transcript, salt)) {
    yield block.subarray(0, 16);
    yield block.subarray(16);
  }
  throw new RangeError("a stream has no end");
}

/**
 * @param {Uint8Array} key
 * @param {string} transcript T of the seal
 * @param {readonly string[]} order labels in the dealt order, after the cut
 * @returns {Uint8Array} 32 bytes
 */
export function cardsRoot(key, transcript, order) {
  const salt = salts(key, transcript);
  return rootOf(order.map((label) => concat(salt.next().value, utf8(label))));
}

/** @param {Uint8Array} salt @param {number} number the card's index in the deck that is present @param {string} label @returns {Uint8Array} of a shoe with a placer (docs/placer-protocol.md) */
export const numberedLeaf = (salt, number, label) => concat(salt, Uint8Array.of(number >> 8, number & 255), utf8(label));

/**
 * The same of a shoe with a placer.
 * @param {Uint8Array} key
 * @param {string} transcript T of the deck that is present
 * @param {readonly string[]} deck its labels before the shuffle
 * @param {Shuffle} shuffle the house's own order
 * @returns {Uint8Array} 32 bytes
 */
export function placedRoot(key, transcript, deck, shuffle) {
  const salt = salts(key, transcript, "fairshoe/2 opening");
  return rootOf(deck.map((_, pos) => numberedLeaf(salt.next().value, shuffle.at(pos), deck[shuffle.at(pos)])));
}
