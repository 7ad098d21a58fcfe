// At a table with a placer: whether the house bound each card before its place was given (docs/placer-protocol.md). As cards come
// their openings are asked for. Each must lead to the root that the signed log has, stand at the place that was given, be
// the card of the deck that its number says, and be the card that was shown.

import { FairshoeError } from "../verifier/bytes.ts";
import { Binding, isOpening } from "../verifier/bound.ts";
import { cardsNamed } from "../verifier/games.ts";
import { Alarm, Problem } from "./errors.ts";
import { jsonOf, pathOf, pause } from "./requests.ts";
import { tableOf } from "./signed-table.ts";
import type { TableState } from "./types.ts";
import type { Book } from "./book.ts";
import type { Openings } from "./openings.ts";

type Form = Record<string, any>;

const BATCH = 64; // of one answer
const LOOKS = 10; // at the openings: the house may show a card a moment before its opening
const PAUSE = 100; // milliseconds between two looks

const unbound = (what: string): Alarm => new Alarm("card-not-bound", what);

export class CardOpenings {
  book: Book;
  log: Openings;
  shoe: string = "";
  binding: Binding | null = null;
  /** given for the shoe's cards, in the order of dealing */
  places: (number | undefined)[] = [];
  /** cards of which no opening came yet */
  left: Set<number> = new Set();
  checked: number = 0;
  /** the round that was looked at last, and after how many cards of the shoe it began */
  last: { round: number; position: number; reshuffled: boolean };

  constructor(book: Book, log: Openings) {
    this.book = book;
    this.log = log;
    this.last = { round: 0, position: 0, reshuffled: false };
  }

  /** Checks the cards that a state shows. Throws Alarm where the house bound other cards. */
  async look(state: TableState) {
    const shoe = state.shoe as Form | null;
    if (!state.you || !shoe?.placer || !shoe.sealed) return;
    if (shoe.shoe !== this.shoe)
      [this.shoe, this.binding, this.places, this.left, this.checked, this.last] = [
        shoe.shoe,
        null,
        [],
        new Set(),
        0,
        { round: 0, position: 0, reshuffled: false },
      ];
    const round: Form = state.round ?? {};
    const live =
      round.view && !round.reshuffled?.length
        ? round.placed.steps.filter(({ given }: Form) => given !== undefined).map(({ given }: Form) => given)
        : null;
    const { position } = shoe;
    if (round.view) this.begins(round.round, position, !live);
    const last = state.last?.shoe === this.shoe && !state.last.reshuffled ? state.last : null;
    last?.placed.places.forEach((place: number, i: number) => (this.places[last.pos + i] = place));
    live?.forEach((place: number, i: number) => (this.places[position + i] = place));
    const end = position + (live?.length ?? 0);
    if (end <= this.checked && ![...this.left].some((card) => card < position)) return;
    this.binding ??= await this.bindingOf(shoe);
    if (!this.binding) return;
    let missing = "";
    for (let i = 0; i < LOOKS; i++) {
      missing = await this.check(this.binding, position, end, last, live && { live, round });
      if (!missing) return;
      await pause(PAUSE);
    }
    throw unbound(missing);
  }

  /** Each round begins after all cards that were dealt before it, and none after one that was reshuffled. */
  begins(round: number, position: number, reshuffled: boolean) {
    const fits =
      round === this.last.round ? position === this.last.position : position >= this.checked && !this.last.reshuffled;
    if (!fits)
      throw unbound(
        `the house says that round ${round} began after ${position} cards of ${this.shoe}, of which ${this.checked} were dealt before`,
      );
    this.last = { round, position, reshuffled };
  }

  /** By the signed log; null as long as no checkpoint has the seal. */
  async bindingOf({ shoe, deck }: Form) {
    const [table, number] = tableOf(shoe);
    const { entries } = await this.log.shown(`${pathOf(table)}/shoes/${number}/proof`, 0);
    const seal = entries.find(({ entry }) => entry.kind === "seal" && entry.shoe === shoe);
    return seal ? new Binding(seal.entry.cards_root ?? "", cardsNamed(deck) ?? []) : null;
  }

  /** What the openings of now leave out, "" where that is nothing. Throws Alarm where one is false. */
  async check(
    binding: Binding,
    position: number,
    end: number,
    last: Form | null,
    open: { live: number[]; round: Form } | null,
  ): Promise<string> {
    const start = Math.min(this.checked, ...this.left);
    const forms = await this.fetched(start);
    if (!forms) return "";
    if (forms.length < end - start) return `the house shows ${end} cards of ${this.shoe}, and no openings of all`;
    for (let card = start; card < end; card++) {
      const form = forms[card - start];
      if (form === null && card >= position) {
        this.left.add(card);
        continue;
      }
      if (!isOpening(form)) throw unbound(`the house does not show that it bound card ${card + 1} of ${this.shoe}`);
      const place = this.places[card] ?? form.pos;
      if (form.pos !== place || !binding.binds(form))
        throw unbound(`what the house shows of place ${place} of ${this.shoe} does not lead to what it signed`);
      const wrong = binding.hold(form, last && card >= last.pos ? last.cards[card - last.pos] : undefined);
      if (wrong) throw unbound(`of ${this.shoe} ${wrong}`);
      this.left.delete(card);
    }
    this.checked = Math.max(this.checked, end);
    if (!open) return "";
    const bound = open.live.map((place) => binding.known.get(place)?.label);
    for (const label of [...open.round.view.hands, open.round.view.dealer].flatMap(({ cards }) => cards)) {
      if (label === null) continue;
      const at = bound.indexOf(label);
      if (at < 0) return `round ${open.round.round} shows ${label}, which the house did not bind there`;
      bound.splice(at, 1);
    }
    return "";
  }

  /** The openings from this card on; null where another shoe is in play by now. */
  async fetched(start: number): Promise<any[] | null> {
    const found: any[] = [];
    const { token } = this.book.sitting;
    for (;;) {
      const { shoe, openings } = jsonOf(
        await this.book.house.ask(`${pathOf(this.book.table)}/openings?from=${start + found.length}`, { token }),
      );
      if (shoe !== this.shoe) return null;
      found.push(...openings);
      if (openings.length < BATCH) return found;
    }
  }
}

/** What must not stop a seat: nobody answered, or no checkpoint has the shoe yet. */
export const isLater = (error: unknown) =>
  error instanceof Problem || (error instanceof FairshoeError && !(error instanceof Alarm));
