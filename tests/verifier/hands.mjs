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
