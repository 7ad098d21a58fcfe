// What the page is told: honest proofs, logs and receipts pass step by step; whatever is changed is never "pass", and
// fails at its own step.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { fromHex, toBase64, toHex, utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { french, shuffle } from "../../fairshoe/web/verifier/fairshoe.ts";
import { canonicalText } from "../../fairshoe/web/verifier/json.ts";
import { sha256 } from "../../fairshoe/web/verifier/hashes.ts";
import { readLog } from "../../fairshoe/web/verifier/telling/log.ts";
import { tell as tellIt } from "../../fairshoe/web/verifier/telling/tell.ts";
import { bytesOf, edited, entriesOf, FOLDER, formOf, house, proofOf, signedAnew } from "./support/proving.mjs";
import { Signer } from "./support/signing.mjs";

const GAMES = ["banker", "boxes", "casino", "chinese", "lounge", "pontoon"];
const STEPS = ["form", "signature", "inclusion", "commitment", "seeds", "transcript", "shuffle", "decisions", "dealer", "totals", "outcome", "payout", "chips"];
const KEY = readFileSync(new URL("key", FOLDER), "utf8").trim();
const hashOf = (bytes) => toHex(sha256(bytes));

const without = (kind) => (entries) => entries.filter((entry) => entry.kind !== kind);
/** Keys of texts that anything told here has. */
const said = new Set();

/** Tells, and notes which texts that takes. */
const tell = async (given) => noted(await tellIt(given));
function noted(found) {
  const { says, steps, unseen, scene } = found;
  for (const key of [says, ...unseen, ...(scene?.steps ?? []).map(({ text }) => text)]) said.add(key);
  for (const { id, items, fault } of steps) {
    for (const key of [`step.${id}.title`, `step.${id}.why`, ...items.map(({ label }) => `item.${label}`)]) said.add(key);
    for (const { value } of items) for (const column of value.columns ?? []) said.add(`column.${column}`);
    if (fault) said.add(fault.cause).add(`whose.${fault.whose}`);
  }
  return found;
}
const told = (file, key = house.vkey, more = {}) => tell({ file, key, ...more });
const statuses = ({ steps }) => Object.fromEntries(steps.map(({ id, status }) => [id, status]));
const failing = ({ steps }) => steps.find(({ status }) => status === "fail");
const rests = ({ steps }, id) => steps.slice(steps.findIndex((step) => step.id === id) + 1);

/** A telling that fails at a step: nothing behind it that rests on it is green. */
function failsAt(found, id, what, cause) {
  assert.equal(found.verdict, "fail", what);
  assert.equal(failing(found)?.id, id, `${what}: ${JSON.stringify(failing(found))}`);
  if (cause) assert.equal(failing(found).fault.cause, cause, what);
  for (const key of ["expected", "found", "where", "cause", "whose"]) assert.equal(typeof failing(found).fault[key], "string", `${what}: ${key}`);
}

