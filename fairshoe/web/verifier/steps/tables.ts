// Tables, the chips and chairs of their players, and starts of the service.

import { MOST_CHIPS, must } from "../forms.ts";
import { GAMES, rangeOf, wrongOption } from "../games.ts";
import { BUY_IN, TO_POOL } from "../games/lounge.ts";
import { isPlayer, placerName } from "../placing.ts";
import { ABSENT, Chair, payerKey, Table } from "../state.ts";
import { policyFits } from "./commitments.ts";
import { standingBets } from "./shoes.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Payer } from "../state.ts";

const GAMES_KEPT = 16; // of which buy-ins are refunded
const MOST_PAYERS = 1024;

export function tableStep(audit: Audit, entry: Entry) {
  const { table, rules, options, placer } = entry;
  if (audit.tables.has(table)) return audit.fail("order", "table", "a table of a new name", table);
  const wrong = wrongOption(GAMES[rules], options);
  policyFits(audit, entry);
  if (wrong) audit.fail("policy", `options.${wrong}`, rangeOf(GAMES[rules], options, wrong), options[wrong]);
  if (isPlayer(placer) && (GAMES[rules].bank || options.fewest > 1))
    audit.fail("policy", "placer", "a placer of a table that one player cannot play at", placer);
  if (!wrong) audit.tables.set(table, new Table(entry, audit.at));
  else audit.unknown.add(table);
}

export function closeStep(audit: Audit, _: Entry, table: Table) {
  if (table.closed) audit.fail("order", "kind", "a table that is open", "close");
  table.closed = audit.at;
  const { shoe } = table;
  if (shoe) shoe.closed = !shoe.opening && !table.running;
}

/** The operator changed the token of a seat. */
export function tokenStep(audit: Audit, { seat, player }: Entry, table: Table) {
  audit.same("chips", "player", table.chairs.get(seat)?.player, player);
}

/** what stands in each kind of move; now and then, where a ? stands behind it */
const MOVE_FIELDS: Record<string, string[]> = {
  "buy-in": ["name?", "placer?"],
  "cash-out": ["leaves?", "by?", "lapsed?"],
  "transfer": ["to"],
  "refund": ["game", "why"],
  "share": [],
};

export function chipsStep(audit: Audit, entry: Entry, table: Table) {
  const { abandoned } = table;
  chips(audit, table, entry);
  if (table.abandoned && !abandoned) table.abandonedAt = audit.at;
}

function chips(audit: Audit, table: Table, entry: Entry) {
  const { op, seat, player } = entry;
  for (const name of ["to", "leaves", "name", "game", "by", "lapsed", "placer", "why"]) {
    if (!MOVE_FIELDS[op].includes(`${name}?`))
      audit.present("syntax", name, MOVE_FIELDS[op].includes(name), entry[name]);
  }
  if (entry.by && !entry.leaves) audit.fail("chips", "by", null, entry.by);
  if (audit.partial) return seated(audit, table, entry);
  if (op === "refund" || op === "share") return payBack(audit, table, entry);
  const chair = op === "buy-in" ? sitDown(audit, table, entry) : table.chairs.get(seat);
  if (!chair) return audit.fail("chips", "seat", "a chair that is taken", seat);
  if (chair.player !== player) return audit.fail("chips", "player", chair.player, player);
  if (entry.lapsed && !(entry.by && table.lapseLimit && chair.missed >= table.lapseLimit))
    audit.fail("chips", "lapsed", `${table.lapseLimit} lapsed limits in a row`, chair.missed);
  mayMove(audit, table, chair, entry);
  move(audit, table, chair, entry);
  if (entry.by !== "house") chair.acts(audit.at);
}

/** @param entry of a proof of one hand: who sat down or left since the commitment, and nothing of balances */
function seated(audit: Audit, table: Table, { op, seat, player, chips }: Entry) {
  const chair = table.chairs.get(seat);
  if (op !== "buy-in")
    must(chair !== undefined && [player, ""].includes(chair.player), "entries", "no chips that the hand does not need");
  if (chair) leave(table, chair, false); // a chair that is taken anew was left before
  if (op === "buy-in") table.chairs.set(seat, new Chair(seat, player, audit.index, ABSENT));
  table.adopt(chips);
}

function sitDown(audit: Audit, table: Table, { seat, player, placer }: Entry): Chair | undefined {
  const [least, most] = table.seats;
  if (seat < least || seat > most) return void audit.fail("chips", "seat", [least, most], seat);
  const there = table.chairs.get(seat);
  const name = table.playerPlaces && !there ? player : undefined;
  audit.same("commitment", "placer", name, placer && placerName(placer));
  if (there) return there;
  if (table.closed) audit.fail("policy", "kind", "no buy-in after the table was closed", "buy-in");
  const elsewhere = table.chairOf(player);
  if (elsewhere) audit.fail("chips", "seat", elsewhere.seat, seat);
  if (table.running && table.joined.has(seat))
    audit.fail("chips", "seat", "a chair that nobody left in this game", seat);
  const chair = new Chair(seat, player, audit.index);
  chair.since = table.evicted.get(player) ?? audit.index; // who was put out keeps the place
  table.evicted.delete(player);
  chair.placer = placer ?? "";
  chair.fresh = table.seedVoid && !table.game.pool;
  table.chairs.set(seat, chair);
  return chair;
}

