// The proof of one hand (proof.md): its entries, each shown to stand in the signed log, and judged as an audit does.

import { compare, equal, fromBase64, utf8 } from "./bytes.mjs";
import { parseCanonical } from "./canonical.mjs";
import { Audit } from "./audit.mjs";
import { InputError } from "./errors.mjs";
import { must } from "./limits.mjs";
import { openCheckpoint, parseNote, parseVerifierKey } from "./note.mjs";
import { leafHash, rootFromPath } from "./tree.mjs";
import { wrongShape } from "./shapes.mjs";

/** @typedef {Record<string, any>} Entry */

const LARGEST = 1048576;
const ONCE = ["table", "shoe", "seeds", "seal"];
const ENDS = ["reveal", "void", "lost"];

/**
 * @typedef {object} Told
 * @property {"PASS" | "PASS so far" | "FAIL"} outcome
 * @property {string} says
 * @property {string} round
 * @property {import("./note.mjs").Checkpoint} checkpoint
 * @property {{index: number, entry: Entry}[]} entries
 * @property {import("./audit.mjs").Finding[]} findings
 */

/**
 * Checks a proof file of a hand.
 * @param {Uint8Array} file
 * @param {string} vkey the house's verifier key, known from elsewhere
 * @returns {Told}
 * @throws {InputError} where it is no proof of a hand, or anything in it was changed since it was made
 */
export function checkHand(file, vkey) {
  const { checkpoint, entries, round } = readHand(file, vkey);
  complete(entries.map(({ entry }) => entry), round);
  const audit = new Audit();
  audit.partial = true;
  for (const { index, entry } of entries) {
    audit.index = index;
    audit.entry = entry;
    audit.follow(entry);
  }
  const of = (/** @type {string} */ kind) => entries.find(({ entry }) => entry.kind === kind);
  const failed = audit.findings.some(({ severity }) => severity === "fail");
  const says = failed ? "the house signed a round that does not hold"
    : of("reveal") ? "every card, decision and payout is what the key and the rules give"
    : of("void") || of("lost") ? "the round was not dealt, by these entries" : "the round is bound, its cards are not checked";
  return { outcome: failed ? "FAIL" : of("reveal") ? "PASS" : "PASS so far", says, round, checkpoint, entries, findings: audit.findings };
}

