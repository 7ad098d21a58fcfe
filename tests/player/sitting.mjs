// A seat in a browser that is reloaded, opened twice, taken elsewhere, and follows a table by events or without.
// node sitting.mjs ADDRESS WITHOUT_EVENTS CLOCK

import assert from "node:assert/strict";
import { test } from "node:test";
import { Elsewhere, Problem } from "../../fairshoe/web/player/errors.ts";
import { House } from "../../fairshoe/web/player/house.ts";
import { pause } from "../../fairshoe/web/player/requests.ts";
import { leased, memoryStorage } from "../../fairshoe/web/player/storage.ts";
import { Seat } from "../../fairshoe/web/player/seat.ts";
import { step } from "./playing.mjs";

const [address, withoutEvents, clock] = process.argv.slice(2);
const amount = 1000;
const OWN = "00ff".repeat(8);

/** @param {EventTarget} seat @param {string} type @param {(detail: any) => boolean} wanted @returns {Promise<any>} */
const heard = (seat, type, wanted) => new Promise((done) => seat.addEventListener(type, (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (wanted(detail)) done(detail);
}));

test("a seat is one tab's, and is gone on with in another when that is closed", async () => {
  const house = new House(address, { storage: memoryStorage() });
  const first = await Seat.sit(house, "tabs", { player: "alice", amount });
  await assert.rejects(Seat.resume(house, "tabs"), Elsewhere);
  await assert.rejects(Seat.sit(house, "tabs", { player: "bob", amount }), Elsewhere);
  first.close();
  await assert.rejects(Seat.sit(house, "tabs", { player: "bob", amount }), Problem);
  assert.deepEqual(await Seat.kept(house), [{ table: "tabs", player: "alice", seat: 1 }]);
  const again = /** @type {Seat} */ (await Seat.resume(house, "tabs"));
  assert.equal(again.state.you?.player, "alice");
  again.close();
  await Seat.forget(house, "tabs");
  assert.equal(await Seat.resume(house, "tabs"), null);
  const anew = await Seat.sit(house, "tabs", { player: "bob", amount });
  await anew.leave();
  anew.close();
  assert.equal(await Seat.resume(house, "tabs"), null);
  assert.deepEqual(await Seat.kept(house), []);
});

test("where a browser has no locks one tab has a lease", async () => {
  const storage = memoryStorage();
  const free = await leased(storage, "t1");
  assert.equal(await leased(storage, "t1"), null);
  free?.();
  const both = await Promise.all([leased(storage, "t1"), leased(storage, "t1")]);
  assert.equal(both.filter(Boolean).length, 1);
  both.forEach((one) => one?.());
});

test("in the middle of a hand a seat is gone on with by the file that was taken along", async () => {
  const seat = await Seat.sit(new House(address, { storage: memoryStorage() }), "taken", { player: "alice", amount });
  await seat.askShoe();
  await assert.rejects(seat.replaceSeed("fifteen letters"), { expected: "16 to 128 bytes" });
  const seed = await seat.replaceSeed(OWN);
  assert.equal(seed.seed, OWN);
  await seat.promise(100);
  await assert.rejects(seat.replaceSeed(""), Problem);
  const file = await seat.exported();
  assert.ok(file.includes(`"${OWN}"`));
  seat.close();

  const other = new House(address, { storage: memoryStorage() });
  for (const wrong of ["", "{}", file.replace("fairshoe seat", "something else"), file.replace('"seat taken"', '"seat elsewhere"')]) await assert.rejects(Seat.imported(other, wrong));
  assert.equal(await Seat.imported(other, file), "taken");
  const again = /** @type {Seat} */ (await Seat.resume(other, "taken"));
  await again.openSeed();
  assert.ok(again.state.shoe?.sealed);
  await again.bet([{ amount: 10 }]);
  while (again.expects("decisions").length) await step(again);
  assert.equal((await again.hands()).length, 1);
  const { kind, receipts, checkpoint } = JSON.parse(await again.evidence(1));
  assert.deepEqual([kind, receipts.split("\n").length > 4, checkpoint.split("\n").length > 4], ["fairshoe evidence", true, true]);
});