for (const game of GAMES) {
  test(`${game}: an honest hand passes at every step, and shows what it was made of`, async () => {
    const found = await told(bytesOf(game), KEY);
    const sole = entriesOf(game).some(({ kind }) => kind === "seeds") ? "" : ".sole";
    assert.deepEqual([found.what, found.verdict, found.says], ["hand", "pass", `verdict.hand.pass${sole}`]);
    assert.deepEqual(statuses(found), Object.fromEntries(STEPS.map((id) => [id, "pass"])));
    assert.ok(found.steps.every(({ items, fault }) => items.length > 0 && fault === null));
    const round = entriesOf(game).find(({ kind }) => kind === "round");
    const cards = found.scene.seats.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards));
    const offsets = cards.map(({ dealt }) => found.scene.steps[dealt].values.offset);
    assert.deepEqual(offsets.toSorted((a, b) => a - b), round.cards.map((_, i) => i));
    for (const [i, { label, dealt, down, turned }] of cards.entries()) {
      assert.equal(label, round.cards[offsets[i]]);
      assert.equal(found.scene.steps[dealt].values.card, label);
      assert.ok(turned === null ? !down : down && turned > dealt && turned < found.scene.steps.length);
    }
    const boxed = round.hands.some(({ box }) => box);
    assert.equal(boxed, game === "boxes");
    assert.ok(found.scene.steps.every(({ text, values }) => text !== "scene.settled" || "box" in values === boxed));
    for (const id of ["totals", "outcome", "payout"])
      assert.equal(found.steps.find((step) => step.id === id).items.at(-1).value.columns.includes("box"), boxed);
    const placesOf = (hands) => hands.map(({ seat, box }) => (boxed ? (box ?? seat) : undefined)).toSorted();
    assert.deepEqual(found.scene.seats.slice(0, -1).flatMap(({ hands }) => hands.map(({ box }) => box)).toSorted(), placesOf(round.hands));
    const paid = found.scene.seats.flatMap(({ hands }) => hands.map((hand) => hand.paid));
    assert.equal(paid.reduce((sum, one) => sum + one, 0), 0);
    assert.ok(found.unseen.includes("unseen.twice") && found.unseen.includes("unseen.key"));
  });

  test(`${game}: what a house signed and does not hold fails at its step, as the house's fault`, async () => {
    /** @type {[string, string, (entries: any[]) => any[], string?][]} */
    const frauds = [
      ["commitment", "another key", edited("reveal", (entry) => (entry.key = "ab".repeat(32))), "cause.other-key"],
      ["commitment", "the hash of the key's hex", edited("shoe", (entry, entries) => (entry.commitment = hashOf(utf8(entries.at(-1).key)))), "cause.hex-as-text"],
      ["commitment", "the commitment as the key", edited("reveal", (entry, entries) => (entry.key = entries.find(({ kind }) => kind === "shoe").commitment)), "cause.hash-as-value"],
      ["commitment", "another deck", edited("shoe", (entry) => (entry.cards += 52))],
      ["shuffle", "another card", edited("round", (entry) => (entry.cards[0] = entry.cards[0] === "2c" ? "3d" : "2c")), "cause.other-cards"],
      ["shuffle", "two cards exchanged", edited("round", ({ cards }) => cards.splice(0, 2, cards[1], cards[0])), "cause.other-cards"],
      ["decisions", "a decision too many", edited("round", ({ decisions, hands }) => decisions.push({ move: "hit", seat: hands[0].seat }))],
      ["decisions", "another bet", edited("open", ({ bets }) => (bets[0].amount += game === "lounge" ? 1 : 2))],
      ["decisions", "a decision that is missing", edited("round", ({ decisions }) => decisions.pop())],
      ["dealer", "another card of the dealer's", edited("round", ({ dealer }) => dealer.cards.reverse())],
      ["dealer", "another total of the dealer's", edited("round", ({ dealer }) => (dealer.total += 1))],
      ["dealer", "a card that nobody drew", drawnToo(await nextCard(game))],
      ["totals", "a total", edited("round", ({ hands }) => (hands[0].total += 1))],
      ["totals", "another card of a hand", edited("round", ({ hands }) => hands[0].cards.reverse())],
      ["outcome", "an outcome", edited("round", ({ hands }) => (hands[0].outcome = hands[0].outcome === "push" ? "lose" : "push"))],
      ["payout", "a payout", edited("round", ({ hands }) => (hands[0].net += 2))],
      ["chips", "no account", edited("round", ({ chips, hands }) => delete chips[hands[0].seat])],
      ["seeds", "a seed of another round", edited("opened", seedOf("00ff")), game === "banker" ? undefined : "cause.other-seed"],
      ["seeds", "the seal before its time", edited("seal", (entry) => (entry.at = "2025-01-01T00:00:00.000000Z")), "cause.ceremony"],
      ...(game === "banker" ? [] : [["seeds", "somebody else in the roster", edited("shoe", ({ roster }) => roster.push("mallory")), "cause.ceremony"]]),
    ];
    if (game !== "banker") {
      frauds.push(
        ["seeds", "the hash of a seed's hex", edited("seeds", (entry, entries) => (entry.hashes[openedIn(entries)[0].player] = hashOf(utf8(openedIn(entries)[0].seed)))), "cause.hex-as-text"],
        ["seeds", "two seeds exchanged", exchanged, "cause.swapped-seeds"],
        ["seeds", "the hash in place of the seed", edited("opened", (entry, entries) => (entry.seed = entries.find(({ kind }) => kind === "seeds").hashes[entry.player])), "cause.hash-as-value"],
      );
    }
    if (["casino", "chinese", "pontoon"].includes(game)) {
      if (game === "chinese") frauds.push(["chips", "another end", edited("reveal", (entry) => (entry.end += 1))]);
      frauds.push(["shuffle", "another draw", edited("reveal", ({ draws }) => (draws.cut += 1)), "cause.other-cards"]);
      frauds.push(["shuffle", "another cut", cutElsewhere, "cause.other-cards"]);
    }
    for (const [id, what, change, cause] of frauds) {
      const found = await told(signedAnew(game, change));
      if (game === "banker" && what === "a seed of another round") failsAt(found, "shuffle", what); // it needs no hash first
      else failsAt(found, id, `${game}: ${what}`, cause);
      assert.deepEqual([failing(found).fault.whose, found.says], ["house", `verdict.hand.fail${id === "payout" ? ".paid" : ""}.house`], what);
      if (id === "payout") assert.equal(Number(found.values.paid) - Number(found.values.due), 2);
      if (game !== "boxes") continue;
      const unsigned = await told(signedAnew(game, change), "");
      assert.equal(failing(unsigned).fault.whose, "unknown", what);
    }
  });
}

