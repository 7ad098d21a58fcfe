// C2SP signed notes, their verifier keys, and checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint); below them
// Ed25519.

import { concat, equal, fromBase64, fromHex, fromUtf8, InputError, toBase64, toHex, utf8 } from "./bytes.ts";
import { decimal, must } from "./forms.ts";
import { sha256, sha512 } from "./hashes.ts";

export const ED25519 = 1; // 4 is a witness's, which cosigns

export interface VerifierKey {
  name: string;
  /** 4 bytes */
  id: Uint8Array;
  /** 32 bytes, Ed25519 */
  key: Uint8Array;
}

/**
 * The text of a checkpoint or key as it was before an editor saved it, or somebody pasted it: without byte order
 * mark, LF for CR LF, one LF at its end; what is not UTF-8 is U+FFFD, which nobody signs.
 */
export const asSaved = (file: Uint8Array): string =>
  `${new TextDecoder()
    .decode(file)
    .replaceAll("\r\n", "\n")
    .replace(/(?<!\n)\n+$/, "")}\n`;

/** @param text name+id+base64, with white space around it or not */
export function parseVerifierKey(text: string): VerifierKey {
  const where = "verifier key";
  const [name, id, ...rest] = text.trim().split("+");
  must(isKeyName(name) && rest.length > 0, where, "name+id+base64");
  const body = fromBase64(rest.join("+"), where);
  must(/^[0-9a-f]{8}$/.test(id), where, "an id of 8 hex digits");
  must(body.length === 33 && body[0] === ED25519, where, "an Ed25519 key that signs notes, and not a witness's");
  must(equal(keyId(name, body), fromHex(id)), where, "the id that follows from name and key", "it was changed");
  must(isPublicKey(body.subarray(1)), where, "a point of full order", "nobody can have made this key to sign with");
  return { name, id: fromHex(id), key: body.subarray(1) };
}

/** @returns the key as it is written */
export const vkeyText = ({ name, id, key }: VerifierKey): string =>
  `${name}+${toHex(id)}+${toBase64(concat(Uint8Array.of(ED25519), key))}`;

/** `body`: type and key. Returns 4 bytes. */
export const keyId = (name: string, body: Uint8Array): Uint8Array =>
  sha256(concat(utf8(`${name}\n`), body)).subarray(0, 4);

/** @returns not empty, no white space, no + */
const isKeyName = (name: string): boolean => name !== "" && !/[\s+\u0085]/.test(name);

interface Signature {
  /** without its LF */
  line: string;
  name: string;
  /** 4 bytes */
  id: Uint8Array;
  /** what follows the id */
  bytes: Uint8Array;
}

export interface Note {
  /** what is signed: ends with LF */
  text: string;
  /** at least one */
  signatures: Signature[];
}