function move(audit: Audit, table: Table, chair: Chair, entry: Entry) {
  const { op, seat, amount, to, leaves } = entry;
  const before = table.accounts();
  if (amount < 1 && !leaves) audit.fail("chips", "amount", "1 or more", amount);
  if (op === "buy-in") {
    if (table.game.pool) join(audit, table, chair, amount);
    else chair.chips += amount;
  } else {
    if (leaves ? amount !== chair.chips : amount > chair.chips) audit.fail("chips", "amount", chair.chips, amount);
    chair.chips -= amount;
    if (op === "transfer") {
      const other = table.chairs.get(to);
      if (!other || other === chair) audit.fail("chips", "to", "another chair that is taken", to);
      else other.chips += amount;
    }
  }
  sameAccounts(audit, table, entry, before, [String(seat)]);
  if (leaves) leave(table, chair, entry.by === "house");
}

/** @param always accounts that stand there though they did not change */
export function sameAccounts(
  audit: Audit,
  table: Table,
  entry: Entry,
  before: Record<string, number>,
  always: string[],
) {
  const changed: Record<string, number> = {};
  for (const [name, chips] of Object.entries(table.accounts()))
    if (before[name] !== chips || always.includes(name)) changed[name] = chips;
  for (const name of always) changed[name] ??= 0;
  for (const [name, chips] of Object.entries(changed)) {
    const most = Math.max(MOST_CHIPS, Math.abs(before[name] ?? 0)); // GE-14
    if (Math.abs(chips) > most) audit.fail("chips", `chips.${name}`, most, chips);
  }
  if (!audit.same("chips", "chips", changed, entry.chips)) table.adopt(entry.chips);
}

/** @param amount a buy-in of the lounge */
function join(audit: Audit, table: Table, chair: Chair, amount: number) {
  if (amount !== BUY_IN) audit.fail("chips", "amount", BUY_IN, amount);
  const { memory } = table;
  const over = table.pool <= 0; // used up or shared out, or nobody has paid yet
  if (table.closed) audit.fail("chips", "op", "no buy-in at a closed table", "buy-in");
  if (over) {
    table.memory = { game: memory.game + 1 };
    table.joined.clear();
    for (const [key, { game }] of table.payers) if (game <= table.memory.game - GAMES_KEPT) table.payers.delete(key);
  } else if (memory.started || table.joined.has(chair.seat) || table.abandoned)
    audit.fail("chips", "op", "one buy-in a game, before its first deal", "buy-in");
  if (table.shoe && !table.shoe.sealEntry)
    audit.fail("chips", "op", "no buy-in while a shoe of the game is being made", "buy-in");
  table.joined.set(chair.seat, chair);
  const payer = {
    game: table.memory.game,
    seat: chair.seat,
    player: chair.player,
    won: 0,
    refunded: false,
    shared: false,
  };
  if (table.payers.size < MOST_PAYERS) table.payers.set(payerKey(payer), payer);
  table.pool += TO_POOL;
  table.house += BUY_IN - TO_POOL;
}

/** @param entry a refund (LO-07) or a share (LO-04) */
function payBack(audit: Audit, table: Table, entry: Entry) {
  const { op, seat, player, amount } = entry;
  const share = op === "share";
  if (!table.game.pool) return audit.fail("chips", "op", "a move of this game", op);
  const payer = table.payer(share ? table.memory.game : entry.game, seat, player);
  const sharing = payer?.shared && payer.game === table.memory.game && table.abandoned;
  if (!payer || (share ? payer.shared : payer.refunded || sharing))
    return audit.fail("chips", "player", "somebody who paid and was not paid back", player);
  const before = table.accounts();
  const chair = table.chairs.get(seat)?.player === player ? table.chairs.get(seat) : undefined;
  const due = share ? shareOf(audit, table, payer) : refundOf(audit, table, payer, entry.why);
  if (amount !== due) audit.fail("chips", "amount", due, amount);
  if (chair) chair.chips += due;
  if (share)
    payer.shared = true; // what a wrong round owes back is owed beside it (LO-07)
  else payer.refunded = true;
  // who is refunded in a game that has begun plays on, and has a part in its pool (LO-07)
  if (payer.refunded && (payer.game !== table.memory.game || !table.running)) table.payers.delete(payerKey(payer));
  sameAccounts(audit, table, entry, before, [String(seat)]);
}

