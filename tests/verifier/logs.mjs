// Whole logs of a small house: what an entry has to say, when the table may decide, what is late, what is out of bounds.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { STEPS } from "../../fairshoe/verifier/audit.mjs";
import { canonicalText } from "../../fairshoe/verifier/canonical.mjs";
import { FRENCH } from "../../fairshoe/verifier/deck.mjs";
import { COUNT, ID } from "../../fairshoe/verifier/forms.mjs";
import { GAMES } from "../../fairshoe/verifier/games.mjs";
import { KINDS } from "../../fairshoe/verifier/shapes.mjs";
import { OwnTime, HOUR } from "../../fairshoe/verifier/times.mjs";
import { LATER } from "../../fairshoe/verifier/versions.mjs";
import { House, OPTIONS, foundIn } from "./support/house.mjs";

const at = (rules, ...chips) => {
  const house = new House(rules);
  chips.forEach((amount, i) => house.sit(i + 1, `p${i + 1}`, amount));
  return house;
};
/** What is found in a log with its last entry of a kind changed. */
const changed = (house, kind, change) => {
  const entries = structuredClone(house.entries);
  change(entries.findLast((entry) => entry.kind === kind));
  return foundIn(entries);
};
const without = (house, kind) => foundIn(house.entries.filter((entry) => entry.kind !== kind));
/** A casino's shoe that is sealed. */
const sealed = (...chips) => {
  const house = at("casino", ...chips);
  house.shoe();
  house.seeds(undefined, { at: 5, by: "p1" });
  house.seal();
  return house;
};

test("hands as they should be pass, of one player and of several", () => {
  const alone = at("banker", 1000);
  assert.deepEqual(alone.hand().hand().found(), []);
  assert.deepEqual(alone.entries.slice(2, 8).map(({ kind }) => kind), ["shoe", "open", "opened", "seal", "round", "reveal"]);
  assert.deepEqual(at("boxes", 1000, 1000).hand().hand().found(), []);
  const casino = sealed(1000, 1000);
  casino.open([[1, 2], [2, 4]]);
  casino.round();
  casino.open([[1, 2]], { passed: [2] });
  casino.round();
  assert.deepEqual(casino.found(), []);
  const drawn = at("casino", 1000);
  drawn.shoe();
  drawn.wait(30).seeds();
  drawn.seal();
  drawn.open([[1, 2]]);
  drawn.round();
  drawn.wait(3600).reveal("left");
  assert.deepEqual(drawn.found(), [], "cut at the draw");
});

test("a sole player's seed stands once in a log, and before the seal", () => {
  const house = at("banker", 1000).hand().hand();
  const [first] = house.entries.filter(({ kind }) => kind === "opened");
  assert.equal(changed(house, "opened", (entry) => (entry.seed = first.seed))[0], "10 contributions seed");
  assert.equal(changed(house, "opened", (entry) => (entry.cut = { at: 3, by: "p1" }))[0], "10 contributions cut.by");
  assert.equal(foundIn(house.entries.toSpliced(10, 1))[0], "10 order kind");
  const two = at("boxes", 1000, 1000).hand();
  assert.equal(changed(two, "opened", (entry) => (entry.cut = { at: 3, by: "p1" }))[0], "7 contributions cut");
});

test("what is empty is left out, and what is not listed is the house's fault", () => {
  const house = at("casino", 1000, 1000);
  house.shoe();
  house.seeds(undefined, { at: 5, by: "p1" });
  for (const [kind, field, value] of [
    ["shoe", "memory", {}], ["shoe", "away", []], ["shoe", "owes", []], ["shoe", "waits", []], ["shoe", "paid", []], ["seeds", "unheard", []],
    ["table", "digest", "ab".repeat(32)], ["shoe", "more", 1], ["seeds", "v", 0], ["seeds", "v", "1"], ["seeds", "v", true], ["seeds", "v", null], ["seeds", "kind", "tip"],
  ]) {
    const index = house.entries.findIndex((entry) => entry.kind === kind);
    assert.equal(changed(house, kind, (entry) => (entry[field] = value))[0], `${index} syntax ${field}`, `${kind}.${field}`);
  }
});

test("a log of a later version is read no further", () => {
  const house = at("banker", 1000).hand();
  assert.throws(() => changed(house, "round", (entry) => (entry.v = 2)), { name: "NewerError", message: "written by a newer fairshoe: entry 6 is of version 2" });
  const folder = mkdtempSync(join(tmpdir(), "fairshoe-"));
  house.entries[6].v = 2;
  writeFileSync(join(folder, "log.jsonl"), house.entries.map((entry) => `${canonicalText(entry)}\n`).join(""));
  const verify = fileURLToPath(new URL("../../fairshoe/verifier/verify.mjs", import.meta.url));
  assert.throws(() => execFileSync(process.execPath, [verify, folder], { encoding: "utf8", stdio: "pipe" }), (error) => error.status === 2 && error.stdout === "" && error.stderr.includes("written by a newer fairshoe"));
  rmSync(folder, { recursive: true });
});

