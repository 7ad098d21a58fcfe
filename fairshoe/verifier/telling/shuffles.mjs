// The proof of a shoe of any game (docs/protocol.md section 10), told step by step, or made of what a reader types.

import { fromHex, toHex, utf8 } from "../bytes.mjs";
import { french } from "../cards.mjs";
import { StepFailed } from "../errors.mjs";
import { decimal, must } from "../forms.mjs";
import { sha256 } from "../hashes.mjs";
import { readProof, verify } from "../proof.mjs";
import { drawNamed, reshuffled, transcript } from "../shuffle.mjs";
import { showOrder, trace } from "./orders.mjs";
import { NEVER, digitsIn, misread } from "./play.mjs";
import { Telling, grid, hashCommand, hashOf, textCommand, textHash } from "./told.mjs";

/** @typedef {import("./told.mjs").Told} Told @typedef {import("./told.mjs").Given} Given @typedef {import("../proof.mjs").Proof} Proof */

/** Which step of the telling each of section 10 belongs to. */
const SECTION_10 = ["form", "commitment", "commitment", "form", "shuffle", "shuffle", "shuffle"];
/** Of how many cards all words are shown. */
const SHOWN = 416;

/** @param {Uint8Array} file @param {Given} given @returns {Told} */
export function tellShuffle(file, given) {
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
  const { shoe, deck, key, commitment, seeds, beacon, cut, draws, reshuffles } = proof;
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
    for (const [i, { labels }] of deals.entries())
      if (String(dealt[i].slice(0, labels.length)) !== String(labels)) telling.fail("shuffle", "edited", "cards", dealt[i], labels);
  } catch (error) {
    if (error instanceof StepFailed) telling.refuse(SECTION_10[error.step], error, causeIn(proof, known, error), known === key ? "reader" : undefined);
    else telling.refuse("commitment", error, "commitment-unreadable", "reader");
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
  const [{ positions }] = deals;
  const strip = { cards: deck.length, dealt: Math.min(reshuffles[0]?.[0] ?? proof.dealt, deck.length), mine: positions, burned: [], cut, first: 0 };
  return telling.told({
    what, verdict, says: `verdict.shuffle.${verdict}${about}`, values: { shoe, cards: count }, scene: verdict === "fail" ? null : { seats: [seat], steps: [], shoe: strip },
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

/** @param {Proof} proof @param {string} known @param {StepFailed} failed @returns {string} */
function causeIn(proof, known, { step }) {
  const { key, commitment, seeds, draws } = proof;
  if (step === 1) return known === key ? "key-as-commitment" : "other-shoe";
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

// The proof of a shoe from what a reader types.

/**
 * @typedef {object} Typed as it stands in the fields
 * @property {string} key 64 hex digits
 * @property {string} shoe its id
 * @property {string} deck french:N, or labels parted by white space
 * @property {string} seeds one a line: NAME HEX
 * @property {string} draws one a line: NAME BOUND VALUE; without the value it is drawn
 * @property {string} cut 0 where it is empty
 * @property {string} dealt the whole deck where it is empty
 * @property {string} commitment the key's where it is empty
 */

/**
 * @param {Partial<Typed>} fields
 * @returns {Uint8Array} the file; whether it holds is for `tell`
 * @throws {import("../errors.mjs").InputError} where nothing can be made of it
 */
export function typed({ key = "", shoe = "", deck = "", seeds = "", draws = "", cut = "", dealt = "", commitment = "" }) {
  const secret = fromHex(bare(key), "key");
  must(secret.length === 32, "key", "64 hex digits");
  const packs = /^french:([0-9]+)$/.exec(deck.trim());
  const labels = packs ? french(Number(packs[1])) : wordsIn(deck);
  const pairs = linesIn(seeds).map(([who, ...hex]) => /** @type {const} */ ([who, bare(hex.join(""))]));
  const known = bare(commitment) || toHex(sha256(secret));
  const text = () => transcript({ shoe: shoe.trim(), deck: labels, commitment: known, seeds: pairs.map(([who, hex]) => [who, fromHex(hex, "seeds")]) });
  const drawn = linesIn(draws).map(([name, bound = "", value]) => {
    const below = decimal(bound, "draws");
    must(below >= 1 && below <= 2 ** 32, "draws", "NAME BOUND VALUE");
    return [name, [below, value === undefined ? drawNamed(secret, text(), name, below) : decimal(value, "draws")]];
  });
  return utf8(JSON.stringify({
    beacon: null, commitment: known, cut: decimal(cut.trim() || "0", "cut"), dealt: decimal(dealt.trim() || String(labels.length), "dealt"), deck: labels,
    draws: Object.fromEntries(drawn), key: toHex(secret), protocol: "fairshoe/1", reshuffles: [], seeds: pairs, shoe: shoe.trim(),
  }));
}

/** @param {string} text hex as it is copied: with white space, capitals, 0x */
export const bare = (text) => text.replace(/\s/g, "").replace(/^0x/, "").toLowerCase();

/** @param {string} text */
const wordsIn = (text) => text.split(/\s+/).filter(Boolean);

/** @param {string} text @returns {string[][]} the words of each line */
const linesIn = (text) => text.split("\n").map(wordsIn).filter(({ length }) => length > 0);
