// What a seat may see at a step, as the `view` of a receipt has it (receipts.md, "What one says").

import { chipsIn, totalOf } from "./steps/rounds.mjs";

/** @typedef {import("./state.mjs").Table} Table @typedef {import("./state.mjs").Shoe} Shoe @typedef {import("./games/round.mjs").Round} Round */
/** @typedef {import("./games/round.mjs").Due} Due */

/** @param {Table} table @param {number} seat @param {string} player @returns {Record<string, any>} */
export function viewOf(table, seat, player) {
  const chair = table.chairs.get(seat);
  return { bank: table.bank, chips: chair?.player === player ? chair.chips : null, shoe: table.shoe ? shoeView(table.shoe) : null };
}

/** @param {Shoe} shoe */
function shoeView({ id, commitment, roster, hashes, seeds, struck, cut, sealed }) {
  return {
    shoe: id, commitment, roster, hashes: Object.fromEntries(hashes), opened: [...seeds.keys()], sealed: sealed > 0,
    struck: roster.filter((player) => struck.has(player)),
    cut: cut ?? null,
  };
}

/**
 * A round in the middle, or at its end.
 * @param {Table} table
 * @param {Round} round
 * @param {Due | null} due whose turn it is; null: it is over
 * @param {number} seat who looks
 * @returns {Record<string, any>}
 */
export function roundView(table, round, due, seat) {
  const sees = (/** @type {number} */ offset) => !due || (round.hidden.get(offset) ?? seat) === seat;
  const shown = (/** @type {number[]} */ offsets) => ({
    cards: offsets.map((offset) => (sees(offset) ? round.cards[offset] : null)),
    total: offsets.every(sees) ? totalOf(table, round, offsets) : null,
  });
  const hands = round.hands.map(({ seat: of, box = of, bet, cards, insured, outcome, net, short }) => ({
    seat: of, box, bet, ...shown(cards), ...(insured && { insured }), ...(outcome && { outcome, net }), ...(short && { short }),
  }));
  const view = { chips: chipsIn(table, round), dealer: shown(round.bank), hands, over: !due };
  if (!due) return view;
  const { step, ways, moves } = due;
  if (due.seat !== seat) return { ...view, turn: due.seat };
  return { ...view, turn: seat, step, hand: ways.hand ? round.hands.indexOf(ways.hand) : -1, moves: moves.map((move) => moveView(move, ways)) };
}

/** @param {string} move @param {import("./games/round.mjs").Ways} ways */
function moveView(move, { amount, among = [] }) {
  const [low, high] = amount?.[move] ?? [];
  if (move === "reveal") return { move, among, fewest: 1, most: among.length };
  return low === undefined ? { move } : { move, low, high };
}
