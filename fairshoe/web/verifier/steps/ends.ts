// How a shoe ends, and what its key shows: its draws, and every card that was dealt from it.

import { fromHex } from "../bytes.ts";
import { Binding } from "../bound.ts";
import { deckHash } from "../cards.ts";
import { HOUR, must, placeUpTo, seconds } from "../forms.ts";
import { sha256Hex } from "../hashes.ts";
import { drawNamed, ShuffledDeck } from "../shuffle.ts";
import { isOut, lacksBeacon, notOut, outInTime } from "./beacons.ts";
import { deckOf, nextToOpen } from "./commitments.ts";
import { checkTold, throughGathers } from "./drawing.ts";
import { isWhole, placeIn, transcriptOf } from "./placed.ts";
import { owe, settled, standingBets } from "./shoes.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Shoe, Table } from "../state.ts";

/** @param entry every card that was dealt, in the order that the key gives */
function cardsOf(audit: Audit, shoe: Shoe, entry: Entry) {
  const { labels: deck } = deckOf(audit, shoe);
  if (deck.length !== shoe.size) return;
  const bound = shoe.table || shoe.told || shoe.root !== undefined;
  if (bound && !audit.mayOrder(deck.length * (1 + (shoe.told?.gathers.length ?? 0)))) return;
  const key = fromHex(entry.key);
  let text = transcriptOf(audit, shoe);
  for (const [name, bound] of Object.entries(shoe.draws)) {
    shoe.drawn[name] = drawNamed(key, text, name, bound);
    if (entry.draws) audit.same("shuffle", `draws.${name}`, shoe.drawn[name], entry.draws[name]);
  }
  const cut = shoe.cut?.at ?? shoe.drawn.cut ?? 0;
  if (cut >= deck.length || !bound || !isWhole(shoe)) return;
  let order = new ShuffledDeck(key, text, deck, cut);
  const at = (pos: number) => order.at(shoe.placer ? (placeIn(shoe, order.text, pos) ?? Infinity) : pos);
  const numbered = shoe.placer !== null;
  if (shoe.burn !== undefined) audit.same("shuffle", "burn", deck[at(0)], shoe.burn, { entry: shoe.sealEntry });
  if (numbered || shoe.root !== undefined) audit.same("shuffle", "cards_root", order.root(numbered), shoe.root);
  if (shoe.told) {
    const cardAt = throughGathers(audit, shoe.told, order, at, shoe.draws.cut !== undefined);
    checkTold(audit, shoe, shoe.told, (pos) => deck[cardAt(pos)]);
  }
  for (const { entry, round, pos: begins, cards, reshuffles } of shoe.dealt) {
    const table: Set<number> = new Set();
    let [pos, made] = [begins, 0];
    for (const [i, label] of [...cards, null].entries()) {
      for (; reshuffles[made]?.after === i; made++) {
        const one = reshuffles[made];
        const where = { entry: one.entry, round };
        const left = order.allBut(table);
        if (!left.length)
          return audit.fail("shuffle", "cards", "cards that do not lie on the table", 0, { entry: one.entry });
        order = order.gather(left, one.cut);
        audit.same("shuffle", "deck", deckHash(order.labels), one.deck, where);
        audit.same("shuffle", "k", order.k, one.k, where);
        if (one.cut !== undefined) audit.same("shuffle", "cut", order.drawnCut, one.cut, where);
        if (numbered) audit.same("shuffle", "cards_root", order.root(true), one.cards_root, where);
        pos = one.burn === undefined ? 0 : 1;
        if (one.burn !== undefined) audit.same("shuffle", "burn", deck[at(0)], one.burn, where);
      }
      if (label === null) break;
      const card = at(pos);
      audit.same("cards", `cards[${i}]`, deck[card] ?? null, label, { entry, round });
      table.add(card);
      pos += 1;
    }
  }
}

// How a shoe ends.

function keyFits(audit: Audit, shoe: Shoe, key: string) {
  return audit.same("commitment", "key", shoe.commitment, sha256Hex(key));
}

