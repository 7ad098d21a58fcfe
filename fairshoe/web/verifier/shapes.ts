// Which fields each kind of entry has, what may stand in them, and of which version that makes it (log.md, "The kinds").
// A field that may be left out is never an empty list or object.

import { NewerError } from "./bytes.ts";
import {
  COUNT,
  HASH,
  hexOf,
  ID,
  is,
  isField,
  isId,
  isObject,
  listOf,
  mapOf,
  microseconds,
  objectOf,
  oneOf,
  SEAT,
  SEED,
  TEXT,
  textUpTo,
  upFrom,
  WHEN,
} from "./forms.ts";
import { GAMES } from "./games.ts";
import { isPlacerKey, isPlayer } from "./placing.ts";
import type { Form } from "./forms.ts";

// The version of an entry (log.md, "The form of an entry"): the one that brought the newest thing in it.

/**
 * What came after version 1: a kind, `kind.field`, `table.RULES.OPTION`, `table.rules.RULES`, `table.policy.LIMIT` or `kind.why.REASON`,
 * with the version that brought it. What it may be stands where its like does: in KINDS below, or with its default in the options of a game.
 */
export const LATER: Record<string, number> = {
  "table.placer": 2,
  "chips.placer": 2,
  "shoe.placer": 2,
  "shoe.told": 2,
  "shoe.rules_hash": 2,
  "table.beacon_delay": 2,
  "shoe.beacon_round": 2,
  "seal.beacon_signature": 2,
  "void.why.beacon": 2,
  "drawn": 2,
  "shown": 2,
  "gathered": 2,
  "seal.placed": 2,
  "reshuffle.cards_root": 2,
  "round.placed": 2,
  "bank.placed": 2,
  "placed": 2,
  "token": 2,
  "table.lapses": 2,
  "chips.lapsed": 2,
  "table.lounge.fewest": 2,
};

/** @returns the version that it asks for */
function versionOf(entry: Record<string, any>): number {
  const brought = Object.keys(LATER).filter((path) => {
    const [kind, ...names] = path.split(".");
    if (entry.kind !== kind) return false;
    if (names[1] !== undefined && ["rules", "why"].includes(names[0])) return entry[names[0]] === names[1];
    if (kind !== "table" || !(names[0] in GAMES)) return has(entry, names);
    return entry.rules === names[0] && has(entry.options, names.slice(1));
  });
  return Math.max(1, ...brought.map((path) => LATER[path]));
}

/** @returns whether it has a field below a field …, of a list in any of its items */
function has(value: unknown, [name, ...names]: string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => has(item, [name, ...names]));
  return isObject(value) && Object.hasOwn(value, name) && has(value[name], names);
}

/** Whether `v` is later than the `newest` known version (default: of entries), so that nothing can be said of it. */
export function newerThan(
  v: unknown,
  where: string,
  newest: number = Math.max(1, ...Object.values(LATER)),
): NewerError | null {
  return typeof v === "number" && Number.isSafeInteger(v) && v > newest ? new NewerError(where, v, newest) : null;
}

// The fields.

/** @param text 1 to 64 characters; spaces, U+200C and U+200D between others only */
const isDisplayName = (text: any) =>
  typeof text === "string" &&
  /^[^\p{C}\p{Z}](?:(?:[^\p{C}\p{Z}]|[ \u200c\u200d])*[^\p{C}\p{Z}])?$/u.test(text) &&
  [...text].length <= 64;

const WHOLE = is(Number.isSafeInteger);
const ACCOUNTS = mapOf(isId, WHOLE);
const SOME_ACCOUNTS = mapOf(isId, WHOLE, 1);
const TEXTS = listOf(TEXT, 0);
const YES = oneOf(true);

const SEATS = listOf(SEAT);

export const BET = objectOf({ "seat": SEAT, "amount": SEAT, "box?": SEAT });
const CUT = objectOf({ at: COUNT, by: ID });
const DECISION = objectOf({
  "seat": SEAT,
  "move": textUpTo(64),
  "amount?": SEAT,
  "chosen?": SEATS,
  "by?": oneOf("table"),
  "at?": WHEN,
});

/** what the table decides has its moment, and nothing else has */
const DECIDED: Form = (value) =>
  DECISION(value) ?? ((value.by === undefined) === (value.at === undefined) ? null : ".at");
const DECISIONS = (least: number) => listOf(DECIDED, least);

const TABLES: Form = (value) => listOf(ID)(value) ?? (new Set(value).size === value.length ? null : "");

const PLACER = is(isPlacerKey);
const PLACED = objectOf({ places: listOf(COUNT), signature: TEXT });

