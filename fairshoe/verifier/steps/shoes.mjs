// A shoe from its commitment to its seal.

import { deckHash, french } from "../deck.mjs";
import { must } from "../limits.mjs";
import { brokenSeries } from "../shuffle.mjs";
import { sha256Hex } from "../sha256.mjs";
import { Chair, MAYBE_ABSENT, Shoe } from "../state.mjs";
import { MONTH, seconds } from "../times.mjs";
import { bankDue } from "./bank.mjs";
import { cutterOf, nextToOpen, rosterOf } from "./roster.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry @typedef {import("../state.mjs").Table} Table */

// What no honest log has, and would only make an audit costly (log.md, "Bounds").
const MOST_LABELS = 65536;
const MOST_IN_PLAY = 8;
const MOST_DEBTS = 128;

/** @param {Audit} audit @param {Entry} entry */
export function deckStep(audit, { deck, part, parts, labels }) {
  const begun = audit.decks.get(deck) ?? { parts: 0, of: parts, labels: /** @type {string[]} */ ([]), hash: "" };
  audit.same("order", "part", begun.parts + 1, part);
  audit.same("order", "parts", begun.of, parts);
  begun.parts = part;
  if (begun.labels.length + labels.length > MOST_LABELS) return audit.fail("commitment", "labels", MOST_LABELS, begun.labels.length + labels.length);
  begun.labels.push(...labels);
  audit.decks.set(deck, begun);
  if (part === parts) audit.same("commitment", "deck", (begun.hash = deckHash(begun.labels)), deck);
}

/** @param {Audit} audit @param {Entry} entry */
export function shoeStep(audit, entry) {
  const { shoe: id, commitment } = entry;
  const [, of, number] = /^(.*)\/([1-9][0-9]*)$/.exec(id) ?? [];
  const table = audit.tables.get(of);
  if (audit.shoeIds.has(id)) return audit.fail("completeness", "shoe", "a shoe of a new id", id);
  audit.shoeIds.add(id);
  if (!table && entry.bank !== undefined) {
    audit.missing("table", of ?? id);
    audit.unknown.add(id);
    return;
  }
  audit.once("commitment", "commitment", commitment);
  const shoe = new Shoe(entry, audit.index, audit.at, table);
  audit.shoes.set(id, shoe);
  sizeOf(audit, shoe);
  for (const name of ["bank", "chips", "memory"]) audit.present("syntax", name, Boolean(table), entry[name]);
  audit.present("syntax", "policy", !table, entry.policy);
  if (table) return atTable(audit, table, shoe, entry, Number(number));
  for (const name of ["away", "purpose"]) audit.present("syntax", name, false, entry[name]);
  const broken = brokenSeries(Object.keys(entry.draws));
  if (broken) audit.fail("commitment", `draws.${broken}`, "series without gaps", entry.draws);
  if (entry.draws.cut !== undefined) audit.same("commitment", "draws.cut", entry.cards, entry.draws.cut);
  if (new Set(entry.roster).size !== entry.roster.length || entry.roster.length > 64) audit.fail("commitment", "roster", "each once, at most 64", entry.roster);
  if (entry.cutter !== undefined && !entry.roster.includes(entry.cutter)) audit.fail("commitment", "cutter", entry.roster, entry.cutter);
}

/** @param {Audit} audit @param {Shoe} shoe */
function sizeOf(audit, shoe) {
  const packs = /^french:([1-9][0-9]*)$/.exec(shoe.deck);
  const deck = audit.decks.get(shoe.deck);
  if (packs ? Number(packs[1]) > 8 : !deck || deck.parts !== deck.of) return audit.fail("commitment", "deck", "a deck that is known", shoe.deck);
  audit.same("commitment", "cards", packs ? 52 * Number(packs[1]) : deck?.labels.length, shoe.size);
}

