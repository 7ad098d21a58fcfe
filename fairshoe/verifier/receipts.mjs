// Receipts: what a house signed of each step, docs/receipts.md. Here: who signed them, and their form.
// Whether the log says the same takes the log.

import { FairshoeError, fromUtf8, InputError, utf8, VerificationError } from "./bytes.mjs";
import { parseCanonical } from "./json.mjs";
import { COUNT, HASH, ID, is, isObject, listOf, mapOf, must, objectOf, oneOf, orNull, SEAT, SEED, TEXT, WHEN } from "./forms.mjs";
import { isSignedBy, parseNote, parseVerifierKey } from "./note.mjs";

/** @typedef {import("./note.mjs").Note} Note */
/** @typedef {import("./note.mjs").VerifierKey} VerifierKey */

/**
 * @typedef {object} Read one note of a file of receipts
 * @property {number} place 1, 2, … in the file, notes about the key counted
 * @property {"signed" | "refused" | "unfinished"} verdict
 * @property {{ [name: string]: any } | null} receipt what it says, where it is signed and has its form
 * @property {string} cause why it is refused
 */

/**
 * The receipts of a file: notes one after the other, or JSON strings of notes, one a line.
 * @param {string | Uint8Array} file
 * @param {VerifierKey} key the house's, which vouches for the receipts' own; or that one itself
 * @returns {Read[]} without repetitions and without the notes about the key that hold
 * @throws {InputError} where no word of the house says which key signs receipts
 */
export function readReceipts(file, key) {
  const items = split(typeof file === "string" ? file : fromUtf8(file, "receipts"));
  const own = key.name.endsWith("/receipt") ? key : keyOf(items, key);
  /** @type {Read[]} */
  const found = [];
  const seen = new Set();

  items.forEach(({ text, ended }, i) => {
    if (seen.has(text)) return;
    seen.add(text);
    const place = i + 1;
    try {
      const note = parseNote(text);
      if (note.text.startsWith(KEY)) {
        if (key !== own) vouched(note, key, own);
        return;
      }
      const receipt = openReceipt(note, own);
      found.push({ place, verdict: "signed", receipt, cause: "" });
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
      const cause = error.expected ? `${error.what}; expected ${error.expected}` : error.what;
      if (ended) found.push({ place, verdict: "refused", receipt: null, cause });
      else found.push({ place, verdict: "unfinished", receipt: null, cause: "it was not written to its end" });
    }
  });
  return found;
}

const KEY = "fairshoe receipt key\n";
const RECEIPT = "fairshoe receipt v1\n";

/**
 * The notes of a file. What is no note is an item too, so that nothing is passed over unseen.
 * @param {string} file
 * @returns {{ text: string, ended: boolean }[]} `ended`: false of a last one that was not written to its end
 */
function split(file) {
  const lines = file.replace(/^\ufeff/, "").split("\n").map((line) => line.replace(/\r$/, ""));
  const end = lines.findLastIndex((line) => line !== "");
  const items = [];
  for (let i = 0; i < lines.length; i++) {
    if (["", "null"].includes(lines[i].trim())) continue;
    if (lines[i].startsWith('"')) {
      const text = unquoted(lines[i]);
      items.push({ text: text ?? lines[i], ended: text !== null || i < lines.length - 1 });
      continue;
    }
    const first = i;
    while (!lines[i].startsWith("— ") && i < lines.length - 1 && !isBegin(lines[i + 1])) i++;
    const text = `${lines.slice(first, i + 1).join("\n")}\n`;
    const last = lines[i].startsWith("— ") ? i === lines.length - 1 : i >= end;
    const cut = last && [RECEIPT, KEY].some((begin) => text.startsWith(begin) || begin.startsWith(text.trimEnd()));
    items.push({ text, ended: !cut || isWhole(text) });
  }
  return items;
}

/** @param {string} line @returns {boolean} whether a note above it that has no signature ends here */
const isBegin = (line) => line.startsWith('"') || `${line}\n` === RECEIPT || `${line}\n` === KEY;

