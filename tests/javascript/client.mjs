// A game of two with hidden hands at a real house; then the house lies, and each lie is noticed.
// node client.mjs ADDRESS TOKEN [PLACER]: with a second dealer the game alone
import assert from "node:assert/strict";
import { Client, ShoeSeat } from "../../fairshoe/web/game/fairshoe.ts";

const [address, token, placer] = process.argv.slice(2);
const PLAYERS = ["ann", "bob"];
const operator = new Client(address, token);
const honest = globalThis.fetch;

/** @param {(path: string, form: any) => any} changed @param {() => Promise<any>} act */
async function lied(changed, act) {
  globalThis.fetch = async (url, options) => {
    const answer = await honest(url, options);
    const path = new URL(String(url)).pathname;
    return new Response(JSON.stringify(changed(path, await answer.json())) + (path.endsWith("/proof") ? "\n" : ""));
  };
  try {
    return await act();
  } finally {
    globalThis.fetch = honest;
  }
}

/** @param {string} shoe */
async function seated(shoe) {
  const game = await operator.createShoe(PLAYERS, { shoe, deck: "french:1", draws: { die: 6 }, placer });
  const seats = PLAYERS.map((who) => ShoeSeat.join(new Client(address, game.tokens[who]), shoe));
  return { game, seats: await Promise.all(seats) };
}

{
  const { game, seats } = await seated("js-1");
  await Promise.all(seats.map((seat) => seat.playUntilSealed()));
  await game.refresh();
  for (const who of PLAYERS) await game.draw(5, { to: who });
  const open = await game.draw(3, { draws: ["die"] });
  assert.deepEqual((await game.draw(3, { draws: ["die"], pos: 10 })).cards, open.cards);
  const [ann, bob] = await Promise.all(seats.map((seat) => seat.hand()));
  assert.deepEqual(bob.map(({ pos }) => pos), [5, 6, 7, 8, 9]);
  assert.equal(bob.some(({ pos, opening }) => opening.pos !== pos), Boolean(placer));
  const { cards } = await seats[0].shoe.client.get("/v1/shoes/js-1/hand");
  const same = (path, form) => {
    if (path.endsWith("/proof")) return form;
    if (path.endsWith("/hand")) return { ...form, cards };
    return { ...form, drawn: form.drawn.map((each) => ({ ...each, to: each.to === "ann" ? "bob" : "?" })) };
  };
  await assert.rejects(lied(same, () => seats[1].hand()), /other cards/);
  assert.deepEqual(await seats[0].show(2), { 2: ann[2].label });
  await game.draw(1, { hidden: true });
  assert.deepEqual(Object.keys(await game.show(13)), ["2", "13"]);
  assert.equal((await game.reveal()).stage, "over");
  assert.deepEqual(await seats[1].hand(), bob);
  assert.equal(seats[0].receipts.length, 4); // key, hash, seed, show
}

if (!placer) {
  const game = await operator.createShoe(["ann"], { deck: "french:1", beacon: { delay: 600 } });
  const ann = await ShoeSeat.join(new Client(address, game.tokens.ann), game.name);
  const { now } = Date;
  const { beacon, policy } = game.state;
  for (const limits of [policy.seed, 0]) {
    Date.now = () => Date.parse(beacon.at) - 1000 * limits;
    await assert.rejects(ann.contribute(), { name: "SeedKept", message: /round/ });
    Date.now = () => Date.parse(beacon.at) - 1000 * limits - 1;
    assert.ok(await ann.contribute());
  }
  Date.now = now;
}

