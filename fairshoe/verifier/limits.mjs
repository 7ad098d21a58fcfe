// What each thing may be: docs/protocol.md section 1. Nothing is clipped, stripped or normalised: what breaks a
// limit is refused.
import { utf8, hasUnpaired } from "./bytes.mjs";
import { InputError } from "./errors.mjs";

/** A bet on an account beyond the second is illegal: no account of a table passes twice that (GE-14). */
export const MOST_BET = 2 ** 40;
export const MOST_CHIPS = 2 ** 51;
export const MOST_BETS = 64; // of a round

/** @param {unknown} value @returns {value is string} 1 to 64 of A-Z a-z 0-9 . _ : / - */
export const isId = (value) => typeof value === "string" && /^[A-Za-z0-9._:/-]{1,64}$/.test(value);

/** @param {unknown} value @returns {value is string} 1 to 64 bytes of UTF-8 without control characters */
export const isLabel = (value) =>
  typeof value === "string" &&
  value !== "" &&
  value.length <= 64 &&
  !/[\u0000-\u001f\u007f-\u009f]/.test(value) &&
  !hasUnpaired(value) &&
  utf8(value).length <= 64;

/** @param {unknown} value @returns {value is number} 0 … 2^53 − 1 */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0 && !Object.is(value, -0);

/**
 * @param {unknown} value
 * @param {number} least in bytes
 * @param {number} most
 * @returns {value is string}
 */
export const isHex = (value, least, most) =>
  typeof value === "string" &&
  /^(?:[0-9a-f]{2})*$/.test(value) &&
  value.length >= 2 * least &&
  value.length <= 2 * most;

/** @param {unknown} value @returns {value is string} a SHA-256 in hex */
export const isHash = (value) => isHex(value, 32, 32);

/**
 * A whole number as it is written: ASCII digits, no sign, no leading zero.
 * @param {string} text
 * @param {string} [where]
 * @returns {number}
 */
export function decimal(text, where = "number") {
  must(/^(?:0|[1-9][0-9]{0,15})$/.test(text) && isCount(Number(text)), where, "a decimal, 0 to 2^53 - 1");
  return Number(text);
}

/**
 * @param {boolean} holds
 * @param {string} where
 * @param {string} expected
 * @param {string} [remedy]
 * @returns {asserts holds}
 */
export function must(holds, where, expected, remedy = "") {
  if (!holds) throw new InputError(`${where} is not as it has to be`, where, expected, remedy);
}
