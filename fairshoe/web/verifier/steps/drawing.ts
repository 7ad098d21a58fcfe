// Shoes without a table, of version 2: cards that are drawn, in public or hidden to one player, and shown; numbers.

import { seconds } from "../forms.ts";
import { canonicalText } from "../json.ts";
import { deckOf } from "./commitments.ts";
import { Asking } from "./placed.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Shoe } from "../state.ts";
import type { ToldCards } from "../told.ts";

/** @returns the shoe that an entry tells cards of, and what is told of it, if the entry may stand here */
function toldOf(audit: Audit, entry: Entry): { shoe: Shoe; told: ToldCards } | undefined {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe) return;
  if (!shoe.told) return void audit.fail("order", "kind", "a shoe of version 2", entry.kind);
  audit.inTime(shoe);
  return { shoe, told: shoe.told };
}

/** @param cards that an entry tells, which the deck must have */
function tell(audit: Audit, shoe: Shoe, told: ToldCards, cards: [field: string, pos: number, label: string][]) {
  told.labels ??= new Set(deckOf(audit, shoe).labels);
  for (const [field, pos, label] of cards) {
    if (!told.labels.has(label)) audit.fail("cards", field, "a card of the deck", label);
    told.cards.push({ entry: audit.index, field, pos, label });
  }
}

export function drawnStep(audit: Audit, entry: Entry) {
  const { shoe, told } = toldOf(audit, entry) ?? {};
  if (!shoe || !told) return;
  const { pos, cards = [], hidden, to, draws = {} } = entry;
  const size: number = hidden ?? cards.length;
  const old = audit.at >= shoe.sealedAt + seconds(shoe.policy.shoe);
  if (old && !shoe.placer) audit.fail("policy", "kind", "a reveal: age", "drawn"); // with a placer it is late
  audit.same("cards", "pos", shoe.pos, pos);
  if (pos + size > shoe.size) audit.fail("cards", "cards", shoe.size - pos, size);
  if (hidden !== undefined && entry.cards) audit.fail("syntax", "hidden", "cards in public or hidden ones", hidden);
  if (!size && !entry.draws) audit.fail("syntax", "cards", "a card or a number", null);
  if (to !== undefined && hidden === undefined) audit.fail("syntax", "to", null, to);
  if (to !== undefined && !shoe.roster.includes(to)) audit.fail("cards", "to", shoe.roster, to);
  for (const [name, value] of Object.entries<number>(draws)) {
    const below = Object.hasOwn(shoe.draws, name) ? shoe.draws[name] : 0;
    if (value >= below || told.names.has(name))
      audit.fail("shuffle", `draws.${name}`, `a number below ${below}`, value);
    told.names.add(name);
    told.numbers.push({ entry: audit.index, name, value });
  }
  tell(
    audit,
    shoe,
    told,
    cards.map((label: string, i: number) => [`cards[${i}]`, pos + i, label]),
  );
  if (size) {
    told.starts.push(pos);
    told.runs.push(size > cards.length ? { size, to: to ?? "", shown: new Set() } : null);
  }
  placesOf(audit, shoe, entry, size);
  told.drawn += size;
  shoe.pos = pos + size;
}

/** @param size how many cards: the placer was asked for these, for this player */
function placesOf(audit: Audit, shoe: Shoe, entry: Entry, size: number) {
  if (!shoe.placer || !size) return audit.present("cards", "placed", false, entry.placed);
  const { pos, cards, hidden, to } = entry;
  const asking = new Asking(audit, shoe, shoe.placer, entry);
  const many = hidden === undefined ? { cards: cards.length } : { hidden };
  asking.parts.push(canonicalText({ pos, ...many, ...(to !== undefined && { to }) }));
  for (let i = pos; i < pos + size; i++) asking.card(i);
  asking.judge(true);
}

export function shownStep(audit: Audit, entry: Entry) {
  const { shoe, told } = toldOf(audit, entry) ?? {};
  if (!shoe || !told) return;
  const cards = Object.entries<string>(entry.cards);
  for (const [pos, label] of cards) {
    const run = told.hiddenAt(Number(pos));
    if (!run || run.shown.has(Number(pos))) audit.fail("cards", `cards.${pos}`, "a hidden card, not shown yet", label);
    run?.shown.add(Number(pos));
  }
  tell(
    audit,
    shoe,
    told,
    cards.map(([pos, label]) => [`cards.${pos}`, Number(pos), label]),
  );
}

/** @param cardAt what the key gives at a position */
export function checkTold(audit: Audit, shoe: Shoe, told: ToldCards, cardAt: (pos: number) => string | undefined) {
  for (const { entry, field, pos, label } of told.cards)
    audit.same("cards", field, cardAt(pos) ?? null, label, { entry });
  for (const { entry, name, value } of told.numbers)
    audit.same("shuffle", `draws.${name}`, shoe.drawn[name] ?? null, value, { entry });
}
