// An honest house is not accused, whatever careless players do: they look seldom, lose answers, see old ones, let limits
// pass, pass chips on, leave and come back, are put out, and go on in another tab, or with the file that they took along.
// node careless.mjs ADDRESS CLOCK OPERATOR SEED TURNS RULES ...

import { FairshoeError } from "../../fairshoe/web/verifier/bytes.ts";
import { Alarm, Problem, Unreachable } from "../../fairshoe/web/player/errors.ts";
import { Book } from "../../fairshoe/web/player/book.ts";
import { House } from "../../fairshoe/web/player/house.ts";
import { memoryStorage } from "../../fairshoe/web/player/storage.ts";
import { Seat } from "../../fairshoe/web/player/seat.ts";

const [address, clock, operator, seed, turns, ...games] = process.argv.slice(2);
const [LOOKS, LOST, OLD, PLAYERS, CHIPS] = [0.7, 0.03, 0.03, 4, 10_000];

let state = Number(seed);
/** @returns {number} 0 … 1: the same each time */
function chance() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (/** @type {number} */ n) => Math.floor(chance() * n);
/** @template T @param {readonly T[]} some @returns {T} */
const one = (some) => some[below(some.length)];

// A connection that loses a request or its answer now and then, and may show a table as it was before.

const { fetch } = globalThis;
/** @type {Map<string, string[]>} */
const before = new Map();
globalThis.fetch = async (/** @type {any} */ asked, /** @type {RequestInit} */ how = {}) => {
  const fate = chance();
  const url = String(asked);
  if (how.method === "POST" && fate < LOST / 2) throw new TypeError("nobody heard it");
  const answer = await fetch(asked, how);
  if (how.method === "POST" && fate < LOST) throw new TypeError("the answer was lost");
  if (how.method === "POST" || !/\/v1\/tables\/[^/]+$/.test(url) || !answer.ok) return answer;
  const name = `${url} ${JSON.stringify(how.headers)}`;
  const shown = [...(before.get(name) ?? []).slice(-3), await answer.text()];
  before.set(name, shown);
  return new Response(fate < OLD ? one(shown) : shown.at(-1), { headers: answer.headers });
};

for (const rules of games) {
  const table = rules;
  /** @type {House[]} */
  const browsers = [];
  const house = () => {
    browsers.push(new House(address, { storage: memoryStorage() }));
    return browsers[browsers.length - 1];
  };
  /** browsers whose seat was left @type {House[]} */
  const free = [];
  const { chairs } = await house().table(table);
  /** @type {Seat[]} */
  let seats = [];
  /** @type {string[]} */
  const alarms = [];
  /** @type {import("../../fairshoe/web/player/types.ts").Hand[]} */
  const hands = [];
  /** @type {Record<string, [number, (seat: Seat) => Promise<unknown>]>} */
  const acts = {
    act: [300, async (seat) => {
      const wish = one(seat.expects().filter(({ do: what }) => what !== "chips" && (what !== "reshuffle" || chance() < 0.02)));
      if (!wish) return;
      if (wish.do === "seed") await seat.openSeed();
      else if (wish.do === "hash") await seat.promise(wish.cut && chance() < 0.5 ? wish.cut[0] : undefined);
      else if (wish.do === "shoe") await seat.askShoe();
      else if (wish.do === "waiver") await seat.waive();
      else if (wish.do === "reshuffle") await seat.reshuffle();
      else if (wish.do === "here") await seat.here();
      else if (wish.do === "decisions") {
        const { move, low, among, fewest } = one(wish.moves ?? []);
        await seat.decide({ move, ...(low !== undefined && { amount: low }), ...(among && { chosen: among.slice(0, fewest) }) });
      } else if (wish.do === "bets") {
        const amount = Number(wish.low) + Number(wish.unit) * below(5);
        const boxes = rules === "boxes" && chance() < 0.4 ? [{ amount: 20, box: 1 + below(7) }] : [];
        await seat.bet(chance() < 0.2 ? [] : [{ amount }, ...boxes.filter(({ box }) => box !== seat.number)]);
      }
    }],
    chips: [6, (seat) => (chance() < 0.5 ? seat.buyIn(rules === "lounge" ? CHIPS : 1 + below(300)) : seat.cashOut(1 + below(300)))],
    transfer: [5, (seat) => seat.transfer(1 + below(300), one(seats).number)],
    time: [4, () => fetch(`${clock}/${one([1, 21, 31, 31, 61])}`)],
    leave: [6, async (seat) => {
      await seat.leave();
      free.push(seat.house);
      seat.close();
      seats = seats.filter((each) => each !== seat);
    }],
    evict: [1, (seat) => seat.house.operate(`/tables/${table}/evict`, { seat: seat.number }, operator)],
    reopen: [2, async (seat) => {
      seat.close();
      const again = await Seat.resume(seat.house, table);
      seats = seats.flatMap((each) => (each === seat ? (again ? [again] : []) : [each]));
    }],
    elsewhere: [1, async (seat) => {
      const file = await seat.exported();
      const other = house();
      await Seat.imported(other, file);
      seat.close();
      const again = await Seat.resume(other, table);
      seats = seats.flatMap((each) => (each === seat ? (again ? [again] : []) : [each]));
    }],
    refresh: [0, (seat) => seat.refresh()],
  };
  const sit = async () => {
    const player = one([..."abcdef"].filter((name) => !seats.some((seat) => seat.player === name)));
    const browser = (chance() < 0.7 && free.pop()) || house();
    seats.push(await Seat.sit(browser, table, { player, amount: CHIPS }));
  };

  /** @param {string} what @param {Seat} [seat] */
  const tried = async (what, seat) => {
    try {
      await (seat ? acts[what][1](seat) : sit());
    } catch (error) {
      if (error instanceof Problem && error.status === 401 && seat) {
        seat.close();
        seats = seats.filter((each) => each !== seat);
      } else if (!(error instanceof Problem || error instanceof Unreachable || error instanceof Alarm || error instanceof FairshoeError)) throw error;
    }
  };
  for (let turn = 0; turn < Number(turns); turn++) {
    if (seats.length < Math.min(PLAYERS, chairs) && (!seats.length || chance() < 0.3)) await tried("sit");
    if (!seats.length) continue;
    let seat = one(seats);
    if (chance() < LOOKS) {
      await tried("refresh", seat);
      seat = seats.find((each) => each.wanted) ?? seats[0];
    }
    if (!seat) continue;
    let weight = below(Object.values(acts).reduce((sum, [each]) => sum + each, 0));
    const [what] = /** @type {[string, any]} */ (Object.entries(acts).find(([, [each]]) => (weight -= each) < 0));
    await tried(what, seat);
  }
  for (const seat of seats) seat.close();
  for (const browser of browsers) {
    hands.push(...(await Seat.checkLeft(browser, table)));
    for (const { what } of await (await Book.open(browser, table)).alarms()) alarms.push(`${table}: ${what}`);
  }
  console.log(JSON.stringify({ rules, alarms, marks: hands.map(({ id, mark, words }) => [id, mark, words]) }));
}
