// The commitment to a shoe: its deck, the table as it stands, who contributes, and where everybody does who sits there.

import { deckHash } from "../cards.ts";
import { LABEL, listOf } from "../forms.ts";
import { cardsNamed } from "../games.ts";
import { Chain, placerName } from "../placing.ts";
import { brokenSeries } from "../shuffle.ts";
import { ABSENT, Chair, isPolicy, seatsIn, Shoe } from "../state.ts";
import { bankDue } from "./bank.ts";
import { roundNamed } from "./beacons.ts";
import type { Table } from "../state.ts";
import type { Audit, Entry } from "../audit.ts";

// Who contributes to a shoe, who cuts, and in which order seeds are opened (log.md, "Who contributes").

/** where everybody who sits stands, each list in the order of the chairs */
type Places = Record<"roster" | "owes" | "waits" | "away", Chair[]>;

/** `left`: those who are left out since they let two limits pass; `first`: whether it is to find a banker. */
function placesOf(table: Table, left: Chair[], first: boolean): Places {
  const { seated, debts } = table;
  const here = seated.filter((chair) => !left.includes(chair));
  const plays = (chair: Chair) => (first ? table.covers(chair) : table.couldBet(chair));
  const owing = ({ player }: Chair) => (debts.get(player)?.shoes.size ?? 0) > 0;
  const fresh = (chair: Chair) => chair.fresh && !table.banks(chair);
  const settled = here.filter(({ player }) => !debts.has(player));
  const handedIn = here.filter((chair) => !owing(chair));
  const roster =
    [settled.filter((chair) => !fresh(chair)), settled].find((chairs) => chairs.some(plays)) ??
    (handedIn.length ? handedIn : here);
  const places: Places = { roster, owes: [], waits: [], away: [] };
  for (const chair of seated) {
    if (!roster.includes(chair)) places[debts.has(chair.player) ? "owes" : fresh(chair) ? "waits" : "away"].push(chair);
  }
  return places;
}

/**
 * The chair that the rules name to cut, if its player is in the roster. `known`: whether it is known whose turn it was
 * before; else it may be any chair's turn. Returns one of these; none where the rules name nobody.
 */
function cuttersOf(table: Table, known: boolean): Chair[] {
  const { game, seated, turn } = table;
  if (game.cuts === "right") return table.acting(seated).slice(-1);
  if (game.cuts !== "turn") return [];
  return known ? [seated.find(({ seat }) => seat > turn) ?? seated[0]] : seated;
}

/** @returns whose seed is opened next: the newest chair's */
export function nextToOpen(shoe: Shoe): string | undefined {
  const { table, waiting } = shoe;
  if (!table) return [...shoe.roster].reverse().find((player) => waiting.includes(player));
  const since = (player: string) => table.chairOf(player)?.since ?? -1;
  return waiting.sort((a, b) => since(b) - since(a))[0];
}

// The commitment.

const MOST_LABELS = 65536; // log.md, "Bounds"
const NOBODY = ""; // of a proof: who sits there is not said

export function deckStep(audit: Audit, { deck, part, parts, labels }: Entry) {
  const begun = audit.decks.get(deck) ?? { parts: 0, of: parts, labels: [] as string[], hash: "" };
  audit.same("order", "part", begun.parts + 1, part);
  audit.same("order", "parts", begun.of, parts);
  begun.parts = part;
  if (begun.labels.length + labels.length > MOST_LABELS)
    return audit.fail("commitment", "labels", MOST_LABELS, begun.labels.length + labels.length);
  begun.labels.push(...labels);
  audit.decks.set(deck, begun);
  if (part !== parts) return;
  const wrong = listOf(LABEL)(begun.labels);
  if (wrong !== null) audit.fail("commitment", `labels${wrong}`, "1 to 64 bytes", begun.labels.length);
  audit.same("commitment", "deck", (begun.hash = deckHash(begun.labels)), deck);
}

/** The time limits of a table, or of a shoe without one. */
export function policyFits(audit: Audit, { policy }: Entry) {
  if (!isPolicy(policy)) audit.fail("policy", "policy", "six time limits in their ranges", policy);
}

