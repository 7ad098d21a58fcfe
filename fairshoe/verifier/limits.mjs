// What each thing may be: docs/protocol.md section 1. Nothing is clipped, stripped or normalised: what breaks a
// limit is refused.
import { utf8, hasUnpaired } from "./bytes.mjs";
import { InputError } from "./errors.mjs";

const CARDS = 65536;
const CONTRIBUTORS = 64;
const BOUND = 2 ** 32;

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

/** @param {Uint8Array} key @param {string} [where] */
export function checkKey(key, where = "key") {
  must(key instanceof Uint8Array && key.length === 32, where, "32 bytes", "fromHex(text) makes bytes of 64 hex digits");
}

/** @param {readonly string[]} deck */
export function checkDeck(deck) {
  must(Array.isArray(deck) && deck.length >= 1 && deck.length <= CARDS, "deck", "1 to 65536 labels");
  deck.forEach((label, i) => must(isLabel(label), `deck[${i}]`, "1 to 64 bytes, no control character"));
}

/** @param {readonly (readonly [string, Uint8Array])[]} seeds */
export function checkSeeds(seeds) {
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
export function checkBeacon(beacon) {
  if (beacon === null) return;
  must(Array.isArray(beacon) && beacon.length === 3, "beacon", "[chain, round, randomness]");
  must(isHex(beacon[0], 1, 64), "beacon[0]", "1 to 64 bytes in hex");
  must(isCount(beacon[1]), "beacon[1]", "a round, 0 to 2^53 - 1");
  must(isHex(beacon[2], 1, 64), "beacon[2]", "1 to 64 bytes in hex");
}

/** @param {string} name @param {number} below its bound */
export function checkDraw(name, below) {
  must(isId(name), "draw", "a name: 1 to 64 of A-Z a-z 0-9 . _ : / -");
  must(isCount(below) && below >= 1 && below <= BOUND, `draws.${name}`, "a bound of 1 to 2^32");
}