/** @param shoe without a key: no label was dealt more often than the deck that is present has it */
export function labelsFit(audit: Audit, shoe: Shoe) {
  const has: Map<string, number> = new Map();
  for (const label of deckOf(audit, shoe).labels) has.set(label, (has.get(label) ?? 0) + 1);
  const gone: Map<string, number> = new Map(); // by order and label, cards that stay out of it too
  const take = (order: number, label: string | undefined): number => {
    const one = `${order} ${label}`;
    const many = (gone.get(one) ?? 0) + 1;
    gone.set(one, many);
    return many;
  };
  const deal = (order: number, label: string, field: string, where: { entry: number; round?: number }) => {
    if (take(order, label) > (has.get(label) ?? Infinity))
      audit.fail("cards", field, "no more of them than the deck has", label, { ...where, shoe: shoe.id });
  };
  let order = 0;
  take(order, shoe.burn);
  for (const { entry, round, cards, reshuffles } of shoe.dealt)
    cards.forEach((card, i) => {
      const made = reshuffles.find(({ after }) => after === i);
      if (made) {
        order += 1;
        for (const label of [...cards.slice(0, i), made.burn]) take(order, label);
      }
      deal(order, card, `cards[${i}]`, { entry, round });
    });
  const { cards = [], gathers = [] } = shoe.told ?? {};
  const starts = gathers.map(({ pos }) => pos);
  const labels = new Map(cards.map(({ pos, label }) => [pos, label]));
  gathers.forEach(({ out }, i) => out.forEach((pos) => take(i, labels.get(pos))));
  for (const { entry, field, pos, label } of cards) deal(placeUpTo(starts, pos), label, field, { entry });
}

/**
 * Holds the cards of a shoe without a key against what the house bound. Cards after a reshuffle in the middle of a deal
 * are not looked at.
 * @returns the places of the cards that openings show, each with its round; how many others there are
 */
export function checkBound(audit: Audit, shoe: Shoe): { bound: Map<number, number | undefined>; left: number } {
  const end = shoe.told?.gathers[0]?.pos ?? Infinity;
  const first = shoe.told?.cards.filter(({ pos }) => pos < end) ?? [];
  const burned =
    shoe.burn === undefined ? [] : [{ label: shoe.burn, field: "burn", entry: shoe.sealEntry, round: undefined }];
  const cards = [
    ...burned,
    ...shoe.dealt.flatMap(({ entry, round, cards: labels }) =>
      labels.map((label, i) => ({ label, field: `cards[${i}]`, entry, round })),
    ),
    ...first.map((card) => ({ ...card, round: undefined })),
  ];
  const given = shoe.rows.filter(({ text }) => text === shoe.rows[0].text).flatMap((row) => row.given);
  const told = first.map(({ pos }) => pos);
  const placed = shoe.told ? told.map((pos) => given[pos]) : given;
  const places = shoe.placer ? placed : [...burned.keys(), ...positionsOf(shoe), ...told];
  const dealt = new Map(places.slice(0, cards.length).map((place, i) => [place, cards[i]]));
  const binding = new Binding(shoe.root ?? "", deckOf(audit, shoe).labels, shoe.placer !== null);
  for (const opening of audit.openings.get(shoe.id) ?? []) {
    if (!binding.binds(opening)) continue;
    const card = dealt.get(opening.pos);
    const wrong = binding.hold(opening, card?.label);
    if (wrong)
      audit.fail("cards", card?.field ?? "cards_root", "the card that it bound", wrong, {
        entry: card?.entry ?? shoe.sealEntry,
        round: card?.round,
        shoe: shoe.id,
      });
  }
  const bound = new Map(
    [...dealt].filter(([place]) => binding.known.has(place)).map(([place, { round }]) => [place, round]),
  );
  return { bound, left: cards.length - bound.size };
}

/** @returns where the cards of its rounds lie, up to a reshuffle */
function positionsOf({ dealt }: Shoe): number[] {
  const last = dealt.findIndex(({ reshuffles }) => reshuffles.length);
  return dealt
    .slice(0, last + 1 || undefined)
    .flatMap(({ pos, cards, reshuffles }) => cards.slice(0, reshuffles[0]?.after).map((_, i) => pos + i));
}

