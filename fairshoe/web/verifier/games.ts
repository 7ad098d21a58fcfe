// The games by name, and what each is beside its rules: its options, its deck, who banks, who cuts. Nothing else knows
// which games there are: a new one is a file in games/ and its name in GAMES.

import { packsOf } from "./cards.ts";
import { banker } from "./games/banker.ts";
import { boxes } from "./games/boxes.ts";
import { casino } from "./games/casino.ts";
import { chinese } from "./games/chinese.ts";
import { lounge } from "./games/lounge.ts";
import { pontoon } from "./games/pontoon.ts";
import { MOST_BET } from "./forms.ts";
import type { Deck } from "./cards.ts";
import type { Round } from "./games/round.ts";

export interface Game {
  /** of which the option `packs` says how many packs */
  deck: Deck;
  /** whether a shoe serves many rounds */
  many?: boolean;
  /** whether bets are even (GE-04) */
  even?: boolean;
  /** how many times its bet a purse must hold */
  cover: number;
  /** each with its range: [least, most], [least] of an amount, values or a function */
  options: Record<string, unknown[] | ((options: Record<string, any>) => unknown[])>;
  /** of the options that version 1 of the log does not list: they stand in a log only where they are something else */
  defaults?: Record<string, unknown>;
  chairs: (options: Record<string, any>) => [number, number];
  draws: (options: Record<string, any>) => Record<string, number>;
  /** among the seats: in turn (CH-03), or to who was dealt a natural (PO-33); else the house banks */
  bank?: "rotates" | "changes";
  /** whether gifts are played for, out of a pool that everybody paid into */
  pool?: boolean;
  /** how many betting places there are, where a seat may bet on several */
  boxes?: number;
  /** who may cut: the named cutter, clockwise in turn or on the dealer's right; or any chair but the dealer's */
  cuts?: "turn" | "right" | "anybody";
  /** whether the first card is burned, and a deck that was reshuffled is cut once more */
  burns?: boolean;
  /** where it is not GE-02's */
  total?: (labels: string[]) => number;
  play: (round: Round) => void;
}

export const GAMES: Record<string, Game> = { banker, boxes, casino, chinese, lounge, pontoon };

/** The cards before the shuffle of a deck of at most 8 packs (log.md, "Bounds"), by its name; null where no game has it. */
export function cardsNamed(name: string): string[] | null {
  const [, of, packs] = /^([a-z]+):([1-8])$/.exec(name) ?? [];
  const game = Object.values(GAMES).find(({ deck }) => deck.name === of);
  return game ? packsOf(game.deck, Number(packs)) : null;
}

/** The first option that is missing, unknown, out of its range, or there without need; nothing where all fit. */
export function wrongOption(game: Game, options: Record<string, any>): string | undefined {
  const { defaults = {} } = game;
  for (const name of Object.keys(options)) if (!Object.hasOwn(game.options, name)) return name;
  return Object.keys(game.options).find((name) => {
    const later = Object.hasOwn(defaults, name);
    if (later && !Object.hasOwn(options, name)) return false;
    return !fits(rangeOf(game, options, name), options[name]) || (later && options[name] === defaults[name]);
  });
}

/** What an option may be: a least and a greatest number, or a list of words. Nothing for one that the game does not have. */
export function rangeOf(game: Game, options: Record<string, any>, name: string): any {
  const rule = game.options[name];
  return typeof rule === "function" ? rule(options) : rule?.[0] === "minimum" ? [options.minimum] : rule;
}

function fits(range: any, value: unknown) {
  if (typeof range[0] !== "number") return range.includes(value);
  return Number.isInteger(value) && Number(value) >= range[0] && Number(value) <= (range[1] ?? MOST_BET);
}
