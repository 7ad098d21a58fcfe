// The placer of a shoe: its chain, rebuilt at each entry with places; and `placed`, with its key.

import { fromHex, toHex, utf8 } from "../bytes.ts";
import { MONTH } from "../forms.ts";
import { sha256, sha256Hex } from "../hashes.ts";
import { canonicalText } from "../json.ts";
import { placerName, sinceOf } from "../placing.ts";
import { PLACING, Shuffle, transcript } from "../shuffle.ts";
import { deckOf } from "./commitments.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Shoe } from "../state.ts";
import type { Round } from "../games/round.ts";
import type { Chain, Stand } from "../placing.ts";

const MISSING = -1; // in the place of one that was not given
/** Entries whose trees a chain may name. */
const NAMED = "shoe seeds opened lapse open seal round bank drawn shown reveal void lost".split(" ");

/** Cards that lie one behind the other in a deck. */
export interface Row {
  /** the transcript */
  text: string;
  /** of the deck */
  size: number;
  /** the first card's place */
  start: number;
  /** how many cards */
  many: number;
  /** the places */
  given: number[];
  entry: number;
  round: number;
}

/** The log's newest entry is the last of a tree that a chain may name. */
export function stand(audit: Audit) {
  const { kind, shoe: id } = audit.entry;
  const shoe = audit.shoes.get(id) ?? audit.unplaced.get(id)?.shoe;
  if (!shoe?.placer || !NAMED.includes(kind)) return;
  shoe.stands.newest = { size: audit.index + 1, root: audit.root };
  if (!shoe.sealEntry) shoe.stands.unsealed = shoe.stands.newest;
}

const told = ({ size, root }: Stand) => [String(size), root];

/** @returns T of its seal */
export function transcriptOf(audit: Audit, shoe: Shoe): string {
  const { labels: deck, hash } = deckOf(audit, shoe);
  const seeds = shoe.roster
    .filter((player) => shoe.seeds.has(player))
    .map((player) => [player, fromHex(shoe.seeds.get(player) ?? "")] as [string, Uint8Array]);
  const placer: [string, string] | null = shoe.placer && [placerName(shoe.placer.key), shoe.placer.commitment];
  return transcript({ shoe: shoe.id, deck, commitment: shoe.commitment, seeds, beacon: shoe.randomness, hash, placer });
}

type Placer = NonNullable<Shoe["placer"]>;

/** The steps that an entry implies, with the places that it shows. */
export class Asking {
  declare audit: Audit;
  declare shoe: Shoe;
  declare chain: Chain;
  declare placed: { places: number[]; signature: string };
  declare next: ArrayIterator<number>;
  rows: Row[] = [];
  parts: string[] = [];
  declare text: string;
  declare round: any;

  /** `placer`: its own; `deals`: a round, or a first banker's draw; else the card that is burned with a seal. */
  constructor(audit: Audit, shoe: Shoe, placer: Placer, entry: Entry, deals: boolean = true) {
    this.audit = audit;
    this.shoe = shoe;
    this.chain = placer.chain;
    this.placed = entry.placed ?? { places: [], signature: "" };
    this.next = this.placed.places.values();
    this.text = transcriptOf(audit, shoe);
    this.round = entry.round ?? 0;
    const begun = this.chain.steps > 0;
    if (!begun) this.parts.push(...told(shoe.stands.unsealed));
    this.shuffle(shoe.size, this.text, shoe.root, !begun);
    if (deals) this.parts.push(...told(shoe.stands.newest));
  }

  /** @returns what happened since the last step */
  since(): string {
    return sinceOf(this.parts.splice(0));
  }

  /** `root`: binds the cards; `steps`: whether it is a step. */
  shuffle(size: number, text: string, root: string | undefined, steps: boolean = true) {
    this.rows.push({ text, size, start: 0, many: 0, given: [], entry: this.audit.index, round: this.round });
    if (!steps) return;
    this.shoe.taken.clear();
    this.chain.step(`shuffle ${size} ${toHex(sha256(utf8(text)))} ${root}`, this.since());
  }

  card(place: number) {
    const row = this.rows.at(-1) as Row;
    if (!row.many) row.start = place;
    row.many += 1;
    const given = this.next.next().value ?? MISSING;
    if (given !== MISSING) row.given.push(given);
    if (this.shoe.taken.has(given) || given >= row.size)
      this.audit.fail("cards", "placed.places", "each place of the deck once", given);
    if (given !== MISSING) this.shoe.taken.add(given);
    this.chain.step(`card ${place} ${given}`, this.since());
  }

