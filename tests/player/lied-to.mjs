// A seat at a house that lies: what it finds wrong. node lied-to.mjs FOLDER TABLE=ADDRESS:ROUNDS ...
// The evidence of each is written to FOLDER/TABLE.json.

import { writeFileSync } from "node:fs";
import { FairshoeError } from "../../fairshoe/web/verifier/bytes.ts";
import { Alarm, Problem } from "../../fairshoe/web/player/errors.ts";
import { House } from "../../fairshoe/web/player/house.ts";
import { memoryStorage } from "../../fairshoe/web/player/storage.ts";
import { Seat } from "../../fairshoe/web/player/seat.ts";
import { step } from "./playing.mjs";

const [folder, ...houses] = process.argv.slice(2);

/** Play until something is found wrong, or so many rounds and their shoe are over. @param {Seat} seat @param {number} rounds */
async function play(seat, rounds) {
  for (let number = 0; number < Math.max(100, 12 * rounds) && !seat.alarms.length; number++) {
    await seat.refresh();
    const ends = (seat.state.last?.round ?? 0) >= rounds;
    try {
      if (await step(seat, { ends, stake: 10 })) continue;
      if (!ends) return;
      await seat.leave();
      await seat.checkEnded();
      return;
    } catch (error) {
      if (error instanceof Problem && error.status === 409) continue;
      if (error instanceof Alarm) return;
      throw error;
    }
  }
}

for (const named of houses) {
  const [, table, address, rounds] = /** @type {RegExpExecArray} */ (/^([^=]+)=(.+):(\d+)$/.exec(named));
  const storage = memoryStorage();
  const seat = await Seat.sit(new House(address, { storage }), table, { player: "alice", amount: 1000 });
  await play(seat, Number(rounds)).catch((error) => {
    if (!(error instanceof FairshoeError)) throw error;
    console.error(table, error);
  });
  const { alarms } = seat;
  seat.close();
  const kept = (await seat.book.alarms()).map(({ what }) => what);
  if (JSON.stringify(kept) !== JSON.stringify(alarms.map(({ what }) => what))) throw new Error(`the browser forgot an alarm at ${table}`);
  const last = (await seat.hands())[0];
  writeFileSync(`${folder}/${table}.json`, await seat.evidence(last?.round));
  const seeds = seat.book.receipts.filter((note) => note.includes('"do":"seed"')).length;
  console.log(JSON.stringify({ table, alarms: seat.alarms.map(({ code, what }) => [code, what]), hand: last && [last.mark, last.step, last.code, last.words], seeds }));
}
