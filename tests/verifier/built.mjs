// The page that checks, as it is built with short names, tells of each log what its sources tell.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { readLog } from "../../fairshoe/web/verifier/telling/log.ts";

const LOGS = new URL("../data/logs/", import.meta.url);
const PAGE = new URL("../../fairshoe/web/built/verify.html", import.meta.url);

/** The page's worker: answers a question as the page asks it. */
function workerOf(page) {
  const [, script] = /<script type="module">([^]*?)<\/script>/.exec(page);
  const replies = [];
  let answer;
  const names = ["addEventListener", "postMessage", "navigator", "document"];
  const run = new Function(...names, `"use strict";{${script}}`);
  run((_, listen) => (answer = listen), (data) => replies.push(structuredClone(data)), { languages: ["en"] }, undefined);
  return (data) => (answer({ data }), replies.at(-1));
}

test("the built page tells what its sources tell", () => {
  const ask = workerOf(readFileSync(PAGE, "utf8"));
  const names = readdirSync(LOGS).filter((name) => existsSync(new URL(`${name}/log.jsonl`, LOGS)));
  assert.ok(names.length > 50);
  for (const name of names) {
    const text = (file) => (existsSync(new URL(`${name}/${file}`, LOGS)) ? readFileSync(new URL(`${name}/${file}`, LOGS), "utf8") : "");
    const read = [new Uint8Array(readFileSync(new URL(`${name}/log.jsonl`, LOGS))), text("checkpoint"), text("openings.jsonl")];
    const given = { file: null, key: text("log.vkey").trim() };
    let wanted;
    try {
      wanted = readLog(...read).told(given);
    } catch {
      wanted = undefined; // a newer fairshoe wrote it
    }
    ask({ read });
    const { answer } = wanted ? ask({ given, row: null }) : {};
    assert.deepEqual([answer?.what, answer?.says, answer?.values], [wanted?.what, wanted?.says, wanted?.values], name);
  }
});
