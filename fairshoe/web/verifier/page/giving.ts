// What the reader gave, where it came from, whose key it is checked with, and how it is taken along.

import { attempt, fromBase64, fromUtf8, toBase64, utf8 } from "../bytes.ts";
import { button, field, form, isWritten, line, make, plainName, say, section } from "./build.ts";
import { kept } from "./language.ts";
import { asSaved, parseNote, parseVerifierKey } from "../note.ts";
import { kindOf } from "../telling/tell.ts";
import type { LogReader } from "./log-worker.ts";
import type { Told } from "../telling/told.ts";
import type { Desk } from "./build.ts";

/** a seed of the reader's, as a seat keeps it */
export type Pledge = { commitment: string; seed: string };
const NO_SEAT = { player: "", seeds: [] as Pledge[] };
const nothing = {
  file: null as Uint8Array | null,
  receipt: null as Uint8Array | null,
  /** The note that came with a log. */ checkpoint: "",
  /** What placers and house signed, and what binds cards: files beside a log. */ notes: "",
  openings: "",
  /** the file, where it is a whole log */ log: null as LogReader | null,
  /** A key that came with a page, and not from the reader. */ brought: "",
  /** The hand's address at the house that served this page, and its QR code: size, and modules as a path. */ link: "",
  code: "",
  /** What the reader knew of a shoe before it was dealt, and sent: no page takes it along. */ commitment: "",
  seed: "",
  /** The reader's own seat, where its file was given. */ seat: NO_SEAT,
};
export const given = { ...nothing, key: "" };
export const NO_PLEDGE: Pledge = { commitment: "", seed: "" };
/** What the reader's own seat says of the shoe that was told. */
export const own = { ...NO_PLEDGE };

/** Instead of all that was given but the reader's key. */
export function giveAnew(more: Partial<typeof nothing> = {}) {
  Object.assign(given, nothing, more);
}

