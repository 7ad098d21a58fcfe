#!/usr/bin/env node
// node verify.mjs LOG [--key VKEY]: audits a whole log. Findings are lines of JSON, the last line is the verdict.
// node verify.mjs HAND.json --key VKEY: checks the proof of one hand in the same way.
// Exit code 0: nothing failed. 1: something did. 2: not readable as a log, written by a newer fairshoe, or wrong usage.

import { createReadStream, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { equal, InputError, NewerError, toHex } from "./bytes.mjs";
import { Audit } from "./audit.mjs";
import { formatOf } from "./formats.mjs";
import { checkHand } from "./hand.mjs";
import { asSaved, openCheckpoint, parseCheckpoint, parseNote, parseVerifierKey } from "./note.mjs";

const LARGEST_NOTE = 65536;
const LARGEST_FILE = 1 << 26;
const MOST_WITHOUT_LINE = 1 << 28;
const MOST_UNREAD = 4096;
const CHUNK = 1 << 20; // bytes that are read at once
const GZIP = Buffer.from([0x1f, 0x8b]);

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

/** @param {string} path a checkpoint or a key @returns {string} as the house wrote it */
function readText(path) {
  const bytes = read(path, LARGEST_NOTE);
  const format = formatOf(bytes);
  return format ? refuse(`${path} is ${format}`) : asSaved(bytes);
}

/** @param {string} key a verifier key, or a file with it */
function readKey(key) {
  const text = existsSync(key) ? readText(key).trim() : key;
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

/** @param {string} path @returns {import("node:stream").Readable} the bytes of a file; of a gzip file those that are packed in it */
function open(path) {
  const [fd, beginning] = [openSync(path, "r"), Buffer.alloc(2)];
  readSync(fd, beginning, 0, 2, 0);
  const file = createReadStream(path, { fd, start: 0, highWaterMark: CHUNK });
  return beginning.equals(GZIP) ? pipeline(file, createGunzip({ chunkSize: CHUNK }), () => {}) : file;
}

/** The first bytes of the log, as they were unpacked. */
let head = new Uint8Array();

/** @param {string} path @param {(line: Uint8Array) => void} take @returns {Promise<boolean>} whether the last line has its LF */
async function lines(path, take) {
  /** @type {Buffer[]} */
  let rest = [];
  let length = 0;
  for await (const bytes of open(path)) {
    if (!head.length) head = bytes.subarray(0, 512);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const tail = bytes.subarray(from, end);
      take(length ? Buffer.concat([...rest, tail]) : tail);
      [rest, length, from] = [[], 0, end + 1];
    }
    if (from === bytes.length) continue;
    length += bytes.length - from;
    if (length > MOST_WITHOUT_LINE) refuse(`${path} is no log: a line has no end`);
    rest.push(bytes.subarray(from));
  }
  return length === 0;
}

/** @param {object} line */
const say = (line) => console.log(JSON.stringify(line));

/** The proof of one hand. */
function hand() {
  const bytes = read(path);
  const format = bytes[0] === 0xef ? "a text with a byte order mark: save it without one" : formatOf(bytes);
  if (format) refuse(`${path} is ${format}`);
  try {
    const { outcome, round, findings, newer } = checkHand(bytes, key || refuse("a proof needs --key, the house's key"));
    if (newer) refuse(`${path}: ${newer.message}`);
    for (const finding of findings) say(finding);
    say({ outcome, round });
    process.exitCode = outcome.startsWith("PASS") ? 0 : 1;
  } catch (error) {
    refuse(reason(error));
  }
}

/** @param {Audit} audit @param {(line: Uint8Array) => void} take @returns {Promise<string>} where the entries stand */
async function readLog(audit, take) {
  const inside = ["log.jsonl", "log.jsonl.gz"].map((name) => join(path, name));
  const file = statSync(path).isDirectory() ? inside.find((name) => existsSync(name)) : path;
  if (!file) return refuse(`${path} has no log.jsonl${existsSync(join(path, "tile")) ? "; tiles are read by fairshoe-audit" : ""}`);
  if (!statSync(file).isFile()) refuse(`${file} is no regular file`);
  try {
    if (!(await lines(file, take))) audit.fail("syntax", "", "a line with its LF", "a line that is cut off", { entry: audit.index + 1 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // neither of the disk nor of gzip
    refuse(`${file} cannot be read to its end: ${reason(error)}`);
  }
  return file;
}

/** @param {string} file of which no line is an entry @returns {never} */
const refuseLog = (file) => refuse(`${file} is no log${formatOf(head) && `: it is ${formatOf(head)}`}`);

/** @param {string} name @returns {string} the text of a file beside the log, "" without one */
function beside(name) {
  const file = join(path, name);
  return statSync(path).isDirectory() && existsSync(file) ? readText(file) : "";
}

/** @param {Audit} audit @param {string} note the checkpoint, "" without one */
function signed(audit, note) {
  if (!statSync(path).isDirectory()) return "not-checked";
  audit.entry = {};
  let field = "log.vkey";
  try {
    const vkey = key || beside("log.vkey");
    const signer = vkey ? parseVerifierKey(vkey) : null;
    field = "checkpoint";
    if (key && !note) throw new InputError("there is none beside the log", field);
    if (!note) return "not-checked";
    const { size, root } = signer ? openCheckpoint(note, signer) : parseCheckpoint(parseNote(note));
    const whole = size === audit.index + 1 && equal(root, audit.tree.root());
    if (!whole) audit.fail("tree", "root", { size, root: toHex(root) }, { size: audit.index + 1, root: audit.root }, { entry: -1 });
    return key ? "pass" : "not-checked";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    audit.fail("signature", field, field === "checkpoint" ? "a checkpoint that this key signed" : "a verifier key", reason(error), { entry: -1 });
    return "fail";
  }
}

async function log() {
  const audit = new Audit();
  const note = beside("checkpoint");
  audit.origin = note.split("\n", 1)[0];
  const file = await readLog(audit, (line) => {
    try {
      audit.take(line);
    } catch (error) {
      if (!(error instanceof NewerError)) throw error;
      refuse(`${path}: ${reason(error)}`);
    }
    if (audit.unread > audit.index && audit.index >= MOST_UNREAD) refuseLog(path);
  });
  if (audit.index < 0 || audit.unread > audit.index) refuseLog(file);
  audit.end();
  const signature = signed(audit, note);
  for (const finding of audit.findings.sort((a, b) => (a.entry ?? -1) - (b.entry ?? -1))) say(finding);
  const { verdict, rounds, ended } = audit;
  say({ verdict, entries: audit.index + 1, shoes: ended, rounds, open: audit.shoes.size, signature, root: audit.root });
  process.exitCode = verdict === "pass" ? 0 : 1;
}

const { path, key } = options(process.argv.slice(2));
if (path.endsWith(".json") && !statSync(path).isDirectory()) hand();
else await log();