/** @param {string} line @returns {string | null} the note in a JSON string */
function unquoted(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** @param {string} text @returns {boolean} whether it has a whole signature */
function isWhole(text) {
  try {
    return parseNote(text).signatures.every(({ bytes }) => bytes.length >= 64);
  } catch {
    return false;
  }
}

/** @param {{ text: string }[]} items @param {VerifierKey} house @returns {VerifierKey} the first that the house vouched for */
function keyOf(items, house) {
  for (const { text } of items)
    if (text.startsWith(KEY))
      try {
        return vouched(parseNote(text), house, null);
      } catch (error) {
        if (!(error instanceof FairshoeError)) throw error;
      }
  throw new InputError("no word of the house says which key signs receipts", "receipts", `a note of ${house.name}`);
}

/**
 * @param {Note} note about the receipts' key
 * @param {VerifierKey} house
 * @param {VerifierKey | null} known the key that was vouched for first
 * @returns {VerifierKey}
 */
function vouched(note, house, known) {
  if (!isSignedBy(note, house)) throw new VerificationError("the house did not vouch for this key", "key");
  const key = parseVerifierKey(note.text.slice(KEY.length, -1));
  must(key.name === `${house.name}/receipt`, "the key's name", `${house.name}/receipt`);
  if (known && String(known.key) !== String(key.key))
    throw new VerificationError("another key than the first was vouched for", "key");
  return key;
}

/**
 * @param {Note} note
 * @param {VerifierKey} key the receipts'
 * @returns {{ [name: string]: any }} what it says
 * @throws {FairshoeError} where it is not signed by the key, or is no receipt
 */
function openReceipt(note, key) {
  must(note.signatures.length === 1, "receipt", "one signature");
  if (!isSignedBy(note, key)) throw new VerificationError(`it is not signed by ${key.name}`, "receipt");
  must(note.text.startsWith(RECEIPT) && note.text.endsWith("\n"), "receipt", RECEIPT.trim());
  const receipt = parseCanonical(utf8(note.text.slice(RECEIPT.length, -1)));
  checkForm(receipt);
  return receipt;
}

/** @typedef {import("./forms.mjs").Form} Form */

const OWN_BETS = listOf(objectOf({ seat: SEAT, amount: COUNT }, true), 0);
const IDS = listOf(ID, 0);

/** @type {Record<string, Form>} */
const ALWAYS = { v: oneOf(1), table: ID, seat: SEAT, player: ID, number: COUNT, before: orNull(HASH), at: WHEN, view: is(isObject) };

/** What each `do` has besides. @type {Record<string, Record<string, Form>>} */
const BY_DO = {
  hash: { shoe: ID, hash: HASH, "cut?": COUNT },
  seed: { shoe: ID, seed: SEED, "cut?": COUNT },
  waiver: { shoe: ID },
  bet: { state: oneOf("offered", "stands"), shoe: ID, round: SEAT, bets: OWN_BETS, "uncovered?": OWN_BETS },
  decision: { about: oneOf("round", "bank"), step: COUNT, move: TEXT, "round?": COUNT, "shoe?": ID, "amount?": COUNT, "chosen?": listOf(SEAT, 0) },
  chips: { op: oneOf("buy-in", "cash-out", "transfer"), amount: COUNT, "to?": SEAT, "leaves?": oneOf(true) },
};

/** What is asked of a view without a log; there may be more. */
const VIEW = objectOf({
  bank: TEXT,
  chips: orNull(is(Number.isSafeInteger)),
  shoe: orNull(objectOf({
    shoe: ID, commitment: HASH, roster: IDS, hashes: mapOf(() => true, HASH), opened: IDS, struck: IDS, sealed: oneOf(true, false), cut: orNull(objectOf({ at: COUNT }, true)),
  }, true)),
}, true);

/** @param {{ [name: string]: any }} receipt */
function checkForm(receipt) {
  const { about, state, view } = receipt;
  const own = Object.hasOwn(BY_DO, receipt.do) ? BY_DO[receipt.do] : {};
  const last = state === "stands" ? null : { last: WHEN };
  const round = about === "round" ? { shoe: ID, round: SEAT, saw: is(isObject) } : null;
  const wrong = objectOf({ ...ALWAYS, do: oneOf(...Object.keys(BY_DO)), ...own, ...last, ...round })(receipt) ?? VIEW(view);
  must(wrong === null, wrong?.slice(1) || "view", "what docs/receipts.md says");
}