/** @param {Audit} audit @param {Shoe} shoe @returns {{labels: string[], hash: string}} */
export function deckOf(audit, { deck }) {
  const known = audit.decks.get(deck);
  if (known || !deck.startsWith("french:")) return known ?? { labels: [], hash: "" };
  const labels = french(Number(deck.slice(7)));
  const made = { parts: 1, of: 1, labels, hash: deckHash(labels) };
  audit.decks.set(deck, made);
  return made;
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry @param {number} number */
function atTable(audit, table, shoe, entry, number) {
  const { game, options } = table;
  const present = table.inPlay[0];
  if (!audit.partial) {
    audit.same("completeness", "shoe", table.shoes + 1, number);
    const goesOn = table.lounge && table.memory.started && table.pool > 0 && audit.at < table.closed + MONTH; // LO-04
    if (table.closed && !goesOn) audit.fail("policy", "kind", "no shoe after the table was closed", "shoe");
    if (table.inPlay.length > 1 || (present && (!present.sealed || table.dealer || present.first))) audit.fail("order", "kind", "the end of the shoe before", "shoe");
    if (bankDue(table) !== undefined && !table.inPlay.length) audit.fail("policy", "bank", "a bank entry that is due", "shoe");
  }
  if (table.inPlay.length >= MOST_IN_PLAY) {
    audit.unknown.add(shoe.id);
    return void audit.shoes.delete(shoe.id);
  }
  table.shoes = number;
  table.inPlay.push(shoe);
  const away = entry.away ?? [];
  for (const seat of away) {
    const chair = table.chairs.get(seat);
    if (!audit.partial && (!chair || chair.missed < 2 || table.banks(chair))) audit.fail("contributions", "away", "chairs that let two limits pass", seat);
  }
  audit.same("commitment", "deck", `french:${options.packs}`, entry.deck);
  audit.same("commitment", "draws", shoe.first ? { cut: shoe.size } : game.draws(options), entry.draws);
  if (entry.beacon) audit.fail("commitment", "beacon", null, entry.beacon);
  if (audit.partial) return seatRoster(audit, table, shoe, entry);
  const dealer = table.chairs.get(table.dealer);
  const banker = game.name !== "pontoon" || (dealer && table.canBet(dealer)); // PO-38
  audit.same("commitment", "purpose", banker ? undefined : "bank", entry.purpose);
  audit.same("commitment", "bank", table.bank, entry.bank);
  if (!audit.same("commitment", "chips", table.accounts(), entry.chips)) table.adopt(entry.chips ?? {});
  if (!audit.same("commitment", "memory", table.memory, entry.memory)) table.memory = { ...entry.memory };
  table.bank = entry.bank ?? table.bank;
  const roster = rosterOf(table, away).map((chair) => chair.player);
  audit.same("contributions", "roster", roster, entry.roster);
  if (!entry.roster.length) audit.fail("contributions", "roster", "somebody", []);
  const cutter = shoe.first ? undefined : cutterOf(table);
  shoe.turn = cutter?.seat ?? 0;
  audit.same("commitment", "cutter", cutter && roster.includes(cutter.player) ? cutter.player : undefined, entry.cutter);
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry of a proof of one hand: who sat where (proof.md) */
function seatRoster(audit, table, shoe, { bank = "house", chips = {}, memory = {}, roster, away = [] }) {
  const players = roster.values();
  const told = table.chairs.size;
  for (const seat of Object.keys(chips).map(Number).filter(Boolean).sort((a, b) => a - b)) {
    if (!audit.seats?.includes(seat) && table.chairs.has(seat)) continue;
    const unknown = away.includes(seat) || (audit.seats && !audit.seats.includes(seat));
    const player = unknown ? `unknown ${seat}` : players.next().value;
    must(player !== undefined, "entries", "the chips by which the others sat down");
    table.chairs.set(seat, new Chair(seat, player, audit.index, MAYBE_ABSENT));
  }
  const over = !players.next().done;
  must(!over || told === 0, "entries", "no chips by which somebody of the roster sat down");
  if (over) audit.fail("contributions", "roster", "a chair for each player", roster);
  [table.bank, table.memory] = [bank, memory];
  table.adopt(chips);
  shoe.chairs = new Map(table.chairs);
}

/** @param {Audit} audit @param {Entry} entry */
export function seedsStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  if (shoe.hashes.size || shoe.sealed || shoe.sole || shoe.betting) return audit.fail("order", "kind", "a shoe that waits for hashes", "seeds");
  const { table } = shoe;
  for (const [player, hash] of Object.entries(entry.hashes)) {
    const invited = shoe.roster.includes(player) && !shoe.struck.has(player) && (!table || audit.partial || table.chairOf(player));
    if (!invited) audit.fail("contributions", `hashes.${player}`, "somebody of the roster who sits", player);
    audit.once("contributions", `hashes.${player}`, hash);
    shoe.hashes.set(player, hash);
    table?.chairOf(player)?.acts(audit.at);
  }
  cutWith(audit, shoe, entry.cut);
  shoe.stepAt = audit.at;
  audit.mustNotDelay(shoe.at, seconds(Math.max(shoe.policy.hash, shoe.policy.cut)));
  for (const player of shoe.roster) {
    if (shoe.hashes.has(player)) continue;
    const chair = table?.chairOf(player);
    if (table && (!chair || shoe.struck.has(player))) continue;
    if (!chair || chair.missed < 2) audit.mustHaveWaited(shoe.at, seconds(shoe.policy.hash), `hashes.${player}`);
    if (chair) chair.missed += 1;
  }
  if (shoe.cutter && shoe.hashes.has(shoe.cutter) && !shoe.cut) audit.mustHaveWaited(shoe.at, seconds(shoe.policy.cut), "cut");
}

/** @param {Audit} audit @param {Shoe} shoe @param {{at: number, by: string} | undefined} cut that came with a hash */
function cutWith(audit, shoe, cut) {
  if (!cut) return;
  const { table, size } = shoe;
  const least = !table || table.game.name === "pontoon" ? 0 : 1;
  const chair = table?.chairOf(cut.by);
  const may = shoe.draws.cut !== undefined && !shoe.first && shoe.roster.includes(cut.by) && shoe.hashes.has(cut.by);
  const named = shoe.cutter ? shoe.cutter === cut.by : !table || table.game.name === "pontoon";
  if (!may || !named || (chair && table?.game.name === "pontoon" && table.banks(chair))) audit.fail("contributions", "cut.by", shoe.cutter ?? null, cut.by);
  if (cut.at < least || cut.at >= size) audit.fail("contributions", "cut.at", [least, size - 1], cut.at);
  shoe.cut = { ...cut, entry: audit.index };
}

/** @param {Audit} audit @param {Shoe} shoe @param {string} kind whether seeds may be opened now */
function inOpening(audit, shoe, kind) {
  if (!shoe.sealed && (shoe.table ? shoe.opening && !shoe.sole : shoe.hashes.size)) return true;
  audit.fail("order", "kind", "a shoe that is being opened", kind);
  return false;
}

/** @param {Audit} audit @param {Entry} entry */
export function openedStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe || !inOpening(audit, shoe, "opened")) return;
  const { player, seed } = entry;
  inTurn(audit, shoe, player);
  audit.mustNotDelay(shoe.stepAt, seconds(shoe.policy.seed));
  if (shoe.hashes.has(player)) audit.same("contributions", "seed", shoe.hashes.get(player), sha256Hex(seed));
  shoe.seeds.set(player, seed);
  shoe.stepAt = audit.at;
  shoe.table?.lapses.delete(player);
  shoe.table?.chairOf(player)?.acts(audit.at);
}

