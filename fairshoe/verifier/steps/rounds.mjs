// A round: played again with the cards, bets and decisions that the log has, and compared.

import { count } from "../cards.mjs";
import { Round, Wrong } from "../games/round.mjs";
import { seconds } from "../times.mjs";
import { liveBet } from "./shoes.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry */
/** @typedef {import("../state.mjs").Table} Table @typedef {import("../state.mjs").Shoe} Shoe @typedef {import("../state.mjs").Betting} Betting */

/** @param {Audit} audit @param {Entry} entry */
export function reshuffleStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  if (!shoe.betting || !shoe.sealed || !shoe.table?.game.many) return audit.fail("order", "kind", "a round that is being dealt", "reshuffle");
  audit.same("order", "round", shoe.betting.round, entry.round);
  shoe.k += 1;
  audit.same("shuffle", "k", shoe.k, entry.k);
  shoe.betting.reshuffles.push({ ...entry, entry: audit.index });
}

/** @param {Audit} audit @param {Entry} entry */
export function roundStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  const { table, betting } = shoe;
  if (!table || !betting || !shoe.sealed) return audit.fail("order", "kind", "an open, and a seal", "round");
  audit.rounds += 1;
  shoe.betting = undefined;
  audit.same("order", "round", betting.round, entry.round);
  if (!audit.partial || !table.game.many) audit.same("cards", "pos", shoe.pos, entry.pos);
  const bets = betting.bets.filter(({ seat }) => table.game.many || liveBet(shoe, seat));
  if (!bets.length) return audit.fail("order", "kind", "a bet that remains", "round");
  if (audit.partial) before(table, entry);
  const pos = audit.partial && table.game.many ? entry.pos : shoe.pos;
  const round = new Round({
    options: table.options, bets, chips: new Map([...table.chairs.values()].map((chair) => [chair.seat, chair.chips])),
    dealer: table.dealer, pool: table.pool, cards: entry.cards, decisions: entry.decisions,
    pos, size: shoe.deckSize, shoe: shoe.size, burns: table.game.name === "pontoon",
  });
  try {
    table.game.play(round);
    compare(audit, table, round, entry);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    audit.fail(error.check, error.field, error.expected, error.found);
    audit.same("chips", "chips", chipsOf(table, round, entry), entry.chips);
  }
  reshuffled(audit, shoe, betting, round, entry);
  waited(audit, table, shoe, betting, entry);
  table.adopt(entry.chips);
  shoe.dealt.push({ entry: audit.index, opened: betting.entry, round: entry.round, pos, cards: entry.cards, reshuffles: /** @type {any} */ (betting.reshuffles) });
  [shoe.pos, shoe.deckSize] = [round.pos, round.size];
  [table.lastRound, shoe.bettingSince, shoe.stepAt] = [audit.at, audit.at, audit.at];
  remember(table, round, entry);
}

/** @param {Table} table @param {Entry} entry a proof of one hand: the round began with what it ended with, less what was won */
function before(table, { chips, hands }) {
  table.adopt(chips);
  const bank = table.chairs.get(table.dealer);
  for (const { seat, net, insurance = 0 } of hands) {
    const chair = table.chairs.get(seat);
    if (chair) chair.chips -= net + insurance;
    if (bank) bank.chips += net + insurance;
    else if (table.lounge) table.pool += net;
    else table.house += net + insurance;
  }
}

/** @type {Record<string, string>} of which check a field of a hand is */
const CHECKS = { bet: "decisions", seat: "cards", box: "cards", cards: "cards", total: "cards", insured: "decisions" };

/** @param {Audit} audit @param {Table} table @param {Round} round @param {Entry} entry */
function compare(audit, table, round, entry) {
  audit.same("cards", "cards", round.cards, entry.cards);
  if (round.asked < entry.decisions.length) audit.fail("decisions", `decisions[${round.asked}]`, null, entry.decisions[round.asked]);
  const total = (/** @type {number[]} */ cards) => (table.game.total ?? ((labels) => count(labels).total))(round.labels(cards));
  audit.same("dealer", "dealer.cards", round.bank, entry.dealer.cards);
  audit.same("cards", "dealer.total", total(round.bank), entry.dealer.total);
  audit.same("cards", "hands", round.hands.length, entry.hands.length);
  for (const [i, hand] of round.hands.entries()) {
    const { seat, bet, cards, outcome, net } = hand;
    const insurance = hand.insured ? { insured: hand.insured, insurance: hand.insurance } : {};
    /** @type {Entry} */
    const expected = { bet, seat, cards, total: total(cards), outcome, net, ...insurance };
    if (hand.box !== undefined) expected.box = hand.box;
    if (hand.short) expected.short = hand.short;
    const found = entry.hands[i] ?? {};
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      audit.same(CHECKS[name] ?? "settlement", `hands[${i}].${name}`, expected[name], found[name]);
    }
  }
  audit.same("chips", "chips", chipsOf(table, round, null), entry.chips);
}

