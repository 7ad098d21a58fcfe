// The version of an entry (log.md, "The form of an entry"): 1, unless there is something in it that version 1 does not
// list. Then it has the version that brought that.

import { NewerError } from "./errors.mjs";
import { isObject } from "./forms.mjs";

/**
 * What came after version 1: a kind, `kind.field` or `table.options.NAME`, with the version that brought it. What it may
 * be stands where its like does: in KINDS of shapes.mjs, or with its default in the options of a game.
 * @type {Record<string, number>}
 */
export const LATER = {};

/** @param {Record<string, any>} entry @returns {number} the version that it asks for */
export function versionOf(entry) {
  const brought = Object.keys(LATER).filter((path) => {
    const [kind, ...names] = path.split(".");
    return entry.kind === kind && has(entry, names);
  });
  return Math.max(1, ...brought.map((path) => LATER[path]));
}

/** @param {unknown} value @param {string[]} names @returns {boolean} whether it has a field below a field …, of a list in any of its items */
function has(value, [name, ...names]) {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => has(item, [name, ...names]));
  return isObject(value) && Object.hasOwn(value, name) && has(value[name], names);
}

/**
 * @param {unknown} v a version
 * @param {string} where
 * @param {number} [newest] that is known, of entries where nothing else is said
 * @returns {NewerError | null} where it is a later one: nothing can be said of what it stands in
 */
export function newerThan(v, where, newest = Math.max(1, ...Object.values(LATER))) {
  return typeof v === "number" && Number.isSafeInteger(v) && v > newest ? new NewerError(where, v, newest) : null;
}
