// Which fields each kind of entry has, what may stand in them, and of which version that makes it (log.md, "The kinds").
// A field that may be left out is never an empty list or object.

import { attempt, NewerError } from "./bytes.ts";
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
import { parseCheckpoint, parseNote } from "./note.ts";
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

const TABLES: Form = (value) => listOf(ID)(value) ?? (new Set(value).size === value.length ? null : "");

const PLACER = is(isPlacerKey);
const PLACED = objectOf({ places: listOf(COUNT), signature: TEXT });

/** What may stand in a field, in every kind that has it and says nothing else. */
const FIELDS: Record<string, Form> = Object.fromEntries(
  (
    [
      [ID, "table shoe player bank cutter by"],
      [SEAT, "seat to round cards k part parts price game steps hidden gathered beacon_round"],
      [COUNT, "pos after end copy"],
      [WHOLE, "amount"],
      [HASH, "key deck commitment cards_root rules_hash"],
      [SEED, "seed"],
      [hexOf(48, 48), "beacon_signature"],
      [TEXT, "burn signature"],
      [YES, "leaves lapsed told unknown"],
      [TEXTS, "labels"],
      [listOf(ID, 0), "roster"],
      [listOf(ID), "unheard"],
      [TABLES, "tables"],
      [SEATS, "paid owes waits away waived passed late unfunded"],
      [listOf(COUNT), "out reshuffled"],
      [listOf(BET, 0), "bets"],
      [listOf(BET), "uncovered"],
      [SOME_ACCOUNTS, "chips memory"],
      [mapOf(isId, HASH, 1), "hashes"],
      [CUT, "cut"],
      [PLACER, "placer"],
      [PLACED, "placed"],
    ] as [Form, string][]
  ).flatMap(([form, names]) => names.split(" ").map((name) => [name, form])),
);

/** The fields of a kind in their order; one that ends in ? may be left out. `own`: what may stand in those of this kind alone. */
const kind = (names: string, own: Record<string, Form> = {}): Record<string, Form> =>
  Object.fromEntries(
    names.split(" ").map((name) => {
      const plain = name.replace("?", "");
      return [name, own[plain] ?? FIELDS[plain]];
    }),
  );

export const KINDS: Record<string, Record<string, Form>> = {
  table: kind("table rules options policy placer? lapses? beacon_delay?", {
    rules: is((name) => Object.hasOwn(GAMES, name)),
    options: mapOf(
      isId,
      is((value) => typeof value !== "object"),
    ),
    policy: mapOf(isId, COUNT),
    placer: is((key) => isPlayer(key) || isPlacerKey(key)),
    lapses: upFrom(2, 100),
    beacon_delay: upFrom(5, 3600),
  }),
  chips: kind("table op seat player amount chips to? leaves? name? game? by? lapsed? placer? why?", {
    op: oneOf("buy-in", "cash-out", "transfer", "refund", "share"),
    chips: ACCOUNTS,
    name: is(isDisplayName),
    by: oneOf("house"),
    why: oneOf("round", "unfinished"),
  }),
  deck: kind("deck part parts labels"),
  shoe: kind(
    "shoe deck cards commitment roster draws bank? chips? memory? paid? cutter? purpose? owes? waits? away? policy? beacon? beacon_round? placer? told? rules_hash?",
    {
      deck: TEXT,
      draws: mapOf(isId, upFrom(1, 2 ** 32)),
      purpose: oneOf("bank"),
      policy: mapOf(isId, COUNT, 1),
      beacon: objectOf({ chain: SEED, round: COUNT }),
      placer: objectOf({ commitment: HASH, key: PLACER }),
    },
  ),
  seeds: kind("shoe hashes cut? unheard?"),
  open: kind("shoe round bets waived? passed? late? unfunded? uncovered?"),
  opened: kind("shoe player seed cut?"),
  lapse: kind("shoe player"),
  late: kind("shoe player seed"),
  seal: kind("shoe burn? cards_root? placed? beacon_signature? beacon?", {
    beacon: objectOf({ "chain": SEED, "round": COUNT, "randomness": SEED, "signature?": SEED }),
  }),
  drawn: kind("shoe pos cards? hidden? to? placed? draws? gathered?", {
    cards: listOf(TEXT),
    to: ID,
    draws: mapOf(isId, COUNT, 1),
  }),
  shown: kind("shoe cards", { cards: mapOf((pos) => /^(?:0|[1-9][0-9]{0,4})$/.test(pos), TEXT, 1) }),
  gathered: kind("shoe pos out? cards_root"),
  round: kind("shoe round pos cards dealer decisions chips reshuffled? placed? hands", {
    cards: TEXTS,
    dealer: objectOf({ cards: listOf(COUNT, 0), total: WHOLE }),
    decisions: listOf(DECIDED, 0),
    chips: ACCOUNTS,
    hands: listOf(
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
  }),
  reshuffle: kind("shoe round k after cards deck cut? burn? cards_root?", { cut: COUNT }),
  bank: kind("table why to decisions? price? chips? shoe? cards? placed?", {
    why: oneOf("first", "rotation", "change", "gift", "sale"),
    decisions: listOf(DECIDED),
    cards: listOf(TEXT),
  }),
  reveal: kind("shoe key draws end why", { draws: mapOf(isId, COUNT), why: oneOf("worn", "bank", "age", "left") }),
  void: kind("shoe key why by? round?", { why: oneOf("reshuffle", "close", "bank", "idle", "age", "seed", "beacon") }),
  lost: kind("shoe key? round?"),
  placed: kind("shoe key steps signature"),
  close: kind("table"),
  token: kind("table seat player"),
  start: kind("tables? continues? lost? copy? unknown?", {
    continues: is(
      (text) => textUpTo(4096)(text) === null && attempt(() => parseCheckpoint(parseNote(text)) !== null, false),
    ),
    lost: listOf(objectOf({ "shoe": ID, "key?": HASH })),
  }),
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