/** @param {Uint8Array} file @param {string} vkey */
function readHand(file, vkey) {
  must(file.length <= LARGEST && file.at(-1) === 10, "file", "one canonical object and LF");
  const form = parseCanonical(file.subarray(0, -1), LARGEST);
  must(Object.keys(form).join() === "checkpoint,entries,kind,round,v", "file", "checkpoint, entries, kind, round, v");
  const { entries, round } = form;
  must(form.kind === "fairshoe hand proof" && form.v === 1, "kind", "a hand proof of version 1");
  must(typeof round === "string" && /^[^#]+#[1-9][0-9]*$/.test(round), "round", "TABLE#NUMBER");
  must(Array.isArray(entries) && entries.length >= 1 && entries.length <= 4096, "entries", "1 to 4096");
  must(typeof form.checkpoint === "string", "checkpoint", "a signed note");
  const key = parseVerifierKey(vkey);
  const [house, ...others] = parseNote(form.checkpoint).signatures;
  must(house.name === key.name && equal(house.id, key.id), "checkpoint", "the house's signature first");
  others.forEach(({ bytes, line }, i) => {
    must(bytes.length === 72 && (!i || compare(utf8(others[i - 1].line), utf8(line)) < 0), "checkpoint", "cosignatures in order");
  });
  const checkpoint = openCheckpoint(form.checkpoint, key);
  let before = -1;
  return {
    checkpoint, round,
    entries: entries.map((/** @type {Entry} */ { index, line, path, ...rest }, i) => {
      const where = `entries[${i}]`;
      must(Number.isSafeInteger(index) && index > before && typeof line === "string" && Array.isArray(path) && !Object.keys(rest).length, where, "index, line, path");
      before = index;
      const hashes = path.map((/** @type {string} */ hash) => fromBase64(hash, where));
      must(hashes.every(({ length }) => length === 32), where, "hashes of 32 bytes");
      const root = rootFromPath(leafHash(utf8(line)), index, checkpoint.size, hashes);
      must(root !== null && equal(root, checkpoint.root), where, "an entry of the signed log", "it was changed, or is another log's");
      const entry = parseCanonical(utf8(line));
      must(wrongShape(entry) === null, where, "the fields of its kind");
      return { index, entry };
    }),
  };
}

/** @param {Entry[]} entries @param {string} round whether they are those that the hand needs, and no others */
function complete(entries, round) {
  const [table, number] = round.split("#");
  const all = (/** @type {string} */ kind) => entries.filter((entry) => entry.kind === kind);
  const need = (/** @type {unknown} */ there, /** @type {string} */ what) => must(Boolean(there), "entries", what, "one is missing, or one too many");
  const [shoe] = all("shoe");
  for (const kind of ONCE) need(all(kind).length <= 1, `one ${kind} at most`);
  const ends = ENDS.flatMap(all);
  need(all("table").length && shoe && ends.length <= 1, "a table and a shoe, and one end at most");
  need(shoe.shoe.startsWith(`${table}/`), "a shoe of the table");
  for (const entry of entries) {
    need([...ONCE, ...ENDS, "open", "opened", "lapse", "reshuffle", "round", "chips"].includes(entry.kind), `no ${entry.kind}`);
    need((entry.shoe ?? shoe.shoe) === shoe.shoe && (entry.table ?? table) === table, "entries of the table and the shoe");
  }
  const at = (/** @type {string} */ kind) => all(kind).filter((entry) => entry.round === Number(number));
  const [open] = at("open");
  const [dealt] = at("round");
  const [seal, seeds] = [all("seal")[0], all("seeds")[0]];
  need(at("open").length === 1 && at("round").length <= 1, "the round's open");
  const many = ["casino", "pontoon"].includes(all("table")[0].rules);
  const chairs = Object.keys(shoe.chips ?? {}).filter((name) => /^\d+$/.test(name));
  const sole = !many && shoe.roster.length === 1 && chairs.length === 1;
  need(seeds || sole, "the seeds");
  need(seal || (!many && !dealt), "the seal");
  need(dealt || ends[0]?.kind !== "reveal", "the round");
  for (const entry of [...all("open"), ...all("round"), ...all("reshuffle")]) {
    need(entry.round === Number(number) || (entry.round < Number(number) && all("reshuffle").some((one) => one.round === entry.round)), "no other round that was not reshuffled");
  }
  need(all("open").every((entry) => entry === open || all("round").some((one) => one.round === entry.round)), "a round for each open");
  all("reshuffle").forEach((entry, i) => need(entry.k === i + 1, "every reshuffle"));
  const left = (/** @type {string} */ player) => all("chips").some((entry) => entry.leaves && entry.player === player);
  const opened = (/** @type {string} */ player) => [...all("opened"), ...all("lapse")].some((entry) => entry.player === player);
  if (seal) for (const player of Object.keys(seeds?.hashes ?? {})) need(opened(player) || left(player), "each seed that was opened");
  for (const entry of all("chips")) need(needed(entry, entries, shoe, open), "no chips that the hand does not need");
}

/** @param {Entry} chips @param {Entry[]} entries @param {Entry} shoe @param {Entry} open whether it tells who sat where */
function needed({ op, at, seat, player, leaves }, entries, shoe, open) {
  const names = [...open.bets, ...(open.uncovered ?? [])].map((bet) => bet.seat).concat(open.passed ?? [], open.late ?? []);
  const invited = shoe.roster.includes(player);
  if (op === "buy-in") {
    if (at > shoe.at) return names.includes(seat) && at < open.at;
    return shoe.chips[seat] !== undefined && !(shoe.away ?? []).includes(seat) && !invited;
  }
  const seeds = entries.find((entry) => entry.kind === "seeds");
  if (op !== "cash-out" || !leaves || at < shoe.at) return false;
  if (seeds && Object.hasOwn(seeds.hashes, player)) return at > seeds.at;
  return entries.some((entry) => entry.kind === "chips" && entry.op === "buy-in" && entry.at > at && entry.seat === seat);
}
