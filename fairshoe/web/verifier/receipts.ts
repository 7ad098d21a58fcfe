// Receipts, what a house signed of each step (docs/receipts.md): who signed them, and their form.

import { attempt, FairshoeError, fromUtf8, utf8, VerificationError } from "./bytes.ts";
import { parseCanonical } from "./json.ts";
import {
  COUNT,
  HASH,
  ID,
  is,
  isObject,
  listOf,
  must,
  objectOf,
  oneOf,
  orNull,
  SEAT,
  SEED,
  TEXT,
  WHEN,
} from "./forms.ts";
import { BET } from "./shapes.ts";
import { isSignedBy, parseNote, parseVerifierKey } from "./note.ts";
import type { Note, VerifierKey } from "./note.ts";
import type { Form } from "./forms.ts";

/** one line of a file of receipts */
export interface Read {
  /** its line in the file, from 1 */
  place: number;
  verdict: "signed" | "refused" | "unfinished";
  /** what it says, where it is signed and has its form */
  receipt: { [name: string]: any } | null;
  /** why it is refused, else "" */
  cause: string;
}

const KEY = "fairshoe receipt key\n";
const RECEIPT = "fairshoe receipt v1\n";

/**
 * `file`: a JSON string of a signed note on each line; `house`: whose key vouches for the receipts' own. Returns
 * them without repetitions and without valid notes about the key. Throws InputError where the house names no key.
 */
export function readReceipts(file: string | Uint8Array, house: VerifierKey): Read[] {
  const lines = (typeof file === "string" ? file : fromUtf8(file, "receipts"))
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.trim());
  const own = keysOf(lines, house);
  const found: Read[] = [];
  const seen = new Set(["", "null"]);
  for (const [i, line] of lines.entries()) {
    if (seen.has(line)) continue;
    seen.add(line);
    const place = i + 1;
    const text = unquoted(line);
    try {
      must(text !== "", "receipt", "a JSON string of a signed note, on a line of its own");
      const note = parseNote(text);
      if (note.text.startsWith(KEY))
        must(String(vouched(note, house).key) === String(own[0].key), "key", "the first that the house vouched for");
      else found.push({ place, verdict: "signed", receipt: openReceipt(note, own), cause: "" });
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
      const cut = text === "" && place === lines.length;
      const cause = error.expected ? `${error.what}; expected ${error.expected}` : error.what;
      found.push({ place, verdict: cut ? "unfinished" : "refused", receipt: null, cause: cut ? "" : cause });
    }
  }
  return found;
}

/** @returns the note that is a JSON string there; "" where there is none */
const unquoted = (line: string): string => attempt(() => (line.startsWith('"') ? JSON.parse(line) : ""), "", Error);

/** @returns all that the house vouched for */
function keysOf(lines: string[], house: VerifierKey): VerifierKey[] {
  const vouchedIn = (text: string) => attempt(() => [vouched(parseNote(text), house)], [], FairshoeError);
  const keys = lines.map(unquoted).flatMap((text) => (text.startsWith(KEY) ? vouchedIn(text) : []));
  must(keys.length > 0, "receipts", `a note of ${house.name} about the key that signs them`);
  return keys;
}

/** `note`: about a receipts' key. */
function vouched(note: Note, house: VerifierKey): VerifierKey {
  if (!isSignedBy(note, house)) throw new VerificationError("the house did not vouch for this key", "key");
  const key = parseVerifierKey(note.text.slice(KEY.length, -1));
  must(key.name === `${house.name}/receipt`, "the key's name", `${house.name}/receipt`);
  return key;
}

/** What a note by one of the receipts' `keys` says. Throws FairshoeError where none signed it, or it is no receipt. */
function openReceipt(note: Note, keys: VerifierKey[]): { [name: string]: any } {
  must(note.signatures.length === 1, "receipt", "one signature");
  if (!keys.some((key) => isSignedBy(note, key)))
    throw new VerificationError(`it is not signed by ${keys[0].name}`, "receipt");
  must(note.text.startsWith(RECEIPT) && note.text.endsWith("\n"), "receipt", RECEIPT.trim());
  const receipt = parseCanonical(utf8(note.text.slice(RECEIPT.length, -1)));
  checkForm(receipt);
  return receipt;
}

const OWN_BETS = listOf(BET, 0);

const ALWAYS: Record<string, Form> = {
  v: oneOf(1),
  table: ID,
  seat: SEAT,
  player: ID,
  number: COUNT,
  before: orNull(HASH),
  at: WHEN,
  view: is(isObject),
};

/** What each `do` has besides. */
const BY_DO: Record<string, Record<string, Form>> = {
  hash: { "shoe": ID, "hash": HASH, "cut?": COUNT },
  seed: { "shoe": ID, "seed": SEED, "cut?": COUNT },
  waiver: { shoe: ID },
  bet: { state: oneOf("offered", "stands"), shoe: ID, round: SEAT, bets: OWN_BETS },
  decision: {
    "about": oneOf("round", "bank"),
    "step": COUNT,
    "move": TEXT,
    "round": COUNT,
    "amount?": SEAT,
    "chosen?": listOf(SEAT),
  },
  chips: { "op": oneOf("buy-in", "cash-out", "transfer"), "amount": COUNT, "to?": SEAT, "leaves?": oneOf(true) },
};

/** At a shoe without a table: what each receipt has, and each `do` besides. */
const ALONE = Object.fromEntries(["v", "player", "at"].map((name) => [name, ALWAYS[name]]));
const BY_DO_ALONE: typeof BY_DO = { hash: BY_DO.hash, seed: BY_DO.seed, show: { shoe: ID, pos: listOf(COUNT, 1) } };

function checkForm(receipt: { [name: string]: any }) {
  const { about, state } = receipt;
  const seated = Object.hasOwn(receipt, "table");
  const byDo = seated ? BY_DO : BY_DO_ALONE;
  const own = Object.hasOwn(byDo, receipt.do) ? byDo[receipt.do] : {};
  const last: Record<string, Form> | null = !seated
    ? null
    : state === "stands"
      ? { uncovered: OWN_BETS }
      : { last: WHEN };
  const round = about === "round" ? { shoe: ID, saw: is(isObject) } : null;
  const always = { ...(seated ? ALWAYS : ALONE), do: oneOf(...Object.keys(byDo)) };
  const wrong = objectOf({ ...always, ...own, ...last, ...round })(receipt);
  must(wrong === null, wrong?.slice(1) ?? "", "what docs/receipts.md says");
}
