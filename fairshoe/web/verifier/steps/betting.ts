// Bets: who is named in an open, and which bets count.

import { MOST_BETS, MOST_CHIPS, must, seconds } from "../forms.ts";
import { bankDue } from "./bank.ts";
import { notOut } from "./beacons.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Chair, Shoe, Table } from "../state.ts";
import type { Bet } from "../games/round.ts";

export function openStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { table } = shoe;
  if (!table) return;
  const { many } = table.game;
  if (!audit.partial) {
    audit.same("completeness", "round", table.rounds + 1, entry.round);
    if (many) mayGoOn(audit, table, shoe);
  }
  if (!many && (shoe.bankMoved || (table.game.bank && !table.dealer)))
    audit.fail("policy", "kind", "a new shoe: the bank left", "open");
  if (many && audit.isOld(shoe)) audit.fail("policy", "kind", "a reveal: age", "open");
  table.rounds = entry.round;
  audit.inTime(shoe);
  notOut(audit, shoe);
  bounded(audit, table, entry.bets);
  if (table.game.pool) gifts(audit, table, shoe, entry);
  else {
    named(audit, table, shoe, entry);
    legal(audit, table, entry);
    covered(audit, table, entry);
  }
  shoe.betting = { entry: audit.index, at: audit.at, round: entry.round, bets: entry.bets, reshuffles: [] };
  shoe.stepAt = audit.at;
  shoe.follow("open");
}

/** @param bets how many there may be, and for accounts of how many chips (GE-14) */
function bounded(audit: Audit, table: Table, bets: Bet[]) {
  if (!bets.length || bets.length > MOST_BETS) audit.fail("decisions", "bets", `1 to ${MOST_BETS}`, bets.length);
  const accounts = audit.partial ? {} : table.accounts();
  for (const name of new Set([table.bank, ...bets.map(({ seat }) => String(seat))])) {
    if (Math.abs(accounts[name] ?? 0) > MOST_CHIPS)
      audit.fail("decisions", "bets", `an account of at most ${MOST_CHIPS} chips`, accounts[name]);
  }
}

/** @param shoe whether there may be another round */
function mayGoOn(audit: Audit, table: Table, shoe: Shoe) {
  const dealt = shoe.dealt.at(-1);
  const no = (why: string, entry = audit.index) => audit.fail("policy", "kind", `a reveal: ${why}`, "open", { entry });
  if (dealt?.reshuffles.length || shoe.pos >= shoe.deckSize) no("worn", dealt?.entry);
  else if (bankDue(table) !== undefined || shoe.bankMoved) no("bank");
}

/** @param entry who bets, passed, was late, has too little */
function named(audit: Audit, table: Table, shoe: Shoe, entry: Entry) {
  const { bets, waived = [], passed = [], late = [], unfunded = [], uncovered = [] } = entry;
  const said = [...bets, ...uncovered].map((bet: Bet) => bet.seat);
  const part = (chair: Chair | undefined) => chair !== undefined && shoe.hasPart(chair);
  const parts = table.seated.filter((chair) => (part(chair) || shoe.waived.has(chair)) && !table.banks(chair));
  const since = audit.partial && table.game.many; // who takes a chair since the commitment may waive: the file must say who did
  const needsChips = (seat: number, needs: unknown) =>
    must(!since || !needs, "entries", `the chips by which seat ${seat} was taken`);
  for (const seat of new Set([...said, ...passed, ...late, ...unfunded])) {
    const chair = table.chairs.get(seat);
    needsChips(seat, !chair && (!said.includes(seat) || waived.includes(seat)));
    const lists = [said, passed, late, unfunded].filter((list) => list.includes(seat)).length;
    if (!chair) audit.fail("contributions", "bets", "chairs that are taken", seat);
    else if (table.banks(chair)) audit.fail("decisions", "bets", "no bet of who banks", seat);
    else if (lists > 1) audit.fail("decisions", "passed", "each seat in one list", seat);
    else if (!said.includes(seat) && !part(chair) && !shoe.waived.has(chair)) {
      needsChips(seat, shoe.chairs.get(seat) === chair);
      if (!since) audit.fail("contributions", "passed", "a part in the shoe", seat); // else it may have waived in an earlier round
    }
  }
  const without = new Set(said.filter((seat) => !part(table.chairs.get(seat))));
  for (const seat of without) {
    const chair = table.chairs.get(seat);
    const may =
      table.game.many &&
      !shoe.playerPlaces &&
      chair &&
      shoe.chairs.get(seat) !== chair &&
      !table.debts.has(chair.player);
    needsChips(seat, !may && waived.includes(seat));
    if (!may || !waived.includes(seat)) audit.fail("contributions", "bets", "a seed in the shoe, or a waiver", seat);
  }
  for (const seat of waived) {
    const chair = table.chairs.get(seat);
    needsChips(seat, !without.has(seat) && said.includes(seat));
    if (!without.has(seat)) audit.fail("contributions", "waived", "bets without a seed", seat);
    if (chair) shoe.waived.add(chair);
  }
  const poor = audit.partial
    ? [...new Set<number>(unfunded)].sort((a, b) => a - b)
    : parts.filter((chair) => !table.couldBet(chair)).map(({ seat }) => seat);
  audit.same("decisions", "unfunded", poor, unfunded);
  if (!audit.partial) {
    const missing = parts.find(({ seat }) => ![...said, ...passed, ...late, ...unfunded].includes(seat));
    if (missing) audit.fail("decisions", "late", "every seat that could bet", missing.seat);
  }
  betsWaited(audit, table, shoe, entry);
}