/** @param shoe it is over */
function over(audit: Audit, shoe: Shoe) {
  const { table } = shoe;
  audit.shoes.delete(shoe.id);
  audit.ended += 1;
  if (shoe.placer) audit.unplaced.set(shoe.id, { shoe, at: audit.at });
  for (const [player, [all, left]] of shoe.told?.counts() ?? []) {
    const before = audit.hidden.get(player) ?? [0, 0];
    audit.hidden.set(player, [before[0] + all, before[1] + left]);
  }
  if (!table) return;
  if (table.shoe === shoe) table.shoe = undefined;
  const banker = table.chairs.get(table.dealer);
  if (shoe.sealEntry && !shoe.first && table.game.bank === "changes" && banker && !table.covers(banker))
    table.bank = "house"; // PO-38
}

export function revealStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { table } = shoe;
  if (shoe.stage !== "draw") audit.inOrder(shoe); // else it ends too early
  audit.same("shuffle", "draws", Object.keys(shoe.draws).sort(), Object.keys(entry.draws).sort());
  if (shoe.sealEntry && keyFits(audit, shoe, entry.key)) cardsOf(audit, shoe, entry);
  if (table && !(audit.partial && table.game.many)) {
    audit.same("cards", "end", shoe.pos, entry.end);
    const why = whyEnded(audit, table, shoe, entry);
    audit.inTime(shoe, { over: why === "worn" || why === "bank" });
    if (why !== entry.why) audit.fail("policy", "why", why ?? "no end yet", entry.why);
  } else if (!table) {
    if (shoe.sealEntry && !shoe.told) audit.unshown += 1;
    if (shoe.told) audit.same("cards", "end", shoe.pos, entry.end);
    else if (entry.end > shoe.size) audit.fail("cards", "end", shoe.size, entry.end);
    audit.inTime(shoe);
    if (entry.why !== "worn" && !(entry.why === "age" && audit.isOld(shoe)))
      audit.fail("policy", "why", "worn", entry.why);
  }
  shoe.beyond = audit.partial && shoe.pos !== entry.end; // else it was found above
  over(audit, shoe);
}

/** @returns the first reason that counts */
function whyEnded(audit: Audit, table: Table, shoe: Shoe, entry: Entry): string | undefined {
  if (shoe.stage === "draw") return undefined;
  const { insert } = table.options;
  const behind = insert === undefined ? 0 : insert + (shoe.drawn.insert ?? entry.draws.insert); // CA-06, CA-07, PO-09
  if (behind) {
    shoe.dealt.forEach(({ pos }, i) => {
      const last = shoe.dealt[i - 1];
      if (last && pos >= shoe.size - behind)
        audit.fail("policy", "kind", "a reveal: worn", "open", { entry: last.entry, round: last.round });
    });
  }
  if (isWorn(shoe, behind)) return "worn";
  if (shoe.bankMoved || table.bankless) return "bank";
  if (audit.isOld(shoe)) return "age";
  const parts = table.seated.filter((chair) => (shoe.hasPart(chair) || shoe.waived.has(chair)) && !table.banks(chair));
  const idle = Math.max(shoe.bettingSince, audit.lastStart) + HOUR <= audit.at;
  const gone =
    table.closed && parts.every((chair) => Math.max(chair.acted, audit.lastStart, table.closed) + HOUR <= audit.at);
  return !parts.length || idle || gone ? "left" : undefined;
}

/** @param behind how many cards the insert card leaves */
function isWorn(shoe: Shoe, behind: number): boolean {
  return (
    shoe.stage === "over" ||
    shoe.course === "one round" ||
    (shoe.dealt.at(-1)?.reshuffles.length ?? 0) > 0 ||
    shoe.pos >= shoe.deckSize - behind
  );
}

/** @returns whether it only waits for its reveal; that one of many rounds is worn is judged then */
export function isOver({ table, stage, dealt, bankMoved }: Shoe): boolean {
  return table !== undefined && (stage === "over" || (dealt.length > 0 && (bankMoved || table.bankless)));
}

