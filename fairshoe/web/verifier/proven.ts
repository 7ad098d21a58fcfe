// What stands in a proof file (proof.md): entries, each shown to stand in the signed log.

import { compare, equal, fromBase64, NewerError, toHex, utf8 } from "./bytes.ts";
import { isOpening } from "./bound.ts";
import { must } from "./forms.ts";
import { leafHash, rootsFromPath } from "./hashes.ts";
import { parseCanonical } from "./json.ts";
import { openCheckpoint, parseCheckpoint, parseNote, parseVerifierKey } from "./note.ts";
import type { Opening } from "./bound.ts";
import type { Checkpoint } from "./note.ts";

type Entry = Record<string, any>;
/** upto: head of the tree that ends with it; cause: why it is no entry */
export type Placed = { index: number; entry: Entry; upto?: string; cause?: string };

export const LARGEST_PROOF = 1048576; // bytes
export const MOST_ENTRIES = 4096;
const VERSION = 2; // the newest that is known

/** What stands in a proof file, of a hand or of a shoe: each entry is shown to stand in the log that was signed. */
export function openEntries(
  file: Uint8Array,
  vkey: string | null,
): { checkpoint: Checkpoint; round: string; entries: Placed[]; openings: Opening[] } {
  must(file.length <= LARGEST_PROOF && file.at(-1) === 10, "file", "one canonical object and LF");
  const form = parseCanonical(file.subarray(0, -1), LARGEST_PROOF);
  if (Number.isSafeInteger(form.v) && form.v > VERSION) throw new NewerError("the file", form.v, VERSION);
  const { openings = [], ...rest } = form;
  must(Object.keys(rest).join() === "checkpoint,entries,kind,round,v", "file", "checkpoint, entries, kind, round, v");
  const { entries, round } = form;
  const version = "openings" in form ? 2 : 1;
  must(form.kind === "fairshoe hand proof" && form.v === version, "kind", "a hand proof of version 1 or 2");
  const open = Array.isArray(openings) && openings.every(isOpening) && openings.length > 0 === "openings" in form;
  must(open, "openings", "openings of cards");
  must(typeof round === "string", "round", "a text");
  must(
    Array.isArray(entries) && entries.length >= 1 && entries.length <= MOST_ENTRIES,
    "entries",
    `1 to ${MOST_ENTRIES}`,
  );
  must(typeof form.checkpoint === "string", "checkpoint", "a signed note");
  const key = vkey === null ? null : parseVerifierKey(vkey);
  const note = parseNote(form.checkpoint);
  const [house, ...others] = note.signatures;
  must(!key || (house.name === key.name && equal(house.id, key.id)), "checkpoint", "the house's signature first");
  others.forEach(({ bytes, line }, i) => {
    must(
      bytes.length === 72 && (!i || compare(utf8(others[i - 1].line), utf8(line)) < 0),
      "checkpoint",
      "cosignatures in order",
    );
  });
  const checkpoint = key ? openCheckpoint(form.checkpoint, key) : parseCheckpoint(note);
  let before = -1;
  return {
    checkpoint,
    round,
    openings,
    entries: entries.map(({ index, line, path, ...rest }: Entry, i) => {
      const where = `entries[${i}]`;
      must(
        Number.isSafeInteger(index) &&
          index > before &&
          typeof line === "string" &&
          Array.isArray(path) &&
          !Object.keys(rest).length,
        where,
        "index, line, path",
      );
      before = index;
      const hashes = path.map((hash: string) => fromBase64(hash, where));
      must(
        hashes.every(({ length }) => length === 32),
        where,
        "hashes of 32 bytes",
      );
      const roots = rootsFromPath(leafHash(utf8(line)), index, checkpoint.size, hashes);
      must(
        roots !== null && equal(roots[0], checkpoint.root),
        where,
        "an entry of the signed log",
        "it was changed, or is another log's",
      );
      try {
        return { index, entry: parseCanonical(utf8(line)), upto: toHex(roots?.[1] ?? new Uint8Array()) };
      } catch (error) {
        // the house signed it
        return { index, entry: {}, cause: (error as Error).message };
      }
    }),
  };
}
