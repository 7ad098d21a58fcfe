// Who contributes to a shoe, who cuts, and in which order seeds are opened (log.md, "Who contributes").

/** @typedef {import("../state.mjs").Table} Table @typedef {import("../state.mjs").Chair} Chair @typedef {import("../state.mjs").Shoe} Shoe */

/** @typedef {Record<"roster" | "owes" | "waits" | "away", Chair[]>} Places where everybody who sits stands, each list in the order of the chairs */

/** @param {Table} table @param {Chair[]} left those who are left out since they let two limits pass @param {boolean} first whether it is to find a banker @returns {Places} */
export function placesOf(table, left, first) {
  const { seated, debts } = table;
  const here = seated.filter((chair) => !left.includes(chair));
  const plays = (/** @type {Chair} */ chair) => (first ? table.covers(chair) : table.couldBet(chair));
  const owing = (/** @type {Chair} */ { player }) => (debts.get(player)?.shoes.size ?? 0) > 0;
  const fresh = (/** @type {Chair} */ chair) => chair.fresh && !table.banks(chair);
  const settled = here.filter(({ player }) => !debts.has(player));
  const handedIn = here.filter((chair) => !owing(chair));
  const roster = [settled.filter((chair) => !fresh(chair)), settled].find((chairs) => chairs.some(plays)) ?? (handedIn.length ? handedIn : here);
  /** @type {Places} */
  const places = { roster, owes: [], waits: [], away: [] };
  for (const chair of seated) {
    if (!roster.includes(chair)) places[debts.has(chair.player) ? "owes" : fresh(chair) ? "waits" : "away"].push(chair);
  }
  return places;
}

/**
 * The chair that the rules name to cut, if its player is in the roster.
 * @param {Table} table
 * @param {boolean} known whether it is known whose turn it was before; else it may be any chair's turn
 * @returns {Chair[]} one of these; none where the rules name nobody
 */
export function cuttersOf(table, known) {
  const { game, seated, turn } = table;
  if (game.cuts === "right") return table.acting(seated).slice(-1);
  if (game.cuts !== "turn") return [];
  return known ? [seated.find(({ seat }) => seat > turn) ?? seated[0]] : seated;
}

/** @param {Shoe} shoe @returns {string | undefined} whose seed is opened next: the newest chair's */
export function nextToOpen(shoe) {
  const { table, waiting } = shoe;
  if (!table) return [...shoe.roster].reverse().find((player) => waiting.includes(player));
  const since = (/** @type {string} */ player) => table.chairOf(player)?.since ?? -1;
  return waiting.sort((a, b) => since(b) - since(a))[0];
}
