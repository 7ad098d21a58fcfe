#!/usr/bin/env node
// node verify.mjs LOG [--key VKEY]: audits a whole log. Findings are lines of JSON, the last line is the verdict.
// node verify.mjs HAND.json --key VKEY: checks the proof of one hand in the same way.
//   --checkpoint OLD  a checkpoint that somebody remembered: a file, a log's directory or a proof
//   --witness WVKEY   asks for this witness's cosignature; several times for several
// Exit code 0: nothing failed. 1: something did. 2: not readable as a log, written by a newer fairshoe, or wrong usage.

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { equal, toHex } from "./bytes.mjs";
import { Audit } from "./audit.mjs";
import { parseCanonical } from "./json.mjs";
import { NewerError } from "./errors.mjs";
import { checkHand } from "./hand.mjs";
import { asSaved, cosignedAt, openCheckpoint, parseCheckpoint, parseNote, parseVerifierKey } from "./note.mjs";

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

/** @param {string[]} args */
function options(args) {
  const found = { path: "", key: "", checkpoint: "", witness: /** @type {string[]} */ ([]) };
  for (let i = 0; i < args.length; i++) {
    const name = /** @type {keyof typeof found} */ (args[i].replace(/^--/, ""));
    if (!args[i].startsWith("--")) found.path = found.path ? refuse("one log or proof at a time") : args[i];
    else if (name === "path" || !(name in found)) refuse(`there is no option ${args[i]}`);
    else if (args[++i] === undefined) refuse(`--${name} takes a value`);
    else if (name === "witness") found.witness.push(readKey(args[i]));
    else found[name] = args[i];
  }
  if (!found.path) refuse("usage: node verify.mjs LOG [--key VKEY] [--checkpoint OLD] [--witness WVKEY …]");
  if (!existsSync(found.path)) refuse(`${found.path} does not exist`);
  return { ...found, key: found.key && readKey(found.key) };
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

/** @param {string} path a checkpoint, a directory with it, or a proof @returns {string} */
function rememberedNote(path) {
  const bytes = read(statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, "checkpoint") : path, 1 << 20);
  if (bytes[0] !== 123) return asSaved(bytes);
  try {
    return parseCanonical(bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes, 1 << 20).checkpoint;
  } catch (error) {
    return refuse(`${path} is no checkpoint: ${reason(error)}`);
  }
}

/** @param {string} path @param {string} key @returns {import("./note.mjs").Checkpoint} */
function remembered(path, key) {
  try {
    const note = rememberedNote(path);
    return key ? openCheckpoint(note, parseVerifierKey(key)) : parseCheckpoint(parseNote(note));
  } catch (error) {
    return refuse(`${path} is no checkpoint of this house: ${reason(error)}`);
  }
}

/** @param {string} note @returns {number[]} when each witness that was named cosigned, in seconds since 1970 */
function cosigned(note) {
  const times = witness.map((wvkey) => cosignedAt(parseNote(note), parseVerifierKey(wvkey)));
  return times.filter((time) => time !== null);
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
    const told = checkHand(read(path), key || refuse("a proof needs --key, the house's key"));
    const { outcome, says, round, findings, checkpoint, newer } = told;
    if (newer) refuse(`${path}: ${newer.message}`);
    for (const finding of findings) say(finding);
    let fork = false;
    if (old) {
      if (old.size !== checkpoint.size) refuse(`a checkpoint of ${old.size} entries and a proof of ${checkpoint.size} take the log`);
      fork = !equal(old.root, checkpoint.root);
    }
    const witnesses = witness.length ? cosigned(rememberedNote(path)).length : undefined;
    const failed = fork || (witnesses ?? 0) < witness.length;
    say({ outcome: failed && outcome !== "CANNOT SAY" ? "FAIL" : outcome, says: fork ? "the house signed two logs of one size" : says, round, witnesses });
    process.exitCode = failed || !outcome.startsWith("PASS") ? 1 : 0;
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

/** @param {Audit} audit @param {boolean} found whether the log has the tree head of the remembered checkpoint */
function continues(audit, found) {
  if (!old) return undefined;
  if (!found) audit.fail("tree", "checkpoint", { size: old.size, root: toHex(old.root) }, "a log that does not go on from it", { entry: -1 });
  return found ? "pass" : "fail";
}

/** @param {Audit} audit */
function witnessed(audit) {
  if (!witness.length) return undefined;
  audit.entry = {};
  const checkpoint = join(path, "checkpoint");
  const times = existsSync(checkpoint) ? cosigned(asSaved(read(checkpoint, LARGEST_NOTE))) : [];
  if (times.length < witness.length) audit.fail("signature", "checkpoint", `${witness.length} cosignatures`, times.length, { entry: -1 });
  return times.length;
}

function log() {
  const audit = new Audit();
  let found = old?.size === 0;
  const file = readLog(audit, (line) => {
    try {
      audit.take(line);
    } catch (error) {
      if (!(error instanceof NewerError)) throw error;
      refuse(`${path}: ${reason(error)}`);
    }
    if (audit.unread > audit.index && audit.index >= MOST_UNREAD) refuse(`${path} is no log`);
    if (old && audit.index + 1 === old.size) found = equal(audit.tree.root(), old.root);
  });
  if (audit.index < 0 || audit.unread > audit.index) refuse(`${file} is no log`);
  audit.end();
  const signature = signed(audit);
  const checkpoint = continues(audit, found);
  const witnesses = witnessed(audit);
  for (const finding of audit.findings.sort((a, b) => (a.entry ?? -1) - (b.entry ?? -1))) say(finding);
  const { verdict, rounds, ended } = audit;
  say({ verdict, entries: audit.index + 1, shoes: ended, rounds, open: audit.shoes.size, signature, checkpoint, witnesses, root: audit.root });
  process.exitCode = verdict === "pass" ? 0 : 1;
}

const { path, key, checkpoint: oldPath, witness } = options(process.argv.slice(2));
const old = oldPath ? remembered(oldPath, key) : null;
if (path.endsWith(".json") && !statSync(path).isDirectory()) hand();
else log();
