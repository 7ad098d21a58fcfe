// What the reader gave, and where it came from.
import { fromBase64, toBase64, utf8 } from "../bytes.mjs";
import { houseNamed, houseOf } from "./keyring.mjs";
import { unpacked } from "./link.mjs";
import { heldKey } from "./trust.mjs";

const nothing = {
  /** @type {Uint8Array | null} */ file: null,
  /** @type {Uint8Array | null} */ receipt: null,
  /** A key that came with a link or a page, and not from the reader. */ brought: "",
  /** What the reader knew of a shoe before it was dealt. */ commitment: "",
  /** What the reader sent. */ seed: "",
  /** Both, where they came with a link or a page: they stand in their fields, and count when the reader says so. */
  offered: { commitment: "", seed: "" },
  round: "",
};
export const given = { ...nothing, key: "" };

/** The key to check with, and who stands for it. */
export const holding = () => heldKey(given.key, given.brought, houseNamed(given.file ?? given.receipt));

export const giveUp = () => Object.assign(given, nothing);

/** Receipts, and not what they are held against. @param {string} text */
const areReceipts = (text) => /^\ufeff?(?:null|\s)*"?fairshoe receipt/.test(text);

/** Puts what came where it belongs: a link, a house's key, receipts, or a file to check. @param {Uint8Array} bytes */
export async function sort(bytes) {
  const text = new TextDecoder().decode(bytes.subarray(0, 1 << 17)).trim();
  if (houseOf(text)) given.key = text;
  else if (isLink(text)) await follow(text.slice(text.lastIndexOf("#h=")));
  else if (areReceipts(text)) given.receipt = bytes;
  else Object.assign(given, nothing, { file: bytes, receipt: given.receipt });
}

/** @param {string} text */
const isLink = (text) => /^#h=[\w-]+(?:&|$)/.test(text.slice(text.lastIndexOf("#h="))) && !/\s/.test(text);

/** Receipts alone are no file to check. @param {Uint8Array} bytes */
const placed = (bytes) => (areReceipts(new TextDecoder().decode(bytes.subarray(0, 1 << 10))) ? { receipt: bytes } : { file: bytes });

/** @param {string} hash of a link: `#h=` the file, deflated, `&k=` a key, `&r=` a round, `&s=` receipts, deflated, `&c=` a commitment, `&o=` a seed */
export async function follow(hash) {
  const parts = new URLSearchParams(hash.slice(1).replaceAll("+", "%2B"));
  const of = (/** @type {string} */ name) => (parts.get(name) ?? "").trim();
  const [file, receipt] = await Promise.all([unpacked(of("h")), of("s") ? unpacked(of("s")) : null]);
  Object.assign(given, nothing, { receipt, brought: of("k"), offered: { commitment: of("c"), seed: of("o") }, round: of("r") }, placed(file));
  forgetOwn();
}

/** @param {string} filled what a page was filled in with */
export function unfold(filled) {
  const { proof, key = "", receipt = "", commitment = "", seed = "", round = "" } = JSON.parse(filled);
  Object.assign(given, nothing, { receipt: receipt ? fromBase64(receipt) : null, brought: key.trim(), offered: { commitment, seed }, round }, placed(fromBase64(proof)));
  forgetOwn();
}

/** This check as it is taken along, nothing of it left out; null where there is none. */
export function carried() {
  const { file, receipt, offered, round } = given;
  const proof = file ?? receipt;
  return proof && { proof, receipt: file && receipt, key: holding().key, commitment: given.commitment || offered.commitment, seed: given.seed || offered.seed, round };
}

/** @returns {string} what fills a page in with this check */
export function folded() {
  const all = carried();
  if (!all) return "";
  const { proof, receipt, ...rest } = all;
  return JSON.stringify({ proof: toBase64(proof), receipt: receipt ? toBase64(receipt) : "", ...rest }).replaceAll("<", "\\u003c");
}

/** What stands in the page's fields. @type {Record<string, string>} */
export const drafts = {};

function forgetOwn() {
  delete drafts.commitment;
  delete drafts.seed;
}

/** What is given already of what a field takes. @param {string} name */
export function standing(name) {
  if (name === "commitment" || name === "seed") return given[name] || given.offered[name];
  return name === "key" || name === "round" ? given[name] : "";
}

export function noteDrafts() {
  for (const field of document.querySelectorAll("main form [name]"))
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) drafts[field.name] = field.value;
}

/** @param {Iterable<Uint8Array>} besides what came besides the fields */
export async function gather(besides) {
  noteDrafts();
  if (drafts.key !== undefined) given.key = drafts.key.trim();
  if (drafts.receipt?.trim()) given.receipt = utf8(drafts.receipt);
  for (const bytes of besides) await sort(bytes);
}
