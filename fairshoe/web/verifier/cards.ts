// Cards: labels such as "Ah", decks of them and their hashes (docs/protocol.md section 3), and what a hand counts.

import { toHex, utf8 } from "./bytes.ts";
import { must } from "./forms.ts";
import { sha256 } from "./hashes.ts";

export interface Deck {
  /** a shoe of several packs names it with their number: `french:6` */
  name: string;
  /** the labels of one pack, in their order */
  pack: readonly string[];
  /** what each rank, a label's first letter, counts; an ace 1 */
  values: Readonly<Record<string, number>>;
}

export const FRENCH: Deck = {
  name: "french",
  pack: [..."cdhs"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit)),
  values: { A: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, T: 10, J: 10, Q: 10, K: 10 },
};

/** @returns the labels of so many packs */
export const packsOf = ({ pack }: Deck, packs: number): string[] => Array.from({ length: packs }, () => pack).flat();

/** Ac 2c … Kc Ad … Ks, for each of 1 to 1260 packs. */
export function french(packs: number): string[] {
  must(Number.isInteger(packs) && packs >= 1 && packs <= 1260, "packs", "1 to 1260");
  return packsOf(FRENCH, packs);
}

/** @returns SHA-256 over every label followed by LF, in hex */
export const deckHash = (deck: readonly string[]): string =>
  toHex(sha256(utf8(deck.map((label) => `${label}\n`).join(""))));

// What a hand counts.

/** @param label its rank: A, 2 … 9, T, J, Q or K */
export function rank(label: string) {
  return label[0];
}

/** A label's value: an ace counts 1 here, T J Q K ten. `values`: of its deck. */
export function value(label: string, values: Readonly<Record<string, number>> = FRENCH.values) {
  return values[rank(label)] ?? 0;
}

/** The total of a hand (GE-02): aces 1, and one of them 11 where that is no bust. `values`: of their deck. */
export function count(labels: string[], values?: Readonly<Record<string, number>>): { total: number; soft: boolean } {
  let total = 0;
  let ace = false;
  for (const label of labels) {
    total += value(label, values);
    ace ||= rank(label) === "A";
  }
  const soft = ace && total + 10 <= 21;
  return { total: soft ? total + 10 : total, soft };
}

/** Whether these are an ace and a ten-value, two cards in all (GE-03). `values`: of their deck. */
export function isNatural(labels: string[], values?: Readonly<Record<string, number>>) {
  return labels.length === 2 && count(labels, values).total === 21;
}
