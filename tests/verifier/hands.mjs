// Proofs of hands: those of docs/vectors pass, and no changed byte goes unseen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { toBase64, utf8 } from "../../fairshoe/verifier/bytes.mjs";
import { canonicalText } from "../../fairshoe/verifier/canonical.mjs";
import { checkHand } from "../../fairshoe/verifier/hand.mjs";
import { leafHash, rootFromPath } from "../../fairshoe/verifier/tree.mjs";
import { Signer } from "./support/signing.mjs";

const FOLDER = new URL("../../docs/vectors/proofs/", import.meta.url);
const GAMES = ["banker", "boxes", "casino", "chinese", "lounge", "pontoon"];
const KEY = readFileSync(new URL("key", FOLDER), "utf8").trim();
const bytesOf = (game) => new Uint8Array(readFileSync(new URL(`${game}.json`, FOLDER)));
const house = new Signer("house.example/log");

/** The entries of a proof with something changed, in a log of their own that a house signed. */
function signedAnew(game, change) {
  const form = JSON.parse(new TextDecoder().decode(bytesOf(game)));
  const entries = change(form.entries.map(({ line }) => JSON.parse(line)));
  const lines = entries.map(canonicalText);
  const leaves = lines.map((line) => leafHash(utf8(line)));
  const root = rootOf(leaves);
  const text = `${house.name}\n${lines.length}\n${toBase64(root)}\n`;
  const anew = { ...form, checkpoint: house.note(text), entries: lines.map((line, index) => ({ index, line, path: pathTo(leaves, index).map(toBase64) })) };
  return utf8(`${canonicalText(anew)}\n`);
}

const split = (n) => 2 ** Math.floor(Math.log2(n - 1));
const rootOf = (leaves) => (leaves.length === 1 ? leaves[0] : rootFromPath(rootOf(leaves.slice(0, split(leaves.length))), 0, 2, [rootOf(leaves.slice(split(leaves.length)))]));
function pathTo(leaves, index) {
  if (leaves.length === 1) return [];
  const half = split(leaves.length);
  return index < half
    ? [...pathTo(leaves.slice(0, half), index), rootOf(leaves.slice(half))]
    : [...pathTo(leaves.slice(half), index - half), rootOf(leaves.slice(0, half))];
}

const outcome = (file, key = house.vkey) => checkHand(file, key).outcome;
const edit = (kind, how) => (entries) => entries.map((entry) => (entry.kind === kind ? how(structuredClone(entry)) ?? entry : entry));

for (const game of GAMES) {
  test(`${game}: the hand of docs/vectors`, () => {
    const told = checkHand(bytesOf(game), KEY);
    assert.deepEqual([told.outcome, told.findings], ["PASS", []]);
    assert.equal(outcome(signedAnew(game, (entries) => entries)), "PASS");
  });

  test(`${game}: without the key its cards are not checked`, () => {
    assert.equal(outcome(signedAnew(game, (entries) => entries.filter(({ kind }) => kind !== "reveal"))), "PASS so far");
  });

  test(`${game}: another byte anywhere is refused`, () => {
    const bytes = bytesOf(game);
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = bytes.slice();
      changed[at] ^= 1;
      assert.throws(() => checkHand(changed, KEY), `byte ${at}`);
    }
  });

  test(`${game}: an entry too few or too many is refused`, () => {
    const all = checkHand(bytesOf(game), KEY).entries.map(({ entry }) => entry);
    for (const [i, { kind }] of all.entries()) {
      if (kind === "reveal") continue; // "so far"
      assert.throws(() => checkHand(signedAnew(game, (entries) => entries.filter((_, n) => n !== i)), house.vkey), `without ${kind}`);
    }
    assert.throws(() => checkHand(signedAnew(game, (entries) => [...entries, { at: "2027-01-01T00:00:00.000000Z", kind: "start", v: 1 }]), house.vkey));
  });

  test(`${game}: what a house signed and the rules do not give fails`, () => {
    const fails = (what, change) => assert.equal(outcome(signedAnew(game, change)), "FAIL", what);
    fails("payout", edit("round", (entry) => (entry.hands[0].net += 2, entry)));
    fails("card", edit("round", (entry) => (entry.cards[0] = entry.cards[0] === "2c" ? "3d" : "2c", entry)));
    fails("total", edit("round", (entry) => (entry.hands[0].total += 1, entry)));
    fails("outcome", edit("round", (entry) => (entry.hands[0].outcome = "surrendered", entry)));
    fails("a decision too many", edit("round", (entry) => (entry.decisions.push({ move: "hit", seat: entry.hands[0].seat }), entry)));
    fails("key", edit("reveal", (entry) => (entry.key = entry.key.replace(/^./, (digit) => (digit === "0" ? "1" : "0")), entry)));
    fails("seed", edit(game === "banker" ? "seal" : "opened", (entry) => {
      if (entry.seeds) entry.seeds["banker-p1"] = "00ff";
      else entry.seed = "00ff";
      return entry;
    }));
    fails("commitment", edit("shoe", (entry) => (entry.commitment = "ab".repeat(32), entry)));
    fails("time", edit("seal", (entry) => (entry.at = "2025-01-01T00:00:00.000000Z", entry)));
  });
}