export function parseNote(note: Uint8Array | string): Note {
  const whole = typeof note === "string" ? note : fromUtf8(note, "note");
  const end = whole.lastIndexOf("\n\n");
  must(end >= 0 && whole.endsWith("\n") && end + 2 < whole.length, "note", "a text, an empty line, signatures, LF");
  must(!/[\u0000-\u0009\u000b-\u001f]/.test(whole), "note", "no control character but LF");
  const lines = whole.slice(end + 2, -1).split("\n");
  return { text: whole.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): Signature {
  const [dash, name, encoded, ...rest] = line.split(" ");
  must(
    dash === "—" && encoded !== undefined && rest.length === 0 && isKeyName(name),
    "signature line",
    "— name base64",
  );
  const bytes = fromBase64(encoded, "signature line");
  must(bytes.length > 4, "signature line", "a key id and a signature");
  return { line, name, id: bytes.subarray(0, 4), bytes: bytes.subarray(4) };
}

/** Whether a note is signed by a key: signatures of other keys are passed over, all that name this one must hold. */
export function isSignedBy({ text, signatures }: Note, key: VerifierKey): boolean {
  const own = signatures.filter(({ name, id }) => name === key.name && equal(id, key.id));
  return own.length > 0 && own.every(({ bytes }) => verifyEd25519(key.key, utf8(text), bytes));
}

export interface Checkpoint {
  /** the log's name */
  origin: string;
  /** in entries */
  size: number;
  /** the tree head */
  root: Uint8Array;
}

export function parseCheckpoint({ text }: Note): Checkpoint {
  const [origin, size, root, ...rest] = text.slice(0, -1).split("\n");
  must(origin !== "" && root !== undefined, "checkpoint", "origin, size, tree head");
  must(
    rest.every((line) => line !== ""),
    "checkpoint",
    "no empty line",
  );
  const head = fromBase64(root, "checkpoint's tree head");
  must(head.length === 32, "checkpoint's tree head", "32 bytes");
  return { origin, size: decimal(size, "checkpoint's size"), root: head };
}

/** A checkpoint that a house signed, or an error that says what is wrong. `key`: in the log's name. */
export function openCheckpoint(note: Uint8Array | string, key: VerifierKey): Checkpoint {
  const parsed = parseNote(note);
  const checkpoint = parseCheckpoint(parsed);
  must(checkpoint.origin === key.name, "checkpoint's origin", key.name, "another log's checkpoint, or another key");
  if (!isSignedBy(parsed, key))
    throw new InputError("the checkpoint is not signed by this key", "checkpoint", vkeyText(key));
  return checkpoint;
}

// Ed25519 signatures verified (RFC 8032 section 5.1.7). Only public values come to this part: nothing need take constant
// time.
//
// Browsers do not agree about rare points, and some have no Ed25519 at all; this decides the same everywhere:
// - a public key is the canonical encoding of a point, and not one of the eight of small order, under which
//   one signature fits many messages;
// - s is below the group's order;
// - [s]B − [k]A, encoded, is R byte for byte: the equation without the cofactor.

const P = 2n ** 255n - 19n;
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** @returns 0 … P − 1 */
const mod = (x: bigint): bigint => ((x % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base; exponent > 0n; exponent >>= 1n, square = (square * square) % P)
    if (exponent & 1n) result = (result * square) % P;
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const TWICE_D = mod(2n * D);
const ROOT = power(2n, (P - 1n) / 4n); // a square root of -1

/** X Y Z T: x = X/Z, y = Y/Z, xy = T/Z */
type Point = readonly [bigint, bigint, bigint, bigint];

export const NEUTRAL: Point = [0n, 1n, 1n, 0n];

export function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (TWICE_D * ((t1 * t2) % P)) % P;
  const d = (2n * z1 * z2) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

/** @returns least significant byte first */
export const number = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** The point that 32 bytes encode; null where they are not its canonical encoding. */
function decode(bytes: Uint8Array): Point | null {
  const value = number(bytes);
  const sign = value >> 255n;
  const y = value & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * power(v, 3n) * power(mod(u * power(v, 7n)), (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

/** @returns 32 bytes */
export function encodePoint([x, y, z]: Point): Uint8Array {
  const inverse = power(mod(z), P - 2n);
  return littleEndian(mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n));
}

/** @returns 32 bytes */
export const littleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));

/** @param point whether eight times it is nothing */
function isSmall(point: Point) {
  for (let i = 0; i < 3; i++) point = add(point, point);
  return mod(point[0]) === 0n;
}

export const BASE = decode(Uint8Array.from({ length: 32 }, (_, i) => (i ? 0x66 : 0x58))) as Point;

/** @returns whether these 32 bytes can be a public key */
export function isPublicKey(key: Uint8Array): boolean {
  const point = key.length === 32 ? decode(key) : null;
  return point !== null && !isSmall(point);
}

const MAX_ANSWERS = 1000;
/** Recent answers, by key, signature and hash: the same notes are met again and again. */
const answers: Map<string, boolean> = new Map();

/** `key`: 32 bytes; `signature`: 64 bytes. */
export function verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  const hash = sha512(concat(signature.subarray(0, 32), key, message));
  const question = toHex(concat(key, signature, hash));
  const answer = answers.get(question) ?? holds(key, signature, hash);
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(question, answer);
  return answer;
}

/** @param hash of R, key and message */
function holds(key: Uint8Array, signature: Uint8Array, hash: Uint8Array): boolean {
  const point = decode(key);
  if (!point || isSmall(point)) return false;
  const r = signature.subarray(0, 32);
  const s = number(signature.subarray(32));
  if (s >= ORDER) return false;
  const k = number(hash) % ORDER;
  const minus: Point = [P - point[0], point[1], 1n, P - point[3]];
  const both = add(BASE, minus);
  let sum = NEUTRAL;
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum);
    const [ofS, ofK] = [(s >> bit) & 1n, (k >> bit) & 1n];
    if (ofS | ofK) sum = add(sum, ofS ? (ofK ? both : BASE) : minus);
  }
  return equal(encodePoint(sum), r);
}
