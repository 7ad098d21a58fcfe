// JSON: the canonical form of an entry (docs/log.md), where one value has one sequence of bytes, and proof files, read strictly.

import { fromUtf8, hasUnpaired } from "./bytes.mjs";
import { InputError } from "./errors.mjs";

const LONGEST = 65535;
const DEEPEST = 64;

/** @param {unknown} value null, boolean, integer, text, array or plain object @returns {string} sorted names, no white space */
export const canonicalText = (value) => encode(value, 0);

/**
 * An entry from its line, without the LF; or another object in the same form.
 * @param {Uint8Array} line
 * @param {number} [longest] in bytes
 * @returns {{ [name: string]: any }}
 */
export function parseCanonical(line, longest = LONGEST) {
  if (line.length > longest) throw new InputError("the line is too long", "line", `at most ${longest} bytes`);
  const text = fromUtf8(line, "line");
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError("the line is no JSON", "line", "one JSON object");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new InputError("the line is no object", "line", "one JSON object");
  if (canonicalText(value) !== text)
    throw new InputError("the line is not canonical", "line", "what its object encodes to");
  return value;
}

/**
 * A field whose name comes from a file: not what every object inherits, such as `constructor`.
 * @param {Record<string, any> | undefined} object
 * @param {string} name
 */
export const ownField = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/** @param {unknown} value @param {number} depth @returns {string} */
function encode(value, depth) {
  if (depth > DEEPEST) throw new InputError("nested too deeply", "value", `at most ${DEEPEST} levels`);
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return integer(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => encode(item, depth + 1)).join(",")}]`;
  if (typeof value !== "object") throw new InputError("a value has no JSON", "value", "JSON");
  const fields = /** @type {{ [name: string]: unknown }} */ (value);
  return `{${Object.keys(fields)
    .sort()
    .map((name) => `${fieldName(name)}:${encode(fields[name], depth + 1)}`)
    .join(",")}}`;
}

/** @param {string} value @returns {string} */
function text(value) {
  const written = JSON.stringify(value);
  if (written.includes("\\ud") && hasUnpaired(value))
    throw new InputError("a text has an unpaired surrogate", "value", "Unicode");
  return written;
}

/** @param {number} value @returns {string} */
function integer(value) {
  if (!Number.isSafeInteger(value)) throw new InputError("a number is no integer", "value", "an integer, |n| < 2^53");
  return String(value);
}

/** @param {string} name @returns {string} */
function fieldName(name) {
  if (!/^[\x00-\x7f]*$/.test(name)) throw new InputError("a name is not ASCII", "value", "ASCII");
  return JSON.stringify(name);
}

// JSON with white space or not: no name twice, no number but an integer up to 2^53 − 1, no unpaired surrogate.

/** @typedef {null | boolean | number | string | any[] | { [name: string]: any }} Json */

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;

/** @param {string} text one JSON value, with white space around it or not @returns {Json} */
export function parseJson(text) {
  let at = 0;

  /** @param {string} expected @returns {never} */
  const refuse = (expected) => {
    throw new InputError("the JSON cannot be read", `character ${at}`, expected);
  };
  /** @param {RegExp} pattern @param {string} name @returns {string} */
  const take = (pattern, name) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return refuse(name);
    at += found[0].length;
    return found[0];
  };
  /** @param {string} character whether it stands next; if so, it is passed */
  const next = (character) => {
    take(SPACE, "white space");
    if (text[at] !== character) return false;
    at++;
    return true;
  };

  /** @returns {string} */
  const string = () => {
    const value = JSON.parse(take(STRING, "a string"));
    return hasUnpaired(value) ? refuse("no unpaired surrogate") : value;
  };
  /** @returns {number} */
  const number = () => {
    const digits = take(NUMBER, "a value");
    const value = Number(digits);
    return Number.isSafeInteger(value) && String(value) === digits ? value : refuse("an integer up to 2^53 - 1");
  };
  /** @param {number} depth @returns {Json[]} */
  const array = (depth) => {
    /** @type {Json[]} */
    const values = [];
    if (next("]")) return values;
    do values.push(value(depth));
    while (next(","));
    return next("]") ? values : refuse("]");
  };
  /** @param {number} depth @returns {{ [name: string]: Json }} */
  const object = (depth) => {
    const fields = new Map();
    if (next("}")) return {};
    do {
      take(SPACE, "white space");
      const name = string();
      if (fields.has(name)) refuse("each name once");
      if (!next(":")) refuse(":");
      fields.set(name, value(depth));
    } while (next(","));
    return next("}") ? Object.fromEntries(fields) : refuse("}");
  };
  /** @param {number} depth @returns {Json} */
  const value = (depth) => {
    if (depth > DEEPEST) refuse("no deeper nesting");
    if (next("{")) return object(depth + 1);
    if (next("[")) return array(depth + 1);
    if (text[at] === '"') return string();
    for (const [word, meaning] of WORDS)
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    return number();
  };

  const whole = value(0);
  take(SPACE, "white space");
  return at === text.length ? whole : refuse("the end");
}

/** @type {[string, null | boolean][]} */
const WORDS = [
  ["null", null],
  ["true", true],
  ["false", false],
];
