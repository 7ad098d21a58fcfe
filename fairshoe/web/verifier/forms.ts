// What each thing may be: docs/protocol.md section 1. Nothing is clipped, stripped or normalised: what breaks a limit is refused.

import { hasUnpaired, InputError, utf8 } from "./bytes.ts";

/** A bet on an account beyond the second is illegal: no account of a table passes twice that (GE-14). */
export const MOST_BET = 2 ** 40;
export const MOST_CHIPS = 2 ** 51;
export const MOST_BETS = 64; // of a round

/** @returns 1 to 64 of A-Z a-z 0-9 . _ : / - */
export const isId = (value: unknown): value is string =>
  typeof value === "string" && /^[A-Za-z0-9._:/-]{1,64}$/.test(value);

/** @returns 1 to 64 bytes of UTF-8 without control characters */
const isLabel = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  value.length <= 64 &&
  !/[\u0000-\u001f\u007f-\u009f]/.test(value) &&
  !hasUnpaired(value) &&
  utf8(value).length <= 64;

/** @returns 0 … 2^53 − 1 */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && !Object.is(value, -0);

/** @param least in bytes */
export const isHex = (value: unknown, least: number, most: number): value is string =>
  typeof value === "string" &&
  /^(?:[0-9a-f]{2})*$/.test(value) &&
  value.length >= 2 * least &&
  value.length <= 2 * most;

/** @returns a SHA-256 in hex */
export const isHash = (value: unknown): value is string => isHex(value, 32, 32);

/** A whole number as it is written: ASCII digits, no sign, no leading zero. */
export function decimal(text: string, where: string = "number"): number {
  must(/^(?:0|[1-9][0-9]{0,15})$/.test(text) && isCount(Number(text)), where, "a decimal, 0 to 2^53 - 1");
  return Number(text);
}

export function must(holds: boolean, where: string, expected: string, remedy: string = ""): asserts holds {
  if (!holds) throw new InputError(`${where} is not as it has to be`, where, expected, remedy);
}

// What may stand in a field, as data: a form says where a value is not as it should be.

/** the path of what is wrong below it ("" the value itself), or null */
export type Form = (value: any) => string | null;

export const is =
  (test: (value: any) => boolean): Form =>
  (value) =>
    test(value) ? null : "";

export const oneOf = (...values: unknown[]): Form => is((value) => values.includes(value));

/** @returns a whole number */
export const upFrom = (least: number, most: number = Number.MAX_SAFE_INTEGER): Form =>
  is((n) => Number.isSafeInteger(n) && n >= least && n <= most);

export const listOf =
  (form: Form, least: number = 1, most: number = Infinity): Form =>
  (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return "";
    for (const [i, item] of value.entries()) {
      const wrong = form(item);
      if (wrong !== null) return `[${i}]${wrong}`;
    }
    return null;
  };

/** @param forms of a list of so many items */
export const tuple =
  (...forms: Form[]): Form =>
  (value) => {
    if (!Array.isArray(value) || value.length !== forms.length) return "";
    const i = forms.findIndex((form, place) => form(value[place]) !== null);
    return i < 0 ? null : `[${i}]`;
  };

export const mapOf =
  (isKey: (name: string) => boolean, form: Form, least: number = 0): Form =>
  (value) => {
    if (!isObject(value) || Object.keys(value).length < least) return "";
    for (const [key, item] of Object.entries(value)) if (!isKey(key) || form(item) !== null) return `.${key}`;
    return null;
  };

export const orNull =
  (form: Form): Form =>
  (value) =>
    value === null ? null : form(value);

export const isField = (fields: Record<string, Form>, name: string) =>
  Object.hasOwn(fields, name) || Object.hasOwn(fields, `${name}?`);

/** `fields`: a name that ends in ? may be left out; `more`: whether it may have others. */
export const objectOf =
  (fields: Record<string, Form>, more: boolean = false): Form =>
  (value) => {
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

export const isObject = (value: any): value is Record<string, any> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** @param most in bytes */
export const hexOf = (least: number, most: number): Form => is((text) => isHex(text, least, most));

export const ID = is(isId);
export const HASH = is(isHash);
export const LABEL = is(isLabel);
export const COUNT = is(isCount);
/** @param most in characters, of one at least */
export const textUpTo = (most: number): Form =>
  is((value) => typeof value === "string" && value !== "" && [...value].length <= most);
export const TEXT = textUpTo(256);
export const SEED = hexOf(1, 128);
export const WHEN = is((text) => microseconds(text) !== null);
/** a seat, a round, an amount */
export const SEAT = upFrom(1);

// Times as a log has them: 2026-01-01T00:00:00.244000Z, always with six decimals.

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{3})(\d{3})Z$/;

/** @returns microseconds since 1970; null where it is no such time */
export function microseconds(text: unknown): number | null {
  const found = typeof text === "string" ? FORM.exec(text) : null;
  if (!found) return null;
  const milliseconds = Date.parse(`${found[1]}.${found[2]}Z`);
  if (Number.isNaN(milliseconds) || milliseconds < 0 || new Date(milliseconds).toISOString().slice(0, 19) !== found[1])
    return null;
  return milliseconds * 1000 + Number(found[3]);
}

/** A moment in microseconds as text, to the millisecond. */
export const momentText = (at: number): string => new Date(at / 1000).toISOString();

/** @returns in microseconds */
export const seconds = (count: number): number => count * 1e6;

export const HOUR = seconds(3600);
export const DAY = 24 * HOUR;
export const MONTH = 30 * DAY;

/** The place of the last of some sorted times that is not later; -1 where each is. */
export function placeUpTo(times: number[], at: number): number {
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
  /** where each longer gap begins, where it ends, and how long those before it stood still */
  begins: number[] = [];
  ends: number[] = [];
  before: number[] = [];
  still: number = 0;

  /** @param to two neighbouring entries */
  pass(from: number, to: number) {
    if (to - from <= HOUR) return;
    this.begins.push(from);
    this.ends.push(to);
    this.before.push(this.still);
    this.still += to - from - HOUR;
  }

  /** @returns what it was then */
  at(at: number): number {
    const place = placeUpTo(this.begins, at);
    if (place < 0) return at;
    const gap = Math.min(at, this.ends[place]) - this.begins[place];
    return at - this.before[place] - Math.max(0, gap - HOUR);
  }
}
