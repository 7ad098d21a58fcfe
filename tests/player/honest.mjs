// A whole session of each game at an honest house: every hand is checked, nothing is found wrong.
// node honest.mjs ADDRESS TABLE:RULES ... With :ROUNDS one player alone plays so many, at random.

import { House } from "../../fairshoe/web/player/house.ts";
import { memoryStorage } from "../../fairshoe/web/player/storage.ts";
import { Seat } from "../../fairshoe/web/player/seat.ts";
import { session } from "./playing.mjs";

const [address, ...tables] = process.argv.slice(2);
for (const named of tables) {
  const [table, rules, rounds] = named.split(":");
  const amount = rules === "lounge" ? 10_000 : 1000;
  const players = rules === "banker" || rounds ? ["alice"] : ["alice", "bob"];
  const seats = [];
  for (const player of players) seats.push(await Seat.sit(new House(address, { storage: memoryStorage() }), table, { player, amount }));
  await session(seats, Number(rounds ?? 3), { atRandom: Boolean(rounds) });
  for (const seat of seats) {
    seat.close();
    const hands = (await Seat.checkLeft(seat.house, table)).map(({ id, mark, step, words, stake, net }) => ({ id, mark, step, words, stake, net }));
    console.log(JSON.stringify({ table, rules, player: seat.player, alarms: seat.alarms.map(({ code, what }) => [code, what]), hands, receipts: seat.book.receipts.length, exported: await seat.exported() }));
  }
}
