// A shoe from the hashes of its seeds to its seal, and when its next step is due.

import { sha256Hex } from "../hashes.ts";
import { DAY, HOUR, MONTH, seconds } from "../forms.ts";
import { beaconDue, notOut, sealBeacon } from "./beacons.ts";
import { inDeck, nextToOpen } from "./commitments.ts";
import { Asking } from "./placed.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Shoe, Table } from "../state.ts";
import type { Bet } from "../games/round.ts";

// When the next step of a shoe is due, whatever it is (log.md, "Time"): when nobody is waited for any more. A start puts
// off what a limit decides, and excuses no delay.

export function dueOf(
  shoe: Shoe,
  {
    over = false,
    decisions,
  }: {
    /** whether it is over, and waits for its reveal */
    over?: boolean;
    /** how many the open round has, where that is known */
    decisions?: number;
  } = {},
): number {
  const { table, policy, betting } = shoe;
  const many = table?.game.many;
  if (shoe.sealEntry) {
    if (betting && decisions !== undefined)
      return Math.max(betting.at, shoe.sealedAt) + seconds(decisions * policy.decision);
    if (over || (table && shoe.stage === "draw")) return shoe.stepAt;
    const age = Math.max(shoe.stepAt, shoe.sealedAt + seconds(policy.shoe));
    return many && !betting ? Math.min(age, shoe.bettingSince + seconds(policy.bet) + HOUR) : age; // an hour without a bet ends it
  }
  const beacon = beaconDue(shoe);
  if (beacon !== null) return beacon;
  if (shoe.stage === "hash" && shoe.roster.length)
    return shoe.at + seconds(table ? Math.max(policy.hash, policy.cut) : policy.shoe);
  if (shoe.stage === "bet") return shoe.stepAt + seconds(policy.bet);
  return shoe.stepAt + seconds(shoe.waiting.length ? policy.seed : 0);
}

/**
 * @returns how late its next step may be: what may wait for places, thirty days; where the player places, without end
 */
export function longestOf({ placer, playerPlaces, stage, seeds, waiting }: Shoe): number {
  const opened = stage === "seed" && (playerPlaces || seeds.size) && !waiting.length;
  const waits = stage === "round" || stage === "draw" || opened;
  return !placer || !waits ? DAY : playerPlaces ? Infinity : MONTH;
}

// From the hashes to the seal.

const MOST_DEBTS = 128; // log.md, "Bounds"

export function seedsStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { table } = shoe;
  audit.inTime(shoe);
  notOut(audit, shoe);
  const awaited =
    shoe.cutter !== undefined && Object.hasOwn(entry.hashes, shoe.cutter) && !table?.chairOf(shoe.cutter)?.absent;
  for (const [player, hash] of Object.entries<string>(entry.hashes)) {
    const invited =
      shoe.roster.includes(player) && !shoe.struck.has(player) && (!table || audit.partial || table.chairOf(player));
    if (!invited) audit.fail("contributions", `hashes.${player}`, "somebody of the roster who sits", player);
    audit.claim("seed", `hashes.${player}`, hash);
    shoe.hashes.set(player, hash);
    table?.chairOf(player)?.acts(audit.at);
  }
  cutBy(audit, shoe, entry.cut, shoe.hashes);
  shoe.stepAt = audit.at;
  shoe.follow("seeds");
  silent(audit, shoe, entry);
  if (awaited && !shoe.cut) audit.mustHaveWaited(shoe.at, seconds(shoe.policy.cut), "cut");
}

/** @param entry seeds: who sent no hash, and for whom of them the limit passed */
function silent(audit: Audit, { table, roster, hashes, struck, policy, at }: Shoe, { unheard = [] }: Entry) {
  const others = roster.filter(
    (player) => !hashes.has(player) && !struck.has(player) && (!table || table.chairOf(player)),
  );
  const waitedFor = others.filter((player) =>
    audit.partial && table ? unheard.includes(player) : !table?.chairOf(player)?.absent,
  );
  audit.same("contributions", "unheard", waitedFor, unheard);
  if (waitedFor.length) audit.mustHaveWaited(at, seconds(policy.hash), "unheard");
  for (const player of others) {
    const chair = table?.chairOf(player);
    if (chair) chair.missed += 1;
  }
}

/** @param cut that came with a hash, or with a sole player's seed */
function cutBy(
  audit: Audit,
  shoe: Shoe,
  cut: { at: number; by: string } | undefined,
  contributors: { has: (player: string) => boolean },
) {
  if (!cut) return;
  const { table, size } = shoe;
  const anybody = !table || table.game.cuts === "anybody";
  const least = anybody ? 0 : 1;
  const chair = table?.chairOf(cut.by);
  const may = shoe.draws.cut !== undefined && !shoe.first && shoe.roster.includes(cut.by) && contributors.has(cut.by);
  const named = shoe.cutter ? shoe.cutter === cut.by : anybody;
  if (!may || !named || (chair && table?.game.cuts === "anybody" && table.banks(chair)))
    audit.fail("contributions", "cut.by", shoe.cutter ?? null, cut.by);
  if (cut.at < least || cut.at >= size) audit.fail("contributions", "cut.at", [least, size - 1], cut.at);
  shoe.cut = cut;
}