/** Puts what came where it belongs: a key, a checkpoint, openings, notes, receipts, a seat, a saved page or a file. */
function sort(bytes: Uint8Array) {
  if (textAt(bytes, 257, 262) === "ustar") return unpack(bytes);
  const kind = kindOf(bytes);
  const [, filled] = (kind === "web" && /id="filled">(\{[^<]*)/.exec(new TextDecoder().decode(bytes))) || [];
  if (filled) return unfold(filled);
  const text = textAt(bytes, 0, 1 << 17).trim();
  if (text.startsWith('{"kind":"fairshoe evidence')) {
    const { proof, receipts } = JSON.parse(fromUtf8(bytes));
    giveAnew({ file: proof && utf8(proof), receipt: utf8(receipts) });
  } else if (/^\{"(?:kind":"fairshoe seat|book": ?1)/.test(text)) takeSeat(fromUtf8(bytes));
  else if (!kind && houseOf(text)) given.key = text;
  else if (!kind && /^[^\n]+\n\d+\n[\w+/]{43}=\n[^]*\n— /.test(text))
    Object.assign(given, { checkpoint: asSaved(bytes), log: null });
  else if (/^\ufeff?(?:null|\s)*"fairshoe receipt/.test(text)) given.receipt = bytes;
  else if (/^\{"shoe": ?"[^"]*", ?"opening"/.test(text)) Object.assign(given, { openings: fromUtf8(bytes), log: null });
  else if (!kind && /"fairshoe (?:placing|question|answer receipt) v1\\n/.test(text)) given.notes = fromUtf8(bytes);
  else {
    const { receipt, checkpoint, notes, openings, seat, brought } = given;
    giveAnew({ file: bytes, receipt, checkpoint, notes, openings, seat, brought: seat.seeds.length ? brought : "" });
  }
}

const textAt = (bytes: Uint8Array, from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));

/** @param tar of a log, as a house serves it: the key in it is not the reader's */
function unpack(tar: Uint8Array) {
  const { key } = given;
  for (let at = 0, size; tar[at]; at += 512 * (1 + Math.ceil(size / 512))) {
    size = parseInt(textAt(tar, at + 124, at + 135), 8);
    if (size) sort(tar.subarray(at + 512, at + 512 + size));
  }
  if (given.key !== key) Object.assign(given, { brought: given.key, key });
}

/** @param text the reader's own seat, as a browser or the terminal keeps it: seeds, and a browser's key and receipts */
function takeSeat(text: string) {
  const kept: Record<string, any> = attempt(() => JSON.parse(text).kept, null, Error) ?? {};
  const notes = Object.entries(kept).filter(([name]) => name.startsWith("receipt"));
  if (notes.length) given.receipt = utf8(notes.map(([, note]) => JSON.stringify(note)).join("\n"));
  if (kept.key) given.brought = kept.key.key;
  const [, player = ""] = /^[^]*"player": ?"([^"]*)/.exec(text) ?? [];
  given.seat = { player, seeds: (text.match(/\{[^{}]*"seed": ?"[^{}]*\}/g) ?? []).map((pledge) => JSON.parse(pledge)) };
}

/** @param filled what a page was filled in with */
export function unfold(filled: string) {
  const { proof = "", key = "", receipt = "", link = "", code = "" } = JSON.parse(filled);
  const [file, receipts] = [proof, receipt].map((text) => (text ? fromBase64(text) : null));
  giveAnew({ file, receipt: receipts, brought: key.trim(), link, code });
}

/** @returns this check as a page is filled in with it */
function folded(): string {
  const { file, receipt } = given;
  const [proof, receipts] = [file, receipt].map((bytes) => (bytes ? toBase64(bytes) : ""));
  return JSON.stringify({ proof, receipt: receipts, key: holding().key }).replaceAll("<", "\\u003c");
}

/** What stands in the page's fields. */
export const drafts: Record<string, string> = {};

/** @returns what is given already of what a field takes */
export const standing = (name: string): string =>
  name === "key" ? given.key : name === "commitment" || name === "seed" ? given[name] || own[name] : "";

export function noteDrafts() {
  for (const field of document.querySelectorAll("main form [name]"))
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) drafts[field.name] = field.value;
}

/** @param besides what came besides the fields */
export function gather(besides: Iterable<Uint8Array>) {
  noteDrafts();
  if (drafts.key !== undefined) given.key = drafts.key.trim();
  if (drafts.receipt?.trim()) given.receipt = utf8(drafts.receipt);
  for (const bytes of besides) sort(bytes);
}

// A check to take along: this page with the file in it.

const asOpened = globalThis.document?.documentElement.outerHTML; // before the script changes anything in it

/** @returns the hand, card or shoe that was told of, by its name; "" for a log or receipts */
export const aboutOf = ({ values }: Told): string => String(values.round ?? values.shoe ?? "");

/** `about`: the name of what was told; `failed`: the step to look at; `back`: to the list of a log. */
export const actsOf = (
  about: string,
  another: () => void,
  failed: (() => HTMLElement | null) | null,
  back: (() => void) | null,
): HTMLElement =>
  make(
    "div.acts",
    back && button(say("act.back"), back, "main"),
    failed && button(say("act.failed"), () => failed()?.focus(), "main"),
    !given.log && button(say("act.save"), () => save(about)),
    button(say("act.another"), another),
  );

/** Writes this page as a file, with the check in it. */
function save(about: string) {
  const page = `<!doctype html>\n${asOpened}`
    .replace(/(?<=id="filled">)[^<]*/, folded)
    .replace(/\s*<\/body><\/html>$/, "</body></html>\n");
  const address = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  make("a", { href: address, download: `fairshoe-${about.replace(/[^\w.-]+/g, "-") || "check"}.html` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// The keys of houses that the browser remembers.

/** Bytes of the largest proof of a hand, and more than the first receipt. */
const MOST_NAMED = 1 << 20;

/** @returns where its key is kept */
const shelf = (house: string): string => `fairshoe.key ${house}`;

/** @returns the key kept under this name, and since when; none: nothing */
function keptOf(house: string): string[] {
  const [vkey, since = ""] = kept(shelf(house)).split("\n");
  return house && houseOf(vkey) === house ? [vkey, since] : [];
}

/** @returns the key kept under this name, "" if none */
const keptKey = (house: string): string => keptOf(house)[0] ?? "";

/** @param vkey to keep under its name, from today on; "": none any more */
function keepKey(house: string, vkey: string) {
  const keep = () =>
    vkey
      ? localStorage.setItem(shelf(house), `${vkey}\n${new Date().toISOString()}`)
      : localStorage.removeItem(shelf(house));
  attempt(keep, undefined, Error); // else it is new again next time
}

/** A key that this page was the first to bring here, and a house that the reader had it forget. */
let met = "";
let forgotten = "";

/** Keeps the key of a house that was not known here, where all that it signed holds. */
export function meet({ verdict }: Told) {
  const { key, from } = holding();
  const house = houseOf(key);
  if (!house || house === forgotten || from === "kept" || key === met || !["pass", "bound"].includes(verdict)) return;
  keepKey(house, key);
  met = key;
}

/** @returns its name, "" where it is no verifier key */
export const houseOf = (vkey: string): string => attempt(() => parseVerifierKey(vkey).name, "", Error);

/** The house that what was given says it is of: who signed its checkpoint, or the first of its receipts. */
function houseNamed() {
  const { file, receipt, checkpoint } = given;
  const beginning = new TextDecoder().decode((file ?? receipt)?.subarray(0, MOST_NAMED)).trim();
  const signer = () => parseNote(checkpoint || firstNote(beginning)).signatures[0].name;
  return attempt(signer, "", Error).replace(/\/receipt$/, "");
}

/** @param text a proof of a hand, or receipts */
const firstNote = (text: string): string =>
  text.startsWith("{")
    ? JSON.parse(text).checkpoint
    : JSON.parse(text.split("\n").find((line) => line.startsWith('"')) ?? "");

// Whose key a check was made with. One that came with a page is the page's: only the reader can say that it is the house's.

/**
 * The key to check with, and who stands for it: what the browser knew under a house's name before first, so that no
 * other key of that name is used before the reader says so; then the reader's own.
 */
export function holding(): { key: string; from: "given" | "kept" | "brought" | "none" } {
  const { key, brought } = given;
  const known = key ? keptKey(houseOf(key)) : keptKey(houseNamed()) || keptKey(houseOf(brought));
  if (known && !(known === met && known === (key || brought))) return { key: known, from: "kept" };
  if (key) return { key, from: "given" };
  return { key: brought, from: brought ? "brought" : "none" };
}

/**
 * What was told by a key that nobody stands for: what follows from what stands there does so, but not that it stood
 * there before the bets, unless the reader knew the commitment; its signature is not drawn as checked, and no house is
 * accused, since anybody can sign with a key of theirs.
 */
export function vouchedByNobody({ what, verdict, says, steps, ...told }: Told): Told {
  if (what === "log" && verdict === "pass") [verdict, says] = ["bound", "verdict.log.bound.key"];
  const unsigned =
    says.startsWith("verdict.hand.bound.") || (says !== "verdict.hand.bound" && isWritten(`${says}.key`))
      ? `${says}.key`
      : says.replace(/\.house$/, "");
  return {
    ...told,
    what,
    verdict,
    says: verdict !== "pass" ? unsigned : standing("commitment") ? says : "verdict.brought",
    steps: steps.map(({ id, status, fault, ...step }) => ({
      ...step,
      id,
      status: (id === "signature" || id === "receipt") && status === "pass" ? "open" : status,
      fault: fault?.whose === "house" ? { ...fault, whose: "unknown" } : fault,
    })),
  };
}

export function trustSection(desk: Desk): HTMLElement {
  const { key, from } = holding();
  const { key: own, brought } = given;
  const house = houseOf(key);
  const choose = (chosen: string) => {
    keepKey(house, chosen);
    forgotten = chosen ? "" : house;
    met = "";
    desk.change({ key: chosen });
  };
  const passedOver = [own, brought].find((other) => other && other !== key);
  const odd = [house, houseOf(passedOver ?? "")].some((name) => plainName(name) !== name);
  return section(
    "trust",
    line(`trust.${key && !house ? "unread" : from}`, { house, since: keptOf(house)[1] ?? "" }),
    key && make("p", make("code", plainName(key))),
    odd && make("p.warn", say("trust.odd")),
    passedOver && make("p.warn", say(passedOver === own ? "trust.changed" : "trust.differs")),
    passedOver && make("p", make("code", plainName(passedOver))),
    passedOver === own && own && button(say("trust.replace"), () => choose(own)),
    from !== "brought" && house
      ? button(say("trust.forget"), () => choose(""))
      : form("key", desk.change, field(desk, "key"), make("button", say("trust.use"))),
  );
}

/** @returns the address that served this page, "" where it was opened from a disk */
export const servedBy = (): string => (location.protocol.startsWith("http") ? location.host : "");