  /** Follows a round as it is played. `reshuffles`: as the log has them. */
  watch(round: Round, { decisions }: Entry, reshuffles: Entry[]) {
    const { draw, ask } = round;
    round.draw = (to) => {
      const { length } = round.reshuffles;
      try {
        draw.call(round, to);
      } finally {
        if (round.reshuffles.length > length) this.reshuffled(round, reshuffles);
      }
      this.card(round.pos - 1);
    };
    round.ask = (seat, moves, ways) => {
      const { asked } = round;
      const decision = ask.call(round, seat, moves, ways);
      if (round.asked > asked) this.parts.push(canonicalText(decisions[asked]));
      return decision;
    };
  }

  reshuffled(round: Round, reshuffles: Entry[]) {
    const lines = reshuffles
      .slice(0, round.reshuffles.length)
      .map(({ k, cards, deck }) => `reshuffle ${k} ${cards} ${deck}\n`);
    this.shuffle(round.size, this.text + lines.join(""), reshuffles[round.reshuffles.length - 1]?.cards_root);
    if (round.burns && round.size > 1) this.card(0);
  }

  /** Holds what the entry shows against the steps. `played`: whether it could be followed to its end. */
  judge(played: boolean) {
    const {
      audit,
      shoe,
      chain,
      placed: { places, signature },
    } = this;
    shoe.rows.push(...this.rows);
    if (shoe.astray !== null) return;
    const cards = this.rows.reduce((sum, { many }) => sum + many, 0);
    if (!played) {
      shoe.astray = audit.index;
    } else if (places.length !== cards) {
      audit.fail("cards", "placed", cards, places.length);
      shoe.astray = audit.index;
    } else if (audit.origin && !chain.isSigned(signature)) {
      audit.fail("cards", "placed.signature", toHex(chain.head), signature);
      shoe.astray = audit.index;
    }
  }
}

/** @returns whether the log has a place for each card: without, nobody can say what lay there */
export function isWhole({ placer, rows, dealt, burn, told: drawn }: Shoe): boolean {
  const burned = dealt.flatMap(({ reshuffles }) => reshuffles).filter((one) => one.burn !== undefined).length;
  const first = drawn?.drawn ?? burned + (burn === undefined ? 0 : 1);
  const cards = dealt.reduce((sum, one) => sum + one.cards.length, first);
  return !placer || rows.reduce((sum, { given }) => sum + given.length, 0) >= cards;
}

/** @returns where in the house's own order its card lies, as the placer says */
export function placeIn({ rows }: Shoe, text: string, place: number): number | undefined {
  const row = rows.find((one) => one.text === text && one.start <= place && place < one.start + one.many);
  return row?.given[place - row.start];
}

export function placedStep(audit: Audit, { shoe: id, key, steps, signature }: Entry) {
  const over = audit.unplaced.get(id);
  if (!over?.shoe.placer) return audit.fail("order", "shoe", "the placer's key of a shoe that is over, once", id);
  const { shoe } = over;
  if (!shoe.playerPlaces) audit.mustNotDelay(over.at, MONTH);
  const { chain, commitment } = over.shoe.placer;
  if (audit.same("commitment", "key", commitment, sha256Hex(key))) {
    if (shoe.astray === null && !shoe.beyond) {
      chain.step("end", sinceOf(told(shoe.stands.newest)));
      if (steps !== chain.steps) audit.fail(shoe.sealEntry ? "cards" : "completeness", "steps", chain.steps, steps);
      else if (audit.origin && !chain.isSigned(signature, key))
        audit.fail("cards", "signature", toHex(chain.head), signature);
    }
    placesFit(audit, shoe, key);
  }
  audit.unplaced.delete(id);
}

/** Checks that each place that the placer signed is the key's. Where a player gave it, no log fails. */
function placesFit(audit: Audit, shoe: Shoe, key: string) {
  const orders: Map<string, Shuffle> = new Map();
  for (const { text, size, start, given, entry, round } of shoe.rows) {
    if (shoe.astray !== null && entry >= shoe.astray) return; // nobody has signed these
    if (!orders.has(text) && !audit.mayOrder(shoe.size)) return;
    const order = orders.get(text) ?? new Shuffle(fromHex(key), text, size, 0, PLACING);
    orders.set(text, order);
    given.forEach((found, i) => {
      const wanted = start + i < size ? order.at(start + i) : null;
      if (wanted === found) return;
      if (shoe.playerPlaces)
        audit.beside.add(`fault of a player: the places of shoe ${shoe.id} are not those of the player's key`);
      audit.fail("cards", `placed.places[${i}]`, wanted, found, {
        entry,
        round,
        ...(shoe.playerPlaces && { severity: "note" }),
      });
    });
  }
}