test("what comes later is added in one place, and logs of version 1 read as before", (context) => {
  const old = [at("banker", 1000).hand(), sealed(1000)];
  assert.equal(old[0].found().length + old[1].found().length, 0);
  KINDS.tip = { table: ID, amount: COUNT };
  STEPS.tip = () => {};
  KINDS.seal["tips?"] = COUNT;
  GAMES.casino.options.soft = [true, false];
  GAMES.casino.defaults = { soft: false };
  Object.assign(LATER, { tip: 2, "seal.tips": 3, "table.options.soft": 2 });
  context.after(() => {
    delete KINDS.tip;
    delete STEPS.tip;
    delete KINDS.seal["tips?"];
    delete GAMES.casino.options.soft;
    delete GAMES.casino.defaults;
    for (const name of Object.keys(LATER)) delete LATER[name];
  });
  for (const house of old) assert.deepEqual(house.found(), []);
  const [banker, casino] = old;
  const tip = { amount: 1, at: banker.time(1), kind: "tip", table: "banker", v: 2 };
  assert.deepEqual(foundIn([...banker.entries, tip]), []);
  assert.deepEqual(foundIn([...banker.entries, { ...tip, v: 1 }]), ["8 syntax v"]);
  assert.deepEqual(changed(banker, "seal", (entry) => Object.assign(entry, { tips: 1, v: 3 })), []);
  assert.deepEqual(changed(banker, "seal", (entry) => Object.assign(entry, { tips: 1, v: 2 })), ["5 syntax v"]);
  assert.deepEqual(changed(banker, "round", (entry) => (entry.v = 3)), ["6 syntax v"], "nothing in it is new");
  assert.throws(() => changed(banker, "seal", (entry) => Object.assign(entry, { tips: 1, v: 4 })), { name: "NewerError" });
  assert.deepEqual(changed(casino, "table", (entry) => Object.assign(entry, { options: { ...entry.options, soft: true }, v: 2 })), []);
  assert.equal(changed(casino, "table", (entry) => Object.assign(entry, { options: { ...entry.options, soft: true } }))[0], "0 syntax v");
  assert.equal(changed(casino, "table", (entry) => Object.assign(entry, { options: { ...entry.options, soft: false }, v: 2 }))[0], "0 policy options.soft", "only where it is off its default");
  assert.equal(new House("casino", { ...OPTIONS.casino, soft: true }).options.soft, true);
});

test("who sits stands in the roster, or in one of the lists beside it", () => {
  const house = at("boxes", 1000, 1000, 1000);
  for (let i = 0; i < 2; i++) {
    house.shoe();
    house.wait(30).seeds(["p3"]);
    house.open([[1, 2], [2, 2]]);
    house.seal();
    house.round();
    house.reveal();
  }
  const index = house.entries.length;
  house.shoe({ roster: ["p1", "p2"], away: [3] });
  assert.deepEqual(house.found(), []);
  const shoe = (change) => changed(house, "shoe", change).map((one) => one.replace(`${index} `, ""));
  assert.deepEqual(shoe((entry) => delete entry.away), ["contributions roster"], "nobody has to be left out");
  assert.deepEqual(shoe((entry) => Object.assign(entry, { away: undefined, owes: [3] })).slice(0, 2), ["contributions owes", "contributions away"]);
  assert.deepEqual(shoe((entry) => Object.assign(entry, { away: [2], roster: ["p1", "p3"] })).slice(0, 2), ["contributions away", "contributions roster"]);
  assert.deepEqual(shoe((entry) => (entry.paid = [1])), ["commitment paid"]);
});

test("who owes a seed, and who waits since one was not opened, is not in the roster", () => {
  const house = at("boxes", 1000, 1000);
  house.shoe();
  house.seeds();
  house.open([[1, 2], [2, 2]]);
  const { id, key } = house.present;
  house.put("opened", { player: "p2", seed: house.seedOf("p2"), shoe: id });
  house.wait(30).put("void", { by: "p1", key, round: 1, shoe: id, why: "seed" });
  house.sit(3, "p3");
  house.shoe({ roster: ["p2"], owes: [1], waits: [3] });
  assert.deepEqual(house.found(), []);
  const index = house.entries.length - 1;
  assert.equal(changed(house, "shoe", (entry) => Object.assign(entry, { waits: undefined, owes: [1, 3] }))[0], `${index} contributions owes`);
  assert.equal(changed(house, "shoe", (entry) => Object.assign(entry, { waits: undefined, roster: ["p2", "p3"] }))[0], `${index} contributions roster`);
});

