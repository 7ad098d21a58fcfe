// What may stand in a field, as data: a form says where a value is not as it should be.

import { isCount, isHash, isHex, isId, isLabel } from "./limits.mjs";
import { microseconds } from "./times.mjs";

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
