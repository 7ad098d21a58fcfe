// When the next step of a shoe is due, whatever it is (log.md, "Time"): when nobody is waited for any more. A start puts
// off what a limit decides, and excuses no delay.

import { HOUR, seconds } from "../times.mjs";

/**
 * @param {import("../state.mjs").Shoe} shoe
 * @param {object} next
 * @param {boolean} [next.over] whether it is over, and waits for its reveal
 * @param {number} [next.decisions] how many the open round has, where that is known
 * @returns {number}
 */
export function dueOf(shoe, { over = false, decisions } = {}) {
  const { table, policy, betting } = shoe;
  const many = table?.game.many;
  if (shoe.sealed) {
    if (betting && decisions !== undefined) return Math.max(betting.at, shoe.sealedAt) + seconds(decisions * policy.decision);
    if (over || (shoe.first && !shoe.firstFound)) return shoe.stepAt;
    const age = Math.max(shoe.stepAt, shoe.sealedAt + seconds(policy.shoe));
    return many && !betting ? Math.min(age, shoe.bettingSince + seconds(policy.bet) + HOUR) : age; // an hour without a bet ends it
  }
  if (shoe.roster.length && !shoe.sole && !shoe.hashes.size) return shoe.at + seconds(table ? Math.max(policy.hash, policy.cut) : policy.shoe);
  if (table && !many && !betting) return shoe.stepAt + seconds(policy.bet);
  return shoe.stepAt + seconds(shoe.waiting.length ? policy.seed : 0);
}
