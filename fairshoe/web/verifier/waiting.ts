// Whether a table waits for its placer, or its house keeps a round back, by notes (verify.mjs --notes).

import { attempt, InputError } from "./bytes.ts";
import { DAY, microseconds } from "./forms.ts";
import { isSignedBy, parseNote } from "./note.ts";
import { longestOf } from "./steps/shoes.ts";
import type { Audit } from "./audit.ts";
import type { Shoe } from "./state.ts";
import type { VerifierKey } from "./note.ts";

const MAX_DECISIONS = 8; // time limits of one chair for which a round may go on without a card
const MAX_STEPS = 2 ** 31;
const SIGNED_TEXT = /"fairshoe (?:placing|question|answer receipt) v1\\n(?:[^"\\\x00-\x1f]|\\[ -~]){0,16384}"/gu;
const ANSWER_RECEIPT = /^fairshoe answer receipt v1\n([^\n]*\n[^\n]*)\n(0|[1-9]\d{0,9})\n([^\n]*)\nat ([^\n]*)\n$/;

/** The signed notes of house and placer that stand anywhere in a JSON text. */
export function readSignedNotes(text: string): string[] {
  const found = (text.match(SIGNED_TEXT) ?? []).flatMap((one) => attempt(() => [JSON.parse(one)], [], Error));
  if (text && !found.length) throw new InputError("no signed answer", "--notes", "a line of JSON for each answer");
  return found;
}

/** @returns its text if the key signed it, else "" */
const signedText = (note: string, key: VerifierKey | null): string =>
  attempt(() => {
    const parsed = parseNote(note);
    return key && isSignedBy(parsed, key) ? parsed.text : "";
  }, "");

/** `audit`: at a log's end; `notes`: signed ones. Returns the tables of which nobody can tell whether they wait. */
export function waitsOf(audit: Audit, house: VerifierKey | null, notes: string[]): string[] {
  const given = notes.filter((note) => note.startsWith("fairshoe answer receipt v1\n"));
  const receipts = given.map((note) => ANSWER_RECEIPT.exec(signedText(note, house)));
  const waiting = [...audit.shoes.values()].filter(
    (shoe) => shoe.table && shoe.placer && !shoe.endUnread && longestOf(shoe) !== DAY,
  );
  return waiting
    .filter((shoe) => shoe.astray !== null || !isKeptBack(audit, shoe, receipts))
    .map(({ table }) => `whether ${table?.id} waits for its placer`);
}

/**
 * @param receipts as ANSWER_RECEIPT finds them
 * @returns whether two of them, more than a day and the limits of the seats apart, are for one answer in the open round
 */
function isKeptBack(audit: Audit, shoe: Shoe, receipts: (RegExpExecArray | null)[]): boolean {
  const chain = shoe.placer?.chain;
  /** the first and the last moment by the chain's steps and head */ const taken: Map<string, number[]> = new Map();
  for (const [, about, steps, head, moment] of receipts.filter((receipt) => receipt !== null)) {
    const at = microseconds(moment);
    if (at === null || about !== chain?.about || Number(steps) <= chain.steps || Number(steps) > MAX_STEPS) continue;
    const [first, last] = taken.get(`${steps} ${head}`) ?? [at, at];
    taken.set(`${steps} ${head}`, [Math.min(first, at), Math.max(last, at)]);
  }
  const limits = MAX_DECISIONS * (shoe.table?.chairs.size ?? 0) * shoe.policy.decision * 1e6;
  const late = [...taken.values()].some(
    ([first, last]) => audit.own.at(Math.min(last, audit.at)) - audit.own.at(first + limits) > DAY,
  );
  if (late)
    audit.fail("completeness", "round", `what the placer of ${shoe.id} has answered`, null, {
      entry: shoe.entry,
      shoe: shoe.id,
    });
  return late;
}
