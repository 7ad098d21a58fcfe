// Which fields each kind of entry has, and what may stand in them (log.md, "The kinds").

import { isCount, isHash, isHex, isId, isLabel } from "./limits.mjs";
import { microseconds } from "./times.mjs";

/** @typedef {(value: any) => string | null} Form the path of what is wrong below it, or null */

/** @param {(value: any) => boolean} test @returns {Form} */
const is = (test) => (value) => (test(value) ? null : "");

/** @param {...unknown} values @returns {Form} */
const one = (...values) => is((value) => values.includes(value));

/** @param {number} least @param {number} [most] @returns {Form} */
const from = (least, most = Number.MAX_SAFE_INTEGER) => is((n) => Number.isSafeInteger(n) && n >= least && n <= most);

/** @param {Form} form @param {number} [least] @returns {Form} */
const list = (form, least = 1) => (value) => {
  if (!Array.isArray(value) || value.length < least) return "";
  for (const [i, item] of value.entries()) {
    const wrong = form(item);
    if (wrong !== null) return `[${i}]${wrong}`;
  }
  return null;
};

/** @param {(name: string) => boolean} name @param {Form} form @param {number} [least] @returns {Form} */
const map = (name, form, least = 0) => (value) => {
  if (!isObject(value) || Object.keys(value).length < least) return "";
  for (const [key, item] of Object.entries(value)) if (!name(key) || form(item) !== null) return `.${key}`;
  return null;
};

/** @param {Record<string, Form>} fields @param {string} name */
const isField = (fields, name) => Object.hasOwn(fields, name) || Object.hasOwn(fields, `${name}?`);

/** @param {Record<string, Form>} fields a name that ends in ? may be left out @returns {Form} */
const object = (fields) => (value) => {
  if (!isObject(value)) return "";
  for (const name of Object.keys(value)) if (!isField(fields, name)) return `.${name}`;
  for (const [name, form] of Object.entries(fields)) {
    const plain = name.replace("?", "");
    if (!Object.hasOwn(value, plain)) {
      if (plain === name) return `.${plain}`;
      continue;
    }
    const wrong = form(value[plain]);
    if (wrong !== null) return `.${plain}${wrong}`;
  }
  return null;
};

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {any} text 1 to 64 characters; spaces, U+200C and U+200D between others only */
const isName = (text) =>
  typeof text === "string" &&
  /^[^\p{C}\p{Z}](?:(?:[^\p{C}\p{Z}]|[ \u200c\u200d])*[^\p{C}\p{Z}])?$/u.test(text) && [...text].length <= 64;

const id = is(isId);
const hash = is(isHash);
const label = is(isLabel);
const count = is(isCount);
const integer = is(Number.isSafeInteger);
const seat = from(1);
const isAccount = (/** @type {string} */ name) => /^(?:house|pool|[1-9][0-9]{0,2})$/.test(name);
const account = is((name) => typeof name === "string" && isAccount(name));
const accounts = map(isAccount, integer);
const yes = one(true);
const hex = (/** @type {number} */ most) => is((text) => isHex(text, 1, most));

/** @type {Form} */
const seats = (value) => {
  const wrong = list(seat)(value);
  return wrong ?? (value.every((/** @type {number} */ n, /** @type {number} */ i) => !i || value[i - 1] < n) ? null : "");
};

const policy = object({
  hash: from(5, 3600), seed: from(5, 3600), cut: from(5, 3600), bet: from(5, 3600), decision: from(5, 3600), shoe: from(86400, 2592000),
});
const bets = list(object({ seat, amount: from(1), "box?": seat }));
const decisions = (/** @type {number} */ least) =>
  list(object({ seat, move: is((move) => typeof move === "string"), "amount?": from(1), "chosen?": seats, "by?": one("table") }), least);

