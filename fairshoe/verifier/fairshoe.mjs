// A shuffle that nobody can arrange, checked in JavaScript: docs/protocol.md, and for games of your own.
//
//   import { commitment, draw, fromHex, shuffle, verify } from "./fairshoe.mjs";
//
// Keys and seeds are bytes: fromHex("00ff") makes them of hex, utf8("text") of a text. Nothing here knows the
// network, a clock or a game.
import { toHex } from "./bytes.mjs";
import { isCount, isHex, isId, isLabel, must } from "./forms.mjs";
import { sha256 } from "./hashes.mjs";
import { brokenSeries, drawNamed, order, transcript as text } from "./shuffle.mjs";

export { fromHex, toHex, utf8 } from "./bytes.mjs";
export { deckHash, french } from "./cards.mjs";
export { FairshoeError, InputError, StepFailed, VerificationError } from "./errors.mjs";
export { readProof, verify } from "./proof.mjs";

/** @typedef {import("./proof.mjs").Proof} Proof */
/** @typedef {import("./proof.mjs").Verified} Verified */

/**
 * @typedef {object} Shoe
 * @property {Uint8Array} key 32 bytes
 * @property {string} shoe its id: 1 to 64 of A-Z a-z 0-9 . _ : / -
 * @property {readonly string[]} deck 1 to 65536 labels, before the shuffle
 * @property {readonly (readonly [string, Uint8Array])[]} [seeds] [contributor, 1 to 128 bytes], in roster order
 * @property {readonly [string, number, string] | null} [beacon] chain hash, round, randomness
 */

/**
 * @typedef {object} Shuffled
 * @property {string} commitment
 * @property {string} transcript T of the seal
 * @property {string[]} order the dealt order, after the cut
 * @property {{ [name: string]: number }} draws
 */

/** @returns {Uint8Array} 32 bytes of the machine's random source: one key makes one shoe */
export const newKey = () => crypto.getRandomValues(new Uint8Array(32));

/** @param {Uint8Array} key 32 bytes @returns {string} 64 hex digits: SHA-256 of the key's bytes, not of their hex */
export function commitment(key) {
  checkKey(key);
  return toHex(sha256(key));
}

/** @param {Shoe} shoe @returns {string} T of the seal: what makes the order besides the key */
export function transcript({ key, shoe, deck, seeds = [], beacon = null }) {
  const committed = commitment(key);
  must(isId(shoe), "shoe", "1 to 64 of A-Z a-z 0-9 . _ : / -");
  checkDeck(deck);
  checkSeeds(seeds);
  checkBeacon(beacon);
  return text({ shoe, deck, commitment: committed, seeds, beacon });
}

/**
 * The order of the cards, and every named draw.
 * @param {Shoe & { cut?: number, draws?: { readonly [name: string]: number }, first?: number }} of
 *   cut: 0 to cards - 1; draws: name → bound, all that were listed at the commitment; first: how many cards are wanted
 * @returns {Shuffled}
 */
export function shuffle({ cut = 0, draws = {}, first, ...shoe }) {
  const T = transcript(shoe);
  const { key, deck } = shoe;
  must(isCount(cut) && cut < deck.length, "cut", `0 to ${deck.length - 1}`);
  must(first === undefined || isCount(first), "first", "0 or more");
  for (const [name, below] of Object.entries(draws)) checkDraw(name, below);
  must(brokenSeries(Object.keys(draws)) === null, "draws", "each series numbered 0 to k - 1");
  must(!Object.hasOwn(draws, "cut") || draws.cut === deck.length, "draws.cut", `${deck.length}, the number of cards`);
  return {
    commitment: commitment(key),
    transcript: T,
    order: order({ key, transcript: T, deck, cut, first }),
    draws: Object.fromEntries(Object.entries(draws).map(([name, below]) => [name, drawNamed(key, T, name, below)])),
  };
}

/**
 * One named draw. Only what was listed at the commitment counts: else somebody may have chosen the name.
 * @param {{ key: Uint8Array, transcript: string, name: string, below: number }} of below: 1 to 2^32
 * @returns {number} 0 … below − 1
 */
export function draw({ key, transcript, name, below }) {
  checkKey(key);
  checkDraw(name, below);
  return drawNamed(key, transcript, name, below);
}

const CARDS = 65536;
const CONTRIBUTORS = 64;
const BOUND = 2 ** 32;

/** @param {Uint8Array} key @param {string} [where] */
function checkKey(key, where = "key") {
  must(key instanceof Uint8Array && key.length === 32, where, "32 bytes", "fromHex(text) makes bytes of 64 hex digits");
}

/** @param {readonly string[]} deck */
function checkDeck(deck) {
  must(Array.isArray(deck) && deck.length >= 1 && deck.length <= CARDS, "deck", "1 to 65536 labels");
  deck.forEach((label, i) => must(isLabel(label), `deck[${i}]`, "1 to 64 bytes, no control character"));
}

/** @param {readonly (readonly [string, Uint8Array])[]} seeds */
function checkSeeds(seeds) {
  must(Array.isArray(seeds) && seeds.length <= CONTRIBUTORS, "seeds", "at most 64 [contributor, bytes]");
  const names = new Set();
  seeds.forEach((pair, i) => {
    must(Array.isArray(pair) && pair.length === 2, `seeds[${i}]`, "[contributor, bytes]");
    const [who, seed] = pair;
    must(isId(who) && !names.has(who), `seeds[${i}][0]`, "an id, each once");
    must(
      seed instanceof Uint8Array && seed.length >= 1 && seed.length <= 128,
      `seeds[${i}][1]`,
      "1 to 128 bytes",
      "fromHex(text) makes bytes of hex, utf8(text) of a text",
    );
    names.add(who);
  });
}

/** @param {readonly [string, number, string] | null} beacon chain, round, randomness */
function checkBeacon(beacon) {
  if (beacon === null) return;
  must(Array.isArray(beacon) && beacon.length === 3, "beacon", "[chain, round, randomness]");
  must(isHex(beacon[0], 1, 64), "beacon[0]", "1 to 64 bytes in hex");
  must(isCount(beacon[1]), "beacon[1]", "a round, 0 to 2^53 - 1");
  must(isHex(beacon[2], 1, 64), "beacon[2]", "1 to 64 bytes in hex");
}

/** @param {string} name @param {number} below its bound */
function checkDraw(name, below) {
  must(isId(name), "draw", "a name: 1 to 64 of A-Z a-z 0-9 . _ : / -");
  must(isCount(below) && below >= 1 && below <= BOUND, `draws.${name}`, "a bound of 1 to 2^32");
}
