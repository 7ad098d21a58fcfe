// Shoes without a table, of version 2: cards that are drawn, in public or hidden to one player, and shown; numbers.

import { placeUpTo } from "../forms.ts";
import { canonicalText } from "../json.ts";
import { deckOf } from "./commitments.ts";
import { Asking } from "./placed.ts";
import type { Audit, Entry } from "../audit.ts";
import type { ShuffledDeck } from "../shuffle.ts";
import type { Shoe } from "../state.ts";
import type { ToldCards } from "../told.ts";

type Step = (audit: Audit, entry: Entry, shoe: Shoe) => void;

/** @returns the step of entries that tell cards of a shoe, where they may stand */
const telling =
  (follow: (audit: Audit, entry: Entry, shoe: Shoe, told: ToldCards) => void): Step =>
  (audit, entry, shoe) => {
    if (!shoe.told) return audit.fail("order", "kind", "a shoe of version 2", entry.kind);
    audit.inTime(shoe);
    follow(audit, entry, shoe, shoe.told);
  };

/** @param cards that an entry tells, which the deck must have */
function tell(audit: Audit, shoe: Shoe, told: ToldCards, cards: [field: string, pos: number, label: string][]) {
  told.labels ??= new Set(deckOf(audit, shoe).labels);
  for (const [field, pos, label] of cards) {
    if (!told.labels.has(label)) audit.fail("cards", field, "a card of the deck", label);
    told.cards.push({ entry: audit.index, field, pos, label });
  }
}

export const drawnStep: Step = telling((audit, entry, shoe, told) => {
  const { pos, cards = [], hidden, to, draws = {} } = entry;
  const size: number = hidden ?? cards.length;
  if (audit.isOld(shoe) && !shoe.placer) audit.fail("policy", "kind", "a reveal: age", "drawn"); // with a placer it is late
  audit.same("cards", "pos", shoe.pos, pos);
  audit.same("cards", "gathered", told.gathers.length, entry.gathered ?? 0);
  const end = told.start + shoe.deckSize;
  if (pos + size > end) audit.fail("cards", "cards", end - pos, size);
  if (hidden !== undefined && entry.cards) audit.fail("syntax", "hidden", "cards or hidden ones", hidden);
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
});

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

export const shownStep: Step = telling((audit, entry, shoe, told) => {
  const cards = Object.entries<string>(entry.cards);
  for (const [pos, label] of cards) {
    const run = told.liesOut(Number(pos)) ? told.hiddenAt(Number(pos)) : null;
    if (!run || run.shown.has(Number(pos))) audit.fail("cards", `cards.${pos}`, "a hidden card", label);
    run?.shown.add(Number(pos));
  }
  tell(
    audit,
    shoe,
    told,
    cards.map(([pos, label]) => [`cards.${pos}`, Number(pos), label]),
  );
});

const MOST_POSITIONS = 100000;

export const gatheredStep: Step = telling((audit, entry, shoe, told) => {
  const { pos, out = [], cards_root: root }: { pos: number; out?: number[]; cards_root: string } = entry as any;
  const lies = (one: number, i: number) => one < shoe.pos && told.liesOut(one) && !(out[i - 1] >= one);
  const faults: [boolean, check: string, field: string, expected: unknown, found: unknown][] = [
    [pos !== shoe.pos, "cards", "pos", shoe.pos, pos],
    [Boolean(shoe.placer), "order", "kind", "a shoe without a placer", "gathered"],
    [audit.isOld(shoe), "policy", "kind", "a reveal: age", "gathered"],
    [!out.every(lies) || out.length >= shoe.size, "cards", "out", "cards that lie out", out.slice(0, 8)],
    [pos + shoe.size - out.length > MOST_POSITIONS, "cards", "pos", MOST_POSITIONS, pos],
  ];
  const wrong = faults.filter(([is]) => is);
  for (const [, ...fault] of wrong) audit.fail(...fault);
  if (wrong.length) return;
  told.gathers.push({ pos, out, root, entry: audit.index });
  shoe.deckSize = shoe.size - out.length;
});

/** The card at any position, through the reshuffles. `seal`: the order at the seal, `first`: the card at a position of it. */
export function throughGathers(
  audit: Audit,
  { gathers }: ToldCards,
  seal: ShuffledDeck,
  first: (pos: number) => number,
  isCut: boolean,
): (pos: number) => number {
  const starts = [0];
  const orders = [first];
  const at = (pos: number) => {
    const order = placeUpTo(starts, pos);
    return orders[order](pos - starts[order]);
  };
  let order = seal;
  for (const { pos, out, root, entry } of gathers) {
    const anew = order.gather(order.allBut(new Set(out.map(at))), isCut ? "drawn" : 0);
    audit.same("shuffle", "cards_root", anew.root(false), root, { entry });
    starts.push(pos);
    orders.push((place) => anew.at(place));
    order = anew;
  }
  return at;
}

/** @param cardAt what the key gives at a position */
export function checkTold(audit: Audit, shoe: Shoe, told: ToldCards, cardAt: (pos: number) => string | undefined) {
  for (const { entry, field, pos, label } of told.cards)
    audit.same("cards", field, cardAt(pos) ?? null, label, { entry });
  for (const { entry, name, value } of told.numbers)
    audit.same("shuffle", `draws.${name}`, shoe.drawn[name] ?? null, value, { entry });
}
