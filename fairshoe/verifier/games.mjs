// The six games by name, and what their options may be.

import { banker } from "./games/banker.mjs";
import { boxes } from "./games/boxes.mjs";
import { casino } from "./games/casino.mjs";
import { chinese } from "./games/chinese.mjs";
import { lounge } from "./games/lounge.mjs";
import { pontoon } from "./games/pontoon.mjs";

/**
 * @typedef {object} Game
 * @property {string} name
 * @property {boolean} many whether a shoe serves many rounds
 * @property {boolean} even whether bets are even (GE-04)
 * @property {number} cover how many times its bet a purse must hold
 * @property {Record<string, any>} options each with its range: [least, most], [least], names or a function
 * @property {(options: Record<string, any>) => [number, number]} chairs
 * @property {(options: Record<string, any>) => Record<string, number>} draws
 * @property {(labels: string[]) => number} [total] where it is not GE-02's
 * @property {(round: import("./games/round.mjs").Round) => void} play
 */

/** @type {Record<string, Game>} */
export const GAMES = { banker, boxes, casino, chinese, lounge, pontoon };

/**
 * The first option that is missing, unknown or out of its range; nothing where all fit.
 * @param {Game} game
 * @param {Record<string, any>} options
 * @returns {string | undefined}
 */
export function wrongOption(game, options) {
  for (const name of Object.keys(options)) if (!Object.hasOwn(game.options, name)) return name;
  return Object.keys(game.options).find((name) => !fits(game.options[name], options[name], options));
}

/** @param {any} rule @param {unknown} value @param {Record<string, any>} options */
function fits(rule, value, options) {
  const range = typeof rule === "function" ? rule(options) : rule[0] === "minimum" ? [options.minimum] : rule;
  if (typeof range[0] !== "number") return range.includes(value);
  return Number.isInteger(value) && Number(value) >= range[0] && Number(value) <= (range[1] ?? Number.MAX_SAFE_INTEGER);
}
