// What entries tell of the cards and numbers of a shoe without a table (log.md, `drawn` and `shown`).

import { placeUpTo } from "./forms.ts";

/** Hidden cards that one entry told. */
interface HiddenRun {
  size: number;
  /** "": nobody's */
  to: string;
  shown: Set<number>;
}

/** A card that an entry tells. */
export interface ToldCard {
  entry: number;
  field: string;
  pos: number;
  label: string;
}

/** What entries tell of a shoe. */
export class ToldCards {
  cards: ToldCard[] = [];
  /** how many were drawn */
  drawn: number = 0;
  numbers: { entry: number; name: string; value: number }[] = [];
  names: Set<string> = new Set();
  /** where each run begins, and what is hidden of it, if anything is */
  starts: number[] = [];
  runs: (HiddenRun | null)[] = [];
  /** those of the deck, once they were needed */
  declare labels: Set<string> | undefined;

  /** reshuffles: where the new order begins, the positions of cards that stay out, what binds the order */
  gathers: { pos: number; out: number[]; root: string; entry: number }[] = [];

  /** the position of the first card of the present order */
  get start(): number {
    return this.gathers.at(-1)?.pos ?? 0;
  }

  /** @returns whether the card of a drawn position was not gathered since */
  liesOut(pos: number): boolean {
    const out = this.gathers.at(-1)?.out ?? [];
    return pos >= this.start || out[placeUpTo(out, pos)] === pos;
  }

  /** @returns the run of a hidden card at a position */
  hiddenAt(pos: number): HiddenRun | null {
    const place = placeUpTo(this.starts, pos);
    const run = this.runs[place];
    return run && pos < this.starts[place] + run.size ? run : null;
  }

  /** @returns by player, "" for nobody: hidden cards, and those of them that nobody has shown */
  counts(): Map<string, [number, number]> {
    const found: Map<string, [number, number]> = new Map();
    for (const run of this.runs) {
      if (!run) continue;
      const [all, left] = found.get(run.to) ?? [0, 0];
      found.set(run.to, [all + run.size, left + run.size - run.shown.size]);
    }
    return found;
  }
}
