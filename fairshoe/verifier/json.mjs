// JSON read strictly: no name twice, no number but an integer up to 2^53 − 1, no unpaired surrogate.
import { hasUnpaired } from "./bytes.mjs";
import { DEEPEST } from "./canonical.mjs";
import { InputError } from "./errors.mjs";

/** @typedef {null | boolean | number | string | any[] | { [name: string]: any }} Json */

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * @param {string} text one JSON value, with white space around it or not
 * @returns {Json}
 */
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