export function shoeStep(audit: Audit, entry: Entry) {
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
  audit.claim("commitment", "commitment", commitment);
  const shoe = new Shoe(entry, audit.index, audit.at, table);
  audit.shoes.set(id, shoe);
  roundNamed(audit, shoe, entry.beacon_round);
  placerOf(audit, shoe, entry);
  sizeOf(audit, shoe);
  for (const name of ["bank", "chips"]) audit.present("syntax", name, Boolean(table), entry[name]);
  for (const name of table ? ["told", "rules_hash", "policy"] : [])
    audit.present("commitment", name, false, entry[name]);
  if (table) return atTable(audit, table, shoe, entry, Number(number));
  policyFits(audit, entry);
  if (shoe.told) {
    audit.present("commitment", "told", true, entry.told);
    audit.present("commitment", "beacon", false, entry.beacon); // its randomness could be chosen: nothing checks it
  }
  for (const name of ["memory", "paid", "purpose", "owes", "waits", "away"])
    audit.present("syntax", name, false, entry[name]);
  const broken = brokenSeries(Object.keys(entry.draws));
  if (broken) audit.fail("commitment", `draws.${broken}`, "series without gaps", entry.draws);
  if (entry.draws.cut !== undefined) audit.same("commitment", "draws.cut", entry.cards, entry.draws.cut);
  if (new Set(entry.roster).size !== entry.roster.length || entry.roster.length > 64)
    audit.fail("commitment", "roster", "each once, at most 64", entry.roster);
  if (entry.cutter !== undefined && !entry.roster.includes(entry.cutter))
    audit.fail("commitment", "cutter", entry.roster, entry.cutter);
}

/** @param entry the placer of a new shoe is its table's */
function placerOf(audit: Audit, shoe: Shoe, { placer, roster }: Entry) {
  const brought = audit.partial && shoe.playerPlaces && placer && placerName(placer.key) === roster[0]; // by a buy-in that is not in the file
  const chosen = brought || shoe.told ? placer?.key : shoe.table?.placerKey || undefined; // without a table by the game
  audit.same("commitment", "placer", chosen, placer?.key);
  if (!placer) return;
  audit.claim("commitment", "placer", placer.commitment);
  shoe.placer = {
    ...placer,
    chain: new Chain({ origin: audit.origin, shoe: shoe.id, commitment: shoe.commitment }, placer),
  };
}

function sizeOf(audit: Audit, shoe: Shoe) {
  const deck = audit.decks.get(shoe.deck);
  const labels = cardsNamed(shoe.deck) ?? (deck?.parts === deck?.of ? deck?.labels : undefined);
  if (!labels) return audit.fail("commitment", "deck", "a deck that is known", shoe.deck);
  audit.same("commitment", "cards", labels.length, shoe.size);
}

export function deckOf(audit: Audit, { deck }: Shoe): { labels: string[]; hash: string } {
  const known = audit.decks.get(deck);
  const labels = cardsNamed(deck);
  if (known || !labels) return known ?? { labels: [], hash: "" };
  const made = { parts: 1, of: 1, labels, hash: deckHash(labels) };
  audit.decks.set(deck, made);
  return made;
}

/** Checks that the deck has the cards that an entry shows. */
export function inDeck(audit: Audit, shoe: Shoe, field: string, cards: string[]) {
  const { labels } = deckOf(audit, shoe);
  const strange = cards.filter((card) => !labels.includes(card));
  if (strange.length) audit.fail("cards", field, "cards of the deck", strange);
}

