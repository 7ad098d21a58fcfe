// A shuffle that nobody can arrange, checked in JavaScript: docs/protocol.md, and for games of your own.
//
//   import { commitment, draw, fromHex, shuffle, verify } from "fairshoe";
//
// Keys and seeds are bytes: fromHex("00ff") makes them of hex, utf8("text") of a text. Nothing here knows the
// network, a clock or a game.

import { toHex } from "./bytes.ts";
import { COUNT, hexOf, ID, is, isCount, isId, LABEL, listOf, must, orNull, tuple } from "./forms.ts";
import { sha256 } from "./hashes.ts";
import { brokenSeries, drawNamed, order, transcript as text } from "./shuffle.ts";
import type { Form } from "./forms.ts";

export { FairshoeError, fromHex, InputError, StepFailed, toHex, utf8, VerificationError } from "./bytes.ts";
export { deckHash, french } from "./cards.ts";
export { readProof, verify } from "./proof.ts";

interface Shoe {
  /** 32 bytes */
  key: Uint8Array;
  /** its id: 1 to 64 of A-Z a-z 0-9 . _ : / - */
  shoe: string;
  /** 1 to 65536 labels, before the shuffle */
  deck: readonly string[];
  /** contributor, 1 to 128 bytes; in roster order */
  seeds?: readonly (readonly [string, Uint8Array])[];
  /** chain hash, round, randomness */
  beacon?: readonly [string, number, string] | null;
}
interface Shuffled {
  commitment: string;
  transcript: string;
  /** the dealt order, after the cut */
  order: string[];
  draws: { [name: string]: number };
}

/** @returns 32 bytes of the machine's random source: one key makes one shoe */
export const newKey = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));

/**
 * @param key 32 bytes
 * @returns 64 hex digits: SHA-256 of the key's bytes, not of their hex
 */
export function commitment(key: Uint8Array): string {
  checkKey(key);
  return toHex(sha256(key));
}

/** @returns T of the seal: what makes the order besides the key */
export function transcript({ key, shoe, deck, seeds = [], beacon = null }: Shoe): string {
  const committed = commitment(key);
  for (const [name, part] of Object.entries({ shoe, deck, seeds, beacon })) {
    const [form, expected, remedy] = PARTS[name];
    const wrong = form(part);
    must(wrong === null, name + wrong, expected, remedy);
  }
  must(new Set(seeds.map(([who]) => who)).size === seeds.length, "seeds", "each contributor once");
  return text({ shoe, deck, commitment: committed, seeds, beacon });
}

/**
 * The order of the cards, and every named draw.
 * @param of cut: 0 to cards - 1; draws: name → bound, all that were listed at the commitment; first: how many cards are
 * wanted
 */
export function shuffle({
  cut = 0,
  draws = {},
  first,
  ...shoe
}: Shoe & { cut?: number; draws?: { readonly [name: string]: number }; first?: number }): Shuffled {
  const T = transcript(shoe);
  const { key, deck } = shoe;
  must(isCount(cut) && cut < deck.length, "cut", `0 to ${deck.length - 1}`);
  must(first === undefined || isCount(first), "first", "0 or more");
  checkDraws(draws, deck.length);
  return {
    commitment: commitment(key),
    transcript: T,
    order: order({ key, transcript: T, deck, cut, first }),
    draws: Object.fromEntries(Object.entries(draws).map(([name, below]) => [name, drawNamed(key, T, name, below)])),
  };
}

/**
 * One named draw. Only what was listed at the commitment counts: else somebody may have chosen the name.
 * @param of below: 1 to 2^32
 * @returns 0 … below − 1
 */
export function draw({
  key,
  transcript,
  name,
  below,
}: {
  key: Uint8Array;
  transcript: string;
  name: string;
  below: number;
}): number {
  checkKey(key);
  checkDraw(name, below);
  return drawNamed(key, transcript, name, below);
}

const BYTES = hexOf(1, 64);
const SEED_BYTES = is((seed) => seed instanceof Uint8Array && seed.length >= 1 && seed.length <= 128);

/** What each part of a shoe has to be, and what may help. */
const PARTS: Record<string, [Form, string, string?]> = {
  shoe: [ID, "1 to 64 of A-Z a-z 0-9 . _ : / -"],
  deck: [listOf(LABEL, 1, 65536), "1 to 65536 labels, each of 1 to 64 bytes without a control character"],
  seeds: [
    listOf(tuple(ID, SEED_BYTES), 0, 64),
    "at most 64 [contributor, 1 to 128 bytes]",
    "fromHex(text) makes bytes of hex, utf8(text) of a text",
  ],
  beacon: [
    orNull(tuple(BYTES, COUNT, BYTES)),
    "[chain, round, randomness]: 1 to 64 bytes in hex, 0 to 2^53 - 1, 1 to 64 bytes in hex",
  ],
};

function checkKey(key: Uint8Array) {
  must(key instanceof Uint8Array && key.length === 32, "key", "32 bytes", "fromHex(text) makes bytes of 64 hex digits");
}

/**
 * @param draws name → bound, all that are listed at the commitment
 * @param cards of the deck
 */
export function checkDraws(draws: { readonly [name: string]: number }, cards: number) {
  for (const [name, below] of Object.entries(draws)) checkDraw(name, below);
  must(brokenSeries(Object.keys(draws)) === null, "draws", "each series numbered 0 to k - 1");
  must(!Object.hasOwn(draws, "cut") || draws.cut === cards, "draws.cut", `${cards}, the number of cards`);
}

/** @param below its bound */
function checkDraw(name: string, below: number) {
  must(isId(name), "draw", "a name: 1 to 64 of A-Z a-z 0-9 . _ : / -");
  must(isCount(below) && below >= 1 && below <= 2 ** 32, `draws.${name}`, "a bound of 1 to 2^32");
}
