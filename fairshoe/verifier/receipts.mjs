// Receipts: what a house signed of each step, docs/receipts.md. Here: who signed them, and their form.
// Whether the log says the same takes the log.

import { FairshoeError, fromUtf8, InputError, utf8, VerificationError } from "./bytes.mjs";
import { parseCanonical } from "./json.mjs";
import { COUNT, HASH, ID, is, isObject, listOf, mapOf, must, objectOf, oneOf, orNull, SEAT, SEED, TEXT, WHEN } from "./forms.mjs";
import { isSignedBy, parseNote, parseVerifierKey } from "./note.mjs";

/** @typedef {import("./note.mjs").Note} Note */
/** @typedef {import("./note.mjs").VerifierKey} VerifierKey */

/**
 * @typedef {object} Read one line of a file of receipts
 * @property {number} place its line in the file, from 1
 * @property {"signed" | "refused" | "unfinished"} verdict
 * @property {{ [name: string]: any } | null} receipt what it says, where it is signed and has its form
 * @property {string} cause why it is refused
 */

const KEY = "fairshoe receipt key\n";
const RECEIPT = "fairshoe receipt v1\n";

/**
 * @param {string | Uint8Array} file a JSON string of a signed note on each line
 * @param {VerifierKey} house whose key vouches for the receipts' own
 * @returns {Read[]} without repetitions and without the notes about the key that hold
 * @throws {InputError} where no word of the house says which key signs receipts
 */
export function readReceipts(file, house) {
  const lines = (typeof file === "string" ? file : fromUtf8(file, "receipts")).replace(/^\ufeff/, "").split("\n").map((line) => line.trim());
  const own = keyOf(lines, house);
  /** @type {Read[]} */
  const found = [];
  const seen = new Set(["", "null"]);
  for (const [i, line] of lines.entries()) {
    if (seen.has(line)) continue;
    seen.add(line);
    const place = i + 1;
    const text = unquoted(line);
    try {
      must(text !== "", "receipt", "a JSON string of a signed note, on a line of its own");
      const note = parseNote(text);
      if (note.text.startsWith(KEY)) vouched(note, house, own);
      else found.push({ place, verdict: "signed", receipt: openReceipt(note, own), cause: "" });
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
      const cut = text === "" && place === lines.length;
      const cause = error.expected ? `${error.what}; expected ${error.expected}` : error.what;
      found.push({ place, verdict: cut ? "unfinished" : "refused", receipt: null, cause: cut ? "it was not written to its end" : cause });
    }
  }
  return found;
}

/** @param {string} line @returns {string} the note that is a JSON string there; "" where there is none */
function unquoted(line) {
  try {
    return line.startsWith('"') ? JSON.parse(line) : "";
  } catch {
    return "";
  }
}

/** @param {string[]} lines @param {VerifierKey} house @returns {VerifierKey} the first that the house vouched for */
function keyOf(lines, house) {
  for (const text of lines.map(unquoted))
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
