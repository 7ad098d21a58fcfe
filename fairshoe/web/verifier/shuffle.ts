// From a key and everybody's seeds to the order of the cards: docs/protocol.md sections 4 to 9.

import { concat, toHex, utf8 } from "./bytes.ts";
import { deckHash } from "./cards.ts";
import { blocks, extract, Hmac, rootOf, sha256 } from "./hashes.ts";

// The transcript T: everything that makes the order besides the key, as a text (sections 4 and 8).

interface Parts {
  /** its id */
  shoe: string;
  /** labels before the shuffle */
  deck: readonly string[];
  /** 64 hex digits */
  commitment: string;
  /** in roster order */
  seeds?: readonly (readonly [string, Uint8Array])[];
  /** chain, round, randomness */
  beacon?: readonly [string, number, string] | null;
  /** the deck's hash, where it is known already */
  hash?: string;
  /** name, commitment (docs/placer-protocol.md) */
  placer?: readonly [string, string] | null;
}

/**
 * @param parts within their limits (forms.ts)
 * @returns T of the seal
 */
export function transcript({
  shoe,
  deck,
  commitment,
  seeds = [],
  beacon = null,
  hash = deckHash(deck),
  placer = null,
}: Parts): string {
  const lines = [
    placer ? "fairshoe/2" : "fairshoe/1",
    `shoe ${shoe}`,
    `deck ${deck.length} ${hash}`,
    `commitment ${commitment}`,
  ];
  if (placer) lines.push(`placer ${placer.join(" ")}`);
  for (const [who, seed] of seeds) lines.push(`seed ${who} ${toHex(seed)}`);
  if (beacon) lines.push(`beacon ${beacon.join(" ")}`);
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * @param before T as it was
 * @param k 1, 2, … in this shoe
 * @param deck the gathered cards, in the order of the original deck
 * @returns T after the reshuffle
 */
export const reshuffled = (before: string, k: number, deck: readonly string[]): string =>
  `${before}reshuffle ${k} ${deck.length} ${deckHash(deck)}\n`;

// Streams of words, and a uniform index from them (section 5).

/** The bytes of a stream, 32 at a time; a chunk has 255 such blocks. */
export function* stream(
  key: Uint8Array,
  transcript: string,
  salt: string,
  suffix: string = "",
): Generator<Uint8Array, never, void> {
  const prk = new Hmac(extract(utf8(salt), key));
  const hash = sha256(utf8(transcript));
  for (let chunk = 0; ; chunk++) yield* blocks(prk, concat(hash, utf8(`${suffix}chunk ${chunk}\n`)));
}

/** The words of a stream, and indexes from them. */
export class Words {
  declare blocks: Generator<Uint8Array<ArrayBufferLike>, never, void>;
  declare block: DataView;
  at: number = 0;
  /** How many words were discarded. */
  rejected: number = 0;

  constructor(key: Uint8Array, transcript: string, salt: string, suffix: string = "") {
    this.blocks = stream(key, transcript, salt, suffix);
    this.block = new DataView(new ArrayBuffer(0));
  }

  /** @returns the next word, 32 bits */
  next(): number {
    if (this.at === this.block.byteLength) {
      this.block = new DataView(this.blocks.next().value.buffer);
      this.at = 0;
    }
    this.at += 4;
    return this.block.getUint32(this.at - 4);
  }

  /**
   * @param m 1 to 2^32
   * @returns 0 … m − 1, each equally likely
   */
  uniform(m: number): number {
    const limit = 2 ** 32 - (2 ** 32 % m);
    for (;;) {
      const word = this.next();
      if (word < limit) return word % m;
      this.rejected++;
    }
  }
}

// The order of the cards, and named draws (sections 6 to 8).

/** The salt of a placer's own order. */
export const PLACING = "fairshoe/2 placing";

/** A shuffled deck of n cards, lazily: a hand costs the cards that it deals, and with a cut those before it. */
export class Shuffle {
  declare words: Words;
  declare cards: Uint32Array<ArrayBuffer>;
  declare cut: number;
  done: number = 0;

  /**
   * @param n cards
   * @param cut 0 … n − 1
   */
  constructor(key: Uint8Array, transcript: string, n: number, cut: number = 0, salt: string = "fairshoe/1 shuffle") {
    this.words = new Words(key, transcript, salt);
    this.cards = Uint32Array.from({ length: n }, (_, i) => i);
    this.cut = cut;
  }

  /**
   * @param position in the dealt order
   * @returns the card there: its index in the deck before the shuffle
   */
  at(position: number): number {
    const { cards } = this;
    const place = (position + this.cut) % cards.length;
    for (; this.done <= place && this.done < cards.length - 1; this.done++) {
      const other = this.done + this.words.uniform(cards.length - this.done);
      [cards[this.done], cards[other]] = [cards[other], cards[this.done]];
    }
    return cards[place];
  }

  /**
   * @param count at most n
   * @returns the first cards in the dealt order
   */
  first(count: number): number[] {
    return Array.from({ length: count }, (_, position) => this.at(position));
  }
}

/** @returns labels in the dealt order */
export function order({
  key,
  transcript,
  deck,
  cut = 0,
  first = deck.length,
}: {
  key: Uint8Array;
  transcript: string;
  /** before the shuffle */
  deck: readonly string[];
  cut?: number;
  /** how many cards are wanted; more than there are is no error */
  first?: number;
}): string[] {
  return new Shuffle(key, transcript, deck.length, cut).first(Math.min(first, deck.length)).map((card) => deck[card]);
}

/**
 * A named draw: one more committed number.
 * @param transcript T of the seal; of a reshuffle's own cut the longer one
 * @param below the bound, 1 to 2^32
 * @returns 0 … below − 1
 */
export const drawNamed = (key: Uint8Array, transcript: string, name: string, below: number): number =>
  new Words(key, transcript, "fairshoe/1 draw", `draw ${name}\n`).uniform(below);

/**
 * Series of draws have the numbers 0 … k − 1, each once: docs/protocol.md section 7.
 * @returns a name that breaks it
 */
export function brokenSeries(names: readonly string[]): string | null {
  const series: Map<string, string[]> = new Map();
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
 * @param transcript T of the seal
 * @param salt of the stream
 * @returns the salts of positions 0, 1, …: 16 bytes each
 */
export function* salts(
  key: Uint8Array,
  transcript: string,
  salt: string = "fairshoe/1 opening",
): Generator<Uint8Array, never, void> {
  for (const block of stream(key, transcript, salt)) {
    yield block.subarray(0, 16);
    yield block.subarray(16);
  }
  throw new RangeError("a stream has no end");
}

/**
 * @param transcript T of the seal
 * @param order labels in the dealt order, after the cut
 * @returns 32 bytes
 */
export const cardsRoot = (key: Uint8Array, transcript: string, order: readonly string[]): Uint8Array =>
  rootOver(salts(key, transcript), order);

/** The root of the openings of cards in the dealt order. `numbers`: as of leafOf. */
const rootOver = (salt: ReturnType<typeof salts>, labels: readonly string[], numbers: number[] = []): Uint8Array =>
  rootOf(labels.map((label, place) => leafOf(salt.next().value, label, numbers[place])));

/** @param number of a shoe with a placer (docs/placer-protocol.md): the card's index in the deck that is present */
export const leafOf = (salt: Uint8Array, label: string, number?: number): Uint8Array =>
  concat(salt, Uint8Array.from(number === undefined ? [] : [number >> 8, number & 255]), utf8(label));

// A deck as it was shuffled at the seal, and again of the cards that were gathered.

export class ShuffledDeck {
  declare key: Uint8Array;
  declare text: string;
  declare deck: readonly string[];
  declare indexes: readonly number[];
  declare k: number;
  labels: string[];
  shuffle: Shuffle;

  /** `text`: T; `deck`: the whole shoe's labels; `indexes`: which of them are shuffled; `k`: the reshuffle's number, 0 at the seal. */
  constructor(
    key: Uint8Array,
    text: string,
    deck: readonly string[],
    cut: number = 0,
    indexes: readonly number[] = deck.map((_, card) => card),
    k: number = 0,
  ) {
    Object.assign(this, { key, text, deck, indexes, k });
    this.labels = indexes.map((card) => deck[card]);
    this.shuffle = new Shuffle(key, text, indexes.length, cut);
  }

  /** The index in the whole shoe's deck of the card at a place; -1 beyond the last. */
  at(place: number): number {
    return place < this.indexes.length ? this.indexes[this.shuffle.at(place)] : -1;
  }

  /** The labels in the dealt order. */
  get dealt(): string[] {
    return this.labels.map((_, place) => this.deck[this.at(place)]);
  }

  /** What binds each card to its place, in hex. `numbered`: with the cards' numbers, as with a placer. */
  root(numbered: boolean): string {
    const salt = salts(this.key, this.text, numbered ? "fairshoe/2 opening" : undefined);
    return toHex(rootOver(salt, this.dealt, numbered ? this.shuffle.first(this.labels.length) : []));
  }

  /** The cut that the key gives at this reshuffle. */
  get drawnCut(): number {
    return drawNamed(this.key, this.text, "cut", this.labels.length);
  }

  /** These cards shuffled anew. `cut`: of them; "drawn": where the key says. */
  gather(indexes: readonly number[], cut: number | "drawn" = 0): ShuffledDeck {
    const { key, deck, k } = this;
    const labels = indexes.map((card) => deck[card]);
    const made = new ShuffledDeck(key, reshuffled(this.text, k + 1, labels), deck, 0, indexes, k + 1);
    made.shuffle.cut = cut === "drawn" ? made.drawnCut : cut;
    return made;
  }

  /** The indexes of the whole shoe's cards but those that lie out. */
  allBut(out: Set<number>): number[] {
    return this.deck.map((_, card) => card).filter((card) => !out.has(card));
  }
}
