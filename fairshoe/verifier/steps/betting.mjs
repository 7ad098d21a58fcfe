// Bets: who is named in an open, and which bets count.

import { must } from "../limits.mjs";
import { seconds } from "../times.mjs";
import { bankDue } from "./bank.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry */
/** @typedef {import("../state.mjs").Table} Table @typedef {import("../state.mjs").Shoe} Shoe @typedef {import("../state.mjs").Chair} Chair */
/** @typedef {import("../games/round.mjs").Bet} Bet */

/** @param {Audit} audit @param {Entry} entry */
export function openStep(audit, entry) {
  const shoe = audit.shoe(entry);
  const table = shoe?.table;
  if (!shoe) return;
  if (!table) return audit.fail("order", "shoe", "a table's shoe", entry.shoe);
  const { many } = table.game;
  const ready = many ? shoe.sealed && !shoe.first : !shoe.sealed && (shoe.sole || shoe.hashes.size) && !shoe.seeds.size;
  if (!ready || shoe.betting || (!many && shoe.dealt.length) || table.inPlay[0] !== shoe) {
    return audit.fail("order", "kind", "a shoe that waits for bets", "open");
  }
  if (!audit.partial) {
    audit.same("completeness", "round", table.rounds + 1, entry.round);
    if (many) mayGoOn(audit, table, shoe);
  }
  if (!many && (shoe.bankMoved || (table.game.name === "chinese" && !table.dealer))) audit.fail("policy", "kind", "a new shoe: the bank left", "open");
  if (many && audit.at >= shoe.sealedAt + seconds(table.policy.shoe)) audit.fail("policy", "kind", "a reveal: age", "open");
  table.rounds = entry.round;
  if (!entry.bets.length) audit.fail("decisions", "bets", "a bet", entry.bets);
  if (table.lounge) gifts(audit, table, shoe, entry);
  else {
    named(audit, table, shoe, entry);
    legal(audit, table, entry);
    covered(audit, table, entry);
  }
  shoe.betting = { entry: audit.index, at: audit.at, round: entry.round, bets: entry.bets, reshuffles: [] };
  shoe.stepAt = audit.at;
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe whether there may be another round */
function mayGoOn(audit, table, shoe) {
  const dealt = shoe.dealt.at(-1);
  const no = (/** @type {string} */ why, entry = audit.index) => audit.fail("policy", "kind", `a reveal: ${why}`, "open", { entry });
  if (dealt?.reshuffles.length || shoe.pos >= shoe.deckSize) no("worn", dealt?.entry);
  else if (bankDue(table) !== undefined || shoe.bankMoved) no("bank");
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry who bets, passed, was late */
function named(audit, table, shoe, entry) {
  const { bets, waived = [], passed = [], late = [], uncovered = [] } = entry;
  const said = [...bets, ...uncovered].map((/** @type {Bet} */ bet) => bet.seat);
  const part = (/** @type {Chair | undefined} */ chair) => chair !== undefined && shoe.hasPart(chair);
  for (const seat of new Set([...said, ...passed, ...late])) {
    const chair = table.chairs.get(seat);
    const lists = [said, passed, late].filter((list) => list.includes(seat)).length;
    if (!chair) audit.fail("contributions", "bets", "chairs that are taken", seat);
    else if (table.banks(chair)) audit.fail("decisions", "bets", "no bet of who banks", seat);
    else if (lists > 1) audit.fail("decisions", "passed", "each seat in one list", seat);
    else if (!audit.partial && !said.includes(seat) && !part(chair) && !shoe.waived.has(chair)) audit.fail("contributions", "passed", "a part in the shoe", seat);
  }
  const since = audit.partial && table.game.many; // who takes a chair since the commitment may waive: the file must say who did
  const chipsOf = (/** @type {number} */ seat) => `the chips by which seat ${seat} was taken`;
  const without = new Set(said.filter((seat) => !part(table.chairs.get(seat))));
  for (const seat of without) {
    const chair = table.chairs.get(seat);
    const may = table.game.many && chair && shoe.chairs.get(seat) !== chair;
    must(Boolean(may) || !since, "entries", chipsOf(seat));
    if (!may || !waived.includes(seat)) audit.fail("contributions", "bets", "a seed in the shoe, or a waiver", seat);
  }
  for (const seat of waived) {
    const chair = table.chairs.get(seat);
    must(without.has(seat) || !since || !said.includes(seat), "entries", chipsOf(seat));
    if (!without.has(seat)) audit.fail("contributions", "waived", "bets without a seed", seat);
    if (chair) shoe.waived.add(chair);
  }
  for (const chair of audit.partial ? [] : table.seated) {
    const may = (part(chair) || shoe.waived.has(chair)) && !table.banks(chair) && table.canBet(chair);
    if (may && ![...said, ...passed, ...late].includes(chair.seat)) audit.fail("decisions", "late", "every seat that could bet", chair.seat);
  }
  betsWaited(audit, table, shoe, entry);
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry */
function betsWaited(audit, table, shoe, entry) {
  const since = table.game.many ? shoe.bettingSince : Math.max(shoe.sole ? shoe.at : shoe.stepAt, table.ended);
  if (!table.game.many) audit.mustNotDelay(since, seconds(table.policy.bet));
  for (const seat of entry.late ?? []) {
    const chair = table.chairs.get(seat);
    if (table.game.name !== "boxes" && (!chair || chair.missed < 2)) audit.mustHaveWaited(since, seconds(table.policy.bet), "late");
    if (chair) chair.missed += 1;
  }
  const acted = [...entry.bets, ...(entry.uncovered ?? [])].map((/** @type {Bet} */ bet) => bet.seat);
  for (const seat of [...acted, ...(entry.passed ?? [])]) {
    table.chairs.get(seat)?.acts(audit.at);
  }
}

/** @param {Audit} audit @param {Table} table @param {Entry} entry order and amounts */
function legal(audit, table, { bets, uncovered = [] }) {
  const { game, options } = table;
  const boxes = game.name === "boxes";
  for (const [name, list] of /** @type {[string, Bet[]][]} */ ([["bets", bets], ["uncovered", uncovered]])) {
    const order = boxes
      ? list.map((bet) => bet.box ?? bet.seat).sort((a, b) => a - b)
      : table.acting(table.seated).map((chair) => chair.seat).filter((seat) => list.some((bet) => bet.seat === seat));
    audit.same("decisions", name, order, list.map((bet) => (boxes ? bet.box ?? bet.seat : bet.seat)));
    for (const [i, { seat, amount, box }] of list.entries()) {
      if (amount < options.minimum || amount > options.maximum || (game.even && amount % 2)) audit.fail("decisions", `${name}[${i}].amount`, [options.minimum, options.maximum], amount);
      if (box !== undefined && (!boxes || box === seat || box > 7)) audit.fail("decisions", `${name}[${i}].box`, null, box);
    }
  }
  if (boxes && new Set(bets.map((/** @type {Bet} */ bet) => bet.box ?? bet.seat)).size < bets.length) audit.fail("decisions", "bets", "one bet a box", bets);
}

/** @param {Audit} audit @param {Table} table @param {Entry} entry which bets the purses cover (CH-05, PO-38) */
function covered(audit, table, { bets, uncovered = [] }) {
  const { cover } = table.game;
  if (audit.partial) return;
  const dealer = table.chairs.get(table.dealer);
  /** @type {Map<number, number>} */
  const staked = new Map();
  let all = 0;
  const turns = table.acting(table.seated).map((chair) => chair.seat);
  const offered = [...bets, ...uncovered].sort((a, b) => turns.indexOf(a.seat) - turns.indexOf(b.seat));
  for (const bet of offered) {
    const { seat, amount } = bet;
    const own = (staked.get(seat) ?? 0) + amount;
    const holds = (table.chairs.get(seat)?.chips ?? 0) >= cover * own && (!table.dealer || (dealer?.chips ?? 0) >= cover * (all + amount));
    if (holds !== bets.includes(bet)) audit.fail("decisions", holds ? "uncovered" : "bets", holds ? "a bet that counts" : "no bet without cover", bet);
    if (bets.includes(bet)) {
      staked.set(seat, own);
      all += amount;
    }
  }
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry in the lounge everybody who joined is dealt to */
function gifts(audit, table, shoe, entry) {
  const joined = table.seated.filter((chair) => table.canBet(chair) && shoe.hasPart(chair));
  const dealt = audit.partial ? joined.filter(({ seat }) => entry.bets.some((/** @type {Bet} */ bet) => bet.seat === seat)) : joined;
  audit.same("decisions", "bets", dealt.map(({ seat }) => ({ amount: table.options.gift, seat })), entry.bets);
  audit.mustNotDelay(Math.max(shoe.stepAt, table.ended), 0);
  for (const name of ["waived", "passed", "late", "uncovered"]) audit.same("decisions", name, undefined, entry[name]);
}