test("who was waited for and sent no hash is named", () => {
  const house = at("boxes", 1000, 1000, 1000);
  house.shoe();
  house.wait(30).seeds(["p2", "p3"]);
  assert.deepEqual(house.found(), []);
  for (const unheard of [undefined, ["p2"], ["p3", "p2"], ["p1", "p2", "p3"]]) assert.deepEqual(changed(house, "seeds", (entry) => Object.assign(entry, { unheard })), ["5 contributions unheard"], String(unheard));
  house.entries.at(-1).at = house.time(-5);
  assert.deepEqual(house.found(), ["5 policy unheard"]);
});

test("who has too few chips for the lowest bet is named as that, and nowhere else", () => {
  const house = sealed(1000, 1);
  house.open([[1, 2]], { unfunded: [2] });
  assert.deepEqual(house.found(), []);
  const index = house.entries.length - 1;
  for (const more of [{ unfunded: undefined }, { unfunded: undefined, passed: [2] }, { passed: [2] }, { unfunded: [1, 2] }, { unfunded: [2, 3] }]) {
    const found = changed(house, "open", (entry) => Object.assign(entry, more));
    assert.equal(found.length > 0 && found.every((one) => one.startsWith(`${index} `)), true, JSON.stringify(more));
  }
});

/** A round of banker in which the table decides, each time so many seconds after the step before. */
const decided = (waits, { start } = {}) => {
  const house = at("banker", 1000);
  house.shoe();
  house.open([[1, 2]]);
  house.seal();
  const since = Date.parse(house.time());
  let last = since;
  if (start !== undefined) house.entries.push({ at: new Date(since + 1000 * start).toISOString().replace("Z", "000Z"), kind: "start", v: 1 });
  house.wait(waits.reduce((sum, wait) => sum + Math.max(0, wait), 0) + 10);
  const left = [...waits];
  house.round((seat, moves) => {
    last += 1000 * (left.shift() ?? 0);
    return { at: new Date(last).toISOString().replace("Z", "000Z"), by: "table", move: moves.includes("stand") ? "stand" : "decline", seat };
  });
  return house;
};

test("what the table decides stands no earlier than its limit allows", () => {
  const decisions = decided([30]).entries.at(-1).decisions.length;
  assert.ok(decisions >= 1);
  assert.deepEqual(decided([30, 30]).found(), []);
  assert.deepEqual(decided([29, 60]).found().slice(0, 1), ["6 policy decisions[0].at"]);
  assert.deepEqual(decided([40], { start: 20 }).found(), ["7 policy decisions[0].at"], "the limit began anew");
  assert.deepEqual(decided([50], { start: 20 }).found(), []);
  assert.deepEqual(decided([30], { start: 31 }).found(), [], "a start that came later does not count");
  assert.deepEqual(decided([-1]).found().slice(0, 1), ["6 order decisions[0].at"]);
});

test("what the table decides has a moment, between what it follows and the entry; nothing else has one", () => {
  const house = decided([30]);
  const moment = house.entries.at(-1).decisions[0].at;
  assert.equal(changed(house, "round", ({ decisions }) => delete decisions[0].at)[0], "6 syntax decisions[0].at");
  assert.equal(changed(house, "round", ({ decisions }) => delete decisions[0].by)[0], "6 syntax decisions[0].at");
  assert.deepEqual(changed(house, "round", (entry) => (entry.decisions[0].at = entry.at)), []);
  assert.deepEqual(changed(house, "round", (entry) => (entry.decisions[0].at = house.time(1))), ["6 order decisions[0].at"]);
  assert.deepEqual(changed(house, "round", (entry) => (entry.at = moment)), []);
});

test("nobody waits for a seat that let two limits pass running", () => {
  const house = at("boxes", 1000, 1000);
  const absent = () => {
    house.shoe();
    house.seeds();
    house.open([[1, 2]], { late: [2] });
    house.seal();
    house.round();
    return house.reveal();
  };
  absent();
  absent();
  assert.deepEqual(house.found(), []);
  house.shoe();
  house.seeds(); // who sends a hash is back
  house.open([[1, 2], [2, 2]]);
  house.seal();
  const moments = [];
  house.wait(60).round((seat, moves) => {
    const move = moves.includes("stand") ? "stand" : "decline";
    if (seat === 1) return { move, seat };
    moments.push(house.time(-29));
    return { at: moments.at(-1), by: "table", move, seat };
  });
  assert.ok(moments.length);
  assert.deepEqual(house.found(), []);
});

