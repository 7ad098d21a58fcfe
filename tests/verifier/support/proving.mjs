// Logs and proofs of hands that a house signs, for the tests alone.
import { readFileSync } from "node:fs";

import { toBase64, utf8 } from "../../../fairshoe/web/verifier/bytes.ts";
import { canonicalText } from "../../../fairshoe/web/verifier/json.ts";
import { leafHash, nodeHash } from "../../../fairshoe/web/verifier/hashes.ts";
import { Signer } from "./signing.mjs";

export const FOLDER = new URL("../../../docs/vectors/proofs/", import.meta.url);
export const house = new Signer("house.example/log");
export const bytesOf = (game) => new Uint8Array(readFileSync(new URL(`${game}.json`, FOLDER)));
export const formOf = (game) => JSON.parse(new TextDecoder().decode(bytesOf(game)));
export const entriesOf = (game) => formOf(game).entries.map(({ line }) => JSON.parse(line));

/** A proof of the game's hand with something changed, as a house signed it. */
export const signedAnew = (game, change) => proofOf(house, `${game}#2`, change(entriesOf(game)));
/** The same, where an entry of a kind is changed in its place. */
export const edited = (kind, how) => (entries) => entries.map((entry) => (entry.kind === kind ? (how(entry, entries), entry) : entry));

/** The proof file of a round whose entries are a whole log; a text is a line as it is, right or wrong. */
export function proofOf(house, round, entries) {
  const lines = entries.map((entry) => (typeof entry === "string" ? entry : canonicalText(entry)));
  const leaves = lines.map((line) => leafHash(utf8(line)));
  const checkpoint = house.note(`${house.name}\n${lines.length}\n${toBase64(rootOver(leaves))}\n`);
  const proven = lines.map((line, index) => ({ index, line, path: pathTo(leaves, index).map(toBase64) }));
  return utf8(`${canonicalText({ checkpoint, entries: proven, kind: "fairshoe hand proof", round, v: 1 })}\n`);
}

const half = ({ length }) => 2 ** Math.floor(Math.log2(length - 1));

/** RFC 6962 as it is written, the slow way. */
export function rootOver(leaves) {
  if (leaves.length === 1) return leaves[0];
  const at = half(leaves);
  return nodeHash(rootOver(leaves.slice(0, at)), rootOver(leaves.slice(at)));
}

export function pathTo(leaves, index) {
  if (leaves.length === 1) return [];
  const at = half(leaves);
  const [near, far] = index < at ? [leaves.slice(0, at), leaves.slice(at)] : [leaves.slice(at), leaves.slice(0, at)];
  return [...pathTo(near, index < at ? index : index - at), rootOver(far)];
}

