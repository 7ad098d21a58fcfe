// A shuffle with all that it is made of: every word, and every swap that the wanted cards need.

import { Words } from "../words.mjs";
import { wordsCommand } from "./commands.mjs";
import { grid } from "./told.mjs";

/**
 * @typedef {object} Swap
 * @property {number} place i, the position that is final after it
 * @property {number} number of its word in the stream
 * @property {number} word
 * @property {number} bound m: how many cards remain
 * @property {[number, number][]} rejected the words that were discarded before it, each with its number
 *
 * @typedef {object} Order one order of cards, and those that are wanted of it
 * @property {string} text the transcript
 * @property {number} k 0, or the number of the reshuffle
 * @property {number} size cards in it
 * @property {number} cut
 * @property {number[]} positions in the dealt order: the wanted cards
 * @property {number[]} cards which they are, by their places before the shuffle
 * @property {Swap[]} swaps that brought them there
 * @property {number} words read
 */

/** @param {Uint8Array} key @param {{text: string, k: number, size: number, cut: number, positions: number[]}} of @returns {Order} */
export function trace(key, of) {
  const { text, size, cut, positions } = of;
  const places = positions.map((position) => (position + cut) % size);
  const words = new Words(key, text, "fairshoe/1 shuffle");
  const deck = Uint32Array.from({ length: size }, (_, i) => i);
  /** @type {Swap[]} */
  const swaps = [];
  let read = 0;
  const last = Math.min(Math.max(-1, ...places), size - 2);
  for (let place = 0; place <= last; place++) {
    const bound = size - place;
    /** @type {[number, number][]} */
    const rejected = [];
    let word = words.next();
    for (; word >= 2 ** 32 - (2 ** 32 % bound); word = words.next()) rejected.push([read++, word]);
    const other = place + (word % bound);
    [deck[place], deck[other]] = [deck[other], deck[place]];
    swaps.push({ place, number: read++, word, bound, rejected });
  }
  const needed = new Set(places.flatMap((place) => wayOf(swaps, place)));
  return { ...of, cards: places.map((place) => deck[place]), swaps: swaps.filter(({ place }) => needed.has(place)), words: read };
}

/** @param {Swap[]} swaps @param {number} place @returns {number[]} the swaps that brought a card to its place, backwards */
function wayOf(swaps, place) {
  const way = [];
  for (let i = Math.min(place, swaps.length - 1); i >= 0; i--) {
    const other = i + (swaps[i].word % swaps[i].bound);
    if (place !== i && place !== other) continue;
    way.push(i);
    place = place === i ? other : i;
  }
  return way;
}

/** @param {import("./told.mjs").Telling} telling @param {Order} order @param {string} key hex @param {string[]} labels of the wanted cards */
export function showOrder(telling, { text, k, size, cut, positions, swaps, words }, key, labels) {
  const wanted = new Map(positions.map((position, i) => [(position + cut) % size, [position, labels[i]]]));
  const hex = (/** @type {number} */ word) => word.toString(16).padStart(8, "0");
  const rows = swaps.flatMap(({ place, number, word, bound, rejected }) => [
    ...rejected.map(([at, one]) => [place, at, hex(one), "×", bound, "", "", "", ""]),
    [place, number, hex(word), "", bound, word % bound, place + (word % bound), ...(wanted.get(place) ?? ["", ""])],
  ]);
  if (k) telling.show("shuffle", { reshuffle: k, transcript: text, "cut-drawn": cut });
  const swapped = grid("place word-number word rejected bound index-of swap position card", rows);
  telling.show("shuffle", { "deck-size": size, cards: labels, swaps: swapped, command: wordsCommand(key, text, words) });
}