// What does not depend on the game is shown on one, or two.

test("without a key of the reader's the arithmetic of a hand passes, and the signature is open", async () => {
  const found = await told(bytesOf("casino"), "");
  assert.deepEqual([found.verdict, found.says], ["pass", "verdict.hand.pass.key"]);
  assert.deepEqual(statuses(found), { ...Object.fromEntries(STEPS.map((id) => [id, "pass"])), signature: "open" });
});

test("another house's key, and what is no key", async () => {
  const [name] = KEY.split("+");
  for (const [other, cause] of [[house, "cause.other-house"], [new Signer(name), "cause.other-house-key"]]) {
    const found = await told(bytesOf("boxes"), other.vkey);
    const [, signature] = found.steps;
    assert.deepEqual([found.verdict, found.says, signature.status], ["unsure", "verdict.hand.unsure.other-key", "open"]);
    assert.deepEqual([signature.fault.cause, signature.fault.whose], [cause, "unknown"]);
  }
  const spoilt = await told(signedAnew("boxes", edited("round", ({ hands }) => (hands[0].net += 2))), KEY);
  assert.deepEqual([spoilt.verdict, failing(spoilt).fault.whose], ["fail", "unknown"]);
  const unreadable = await told(bytesOf("boxes"), `${KEY}x`);
  failsAt(unreadable, "signature", "no key", "cause.key-unreadable");
  assert.equal(failing(unreadable).fault.whose, "reader");
  assert.deepEqual(rests(unreadable, "signature").map(({ status }) => status), Array(11).fill("open"));
});

for (const game of ["banker", "casino"]) {
  test(`${game}: before the reveal the cards are open`, async () => {
    const found = await told(signedAnew(game, without("reveal")));
    assert.deepEqual([found.verdict, found.says], ["bound", "verdict.hand.bound.cards"]);
    const { commitment, shuffle, ...others } = statuses(found);
    assert.deepEqual([commitment, shuffle], ["open", "open"]);
    assert.ok(Object.values(others).every((status) => status === "pass"));
    const before = await told(signedAnew(game, (entries) => without("round")(without("reveal")(entries))));
    assert.deepEqual([before.verdict, before.says, statuses(before).decisions], ["bound", "verdict.hand.bound.undealt", "open"]);
  });

  test(`${game}: another byte anywhere is never a pass, and fails where it stands`, async () => {
    const bytes = bytesOf(game);
    const form = formOf(game);
    for (let at = 0; at < bytes.length; at += 307) {
      const changed = bytes.slice();
      changed[at] ^= 1 + (at % 7);
      const found = await told(changed, KEY);
      assert.notEqual(found.verdict, "pass", `byte ${at}`);
      if (found.verdict === "unreadable") continue;
      failsAt(found, stepOfEdit(changed, form), `byte ${at}`, "cause.edited");
      assert.equal(found.says, "verdict.hand.fail.edited");
    }
  });

  test(`${game}: an entry too few or too many is refused`, async () => {
    for (const [i, { kind }] of entriesOf(game).entries()) {
      if (kind === "reveal") continue; // "bound"
      failsAt(await told(signedAnew(game, (entries) => entries.filter((_, n) => n !== i))), "form", `without ${kind}`, "cause.edited");
    }
    failsAt(await told(signedAnew(game, (entries) => [...entries, { at: "2027-01-01T00:00:00.000000Z", kind: "start", v: 1 }])), "form", "a start");
  });
}