test("in the place of a hash that was used before in the log another one is sent, once", async () => {
  const seat = await Seat.sit(new House(address, { storage: memoryStorage() }), "claimed", { player: "bob", amount });
  await seat.askShoe();
  await seat.replaceSeed(OWN); // alice's
  const told = heard(seat, "trouble", () => true);
  await seat.promise(100);
  assert.ok((await told).alreadyClaimed);
  const made = await seat.seed();
  assert.deepEqual(seat.state.shoe?.hashes, { bob: made?.hash });
  assert.notEqual(made?.seed, OWN);
});

test("what nobody answered is sent again by its key, and is done once", async () => {
  const seat = await Seat.sit(new House(address, { storage: memoryStorage() }), "lost", { player: "alice", amount });
  const { fetch } = globalThis;
  let lost = 0;
  globalThis.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    if (asked[1]?.method === "POST" && lost++ === 0) throw new TypeError("the answer was lost");
    return answer;
  };
  await seat.buyIn(100);
  globalThis.fetch = fetch;
  assert.equal(lost, 2);
  assert.equal(seat.state.chips["1"], amount + 100);
});

test("what a restored house may have forgotten is not sent again, since it would do it twice", async () => {
  const house = new House(address, { storage: memoryStorage() });
  const seat = await Seat.sit(house, "restored", { player: "alice", amount });
  await seat.book.ask("chips", { op: "buy-in", amount: 100 }, seat.state.restored ?? ""); // its answer is awaited
  const { table } = house;
  house.table = async (name) => ({ ...(await table.call(house, name)), restored: "by another backup" });
  const told = heard(seat, "trouble", () => true);
  await seat.buyIn(70);
  assert.match((await told).message, /is not sent again/);
  assert.equal(seat.state.chips["1"], amount + 70);
});

test("no receipt is wanted of a void round that a seat had no part in", async () => {
  const seats = [];
  for (const player of ["alice", "bob", "carl"]) seats.push(await Seat.sit(new House(address, { storage: memoryStorage() }), "void", { player, amount }));
  const [alice, bob, carl] = seats;
  for (let going = true; going; ) {
    going = false;
    for (const seat of seats) going = (await step(seat, { ends: Boolean((await seat.refresh()).last) })) || going;
  }
  await alice.askShoe();
  for (const seat of [alice, carl]) await seat.refresh().then(() => seat.promise());
  await fetch(`${clock}/61`);
  await carl.refresh();
  await carl.bet([{ amount: 10 }]);
  await fetch(`${clock}/61`);
  const { rounds, last, shoe } = await bob.refresh();
  assert.deepEqual([rounds, last?.round, shoe], [2, 1, null]);
  for (const seat of seats) assert.deepEqual(seat.alarms, []);
  for (const seat of seats) seat.close();
});

test("who leaves is not told that the token is nobody's, though its end is heard before the answer", async () => {
  const house = new House(address, { storage: memoryStorage() });
  const seat = await Seat.sit(house, "left", { player: "alice", amount });
  const told = /** @type {any[]} */ ([]);
  seat.addEventListener("trouble", (event) => told.push(/** @type {CustomEvent} */ (event).detail));
  const connected = heard(seat, "connection", (said) => said === "live");
  seat.follow();
  await connected;
  const { fetch } = globalThis;
  let refused = 0;
  globalThis.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    refused += Number(answer.status === 401);
    while (asked[1]?.method === "POST" && !refused) await pause(20);
    return answer;
  };
  await seat.leave();
  globalThis.fetch = fetch;
  assert.deepEqual([told, seat.book.sitting.left], [[], true]);
  seat.close();
});

for (const [how, at] of [["live", address], ["polling", withoutEvents]]) {
  test(`a seat that follows (${how}) opens its seed and has its hands checked by itself`, async () => {
    const seat = await Seat.sit(new House(at, { storage: memoryStorage() }), `follow-${how}`, { player: "alice", amount });
    const connected = heard(seat, "connection", (said) => said === how);
    seat.follow();
    await connected;
    const sealed = heard(seat, "state", ({ shoe, round }) => shoe?.sealed || round);
    const checked = heard(seat, "hand", ({ mark }) => mark !== "open");
    await seat.askShoe();
    await seat.bet([{ amount: 10 }]); // of a sole player at a table of one-round shoes the seed is due now
    await sealed;
    const playing = setInterval(() => seat.expects("decisions").length && void step(seat).catch(() => {}), 50);
    const { mark, words } = await checked;
    clearInterval(playing);
    assert.deepEqual([mark, words, seat.alarms], ["pass", "", []]);
    seat.close();
  });
}