/** @returns what is taken out of the pool for it */
function shareOf(audit: Audit, table: Table, payer: Payer): number {
  const { sharers } = table;
  const [first] = sharers;
  if (first !== payer) audit.fail("chips", "seat", first.seat, payer.seat);
  if (!table.abandoned || table.shoe?.betting) audit.fail("chips", "op", "a game that everybody has left", "share");
  if (!table.gameLapsed(audit.at)) audit.mustNotDelay(table.abandonedAt);
  const due = Math.floor(table.pool / sharers.length) + (first === payer ? table.pool % sharers.length : 0);
  table.pool -= due;
  table.joined.delete(payer.seat);
  table.abandonedAt = audit.at;
  return due;
}

/** @returns what the house gives back to it, before the first deal out of the pool too */
function refundOf(audit: Audit, table: Table, payer: Payer, why: string): number {
  const running = payer.game === table.memory.game;
  if (table.shoe?.begun) audit.fail("chips", "op", "no refund from the seeds of a shoe to its end", "refund");
  const unbegun = running && table.closed > 0 && table.pool > 0 && !table.memory.started;
  const unfinished = table.lost || unbegun || table.gameLapsed(audit.at); // LO-04
  if (why === "unfinished" && !unfinished) audit.fail("chips", "why", "a game that is not played out", why);
  const due = BUY_IN - (why === "unfinished" ? payer.won : 0);
  if (!running || table.memory.started || payer.shared) table.house -= due;
  else {
    table.pool -= TO_POOL;
    table.house -= BUY_IN - TO_POOL;
    table.joined.delete(payer.seat);
  }
  return due;
}

function leave(table: Table, chair: Chair, evicted: boolean) {
  table.chairs.delete(chair.seat);
  table.evicted.delete(chair.player);
  if (evicted) table.evicted.set(chair.player, chair.since);
  const { shoe } = table;
  if (shoe && !shoe.opening && shoe.roster.includes(chair.player)) shoe.struck.add(chair.player);
  const entitled = table.memory.entitled === chair.seat; // PO-37: who leaves gives up every claim
  if (entitled) delete table.memory.entitled;
  if (!table.banks(chair) && !entitled) return;
  table.bank = "house";
  if (table.game.bank === "rotates") table.memory = { after: chair.seat };
}

/** @param entry when chips move (log.md) */
function mayMove(audit: Audit, table: Table, chair: Chair, entry: Entry) {
  const { op, amount, leaves, by } = entry;
  const no = (expected: string) => audit.fail("chips", leaves ? "leaves" : "op", expected, op);
  const out = op !== "buy-in";
  const other = table.chairs.get(entry.to);
  const { shoe } = table;
  if (out && chair.chips < 0) no("nothing from a chair below zero");
  if (shoe?.betting) {
    const bets = standingBets(shoe).some(({ seat }) => seat === chair.seat);
    if (op !== "cash-out" || bets || table.banks(chair))
      no("no chips move between an open and its round, but of chairs without a bet");
  }
  if (shoe?.first && shoe.opening) no("no chips move from the seeds to the end of a first banker's shoe");
  if (shoe?.stage === "seed" && leaves && shoe.waiting.includes(chair.player))
    no("a contributor leaves when the own seed is open");
  if (shoe?.opening) {
    if (table.banks(chair) || (other && table.banks(other))) no("a chair that banks neither leaves nor moves chips");
  } else if (
    shoe &&
    out &&
    !leaves &&
    table.banks(chair) &&
    table.covers(chair) &&
    chair.chips - amount < table.lowest * table.game.cover
  ) {
    no("a banking chair keeps what covers the lowest bet");
  }
  if (!leaves) return;
  if (table.debts.get(chair.player)?.shoes.size && !table.closed) no("a chair whose player owes a seed is not left");
  if (!by) return;
  if (shoe?.begun) no("nobody is put out between seeds and the end of the shoe");
  if (table.playsFor(chair)) no("nobody is put out of a game that has been paid for");
  if (!table.closed && table.banks(chair)) no("nobody is put out who banks");
}

// The service started: limits begin anew, at the tables that are named or at all; or a log comes in another's place.

export function startStep(audit: Audit, entry: Entry) {
  for (const id of entry.tables ?? []) audit.table(id)?.starts.push(audit.at);
  if (!entry.tables) audit.starts.push(audit.at);
  else if (entry.continues !== undefined) audit.fail("syntax", "tables", undefined, entry.tables);
  for (const name of ["lost", "copy", "unknown"]) {
    if (entry[name] !== undefined && entry.continues === undefined) audit.fail("syntax", name, undefined, entry[name]);
  }
  for (const name of ["copy", "unknown"]) audit.same("completeness", name, undefined, entry[name]);
  if (entry.continues === undefined) return;
  if (audit.index === 0) audit.continues = entry.continues;
  else if (audit.continues !== entry.continues) audit.fail("order", "continues", audit.continues, entry.continues);
  audit.fail("completeness", "continues", "a log of its own", "one that comes in the place of another");
  for (const { shoe, key } of entry.lost ?? []) {
    if (audit.shoeIds.has(shoe)) audit.fail("completeness", "lost", "each shoe once", shoe);
    audit.shoeIds.add(shoe);
    audit.fail("completeness", "lost", null, { shoe, key });
  }
}
