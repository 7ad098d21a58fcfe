// The second half of a shoe's life: its order is fixed. Draw, open, reshuffle, reveal.

import { FairshoeError, fromHex, toHex } from "../verifier/bytes.ts";
import { checkDraws, commitment, transcript } from "../verifier/fairshoe.ts";
import { isCount, must } from "../verifier/forms.ts";
import { leafHash, levelsOf, pathIn } from "../verifier/hashes.ts";
import { drawNamed, leafOf, reshuffled, salts, Shuffle } from "../verifier/shuffle.ts";
import { Opening } from "./opening.ts";
import type { Proof } from "../verifier/proof.ts";

export const OTHER_SHOE = "commit to another shoe";

/** Not allowed now: nothing was changed. */
export class RuleError extends FairshoeError {
  override name = "RuleError";

  constructor(what: string, where: string, remedy: string) {
    super(what, where, null, remedy);
  }
}

interface Parts {
  key: Uint8Array;
  shoe: string;
  deck: readonly string[];
  seeds?: readonly (readonly [string, Uint8Array])[];
  beacon?: readonly [string, number, string] | null;
  cut?: number;
  draws?: Readonly<Record<string, number>>;
}

/** What `reveal` writes, also of a shoe that is not revealed: it has the key. */
export let recordOf: (shoe: Sealed) => Proof;

/** A shoe whose order is fixed. Cards come position by position of the dealt order. */
export class Sealed {
  readonly shoe: string;
  readonly commitment: string;
  readonly deck: readonly string[];
  readonly draws: Readonly<Record<string, number>>;
  /** the present deck, as ascending indexes of the first one */
  gathered: readonly number[] = [];
  /** of the present deck */
  cut = 0;
  #key: Uint8Array;
  #seeds: readonly (readonly [string, Uint8Array])[];
  #beacon: readonly [string, number, string] | null;
  #first: string;
  #firstCut: number;
  #text: string;
  #cards!: Shuffle;
  #position = 0;
  #reshuffles: Proof["reshuffles"] = [];
  #tree: { salts: Uint8Array[]; levels: Uint8Array[][] } | null = null;
  #revealed: string | null = null;

  static {
    recordOf = (shoe) => shoe.#record();
  }

  /** Use `commit(…).seal()`, or this where you have all that goes into a shoe. */
  constructor({ key, shoe, deck, seeds = [], beacon = null, cut = 0, draws = {} }: Parts) {
    this.#text = this.#first = transcript({ key, shoe, deck, seeds, beacon });
    checkDraws(draws, deck.length);
    must(isCount(cut) && cut < deck.length, "cut", `0 to ${deck.length - 1}`);
    this.commitment = commitment(key);
    [this.shoe, this.deck, this.draws] = [shoe, [...deck], { ...draws }];
    [this.#key, this.#seeds, this.#beacon, this.#firstCut] = [key.slice(), [...seeds], beacon, cut];
    this.#begin(
      this.deck.map((_, i) => i),
      cut,
    );
  }

  #begin(gathered: readonly number[], cut: number) {
    [this.gathered, this.cut, this.#position] = [gathered, cut, 0];
    this.#cards = new Shuffle(this.#key, this.#text, gathered.length, cut);
  }

  /** T, with a line for each reshuffle */
  get transcript(): string {
    return this.#text;
  }

  /** of the next card */
  get position(): number {
    return this.#position;
  }

  /** cards of the present deck that have not been drawn */
  get left(): number {
    return this.gathered.length - this.#position;
  }

  get revealed(): boolean {
    return this.#revealed !== null;
  }

  /** The root that binds each card, 64 hex digits: publish it before the first card. After a reshuffle null. */
  get cardsRoot(): string | null {
    return this.#reshuffles.length ? null : toHex(this.#bound().levels.at(-1)?.[0] as Uint8Array);
  }

  /** Go on behind the first cards of the present deck, which were dealt before. */
  goTo(position: number): void {
    this.#stillSecret("goTo");
    must(isCount(position) && position <= this.gathered.length, "position", `0 to ${this.gathered.length}`);
    this.#position = position;
  }

  /** Take the next card: its label; or the next `count`, a list. */
  draw(): string;
  draw(count: number): string[];
  draw(count?: number): string | string[] {
    if (count === undefined) return this.deck[this.drawIndex()];
    this.#stillSecret("draw");
    must(isCount(count) && count >= 1, "count", "1 or more");
    if (count > this.left) throw new RuleError(`${this.left} cards are left`, "draw", "reshuffle the gathered cards");
    return Array.from({ length: count }, () => this.draw());
  }

