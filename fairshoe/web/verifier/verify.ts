#!/usr/bin/env node
// node verify.mjs LOG [--key VKEY] [--notes FILE] [--openings FILE]: audits a whole log. Findings are lines of JSON, the
// last line is the verdict. Notes: what placers and house answered, a line each. Openings: what binds the cards of shoes
// whose keys are not out; left out, the openings.jsonl beside the log.
// node verify.mjs HAND.json --key VKEY: checks the proof of one hand in the same way.
// Exit code 0: nothing failed. 1: something did. 2: no line is an entry, written by a newer fairshoe, or wrong usage.

import { createReadStream, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { FairshoeError, fromUtf8 } from "./bytes.ts";
import { formatOf } from "./formats.ts";
import { checkHand } from "./hand.ts";
import { LogReader } from "./log.ts";
import { asSaved, parseVerifierKey } from "./note.ts";
import { checkQuicknet } from "./quicknet.ts";
import { pairing } from "./steps/beacons.ts";
import type { Readable } from "node:stream";

const LARGEST_NOTE = 65536;
const LARGEST_FILE = 1 << 26;
const MAX_OPENINGS = 1 << 28;
const CHUNK = 1 << 20; // bytes that are read at once
const GZIP = Buffer.from([0x1f, 0x8b]);

function refuse(message: string): never {
  process.stderr.write(`verify: ${message}\n`);
  process.exit(2);
}

const reason = (error: unknown): string => (error as Error).message;

/** The content of a regular file, of at most `most` bytes. */
function read(path: string, most: number = LARGEST_FILE): Uint8Array {
  const stat = existsSync(path) ? statSync(path) : refuse(`${path} does not exist`);
  if (!stat.isFile() || stat.size > most) refuse(`${path} is no regular file of at most ${most} bytes`);
  return new Uint8Array(readFileSync(path));
}

/** A checkpoint or a key, as the house wrote it. */
function readText(path: string): string {
  const bytes = read(path, LARGEST_NOTE);
  const format = formatOf(bytes);
  return format ? refuse(`${path} is ${format}`) : asSaved(bytes);
}

/** The text of a file of JSON, of at most `most` bytes. */
function readUtf8(path: string, most?: number): string {
  try {
    return fromUtf8(read(path, most));
  } catch (error) {
    return refuse(`${path}: ${reason(error)}`);
  }
}

/** @param key a verifier key, or a file with it */
function readKey(key: string) {
  const text = existsSync(key) ? readText(key).trim() : key;
  try {
    parseVerifierKey(text);
    return text;
  } catch (error) {
    return refuse(`the key cannot be read: ${reason(error)}`);
  }
}

function options(args: string[]): { path: string; key: string; notes: string; openings: string | null } {
  const found = { path: "", key: "", notes: "", openings: null as string | null };
  for (let i = 0; i < args.length; i++) {
    if (!args[i].startsWith("--")) found.path = found.path ? refuse("one log or proof at a time") : args[i];
    else if (args[i] === "--notes") found.notes = readUtf8(args[++i] ?? refuse("--notes takes a file")) || "\n";
    else if (args[i] === "--openings")
      found.openings = readUtf8(args[++i] ?? refuse("--openings takes a file"), MAX_OPENINGS);
    else if (args[i] !== "--key") refuse(`there is no option ${args[i]}`);
    else found.key = readKey(args[++i] ?? refuse("--key takes a value"));
  }
  if (!found.path) refuse("usage: node verify.mjs LOG [--key VKEY] [--notes FILE] [--openings FILE]");
  if (!existsSync(found.path)) refuse(`${found.path} does not exist`);
  return found;
}

/** @returns the bytes of a file; of a gzip file those that are packed in it */
function open(path: string): Readable {
  const [fd, beginning] = [openSync(path, "r"), Buffer.alloc(2)];
  readSync(fd, beginning, 0, 2, 0);
  const file = createReadStream(path, { fd, start: 0, highWaterMark: CHUNK });
  return beginning.equals(GZIP) ? pipeline(file, createGunzip({ chunkSize: CHUNK }), () => {}) : file;
}

const say = (line: object) => console.log(JSON.stringify(line));

/** The proof of one hand. */
function hand() {
  const bytes = read(path);
  const format = bytes[0] === 0xef ? "a text with a byte order mark: save it without one" : formatOf(bytes);
  if (format) refuse(`${path} is ${format}`);
  try {
    const { outcome, round, findings, bound, newer } = checkHand(
      bytes,
      key || refuse("a proof needs --key, the house's key"),
    );
    if (newer) refuse(`${path}: ${newer.message}`);
    for (const finding of findings) say(finding);
    say({ outcome, round, ...(bound && { bound: "to the seal" }) });
    process.exitCode = outcome.startsWith("PASS") ? 0 : 1;
  } catch (error) {
    refuse(reason(error));
  }
}

/** A whole log. */
async function log() {
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const inside = ["log.jsonl", "log.jsonl.gz"].map((name) => join(path, name));
  const file = folder === path ? inside.find((name) => existsSync(name)) : path;
  if (!file)
    return refuse(
      `${path} has no log.jsonl${existsSync(join(path, "tile")) ? "; tiles are read by fairshoe-audit" : ""}`,
    );
  if (!statSync(file).isFile()) refuse(`${file} is no regular file`);
  const beside = (name: string) => (existsSync(join(folder, name)) ? readText(join(folder, name)) : "");
  const bound = join(folder, "openings.jsonl");
  try {
    const shown = openings ?? (existsSync(bound) ? readUtf8(bound, MAX_OPENINGS) : null);
    const reader = new LogReader({ checkpoint: beside("checkpoint"), vkey: beside("log.vkey") }, key, notes, shown);
    for await (const bytes of open(file)) reader.push(bytes);
    const { code, findings, verdict } = reader.end();
    for (const finding of findings) say(finding);
    say(verdict);
    process.exitCode = code;
  } catch (error) {
    if (!(error instanceof FairshoeError) && !(error instanceof Error && "code" in error)) throw error; // neither of the log, the disk nor gzip
    refuse(`${file}: ${reason(error)}`);
  }
}

pairing.check = checkQuicknet;
const { path, key, notes, openings } = options(process.argv.slice(2));
if (path.endsWith(".json") && !statSync(path).isDirectory()) hand();
else await log();