/** @type {Record<string, Record<string, Form>>} */
const KINDS = {
  table: { table: id, rules: one("banker", "boxes", "casino", "chinese", "lounge", "pontoon"), options: is(isObject), digest: hash, policy },
  chips: {
    table: id, op: one("buy-in", "cash-out", "transfer", "refund", "share"), seat, player: id, amount: count, chips: accounts,
    "to?": seat, "leaves?": yes, "name?": is(isName), "game?": from(1), "by?": one("house"), "why?": one("round", "unfinished"),
  },
  deck: { deck: hash, part: from(1), parts: from(1), labels: list(label) },
  shoe: {
    shoe: id, deck: is((deck) => isHash(deck) || /^french:[1-9][0-9]*$/.test(deck)), cards: from(1), commitment: hash, roster: list(id, 0), draws: map(isId, from(1, 2 ** 32)),
    "bank?": account, "chips?": accounts, "memory?": map((name) => /^[a-z0-9]+$/.test(name), integer), "cutter?": id, "purpose?": one("bank"),
    "away?": seats, "policy?": policy, "beacon?": object({ chain: hex(64), round: count }),
  },
  seeds: { shoe: id, hashes: map(isId, hash, 1), "cut?": object({ at: count, by: id }) },
  open: { shoe: id, round: from(1), bets, "waived?": seats, "passed?": seats, "late?": seats, "uncovered?": bets },
  opened: { shoe: id, player: id, seed: hex(128) },
  lapse: { shoe: id, player: id },
  late: { shoe: id, player: id, seed: hex(128) },
  seal: {
    shoe: id, "seeds?": map(isId, hex(128), 1), "cut?": object({ at: count, "by?": id }), "burn?": label, "cards_root?": hash,
    "beacon?": object({ chain: hex(64), round: count, randomness: hex(64), "signature?": hex(1024) }),
  },
  round: {
    shoe: id, round: from(1), pos: count, cards: list(label), dealer: object({ cards: list(count), total: count }), decisions: decisions(0), chips: accounts, "reshuffled?": list(count),
    hands: list(object({
      seat, bet: from(1), cards: list(count), total: count, outcome: is((text) => typeof text === "string"), net: integer,
      "box?": seat, "insured?": from(1), "insurance?": integer, "short?": from(1),
    })),
  },
  reshuffle: { shoe: id, round: from(1), k: from(1), after: count, cards: from(1), deck: hash, "cut?": count, "burn?": label },
  bank: {
    table: id, why: one("first", "rotation", "change", "gift", "sale"), to: seat,
    "decisions?": decisions(1), "price?": from(1), "chips?": accounts, "shoe?": id, "cards?": list(label),
  },
  reveal: { shoe: id, key: hash, draws: map(isId, count), end: count, why: one("worn", "bank", "age", "left") },
  void: { shoe: id, key: hash, why: one("reshuffle", "close", "bank", "idle", "age", "seed"), "by?": id, "round?": from(1) },
  lost: { shoe: id, "key?": hash, "round?": from(1) },
  close: { table: id },
  start: { "continues?": is((text) => typeof text === "string" && text.length <= 4096), "lost?": list(object({ shoe: id, "key?": hash })), "copy?": count, "unknown?": yes },
};

/**
 * Whether an entry has the fields of its kind.
 * @param {Record<string, any>} entry
 * @returns {{field: string, known: boolean} | null} what is wrong; known: it can be taken for what it says all the same
 */
export function wrongShape(entry) {
  const { v, kind, at, ...fields } = entry;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) return { field: "kind", known: false };
  if (microseconds(at) === null) return { field: "at", known: false };
  const forms = KINDS[kind];
  const known = Object.keys(fields).filter((name) => isField(forms, name));
  const wrong = object(forms)(Object.fromEntries(known.map((name) => [name, fields[name]])));
  if (wrong !== null) return { field: wrong.slice(1), known: false };
  const extra = Object.keys(fields).find((name) => !known.includes(name));
  return extra ? { field: extra, known: true } : v === 1 ? null : { field: "v", known: true };
}