  /** Take the next card: its index in the first deck. */
  drawIndex(): number {
    this.#stillSecret("draw");
    if (!this.left) throw new RuleError("the shoe is empty", "draw", "reshuffle the gathered cards");
    return this.gathered[this.#cards.at(this.#position++)];
  }

  /**
   * The card at a position of the dealt order, which anyone verifies against `cardsRoot` before the reveal.
   * @throws RuleError cards of a reshuffle have no openings
   */
  open(position: number): Opening {
    if (this.#reshuffles.length)
      throw new RuleError("cards of a reshuffle have no openings", "open", "reveal the shoe");
    must(isCount(position) && position < this.deck.length, "position", `0 to ${this.deck.length - 1}`);
    const { salts, levels } = this.#bound();
    const path = pathIn(levels, position).map(toHex);
    const label = this.deck[this.#cards.at(position)];
    return new Opening({ pos: position, n: this.deck.length, label, salt: toHex(salts[position]), path });
  }

  #bound() {
    if (this.#tree) return this.#tree;
    const stream = salts(this.#key, this.#first);
    const all = this.deck.map(() => stream.next().value);
    const leaves = all.map((salt, pos) => leafHash(leafOf(salt, this.deck[this.#cards.at(pos)])));
    return (this.#tree = { salts: all, levels: levelsOf(leaves) });
  }

  /** The whole dealt order of the present deck, as labels. */
  order(): string[] {
    return this.orderIndexes().map((card) => this.deck[card]);
  }

  /** The first labels of it, or all where there are fewer. */
  first(count: number): string[] {
    must(isCount(count), "count", "0 or more");
    return this.#cards.first(Math.min(count, this.gathered.length)).map((card) => this.deck[this.gathered[card]]);
  }

  /** The whole dealt order of the present deck, as indexes of the first one. */
  orderIndexes(): number[] {
    return this.#cards.first(this.gathered.length).map((card) => this.gathered[card]);
  }

  /** The value of a named draw that was listed at the commitment; no reshuffle changes it. */
  number(name: string): number {
    must(Object.hasOwn(this.draws, name), "name", "a draw that was listed when the shoe was committed to");
    return drawNamed(this.#key, this.#first, name, this.draws[name]);
  }

  /**
   * Gather cards in the middle of a deal and shuffle them anew under the same key.
   * @param gathered indexes of the first deck; they become the new deck in that deck's order
   * @param of cut: by the named draw `cut` under the longer transcript; false where the game's rules do not cut here
   */
  reshuffle(gathered: Iterable<number>, { cut = true }: { cut?: boolean } = {}): void {
    this.#stillSecret("reshuffle");
    const given = [...gathered];
    const indexes = [...new Set(given)].sort((a, b) => a - b);
    const known = indexes.every((card) => isCount(card) && card < this.deck.length);
    must(known && indexes.length === given.length && given.length > 0, "gathered", "distinct indexes of the deck");
    must(typeof cut === "boolean", "cut", "true or false: nobody chooses here");
    const labels = indexes.map((card) => this.deck[card]);
    this.#text = reshuffled(this.#text, this.#reshuffles.length + 1, labels);
    const at = cut ? drawNamed(this.#key, this.#text, "cut", labels.length) : null;
    this.#reshuffles.push([this.#position, indexes, at]);
    this.#begin(indexes, at ?? 0);
  }

  /** Publish the key: the proof, as JSON, that anyone verifies. Nothing is drawn afterwards; again it is the same. */
  reveal(): string {
    return (this.#revealed ??= JSON.stringify(this.#record(), null, 1));
  }

  #record(): Proof {
    return {
      protocol: "fairshoe/1",
      shoe: this.shoe,
      deck: [...this.deck],
      commitment: this.commitment,
      key: toHex(this.#key),
      seeds: this.#seeds.map(([who, seed]) => [who, toHex(seed)]),
      beacon: this.#beacon && [...this.#beacon],
      cut: this.#firstCut,
      draws: Object.fromEntries(Object.entries(this.draws).map(([name, below]) => [name, [below, this.number(name)]])),
      reshuffles: this.#reshuffles.map(([after, gathered, cut]) => [after, [...gathered], cut]),
      dealt: this.#position,
    };
  }

  #stillSecret(where: string) {
    if (this.revealed) throw new RuleError("the key is revealed, and with it every card", where, OTHER_SHOE);
  }
}

/** The shoe of a proof, as far as it was dealt. */
export function sealedOf(proof: Proof): Sealed {
  const { shoe, deck, beacon, cut, reshuffles, dealt } = proof;
  const seeds = proof.seeds.map(([who, seed]) => [who, fromHex(seed)] as const);
  const draws = Object.fromEntries(Object.entries(proof.draws).map(([name, [below]]) => [name, below]));
  const sealed = new Sealed({ key: fromHex(proof.key), shoe, deck, seeds, beacon, cut, draws });
  for (const [after, gathered, at] of reshuffles) {
    sealed.goTo(after);
    sealed.reshuffle(gathered, { cut: at !== null });
  }
  sealed.goTo(dealt);
  return sealed;
}
