// The games by name, and what each is beside its rules: its options, its deck, who banks, who cuts. Nothing else knows
// which games there are: a new one is a file in games/ and its name in GAMES.

import { packsOf } from "./cards.mjs";
import { banker } from "./games/banker.mjs";
import { boxes } from "./games/boxes.mjs";
import { casino } from "./games/casino.mjs";
import { chinese } from "./games/chinese.mjs";
import { lounge } from "./games/lounge.mjs";
import { pontoon } from "./games/pontoon.mjs";
import { MOST_BET } from "./forms.mjs";

/** @typedef {import("./cards.mjs").Deck} Deck */

/**
 * @typedef {object} Game
 * @property {string} name
 * @property {Deck} deck of which the option `packs` says how many packs
 * @property {boolean} many whether a shoe serves many rounds
 * @property {boolean} even whether bets are even (GE-04)
 * @property {number} cover how many times its bet a purse must hold
 * @property {Record<string, unknown[] | ((options: Record<string, any>) => unknown[])>} options each with its range: [least, most], [least] of an amount, values or a function
 * @property {Record<string, unknown>} [defaults] of the options that version 1 of the log does not list: they stand in a log only where they are something else
 * @property {(options: Record<string, any>) => [number, number]} chairs
 * @property {(options: Record<string, any>) => Record<string, number>} draws
 * @property {"rotates" | "changes"} [bank] among the seats: in turn (CH-03), or to who was dealt a natural (PO-33); else the house banks
 * @property {boolean} [pool] whether gifts are played for, out of a pool that everybody paid into
 * @property {number} [boxes] how many betting places there are, where a seat may bet on several
 * @property {"turn" | "right" | "anybody"} [cuts] who may cut: the named cutter, clockwise in turn or on the dealer's right; or any chair but the dealer's
 * @property {boolean} [burns] whether the first card is burned, and a deck that was reshuffled is cut once more
 * @property {(labels: string[]) => number} [total] where it is not GE-02's
 * @property {(round: import("./games/round.mjs").Round) => void} play
 */

/** @type {Record<string, Game>} */
export const GAMES = { banker, boxes, casino, chinese, lounge, pontoon };

const MOST_PACKS = 8; // log.md, "Bounds"

/** @param {unknown} name as a shoe names its deck @returns {{deck: Deck, packs: number} | null} null where no game has such a deck */
export function deckNamed(name) {
  const [, of, packs] = (typeof name === "string" && /^([a-z]+):([1-9][0-9]*)$/.exec(name)) || [];
  const game = Object.values(GAMES).find(({ deck }) => deck.name === of);
  return game ? { deck: game.deck, packs: Number(packs) } : null;
}

/** @param {string} name @returns {string[] | null} its cards before the shuffle; null where a table has no such deck */
export function cardsNamed(name) {
  const found = deckNamed(name);
  return found && found.packs <= MOST_PACKS ? packsOf(found.deck, found.packs) : null;
}

/**
 * The first option that is missing, unknown, out of its range, or there without need; nothing where all fit.
 * @param {Game} game
 * @param {Record<string, any>} options
 * @returns {string | undefined}
 */
export function wrongOption(game, options) {
  const { defaults = {} } = game;
  for (const name of Object.keys(options)) if (!Object.hasOwn(game.options, name)) return name;
  return Object.keys(game.options).find((name) => {
    const later = Object.hasOwn(defaults, name);
    if (later && !Object.hasOwn(options, name)) return false;
    return !fits(game.options[name], options[name], options) || (later && options[name] === defaults[name]);
  });
}

/** @param {any} rule @param {unknown} value @param {Record<string, any>} options */
function fits(rule, value, options) {
  const range = typeof rule === "function" ? rule(options) : rule[0] === "minimum" ? [options.minimum] : rule;
  if (typeof range[0] !== "number") return range.includes(value);
  return Number.isInteger(value) && Number(value) >= range[0] && Number(value) <= (range[1] ?? MOST_BET);
}
