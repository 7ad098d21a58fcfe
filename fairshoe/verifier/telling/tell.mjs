// What the reader gives, told: which kind of file it is, and whether it holds, step by step. A proof of a hand is told in
// hands.mjs; here receipts, and the proof of a shoe of any game (docs/protocol.md section 10).

import { fromHex, StepFailed, toHex, utf8 } from "../bytes.mjs";
import { readProof, verify } from "../proof.mjs";
import { drawNamed, reshuffled, transcript } from "../shuffle.mjs";
import { readSlips, tellHand, tellSlips } from "./hands.mjs";
import { showOrder, trace } from "./orders.mjs";
import { digitsIn, misread, NEVER, slipIn } from "./play.mjs";
import { grid, hashCommand, hashOf, Telling, textCommand, textHash } from "./told.mjs";

/** @typedef {import("./told.mjs").Told} Told @typedef {import("./told.mjs").Given} Given @typedef {import("../proof.mjs").Proof} Proof */

/** @param {Given} given @returns {Told} */
export function tell({ key = "", ...rest }) {
  const given = { ...rest, key: key.trim() };
  const { file } = given;
  if (!file?.length) return given.receipt?.length ? tellReceipts(given.receipt, given) : untold("verdict.nothing");
  try {
    return guessOf(file)(file, given);
  } catch { // what nobody foresaw is no pass
    return untold("verdict.unreadable.file");
  }
}

/** @param {string} says @returns {Told} */
const untold = (says) => ({ what: "none", verdict: "unreadable", says, values: {}, steps: [], scene: null, unseen: [] });

/** @param {Uint8Array} file @returns {(file: Uint8Array, given: Given) => Told} */
function guessOf(file) {
  const text = new TextDecoder().decode(file).trim();
  const has = (/** @type {string[]} */ ...words) => words.every((word) => text.includes(word));
  if (text.startsWith("{") && has('"checkpoint"', '"entries"', '"path"')) return tellHand;
  if (text.startsWith("{") && has('"commitment"', '"deck"', '"draws"', '"key"', '"protocol"')) return tellShuffle;
  if (has("fairshoe receipt ")) return tellReceipts;
  return () => untold("verdict.unreadable.file");
}

/** @param {Uint8Array} file @returns {boolean} whether it is a whole log: its first line is an entry */
export function isLog(file) {
  const end = file.indexOf(10);
  const line = new TextDecoder().decode(file.subarray(0, Math.min(end < 0 ? file.length : end, 1 << 16)));
  return line.startsWith('{"at":') && ['"kind":', '"v":'].every((word) => line.includes(word));
}

/** @param {Uint8Array} file @param {Given} given @returns {Told} */
function tellReceipts(file, given) {
  const telling = new Telling(["receipt"]);
  const reads = readSlips(telling, file, given.key);
  if (reads) tellSlips(telling, reads);
  const says = `verdict.receipt.${telling.failed ? "fail" : reads ? "bound" : "bound.key"}`;
  return telling.told({ what: "receipt", verdict: telling.failed ? "fail" : "bound", says, values: { receipts: reads?.length ?? 0 }, unseen: ["unseen.receipt-log", "unseen.unanswered"] });
}

// The proof of a shoe.

/** Which step of the telling each of section 10 belongs to. */
const SECTION_10 = ["form", "commitment", "commitment", "form", "shuffle", "shuffle", "shuffle"];
/** Of how many cards all words are shown. */
const SHOWN = 416;

