// What comes after version 1 of the log is added in one place, and logs of version 1 read as before.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Audit, STEPS } from "../../fairshoe/verifier/audit.mjs";
import { utf8 } from "../../fairshoe/verifier/bytes.mjs";
import { COUNT, ID } from "../../fairshoe/verifier/forms.mjs";
import { GAMES } from "../../fairshoe/verifier/games.mjs";
import { canonicalText } from "../../fairshoe/verifier/json.mjs";
import { KINDS, LATER } from "../../fairshoe/verifier/shapes.mjs";

const entriesIn = (name) =>
  readFileSync(new URL(`../data/logs/${name}/log.jsonl`, import.meta.url), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

/** What an audit finds: `check field`. */
function foundIn(entries) {
  const audit = new Audit();
  for (const entry of entries) audit.take(utf8(canonicalText(entry)));
  audit.end();
  return audit.findings.map(({ check, field }) => `${check} ${field}`);
}

/** What is found in a log with something more in its last entry of a kind. */
const changed = (entries, kind, more) => {
  const at = entries.findLastIndex((entry) => entry.kind === kind);
  return foundIn(entries.with(at, { ...entries[at], ...more }));
};

test("a kind, a field and an option of a later version", (context) => {
  const [banker, casino] = [entriesIn("game-banker"), entriesIn("game-casino")];
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
  for (const log of [banker, casino]) assert.deepEqual(foundIn(log), []);
  const tip = { amount: 1, at: "2099-01-01T00:00:00.000000Z", kind: "tip", table: banker[0].table, v: 2 };
  assert.deepEqual(foundIn([...banker, tip]), []);
  assert.deepEqual(foundIn([...banker, { ...tip, v: 1 }]), ["syntax v"]);
  assert.deepEqual(changed(banker, "seal", { tips: 1, v: 3 }), []);
  assert.deepEqual(changed(banker, "seal", { tips: 1, v: 2 }), ["syntax v"]);
  assert.deepEqual(changed(banker, "round", { v: 3 }), ["syntax v"], "nothing in it is new");
  assert.throws(() => changed(banker, "seal", { tips: 1, v: 4 }), { name: "NewerError" });
  const [{ options }] = casino;
  assert.deepEqual(changed(casino, "table", { options: { ...options, soft: true }, v: 2 }), []);
  assert.equal(changed(casino, "table", { options: { ...options, soft: true } })[0], "syntax v");
  assert.equal(changed(casino, "table", { options: { ...options, soft: false }, v: 2 })[0], "policy options.soft", "only where it is off its default");
});