export function openedStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { player, seed, cut } = entry;
  inTurn(audit, shoe, player);
  audit.inTime(shoe);
  notOut(audit, shoe);
  if (shoe.sole) {
    audit.claim("seed", "seed", sha256Hex(seed));
    cutBy(audit, shoe, cut, new Set([player]));
  } else if (cut) audit.fail("contributions", "cut", null, cut);
  if (shoe.hashes.has(player)) audit.same("contributions", "seed", shoe.hashes.get(player), sha256Hex(seed));
  shoe.seeds.set(player, seed);
  shoe.stepAt = audit.at;
  shoe.table?.lapses.delete(player);
  shoe.table?.chairOf(player)?.acts(audit.at);
}

function inTurn(audit: Audit, shoe: Shoe, player: string) {
  if (!shoe.waiting.includes(player)) audit.fail("contributions", "player", shoe.waiting, player);
  else if (!audit.partial || !shoe.table) audit.same("contributions", "player", nextToOpen(shoe), player);
}

export function lapseStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { player } = entry;
  const { table } = shoe;
  if (shoe.seeds.size || shoe.waiting.length < 2)
    audit.fail("contributions", "kind", "nobody's seed open, and somebody else who remains", "lapse");
  inTurn(audit, shoe, player);
  audit.mustHaveWaited(shoe.stepAt, seconds(shoe.policy.seed), "player");
  audit.inTime(shoe);
  notOut(audit, shoe);
  shoe.struck.add(player);
  shoe.stepAt = audit.at;
  if (!table) return;
  const chair = table.chairOf(player);
  if (chair) chair.missed += 1;
  const run = table.lapses.get(player) ?? { runs: 0, shoes: new Map() };
  run.runs += 1;
  run.shoes.set(shoe.id, shoe.hashes.get(player) ?? "");
  table.lapses.set(player, run);
  if (run.runs < 2) return;
  owe(table, player, shoe.id, shoe.hashes.get(player) ?? "");
}

/** @param hash a seed that has to be handed in */
export function owe(table: Table, player: string, shoe: string, hash: string) {
  const debt = table.debts.get(player) ?? { shoes: new Map(), last: "" };
  debt.shoes.set(shoe, hash);
  debt.last = shoe;
  table.debts.set(player, debt);
  if (table.debts.size > MOST_DEBTS) for (const oldest of table.debts.keys()) return void table.debts.delete(oldest);
}

export function lateStep(audit: Audit, entry: Entry) {
  const { shoe, player, seed } = entry;
  const table = audit.tables.get(shoe.slice(0, shoe.lastIndexOf("/")));
  const debt = table?.debts.get(player);
  const hash = debt?.shoes.get(shoe);
  if (!table || !debt || !hash) return audit.fail("contributions", "shoe", "a seed that is owed", shoe);
  audit.same("contributions", "seed", hash, sha256Hex(seed));
  debt.shoes.delete(shoe);
  table.lapses.delete(player);
  const chair = table.chairOf(player);
  if (!chair) return;
  const { missed } = chair;
  chair.acts(audit.at);
  // cards lie on the table: decisions that are logged with the round may have been the table's at once before this
  if (table.shoe?.betting && table.shoe.sealEntry) chair.missed = missed;
  chair.since = audit.index; // the newest from now on
}

export function sealStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { table, stage, playerPlaces, seeds, waiting } = shoe;
  const contributed =
    stage === "hash"
      ? !shoe.roster.length
      : !waiting.length && (seeds.size || playerPlaces || (!table && !shoe.beaconRound));
  if (!contributed) return audit.fail("order", "kind", "a shoe whose seeds are open", "seal");
  if (table && !table.game.many && !standingBets(shoe).length)
    audit.fail("order", "kind", "a bet that remains", "seal");
  audit.inTime(shoe);
  sealBeacon(audit, shoe, entry);
  const burns = table?.game.burns === true && !shoe.first;
  audit.present("shuffle", "burn", burns, entry.burn);
  [shoe.burn, shoe.root] = [entry.burn, entry.cards_root];
  if (shoe.burn !== undefined) inDeck(audit, shoe, "burn", [shoe.burn]);
  if (shoe.placer || shoe.told) audit.present("shuffle", "cards_root", true, shoe.root);
  if (burns && shoe.placer) {
    const asking = new Asking(audit, shoe, shoe.placer, entry, false);
    asking.card(0);
    asking.judge(true);
  } else audit.present("cards", "placed", false, entry.placed);
  shoe.pos = burns ? 1 : 0;
  [shoe.sealEntry, shoe.sealedAt, shoe.stepAt, shoe.bettingSince] = [audit.index, audit.at, audit.at, audit.at];
  shoe.follow("seal");
  if (!table) return;
  table.asked.clear();
  table.turn = shoe.turn;
  settled(table, shoe.id);
}

/** @param shoe a seal, or a void before the opening: who waited is back in the roster */
export function settled(table: Table, shoe: string) {
  table.seedVoid = false;
  for (const chair of table.chairs.values()) chair.fresh = false;
  for (const [player, debt] of table.debts) if (!debt.shoes.size && debt.last !== shoe) table.debts.delete(player);
}

/** @returns the bets that stand: where a shoe serves one round, those of owners whose seed is open, or may be yet */
export function standingBets({ table, betting, struck }: Shoe): Bet[] {
  const stands = (seat: number) => {
    const player = table?.chairs.get(seat)?.player;
    return table?.game.many || (player !== undefined && !struck.has(player));
  };
  return betting?.bets.filter(({ seat }) => stands(seat)) ?? [];
}
