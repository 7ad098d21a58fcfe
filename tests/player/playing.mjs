// Seats that play by themselves, for tests: whatever the table wants of them, as the table itself would decide.

import { Problem } from "../../fairshoe/web/player/errors.ts";

/** @param {import("../../fairshoe/web/player/seat.ts").Seat} seat @param {{ends?: boolean, stake?: number, atRandom?: boolean}} [by] ends: no more bets, no more shoes; atRandom: any move @returns {Promise<boolean>} whether it did something */
export async function step(seat, { ends = false, stake = 0, atRandom = false } = {}) {
  const wish = seat.wanted ?? seat.expects("here")[0];
  if (!wish || (ends && wish.do === "shoe")) return false;
  if (wish.do === "commitment" || wish.do === "places") await seat.place();
  else if (wish.do === "seed") await seat.openSeed();
  else if (wish.do === "hash") await seat.promise();
  else if (wish.do === "shoe") await seat.askShoe();
  else if (wish.do === "bets") await seat.bet(ends ? [] : [{ amount: stake || Number(wish.low) }]);
  else if (wish.do === "decisions") await seat.decide(/** @type {any} */ (atRandom ? anyOf(wish) : wish.default));
  else if (wish.do === "here") await seat.here();
  return true;
}

/** @param {import("../../fairshoe/web/player/types.ts").Wish<"decisions">} wish @returns {import("../../fairshoe/web/player/types.ts").Choice} */
function anyOf({ moves }) {
  const { move, low } = moves[Math.floor(Math.random() * moves.length)];
  return { move, ...(low && { amount: low }) };
}

/** Play until so many rounds of the table are over, then leave. @param {import("../../fairshoe/web/player/seat.ts").Seat[]} seats @param {number} rounds @param {{atRandom?: boolean}} [by] */
export async function session(seats, rounds, by = {}) {
  const left = new Set();
  for (let idle = 0; left.size < seats.length && idle < 200; idle++) {
    for (const seat of seats) {
      if (left.has(seat)) continue;
      await seat.refresh();
      const ends = (seat.state.last?.round ?? 0) >= rounds;
      try {
        if (await step(seat, { ...by, ends })) idle = 0;
        else if (ends && seat.expects("chips").some(({ ops }) => ops?.includes("leave"))) {
          await seat.leave();
          left.add(seat);
          idle = 0;
        }
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 409) throw error;
      }
    }
  }
  if (left.size < seats.length) throw new Error(`nothing goes on at ${seats[0].table}: ${JSON.stringify(seats[0].state)}`);
}
