// Tables, and the chips and chairs of their players.

import { encodeCanonical } from "../canonical.mjs";
import { toHex } from "../bytes.mjs";
import { GAMES, wrongOption } from "../games.mjs";
import { sha256 } from "../sha256.mjs";
import { Chair, MAYBE_ABSENT, Table } from "../state.mjs";
import { MONTH } from "../times.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry */

const BUY_IN = 10000; // LO-02, LO-03
const TO_POOL = 9000;
const MOST_PAYERS = 1024;

/** @param {Audit} audit @param {Entry} entry */
export function tableStep(audit, entry) {
  const { table, rules, options } = entry;
  if (audit.tables.has(table)) return audit.fail("order", "table", "a table of a new name", table);
  const wrong = wrongOption(GAMES[rules], options);
  if (wrong) audit.fail("policy", `options.${wrong}`, GAMES[rules].options[wrong], options[wrong]);
  audit.same("policy", "digest", toHex(sha256(encodeCanonical({ options, rules }))), entry.digest);
  if (!wrong) audit.tables.set(table, new Table(entry));
  else audit.unknown.add(table);
}

/** @param {Audit} audit @param {Entry} entry */
export function closeStep(audit, entry) {
  const table = audit.table(entry.table);
  if (table?.closed) audit.fail("order", "kind", "a table that is open", "close");
  if (!table) return;
  table.closed = audit.at;
  for (const shoe of table.inPlay) shoe.closed = !shoe.sealed && !shoe.opening && !(table.lounge && table.memory.started && table.pool > 0);
}

/** @type {Record<string, [string[], string[]]>} what stands in each kind of move: always, or now and then */
const MOVE_FIELDS = { "buy-in": [[], ["name"]], "cash-out": [[], ["leaves", "by"]], transfer: [["to"], []], refund: [["game", "why"], []], share: [[], []] };

/** @param {Audit} audit @param {Entry} entry */
export function chipsStep(audit, entry) {
  const table = audit.table(entry.table);
  if (!table) return;
  const { op, seat, player } = entry;
  for (const name of ["to", "leaves", "name", "game", "by", "why"]) {
    const [needed, allowed] = MOVE_FIELDS[op].map((names) => names.includes(name));
    if (entry[name] !== undefined ? !needed && !allowed : needed) audit.fail("syntax", name, needed ? "a value" : null, entry[name]);
  }
  if (entry.by && !entry.leaves) audit.fail("chips", "by", null, entry.by);
  if (audit.partial) return seated(table, audit, entry);
  if (op === "refund" || op === "share") return payBack(audit, table, entry);
  const chair = op === "buy-in" ? sitDown(audit, table, entry) : table.chairs.get(seat);
  if (!chair) return audit.fail("chips", "seat", "a chair that is taken", seat);
  if (chair.player !== player) return audit.fail("chips", "player", chair.player, player);
  mayMove(audit, table, chair, entry);
  move(audit, table, chair, entry);
  if (entry.by !== "house") chair.acts(audit.at);
}

/** @param {Table} table @param {Audit} audit @param {Entry} entry of a proof of one hand: who sat down or left, and nothing of balances */
function seated(table, audit, { op, seat, player, chips }) {
  const chair = table.chairs.get(seat);
  if (op === "buy-in" && !chair) table.chairs.set(seat, new Chair(seat, player, audit.index, MAYBE_ABSENT));
  else if (op === "cash-out" && chair && chair.player === player) leave(audit, table, chair, false);
  else audit.fail("chips", "seat", chair?.player ?? null, player);
  table.adopt(chips);
}

