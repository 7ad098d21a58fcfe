// The transcript T: everything that makes the order besides the key, as a text. docs/protocol.md sections 4 and 8.
import { toHex } from "./bytes.mjs";
import { deckHash } from "./deck.mjs";

/**
 * @typedef {object} Parts
 * @property {string} shoe its id
 * @property {readonly string[]} deck labels before the shuffle
 * @property {string} commitment 64 hex digits
 * @property {readonly (readonly [string, Uint8Array])[]} [seeds] in roster order
 * @property {readonly [string, number, string] | null} [beacon] chain, round, randomness
 * @property {string} [hash] the deck's hash, where it is known already
 */

/**
 * @param {Parts} parts within their limits (limits.mjs)
 * @returns {string} T of the seal
 */
export function transcript({ shoe, deck, commitment, seeds = [], beacon = null, hash = deckHash(deck) }) {
  const lines = ["fairshoe/1", `shoe ${shoe}`, `deck ${deck.length} ${hash}`, `commitment ${commitment}`];
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