/** Where a proof file that was edited, and not signed anew, has to fail. */
function stepOfEdit(changed, { checkpoint, entries }) {
  let form;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(changed);
    form = JSON.parse(text);
    if (`${canonicalText(form)}\n` !== text) return "form";
  } catch {
    return "form";
  }
  if (form.checkpoint !== checkpoint) return "signature";
  return canonicalText(form.entries) === canonicalText(entries) ? "form" : wellFormed(form.entries) ? "inclusion" : "form";
}

const wellFormed = (entries) => entries.every((entry) => Object.keys(entry).join() === "index,line,path");
const seedOf = (seed) => (entry) => (entry.seed = seed);
const openedIn = (entries) => entries.filter(({ kind }) => kind === "opened");
const drawnToo = (card) => edited("round", ({ cards }) => cards.push(card));
/** The card that would have come next: what the key gives in place of another. */
async function nextCard(game) {
  const { id, fault } = failing(await told(signedAnew(game, drawnToo("2c"))));
  return id === "shuffle" ? fault.expected : "2c";
}

function exchanged(entries) {
  const [first, second] = openedIn(entries);
  if (!second) return edited("opened", seedOf("00ff"))(entries);
  [first.seed, second.seed] = [second.seed, first.seed];
  return entries;
}

function cutElsewhere(entries) {
  const entry = entries.find(({ cut }) => cut !== undefined);
  entry.cut.at += 1;
  return entries;
}

// What a reader has to compare, and what a hand says besides its cards.

const itemsOf = ({ steps }, id) => Object.fromEntries(steps.find((step) => step.id === id).items.map(({ label, value }) => [label, value]));

test("what the reader has to compare stands first; game, options and cosigners are named", async () => {
  const found = await told(bytesOf("casino"), KEY);
  assert.deepEqual(found.unseen.slice(0, 3), ["unseen.seen-cards", "unseen.own-seed", "unseen.own-commitment"]);
  const [{ options }] = entriesOf("casino");
  assert.deepEqual(itemsOf(found, "form").options.rows, Object.entries(options));
  assert.equal(itemsOf(found, "signature").cosigners, 0);
  const form = formOf("casino");
  const [text] = form.checkpoint.split("\n\n");
  const witness = new Signer("a-witness", 4);
  const file = utf8(`${canonicalText({ ...form, checkpoint: form.checkpoint + witness.cosignature(`${text}\n`, 1) })}\n`);
  const cosigned = await told(file, KEY);
  assert.equal(cosigned.verdict, "pass");
  assert.deepEqual(itemsOf(cosigned, "signature").cosigners.rows, [[witness.vkey.split("+").slice(0, 2).join("+")]]);
});

test("a seed and a commitment of the reader's own are compared", async () => {
  const [{ player, seed }] = openedIn(entriesOf("casino"));
  const { commitment } = entry("casino", "shoe");
  const { hashes } = entry("casino", "seeds");
  const found = await told(bytesOf("casino"), KEY, { seed: ` 0x${seed.toUpperCase()} `, commitment });
  assert.deepEqual([found.verdict, itemsOf(found, "seeds")["own-seed"]], ["pass", player]);
  for (const [more, id, cause, whose] of [
    [{ seed: "00ff" }, "seeds", "cause.not-own-seed", "unknown"],
    [{ seed: "no hex" }, "seeds", "cause.not-own-seed", "unknown"],
    [{ seed: hashes[player] }, "seeds", "cause.hash-as-value", "reader"],
    [{ commitment: "ab".repeat(32) }, "commitment", "cause.other-shoe", "unknown"],
    [{ commitment: entry("casino", "reveal").key }, "commitment", "cause.key-as-commitment", "reader"],
    [{ commitment: hashOf(utf8(entry("casino", "reveal").key)) }, "commitment", "cause.hex-as-text", "reader"],
  ]) {
    const other = await told(bytesOf("casino"), KEY, more);
    failsAt(other, id, JSON.stringify(more), cause);
    assert.equal(failing(other).fault.whose, whose);
  }
});

