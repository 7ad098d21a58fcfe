// A round: played again with the cards, bets and decisions that the log has, and compared.

import { Round, Wrong } from "../games/round.ts";
import { microseconds, momentText, seconds } from "../forms.ts";
import { inDeck } from "./commitments.ts";
import { Asking } from "./placed.ts";
import { standingBets } from "./shoes.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Betting, Shoe, Table } from "../state.ts";

export function reshuffleStep(audit: Audit, entry: Entry, shoe: Shoe) {
  if (!shoe.betting) return;
  audit.same("order", "round", shoe.betting.round, entry.round);
  audit.present("shuffle", "cards_root", shoe.placer !== null, entry.cards_root);
  if (entry.burn !== undefined) inDeck(audit, shoe, "burn", [entry.burn]);
  shoe.betting.reshuffles.push({ ...entry, entry: audit.index });
}

export function roundStep(audit: Audit, entry: Entry, shoe: Shoe) {
  if (!shoe.table || !shoe.betting) return;
  const { table, betting } = shoe;
  audit.rounds += 1;
  audit.same("order", "round", betting.round, entry.round);
  if (!audit.partial || !table.game.many) audit.same("cards", "pos", shoe.pos, entry.pos);
  audit.inTime(shoe, { decisions: entry.decisions.length });
  inDeck(audit, shoe, "cards", entry.cards);
  const round = begun(audit, shoe, entry);
  shoe.betting = undefined;
  shoe.follow("round");
  if (!round.bets.length) return audit.fail("order", "kind", "a bet that remains", "round");
  const { pos } = round;
  const asking = shoe.placer ? new Asking(audit, shoe, shoe.placer, entry) : null;
  asking?.watch(round, entry, betting.reshuffles);
  let played = false;
  try {
    table.game.play(round);
    played = round.asked === entry.decisions.length;
    compareRound(audit, table, round, entry);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    audit.fail(error.check, error.field, error.expected, error.found);
    audit.same("chips", "chips", chipsSaid(table, entry), entry.chips);
  }
  if (asking) asking.judge(played);
  else audit.present("cards", "placed", false, entry.placed);
  sameReshuffles(audit, shoe, betting, round, entry);
  decisionsWaited(audit, table, entry, Math.max(betting.at, shoe.sealedAt));
  table.adopt(entry.chips);
  shoe.dealt.push({
    entry: audit.index,
    round: entry.round,
    pos,
    cards: entry.cards,
    reshuffles: betting.reshuffles.slice(0, round.reshuffles.length) as any,
  });
  shoe.deckSize = round.size;
  shoe.pos = entry.reshuffled ? round.pos : pos + entry.cards.length; // the log's cards, also if a decision is wrong
  [table.settled, shoe.bettingSince, shoe.stepAt] = [audit.at, audit.at, audit.at];
  remember(table, round, entry);
}

/** @returns at its beginning, as it is known before the entry */
function begun(audit: Audit, shoe: Shoe, { pos, cards, decisions, chips, hands }: Entry): Round {
  const table = shoe.table as Table;
  const { game } = table;
  if (audit.partial) before(table, chips, hands);
  const { options, dealer, house, pool, chairs } = table;
  return new Round({
    options,
    dealer,
    house,
    pool,
    cards,
    decisions,
    size: shoe.deckSize,
    shoe: shoe.size,
    burns: game.burns === true,
    values: game.deck.values,
    bets: standingBets(shoe),
    pos: audit.partial && game.many ? pos : shoe.pos,
    chips: new Map([...chairs.values()].map((chair) => [chair.seat, chair.chips])),
  });
}

/** @param hands a proof of one hand: the round began with what it ended with, less what was won */
function before(table: Table, chips: Record<string, number>, hands: Entry[]) {
  table.adopt(chips);
  const bank = table.chairs.get(table.dealer);
  for (const { seat, net, insurance = 0 } of hands) {
    const chair = table.chairs.get(seat);
    if (chair) chair.chips -= net + insurance;
    if (bank) bank.chips += net + insurance;
    else if (table.game.pool) table.pool += net;
    else table.house += net + insurance;
  }
}

/** of which check a field of a hand is */
const CHECKS: Record<string, string> = {
  bet: "decisions",
  seat: "cards",
  box: "cards",
  cards: "cards",
  total: "cards",
  insured: "decisions",
};

