// The cards of a shoe, as their openings come (docs/protocol.md, openings): each leads to the root that the house signed.
// With a placer (docs/placer-protocol.md) that was before its place was given, and it is the card of the deck that its
// number says.

import { attempt, equal, fromHex, hasUnpaired, InputError, utf8 } from "./bytes.ts";
import { isHex } from "./forms.ts";
import { leafHash, rootFromPath } from "./hashes.ts";
import { parseInProfile } from "./json.ts";
import { leafOf } from "./shuffle.ts";

export type Opening = { pos: number; n: number; label: string; number?: number; salt: string; path: string[] };

const MOST_HASHES = 16; // of a path

/** @returns whether it has the form of an opening */
export function isOpening(form: any): boolean {
  const { pos, n, label, number = 0, salt, path, ...rest } = form ?? {};
  const whole = [pos, n, number].every((value) => Number.isInteger(value) && value >= 0 && value <= 65536);
  return (
    whole &&
    !Object.keys(rest).length &&
    typeof label === "string" &&
    !hasUnpaired(label) &&
    isHex(salt, 16, 16) &&
    Array.isArray(path) &&
    path.length <= MOST_HASHES &&
    path.every((one) => isHex(one, 32, 32))
  );
}

/** @returns the root to which it leads; null where it leads nowhere */
export const rootOfOpening = ({ pos, n, label, number, salt, path }: Opening): Uint8Array | null =>
  number === 65536
    ? null
    : rootFromPath(
        leafHash(leafOf(fromHex(salt), label, number)),
        pos,
        n,
        path.map((each) => fromHex(each)),
      );

/** Openings by their shoe, of lines as `fairshoe pull` keeps them. */
export function readOpenings(text: string): Map<string, Opening[]> {
  const found: Map<string, Opening[]> = new Map();
  for (const line of text.split("\n").filter(Boolean)) {
    const form = readOpening(line);
    if (!form) throw new InputError("openings that are none", "--openings", '{"shoe": …, "opening": …} on each line');
    found.set(form.shoe, [...(found.get(form.shoe) ?? []), form.opening]);
  }
  return found;
}

const readOpening = (line: string): { shoe: string; opening: Opening } | null =>
  attempt(() => {
    const { shoe, opening } = parseInProfile(utf8(line));
    return typeof shoe === "string" && isOpening(opening) ? { shoe, opening } : null;
  }, null);

/** The cards of one order. */
export class Binding {
  declare root: Uint8Array<ArrayBufferLike>;
  declare deck: readonly string[];
  declare numbered: boolean;
  /** by their places */
  known: Map<number, Opening> = new Map();
  /** the places of the deck's cards by their numbers */
  places: Map<number, number> = new Map();

  /** `root`: signed by the house, in hex; `deck`: the present one's labels; `numbered`: with a placer. */
  constructor(root: string, deck: readonly string[], numbered: boolean = true) {
    this.root = fromHex(root);
    this.deck = deck;
    this.numbered = numbered;
  }

  /** Whether the house signed this card at this place. */
  binds(opening: Opening) {
    if (opening.n !== this.deck.length || (opening.number !== undefined) !== this.numbered) return false;
    const head = rootOfOpening(opening);
    return head !== null && equal(head, this.root);
  }

  /** Take a card that is bound. `shown`: its label as it was shown. Returns what is wrong with it, "" if nothing is. */
  hold(opening: Opening, shown: string = opening.label): string {
    const { pos, number, label } = opening;
    this.known.set(pos, opening);
    if (number !== undefined) {
      const before = this.places.get(number) ?? pos;
      this.places.set(number, before);
      if (this.deck[number] !== label) return `it bound ${label} as card ${number} of the deck, which is another one`;
      if (before !== pos) return `it bound card ${number} of the deck at places ${before} and ${pos}`;
    }
    return label === shown ? "" : `the card at place ${pos} is ${label}, and ${shown} was shown`;
  }
}
