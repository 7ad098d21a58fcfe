#!/usr/bin/env node
// node verify.mjs LOG [--key VKEY]: audits a whole log. Findings are lines of JSON, the last line is the verdict.
// node verify.mjs HAND.json --key VKEY: checks the proof of one hand in the same way.
// Exit code 0: nothing failed. 1: something did. 2: not readable as a log, written by a newer fairshoe, or wrong usage.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { equal, NewerError, toHex } from "./bytes.mjs";
import { Audit } from "./audit.mjs";
import { checkHand } from "./hand.mjs";
import { asSaved, openCheckpoint, parseVerifierKey } from "./note.mjs";

const LARGEST_NOTE = 65536;
const LARGEST_FILE = 1 << 26;
const MOST_WITHOUT_LINE = 1 << 28;
const MOST_UNREAD = 4096;

/** @param {string} message @returns {never} */
function refuse(message) {
  process.stderr.write(`verify: ${message}\n`);
  process.exit(2);
}

/** @param {unknown} error @returns {string} */
const reason = (error) => /** @type {Error} */ (error).message;

/** @param {string} path @param {number} most in bytes @returns {Uint8Array} of a regular file */
function read(path, most = LARGEST_FILE) {
  const stat = existsSync(path) ? statSync(path) : refuse(`${path} does not exist`);
  if (!stat.isFile() || stat.size > most) refuse(`${path} is no regular file of at most ${most} bytes`);
  return new Uint8Array(readFileSync(path));
}

/** @param {string} key a verifier key, or a file with it */
function readKey(key) {
  const text = existsSync(key) ? asSaved(read(key, LARGEST_NOTE)).trim() : key;
  try {
    parseVerifierKey(text);
    return text;
  } catch (error) {
    return refuse(`the key cannot be read: ${reason(error)}`);
  }
}

/** @param {string[]} args @returns {{path: string, key: string}} */
function options(args) {
  const found = { path: "", key: "" };
  for (let i = 0; i < args.length; i++) {
    if (!args[i].startsWith("--")) found.path = found.path ? refuse("one log or proof at a time") : args[i];
    else if (args[i] !== "--key") refuse(`there is no option ${args[i]}`);
    else found.key = readKey(args[++i] ?? refuse("--key takes a value"));
  }
  if (!found.path) refuse("usage: node verify.mjs LOG [--key VKEY]");
  if (!existsSync(found.path)) refuse(`${found.path} does not exist`);
  return found;
}

/** @param {string} path @param {(line: Uint8Array) => void} take @returns {boolean} whether the last line has its LF */
function lines(path, take) {
  const file = openSync(path, "r");
  const chunk = Buffer.alloc(1 << 20);
  /** @type {Buffer[]} */
  let rest = [];
  let length = 0;
  for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
    const bytes = chunk.subarray(0, size);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const tail = bytes.subarray(from, end);
      take(length ? Buffer.concat([...rest, tail]) : tail);
      [rest, length, from] = [[], 0, end + 1];
    }
    if (from === size) continue;
    length += size - from;
    if (length > MOST_WITHOUT_LINE) refuse(`${path} is no log: a line has no end`);
    rest.push(Buffer.from(bytes.subarray(from)));
  }
  closeSync(file);
  return length === 0;
}

/** @param {object} line */
const say = (line) => console.log(JSON.stringify(line));

/** @returns {string} the key that came with the log, if any */
function besideKey() {
  const beside = join(path, "log.vkey");
  return statSync(path).isDirectory() && existsSync(beside) ? readKey(beside) : "";
}

/** The proof of one hand. */
function hand() {
  try {
    const { outcome, round, findings, newer } = checkHand(read(path), key || refuse("a proof needs --key, the house's key"));
    if (newer) refuse(`${path}: ${newer.message}`);
    for (const finding of findings) say(finding);
    say({ outcome, round });
    process.exitCode = outcome.startsWith("PASS") ? 0 : 1;
  } catch (error) {
    refuse(reason(error));
  }
}

/** @param {Audit} audit @param {(line: Uint8Array) => void} take @returns {string} where the entries stand */
function readLog(audit, take) {
  const file = statSync(path).isDirectory() ? join(path, "log.jsonl") : path;
  if (!existsSync(file)) refuse(`${path} has no log.jsonl${existsSync(join(path, "tile")) ? "; tiles are read by fairshoe-audit" : ""}`);
  if (!statSync(file).isFile()) refuse(`${file} is no regular file`);
  if (!lines(file, take)) audit.fail("syntax", "", "a line with its LF", "a line that is cut off", { entry: audit.index + 1 });
  return file;
}

/** @param {string} log @returns {string} the name that its checkpoint gives it, "" without one */
function originOf(log) {
  const checkpoint = join(log, "checkpoint");
  return statSync(log).isDirectory() && existsSync(checkpoint) ? asSaved(read(checkpoint, LARGEST_NOTE)).split("\n", 1)[0] : "";
}

/** @param {Audit} audit */
function signed(audit) {
  if (!statSync(path).isDirectory()) return "not-checked";
  audit.entry = {};
  const checkpoint = join(path, "checkpoint");
  if (!existsSync(checkpoint)) {
    if (key) audit.fail("signature", "checkpoint", "a checkpoint beside the log", null, { entry: -1 });
    return key ? "fail" : "not-checked";
  }
  const vkey = key || besideKey();
  if (!vkey) return "not-checked";
  try {
    const head = openCheckpoint(asSaved(read(checkpoint, LARGEST_NOTE)), parseVerifierKey(vkey));
    const whole = head.size === audit.index + 1 && equal(head.root, audit.tree.root());
    if (!whole) audit.fail("tree", "root", { size: head.size, root: toHex(head.root) }, { size: audit.index + 1, root: audit.root }, { entry: -1 });
    return key ? "pass" : "not-checked";
  } catch (error) {
    audit.fail("signature", "checkpoint", "a checkpoint that this key signed", reason(error), { entry: -1 });
    return "fail";
  }
}

function log() {
  const audit = new Audit();
  audit.origin = originOf(path);
  const file = readLog(audit, (line) => {
    try {
      audit.take(line);
    } catch (error) {
      if (!(error instanceof NewerError)) throw error;
      refuse(`${path}: ${reason(error)}`);
    }
    if (audit.unread > audit.index && audit.index >= MOST_UNREAD) refuse(`${path} is no log`);
  });
  if (audit.index < 0 || audit.unread > audit.index) refuse(`${file} is no log`);
  audit.end();
  const signature = signed(audit);
  for (const finding of audit.findings.sort((a, b) => (a.entry ?? -1) - (b.entry ?? -1))) say(finding);
  const { verdict, rounds, ended } = audit;
  say({ verdict, entries: audit.index + 1, shoes: ended, rounds, open: audit.shoes.size, signature, root: audit.root });
  process.exitCode = verdict === "pass" ? 0 : 1;
}

const { path, key } = options(process.argv.slice(2));
if (path.endsWith(".json") && !statSync(path).isDirectory()) hand();
else log();
