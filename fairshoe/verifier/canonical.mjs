// Canonical JSON: the form of an entry, docs/log.md. One value has one sequence of bytes, so that it can be hashed.
import { fromUtf8, hasUnpaired, utf8 } from "./bytes.mjs";
import { InputError } from "./errors.mjs";

/** @typedef {import("./json.mjs").Json} Json */

const LONGEST = 65535;
export const DEEPEST = 64;

/**
 * @param {unknown} value null, boolean, integer, text, array or plain object
 * @returns {string} sorted names, no white space
 */
export const canonicalText = (value) => encode(value, 0);

/**
 * @param {unknown} value
 * @returns {Uint8Array}
 */
export const encodeCanonical = (value) => utf8(canonicalText(value));

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
