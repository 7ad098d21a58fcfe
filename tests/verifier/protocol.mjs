// The shuffle protocol against docs/protocol.md and docs/vectors: what must come out, and what must be refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { fromHex, toHex, utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { FairshoeError, InputError, StepFailed, draw, french, shuffle, verify } from "../../fairshoe/web/verifier/fairshoe.ts";
import { Binding, isOpening } from "../../fairshoe/web/verifier/bound.ts";
import { sha256 } from "../../fairshoe/web/verifier/hashes.ts";
import { Shuffle, Words, cardsRoot, order, reshuffled } from "../../fairshoe/web/verifier/shuffle.ts";
import { drandQuicknet } from "../../fairshoe/web/game/beacon.ts";
import { checkRaffle, Entries } from "../../fairshoe/web/game/raffle.ts";
import { Sealed } from "../../fairshoe/web/game/sealed.ts";
import { checkQuicknet } from "../../fairshoe/web/verifier/quicknet.ts";

const docs = new URL("../../docs/", import.meta.url);
const { vectors, raffles, refused } = JSON.parse(readFileSync(new URL("vectors/fairshoe-1.json", docs), "utf8"));

const hashOf = (text) => toHex(sha256(utf8(text)));
const bytesOf = (seeds) => seeds.map(([who, hex]) => [who, fromHex(hex)]);

function deckOf(deck) {
  if (typeof deck === "string") return french(Number(deck.split(":")[1]));
  return Array.isArray(deck) ? deck : Array.from({ length: deck.numbered }, (_, i) => `#${i}`);
}

function compareOrder(found, expected) {
  assert.deepEqual(found.slice(0, expected.first.length), expected.first);
  assert.equal(hashOf(found.join("\n")), expected.sha256);
  if (expected.all) assert.deepEqual(found, expected.all);
}

for (const vector of vectors)
  test(`vector ${vector.name}`, () => {
    const key = fromHex(vector.key);
    const deck = deckOf(vector.deck);
    const { shoe, beacon, cut } = vector;
    const found = shuffle({ key, shoe, deck, seeds: bytesOf(vector.seeds), beacon, cut });
    assert.equal(found.commitment, vector.commitment);
    assert.equal(found.transcript, vector.transcript);
    assert.equal(hashOf(found.transcript), vector.transcript_sha256);
    compareOrder(found.order, vector.order);
    assert.equal(toHex(cardsRoot(key, found.transcript, found.order)), vector.cards_root);

    const binding = new Binding(vector.cards_root, deck, false);
    const { opening } = vector;
    assert.ok(isOpening(opening) && binding.binds(opening));
    assert.ok(!binding.binds({ ...opening, label: `${opening.label}?` }));

    const whole = new Shuffle(key, found.transcript, deck.length);
    whole.first(deck.length);
    assert.equal(whole.words.rejected, vector.rejected);

    for (const { name, below, value, rejected } of vector.draws) {
      assert.equal(draw({ key, transcript: found.transcript, name, below }), value);
      const words = new Words(key, found.transcript, "fairshoe/1 draw", `draw ${name}\n`);
      words.uniform(below);
      assert.equal(words.rejected, rejected);
    }

    let text = found.transcript;
    vector.reshuffles.forEach((again, i) => {
      const gathered = again.gathered.map((card) => deck[card]);
      text = reshuffled(text, i + 1, gathered);
      assert.equal(text, again.transcript);
      assert.equal(hashOf(text), again.transcript_sha256);
      if (again.cut !== null)
        assert.equal(draw({ key, transcript: text, name: "cut", below: gathered.length }), again.cut);
      const cards = order({ key, transcript: text, deck: gathered, cut: again.cut ?? 0 });
      compareOrder(cards, again.order);
      assert.equal(toHex(cardsRoot(key, text, cards)), again.cards_root);
      assert.ok(new Binding(again.cards_root, gathered, false).binds(again.opening));
    });
  });

for (const { name, key, shoe, entries: given, draws, prizes, beacon, ...found } of raffles)
  test(`raffle ${name}`, () => {
    const numbered = Array.from({ length: given.numbered ?? 0 }, (_, i) => [`#${i}`, 1 + (i % 3)]);
    const entries = new Entries(Array.isArray(given) ? given : numbered);
    const { chain, number } = drandQuicknet(beacon.round);
    const bounds = Object.fromEntries(found.numbers.map((_, i) => [`pick/${i}`, entries.tickets]));
    const form = [chain, number, beacon.randomness];
    const sealed = new Sealed({ key: fromHex(key), shoe, deck: found.deck, beacon: form, draws: bounds });
    assert.equal(sealed.transcript, found.transcript);
    assert.deepEqual(Object.keys(bounds).map((pick) => sealed.number(pick)), found.numbers);
    assert.deepEqual([0, -1].map((at) => entries.prove(entries.ids.at(at)).path), found.paths);
    const { commitment } = sealed;
    const sizes = { entries: entries.ids.length, tickets: entries.tickets, draws, prizes };
    const notice = { protocol: "fairshoe/1 raffle", shoe, commitment, ...sizes, root: entries.root, beacon: [chain, number] };
    const proof = { protocol: notice.protocol, proof: JSON.parse(sealed.reveal()), signature: beacon.signature, winners: found.winners };
    const checked = checkRaffle(JSON.stringify(proof), entries, { notice: JSON.stringify(notice), check: checkQuicknet });
    assert.deepEqual(checked, { winners: found.winners, notChecked: [] });
    const none = [{ entries: sizes.tickets + 1 }, { prizes: sizes.entries + 1 }, { draws: prizes - 1 }, { beacon: [chain, 2 ** 32 + 1] }];
    for (const numbers of none)
      assert.throws(() => checkRaffle(JSON.stringify(proof), entries, { notice: JSON.stringify({ ...notice, ...numbers }) }), InputError);
  });

