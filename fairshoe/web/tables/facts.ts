// What a table plays, in short: stakes, edge, who places the cards, and the options that are off their default.

import { meanOf } from "../player/chance.ts";
import { GAMES } from "../verifier/games.ts";
import { BUY_IN, TO_POOL } from "../verifier/games/lounge.ts";
import { hasWords, locale, make, say } from "./build.ts";
import type { RuleSets, TableState } from "../player/types.ts";

export type Options = Record<string, number | boolean | string>;

/** Options that `stakes` tells. */
const STAKES = ["minimum", "maximum", "gift"];
/** What a game out of a pool costs, and where that goes. */
export const PRICE = { buy_in: BUY_IN, to_pool: TO_POOL, fee: BUY_IN - TO_POOL };

/** The most chips that the house moves at once. */
export const MAX_CHIPS = 2 ** 52;

/** What a seat costs, where the rules fix it. */
export const priceOf = (rules: string) => (GAMES[rules].pool ? BUY_IN : undefined);

/** Whether a game out of a pool is being played: nobody buys in until its pool is empty (LO-02). */
export const gameRuns = ({ rules, chips, round, last }: TableState) =>
  Boolean(GAMES[rules].pool && chips.pool && (round || last?.chips.pool === chips.pool));

/** The chips that the least bet takes. */
export const lowestOf = ({ rules, options }: TableState) => Number(options.minimum ?? 1) * GAMES[rules].cover;

/** That price in words, for where it is paid. */
export const costsOf = (rules: string) => GAMES[rules].pool && make("p.costs", {}, say("edge.pool", PRICE));

/** The options, with the least and greatest bet that one can make: in games with even bets both are even (GE-04). */
export function withLegalBets(rules: string, options: Options): Options {
  const [low, high] = [Number(options.minimum), Number(options.maximum)];
  return GAMES[rules].even ? { ...options, minimum: low + (low % 2), maximum: high - (high % 2) } : options;
}

export function stakes(rules: string, options: Options) {
  const { minimum, maximum, gift } = withLegalBets(rules, options);
  return gift
    ? say("stakes.gift", { gift: Number(gift) })
    : say("stakes", { low: Number(minimum), high: Number(maximum) });
}

/** The edge by the reference strategy, where it is known; of a pool what it costs, before it is paid. "" for none. */
export function edgeOf(rules: string, options: Options): string {
  const { pool, bank } = GAMES[rules];
  if (pool) return say("edge.pool", PRICE);
  const mean = meanOf(rules, options);
  const form = { style: "percent", maximumFractionDigits: 1, signDisplay: "negative" } as const;
  return mean === null ? "" : say(bank ? "edge.bank" : "edge.house", { edge: (-mean).toLocaleString(locale, form) });
}

/** @param placer its key, or `player` */
export const placedBy = (placer = "") =>
  placer === "player" || !placer ? say(`placed.${placer || "house"}`) : say("placed.by", { who: placer.split("+")[0] });

/** The time limits of the players. */
export const limitsOf = ({ bet, decision, seed }: TableState["policy"]) => say("limits.told", { bet, decision, seed });

/** How many lapsed limits put a player out, where they do. */
export const lapsesOf = ({ lapses }: { lapses?: number }) => (lapses ? say("lapses.told", { lapses }) : "");

/** The names of a table's options that are off their default. */
export function changedOptions(rules: string, options: Options, { rules: sets }: RuleSets): string[] {
  const defaults = sets.find(({ name }) => name === rules)?.options ?? {};
  return Object.keys(options).filter((name) => !STAKES.includes(name) && options[name] !== defaults[name]);
}

export const optionText = (name: string, value: Options[string]) =>
  say(`option.${name}`) + (value === true ? "" : `: ${wordOf(value)}`);

/** An option's value as people say it. */
export function wordOf(value: Options[string]): string {
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  return hasWords(`value.${value}`) ? say(`value.${value}`) : String(value);
}

/** A link to a table's rules, or to a clause of them. */
export const rulesLink = (table: string, text: string, clause = "") =>
  make("a", { href: `/tables/${encodeURIComponent(table)}/rules${clause && `#${clause}`}` }, text);
