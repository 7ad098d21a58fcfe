// Files of receipts: what is signed, what is refused.
import assert from "node:assert/strict";
import test from "node:test";

import { InputError, utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { canonicalText } from "../../fairshoe/web/verifier/json.ts";
import { parseVerifierKey } from "../../fairshoe/web/verifier/note.ts";
import { readReceipts } from "../../fairshoe/web/verifier/receipts.ts";
import { Signer } from "./support/signing.mjs";

const house = new Signer("house.example/log");
const receipts = new Signer("house.example/log/receipt");
const key = parseVerifierKey(house.vkey);
const KEY = house.note(`fairshoe receipt key\n${receipts.vkey}\n`);

const HASH = "ab".repeat(32);
const SHOE = { commitment: HASH, cut: null, hashes: { alice: HASH }, opened: ["alice"], roster: ["alice", "bob"], sealed: false, shoe: "casino/1", struck: ["bob"] };
const at = (second) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000Z`;
const common = (second) => ({
  at: at(second),
  before: second === 1 ? null : HASH,
  last: at(second),
  number: second,
  player: "alice",
  seat: 1,
  table: "casino",
  v: 1,
  view: { bank: "house", chips: 100, shoe: SHOE },
});
const without = (fields, ...names) => Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const BUY_IN = { ...common(1), do: "chips", op: "buy-in", amount: 100, view: { bank: "house", chips: 100, shoe: null } };
const HASHED = { ...common(2), do: "hash", shoe: "casino/1", hash: HASH, cut: 100 };
const SEED = { ...common(3), do: "seed", shoe: "casino/1", seed: "00ff" };
const WAIVER = { ...common(4), do: "waiver", shoe: "casino/1" };
const OFFERED = { ...common(5), do: "bet", state: "offered", shoe: "casino/1", round: 1, bets: [{ amount: 10, seat: 1 }] };
const STANDS = { ...without(OFFERED, "last"), state: "stands", uncovered: [] };
const DECISION = { ...common(6), do: "decision", about: "round", shoe: "casino/1", round: 1, step: 0, move: "hit", saw: {} };
const LEFT = { ...common(7), do: "chips", op: "cash-out", amount: 110, leaves: true, view: { bank: "house", chips: null, shoe: null } };
/** At a shoe without a table. */
const alone = { v: 1, shoe: "high-1", player: "ann", at: at(8) };
const SHOWN = { ...alone, do: "show", pos: [0, 5] };
const ALONE = [{ ...alone, do: "hash", hash: HASH, cut: 3 }, { ...alone, do: "seed", seed: "00ff" }, SHOWN];
const ALL = [BUY_IN, HASHED, SEED, WAIVER, OFFERED, STANDS, DECISION, LEFT, ...ALONE];

const note = (fields, by = receipts) => by.note(`fairshoe receipt v1\n${canonicalText(fields)}\n`);
const quoted = (...notes) => notes.map((text) => `${JSON.stringify(text)}\n`).join("");
const verdicts = (file, by = key) => readReceipts(file, by).map(({ place, verdict }) => `${place} ${verdict}`);

test("every kind of receipt is read", () => {
  const found = readReceipts(quoted(KEY, ...ALL.map((fields) => note(fields))), key);
  assert.deepEqual(found.map(({ receipt }) => receipt), ALL);
  assert.deepEqual(found.map(({ place }) => place), ALL.map((_, i) => i + 2));
});

test("empty lines, null, CR LF and what stands there again are passed over", () => {
  const [one, two] = [note(BUY_IN), note(HASHED)];
  const whole = quoted(KEY, one, two);
  for (const way of [whole, whole.replaceAll("—", "\\u2014"), `\ufeff${whole}`, whole.replaceAll("\n", "\r\n"), whole.slice(0, -1)]) {
    assert.deepEqual(verdicts(way), ["2 signed", "3 signed"], way);
  }
  assert.deepEqual(verdicts(utf8(`null\n\n${quoted(KEY, one)}null\n${quoted(one, two)}`)), ["4 signed", "7 signed"]);
  assert.deepEqual(verdicts(quoted(one, two, KEY)), ["1 signed", "2 signed"]);
  assert.deepEqual(verdicts(quoted(KEY, one, KEY, one, two, KEY)), ["2 signed", "5 signed"]);
  assert.deepEqual(verdicts(quoted(KEY)), []);
  for (const file of ["", quoted(one)]) assert.throws(() => readReceipts(file, key), InputError);
});

test("a last line that was not written to its end decides nothing; one that lacks its LF alone is decided", () => {
  const [one, two] = [note(BUY_IN), note(HASHED)];
  for (const cut of [1, 20, 200, two.length - 20]) {
    assert.deepEqual(verdicts(quoted(KEY, one) + quoted(two).slice(0, cut)), ["2 signed", "3 unfinished"]);
    assert.deepEqual(verdicts(`${quoted(KEY, one)}${quoted(two).slice(0, cut)}\n`), ["2 signed", "3 refused"]);
    assert.deepEqual(verdicts(`${quoted(KEY)}${quoted(two).slice(0, cut)}\n${quoted(one)}`), ["2 refused", "3 signed"]);
  }
  assert.deepEqual(verdicts(quoted(KEY, two.replace('"cut":100', '"cut":101')).slice(0, -1)), ["2 refused"]);
});

test("what is no receipt is refused, and hides none that follows", () => {
  for (const line of ["hello", '{"a":1}', "[]", '"hello"', "— a AAAAAAAA", '"\\ud800"', "fairshoe receipt v1"]) {
    assert.deepEqual(verdicts(`${quoted(KEY)}${line}\n${quoted(note(BUY_IN))}`), ["2 refused", "3 signed"], line);
  }
});

test("only the key that the house vouched for signs", () => {
  const impostor = new Signer("house.example/log/receipt", 1, "somebody else");
  const wrong = [
    note(BUY_IN, house),
    note(BUY_IN, impostor),
    note(BUY_IN).replace('"amount":100', '"amount":101'),
    note(BUY_IN) + receipts.line("x\n"),
    receipts.note("fairshoe receipt v2\n{}\n"),
    receipts.note("fairshoe receipt v1\n{}\n"),
    receipts.note(`fairshoe receipt v1\n${canonicalText(BUY_IN)}\n\n`),
    receipts.note(`fairshoe receipt v1\n${JSON.stringify(BUY_IN)}\n`),
    impostor.note(`fairshoe receipt key\n${impostor.vkey}\n`),
    house.note(`fairshoe receipt key\n${impostor.vkey}\n`),
    house.note(`fairshoe receipt key\n${new Signer("elsewhere/receipt").vkey}\n`),
    house.note("fairshoe receipt key\nx\n"),
  ];
  for (const text of wrong) {
    const [found] = readReceipts(quoted(KEY, text), key);
    assert.equal(found.verdict, "refused", text);
    assert.ok(found.cause !== "" && found.receipt === null);
  }
  const second = house.note(`fairshoe receipt key\n${impostor.vkey}\n`);
  assert.deepEqual(verdicts(quoted(KEY, second, note(BUY_IN, impostor), note(HASHED))), ["2 refused", "3 signed", "4 signed"]);
  const elsewhere = new Signer("elsewhere/receipt");
  const foreign = quoted(house.note(`fairshoe receipt key\n${elsewhere.vkey}\n`), note(BUY_IN, elsewhere));
  assert.throws(() => readReceipts(foreign, key), InputError);
  assert.throws(
    () => readReceipts(quoted(impostor.note(`fairshoe receipt key\n${impostor.vkey}\n`), note(BUY_IN, impostor)), key),
    InputError,
  );
});

test("a receipt has its form, or is refused", () => {
  const wrong = [
    ...["at", "player", "seat", "table", "v", "view", "do", "number", "before", "last"].map((name) => without(HASHED, name)),
    ...["shoe", "hash"].map((name) => without(HASHED, name)),
    without(SEED, "seed"), without(OFFERED, "bets"), without(OFFERED, "state"), without(BUY_IN, "op"),
    ...["move", "step", "shoe", "round", "saw"].map((name) => without(DECISION, name)),
    { ...HASHED, v: 2 },
    { ...HASHED, seat: 0 },
    { ...HASHED, do: "sing" },
    { ...HASHED, do: "constructor" },
    { ...HASHED, extra: 1 },
    { ...HASHED, hash: HASH.toUpperCase() },
    { ...HASHED, cut: -1 },
    { ...HASHED, before: 3 },
    { ...HASHED, at: "2026-01-01T00:00:00Z" },
    { ...SEED, seed: "" },
    { ...SEED, seed: "00".repeat(129) },
    { ...OFFERED, bets: [{ seat: 1 }] },
    { ...OFFERED, round: 0 },
    { ...BUY_IN, op: "steal" },
    { ...BUY_IN, op: "game" },
    { ...DECISION, amount: 0 },
    { ...DECISION, chosen: [] },
    { ...without(DECISION, "round", "shoe", "saw"), about: "bank" },
    { ...without(DECISION, "saw"), about: "bank" },
    { ...OFFERED, bets: [{ amount: 0, seat: 1 }] },
    { ...OFFERED, bets: [{ amount: 10, seat: 1, odd: 1 }] },
    { ...OFFERED, uncovered: [] },
    without(STANDS, "uncovered"),
    { ...BUY_IN, leaves: false },
    { ...HASHED, view: null },
    { ...HASHED, view: 5 },
    { ...DECISION, move: "" },
    { ...DECISION, move: "x".repeat(257) },
    { ...DECISION, round: -1 },
    ...["v", "shoe", "player", "at", "do", "pos"].map((name) => without(SHOWN, name)),
    ...[{ pos: [] }, { pos: [-1] }, { do: "waiver" }, { do: "toString" }, { seat: 1 }].map((more) => ({ ...SHOWN, ...more })),
  ];
  for (const fields of wrong)
    assert.deepEqual(verdicts(quoted(KEY, note(fields))), ["2 refused"], canonicalText(fields));
});

test("a receipt whose view no log has is read: the auditor says that the log differs", () => {
  for (const view of [{}, { ...HASHED.view, shoe: 5 }, { ...HASHED.view, shoe: { ...SHOE, cut: 5 } }])
    assert.deepEqual(verdicts(quoted(KEY, note({ ...HASHED, view }))), ["2 signed"], canonicalText(view));
});