function atTable(audit: Audit, table: Table, shoe: Shoe, entry: Entry, number: number) {
  const { game, options } = table;
  if (!audit.partial) {
    audit.same("completeness", "shoe", table.shoes + 1, number);
    const goesOn = table.running && !table.gameLapsed(audit.at); // LO-04
    if (table.closed && !goesOn) audit.fail("policy", "kind", "no shoe after the table was closed", "shoe");
    if (table.shoe) {
      audit.fail("order", "kind", "the end of this shoe", "shoe", { shoe: table.shoe.id });
      audit.shoes.delete(table.shoe.id);
    }
    if (bankDue(table) !== undefined) audit.fail("policy", "bank", "a bank entry that is due", "shoe");
  }
  table.shoes = number;
  table.shoe = shoe;
  audit.same("commitment", "deck", `${game.deck.name}:${options.packs}`, entry.deck);
  audit.same("commitment", "draws", shoe.first ? { cut: shoe.size } : game.draws(options), entry.draws);
  if (entry.beacon) audit.fail("commitment", "beacon", null, entry.beacon);
  if (audit.partial) seatRoster(audit, table, shoe, entry);
  else stands(audit, table, entry);
  cutterFits(audit, table, shoe, entry);
}

/** @param entry a shoe: how the table stands, and where everybody does who sits there */
function stands(audit: Audit, table: Table, entry: Entry) {
  audit.same("commitment", "purpose", table.bankless ? "bank" : undefined, entry.purpose);
  audit.same("commitment", "bank", table.bank, entry.bank);
  if (!audit.same("commitment", "chips", table.accounts(), entry.chips)) table.adopt(entry.chips ?? {});
  if (!audit.same("commitment", "memory", unlessEmpty(table.memory), entry.memory)) table.memory = { ...entry.memory };
  audit.same("commitment", "paid", unlessEmpty(table.paid), entry.paid);
  table.bank = entry.bank ?? table.bank;
  const { owes = [], waits = [], away = [] } = entry;
  const mayBeAway = (seat: number) => [table.chairs.get(seat)].filter((chair) => chair?.absent && !table.banks(chair));
  for (const seat of away)
    if (!mayBeAway(seat).length) audit.fail("contributions", "away", "chairs that let two limits pass", seat);
  const places = placesOf(table, [...owes, ...waits, ...away].flatMap(mayBeAway) as Chair[], entry.purpose === "bank");
  audit.same(
    "contributions",
    "roster",
    places.roster.map(({ player }) => player),
    entry.roster,
  );
  for (const name of ["owes", "waits", "away"] as const)
    audit.same("contributions", name, unlessEmpty(places[name].map(({ seat }) => seat)), entry[name]);
  if (!entry.roster.length) audit.fail("contributions", "roster", "somebody", []);
}

/** @returns what stands in an entry for it */
const unlessEmpty = <T extends object>(value: T): T | undefined => (Object.keys(value).length ? value : undefined);

/** @param entry whether who is named may cut */
function cutterFits(audit: Audit, table: Table, shoe: Shoe, { cutter }: Entry) {
  const cutters = shoe.first || shoe.playerPlaces ? [] : cuttersOf(table, !audit.partial || table.shoes === 1);
  const names = cutters.map(({ player }) => (shoe.roster.includes(player) ? player : undefined));
  if (!(names.length ? names : [undefined]).includes(cutter))
    audit.fail("commitment", "cutter", names[0] ?? null, cutter);
  shoe.turn = cutters[0]?.seat ?? 0;
}

/** @param entry of a proof of one hand: who sat where (proof.md) */
function seatRoster(
  audit: Audit,
  table: Table,
  shoe: Shoe,
  { bank = "house", chips = {}, memory = {}, paid = [], roster, owes = [], waits = [], away = [] }: Entry,
) {
  const out = [...owes, ...waits, ...away];
  const seats = seatsIn(chips);
  const players = roster.values();
  for (const seat of seats) {
    const player = out.includes(seat) ? NOBODY : (players.next().value ?? NOBODY);
    table.chairs.set(seat, new Chair(seat, player, audit.index, ABSENT));
  }
  const fits =
    new Set(out).size === out.length &&
    out.every((seat) => seats.includes(seat)) &&
    seats.length - out.length === roster.length;
  if (!fits) audit.fail("contributions", "roster", "a chair for each player", roster);
  if ([...waits, ...away].some((seat) => String(seat) === bank))
    audit.fail("contributions", "away", "no chair that banks", bank);
  [table.bank, table.memory] = [bank, memory];
  table.adopt(chips);
  table.joined = new Map([...table.chairs].filter(([seat]) => paid.includes(seat)));
  shoe.chairs = new Map(table.chairs);
  shoe.begin();
}
