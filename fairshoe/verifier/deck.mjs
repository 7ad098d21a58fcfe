// Decks and their hashes: docs/protocol.md section 3.
import { toHex, utf8 } from "./bytes.mjs";
import { must } from "./limits.mjs";
import { sha256 } from "./sha256.mjs";

const PACK = [..."cdhs"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

/**
 * @param {number} packs 1 to 1260
 * @returns {string[]} Ac 2c … Kc Ad … Ks, as often
 */
export function french(packs) {
  must(Number.isInteger(packs) && packs >= 1 && packs <= 1260, "packs", "1 to 1260");
  return Array.from({ length: packs }, () => PACK).flat();
}

/**
 * @param {readonly string[]} deck
 * @returns {string} SHA-256 over every label followed by LF, in hex
 */
export const deckHash = (deck) => toHex(sha256(utf8(deck.map((label) => `${label}\n`).join(""))));