test("every seat that an open names has a row, and what the log alone shows of it is said", async () => {
  const beside = (change) => (entries) => edited("open", change)(without("round")(without("reveal")(entries)));
  const sat = { amount: 500, at: "2026-01-01T00:00:00.000000Z", kind: "chips", op: "buy-in", table: "casino", v: 1 };
  const casino = entriesOf("casino").filter(({ kind }) => !["round", "reveal"].includes(kind));
  const open = casino.findIndex(({ kind }) => kind === "open");
  const { at } = casino[open - 1];
  const later = new Date(Date.parse(at) + 1).toISOString().replace("Z", "001Z");
  const chairs = [["zoe", 6], ["yan", 7], ["xen", 5]].map(([player, seat], i) => ({ ...sat, at: later.replace("001Z", `00${i + 1}Z`), chips: { [seat]: 500 }, player, seat }));
  const bet = { amount: 2, seat: 6 };
  const named = { ...casino[open], at: later.replace("001Z", "009Z"), bets: [...casino[open].bets, bet], waived: [6], late: [7], unfunded: [5] };
  const found = await told(proofOf(house, "casino#2", casino.flatMap((one, i) => (i === open ? [...chairs, named] : [one]))));
  assert.equal(found.verdict, "bound", JSON.stringify(failing(found)));
  const rows = itemsOf(found, "decisions").bets.rows;
  assert.deepEqual(rows.slice(2), [[6, "zoe", 2, "", "waived"], [3, "casino-p3", "", "", "passed"], [7, "yan", "", "", "late"], [5, "xen", "", "", "unfunded"]]);
  assert.deepEqual(itemsOf(found, "seeds").seedless.rows, [[6, "zoe"]]);
  assert.deepEqual(found.scene.steps.filter(({ values }) => values.seat > 4).map(({ text, by }) => [text, by]), [["scene.waived", "seat"], ["scene.late", "table"], ["scene.unfunded", "table"]]);
  for (const key of ["waiver", "chair-since", "retired"]) assert.ok(found.unseen.includes(`unseen.${key}`), key);
  const pontoon = await told(signedAnew("pontoon", beside((entry) => (entry.uncovered = entry.bets.splice(-1)))));
  assert.equal(itemsOf(pontoon, "decisions").bets.rows.at(-1).at(-1), "uncovered");
  assert.ok(pontoon.unseen.includes("unseen.cover"));
});

test("what a house signed and nobody can follow, and what is of a later version, is neither a pass nor a fail", async () => {
  const malformed = await told(signedAnew("casino", edited("round", (entry) => (entry.pos = -1))));
  assert.deepEqual([malformed.verdict, malformed.says, statuses(malformed).form], ["unsure", "verdict.hand.unsure", "open"]);
  const newer = await told(signedAnew("casino", edited("round", (entry) => Object.assign(entry, { tips: 1, v: 1000 }))));
  assert.deepEqual([newer.verdict, newer.says, statuses(newer).form], ["unsure", "verdict.hand.unsure.newer", "open"]);
  const [form] = newer.steps;
  assert.deepEqual([form.fault.cause, form.fault.found], ["cause.newer", "written by a newer fairshoe: entry 8 is of version 1000"]);
  const whole = JSON.parse(new TextDecoder().decode(signedAnew("casino", (entries) => entries)));
  const other = await told(utf8(`${canonicalText({ ...whole, more: 1, v: 1000 })}\n`));
  assert.deepEqual([other.verdict, other.says], ["unsure", "verdict.hand.unsure.newer"]);
});