function compareRound(audit: Audit, table: Table, round: Round, entry: Entry) {
  audit.same("cards", "cards", round.cards, entry.cards);
  if (round.asked < entry.decisions.length)
    audit.fail("decisions", `decisions[${round.asked}]`, null, entry.decisions[round.asked]);
  const total = (cards: number[]) => totalOf(table, round, cards);
  audit.same("dealer", "dealer.cards", round.bank, entry.dealer.cards);
  audit.same("cards", "dealer.total", total(round.bank), entry.dealer.total);
  audit.same("cards", "hands", round.hands.length, entry.hands.length);
  for (const [i, hand] of round.hands.entries()) {
    const { seat, bet, cards, outcome, net } = hand;
    const insurance = hand.insured ? { insured: hand.insured, insurance: hand.insurance } : {};
    const expected: Entry = { bet, seat, cards, total: total(cards), outcome, net, ...insurance };
    if (hand.box !== undefined) expected.box = hand.box;
    if (hand.short) expected.short = hand.short;
    const found = entry.hands[i] ?? {};
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      audit.same(CHECKS[name] ?? "settlement", `hands[${i}].${name}`, expected[name], found[name]);
    }
  }
  audit.same("chips", "chips", chipsIn(table, round), entry.chips);
}

/** @returns what some cards of a round count at its table */
export function totalOf({ game }: Table, round: Round, cards: number[]) {
  return game.total ? game.total(round.labelsOf(cards)) : round.totalOf(cards);
}

/** @returns what the bank and each seat with a hand has by now */
function chipsIn({ bank, dealer }: Table, { purse, hands, pool, house }: Round): Record<string, number> {
  const chips = { [bank]: dealer ? (purse.get(dealer) ?? 0) : bank === "pool" ? pool : house };
  for (const { seat } of hands) chips[seat] = purse.get(seat) ?? 0;
  return chips;
}

/** @param entry a round that could not be played again: what its hands say that everybody has afterwards */
function chipsSaid(table: Table, { hands }: Entry) {
  const chips = {} as Record<string, number>;
  const accounts = table.accounts();
  let won = 0;
  for (const { seat, net, insurance = 0 } of hands) {
    chips[seat] = (chips[seat] ?? accounts[seat] ?? 0) + net + insurance;
    won += net + insurance;
  }
  chips[table.bank] = (accounts[table.bank] ?? 0) - won;
  return chips;
}

function sameReshuffles(audit: Audit, shoe: Shoe, betting: Betting, round: Round, entry: Entry) {
  const burns = shoe.table?.game.burns === true;
  const after = round.reshuffles.map((one) => one.after);
  audit.same("shuffle", "reshuffled", after.length ? after : undefined, entry.reshuffled);
  audit.same("shuffle", "reshuffled", after.length, betting.reshuffles.length);
  for (const [i, made] of round.reshuffles.entries()) {
    const one = betting.reshuffles[i];
    if (!one) return;
    const where = { entry: one.entry };
    for (const name of ["after", "cards"] as const) audit.same("shuffle", name, made[name], one[name], where);
    audit.present("shuffle", "cut", burns, one.cut, where);
    audit.present("shuffle", "burn", burns && one.cards > 1, one.burn, where);
  }
}

/**
 * What the table decided stands at its moment: one after the other, and where a seat was waited for no earlier than its
 * limit after the one before. `entry`: of a round, or of the bank; `since`: when the first was waited for.
 */
export function decisionsWaited(audit: Audit, table: Table, { at, decisions }: Entry, since: number) {
  const end = microseconds(at) ?? 0;
  for (const [i, decision] of decisions.entries()) {
    const chair = table.chairs.get(decision.seat);
    const decided = microseconds(decision.at);
    if (decided === null) {
      chair?.acts(audit.at);
      continue;
    }
    const field = `decisions[${i}].at`;
    if (decided < since || decided > end) audit.fail("order", field, [momentText(since), at], decision.at);
    const least = Math.max(since, audit.startedAt(table, decided)) + seconds(table.policy.decision);
    if (!chair?.absent && decided < least) audit.fail("policy", field, `not before ${momentText(least)}`, decision.at);
    since = Math.max(since, decided);
    if (chair) chair.missed += 1;
  }
}

/** @param entry what the rules keep in mind until the next round */
function remember(table: Table, round: Round, entry: Entry) {
  const { game, memory, options } = table;
  if (game.pool) {
    memory.started = 1;
    for (const { seat, net } of entry.hands) {
      const payer = table.payer(memory.game, seat, table.chairs.get(seat)?.player ?? "");
      if (payer) payer.won += net;
    }
  }
  const won = entry.hands.reduce((sum: number, hand: Entry) => sum - hand.net, 0);
  if (game.bank === "rotates" && !round.void) {
    if (options.rotation === "three_rounds" || (options.rotation === "three_wins" && won > 0))
      memory.held = (memory.held ?? 0) + 1;
  }
  if (game.bank !== "changes") return;
  const natural = round.hands.find((hand) => hand.outcome === "natural"); // PO-33, PO-35
  if (natural) memory.entitled = natural.seat;
}