/** @param {Audit} audit @param {Shoe} shoe @param {string} player */
function inTurn(audit, shoe, player) {
  if (!shoe.waiting.includes(player)) audit.fail("contributions", "player", shoe.waiting, player);
  else if (!audit.partial) audit.same("contributions", "player", nextToOpen(shoe), player);
}

/** @param {Audit} audit @param {Entry} entry */
export function lapseStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe || !inOpening(audit, shoe, "lapse")) return;
  const { player } = entry;
  const { table } = shoe;
  if (shoe.seeds.size || shoe.waiting.length < 2) audit.fail("contributions", "kind", "nobody's seed open, and somebody else who remains", "lapse");
  inTurn(audit, shoe, player);
  audit.mustHaveWaited(shoe.stepAt, seconds(shoe.policy.seed), "player");
  audit.mustNotDelay(shoe.stepAt, seconds(shoe.policy.seed));
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

/** @param {Table} table @param {string} player @param {string} shoe @param {string} hash a seed that has to be handed in */
export function owe(table, player, shoe, hash) {
  const debt = table.debts.get(player) ?? { shoes: new Map(), last: "" };
  debt.shoes.set(shoe, hash);
  debt.last = shoe;
  table.debts.set(player, debt);
  if (table.debts.size > MOST_DEBTS) for (const oldest of table.debts.keys()) return void table.debts.delete(oldest);
}

