// What the reader gave, where it came from, and how it is taken along.

import { fromBase64, toBase64, utf8 } from "../bytes.mjs";
import { button, byId, make, say } from "./build.mjs";
import { heldKey, houseNamed, houseOf } from "./trust.mjs";

// A check in a link: the file is deflated after `#`, which a browser keeps to itself.

const MOST_UNPACKED = 16 << 20;

/** @param {Uint8Array} bytes @returns {Promise<string>} base64url of the bytes, deflated */
export async function packed(bytes) {
  const deflated = await through(bytes, new CompressionStream("deflate-raw"));
  return toBase64(deflated).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text @returns {Promise<Uint8Array>} @throws {Error} where it is no deflated file, or too large a one */
function unpacked(text) {
  const plain = text.replace(/-/g, "+").replace(/_/g, "/");
  return through(fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "=")), new DecompressionStream("deflate-raw"));
}

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream @returns {Promise<Uint8Array>} */
async function through(bytes, stream) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > MOST_UNPACKED) throw new RangeError("too large");
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

// What the reader gave.

const nothing = {
  /** @type {Uint8Array | null} */ file: null,
  /** @type {Uint8Array | null} */ receipt: null,
  /** A key that came with a link or a page, and not from the reader. */ brought: "",
  /** What the reader knew of a shoe before it was dealt, and sent: no link takes it along. */ commitment: "", seed: "",
};
export const given = { ...nothing, key: "" };

/** The key to check with, and who stands for it. */
export const holding = () => heldKey(given.key, given.brought, houseNamed(given.file ?? given.receipt));

/** Instead of all that was given but the reader's key. @param {Partial<typeof nothing>} [more] */
export function giveAnew(more = {}) {
  Object.assign(given, nothing, more);
  delete drafts.commitment;
  delete drafts.seed;
}

/** Receipts, and not what they are held against. @param {string} text */
const areReceipts = (text) => /^\ufeff?(?:null|\s)*"?fairshoe receipt/.test(text);

/** Puts what came where it belongs: a link, a house's key, receipts, or a file to check. @param {Uint8Array} bytes */
export async function sort(bytes) {
  const text = new TextDecoder().decode(bytes.subarray(0, 1 << 17)).trim();
  if (houseOf(text)) given.key = text;
  else if (isLink(text)) await follow(text.slice(text.lastIndexOf("#h=")));
  else if (areReceipts(text)) given.receipt = bytes;
  else giveAnew({ file: bytes, receipt: given.receipt });
}

/** @param {string} text */
const isLink = (text) => /^#h=[\w-]+(?:&|$)/.test(text.slice(text.lastIndexOf("#h="))) && !/\s/.test(text);

/** Receipts alone are no file to check. @param {Uint8Array} bytes */
const placed = (bytes) => (areReceipts(new TextDecoder().decode(bytes.subarray(0, 1 << 10))) ? { receipt: bytes } : { file: bytes });

/** @param {string} hash of a link: `#h=` the file, deflated, `&k=` a key, `&s=` receipts, deflated */
export async function follow(hash) {
  const parts = new URLSearchParams(hash.slice(1).replaceAll("+", "%2B"));
  const of = (/** @type {string} */ name) => (parts.get(name) ?? "").trim();
  const [file, receipt] = await Promise.all([unpacked(of("h")), of("s") ? unpacked(of("s")) : null]);
  giveAnew({ receipt, brought: of("k"), ...placed(file) });
}

/** @param {string} filled what a page was filled in with */
export function unfold(filled) {
  const { proof, key = "", receipt = "" } = JSON.parse(filled);
  giveAnew({ receipt: receipt ? fromBase64(receipt) : null, brought: key.trim(), ...placed(fromBase64(proof)) });
}

/** @returns {{proof: Uint8Array, receipt: Uint8Array | null, key: string} | null} this check as it is taken along; null where there is none */
function carried() {
  const { file, receipt } = given;
  const proof = file ?? receipt;
  return proof && { proof, receipt: file && receipt, key: holding().key };
}

/** What stands in the page's fields. @type {Record<string, string>} */
export const drafts = {};

/** @param {string} name @returns {string} what is given already of what a field takes */
export const standing = (name) => (name === "commitment" || name === "seed" || name === "key" ? given[name] : "");

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

// A check to take along: as a link, or as this page with the file in it.

const LONGEST_LINK = 65536;
const asOpened = document.documentElement.outerHTML; // before the script changes anything in it

/** @param {() => void} another @param {(() => HTMLElement | null) | null} failed the step to look at @returns {HTMLElement} */
export const actsOf = (another, failed) =>
  make("div", { class: "acts" },
    failed && button(say("act.failed"), () => failed()?.focus(), "main"),
    button(say("act.copy.link"), () => void copyLink()),
    button(say("act.save"), save),
    button(say("act.another"), another),
    make("p", { id: "note", role: "status" }));

function save() {
  const slot = asOpened.indexOf('id="filled">') + 'id="filled">'.length;
  const all = carried();
  const folded = all && JSON.stringify({ ...all, proof: toBase64(all.proof), receipt: all.receipt ? toBase64(all.receipt) : "" }).replaceAll("<", "\\u003c");
  const page = `<!doctype html>\n${asOpened.slice(0, slot)}${folded ?? ""}${asOpened.slice(asOpened.indexOf("<", slot))}`;
  const file = new Blob([page.replace(/\s*<\/body><\/html>$/, "</body></html>\n")], { type: "text/html" });
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: "verify.html" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

async function copyLink() {
  const link = await linkTo().catch(() => "");
  const note = byId("note");
  if (!link || link.length > LONGEST_LINK) return note.replaceChildren(say("act.long"));
  const copied = await Promise.resolve(navigator.clipboard?.writeText(link).then(() => true)).catch(() => false);
  if (copied) return note.replaceChildren(say("act.copied"));
  const shown = make("input", { readonly: true, value: link, "aria-label": say("act.link") });
  note.replaceChildren(say("act.copy"), shown);
  return shown.select();
}

/** @returns {Promise<string>} the address of this check with all that was given; "" where nothing was */
async function linkTo() {
  const all = carried();
  if (!all) return "";
  const { proof, receipt, key } = all;
  const slips = receipt ? `&s=${await packed(receipt)}` : "";
  return `${location.href.split("#")[0]}#h=${await packed(proof)}${key ? `&k=${encodeURIComponent(key)}` : ""}${slips}`;
}
