// Which step an audit's finding belongs to, and what most likely lies behind it.

import { fromHex, fromUtf8 } from "../bytes.mjs";
import { hashOf, textHash } from "./told.mjs";

/** Patterns of check and field; the first that fits. @type {[RegExp, string][]} */
const BY_FIELD = [
  [/^commitment/, "commitment"],
  [/^(contributions cut|shuffle|cards (cards\[|pos))/, "shuffle"],
  [/^cards end/, "chips"], // where the shoe ends follows from all that was played
  [/^contributions beacon/, "transcript"],
  [/^(decisions|cards cards|contributions (bets|waived|passed))/, "decisions"],
  [/^contributions/, "seeds"],
  [/^(dealer|cards dealer)/, "dealer"],
  [/^cards/, "totals"],
  [/^settlement.*outcome/, "outcome"],
  [/^settlement/, "payout"],
  [/^chips/, "chips"],
  // what is wrong with the order of entries, or with their time, belongs to what the entry is about
  [/ (table|shoe|reveal|void|lost)$/, "commitment"],
  [/ (seeds|opened|lapse|seal)$/, "seeds"],
  [/ reshuffle$/, "shuffle"],
];

/** @param {import("../audit.mjs").Finding} finding @param {string} kind of its entry @returns {string} a step's id */
export const stepOf = ({ check, field }, kind) => BY_FIELD.find(([pattern]) => pattern.test(`${check} ${field} ${kind}`))?.[1] ?? "decisions";

/** @param {string} step @returns {string} what lies behind a finding of which nothing more is known */
export const causeOf = (step) => (step === "shuffle" ? "other-cards" : ["commitment", "seeds", "transcript"].includes(step) ? "ceremony" : "against-rules");

/**
 * Why bytes do not have the hash that they should have.
 * @param {string} hex
 * @param {string} hash
 * @param {string} otherwise
 */
export function misread(hex, hash, otherwise) {
  if (hex === hash) return "hash-as-value";
  const digits = digitsIn(hex);
  const asText = [hex, hex.toUpperCase(), `${hex}\n`].some((text) => textHash(text) === hash);
  return asText || (digits !== null && hashOf(digits) === hash) ? "hex-as-text" : otherwise;
}

/** @param {string} hex @returns {string | null} the hex digits that these bytes spell, as a text */
export function digitsIn(hex) {
  try {
    const text = fromUtf8(fromHex(hex)).trim().toLowerCase();
    return /^([0-9a-f]{2})+$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