export function voidStep(audit: Audit, entry: Entry, shoe: Shoe) {
  const { table, betting } = shoe;
  const { why, by } = entry;
  const returned = why === "seed" && !by && shoe.hashes.size && !table?.game.many;
  const lacks = why === "beacon" ? shoe.owesSeed : returned && standingBets(shoe).length;
  must(!audit.partial || !lacks, "entries", "the seeds or lapses that make the shoe void");
  audit.inTime(shoe);
  if (keyFits(audit, shoe, entry.key) && shoe.told && shoe.sealEntry) cardsOf(audit, shoe, entry);
  audit.inOrder(shoe);
  audit.same("order", "round", betting?.round, entry.round);
  if (why !== "seed" && why !== "reshuffle") audit.same("policy", "by", undefined, by);
  if (!audit.partial || why === "seed") WHY[why](audit, shoe, entry);
  const alone = !table && shoe.beaconRound > 0 && !shoe.roster.length; // its order may be known
  if (why !== "seed" && why !== "beacon" && (shoe.opening || alone))
    audit.fail("policy", "why", "no void after the opening began but for a seed", why);
  if (why !== "beacon" && why !== "seed") notOut(audit, shoe);
  if (table && (why === "idle" || why === "age")) settled(table, shoe.id);
  if (table && why === "seed") table.seedVoid = true;
  over(audit, shoe);
}

const WHY: Record<string, (audit: Audit, shoe: Shoe, entry: Entry) => void> = {
  seed(audit, shoe, { by }) {
    const { table, betting, waiting } = shoe;
    if (by === undefined) {
      if (!table || table.game.many || !betting || standingBets(shoe).length || !shoe.struck.size)
        audit.fail("policy", "by", "whose seed is missing", null);
      return;
    }
    if (!shoe.owesSeed) audit.fail("policy", "why", "a seed that is owed", "seed");
    const next = audit.partial && table ? waiting : [nextToOpen(shoe)];
    if (!next.includes(by)) audit.fail("contributions", "by", next, by);
    if (!isOut(audit, shoe)) audit.mustHaveWaited(shoe.stepAt, seconds(shoe.policy.seed), "by");
    else if (!outInTime(shoe)) audit.fail("policy", "by", "a later round", by);
    const hash = shoe.hashes.get(by);
    if (table && hash) owe(table, by, shoe.id, hash);
    const chair = table?.chairOf(by);
    if (chair) chair.missed += 1;
  },
  reshuffle(audit, { table }, { by }) {
    const chair = table?.chairOf(by);
    if (!table || !chair) return audit.fail("policy", "by", "somebody who sits", by);
    if (table.asked.has(chair.seat) && table.chairs.size > 1)
      audit.fail("policy", "by", "each chair once between two seals", by);
    if (table.chairs.size > 1) table.asked.add(chair.seat);
    chair.acts(audit.at);
  },
  close(audit, { table }) {
    if (!table?.closed) audit.fail("policy", "why", "a table that was closed", "close");
  },
  bank(audit, shoe) {
    const { table, banker } = shoe;
    if (!table || table.chairs.get(table.dealer) === banker)
      audit.fail("policy", "why", "another bank than at the commitment", "bank");
  },
  idle(audit, shoe) {
    const { table, sole, hashes, policy } = shoe;
    const who = hashes.size ? [...hashes.keys()] : shoe.roster;
    const here = who.filter((player) => !shoe.struck.has(player)).flatMap((player) => table?.chairOf(player) ?? []);
    const deserted = table && (!here.length || (shoe.first && !shoe.dealtTo.length));
    if (!hashes.size && !sole) {
      const passed = audit.at >= Math.max(shoe.at, audit.lastStart) + seconds(policy.hash);
      if (!deserted && (!table || here.some((chair) => !chair.absent)))
        audit.mustHaveWaited(shoe.at, seconds(policy.hash), "why");
      if (passed) for (const chair of here) chair.missed += 1;
    } else if (deserted) return;
    else if (!table || table.game.many) audit.fail("policy", "why", "nobody who sits", "idle");
    else audit.mustHaveWaited(shoe.stepAt, seconds(policy.bet), "why");
  },
  beacon: lacksBeacon,
  age(audit, shoe) {
    if (audit.at < shoe.at + seconds(shoe.policy.shoe)) audit.fail("policy", "why", "no end yet", "age");
  },
};

export function lostStep(audit: Audit, entry: Entry) {
  const shoe = audit.shoe(entry);
  audit.fail("completeness", "kind", "the end of the shoe", "lost");
  if (!shoe) return;
  if (entry.key !== undefined && keyFits(audit, shoe, entry.key) && shoe.told && shoe.sealEntry)
    cardsOf(audit, shoe, entry);
  if (shoe.table) shoe.table.lost = true;
  audit.same("order", "round", shoe.betting?.round, entry.round);
  over(audit, shoe);
}
