// What hands give by chance: how much the game gives for such bets, and how far from it chance leaves a player.

import type { Hand } from "./types.ts";

/** of a table */
type Options = Record<string, number | boolean | string>;

/** Options that change no round's result in units of its bet, whatever they say. */
export const NEUTRAL = [
  "minimum",
  "maximum",
  "gift",
  "insert",
  "participants",
  "rotation",
  "first_dealer",
  "direction",
  "fewest",
];
const CHINESE = { escape: true, free_hand: false, five_dragon_21_triple: false, twenty_one_double: false };
/** For one bet of 1 by the reference strategy (docs/report.md): mean, variance, covariance with another bet. */
export const GIVES: Record<string, { options: Options; gives: [mean: number, variance: number, covariance: number] }> =
  {
    banker: { options: { packs: 6 }, gives: [-0.008486, 1.24547, 0] },
    boxes: { options: { packs: 8 }, gives: [-0.0110384, 1.2536311, 0.4594377] },
    casino: { options: { packs: 6 }, gives: [-0.0073764, 1.2456496, 0.4525981] },
    chinese: { options: { packs: 1, ...CHINESE }, gives: [0.000181, 1.2490071, 0.4904516] },
    lounge: { options: { packs: 6 }, gives: [0.478886, 0.3427479, 0.1283805] },
    pontoon: { options: { packs: 1 }, gives: [-0.0925991, 1.6011145, 0.6260063] },
  };

/** Whether the options give the same as the known ones. */
const sameOptions = (options: Options, known: Options) =>
  Object.entries(options).every(([name, value]) => NEUTRAL.includes(name) || known[name] === value);

/** @returns what a bet of 1 wins on average by the reference strategy; null where nobody has counted it */
export function meanOf(rules: string, options: Options): number | null {
  const known = GIVES[rules];
  return known && sameOptions(options, known.options) ? known.gives[0] : null;
}
/** Standard deviations on each side that leave 19 of 20 players inside. */
const BAND = 1.96;
/** Rounds below which the band would be too rough to be shown. */
const FEWEST = 20;

/** Luck in checked hands; null for too few. Returns `share`: of players whom chance leaves as far from the mean. */
export function chanceOf(
  hands: Hand[],
): { rounds: number; net: number; mean: number; low: number; high: number; share: number } | null {
  let [rounds, net, mean, variance] = [0, 0, 0, 0];
  for (const { rules, options, bets = [], banked, net: won } of hands) {
    const known = GIVES[rules];
    if (!bets.length || !known || !options || !sameOptions(options, known.options)) continue;
    const [gives, spread, together] = known.gives;
    const sum = bets.reduce((all, bet) => all + bet, 0);
    const squares = bets.reduce((all, bet) => all + bet * bet, 0);
    rounds += 1;
    net += won;
    mean += (banked ? -gives : gives) * sum;
    variance += spread * squares + together * (sum * sum - squares);
  }
  if (rounds < FEWEST) return null;
  const spread = Math.sqrt(variance);
  return {
    rounds,
    net,
    mean,
    low: mean - BAND * spread,
    high: mean + BAND * spread,
    share: tails(Math.abs(net - mean) / spread),
  };
}

/** The share of a normal distribution beyond `z` standard deviations (Abramowitz and Stegun 7.1.26). */
function tails(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  return (
    Math.exp(-x * x) * t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  );
}