export const KINDS: Record<string, Record<string, Form>> = {
  table: {
    "table": ID,
    "rules": is((name) => Object.hasOwn(GAMES, name)),
    "options": mapOf(
      isId,
      is((value) => typeof value !== "object"),
    ),
    "policy": mapOf(isId, COUNT),
    "placer?": is((key) => isPlayer(key) || isPlacerKey(key)),
    "lapses?": upFrom(2, 100),
    "beacon_delay?": upFrom(5, 3600),
  },
  chips: {
    "table": ID,
    "op": oneOf("buy-in", "cash-out", "transfer", "refund", "share"),
    "seat": SEAT,
    "player": ID,
    "amount": WHOLE,
    "chips": ACCOUNTS,
    "to?": SEAT,
    "leaves?": YES,
    "name?": is(isDisplayName),
    "game?": SEAT,
    "by?": oneOf("house"),
    "lapsed?": YES,
    "placer?": PLACER,
    "why?": oneOf("round", "unfinished"),
  },
  deck: { deck: HASH, part: SEAT, parts: SEAT, labels: TEXTS },
  shoe: {
    "shoe": ID,
    "deck": TEXT,
    "cards": SEAT,
    "commitment": HASH,
    "roster": listOf(ID, 0),
    "draws": mapOf(isId, upFrom(1, 2 ** 32)),
    "bank?": ID,
    "chips?": SOME_ACCOUNTS,
    "memory?": SOME_ACCOUNTS,
    "paid?": SEATS,
    "cutter?": ID,
    "purpose?": oneOf("bank"),
    "owes?": SEATS,
    "waits?": SEATS,
    "away?": SEATS,
    "policy?": mapOf(isId, COUNT, 1),
    "beacon?": objectOf({ chain: SEED, round: COUNT }),
    "beacon_round?": SEAT,
    "placer?": objectOf({ commitment: HASH, key: PLACER }),
    "told?": YES,
    "rules_hash?": HASH,
  },
  seeds: { "shoe": ID, "hashes": mapOf(isId, HASH, 1), "cut?": CUT, "unheard?": listOf(ID) },
  open: {
    "shoe": ID,
    "round": SEAT,
    "bets": listOf(BET, 0),
    "waived?": SEATS,
    "passed?": SEATS,
    "late?": SEATS,
    "unfunded?": listOf(SEAT),
    "uncovered?": listOf(BET),
  },
  opened: { "shoe": ID, "player": ID, "seed": SEED, "cut?": CUT },
  lapse: { shoe: ID, player: ID },
  late: { shoe: ID, player: ID, seed: SEED },
  seal: {
    "shoe": ID,
    "burn?": TEXT,
    "cards_root?": HASH,
    "placed?": PLACED,
    "beacon_signature?": hexOf(48, 48),
    "beacon?": objectOf({ "chain": SEED, "round": COUNT, "randomness": SEED, "signature?": SEED }),
  },
  drawn: {
    "shoe": ID,
    "pos": COUNT,
    "cards?": listOf(TEXT),
    "hidden?": SEAT,
    "to?": ID,
    "placed?": PLACED,
    "draws?": mapOf(isId, COUNT, 1),
    "gathered?": SEAT,
  },
  shown: { shoe: ID, cards: mapOf((pos) => /^(?:0|[1-9][0-9]{0,4})$/.test(pos), TEXT, 1) },
  gathered: { "shoe": ID, "pos": COUNT, "out?": listOf(COUNT), "cards_root": HASH },
  round: {
    "shoe": ID,
    "round": SEAT,
    "pos": COUNT,
    "cards": TEXTS,
    "dealer": objectOf({ cards: listOf(COUNT, 0), total: WHOLE }),
    "decisions": DECISIONS(0),
    "chips": ACCOUNTS,
    "reshuffled?": listOf(COUNT),
    "placed?": PLACED,
    "hands": listOf(
      objectOf({
        "seat": SEAT,
        "bet": WHOLE,
        "cards": listOf(COUNT, 0),
        "total": WHOLE,
        "outcome": TEXT,
        "net": WHOLE,
        "box?": SEAT,
        "insured?": SEAT,
        "insurance?": WHOLE,
        "short?": SEAT,
      }),
      0,
    ),
  },
  reshuffle: {
    "shoe": ID,
    "round": SEAT,
    "k": SEAT,
    "after": COUNT,
    "cards": SEAT,
    "deck": HASH,
    "cut?": COUNT,
    "burn?": TEXT,
    "cards_root?": HASH,
  },
  bank: {
    "table": ID,
    "why": oneOf("first", "rotation", "change", "gift", "sale"),
    "to": SEAT,
    "decisions?": DECISIONS(1),
    "price?": SEAT,
    "chips?": SOME_ACCOUNTS,
    "shoe?": ID,
    "cards?": listOf(TEXT),
    "placed?": PLACED,
  },
  reveal: { shoe: ID, key: HASH, draws: mapOf(isId, COUNT), end: COUNT, why: oneOf("worn", "bank", "age", "left") },
  void: {
    "shoe": ID,
    "key": HASH,
    "why": oneOf("reshuffle", "close", "bank", "idle", "age", "seed", "beacon"),
    "by?": ID,
    "round?": SEAT,
  },
  lost: { "shoe": ID, "key?": HASH, "round?": SEAT },
  placed: { shoe: ID, key: HASH, steps: SEAT, signature: TEXT },
  close: { table: ID },
  token: { table: ID, seat: SEAT, player: ID },
  start: {
    "tables?": TABLES,
    "continues?": is((text) => typeof text === "string" && text.length <= 4096),
    "lost?": listOf(objectOf({ "shoe": ID, "key?": HASH })),
    "copy?": COUNT,
    "unknown?": YES,
  },
};

/** @returns whether it is known */
export const isKind = (kind: unknown): kind is string => typeof kind === "string" && Object.hasOwn(KINDS, kind);

/**
 * Whether an entry has the fields of its kind.
 * @returns what is wrong; known: it can be taken for what it says all the same
 */
export function wrongShape(entry: Record<string, any>): { field: string; known: boolean } | null {
  const { v, kind, at, ...fields } = entry;
  if (!isKind(kind)) return { field: "kind", known: false };
  const forms = KINDS[kind];
  const known = Object.keys(fields).filter((name) => isField(forms, name));
  const wrong = objectOf(forms)(Object.fromEntries(known.map((name) => [name, fields[name]])));
  if (wrong !== null) return { field: wrong.slice(1), known: false };
  const extra = Object.keys(fields).find((name) => !known.includes(name));
  const field = microseconds(at) === null ? "at" : (extra ?? (v === versionOf(entry) ? "" : "v"));
  return field ? { field, known: true } : null;
}