test("an id that every object has as a name accuses nobody", async () => {
  const ids = [...Object.getOwnPropertyNames(Object.prototype)].filter((name) => /^[A-Za-z0-9._:/-]+$/.test(name));
  assert.ok(ids.length > 8);
  for (const id of ids) {
    const renamed = (entries) => JSON.parse(JSON.stringify(entries).replaceAll('"boxes-p1"', JSON.stringify(id)));
    const entries = without("reveal")(without("round")(without("seal")(renamed(entriesOf("boxes")))));
    const found = await told(proofOf(house, "boxes#2", entries));
    assert.equal(found.verdict, "bound", `${id}: ${JSON.stringify(failing(found))}`);
    assert.deepEqual(itemsOf(found, "seeds").seeds.rows.map(([player]) => player), entries.find(({ kind }) => kind === "shoe").roster);
    const stranger = await told(signedAnew("boxes", (all) => all), house.vkey, { receipt: slips(handedIn({ player: id, hash: "ab".repeat(32) })) });
    assert.equal(stranger.verdict, "pass", `a receipt of ${id}: ${JSON.stringify(failing(stranger))}`);
    const seed = openedIn(entriesOf("boxes"))[0];
    const whole = shoeFile((proof) => (proof.seeds = [[id, seed.seed]], proof.draws = {}));
    assert.equal((await tell({ file: whole, commitment: COMMITMENT })).verdict, "pass", id);
  }
});

test("a file of many entries costs no more than its form", async () => {
  const entries = Array.from({ length: 20000 }, (_, index) => ({ index, line: "{}", path: [] }));
  const found = await told(utf8(`${canonicalText({ ...formOf("casino"), entries })}\n`), KEY);
  failsAt(found, "form", "20,000 entries");
  assert.deepEqual([statuses(found).inclusion, itemsOf(found, "inclusion").leaves], ["open", undefined]);
});

// Shoes of games that are not ours: the example of docs/protocol.md.

const SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const SEEDS = [["alice", "616c6963652773206f776e20656e74726f7079"], ["bob", "00"]];
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";

/** The proof of a shoe: the example, or one with something else in it before its draws are made (`more`), or after (`change`). */
function shoeFile(change, { bounds = { "dice/0": 6, cut: 52 }, ...more } = {}) {
  const proof = { protocol: "fairshoe/1", shoe: "table-1/7", deck: french(1), commitment: COMMITMENT, key: SECRET, seeds: SEEDS, beacon: null, cut: 20, reshuffles: [], dealt: 5, ...more };
  const seeds = proof.seeds.map(([who, hex]) => [who, fromHex(hex)]);
  const { draws } = shuffle({ ...proof, key: fromHex(SECRET), seeds, draws: bounds, first: 0 });
  const made = structuredClone({ ...proof, draws: Object.fromEntries(Object.entries(bounds).map(([name, below]) => [name, [below, draws[name]]])) });
  change?.(made);
  return utf8(JSON.stringify(made));
}

test("a shoe of another game passes with the commitment from before the deal, and only then", async () => {
  const found = await tell({ file: shoeFile(), commitment: COMMITMENT });
  assert.deepEqual([found.what, found.verdict, found.values.cards], ["shuffle", "pass", 5]);
  assert.ok(found.steps.every(({ status }) => status === "pass"));
  const without = await tell({ file: shoeFile(), commitment: "" });
  assert.deepEqual([without.verdict, statuses(without).commitment], ["bound", "open"]);
  assert.ok(without.unseen.includes("unseen.commitment"));
});

test("a shoe without cards, without seeds, or with cards that were shuffled anew: each is said", async () => {
  const shoe = (more) => tell({ file: shoeFile(undefined, more), commitment: COMMITMENT });
  const draws = await shoe({ dealt: 0 });
  assert.deepEqual([draws.verdict, draws.says, draws.values.cards], ["pass", "verdict.shuffle.pass.draws", 0]);
  const nothing = await shoe({ dealt: 0, bounds: {} });
  assert.deepEqual([nothing.verdict, nothing.says], ["bound", "verdict.shuffle.bound.nothing"]);
  const seedless = await shoe({ seeds: [] });
  assert.deepEqual([seedless.verdict, seedless.says], ["pass", "verdict.shuffle.pass.seedless"]);
  assert.ok(seedless.unseen.includes("unseen.no-seeds") && !seedless.unseen.includes("unseen.own-seed"));
  const anew = await shoe({ bounds: {}, reshuffles: [[5, Array.from({ length: 40 }, (_, i) => i), null]], dealt: 7 });
  assert.deepEqual([anew.verdict, anew.values.cards], ["pass", 12], JSON.stringify(failing(anew)));
  assert.deepEqual(anew.scene.seats[0].hands.map(({ cards }) => cards.length), [5, 7]);
  const many = await shoe({ deck: french(20), dealt: 1000, bounds: {} });
  assert.deepEqual([many.verdict, many.values.cards, itemsOf(many, "shuffle").shown], ["pass", 1000, 416]);
});