test("a word is discarded from m·⌊2^32/m⌋ on, and not before", () => {
  const uniform = (m, ...words) => {
    const stream = Object.create(Words.prototype, {
      next: { value: () => words.shift() },
      rejected: { value: 0, writable: true },
    });
    return [stream.uniform(m), stream.rejected];
  };
  const last = 2 ** 32 - 1;
  assert.deepEqual(uniform(6, 4294967291), [5, 0]);
  assert.deepEqual(uniform(6, 4294967292, last, 7), [1, 2]);
  assert.deepEqual(uniform(2 ** 31 + 1, 2 ** 31), [2 ** 31, 0]);
  assert.deepEqual(uniform(2 ** 31 + 1, 2 ** 31 + 1, last, 0), [0, 2]);
  assert.deepEqual(uniform(2 ** 32, last), [last, 0]);
  assert.deepEqual(uniform(1, last), [0, 0]);
});

test("a card is the same whenever it is asked for", () => {
  const key = new Uint8Array(32);
  const { transcript, order: all } = shuffle({ key, shoe: "s", deck: french(1), cut: 20 });
  const lazy = new Shuffle(key, transcript, 52, 20);
  const pack = french(1);
  for (const position of [40, 3, 51, 0, 31, 32]) assert.equal(pack[lazy.at(position)], all[position]);
  assert.deepEqual(shuffle({ key, shoe: "s", deck: french(1), cut: 20, first: 7 }).order, all.slice(0, 7));
});

// The cases of `fairshoe verify`.

test("the base of the proofs holds", () => {
  const { base, commitment, dealt } = refused.proofs;
  const found = verify(base, { commitment });
  assert.deepEqual(found.dealt, dealt);
  assert.equal(found.remembered, true);
  assert.equal(found.transcript.match(/^reshuffle /gm).length, 2);
  assert.deepEqual(found.draws, { "dice/0": 0, "dice/1": 3, cut: 3 });
});

for (const { name, exit, step, replace, text, hex, ...own } of refused.proofs.cases)
  test(`proof ${name}`, () => {
    const commitment = "commitment" in own ? own.commitment : refused.proofs.commitment;
    const file = hex !== undefined ? fromHex(hex) : (text ?? refused.proofs.base.replace(replace[0], () => replace[1]));
    const judge = () => verify(file, { commitment });
    if (exit === 0) assert.equal(judge().remembered, commitment !== null);
    else if (exit === 2) assert.throws(judge, InputError);
    else
      assert.throws(judge, (error) => {
        assert.ok(error instanceof StepFailed);
        return error.step === step && error.where !== "" && error.remedy !== "";
      });
  });

test("the key, or the hash of its digits, in the place of the commitment is the reader's slip", () => {
  const { base } = refused.proofs;
  const { key } = JSON.parse(base);
  for (const text of [key, key.toUpperCase(), `${key}\n`]) {
    const commitment = text === key ? [key, toHex(sha256(utf8(text)))] : [toHex(sha256(utf8(text)))];
    for (const one of commitment) assert.throws(() => verify(base, { commitment: one }), InputError);
  }
});

test("a deck of 65,537 labels is refused, one of 65,536 is not", () => {
  const key = new Uint8Array(32);
  const deck = Array.from({ length: 65536 }, () => "x");
  assert.deepEqual(shuffle({ key, shoe: "s", deck, first: 1 }).order, ["x"]);
  assert.throws(() => shuffle({ key, shoe: "s", deck: [...deck, "x"], first: 1 }), InputError);
  assert.equal(french(1260).length, 65520);
  for (const packs of [0, 1261, 1.5, "1"]) assert.throws(() => french(packs), InputError);
});

test("what is easily passed wrongly is refused, and told what to do", () => {
  const key = new Uint8Array(32);
  const base = { key, shoe: "s", deck: ["a", "b"] };
  const wrong = [
    { ...base, key: toHex(key) },
    { ...base, seeds: [["alice", "00ff"]] },
    { ...base, seeds: { alice: Uint8Array.of(1) } },
    { ...base, deck: "french:1" },
    { ...base, deck: new Set(["a", "b"]) },
    { ...base, cut: "1" },
    { ...base, cut: -0 },
    { ...base, cut: 0.5 },
    { ...base, draws: { dice: 6.5 } },
    { ...base, draws: { cut: 3 } },
  ];
  for (const of of wrong)
    assert.throws(
      () => shuffle(of),
      (error) => error instanceof FairshoeError && error.where !== "" && error.expected !== null,
    );
  assert.throws(() => verify(JSON.parse(refused.proofs.base)), InputError);
});