test("another house's key is refused", () => {
  assert.throws(() => checkHand(bytesOf("casino"), house.vkey));
});

// What a house signed, and what whoever made the file may have left out.

const alter = (kind, how) => edit(kind, (entry) => (how(entry), entry));
const FIRST = "2026-01-01T00:00:00.200000Z";
const sat = (game, seat, player, at = FIRST) => ({ amount: 500, at, chips: { [seat]: 500 }, kind: "chips", op: "buy-in", player, seat, table: game, v: 1 });
/** The hand at a table with more chairs taken than the roster has players. */
const crowded = (chairs, change = (entries) => entries) =>
  signedAnew("boxes", (entries) => change(alter("shoe", (entry) => Object.assign(entry.chips, Object.fromEntries(chairs.map((seat) => [seat, 500]))))(entries)));
const withChips = (chips) => ([table, ...entries]) => [table, ...chips, ...entries];
const spoilt = alter("round", (entry) => (entry.hands[0].net += 2));
const entriesIn = (game) => JSON.parse(new TextDecoder().decode(bytesOf(game))).entries.map(({ line }) => JSON.parse(line));
const refused = (file) => assert.throws(() => checkHand(file, house.vkey), { name: "InputError" });

test("chairs that nobody is said to have taken are refused, and no house is accused of them", () => {
  for (const chairs of [[9], Array.from({ length: 22 }, (_, i) => i + 9)]) {
    refused(crowded(chairs));
    refused(crowded(chairs, spoilt));
  }
  assert.equal(outcome(crowded([9], withChips([sat("boxes", 9, "zoe")]))), "PASS");
  assert.equal(outcome(crowded([9], (entries) => withChips([sat("boxes", 9, "zoe")])(spoilt(entries)))), "FAIL");
});

test("who sat where may be told by the wrong entries: nobody can say, and where it cannot be tried out neither", () => {
  const [first] = Object.keys(entriesIn("boxes").find(({ kind }) => kind === "shoe").chips).map(Number).filter(Boolean);
  assert.equal(outcome(crowded([9], withChips([sat("boxes", first, "zoe")]))), "CANNOT SAY");
  const chairs = Array.from({ length: 22 }, (_, i) => i + 9);
  const at = (i) => `2026-01-01T00:00:00.${200001 + i}Z`;
  const everybody = chairs.map((seat, i) => sat("boxes", seat, `p${seat}`, at(i)));
  assert.equal(outcome(crowded(chairs, withChips(everybody))), "PASS");
  assert.equal(outcome(crowded(chairs, (entries) => withChips(everybody)(spoilt(entries)))), "CANNOT SAY");
});

test("a waiver of a seat that has a seed in the shoe takes the entry by which the chair was taken since", () => {
  const undealt = (entries) => entries.filter(({ kind }) => !["round", "reveal"].includes(kind));
  refused(signedAnew("casino", (entries) => alter("open", (entry) => (entry.waived = [entry.bets[0].seat]))(undealt(entries))));
});

test("an open without a bet is the house's fault", () => {
  const undealt = (entries) => entries.filter(({ kind }) => !["round", "reveal"].includes(kind));
  assert.equal(outcome(signedAnew("casino", (entries) => alter("open", (entry) => Object.assign(entry, { bets: [], passed: [1, 2] }))(undealt(entries)))), "FAIL");
});

test("a shoe is void where every bettor let the limit pass, and not where one of these lapses is left out", () => {
  const [table, shoe, seeds, open] = entriesIn("boxes");
  const [first, ...others] = Object.keys(seeds.hashes);
  const seatOf = (player) => Number(Object.keys(shoe.chips).filter((name) => Number(name))[shoe.roster.indexOf(player)]);
  const at = (seconds) => new Date(Date.parse(open.at) + 1000 * seconds).toISOString().replace("Z", "500Z");
  const alone = { ...open, bets: [{ amount: open.bets[0].amount, seat: seatOf(first) }], passed: others.map(seatOf).sort((a, b) => a - b) };
  const lapse = { at: at(60), kind: "lapse", player: first, shoe: shoe.shoe, v: 1 };
  const { key } = entriesIn("boxes").at(-1);
  const end = { at: at(61), key, kind: "void", round: open.round, shoe: shoe.shoe, v: 1, why: "seed" };
  assert.equal(outcome(signedAnew("boxes", () => [table, shoe, seeds, alone, lapse, end])), "PASS so far");
  for (const why of ["seed", "close", "idle"]) refused(signedAnew("boxes", () => [table, shoe, seeds, alone, { ...end, why }]));
});