test("every word and swap is that of docs/protocol.md", async () => {
  const beacon = ["52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", 1000, "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"];
  const found = await tell({ file: shoeFile(undefined, { beacon, cut: 0, dealt: 6, bounds: {} }), commitment: COMMITMENT });
  const { items } = found.steps.find(({ id }) => id === "shuffle");
  const { rows } = items.find(({ label }) => label === "swaps").value;
  assert.deepEqual(rows.map(([i, , word, , m, index, other, position, card]) => [i, word, m, index, other, position, card]), [
    [0, "9ea5db9f", 52, 27, 27, 0, "2h"], [1, "e1a03fb4", 51, 16, 17, 1, "5d"], [2, "003f30a0", 50, 16, 18, 2, "6d"],
    [3, "63b22e40", 49, 17, 20, 3, "8d"], [4, "d514e8d5", 48, 21, 25, 4, "Kd"], [5, "1741052e", 47, 4, 9, 5, "Tc"],
  ]);
});

test("a shoe that does not hold fails at its step, with its cause", async () => {
  const other = "ab".repeat(32);
  const hexAsText = (proof) => (proof.seeds = proof.seeds.map(([who, hex]) => [who, toHex(utf8(hex))]));
  for (const [id, cause, change, commitment = COMMITMENT] of [
    ["commitment", "cause.other-shoe", undefined, other],
    ["commitment", "cause.key-as-commitment", undefined, SECRET],
    ["commitment", "cause.hex-as-text", undefined, hashOf(utf8(SECRET))],
    ["commitment", "cause.commitment-unreadable", undefined, "abc"],
    ["commitment", "cause.other-key", (proof) => (proof.key = other)],
    ["commitment", "cause.hex-as-text", (proof) => (proof.commitment = hashOf(utf8(proof.key))), hashOf(utf8(SECRET))],
    ["commitment", "cause.hash-as-value", (proof) => (proof.key = COMMITMENT)],
    ["shuffle", "cause.hex-as-text", hexAsText], // and the transcript is open, since it may be another one
    ["shuffle", "cause.seed-order", (proof) => proof.seeds.reverse()],
    ["shuffle", "cause.other-inputs", (proof) => (proof.seeds[1][1] = "01")],
    ["shuffle", "cause.other-inputs", (proof) => (proof.shoe = "table-1/8")],
    ["shuffle", "cause.other-inputs", (proof) => proof.deck.reverse()],
    ["shuffle", "cause.other-inputs", (proof) => (proof.draws["dice/0"][1] = 5)],
    ["shuffle", "cause.edited", (proof) => (proof.dealt = 53)],
    ["form", "cause.edited", (proof) => (proof.cut = 52)],
    ["form", "cause.edited", (proof) => delete proof.beacon],
    ["form", "cause.edited", (proof) => (proof.deck[0] = "")],
    ["form", "cause.edited", (proof) => (proof.draws = { "d/1": [6, 0] })],
  ]) {
    const found = await tell({ file: shoeFile(change), commitment });
    failsAt(found, id, `${id}: ${cause}`, cause);
    if (id === "shuffle") assert.equal(statuses(found).transcript, "open");
  }
});

// Receipts.

const receiptKey = new Signer(`${house.name}/receipt`);
const slips = (...receipts) => utf8([house.note(`fairshoe receipt key\n${receiptKey.vkey}\n`), ...receipts.map((one) => receiptKey.note(`fairshoe receipt v1\n${canonicalText(one)}\n`))].map((note) => `${JSON.stringify(note)}\n`).join(""));
const entry = (game, kind) => entriesOf(game).find((one) => one.kind === kind);
const handedIn = (change = {}) => {
  const { hashes, at } = entry("boxes", "seeds");
  const { shoe, commitment, roster, chips } = entry("boxes", "shoe");
  const [player] = roster;
  return { at, number: 2, before: "ab".repeat(32), last: at, do: "hash", player, seat: 1, table: "boxes", shoe, hash: hashes[player], v: 1, view: { bank: "house", chips: chips[1], shoe: { commitment, cut: null, hashes, opened: [], roster, sealed: false, shoe, struck: [] } }, ...change };
};