/** @param {Audit} audit @param {Entry} entry */
export function lateStep(audit, entry) {
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
  chair.acts(audit.at);
  chair.since = audit.index; // the newest from now on
}

/** @param {Audit} audit @param {Entry} entry */
export function sealStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  const { table, sole } = shoe;
  const early = table && table.inPlay[0] !== shoe;
  const contributed = sole ? shoe.betting : shoe.hashes.size ? !shoe.waiting.length && (shoe.seeds.size || !table) : !table && !shoe.roster.length;
  if (shoe.sealed || early || !contributed) return audit.fail("order", "kind", "a shoe whose seeds are open", "seal");
  if (table && !table.game.many && !shoe.betting?.bets.some(({ seat }) => liveBet(shoe, seat))) audit.fail("order", "kind", "a bet that remains", "seal");
  if (sole) audit.same("contributions", "seeds", shoe.roster, Object.keys(entry.seeds ?? {}));
  else audit.same("contributions", "seeds", undefined, entry.seeds);
  for (const [player, seed] of Object.entries(entry.seeds ?? {})) {
    audit.once("contributions", `seeds.${player}`, sha256Hex(String(seed)));
    shoe.seeds.set(player, String(seed));
    table?.chairOf(player)?.acts(audit.at);
  }
  audit.mustNotDelay(shoe.stepAt, sole ? seconds(shoe.policy.seed) : 0);
  sealCut(audit, shoe, entry.cut);
  sealBeacon(audit, shoe, entry.beacon);
  const burns = table?.game.name === "pontoon" && !shoe.first;
  audit.present("shuffle", "burn", burns, entry.burn);
  [shoe.burn, shoe.root] = [entry.burn, entry.cards_root];
  shoe.pos = burns ? 1 : 0;
  [shoe.sealed, shoe.sealedAt, shoe.stepAt, shoe.bettingSince] = [audit.index, audit.at, audit.at, audit.at];
  if (!table) return;
  table.asked.clear();
  table.turn = shoe.turn;
  settled(table, shoe.id);
}

/** @param {Table} table @param {string} shoe a seal, or a void before the opening: who waited is back in the roster */
export function settled(table, shoe) {
  table.seedVoid = false;
  for (const chair of table.chairs.values()) chair.fresh = false;
  for (const [player, debt] of table.debts) if (!debt.shoes.size && debt.last !== shoe) table.debts.delete(player);
}

/** @param {Shoe} shoe @param {number} seat whether its bet still stands: the owner's seed is open, or may be yet */
export function liveBet(shoe, seat) {
  const player = shoe.table?.chairs.get(seat)?.player;
  return player !== undefined && !shoe.struck.has(player);
}

/** @param {Audit} audit @param {Shoe} shoe @param {{at: number, by?: string} | undefined} cut */
function sealCut(audit, shoe, cut) {
  audit.present("contributions", "cut", shoe.draws.cut !== undefined && !shoe.cut, cut);
  if (!cut) return;
  if (cut.by !== undefined && !(shoe.sole && cut.by === shoe.cutter)) audit.fail("contributions", "cut.by", null, cut.by);
  if (cut.by !== undefined && (cut.at < 1 || cut.at >= shoe.size)) audit.fail("contributions", "cut.at", shoe.size, cut.at);
  shoe.cut = { ...cut, entry: audit.index };
}

/** @param {Audit} audit @param {Shoe} shoe @param {Record<string, any> | undefined} beacon */
function sealBeacon(audit, shoe, beacon) {
  const { chain, round, randomness, signature } = beacon ?? {};
  audit.same("contributions", "beacon", shoe.beacon, beacon && { chain, round });
  if (signature !== undefined) audit.same("contributions", "beacon.randomness", sha256Hex(signature), randomness);
  if (beacon) shoe.randomness = [chain, round, randomness];
}
