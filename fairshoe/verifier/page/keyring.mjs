// The houses' keys that this browser remembers. A browser may forbid to remember: then it asks again.
import { parseNote, parseVerifierKey } from "../note.mjs";

const SHELF = "fairshoe.keys";
/** Bytes of the largest proof of a hand, and more than the first receipt. */
const MOST_NAMED = 1 << 20;

/** @returns {Record<string, string>} name → verifier key */
function keysKept() {
  try {
    return { ...JSON.parse(localStorage.getItem(SHELF) ?? "{}") };
  } catch {
    return {};
  }
}

/** @param {Record<string, string>} keys */
function keep(keys) {
  try {
    localStorage.setItem(SHELF, JSON.stringify(keys));
  } catch {
    // asked again next time
  }
}

/** @param {string} vkey @returns {string} its name, "" where it is no verifier key */
export function houseOf(vkey) {
  try {
    return parseVerifierKey(vkey).name;
  } catch {
    return "";
  }
}

/** @param {string} vkey */
export const keepKey = (vkey) => keep({ ...keysKept(), [houseOf(vkey)]: vkey });

/** @param {string} vkey */
export const forgetKey = (vkey) => keep(Object.fromEntries(Object.entries(keysKept()).filter(([, kept]) => kept !== vkey)));

/** @param {string} house @returns {string} the key kept under this name, "" if none */
export const keptKey = (house) => {
  const kept = keysKept();
  return house && Object.hasOwn(kept, house) && houseOf(kept[house]) === house ? kept[house] : "";
};

/** The house that a file says it is of: who signed its checkpoint, or the first of its receipts. @param {Uint8Array | null} file */
export function houseNamed(file) {
  try {
    const [{ name }] = parseNote(firstNote(new TextDecoder().decode(file?.subarray(0, MOST_NAMED)).trim())).signatures;
    return name.replace(/\/receipt$/, "");
  } catch {
    return "";
  }
}

/** @param {string} text @returns {string} */
function firstNote(text) {
  if (text.startsWith("{")) return JSON.parse(text).checkpoint;
  const notes = text.replace(/^(?:null\s+)+/, "").replaceAll("\r", "");
  if (notes.startsWith('"')) return JSON.parse(notes.split("\n", 1)[0]);
  const signed = notes.indexOf("\n\n") + 2;
  return `${notes.slice(0, signed)}${notes.slice(signed).split("\n", 1)[0]}\n`;
}
