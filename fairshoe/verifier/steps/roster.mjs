// Who contributes to a shoe, who cuts, and in which order seeds are opened (log.md, "Who contributes").

/** @typedef {import("../state.mjs").Table} Table @typedef {import("../state.mjs").Chair} Chair @typedef {import("../state.mjs").Shoe} Shoe */

/**
 * @param {Table} table
 * @param {number[]} away seats that are left out, since they let two limits pass
 * @returns {Chair[]} in the order of their chairs
 */
export function rosterOf(table, away) {
  const here = table.seated.filter((chair) => !away.includes(chair.seat));
  const bets = (/** @type {Chair} */ chair) => !table.banks(chair) && table.canBet(chair);
  const owing = (/** @type {Chair} */ chair) => (table.debts.get(chair.player)?.shoes.size ?? 0) > 0;
  const fresh = (/** @type {Chair} */ chair) => chair.fresh && !table.banks(chair);
  const settled = here.filter((chair) => !table.debts.has(chair.player));
  const first = settled.filter((chair) => !fresh(chair));
  for (const chairs of [first, settled]) if (chairs.some(bets)) return chairs;
  const then = here.filter((chair) => !owing(chair));
  return then.length ? then : here;
}

/** @param {Table} table @returns {Chair | undefined} who may cut, where the rules name one */
export function cutterOf(table) {
  const { seated } = table;
  if (table.game.name === "casino") return seated.find((chair) => chair.seat > table.turn) ?? seated[0];
  return table.game.name === "chinese" ? table.acting(seated).at(-1) : undefined;
}

/** @param {Shoe} shoe @returns {string | undefined} whose seed is opened next: the newest chair's */
export function nextToOpen(shoe) {
  const { table, waiting } = shoe;
  if (!table) return [...shoe.roster].reverse().find((player) => waiting.includes(player));
  const since = (/** @type {string} */ player) => table.chairOf(player)?.since ?? -1;
  return waiting.sort((a, b) => since(b) - since(a))[0];
}