/** @param {Audit} audit @param {Table} table @param {Entry} entry @returns {Chair | undefined} */
function sitDown(audit, table, { seat, player }) {
  const [least, most] = table.game.chairs(table.options);
  if (seat < least || seat > most) return void audit.fail("chips", "seat", [least, most], seat);
  const there = table.chairs.get(seat);
  if (there) return there;
  if (table.closed) audit.fail("policy", "kind", "no buy-in after the table was closed", "buy-in");
  const elsewhere = table.chairOf(player);
  if (elsewhere) audit.fail("chips", "seat", elsewhere.seat, seat);
  if (table.lounge && table.memory.started && table.pool > 0 && table.memory[seat]) audit.fail("chips", "seat", "a chair that nobody left in this game", seat);
  const chair = new Chair(seat, player, audit.index);
  chair.since = table.evicted.get(player) ?? audit.index; // who was put out keeps the place
  table.evicted.delete(player);
  chair.fresh = table.seedVoid && !table.lounge;
  table.chairs.set(seat, chair);
  return chair;
}

/** @param {Audit} audit @param {Table} table @param {Chair} chair @param {Entry} entry */
function move(audit, table, chair, entry) {
  const { op, seat, amount, to, leaves } = entry;
  const before = table.accounts();
  if (amount < 1 && !leaves) audit.fail("chips", "amount", "1 or more", amount);
  if (op === "buy-in") {
    if (table.lounge) join(audit, table, chair, amount);
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
  if (leaves) leave(audit, table, chair, entry.by === "house");
}

/**
 * @param {Audit} audit @param {Table} table @param {Entry} entry
 * @param {Record<string, number>} before
 * @param {string[]} always accounts that stand there though they did not change
 */
export function sameAccounts(audit, table, entry, before, always) {
  /** @type {Record<string, number>} */
  const changed = {};
  for (const [name, chips] of Object.entries(table.accounts())) if (before[name] !== chips || always.includes(name)) changed[name] = chips;
  for (const name of always) changed[name] ??= 0;
  if (!audit.same("chips", "chips", changed, entry.chips)) table.adopt(entry.chips);
}

/** @param {Audit} audit @param {Table} table @param {Chair} chair @param {number} amount a buy-in of the lounge */
function join(audit, table, chair, amount) {
  if (amount !== BUY_IN) audit.fail("chips", "amount", BUY_IN, amount);
  const { memory } = table;
  const over = memory.game === 0 || (memory.started === 1 && table.pool <= 0);
  if (over) {
    if (table.closed) audit.fail("chips", "op", "no new game at a closed table", "buy-in");
    table.memory = { game: memory.game + 1 };
    table.payers.clear();
    table.lost = false;
  } else if (memory.started || memory[chair.seat]) audit.fail("chips", "op", "one buy-in a game, before its first deal", "buy-in");
  if (table.inPlay.length) audit.fail("chips", "op", "no buy-in while a shoe of the game is being made", "buy-in");
  table.memory[chair.seat] = 1;
  if (table.payers.size < MOST_PAYERS) table.payers.set(`${chair.seat}/${chair.player}`, { seat: chair.seat, player: chair.player, game: table.memory.game, won: 0 });
  table.pool += TO_POOL;
  table.house += BUY_IN - TO_POOL;
}

/** @param {Audit} audit @param {Table} table @param {Entry} entry a refund (LO-07) or a share (LO-04) */
function payBack(audit, table, entry) {
  const { op, seat, player, amount } = entry;
  const payer = table.payers.get(`${seat}/${player}`);
  if (!table.lounge) return audit.fail("chips", "op", "a move of this game", op);
  if (!payer) return audit.fail("chips", "player", "somebody who paid and was not paid back", player);
  const before = table.accounts();
  const chair = table.chairs.get(seat)?.player === player ? table.chairs.get(seat) : undefined;
  let due = BUY_IN;
  if (op === "share") {
    const payers = [...table.payers.values()].sort((a, b) => a.seat - b.seat);
    due = Math.floor(table.pool / payers.length);
    if (payers[0] === payer) due += table.pool % payers.length;
    if (payers[0] !== payer) audit.fail("chips", "seat", payers[0].seat, seat);
    if (table.chairs.size) audit.fail("chips", "op", "a table that everybody has left", op);
    table.pool -= due;
    audit.mustNotDelay(table.emptied, 0);
  } else {
    if (entry.game !== table.memory.game) audit.fail("chips", "game", table.memory.game, entry.game);
    if (table.inPlay.some((shoe) => shoe.betting)) audit.fail("chips", "op", "no refund while a round is open", op);
    const unfinished = table.lost || (table.closed > 0 && table.pool > 0 && audit.at >= table.closed + MONTH); // LO-04
    if (entry.why === "unfinished" && !unfinished) audit.fail("chips", "why", "a game that is not played out", entry.why);
    if (entry.why === "unfinished") due -= payer.won;
    if (table.memory.started) table.house -= due;
    else {
      table.pool -= TO_POOL;
      table.house -= BUY_IN - TO_POOL;
      delete table.memory[seat];
    }
  }
  if (amount !== due) audit.fail("chips", "amount", due, amount);
  if (chair) chair.chips += due;
  table.payers.delete(`${seat}/${player}`);
  sameAccounts(audit, table, entry, before, [String(seat)]);
}

/** @param {Audit} audit @param {Table} table @param {Chair} chair @param {boolean} evicted */
function leave(audit, table, chair, evicted) {
  table.chairs.delete(chair.seat);
  table.emptied = audit.at;
  table.evicted.delete(chair.player);
  if (evicted) table.evicted.set(chair.player, chair.since);
  for (const shoe of table.inPlay) {
    const { player } = chair;
    if (!shoe.sealed && !shoe.opening && shoe.hashes.has(player)) shoe.struck.add(player);
    else if (!shoe.sealed && !shoe.hashes.has(player)) shoe.struck.add(player);
  }
  const entitled = table.memory.entitled === chair.seat; // PO-37: who leaves gives up every claim
  if (entitled) delete table.memory.entitled;
  if (!table.banks(chair) && !entitled) return;
  table.bank = "house";
  for (const shoe of table.inPlay) shoe.bankMoved ||= entitled;
  if (table.game.name === "chinese") table.memory = { after: chair.seat };
}

/** @param {Audit} audit @param {Table} table @param {Chair} chair @param {Entry} entry when chips move (log.md) */
function mayMove(audit, table, chair, entry) {
  const { op, amount, leaves, by } = entry;
  const no = (/** @type {string} */ expected) => audit.fail("chips", leaves ? "leaves" : "op", expected, op);
  const out = op !== "buy-in";
  const other = table.chairs.get(entry.to);
  const present = table.inPlay[0];
  if (out && chair.chips < 0) no("nothing from a chair below zero");
  for (const shoe of table.inPlay) {
    const { betting } = shoe;
    if (betting) {
      const bets = betting.bets.some(({ seat }) => seat === chair.seat);
      if (op !== "cash-out" || bets || table.banks(chair)) no("no chips move between an open and its round, but of chairs without a bet");
    }
    if (shoe.first && shoe.hashes.size && !shoe.firstFound) no("no chips move until the first banker is found");
    if (shoe.sealed || !leaves) continue;
    if (shoe.opening && shoe.waiting.includes(chair.player)) no("a contributor leaves when the own seed is open");
    if (by && shoe.hashes.size) no("nobody is put out between seeds and the end of the shoe");
  }
  if (present?.opening || present?.sealed) {
    if (table.banks(chair) || (other && table.banks(other))) no("a chair that banks neither leaves nor moves chips");
  } else if (present && out && !leaves && table.banks(chair) && chair.chips - amount < table.lowest * table.game.cover) {
    no("a banking chair keeps what covers the lowest bet");
  }
  if (!leaves) return;
  if (table.debts.get(chair.player)?.shoes.size && !table.closed) no("a chair whose player owes a seed is not left");
  if (!by) return;
  if (table.inPlay.some((shoe) => shoe.hashes.size || shoe.sealed || shoe.betting)) no("nobody is put out between seeds and the end of the shoe");
  if (!table.closed && (table.banks(chair) || (table.lounge && table.memory.started && table.pool > 0))) no("nobody is put out who banks, or plays a game that has begun");
}