if (!placer) {
  const { game, seats } = await seated("js-2");
  const [ann, bob] = seats;
  for (const seat of seats) await seat.contribute();
  const hurried = (path, form) => (path.endsWith("/proof") ? form : { ...form, you: { player: "ann", expects: "seed" } });
  await assert.rejects(lied(hurried, () => ann.contribute()), /turn/);
  const ahead = (path, form) => (path.endsWith("/proof") ? form : { ...form, log: 99 });
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (done, time, ...more) => setTimeout(done, time === 500 ? 0 : time, ...more);
  await assert.rejects(lied(ahead, () => ann.shoe.refresh().then(() => ann.proof())), { name: "Problem", status: 0 });
  globalThis.setTimeout = setTimeout;
  const again = await ShoeSeat.join(new Client(address, game.tokens.bob), "js-2", { seed: bob.seed });
  assert.ok(await again.contribute());
  const shorter = (path, form) => (path.endsWith("/proof") ? { ...form, entries: form.entries.slice(0, 1) } : form);
  await assert.rejects(lied(shorter, () => ann.contribute()), /no hash of this seed/);
  const unsigned = (path, form) => (path.endsWith("/seed") ? { ...form, now: "2026-01-01T00:00:00.000000Z" } : form);
  await assert.rejects(lied(unsigned, () => ann.contribute()), { name: "WrongReceipt" });
  await game.refresh();
  await game.draw(3, { to: "ann" });
  const cards = (change) => (path, form) => (path.endsWith("/hand") ? { ...form, cards: change(form.cards) } : form);
  const other = ([first, ...rest]) => [{ ...first, label: first.label === "As" ? "Ks" : "As" }, ...rest];
  for (const change of [other, (all) => all.slice(1), (all) => all.slice(0, -1)])
    await assert.rejects(lied(cards(change), () => ann.hand()), { name: "VerificationError" });
  assert.equal((await ann.hand()).length, 3);
  await game.reshuffle([0, 1, 2]);
  await game.draw(2, { to: "ann" });
  assert.deepEqual((await ann.hand()).map(({ pos, opening }) => [pos, opening.pos]), [[0, 0], [1, 1], [2, 2], [3, 0], [4, 1]]);
  await game.reshuffle([1]);
  assert.deepEqual([(await ann.hand()).map(({ pos }) => pos), await ann.gathered()], [[1], [0, 2, 3, 4]]);
  await assert.rejects(ann.show(0), { status: 409 });
  const endless = (path, form) => (form.drawn ? { ...form, drawn: [{ pos: 0, hidden: 1e12, to: "ann" }] } : form);
  await assert.rejects(lied(endless, () => ann.hand()), { name: "VerificationError", where: "drawn" });
  const root = "00".repeat(32);
  const rooted = (path, form) => (form.gathered ? { ...form, gathered: form.gathered.map((each) => ({ ...each, root })) } : form);
  await assert.rejects(lied(rooted, () => ann.hand()), { name: "VerificationError", where: "gathered" });
  const late = await ShoeSeat.join(new Client(address, (await seated("js-3")).game.tokens.ann), "js-3");
  globalThis.fetch = async (url, options) => {
    if (options?.method !== "POST") return honest(url, options);
    [globalThis.fetch] = [gone];
    return new Response(JSON.stringify({ detail: "the hashes stand in the log" }), { status: 409 });
  };
  const gone = async (url, options) => {
    const form = await (await honest(url, options)).json();
    return new Response(JSON.stringify({ ...form, stage: "seed", you: { player: "ann", expects: null } }));
  };
  assert.ok(await late.contribute());
  globalThis.fetch = honest;
  await assert.rejects((await ShoeSeat.join(late.shoe.client, "js-3", { seed: ann.seed })).contribute(), { status: 409 });
  let failures = 0;
  globalThis.fetch = (url, options) => (++failures % 4 > 2 ? honest(url, options) : Promise.reject(new TypeError("down")));
  for (const read of [() => game.refresh(), () => game.wait(), () => ann.hand()]) assert.ok(await read());
  const fresh = [...new Uint8Array(32)].map(() => "5a").join("");
  assert.deepEqual((await operator.createShoe(["ann", { player: "bob", token_sha256: fresh }], { deck: "french:1" })).tokens.bob, undefined);
  globalThis.fetch = () => Promise.reject(new TypeError("down"));
  await assert.rejects(new Client(address).text("/v1/log/vkey"), { name: "Unreachable" });
  globalThis.fetch = honest;
  await assert.rejects(new Client(address, game.tokens.ann).post("/v1/shoes/js-2/reveal", {}), { status: 403 });
}