test("a start may name tables: only there limits begin anew", () => {
  const started = (tables, seconds = 27) => {
    const house = at("boxes", 1000, 1000);
    house.put("table", { options: OPTIONS.banker, policy: house.entries[0].policy, rules: "banker", table: "banker" });
    house.shoe();
    house.put("start", { tables });
    house.wait(seconds).seeds(["p2"]);
    return house.found();
  };
  for (const tables of [undefined, ["boxes"], ["banker", "boxes"]]) {
    assert.deepEqual(started(tables), ["6 policy unheard"]);
    assert.deepEqual(started(tables, 29), []);
  }
  assert.deepEqual(started(["banker"], 28), []);
  assert.deepEqual(started(["nowhere"], 28), ["5 order table"]);
  for (const tables of [[], ["boxes", "boxes"], "boxes"]) assert.deepEqual(started(tables, 29), ["5 syntax tables"]);
  const again = { at: "2026-01-01T00:00:00.000000Z", continues: "a checkpoint", kind: "start", tables: ["banker"], v: 1 };
  assert.ok(foundIn([again]).includes("0 syntax tables"));
});

test("a shoe stands after the end of the one before", () => {
  const house = at("banker", 1000).hand().hand();
  assert.deepEqual(foundIn(house.entries.toSpliced(7, 1))[0], "7 order kind");
  const casino = sealed(1000);
  casino.shoe();
  assert.deepEqual(casino.found(), ["6 order kind"]);
});

test("what is late is late in the log's own time", () => {
  const own = new OwnTime();
  own.pass(0, HOUR / 2);
  own.pass(HOUR / 2, 10 * HOUR);
  own.pass(10 * HOUR, 14 * HOUR);
  assert.deepEqual([0, 1, 1.5, 2, 10, 11, 12, 14, 15].map((hours) => own.at(hours * HOUR) / HOUR), [0, 1, 1.5, 1.5, 1.5, 2.5, 2.5, 2.5, 3.5]);
  /** Another table's entries, an hour apart, before the reveal. */
  const later = (entries, hours = 1) => {
    const house = at("banker", 1000);
    house.shoe();
    house.open([[1, 2]]);
    house.seal();
    house.round();
    for (let i = 0; i < entries; i++) house.wait(3600 * hours).put("start", { tables: ["banker"] });
    house.reveal();
    return house;
  };
  assert.deepEqual(later(0).found(), []);
  assert.deepEqual(later(1).found(), ["8 completeness at note"]);
  assert.deepEqual(later(1, 24 * 365).found(), ["8 completeness at note"]);
  assert.deepEqual(later(23).found(), ["30 completeness at note"]);
  assert.deepEqual(later(24).found(), ["31 completeness at"]);
  assert.deepEqual(without(later(24), "reveal"), []);
  assert.deepEqual(without(later(25), "reveal"), ["2 completeness reveal"], "the end of the log");
});

test("bets, and accounts of bettors, are within bounds", () => {
  const [most, chips] = [2 ** 40, 2 ** 51];
  assert.deepEqual(new House("banker", { ...OPTIONS.banker, maximum: most }).found(), []);
  assert.deepEqual(new House("banker", { ...OPTIONS.banker, maximum: most + 2 }).found(), ["0 policy options.maximum"]);
  assert.deepEqual(new House("banker", { ...OPTIONS.banker, minimum: most + 2, maximum: most + 2 }).found()[0].slice(0, 8), "0 policy");
  assert.deepEqual(at("banker", chips).found(), []);
  assert.deepEqual(at("banker", chips + 1).found(), ["1 chips chips.1"]);
  const house = at("banker", chips);
  house.shoe();
  house.open([[1, 2]]);
  assert.deepEqual(house.found(), []);
  const many = sealed(1000);
  many.open(Array.from({ length: 65 }, () => [1, 2]));
  assert.ok(many.found().includes("6 decisions bets"));
});

test("a seventh game with a deck of its own is one file, and one line in GAMES", (context) => {
  const values = Object.fromEntries(Object.entries(FRENCH.values).filter(([rank]) => rank !== "T"));
  const deck = { name: "spanish", pack: FRENCH.pack.filter((label) => label[0] !== "T"), values };
  GAMES.spanish = { ...GAMES.boxes, name: "spanish", deck };
  context.after(() => delete GAMES.spanish);
  const house = new House("spanish", OPTIONS.boxes);
  house.sit(1, "p1");
  house.sit(2, "p2");
  assert.deepEqual(house.hand().hand().found(), []);
  const { deck: name, cards } = house.entries.find(({ kind }) => kind === "shoe");
  assert.deepEqual([name, cards], ["spanish:8", 384]);
  assert.ok(house.entries.filter(({ kind }) => kind === "round").flatMap(({ cards: dealt }) => dealt).every((label) => deck.pack.includes(label)));
  assert.equal(changed(house, "shoe", (entry) => (entry.deck = "french:8"))[0].endsWith("commitment cards"), true);
});
