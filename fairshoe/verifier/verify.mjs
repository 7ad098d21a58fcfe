#!/usr/bin/env node
// node verify.mjs LOG [--key VKEY]: audits a whole log. Findings are lines of JSON, the last line is the verdict.
// node verify.mjs HAND.json --key VKEY: checks the proof of one hand in the same way.
// Exit code 0: nothing failed. 1: something did. 2: not readable as a log, or wrong usage.

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { equal } from "./bytes.mjs";
import { Audit } from "./audit.mjs";
import { checkHand } from "./hand.mjs";
import { openCheckpoint, parseVerifierKey } from "./note.mjs";

/** @param {string} message @returns {never} */
function refuse(message) {
  process.stderr.write(`verify: ${message}\n`);
  process.exit(2);
}

/** @param {string[]} args */
function options(args) {
  const paths = [];
  let key = "";
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--key") key = args[++i] ?? refuse("--key takes a verifier key, or a file with it");
    else if (args[i].startsWith("--")) refuse(`there is no option ${args[i]}`);
    else paths.push(args[i]);
  }
  if (paths.length !== 1) refuse("usage: node verify.mjs LOG [--key VKEY]");
  return { path: paths[0], key: key && existsSync(key) ? readFileSync(key, "utf8").trim() : key };
}

/** @param {string} path @param {(line: Uint8Array) => void} take @returns {Promise<boolean>} whether the last line has its LF */
async function lines(path, take) {
  /** @type {Buffer[]} */
  let rest = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const tail = chunk.subarray(from, end);
      take(rest.length ? Buffer.concat([...rest, tail]) : tail);
      rest = [];
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  return rest.length === 0;
}

/** @param {Audit} audit @param {string} checkpoint @param {string} key */
function signed(audit, checkpoint, key) {
  audit.entry = {};
  if (!existsSync(checkpoint)) {
    if (key) audit.fail("signature", "checkpoint", "a checkpoint beside the log", null, { entry: -1 });
    return key ? "fail" : "not-checked";
  }
  const beside = join(checkpoint, "..", "log.vkey");
  const vkey = key || (existsSync(beside) ? readFileSync(beside, "utf8").trim() : "");
  if (!vkey) return "not-checked";
  try {
    const head = openCheckpoint(readFileSync(checkpoint), parseVerifierKey(vkey));
    const whole = head.size === audit.index + 1 && equal(head.root, audit.tree.root());
    if (!whole) audit.fail("tree", "root", { size: head.size }, { size: audit.index + 1, root: audit.root }, { entry: -1 });
    return key ? "pass" : "not-checked";
  } catch (error) {
    audit.fail("signature", "checkpoint", "a checkpoint that this key signed", /** @type {Error} */ (error).message, { entry: -1 });
    return "fail";
  }
}

/** The proof of one hand. @returns {never} */
function hand() {
  try {
    const { outcome, says, round, findings } = checkHand(readFileSync(path), key || refuse("a proof needs --key, the house's key"));
    for (const finding of findings) console.log(JSON.stringify(finding));
    console.log(JSON.stringify({ outcome, says, round }));
    return process.exit(outcome === "FAIL" ? 1 : 0);
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
}

const { path, key } = options(process.argv.slice(2));
const directory = existsSync(path) ? statSync(path).isDirectory() : refuse(`${path} does not exist`);
const log = directory ? join(path, "log.jsonl") : path;
if (!existsSync(log)) refuse(`${log} does not exist`);
if (key) {
  try {
    parseVerifierKey(key);
  } catch (error) {
    refuse(`the key cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}
if (!directory && path.endsWith(".json")) hand();
const audit = new Audit();
const whole = await lines(log, (line) => audit.take(line));
if (!whole) audit.fail("syntax", "", "a line with its LF", "a line that is cut off", { entry: audit.index + 1 });
if (audit.index < 0 || audit.unread > audit.index) refuse(`${log} is no log`);
audit.end();
const signature = directory ? signed(audit, join(path, "checkpoint"), key) : "not-checked";
audit.findings.sort((a, b) => (a.entry ?? -1) - (b.entry ?? -1));
for (const finding of audit.findings) console.log(JSON.stringify(finding));
const { verdict, rounds, ended } = audit;
console.log(JSON.stringify({ verdict, entries: audit.index + 1, shoes: ended, rounds, open: audit.shoes.size, signature, root: audit.root }));
process.exitCode = verdict === "pass" ? 0 : 1;
