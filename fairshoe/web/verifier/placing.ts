// The bytes between a house and its placer (docs/placer-protocol.md): a chain of steps, and whose signature is under it.

import { attempt, concat, toHex, utf8 } from "./bytes.ts";
import { isId } from "./forms.ts";
import { sha256 } from "./hashes.ts";
import { isSignedBy, parseNote, parseVerifierKey, vkeyText } from "./note.ts";

/** a tree: how many entries, its head in hex */
export type Stand = { size: number; root: string };

/** @returns whether it is a verifier key, as it is written, whose name is an id */
export const isPlacerKey = (text: unknown): boolean =>
  attempt(() => {
    const key = parseVerifierKey(String(text));
    return isId(key.name) && text === vkeyText(key);
  }, false);

/** @param key a verifier key */
export const placerName = (key: string): string => key.slice(0, key.indexOf("+"));

/** Whether a table's placer is whoever sits there. */
export const isPlayer = (placer: unknown): boolean => placer === "player";

/** What a placer was asked, and gave, up to some step. */
export class Chain {
  declare about: string;
  declare key: string;
  steps: number = 0;
  declare head: Uint8Array<ArrayBufferLike>;

  /** A log's shoe, and its placer as the shoe names it. */
  constructor(
    { origin, shoe, commitment }: { origin: string; shoe: string; commitment: string },
    placer: { commitment: string; key: string },
  ) {
    this.about = `${origin} ${shoe}\n${placer.commitment}`;
    this.key = placer.key;
    this.head = sha256(
      utf8(
        `fairshoe placing v1\nlog ${origin}\nshoe ${shoe}\ncommitment ${commitment}\nplacer ${placerName(placer.key)} ${placer.commitment}\n`,
      ),
    );
  }

  /** @param since of what happened before it, in hex; "": nothing */
  step(line: string, since: string) {
    this.head = sha256(concat(this.head, utf8(`${since && `since ${since}\n`}${line}\n`)));
    this.steps += 1;
  }

  /** @returns how far it is: the lines that a note and a question have */
  get stand(): string {
    return `${this.about}\n${this.steps}\n${toHex(this.head)}\n`;
  }

  /** `key`: the placer's, in hex, after the end. Returns the text that the placer signs. */
  note(key?: string): string {
    return `fairshoe placing v1\n${this.stand}${key ? `key ${key}\n` : ""}`;
  }

  /** Whether a signature (base64) is the placer's, under its note as it stands now. `key`: in hex, after the end. */
  isSigned(signature: string, key?: string): boolean {
    const note = `${this.note(key)}\n— ${placerName(this.key)} ${signature}\n`;
    return attempt(() => isSignedBy(parseNote(note), parseVerifierKey(this.key)), false);
  }
}

/** @returns the hash of what happened; "": nothing did */
export const sinceOf = (parts: string[]): string =>
  parts.length ? toHex(sha256(utf8(parts.map((part) => `${part}\n`).join("")))) : "";
