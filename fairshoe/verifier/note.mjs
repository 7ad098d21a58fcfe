// C2SP signed notes, their verifier keys, and checkpoints: c2sp.org/signed-note, c2sp.org/tlog-checkpoint
import { concat, equal, fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from "./bytes.mjs";
import { isPublicKey, verifyEd25519 } from "./ed25519.mjs";
import { InputError } from "./errors.mjs";
import { decimal, must } from "./forms.mjs";
import { sha256 } from "./hashes.mjs";

const ED25519 = 1; // 4 is a witness's, which cosigns

/**
 * @typedef {object} VerifierKey
 * @property {string} name
 * @property {Uint8Array} id 4 bytes
 * @property {Uint8Array} key 32 bytes, Ed25519
 */

/** @param {Uint8Array} file a checkpoint or a key @returns {string} as it was before an editor saved it: without byte order mark, LF for CR LF */
export const asSaved = (file) => fromUtf8(file, "file").replace(/^\ufeff/, "").replaceAll("\r\n", "\n");

/** @param {string} text name+id+base64, with white space around it or not @returns {VerifierKey} */
export function parseVerifierKey(text) {
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

/** @param {string} name @param {Uint8Array} body type and key @returns {Uint8Array} 4 bytes */
const keyId = (name, body) => sha256(concat(utf8(`${name}\n`), body)).subarray(0, 4);

/** @param {string} name @returns {boolean} not empty, no white space, no + */
const isKeyName = (name) => name !== "" && !/[\s+\u0085]/.test(name);

/**
 * @typedef {object} Signature
 * @property {string} line without its LF
 * @property {string} name
 * @property {Uint8Array} id 4 bytes
 * @property {Uint8Array} bytes what follows the id
 */

/**
 * @typedef {object} Note
 * @property {string} text what is signed: ends with LF
 * @property {Signature[]} signatures at least one
 */

/** @param {Uint8Array | string} note @returns {Note} */
export function parseNote(note) {
  const whole = typeof note === "string" ? note : fromUtf8(note, "note");
  const end = whole.lastIndexOf("\n\n");
  must(end >= 0 && whole.endsWith("\n") && end + 2 < whole.length, "note", "a text, an empty line, signatures, LF");
  must(!/[\u0000-\u0009\u000b-\u001f]/.test(whole), "note", "no control character but LF");
  const lines = whole.slice(end + 2, -1).split("\n");
  return { text: whole.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

/** @param {string} line @returns {Signature} */
function parseSignature(line) {
  const [dash, name, encoded, ...rest] = line.split(" ");
  must(dash === "—" && encoded !== undefined && rest.length === 0 && isKeyName(name), "signature line", "— name base64");
  const bytes = fromBase64(encoded, "signature line");
  must(bytes.length > 4, "signature line", "a key id and a signature");
  return { line, name, id: bytes.subarray(0, 4), bytes: bytes.subarray(4) };
}

/**
 * Whether a note is signed by a key: signatures of other keys are passed over, all that name this one must hold.
 * @param {Note} note
 * @param {VerifierKey} key
 * @returns {boolean}
 */
export function isSignedBy({ text, signatures }, key) {
  const own = signatures.filter(({ name, id }) => name === key.name && equal(id, key.id));
  return own.length > 0 && own.every(({ bytes }) => verifyEd25519(key.key, utf8(text), bytes));
}

/**
 * @typedef {object} Checkpoint
 * @property {string} origin the log's name
 * @property {number} size in entries
 * @property {Uint8Array} root the tree head
 */

/** @param {Note} note @returns {Checkpoint} */
export function parseCheckpoint({ text }) {
  const [origin, size, root, ...rest] = text.slice(0, -1).split("\n");
  must(origin !== "" && root !== undefined, "checkpoint", "origin, size, tree head");
  must(rest.every((line) => line !== ""), "checkpoint", "no empty line");
  const head = fromBase64(root, "checkpoint's tree head");
  must(head.length === 32, "checkpoint's tree head", "32 bytes");
  return { origin, size: decimal(size, "checkpoint's size"), root: head };
}

/**
 * A checkpoint that a house signed, or an error that says what is wrong.
 * @param {Uint8Array | string} note
 * @param {VerifierKey} key whose name is the log's
 * @returns {Checkpoint}
 */
export function openCheckpoint(note, key) {
  const parsed = parseNote(note);
  const checkpoint = parseCheckpoint(parsed);
  must(checkpoint.origin === key.name, "checkpoint's origin", key.name, "another log's checkpoint, or another key");
  if (!isSignedBy(parsed, key))
    throw new InputError("the checkpoint is not signed by this key", "checkpoint", `${key.name}+${toHex(key.id)}+${toBase64(concat(Uint8Array.of(ED25519), key.key))}`);
  return checkpoint;
}