function betsWaited(audit: Audit, table: Table, shoe: Shoe, entry: Entry) {
  const since = table.game.many ? shoe.bettingSince : shoe.stepAt;
  const lacksRounds = audit.partial && table.game.many;
  for (const seat of entry.late ?? []) {
    const chair = table.chairs.get(seat);
    const awaited = !table.game.boxes && !chair?.absent && !lacksRounds; // else earlier rounds may have shown that it is absent
    if (awaited) audit.mustHaveWaited(since, seconds(table.policy.bet), "late");
    const passed = audit.at >= Math.max(since, audit.lastStart) + seconds(table.policy.bet);
    if (chair && (passed || (table.lapseLimit && chair.absent))) chair.missed += 1;
  }
  const acted = [...entry.bets, ...(entry.uncovered ?? [])].map((bet: Bet) => bet.seat);
  for (const seat of [...acted, ...(entry.passed ?? [])]) {
    table.chairs.get(seat)?.acts(audit.at);
  }
}

/** @param entry order and amounts */
function legal(audit: Audit, table: Table, { bets, uncovered = [] }: Entry) {
  const { game, options } = table;
  const { boxes } = game;
  const placeOf = ({ seat, box }: Bet) => (boxes ? (box ?? seat) : seat);
  for (const [name, list] of [
    ["bets", bets],
    ["uncovered", uncovered],
  ] as [string, Bet[]][]) {
    const order = boxes
      ? list.map(placeOf).sort((a, b) => a - b)
      : table
          .acting(table.seated)
          .map((chair) => chair.seat)
          .filter((seat) => list.some((bet) => bet.seat === seat));
    audit.same("decisions", name, order, list.map(placeOf));
    for (const [i, { seat, amount, box }] of list.entries()) {
      if (amount < options.minimum || amount > options.maximum || (game.even && amount % 2))
        audit.fail("decisions", `${name}[${i}].amount`, [options.minimum, options.maximum], amount);
      if (box !== undefined && (!boxes || box === seat || box > boxes))
        audit.fail("decisions", `${name}[${i}].box`, null, box);
    }
  }
  if (boxes && new Set(bets.map(placeOf)).size < bets.length) audit.fail("decisions", "bets", "one bet a box", bets);
}

/** @param entry which bets the purses cover (CH-05, PO-38) */
function covered(audit: Audit, table: Table, { bets, uncovered = [] }: Entry) {
  const { cover } = table.game;
  if (audit.partial) return;
  const dealer = table.chairs.get(table.dealer);
  const staked: Map<number, number> = new Map();
  let all = 0;
  const turns = table.acting(table.seated).map((chair) => chair.seat);
  const offered = [...bets, ...uncovered].sort((a, b) => turns.indexOf(a.seat) - turns.indexOf(b.seat));
  for (const bet of offered) {
    const { seat, amount } = bet;
    const own = (staked.get(seat) ?? 0) + amount;
    const holds =
      (table.chairs.get(seat)?.chips ?? 0) >= cover * own &&
      (!table.dealer || (dealer?.chips ?? 0) >= cover * (all + amount));
    if (holds !== bets.includes(bet))
      audit.fail("decisions", holds ? "uncovered" : "bets", holds ? "a bet that counts" : "no bet without cover", bet);
    if (bets.includes(bet)) {
      staked.set(seat, own);
      all += amount;
    }
  }
}

/** @param entry in the lounge everybody who joined is dealt to */
function gifts(audit: Audit, table: Table, shoe: Shoe, entry: Entry) {
  const joined = table.seated.filter((chair) => table.couldBet(chair) && shoe.hasPart(chair));
  const dealt = audit.partial ? joined.filter(({ seat }) => entry.bets.some((bet: Bet) => bet.seat === seat)) : joined;
  audit.same(
    "decisions",
    "bets",
    dealt.map(({ seat }) => ({ amount: table.options.gift, seat })),
    entry.bets,
  );
  for (const name of ["waived", "passed", "late", "unfunded", "uncovered"])
    audit.same("decisions", name, undefined, entry[name]);
}
