// Receipts: what a house signed of each step, docs/receipts.md. Here: who signed them, their form, their order.
// Whether the log says the same takes the log.
import { fromUtf8, utf8 } from "./bytes.mjs";
import { parseCanonical } from "./canonical.mjs";
import { FairshoeError, InputError, VerificationError } from "./errors.mjs";
import { isCount, isHash, isHex, isId, must } from "./limits.mjs";
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
  /** @type {Map<string, { at: string, place: number }>} the newest of each seat */
  const newest = new Map();

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
      const seat = [receipt.table, receipt.seat, receipt.player].join(" ");
      const before = newest.get(seat);
      if (receipt.state !== "stands") {
        if (before && receipt.at < before.at)
          throw new VerificationError(`it is dated before receipt ${before.place}, which stands above it`, "at");
        newest.set(seat, { at: receipt.at, place });
      }
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
  const lines = file
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
  const items = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] === "" || lines[i] === "null") continue;
    let text = `${lines[i]}\n`;
    if (lines[i].startsWith('"')) text = unquoted(lines[i]);
    else if (isStart(lines[i])) {
      let signed = false;
      while (goesOn(lines[i + 1], signed)) {
        signed = lines[++i].startsWith("— ") || signed;
        text += `${lines[i]}\n`;
      }
    }
    items.push({ text, ended: i < lines.length - 1 || isWhole(text) });
  }
  return items;
}

/** @param {string} line @returns {boolean} */
const isStart = (line) => line.startsWith("fairshoe receipt ");

/**
 * @param {string | undefined} line
 * @param {boolean} signed whether a signature stands above it
 * @returns {boolean} whether a note that is not quoted goes on with this line
 */
const goesOn = (line, signed) =>
  line !== undefined && (signed ? line.startsWith("— ") : !isStart(line) && !line.startsWith('"'));

/** @param {string} line @returns {string} the note in a JSON string, or the line where it is none */
function unquoted(line) {
  try {
    return JSON.parse(line);
  } catch {
    return line;
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

/**
 * @param {{ text: string }[]} items
 * @param {VerifierKey} house
 * @returns {VerifierKey} the first that the house vouched for
 */
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
export function openReceipt(note, key) {
  must(note.signatures.length === 1, "receipt", "one signature");
  if (!isSignedBy(note, key)) throw new VerificationError(`it is not signed by ${key.name}`, "receipt");
  must(note.text.startsWith(RECEIPT) && note.text.endsWith("\n"), "receipt", RECEIPT.trim());
  const receipt = parseCanonical(utf8(note.text.slice(RECEIPT.length, -1)));
  checkForm(receipt);
  return receipt;
}

/** @typedef {(value: any) => boolean} Is */

/** @type {Is} */
const isSeat = (value) => isCount(value) && value >= 1;
/** @type {Is} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {Is} */
const isTime = (value) => typeof value === "string" && /^\d{4}(-\d\d){2}T\d\d(:\d\d){2}\.\d{6}Z$/.test(value);
/** @type {(is: Is) => Is} */
const listOf = (is) => (value) => Array.isArray(value) && value.every(is);
/** @type {Is} */
const isBet = (value) => isObject(value) && isSeat(value.seat) && isCount(value.amount);
/** @type {(...texts: unknown[]) => Is} */
const oneOf =
  (...texts) =>
  (value) =>
    texts.includes(value);
/** @type {Is} */
const isText = (value) => typeof value === "string";

/** @type {{ [field: string]: Is }} */
const ALWAYS = { v: oneOf(1), table: isId, seat: isSeat, player: isId, at: isTime, do: isText, view: isObject };

/** What each `do` has besides; ? may be missing. @type {{ [what: string]: { [field: string]: Is } }} */
const BY_DO = {
  hash: { shoe: isId, hash: isHash, "cut?": isCount },
  seed: { shoe: isId, seed: (value) => isHex(value, 1, 128), "cut?": isCount },
  waiver: { shoe: isId },
  bet: {
    state: oneOf("offered", "stands"),
    shoe: isId,
    round: isSeat,
    bets: listOf(isBet),
    "uncovered?": listOf(isBet),
  },
  decision: {
    about: oneOf("round", "bank"),
    step: isCount,
    move: isText,
    "round?": isSeat,
    "shoe?": isId,
    "amount?": isCount,
    "chosen?": listOf(isSeat),
  },
  chips: { op: oneOf("buy-in", "cash-out", "transfer"), amount: isCount, "to?": isSeat, "leaves?": oneOf(true) },
};

/** @type {{ [field: string]: Is }} */
const SHOE = {
  shoe: isId,
  commitment: isHash,
  roster: listOf(isId),
  hashes: (value) => isObject(value) && Object.values(value).every(isHash),
  opened: listOf(isId),
  struck: listOf(isId),
  cut: (value) => value === null || (isObject(value) && isCount(value.at)),
  sealed: oneOf(true, false),
};

/** @param {{ [name: string]: any }} receipt */
function checkForm(receipt) {
  const own = Object.hasOwn(BY_DO, receipt.do) ? BY_DO[receipt.do] : null;
  must(own !== null, "do", Object.keys(BY_DO).join(", "));
  /** @type {{ [field: string]: Is }} */
  const sizes = receipt.state === "stands" ? {} : { before: isCount, size: isCount };
  checkFields(receipt, { ...ALWAYS, ...sizes, ...own }, true);
  must(receipt.state === "stands" || receipt.before <= receipt.size, "size", "before or more");
  if (receipt.about === "round") must(isId(receipt.shoe) && isSeat(receipt.round), "decision", "its shoe and round");
  const { view } = receipt;
  checkFields(view, { bank: isText, chips: (value) => value === null || Number.isSafeInteger(value) }, false);
  if (view.shoe !== null) checkFields(view.shoe, SHOE, false);
}

/**
 * @param {{ [name: string]: any }} object
 * @param {{ [field: string]: Is }} fields
 * @param {boolean} all whether it may have no others
 */
function checkFields(object, fields, all) {
  must(isObject(object), "receipt", "an object");
  for (const [field, is] of Object.entries(fields)) {
    const name = field.replace("?", "");
    must(Object.hasOwn(object, name) ? is(object[name]) : field !== name, name, "what docs/receipts.md says");
  }
  for (const name of Object.keys(object)) must(!all || name in fields || `${name}?` in fields, name, "no such field");
}
