// A hand judged: by its proof, which the verifier checks, and held against what the house signed and showed me before.

import { utf8 } from "../verifier/bytes.mjs";
import { openEntries } from "../verifier/hand.mjs";
import { ownField } from "../verifier/json.mjs";
import { tell } from "../verifier/telling/tell.mjs";
import { same, stakes } from "./receipts.mjs";

/** @typedef {Record<string, any>} Form @typedef {import("./types.mjs").Mark} Mark @typedef {import("./types.mjs").RoundView} RoundView */
/** @typedef {import("../verifier/telling/told.mjs").Told} Told */

/**
 * @typedef {object} Asked
 * @property {string} proof the proof file of the hand
 * @property {string} key the house's
 * @property {Form[]} said my receipts about this table, in their order: what each says
 * @property {boolean} sure none is missing
 * @property {string} commitment that I was shown, else ""
 * @property {string} seed mine, else ""
 * @property {number} seat
 * @property {string} player
 * @property {Form | null} shown its `round`, as the table showed it
 * @property {RoundView[]} seen the round as I saw it
 *
 * @typedef {{step: string, code: string, words: string}} Fault
 * @typedef {Fault & {mark: Mark, entry: Form | null}} Judgement `entry`: its `round` in the log
 * @typedef {(asked: Asked) => Promise<Judgement>} Judge
 */

/** @returns {Judge} checks hands in a worker, so that a page stays quick; here where the browser lets none begin */
export function inWorker() {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  /** @type {Map<number, (judged: Judgement) => void>} */
  const waiting = new Map();
  let number = 0;
  let broken = false;
  /** @type {Map<number, Asked>} */
  const asking = new Map();
  worker.onmessage = ({ data: [id, judged] }) => {
    waiting.get(id)?.(judged);
    waiting.delete(id);
    asking.delete(id);
  };
  worker.onerror = () => {
    broken = true;
    for (const [id, done] of waiting) done(judge(/** @type {Asked} */ (asking.get(id))));
    waiting.clear();
  };
  return async (asked) => {
    if (broken) return judge(asked);
    number += 1;
    asking.set(number, asked);
    worker.postMessage([number, asked]);
    return new Promise((done) => waiting.set(number, done));
  };
}

/** @param {Asked} asked @returns {Judgement} */
export function judge(asked) {
  const { proof, key, commitment, seed } = asked;
  const told = tell({ file: utf8(proof), key, commitment, seed });
  const entries = entriesOf(proof, key);
  const entry = entries.find(({ kind, round }) => kind === "round" && round === roundOf(proof)) ?? null;
  const fault = (entries.length ? refuted(entries, roundOf(proof), asked) : null) ?? brokenStep(told);
  const good = { step: "", code: "", words: "" };
  if (fault) return { ...fault, mark: "fail", entry };
  if (told.verdict === "pass") return { ...good, mark: "pass", entry };
  const end = entries.find(({ kind }) => ["reveal", "void", "lost"].includes(kind));
  if (told.verdict === "bound") return { ...good, mark: !end ? "open" : end.kind === "reveal" ? "unsure" : "bound", entry };
  return { ...good, mark: "unsure", words: `it could not be checked here (${told.says})`, entry };
}

/** @param {string} proof @param {string} key @returns {Form[]} none where it does not hold */
function entriesOf(proof, key) {
  try {
    return openEntries(utf8(proof), key).entries.map(({ entry }) => entry);
  } catch {
    return [];
  }
}

/** @param {string} proof @returns {number} */
const roundOf = (proof) => Number(/"round":"[^"]*#(\d+)","v":1\}\n$/.exec(proof)?.[1]);

// What the rules and the cryptography say.

/** Which lie it is when a step fails, and how it is said. @type {Record<string, [code: string, words: string]>} */
const STEPS = {
  form: ["log", "the house's log breaks its own form"],
  signature: ["other-key", "the proof is not signed by the key of this house that this browser knows"],
  inclusion: ["log", "the proof has an entry that does not stand in the signed log"],
  commitment: ["other-key-of-shoe", "the key that was revealed is not the one that the house had committed to"],
  seeds: ["log", "the seeds in the log are not those whose hashes were sent, or were not opened in order"],
  transcript: ["log", "what made the order of the cards is not what the log says"],
  shuffle: ["other-card", "a card is not the one that key and seeds give"],
  decisions: ["log", "bets, decisions or cards are against the rules"],
  dealer: ["other-card", "the dealer's hand is not what the rules and the cards give"],
  totals: ["other-payout", "a hand was counted wrongly"],
  outcome: ["other-payout", "a hand that ended one way was settled as another"],
  payout: ["other-payout", "a hand was paid wrongly"],
  chips: ["other-payout", "the chips after the hand are wrong"],
};

/** @param {Told} told @returns {Fault | null} */
function brokenStep({ verdict, steps }) {
  if (verdict !== "fail") return null;
  const step = steps.find(({ status }) => status === "fail");
  if (!step?.fault) return { step: "form", code: "log", words: "the house's proof cannot be followed" };
  const { cause, expected, found, where } = step.fault;
  let [code, words] = STEPS[step.id] ?? ["log", "the hand does not hold"];
  if (cause === "cause.other-shoe") [code, words] = ["other-commitment", "the log has another commitment than the one that I was shown before I bet"];
  if (cause === "cause.not-own-seed") [code, words] = ["hash-left-out", "my seed is not among those in the log"];
  if (code === "other-payout" && /^-?\d+$/.test(expected) && /^-?\d+$/.test(found)) words = `the house counted ${found} for a hand where the rules give ${expected}`;
  return { step: step.id, code, words: `${words} (${where}: ${short(found)} stands there, ${short(expected)} is right)` };
}

/** @param {unknown} value */
const short = (value) => {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || "nothing";
};

