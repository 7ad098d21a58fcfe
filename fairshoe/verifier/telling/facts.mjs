// What the entries of a round say: each thing where it stands, and the orders from which its cards came.

import { fromHex } from "../bytes.mjs";
import { cardsNamed } from "../games.mjs";
import { drawNamed } from "../shuffle.mjs";
import { reshuffled, transcript } from "../transcript.mjs";
import { trace } from "./trace.mjs";

/** @typedef {import("../audit.mjs").Entry} Entry @typedef {{index: number, entry: Entry}} Placed */

/**
 * @typedef {object} Facts
 * @property {Placed[]} entries
 * @property {number} number of the round
 * @property {Entry} table
 * @property {Entry} shoe
 * @property {Entry | undefined} seeds
 * @property {Entry | undefined} seal
 * @property {Entry} open
 * @property {Entry[]} rounds of the shoe that were shuffled anew, and this one
 * @property {Entry | undefined} round
 * @property {Entry[]} reshuffles
 * @property {Entry | undefined} end reveal, void or lost
 * @property {[string, string][]} contributed each seed in the roster's order
 * @property {{at: number, by?: string} | undefined} cut as somebody chose it, or as it was drawn
 * @property {string} text T of the seal
 */

/** @param {Placed[]} entries @param {number} number @returns {Facts} */
export function factsOf(entries, number) {
  /** @param {...string} kinds @returns {Entry[]} */
  const all = (...kinds) => entries.map(({ entry }) => entry).filter(({ kind }) => kinds.includes(kind));
  const [[table], [shoe], [seeds], [seal], [end]] = [all("table"), all("shoe"), all("seeds"), all("seal"), all("reveal", "void", "lost")];
  /** @type {Map<string, string>} */
  const given = new Map(all("opened").map(({ player, seed }) => [player, seed]));
  const reshuffles = all("reshuffle").filter(({ round }) => round <= number);
  const rounds = all("round").filter(({ round }) => round === number || reshuffles.some((one) => one.round === round && round < number));
  const contributed = shoe.roster.flatMap((/** @type {string} */ player) => (given.has(player) ? [[player, given.get(player)]] : []));
  const text = transcript({
    shoe: shoe.shoe, deck: deckIn(shoe), commitment: shoe.commitment,
    seeds: contributed.map((/** @type {string[]} */ [player, seed]) => [player, fromHex(seed)]),
  });
  const { draws } = shoe;
  const drawn = draws.cut !== undefined && end?.kind === "reveal" ? { at: drawNamed(fromHex(end.key), text, "cut", draws.cut) } : undefined;
  return {
    entries, number, table, shoe, seeds, seal, end, rounds, reshuffles, contributed, text,
    open: all("open").filter(({ round }) => round === number)[0],
    round: rounds.find(({ round }) => round === number),
    cut: [...all("seeds"), ...all("opened")].find(({ cut }) => cut)?.cut ?? drawn,
  };
}

/** @param {Entry} shoe @returns {string[]} no card where its deck is none of a table's */
const deckIn = ({ deck }) => cardsNamed(deck) ?? [];

/** @param {Facts} facts @param {Entry} round @returns {{anew: Entry | null, first: number, positions: number[]}[]} its cards by the deck they came from */
export function segmentsOf({ reshuffles }, round) {
  const starts = [null, ...reshuffles.filter((one) => one.round === round.round)];
  return starts.map((anew, i) => {
    const first = anew?.after ?? 0;
    const from = !anew ? round.pos : anew.burn === undefined ? 0 : 1;
    const length = Math.max(0, (starts[i + 1]?.after ?? round.cards.length) - first);
    return { anew, first, positions: Array.from({ length }, (_, j) => from + j) };
  });
}

/** @param {Facts} facts @param {string} key hex @returns {(import("./trace.mjs").Order & {first: number, labels: string[]})[]} those of the round */
export function ordersOf(facts, key) {
  const deck = deckIn(facts.shoe);
  let { text } = facts;
  let cut = facts.cut?.at ?? 0;
  let indexes = deck.map((_, i) => i);
  let k = 0;
  const all = facts.rounds.map((round) => {
    const lying = new Set();
    return segmentsOf(facts, round).map(({ anew, first, positions }) => {
      if (anew) {
        indexes = deck.map((_, i) => i).filter((i) => !lying.has(i));
        text = reshuffled(text, ++k, indexes.map((i) => deck[i]));
        cut = anew.cut ?? 0;
      }
      const order = trace(fromHex(key), { text, k: anew ? k : 0, size: indexes.length, cut, positions: positions.filter((position) => position < indexes.length) });
      const cards = order.cards.map((card) => indexes[card]);
      for (const card of cards) lying.add(card);
      return { ...order, first, labels: cards.map((card) => deck[card]) };
    });
  });
  return all[all.length - 1];
}
