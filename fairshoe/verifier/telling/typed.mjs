// The proof of a shoe from what a reader types: docs/protocol.md section 10.

import { fromHex, toHex, utf8 } from "../bytes.mjs";
import { french } from "../deck.mjs";
import { decimal, must } from "../limits.mjs";
import { sha256 } from "../sha256.mjs";
import { drawNamed } from "../shuffle.mjs";
import { transcript } from "../transcript.mjs";

/**
 * @typedef {object} Typed as it stands in the fields
 * @property {string} key 64 hex digits
 * @property {string} shoe its id
 * @property {string} deck french:N, or labels parted by white space
 * @property {string} seeds one a line: NAME HEX
 * @property {string} draws one a line: NAME BOUND VALUE; without the value it is drawn
 * @property {string} cut 0 where it is empty
 * @property {string} dealt the whole deck where it is empty
 * @property {string} commitment the key's where it is empty
 */

/**
 * @param {Partial<Typed>} fields
 * @returns {Uint8Array} the file; whether it holds is for `tell`
 * @throws {import("../errors.mjs").InputError} where nothing can be made of it
 */
export function typed({ key = "", shoe = "", deck = "", seeds = "", draws = "", cut = "", dealt = "", commitment = "" }) {
  const secret = fromHex(bare(key), "key");
  must(secret.length === 32, "key", "64 hex digits");
  const packs = /^french:([0-9]+)$/.exec(deck.trim());
  const labels = packs ? french(Number(packs[1])) : wordsIn(deck);
  const pairs = linesIn(seeds).map(([who, ...hex]) => /** @type {const} */ ([who, bare(hex.join(""))]));
  const known = bare(commitment) || toHex(sha256(secret));
  const text = () => transcript({ shoe: shoe.trim(), deck: labels, commitment: known, seeds: pairs.map(([who, hex]) => [who, fromHex(hex, "seeds")]) });
  const drawn = linesIn(draws).map(([name, bound = "", value]) => {
    const below = decimal(bound, "draws");
    must(below >= 1 && below <= 2 ** 32, "draws", "NAME BOUND VALUE");
    return [name, [below, value === undefined ? drawNamed(secret, text(), name, below) : decimal(value, "draws")]];
  });
  return utf8(JSON.stringify({
    beacon: null, commitment: known, cut: decimal(cut.trim() || "0", "cut"), dealt: decimal(dealt.trim() || String(labels.length), "dealt"), deck: labels,
    draws: Object.fromEntries(drawn), key: toHex(secret), protocol: "fairshoe/1", reshuffles: [], seeds: pairs, shoe: shoe.trim(),
  }));
}

/** @param {string} text hex as it is copied: with white space, capitals, 0x */
export const bare = (text) => text.replace(/\s/g, "").replace(/^0x/, "").toLowerCase();

/** @param {string} text */
const wordsIn = (text) => text.split(/\s+/).filter(Boolean);

/** @param {string} text @returns {string[][]} the words of each line */
const linesIn = (text) => text.split("\n").map(wordsIn).filter(({ length }) => length > 0);
