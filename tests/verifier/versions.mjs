// What comes after version 1 of the log is added in one place, and logs of version 1 read as before.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Audit, STEPS } from "../../fairshoe/web/verifier/audit.ts";
import { utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { COUNT, ID } from "../../fairshoe/web/verifier/forms.ts";
import { GAMES } from "../../fairshoe/web/verifier/games.ts";
import { canonicalText } from "../../fairshoe/web/verifier/json.ts";
import { KINDS, LATER } from "../../fairshoe/web/verifier/shapes.ts";

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

test("a line that is given as a text is refused with what to do", () => {
  assert.throws(() => new Audit().take("{}"), { name: "InputError", where: "line", expected: "utf8(text)" });
});

test("a kind, a field and an option of a later version", (context) => {
  const [banker, casino] = [entriesIn("game-banker"), entriesIn("game-casino")];
  KINDS.tip = { table: ID, amount: COUNT };
  STEPS.tip = () => {};
  KINDS.seal["tips?"] = COUNT;
  GAMES.casino.options.soft = [true, false];
  const { defaults } = GAMES.casino;
  GAMES.casino.defaults = { ...defaults, soft: false };
  const next = Math.max(1, ...Object.values(LATER)) + 1;
  const added = { tip: next, "seal.tips": next + 1, "table.casino.soft": next, "table.banker.packs": next + 1 };
  Object.assign(LATER, added);
  context.after(() => {
    delete KINDS.tip;
    delete STEPS.tip;
    delete KINDS.seal["tips?"];
    delete GAMES.casino.options.soft;
    GAMES.casino.defaults = defaults;
    for (const name of Object.keys(added)) delete LATER[name];
  });
  assert.deepEqual(foundIn(casino), [], "an option of its name is another game's");
  delete LATER["table.banker.packs"];
  assert.deepEqual(foundIn(banker), []);
  LATER["table.rules.casino"] = next;
  assert.equal(foundIn(casino)[0], "syntax v", "a rule set of a later version");
  delete LATER["table.rules.casino"];
  const tip = { amount: 1, at: "2099-01-01T00:00:00.000000Z", kind: "tip", table: banker[0].table, v: next };
  assert.deepEqual(foundIn([...banker, tip]), []);
  assert.deepEqual(foundIn([...banker, { ...tip, v: 1 }]), ["syntax v"]);
  assert.deepEqual(changed(banker, "seal", { tips: 1, v: next + 1 }), []);
  assert.deepEqual(changed(banker, "seal", { tips: 1, v: next }), ["syntax v"]);
  assert.deepEqual(changed(banker, "round", { v: next + 1 }), ["syntax v"], "nothing in it is new");
  assert.throws(() => changed(banker, "seal", { tips: 1, v: next + 2 }), { name: "NewerError" });
  const [{ options }] = casino;
  assert.deepEqual(changed(casino, "table", { options: { ...options, soft: true }, v: next }), []);
  assert.equal(changed(casino, "table", { options: { ...options, soft: true } })[0], "syntax v");
  assert.equal(changed(casino, "table", { options: { ...options, soft: false }, v: next })[0], "policy options.soft", "only where it is off its default");
});
