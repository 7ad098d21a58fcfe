// What each thing may be: docs/protocol.md section 1. Nothing is clipped, stripped or normalised: what breaks a limit is refused.

import { hasUnpaired, InputError, utf8 } from "./bytes.mjs";

/** A bet on an account beyond the second is illegal: no account of a table passes twice that (GE-14). */
export const MOST_BET = 2 ** 40;
export const MOST_CHIPS = 2 ** 51;
export const MOST_BETS = 64; // of a round

/** @param {unknown} value @returns {value is string} 1 to 64 of A-Z a-z 0-9 . _ : / - */
export const isId = (value) => typeof value === "string" && /^[A-Za-z0-9._:/-]{1,64}$/.test(value);

/** @param {unknown} value @returns {value is string} 1 to 64 bytes of UTF-8 without control characters */
const isLabel = (value) =>
  typeof value === "string" &&
  value !== "" &&
  value.length <= 64 &&
  !/[\u0000-\u001f\u007f-\u009f]/.test(value) &&
  !hasUnpaired(value) &&
  utf8(value).length <= 64;

/** @param {unknown} value @returns {value is number} 0 … 2^53 − 1 */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0 && !Object.is(value, -0);

/** @param {unknown} value @param {number} least in bytes @param {number} most @returns {value is string} */
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

/** @param {boolean} holds @param {string} where @param {string} expected @param {string} [remedy] @returns {asserts holds} */
export function must(holds, where, expected, remedy = "") {
  if (!holds) throw new InputError(`${where} is not as it has to be`, where, expected, remedy);
}

// What may stand in a field, as data: a form says where a value is not as it should be.

/** @typedef {(value: any) => string | null} Form the path of what is wrong below it ("" the value itself), or null */

/** @param {(value: any) => boolean} test @returns {Form} */
export const is = (test) => (value) => (test(value) ? null : "");

/** @param {...unknown} values @returns {Form} */
export const oneOf = (...values) => is((value) => values.includes(value));

/** @param {number} least @param {number} [most] @returns {Form} a whole number */
export const upFrom = (least, most = Number.MAX_SAFE_INTEGER) => is((n) => Number.isSafeInteger(n) && n >= least && n <= most);

/** @param {Form} form @param {number} [least] @param {number} [most] @returns {Form} */
export const listOf = (form, least = 1, most = Infinity) => (value) => {
  if (!Array.isArray(value) || value.length < least || value.length > most) return "";
  for (const [i, item] of value.entries()) {
    const wrong = form(item);
    if (wrong !== null) return `[${i}]${wrong}`;
  }
  return null;
};

/** @param {...Form} forms of a list of so many items @returns {Form} */
export const tuple = (...forms) => (value) => {
  if (!Array.isArray(value) || value.length !== forms.length) return "";
  const i = forms.findIndex((form, place) => form(value[place]) !== null);
  return i < 0 ? null : `[${i}]`;
};

/** @param {(name: string) => boolean} isKey @param {Form} form @param {number} [least] @returns {Form} */
export const mapOf = (isKey, form, least = 0) => (value) => {
  if (!isObject(value) || Object.keys(value).length < least) return "";
  for (const [key, item] of Object.entries(value)) if (!isKey(key) || form(item) !== null) return `.${key}`;
  return null;
};

/** @param {Form} form @returns {Form} */
export const orNull = (form) => (value) => (value === null ? null : form(value));

/** @param {Record<string, Form>} fields @param {string} name */
export const isField = (fields, name) => Object.hasOwn(fields, name) || Object.hasOwn(fields, `${name}?`);

/** @param {Record<string, Form>} fields a name that ends in ? may be left out @param {boolean} [more] whether it may have others @returns {Form} */
export const objectOf = (fields, more = false) => (value) => {
  if (!isObject(value)) return "";
  for (const name of Object.keys(value)) if (!more && !isField(fields, name)) return `.${name}`;
  for (const [name, form] of Object.entries(fields)) {
    const plain = name.replace("?", "");
    const there = Object.hasOwn(value, plain);
    const wrong = there ? form(value[plain]) : plain === name ? "" : null;
    if (wrong !== null) return `.${plain}${wrong}`;
  }
  return null;
};

/** @param {any} value @returns {value is Record<string, any>} */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {number} least @param {number} most in bytes @returns {Form} */
export const hexOf = (least, most) => is((text) => isHex(text, least, most));

export const ID = is(isId);
export const HASH = is(isHash);
export const LABEL = is(isLabel);
export const COUNT = is(isCount);
export const TEXT = is((value) => typeof value === "string");
export const SEED = hexOf(1, 128);
export const WHEN = is((text) => microseconds(text) !== null);
/** a seat, a round, an amount */
export const SEAT = upFrom(1);

// Times as a log has them: 2026-01-01T00:00:00.244000Z, always with six decimals.

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{3})(\d{3})Z$/;

/** @param {unknown} text @returns {number | null} microseconds since 1970; null where it is no such time */
export function microseconds(text) {
  const found = typeof text === "string" ? FORM.exec(text) : null;
  if (!found) return null;
  const milliseconds = Date.parse(`${found[1]}.${found[2]}Z`);
  if (Number.isNaN(milliseconds) || milliseconds < 0 || new Date(milliseconds).toISOString().slice(0, 19) !== found[1]) return null;
  return milliseconds * 1000 + Number(found[3]);
}

/** @param {number} at in microseconds @returns {string} to the millisecond */
export const momentText = (at) => new Date(at / 1000).toISOString();

/** @param {number} count @returns {number} in microseconds */
export const seconds = (count) => count * 1e6;

export const HOUR = seconds(3600);
export const DAY = 24 * HOUR;
export const MONTH = 30 * DAY;

/** @param {number[]} times that do not fall @param {number} at @returns {number} the place of the last that is not later; -1 where each is */
export function placeUpTo(times, at) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The log's own time: it stands still from an hour after an entry to the next one. */
export class OwnTime {
  constructor() {
    /** where each longer gap begins, where it ends, and how long those before it stood still @type {number[]} */
    this.begins = [];
    /** @type {number[]} */ this.ends = [];
    /** @type {number[]} */ this.before = [];
    this.still = 0;
  }

  /** @param {number} from @param {number} to two neighbouring entries */
  pass(from, to) {
    if (to - from <= HOUR) return;
    this.begins.push(from);
    this.ends.push(to);
    this.before.push(this.still);
    this.still += to - from - HOUR;
  }

  /** @param {number} at @returns {number} what it was then */
  at(at) {
    const place = placeUpTo(this.begins, at);
    if (place < 0) return at;
    const gap = Math.min(at, this.ends[place]) - this.begins[place];
    return at - this.before[place] - Math.max(0, gap - HOUR);
  }
}