/** @param {Uint8Array} file @param {Given} given @returns {Told} */
function tellShuffle(file, given) {
  const telling = new Telling(["form", "commitment", "transcript", "shuffle"]);
  const known = (given.commitment ?? "").trim().toLowerCase();
  const what = "shuffle";
  /** @type {Proof} */
  let proof;
  try {
    proof = readProof(file);
  } catch (error) {
    telling.refuse("form", error);
    return telling.told({ what, verdict: "fail", says: "verdict.shuffle.fail" });
  }
  const { shoe, deck, key, commitment, seeds, beacon, draws, reshuffles } = proof;
  const text = textOf(proof, seeds);
  telling.show("form", { shoe, "deck-size": deck.length });
  telling.show("commitment", { "key-of-shoe": key, hash: hashOf(key), commitment, remembered: known || undefined, command: hashCommand(key) });
  telling.show("transcript", { seeds: grid("player seed hash", seeds.map(([who, seed]) => [who, seed, hashOf(seed)])), transcript: text, hash: textHash(text), command: textCommand(text) });
  const drawn = Object.entries(draws).map(([name, pair]) => [name, ...pair]);
  if (drawn.length) telling.show("shuffle", { draws: grid("draw bound value", drawn) });
  const deals = dealsOf(proof, text);
  const shown = deals.reduce((sum, { labels }) => sum + labels.length, 0);
  let count = shown;
  for (const { labels, ...order } of deals) showOrder(telling, order, key, labels);
  try {
    const { dealt } = verify(file, { commitment: known || null });
    count = dealt.flat().length;
  } catch (error) {
    if (error instanceof StepFailed) telling.refuse(SECTION_10[error.step], error, causeIn(proof, error));
    else telling.refuse("commitment", error, slipIn(known, key) || "commitment-unreadable", "reader");
  }
  telling.show("shuffle", { shown: count > shown ? shown : undefined, reshuffles: reshuffles.length || undefined });
  const { failed } = telling;
  if (known) telling.pass("commitment");
  if (failed?.id !== "shuffle") telling.pass("transcript"); // else it may be the transcript that is another one
  for (const id of ["form", "shuffle"]) telling.pass(id);
  const verdict = failed ? "fail" : known && (count || drawn.length) ? "pass" : "bound";
  const about = failed ? "" : !count && !drawn.length ? ".nothing" : verdict === "bound" ? "" : !seeds.length && !beacon ? ".seedless" : count ? "" : ".draws";
  const hands = deals.map(({ labels }) => ({
    cards: labels.map((label, position) => ({ label, position, dealt: 0, down: false, turned: null })), total: "", bet: 0, outcome: "", paid: 0,
  }));
  const seat = { seat: "shoe", player: "", you: false, hands };
  return telling.told({
    what, verdict, says: `verdict.shuffle.${verdict}${about}`, values: { shoe, cards: count }, scene: verdict === "fail" ? null : { seats: [seat], steps: [] },
    unseen: [...(count ? ["unseen.seen-cards"] : []), ...(seeds.length ? ["unseen.own-seed"] : ["unseen.no-seeds"]), ...(known ? [] : ["unseen.commitment"]), ...NEVER.slice(0, 2)],
  });
}

/** @typedef {import("./orders.mjs").Order & {labels: string[]}} Deal */

/** @param {Proof} proof @param {string} text T of the seal @returns {Deal[]} the cards of each order, as many as are shown; the first always */
function dealsOf({ key, deck, cut, reshuffles, dealt }, text) {
  /** @type {Deal[]} */
  const deals = [];
  let left = SHOWN;
  const deal = (/** @type {string[]} */ of, /** @type {number} */ at, /** @type {number} */ cards) => {
    const positions = Array.from({ length: Math.min(cards, of.length, left) }, (_, i) => i);
    const order = trace(fromHex(key), { text, k: deals.length, size: of.length, cut: at % of.length, positions });
    deals.push({ ...order, labels: order.cards.map((card) => of[card]) });
    left -= positions.length;
  };
  deal(deck, cut, reshuffles[0]?.[0] ?? dealt);
  for (const [i, [, gathered, at]] of reshuffles.entries()) {
    if (!left || !gathered.length || gathered.some((card) => card >= deck.length)) break;
    const anew = gathered.map((card) => deck[card]);
    text = reshuffled(text, i + 1, anew);
    deal(anew, at ?? 0, reshuffles[i + 1]?.[0] ?? dealt);
  }
  return deals;
}

/** @param {Proof} proof @param {[string, string][]} seeds @returns {string} T of the seal */
const textOf = ({ shoe, deck, commitment, beacon }, seeds) =>
  transcript({ shoe, deck, commitment, seeds: seeds.map(([who, seed]) => [who, fromHex(seed)]), beacon });

/** @param {Proof} proof @param {StepFailed} failed @returns {string} */
function causeIn(proof, { step }) {
  const { key, commitment, seeds, draws } = proof;
  if (step === 1) return "other-shoe";
  if (step === 2) return misread(key, commitment, "other-key");
  if (step !== 4) return "edited";
  /** @param {(seed: string) => string} other @param {[string, string][]} list whether the draws would be right */
  const fits = (other, list = seeds) => {
    const text = textOf(proof, list.map(([who, seed]) => [who, other(seed)]));
    return Object.entries(draws).every(([name, [below, value]]) => drawNamed(fromHex(key), text, name, below) === value);
  };
  if (fits((seed) => toHex(utf8(seed))) || fits((seed) => digitsIn(seed) ?? seed)) return "hex-as-text";
  return fits((seed) => seed, [...seeds].reverse()) ? "seed-order" : "other-inputs";
}
