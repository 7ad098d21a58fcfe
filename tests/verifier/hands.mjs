// Proofs of hands: what a house signed, and what whoever made the file may have left out.
import assert from "node:assert/strict";
import test from "node:test";

import { canonicalText } from "../../fairshoe/web/verifier/json.ts";
import { checkHand } from "../../fairshoe/web/verifier/hand.ts";
import { edited, entriesOf, house, signedAnew } from "./support/proving.mjs";

const outcome = (file, key = house.vkey) => checkHand(file, key).outcome;
const refused = (file) => assert.throws(() => checkHand(file, house.vkey), { name: "InputError" });
/** The hand at a table with more chairs taken, where the shoe has something more. */
const crowded = (seats, more) => signedAnew("boxes", edited("shoe", (entry) => Object.assign(entry, more, { chips: { ...entry.chips, ...Object.fromEntries(seats.map((seat) => [seat, 500])) } })));

test("who sat where follows from the shoe: everybody who sits stands in its roster, or in one of the lists beside it", () => {
  for (const name of ["owes", "waits", "away"]) assert.equal(outcome(crowded([9], { [name]: [9] })), "PASS", name);
  assert.equal(outcome(crowded([7, 8, 9], { owes: [9], waits: [7], away: [8] })), "PASS");
  const [first] = Object.keys(entriesOf("boxes")[1].chips).map(Number).filter(Boolean);
  for (const more of [{}, { away: [8] }, { away: [9], owes: [9] }, { away: [first] }]) assert.equal(outcome(crowded([9], more)), "FAIL", JSON.stringify(more));
  assert.equal(outcome(signedAnew("pontoon", edited("shoe", (entry) => Object.assign(entry, { away: [Number(entry.bank)], roster: entry.roster.filter((_, i) => i + 1 !== Number(entry.bank)) })))), "FAIL");
});

test("who sat down before the commitment is no entry of the hand", () => {
  const sat = { amount: 500, at: "2026-01-01T00:00:00.200000Z", chips: { 9: 500 }, kind: "chips", op: "buy-in", player: "zoe", seat: 9, table: "boxes", v: 1 };
  refused(signedAnew("boxes", ([table, ...entries]) => [table, sat, ...entries]));
});

test("a cutter that does not follow from the rules is the house's fault", () => {
  const cutter = (game, change) => outcome(signedAnew(game, edited("shoe", change)));
  assert.equal(cutter("casino", (entry) => (entry.cutter = entry.roster[1])), "FAIL"); // the lowest chair cuts the first shoe
  assert.equal(cutter("casino", (entry) => delete entry.cutter), "FAIL");
  assert.equal(cutter("casino", (entry) => (entry.cutter = "mallory")), "FAIL");
  assert.equal(cutter("chinese", (entry) => (entry.cutter = entry.roster[0])), "FAIL"); // the dealer
  for (const game of ["banker", "boxes", "lounge", "pontoon"]) assert.equal(cutter(game, (entry) => (entry.cutter = entry.roster[0])), "FAIL", game);
});

test("who is named as unheard is of the roster, and sent no hash", () => {
  for (const unheard of [["mallory"], ["casino-p1"]]) assert.equal(outcome(signedAnew("casino", edited("seeds", (entry) => (entry.unheard = unheard)))), "FAIL", unheard);
});

test("what a house signed and nobody can follow: nobody can say", () => {
  for (const spoilt of [
    edited("round", (entry) => (entry.pos = -1)),
    edited("round", (entry) => (entry.more = 1)),
    edited("round", (entry) => (entry.kind = "tip")),
    edited("round", (entry) => (entry.reshuffled = [])),
    edited("shoe", (entry) => (entry.memory = {})),
    edited("round", (entry) => (entry.v = 0)),
    (entries) => entries.map((entry) => (entry.kind === "round" ? `${canonicalText(entry)} ` : entry)),
    (entries) => entries.map((entry) => (entry.kind === "round" ? "cards" : entry)),
  ]) {
    const told = checkHand(signedAnew("casino", spoilt), house.vkey);
    assert.equal(told.outcome, "CANNOT SAY");
    assert.ok(told.findings.length);
  }
});

test("a round that has no hand for its bets is followed, and differs", () => {
  assert.equal(checkHand(signedAnew("casino", edited("round", (entry) => (entry.hands = []))), house.vkey).outcome, "FAIL");
});

test("a waiver of a seat that has a seed in the shoe takes the entry by which the chair was taken since", () => {
  const undealt = (entries) => entries.filter(({ kind }) => !["round", "reveal"].includes(kind));
  refused(signedAnew("casino", (entries) => edited("open", (entry) => (entry.waived = [entry.bets[0].seat]))(undealt(entries))));
});

test("an open without a bet is the house's fault", () => {
  const undealt = (entries) => entries.filter(({ kind }) => !["round", "reveal"].includes(kind));
  assert.equal(outcome(signedAnew("casino", (entries) => edited("open", (entry) => Object.assign(entry, { bets: [], passed: [1, 2] }))(undealt(entries)))), "FAIL");
});

test("a shoe is void where every bettor let the limit pass, and not where one of these lapses is left out", () => {
  const [table, shoe, seeds, open] = entriesOf("boxes");
  const [first, ...others] = Object.keys(seeds.hashes);
  const seatOf = (player) => Number(Object.keys(shoe.chips).filter((name) => Number(name))[shoe.roster.indexOf(player)]);
  const at = (seconds) => new Date(Date.parse(open.at) + 1000 * seconds).toISOString().replace("Z", "500Z");
  const alone = { ...open, bets: [{ amount: open.bets[0].amount, seat: seatOf(first) }], passed: others.map(seatOf).sort((a, b) => a - b) };
  const lapse = { at: at(60), kind: "lapse", player: first, shoe: shoe.shoe, v: 1 };
  const { key } = entriesOf("boxes").at(-1);
  const end = { at: at(61), key, kind: "void", round: open.round, shoe: shoe.shoe, v: 1, why: "seed" };
  assert.equal(outcome(signedAnew("boxes", () => [table, shoe, seeds, alone, lapse, end])), "PASS so far");
  const withoutLapse = (why) => signedAnew("boxes", () => [table, shoe, seeds, alone, { ...end, why }]);
  refused(withoutLapse("seed"));
  for (const why of ["close", "idle"]) assert.equal(outcome(withoutLapse(why)), "FAIL", why); // the opening began
});
