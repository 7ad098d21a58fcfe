// Whose key a check was made with, and the keys of houses that the browser remembers. A key that came with a link is the
// link's: only the reader can say that it is the house's.

import { parseNote, parseVerifierKey } from "../note.mjs";
import { button, field, form, isWritten, make, plainName, say } from "./build.mjs";

// The keys of houses that the browser remembers.

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
const keepKey = (vkey) => keep({ ...keysKept(), [houseOf(vkey)]: vkey });

/** @param {string} vkey */
const forgetKey = (vkey) => keep(Object.fromEntries(Object.entries(keysKept()).filter(([, kept]) => kept !== vkey)));

/** @param {string} house @returns {string} the key kept under this name, "" if none */
const keptKey = (house) => {
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

// Whose key a check was made with.

/** @typedef {{key: string, from: "given" | "kept" | "brought" | "none"}} Held */

/**
 * The key to check with: what the browser remembers under a house's name first, so that no other key of that name is used
 * before the reader says so; then the reader's own.
 * @param {string} own
 * @param {string} brought
 * @param {string} house
 * @returns {Held}
 */
export function heldKey(own, brought, house) {
  const kept = own ? keptKey(houseOf(own)) : keptKey(house) || keptKey(houseOf(brought));
  if (kept) return { key: kept, from: "kept" };
  if (own) return { key: own, from: "given" };
  return brought ? { key: brought, from: "brought" } : { key: "", from: "none" };
}

/**
 * What was told by a key that nobody stands for: never more than bound, its signature not drawn as checked, and no house
 * accused, since anybody can sign with a key of theirs.
 * @param {import("../telling/told.mjs").Told} told
 * @returns {import("../telling/told.mjs").Told}
 */
export function vouchedByNobody({ verdict, says, steps, ...told }) {
  const unsigned = says !== "verdict.hand.bound" && isWritten(`${says}.key`) ? `${says}.key` : says.replace(/\.house$/, "");
  return {
    ...told,
    verdict: verdict === "pass" ? "bound" : verdict,
    says: verdict === "pass" ? "verdict.brought" : unsigned,
    steps: steps.map(({ id, status, fault, ...step }) => ({
      ...step, id,
      status: (id === "signature" || id === "receipt") && status === "pass" ? "open" : status,
      fault: fault?.whose === "house" ? { ...fault, whose: "unknown" } : fault,
    })),
  };
}

/** @param {Held} held @param {{key: string, brought: string}} offered the reader's own key, and the one that came along @param {import("./build.mjs").Desk} desk @returns {HTMLElement} */
export function trustSection({ key, from }, { key: own, brought }, desk) {
  const house = houseOf(key);
  const keep = (/** @type {string} */ chosen) => {
    keepKey(chosen);
    desk.change({ key: chosen });
  };
  const forget = () => {
    forgetKey(key);
    desk.change({ key: "" });
  };
  const passedOver = [own, brought].find((other) => other && other !== key);
  const odd = [house, houseOf(passedOver ?? "")].some((name) => plainName(name) !== name);
  return make("section", { class: "trust" },
    make("h2", {}, say("trust.title")),
    make("p", {}, say(`trust.${key && !house ? "unread" : from}`, { house })),
    key && make("p", {}, make("code", {}, plainName(key))),
    odd && make("p", { class: "warn" }, say("trust.odd")),
    passedOver && make("p", { class: "warn" }, say(passedOver === own ? "trust.changed" : "trust.differs")),
    passedOver && make("p", {}, make("code", {}, plainName(passedOver))),
    from === "kept" && servedBy() && make("p", { class: "quiet" }, say("trust.served", { host: servedBy() })),
    passedOver === own && own && button(say("trust.replace"), () => keep(own)),
    from === "brought" && button(say("trust.yes"), () => keep(key), "main"),
    from === "given" && house && button(say("trust.remember"), () => keep(key)),
    house && from !== "brought" ? button(say("trust.forget"), forget) : form("key", desk.change, field(desk, "key"), make("button", {}, say("trust.use"))));
}

/** @returns {string} the address that served this page, "" where it was opened from a disk */
export const servedBy = () => (location.protocol.startsWith("http") ? location.host : "");