test("receipts alone: who signed them", async () => {
  const found = await tell({ file: slips(handedIn()), key: house.vkey });
  assert.deepEqual([found.what, found.verdict, statuses(found).receipt], ["receipt", "bound", "pass"]);
  assert.deepEqual(statuses(await tell({ file: null, receipt: slips(handedIn()), key: "" })), { receipt: "open" });
  const text = new TextDecoder().decode(slips(handedIn()));
  failsAt(await tell({ file: utf8(text.replace("boxes-p1", "boxes-p9")), key: house.vkey }), "receipt", "an edited receipt", "cause.edited");
  failsAt(await tell({ file: slips(handedIn()), key: KEY }), "receipt", "another house", "cause.other-receipts");
});

test("receipts beside a proof: who signed them, and whose they are", async () => {
  const proof = signedAnew("boxes", (entries) => entries);
  const found = await told(proof, house.vkey, { receipt: slips(handedIn()) });
  assert.equal(statuses(found).receipt, "pass");
  assert.ok(found.unseen.includes("unseen.receipt-log"));
  assert.ok(found.scene.seats.some(({ player, you }) => you && player === handedIn().player));
  const edited = utf8(new TextDecoder().decode(slips(handedIn())).replace("boxes-p1", "boxes-p9"));
  failsAt(await told(proof, house.vkey, { receipt: edited }), "receipt", "an edited receipt", "cause.edited");
  const unsigned = await told(proof, "", { receipt: slips(handedIn()) });
  assert.deepEqual([unsigned.verdict, statuses(unsigned).receipt], ["bound", "open"]);
});

test("receipts of a shoe without a table, and a log of such shoes beside them", async () => {
  const alone = { at: "2026-11-24T00:00:00.000000Z", do: "show", player: "ann", pos: [0], shoe: "high-1", v: 1 };
  const found = await tell({ file: slips(alone), key: house.vkey });
  assert.deepEqual([found.verdict, found.values, statuses(found).receipt], ["bound", { receipts: 1 }, "pass"]);
  const [file, checkpoint, key] = ["log.jsonl", "checkpoint", "log.vkey"].map((name) => readFileSync(new URL(`../data/logs/shoe-gathered/${name}`, import.meta.url)));
  const log = readLog(file, String(checkpoint), "");
  for (const receipt of [null, slips(alone)]) {
    const { says, unseen } = noted(log.told({ key: String(key).trim(), receipt }));
    assert.deepEqual([says, unseen.includes("unseen.receipt-log")], ["verdict.log.pass", receipt !== null]);
  }
});

test("a proof that was pasted, or saved by an editor, is the same proof; with a space in it it is not", async () => {
  const text = new TextDecoder().decode(bytesOf("boxes")).trimEnd();
  for (const same of [text, `${text}\r\n`, `\ufeff${text}\n`]) assert.equal((await told(utf8(same), KEY)).verdict, "pass");
  for (const other of [`${text} \n`, ` ${text}`, `${text}\n\n`, text.replace(",", ", ")]) failsAt(await told(utf8(other), KEY), "form", "white space");
});

test("what is nothing that can be checked is told as that, and nothing throws", async () => {
  for (const text of ["", "hello", "{}", "[]", "{", "\u0000", "null", '{"checkpoint":', '{"checkpoint":1,"entries":[{"path":1}]}', '{"checkpoint":"","entries":[{"path":[]}],"round":"#"}']) {
    const found = await tell({ file: utf8(text), key: KEY });
    assert.ok(["unreadable", "fail"].includes(found.verdict), text);
  }
  for (const half of [bytesOf("casino").slice(0, 2000), shoeFile().slice(0, 200)])
    assert.deepEqual([(await tell({ file: half })).says], ["verdict.unreadable.half"]);
  assert.equal((await tell({ file: null })).says, "verdict.nothing");
});

test("the page has a text for all that was told", () => {
  const texts = JSON.parse(readFileSync(new URL("../../fairshoe/web/verifier/page/texts.json", import.meta.url), "utf8"));
  const written = (key) => [key, key.replace("column.", "item."), key.replace(/\.key$/, "")].some((one) => Object.hasOwn(texts, one));
  assert.deepEqual([...said].filter((key) => !written(key)), []);
  assert.ok(said.size > 100);
});