/**
 * What everybody has afterwards.
 * @param {Table} table
 * @param {Round} round
 * @param {Entry | null} entry where the round could not be played again: what its hands say
 */
function chipsOf(table, round, entry) {
  /** @type {Record<string, number>} */
  const chips = {};
  const accounts = table.accounts();
  let won = 0;
  for (const { seat, net, insurance = 0 } of entry?.hands ?? round.hands) {
    chips[seat] = (chips[seat] ?? accounts[seat] ?? 0) + net + insurance;
    won += net + insurance;
  }
  chips[table.bank] = (accounts[table.bank] ?? 0) - won;
  return chips;
}

/** @param {Audit} audit @param {Shoe} shoe @param {Betting} betting @param {Round} round @param {Entry} entry */
function reshuffled(audit, shoe, betting, round, entry) {
  const pontoon = shoe.table?.game.name === "pontoon";
  const after = round.reshuffles.map((one) => one.after);
  audit.same("shuffle", "reshuffled", after.length ? after : undefined, entry.reshuffled);
  audit.same("shuffle", "reshuffled", after, betting.reshuffles.map((one) => one.after));
  for (const [i, one] of betting.reshuffles.entries()) {
    const where = { entry: one.entry };
    if (round.reshuffles[i]) audit.same("shuffle", "cards", round.reshuffles[i].cards, one.cards, where);
    if (pontoon !== (one.cut !== undefined)) audit.fail("shuffle", "cut", pontoon ? "the cut" : null, one.cut, where);
    if ((pontoon && one.cards > 1) !== (one.burn !== undefined)) audit.fail("shuffle", "burn", pontoon ? "the burned card" : null, one.burn, where);
  }
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Betting} betting @param {Entry} entry */
function waited(audit, table, shoe, betting, entry) {
  let limits = 0;
  for (const { seat, by } of entry.decisions) {
    const chair = table.chairs.get(seat);
    if (by === "table" && (!chair || chair.missed < 2)) limits += 1;
    if (chair && by === "table") chair.missed += 1;
    else if (chair) [chair.missed, chair.acted] = [0, audit.at];
  }
  audit.mustNotDelay(Math.max(betting.at, shoe.sealedAt), seconds(entry.decisions.length * table.policy.decision));
  if (limits && !audit.partial) audit.mustHaveWaited(Math.max(betting.at, shoe.sealedAt), seconds(limits * table.policy.decision), "decisions");
}

/** @param {Table} table @param {Round} round @param {Entry} entry what the rules keep in mind until the next round */
function remember(table, round, entry) {
  const { game, memory, options } = table;
  if (game.name === "lounge") {
    memory.started = 1;
    for (const { seat, net } of entry.hands) {
      const payer = table.payers.get(`${seat}/${table.chairs.get(seat)?.player}`);
      if (payer) payer.won += net;
    }
  }
  const won = entry.hands.reduce((/** @type {number} */ sum, /** @type {Entry} */ hand) => sum - hand.net, 0);
  if (game.name === "chinese" && !round.void) {
    if (options.rotation === "three_rounds" || (options.rotation === "three_wins" && won > 0)) memory.held = (memory.held ?? 0) + 1;
  }
  if (game.name !== "pontoon") return;
  const natural = round.hands.find((hand) => hand.outcome === "natural"); // PO-33, PO-35
  const dealer = table.chairs.get(table.dealer);
  if (natural) memory.entitled = natural.seat;
  else if (dealer && !table.canBet(dealer)) { // PO-38
    const [shoe] = table.inPlay;
    if (shoe) shoe.bankMoved = true;
  }
}