// What the house signed for me, and showed me, before.

/** @param {Form[]} entries of the proof @param {number} number of the round @param {Asked} asked @returns {Fault | null} */
function refuted(entries, number, { said, sure, seat, player, shown, seen }) {
  const of = (/** @type {string} */ kind) => entries.find((entry) => entry.kind === kind && (entry.round === undefined || entry.round === number));
  const [shoe, seeds, open, round] = [of("shoe"), of("seeds"), of("open"), of("round")];
  const receipt = (/** @type {string} */ code, /** @type {string} */ words) => ({ step: "receipt", code, words });
  for (const form of said) {
    const about = form.shoe === shoe?.shoe;
    const view = form.view?.shoe;
    if (view && view.shoe === shoe?.shoe) {
      if (view.commitment !== shoe?.commitment) return receipt("other-commitment", "the log has another commitment than the receipt that the house signed for me");
      if (!same(view.roster, shoe?.roster)) return receipt("log", "the log says that others made this shoe than the receipt that the house signed for me");
      if (seeds && Object.keys(view.hashes ?? {}).length && !same(view.hashes, seeds.hashes)) return receipt("hash-left-out", "the log has other hashes of seeds than the receipt that the house signed for me");
    }
    if (!about) continue;
    if (form.do === "hash" && seeds && ownField(seeds.hashes, player) !== form.hash) return receipt("hash-left-out", "the house signed that it has my hash, and its log does not have it");
    if (form.do === "seed" && opened(entries, player) !== form.seed && of("seal")) return receipt("log", "the house signed that it has my seed, and made the cards without it");
    if (form.round !== number) continue;
    if (form.state === "stands" && open && !same(mine(stakes(open), seat), stakes(form))) return receipt("bet-changed", `the house signed ${amounts(stakes(form))} as my bets, and its log has ${amounts(mine(stakes(open), seat))}`);
    if (form.about === "round" && round) {
      const decision = { seat, move: form.move, ...(form.amount && { amount: form.amount }), ...(form.chosen && { chosen: form.chosen }) };
      const logged = round.decisions[form.step];
      if (!same(logged, decision)) return receipt("decision-changed", `I sent ${form.move}, which the house signed, and its log has ${logged ? `${logged.move}${logged.by ? " by the table" : ""}` : "nothing"}`);
    }
  }
  const offer = said.filter((form) => form.state === "offered" && form.round === number && form.shoe === shoe?.shoe).at(-1);
  if (sure && offer && open) {
    const stand = stakes(open);
    const left = offer.bets.filter((/** @type {Form} */ bet) => (bet.box ?? seat) === seat || stand.some((one) => same(one, bet)));
    const late = offer.bets.length && (open.late ?? []).includes(seat);
    if (late || !same(mine(stand, seat), left)) return receipt("bet-changed", `I bet ${amounts(offer.bets)} in time, which the house signed, and its log has ${late ? "me as late" : amounts(mine(stand, seat))}`);
  }
  if (!round) return null;
  const views = said.filter((form) => form.about === "round" && form.round === number && form.shoe === shoe?.shoe).flatMap((form) => [form.saw, form.view?.round]);
  for (const view of views) {
    const card = view && missing(view, round);
    if (card) return receipt("other-card", `the house signed that I saw ${card}, and its log has no such card there`);
  }
  return shownFault(round, shown, seen);
}

/** What the log has against what the table showed. @param {Form} round @param {Form | null} shown @param {RoundView[]} seen @returns {Fault | null} */
export function shownFault(round, shown, seen) {
  const fault = (/** @type {string} */ code, /** @type {string} */ words) => ({ step: "shown", code, words });
  for (const view of seen) {
    const card = missing(view, round);
    if (card) return fault("other-card", `I was shown ${card}, and the log has no such card there`);
  }
  if (!shown || same(shown, round)) return null;
  if (!same(shown.cards, round.cards)) return fault("other-card", "the log has other cards than the table showed when the hand was over");
  if (!same(shown.decisions, round.decisions)) return fault("decision-changed", "the log has other decisions than the table showed when the hand was over");
  const net = (/** @type {Form} */ { hands }) => hands.map((/** @type {Form} */ one) => one.net).join(", ");
  return fault("other-payout", `the table showed another result (${net(shown)}) than its log has (${net(round)})`);
}

/** @param {Form[]} entries @param {string} player @returns {string | undefined} */
const opened = (entries, player) => entries.find((entry) => entry.kind === "opened" && entry.player === player)?.seed;

/** @param {Form[]} bets @param {number} seat */
const mine = (bets, seat) => bets.filter((bet) => bet.seat === seat);

/** @param {Form[]} bets */
const amounts = (bets) => bets.map(({ amount, box }) => (box ? `${amount} on ${box}` : `${amount}`)).join(", ") || "no bet";

/** @param {RoundView} view @param {Form} round @returns {string} a card that lay face up in a place where the log has none such; "" where each is there */
export function missing(view, round) {
  const labels = (/** @type {Form} */ { cards }) => cards.map((/** @type {number} */ offset) => round.cards[offset]);
  const place = (/** @type {Form} */ { seat, box }) => `${box ?? seat}`;
  /** @type {Map<string, string[]>} */
  const logged = new Map([["dealer", labels(round.dealer)]]);
  for (const hand of round.hands) logged.set(place(hand), [...(logged.get(place(hand)) ?? []), ...labels(hand)]);
  for (const hand of [view.dealer, ...view.hands]) {
    const left = logged.get(hand === view.dealer ? "dealer" : place(hand)) ?? [];
    for (const card of hand.cards) {
      if (card === null) continue;
      const at = left.indexOf(card);
      if (at < 0) return card;
      left.splice(at, 1);
    }
  }
  return "";
}
