// The bytes between a house and its placer (docs/placer-protocol.md): a chain of steps, and whose signature is under it.

import { concat, InputError, toBase64, toHex, utf8 } from "./bytes.mjs";
import { isId } from "./forms.mjs";
import { sha256 } from "./hashes.mjs";
import { isSignedBy, parseNote, parseVerifierKey } from "./note.mjs";

/** @typedef {{size: number, root: string}} Stand a tree: how many entries, its head in hex */

/** The salt of a placer's own order. */
export const PLACING = "fairshoe/2 placing";

/** @param {unknown} text @returns {boolean} whether it is a verifier key, as it is written, whose name is an id */
export function isPlacerKey(text) {
  try {
    const { name, id, key } = parseVerifierKey(String(text));
    return isId(name) && text === `${name}+${toHex(id)}+${toBase64(concat(Uint8Array.of(1), key))}`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return false;
  }
}

/** @param {string} key a verifier key @returns {string} */
export const placerName = (key) => key.slice(0, key.indexOf("+"));

/** @param {unknown} placer of a table @returns {boolean} whether it is whoever sits there */
export const isPlayer = (placer) => placer === "player";

/** What a placer was asked, and gave, up to some step. */
export class Chain {
  /** @param {{origin: string, shoe: string, commitment: string}} of a log's shoe @param {{commitment: string, key: string}} placer as the shoe names it */
  constructor({ origin, shoe, commitment }, placer) {
    this.about = `${origin} ${shoe}\n${placer.commitment}`;
    this.key = placer.key;
    this.steps = 0;
    this.head = sha256(utf8(`fairshoe placing v1\nlog ${origin}\nshoe ${shoe}\ncommitment ${commitment}\nplacer ${placerName(placer.key)} ${placer.commitment}\n`));
  }

  /** @param {string} line @param {string} since of what happened before it, in hex; "": nothing */
  step(line, since) {
    this.head = sha256(concat(this.head, utf8(`${since && `since ${since}\n`}${line}\n`)));
    this.steps += 1;
  }

  /** @returns {string} how far it is: the lines that a note and a question have */
  get stand() {
    return `${this.about}\n${this.steps}\n${toHex(this.head)}\n`;
  }

  /** @param {string} [key] the placer's, in hex, after the end @returns {string} the text that the placer signs */
  note(key) {
    return `fairshoe placing v1\n${this.stand}${key ? `key ${key}\n` : ""}`;
  }

  /** @param {string} signature in base64 @param {string} [key] the placer's, in hex, after the end @returns {boolean} whether it is the placer's, under its note as it stands now */
  isSigned(signature, key) {
    try {
      return isSignedBy(parseNote(`${this.note(key)}\n— ${placerName(this.key)} ${signature}\n`), parseVerifierKey(this.key));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return false;
    }
  }
}

/** @param {string[]} parts @returns {string} the hash of what happened; "": nothing did */
export const sinceOf = (parts) => (parts.length ? toHex(sha256(utf8(parts.map((part) => `${part}\n`).join("")))) : "");
