// Signed notes and checkpoints, against published ones and against all that is nearly one.
import assert from "node:assert/strict";
import test from "node:test";

import { concat, fromBase64, InputError, toBase64, toHex, utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { asSaved, isSignedBy, openCheckpoint, parseNote, parseVerifierKey } from "../../fairshoe/web/verifier/note.ts";
import { sha256 } from "../../fairshoe/web/verifier/hashes.ts";
import { Signer } from "./support/signing.mjs";

const log = new Signer("example.org/log");
const other = new Signer("other.example/x");
const key = parseVerifierKey(log.vkey);
const ROOT = toBase64(sha256(utf8("root")));
const TEXT = `example.org/log\n7\n${ROOT}\n`;

/** The last byte of the signature changed. */
const spoiled = (line) => {
  const bytes = fromBase64(line.trim().split(" ")[2]);
  bytes[bytes.length - 1] ^= 1;
  return line.replace(/\S+\n$/, `${toBase64(bytes)}\n`);
};

test("the note of C2SP's specification", () => {
  const text = "This is an example message.\n";
  const note = parseNote(
    `${text}\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n`,
  );
  const foo = parseVerifierKey("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
  assert.equal(note.text, text);
  assert.ok(isSignedBy(note, foo));
  assert.ok(!isSignedBy({ ...note, text: `${text}x` }, foo));
});

test("a text may have empty lines: the last one parts it from the signatures", () => {
  const text = "trafitto da un raggio di sole:\n\ned è subito sera.\n";
  assert.equal(parseNote(log.note(text)).text, text);
  assert.ok(isSignedBy(parseNote(log.note(text)), key));
});

test("a checkpoint that the log signed", () => {
  const checkpoint = openCheckpoint(log.note(TEXT), key);
  assert.deepEqual(checkpoint, { origin: "example.org/log", size: 7, root: fromBase64(ROOT) });
  assert.equal(openCheckpoint(log.note(`${TEXT}an extension\nanother\n`), key).size, 7);
  assert.equal(openCheckpoint(log.note(`example.org/log\n0\n${ROOT}\n`), key).size, 0);
  assert.equal(openCheckpoint(log.note(`example.org/log\n${2 ** 53 - 1}\n${ROOT}\n`), key).size, 2 ** 53 - 1);
});

test("a checkpoint that an editor saved", () => {
  const saved = utf8(`\ufeff${log.note(TEXT).replaceAll("\n", "\r\n")}`);
  assert.throws(() => openCheckpoint(saved, key), InputError);
  for (const bytes of [saved, saved.subarray(0, -2), utf8(`${log.note(TEXT)}\n\n`)]) assert.equal(openCheckpoint(asSaved(bytes), key).size, 7);
  assert.deepEqual(parseVerifierKey(`\ufeff${log.vkey}\r\n`), key);
});

test("signatures of others are passed over, and all of a known key must hold", () => {
  const [own, foreign] = [log.line(TEXT), other.line(TEXT)];
  const signed = (below) => isSignedBy(parseNote(`${TEXT}\n${below}`), key);
  assert.ok(signed(own) && signed(foreign + own) && signed(spoiled(foreign) + own) && signed(own + own));
  assert.ok(!signed(foreign) && !signed(spoiled(own)) && !signed(own + spoiled(own)) && !signed(spoiled(own) + own));
  assert.ok(signed(new Signer("example.org/log", 1, "another key").line(TEXT) + own)); // one name, two keys
  assert.ok(!signed(own.replace("example.org/log", "example.org/lag")));
});

test("what is nearly a note is none", () => {
  const note = log.note(TEXT);
  const wrong = [
    "", "\n", TEXT,
    `${TEXT}\n`,
    note.slice(0, -1),
    `${note}\n`,
    `${note}garbage\n`,
    note.replaceAll("\n", "\r\n"),
    note.replace("—", "-"),
    note.replace("— ", "—  "),
    note.replace(/\n$/, " \n"),
    note.replace(/=\n$/, "\n"),
    note.replace("example.org/log\n", "example.org/log\t\n"),
    `${note}— a b c\n`,
    `${note}— a !!!!\n`,
    `${note}— a+b AAAAAAAA\n`,
    `${note}— a\u00a0b AAAAAAAA\n`,
    `${note}— a AAAA\n`,
    `${note}— a AAAAAA==\n`,
    `${note}—  AAAAAAAA\n`,
  ];
  for (const text of wrong) assert.throws(() => parseNote(text), InputError, JSON.stringify(text));
  assert.throws(() => parseNote(concat(utf8(note), Uint8Array.of(0xff))), InputError);
});

test("what is nearly a checkpoint is none, whoever signed it", () => {
  const wrong = [
    `\n7\n${ROOT}\n`,
    "example.org/log\n7\n",
    `${TEXT}\nafter an empty line\n`,
    `example.org/log\n7\n${ROOT.slice(0, -1)}\n`,
    `example.org/log\n7\n${toBase64(new Uint8Array(31))}\n`,
    `example.org/log\n7\n${toBase64(new Uint8Array(33))}\n`,
    `example.org/lag\n7\n${ROOT}\n`,
    ...["", "00", "07", "+7", "-7", " 7", "7.0", "7e0", "٧", "0x7", String(2 ** 53), "18446744073709551616"].map(
      (size) => `example.org/log\n${size}\n${ROOT}\n`,
    ),
  ];
  for (const text of wrong) assert.throws(() => openCheckpoint(log.note(text), key), InputError, JSON.stringify(text));
  assert.throws(() => openCheckpoint(other.note(TEXT), key), InputError);
  assert.throws(() => openCheckpoint(log.note(TEXT).replace("\n7\n", "\n8\n"), key), InputError);
});

test("what is nearly a verifier key is none", () => {
  const [name, id, rest] = [log.name, toHex(key.id), log.vkey.slice(log.name.length + 10)];
  const wrong = [
    "",
    name,
    `${name}+${id}`,
    `+${id}+${rest}`,
    `${name}+${id.toUpperCase()}+${rest}`,
    `${name}+00000000+${rest}`,
    `${name} +${id}+${rest}`,
    `${name}x+${id}+${rest}`,
    `${name}+${id}+${rest}=`,
    `PRIVATE+KEY+${log.vkey}`,
    new Signer("witness.example/w1", 4).vkey,
  ];
  for (const text of wrong) assert.throws(() => parseVerifierKey(text), InputError, text);
  for (const point of [Uint8Array.of(1, ...new Uint8Array(31)), new Uint8Array(32), new Uint8Array(31).fill(1)]) {
    const body = concat(Uint8Array.of(1), point);
    const kid = sha256(concat(utf8("a\n"), body)).subarray(0, 4);
    assert.throws(() => parseVerifierKey(`a+${toHex(kid)}+${toBase64(body)}`), InputError);
  }
});
