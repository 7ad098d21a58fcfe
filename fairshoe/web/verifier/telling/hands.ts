// The proof of a hand (docs/proof.md) told step by step, and receipts, alone or beside it.

import { attempt, equal, FairshoeError, fromBase64, fromUtf8, NewerError, toHex, utf8 } from "../bytes.ts";
import { checkHand } from "../hand.ts";
import { pairing } from "../steps/beacons.ts";
import { LARGEST_PROOF, MOST_ENTRIES } from "../proven.ts";
import { isHex } from "../forms.ts";
import { openCheckpoint, parseCheckpoint, parseNote, parseVerifierKey } from "../note.ts";
import { readReceipts } from "../receipts.ts";
import { wrongShape } from "../shapes.ts";
import { leafHash, rootFromPath } from "../hashes.ts";
import { isPlayer } from "../placing.ts";
import { bare, grid, hashOf, leafCommand, signatureCommand, Telling } from "./told.ts";
import { factsOf } from "./orders.ts";
import { slipIn, tellRound, unseenOf } from "./play.ts";
import { sceneOf, Watching } from "./scene.ts";
import type { Given, Step, Told } from "./told.ts";
import type { Checkpoint } from "../note.ts";
import type { Read } from "../receipts.ts";
import type { Round } from "../games/round.ts";
import type { Facts } from "./orders.ts";

/** Where the verifier refuses a file for what a step shows. */
const EXPLAINED: [string, RegExp][] = [
  ["signature", /^(checkpoint|note|signature|entries\[)/],
  ["inclusion", /^entries\[/],
];

export function tellHand(bytes: Uint8Array, given: Given): Told {
  const file = asMade(bytes);
  const { key = "" } = given;
  const form = formOf(file);
  const round = String(form.round ?? "");
  const telling = new Telling(cardIn(round) === null ? undefined : CARD_STEPS);
  const [, id = "", number = ""] = /^(.*)#([^#]*)$/.exec(round) ?? [];
  const watching = new Watching(id, Number(number));
  const reads = readSlips(telling, given.receipt, key);
  if (reads) tellSlips(telling, reads);
  const checkpoint = signedBy(telling, form, key);
  inclusion(telling, form, checkpoint);
  telling.show("form", { round, entries: form.entries.length });
  const fails = (step: string) => telling.step(step).status === "fail";
  let told = null;
  let newer: NewerError | undefined;
  try {
    told = checkHand(file, null, watching);
    newer = told.newer;
    if (!newer) telling.pass("form");
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    const { where } = error;
    if (error instanceof NewerError) newer = error;
    else if (!EXPLAINED.some(([step, pattern]) => fails(step) && pattern.test(where))) telling.refuse("form", error);
  }
  return judged(telling, watching, { told, newer, round, reads, given });
}

/** A hand's entries as told, with its verdict. `watching`: the audit that followed them; `told`: null if malformed. */
export function judged(
  telling: Telling,
  watching: Watching,
  {
    told,
    newer,
    round,
    reads = null,
    given,
  }: {
    told: Pick<import("../hand.ts").Told, "outcome" | "entries" | "findings" | "bound"> | null;
    newer?: NewerError;
    round: string;
    reads?: Read[] | null;
    given: Given;
  },
): Told {
  const { key = "" } = given;
  const fails = (step: string) => telling.step(step).status === "fail";
  const unsure = told?.outcome === "CANNOT SAY";
  const { status, fault } = telling.step("signature");
  const otherKey = status === "open" && fault !== null;
  if (key && status === "pass" && !unsure) telling.whose = "house";
  const card = cardIn(round);
  const facts =
    told && !told.entries.some(({ entry }) => wrongShape(entry))
      ? factsOf(told.entries, watching.wanted.number, card)
      : null;
  if (told && facts) {
    if (card === null) showTable(telling, facts);
    tellRound(telling, facts, watching, told.findings, unsure);
    compareOwn(telling, facts, given);
  } else if (newer) telling.leave("form", "newer", newer.where, newer.expected, newer.message);
  else if (told) telling.doubt("form", told.findings[0]);
  const { failed } = telling;
  const open = [...telling.steps.values()].filter(({ status }) => status !== "pass");
  const wrong = (!told && !newer) || told?.outcome === "FAIL" || (failed && !(otherKey && failed.id === "receipt"));
  const verdict = wrong
    ? "fail"
    : unsure || !facts || otherKey
      ? "unsure"
      : told?.outcome === "PASS" && open.every(({ id }) => !key && id === "signature")
        ? "pass"
        : "bound";
  const whose = failed?.fault?.whose;
  const ofCard = card === null ? "" : ".card";
  const paid =
    verdict === "fail" && facts?.round && watching.replay?.whole && PAID.includes(failed?.id ?? "")
      ? wronglyPaid(facts.round, watching.replay.round)
      : null;
  const about =
    verdict === "fail"
      ? failed?.fault?.cause === "cause.edited" && failed.id !== "receipt"
        ? ".edited"
        : (paid ? ".paid" : "") + (whose === "house" || whose === "reader" ? `.${whose}` : "")
      : verdict === "pass"
        ? ofCard + (key ? sourcesOf(facts) : ".key")
        : newer
          ? ".newer"
          : otherKey
            ? ".other-key"
            : verdict === "bound" && facts
              ? lacks(facts, open, key, told?.bound)
              : "";
  const signed = !fails("signature") && !fails("inclusion");
  return telling.told({
    what: "hand",
    verdict,
    says: `verdict.hand.${verdict}${about}`,
    values: {
      round,
      ...(facts && { until: untilOf(facts), commitment: facts.shoe.commitment }),
      ...(verdict === "pass" && facts?.placer && { placer: facts.placer.name }),
      ...paid,
    },
    ...(facts && {
      unseen: [...unseenOf(facts), ...(reads?.length ? ["unseen.receipt-log"] : [])],
      scene: signed && card === null ? sceneOf(facts, watching, playerOf(reads)) : null,
    }),
  });
}

/** The steps of one card. */
const CARD_STEPS = ["form", "signature", "inclusion", "commitment", "seeds", "transcript", "shuffle"];

/** @returns the position of a card of a shoe without a table; null for a round */
function cardIn(round: string): number | null {
  const [, pos] = /@(\d+)$/.exec(round) ?? [];
  return pos === undefined ? null : Number(pos);
}

/** By the end of a text's key: what gave the cards of a hand beside the house's key. */
const sourcesOf = (facts: Facts | null) =>
  isPlayer(facts?.table.placer) ? ".player" : facts?.table.rules && !facts.seeds ? ".sole" : "";

/** Steps in which a hand fails by what it was paid. */
const PAID = ["totals", "outcome", "payout"];

/** The first hand of a round's entry that was paid otherwise than in `round`, played again by the rules. */
function wronglyPaid({ hands }: Record<string, any>, round: Round): { paid: number; due: number } | null {
  const rows = round.hands.map(({ net, insurance }, i) => ({
    paid: (hands[i]?.net ?? 0) + (hands[i]?.insurance ?? 0),
    due: net + insurance,
  }));
  return rows.find(({ paid, due }) => paid !== due) ?? null;
}

/** @returns the time at which its shoe is over at the latest, "" before it is sealed */
function untilOf({ table, shoe, seal }: Facts): string {
  const seconds = (shoe.policy ?? table.policy ?? {}).shoe;
  return seal && seconds ? new Date(Date.parse(seal.at) + 1000 * seconds).toISOString() : "";
}

/** @param facts the game, and what the table chose of it */
function showTable(telling: Telling, { table: { rules, options } }: Facts) {
  const rows = Object.entries(options).map(([name, value]) => [
    name,
    typeof value === "number" ? value : String(value),
  ]);
  telling.show("form", { rules, options: grid("option value", rows) });
}

/** @param given what the reader holds of the hand */
function compareOwn(
  telling: Telling,
  { shoe, seal, end, contributed, seeds }: Facts,
  { seed = "", commitment = "" }: Given,
) {
  const [mine, known] = [seed, commitment].map(bare);
  if (known) {
    telling.show("commitment", { remembered: known });
    const slip = end?.key ? slipIn(known, end.key) : "";
    if (known !== shoe.commitment && slip)
      telling.fail("commitment", slip, "commitment", shoe.commitment, known, "reader");
    else if (known !== shoe.commitment)
      telling.fail("commitment", "other-shoe", "shoe commitment", known, shoe.commitment);
  }
  if (!mine) return;
  const hashes = Object.entries(seeds?.hashes ?? {});
  const [whose] =
    contributed.find(([, one]) => one === mine) ??
    hashes.find(([, hash]) => isHex(mine, 1, 128) && hash === hashOf(mine)) ??
    [];
  telling.show("seeds", { "own-seed": whose });
  if (hashes.some(([, hash]) => hash === mine)) telling.fail("seeds", "hash-as-value", "seed", "", mine, "reader");
  else if (whose === undefined && (seal || hashes.length))
    telling.fail("seeds", "not-own-seed", "seed", mine, contributed.map(([, one]) => one).join(" "));
}

/** What a hand lacks of which nothing failed. `bound`: whether openings bind its cards. */
function lacks(
  { end, round, placer, shoe: { beacon_round: beacon } }: Facts,
  open: Step[],
  key: string,
  bound: boolean = false,
): string {
  const receipts = open.every(({ id }) => id === "receipt");
  const lack =
    end && end.kind !== "reveal"
      ? ".void"
      : !round
        ? ".undealt"
        : !end
          ? bound && key
            ? ".sealed"
            : ".cards"
          : beacon && !pairing.check
            ? ".beacon"
            : placer?.key === ""
              ? ".places"
              : receipts
                ? ".receipt"
                : "";
  return lack + (key ? "" : ".key");
}

/** @returns as it was before it was pasted, or saved by an editor: without byte order mark, with one LF at its end */
const asMade = (file: Uint8Array): Uint8Array =>
  attempt(() => utf8(`${fromUtf8(file).replace(/^\ufeff|\r?\n$/g, "")}\n`), file, Error);

/** @returns as it can be read, right or wrong */
function formOf(file: Uint8Array): Record<string, any> & { entries: any[] } {
  const form = attempt(() => (file.length > LARGEST_PROOF ? {} : JSON.parse(fromUtf8(file))), null, Error);
  return { ...form, entries: Array.isArray(form?.entries) ? form.entries : [] };
}

const vkeyName = ({ name, id }: { name: string; id: Uint8Array }) => `${name}+${toHex(id)}`;

/** @param form with a checkpoint */
export function signedBy(telling: Telling, form: Record<string, any>, key: string): Checkpoint | null {
  if (typeof form.checkpoint !== "string") return null;
  try {
    const note = parseNote(form.checkpoint);
    const checkpoint = parseCheckpoint(note);
    const { origin, size, root } = checkpoint;
    const [signed, ...others] = note.signatures;
    const { name, id, bytes } = signed;
    const cosigners = others.length
      ? grid(
          "draw",
          others.map((other) => [vkeyName(other)]),
        )
      : 0;
    telling.show("signature", {
      log: origin,
      size,
      root: toHex(root),
      signer: vkeyName(signed),
      key: key || undefined,
      cosigners,
    });
    if (name !== origin) telling.fail("signature", "edited", "checkpoint", origin, name);
    if (!key) return checkpoint;
    const known = parseVerifierKey(key);
    const other = known.name !== name ? "other-house" : equal(known.id, id) ? "" : "other-house-key";
    if (!other) openCheckpoint(form.checkpoint, known);
    telling.pass("signature", { command: signatureCommand(note.text, bytes, known.key) });
    if (other && name === origin) telling.leave("signature", other, "checkpoint", vkeyName(known), vkeyName(signed));
    return checkpoint;
  } catch (error) {
    if (error instanceof FairshoeError && error.where === "verifier key")
      telling.refuse("signature", error, "key-unreadable", "reader");
    else telling.refuse("signature", error);
    return null;
  }
}

/** @param checkpoint whether every entry stands in its tree */
function inclusion(telling: Telling, { entries }: { entries: any[] }, checkpoint: Checkpoint | null) {
  if (!checkpoint || !entries.length || entries.length > MOST_ENTRIES) return;
  const head = toHex(checkpoint.root);
  const rows: (string | number)[][] = [];
  for (const [i, entry] of entries.entries()) {
    const { index, line, path } = entry ?? {};
    if (typeof line !== "string" || !Number.isSafeInteger(index) || !Array.isArray(path)) continue; // the form fails
    const kind = kindOf(line);
    const where = `entries[${i}]`;
    try {
      const leaf = leafHash(utf8(line));
      const root = rootFromPath(
        leaf,
        index,
        checkpoint.size,
        path.map((hash) => fromBase64(hash, where)),
      );
      rows.push([index, kind, toHex(leaf), path.length]);
      if (!root || toHex(root) !== head)
        telling.fail("inclusion", "edited", `${where} ${kind}`, head, root ? toHex(root) : "");
    } catch (error) {
      telling.refuse("inclusion", error);
    }
  }
  const dealt = entries
    .map((entry) => entry?.line)
    .find((line) => typeof line === "string" && kindOf(line) === "round");
  telling.show("inclusion", {
    root: head,
    leaves: grid("index kind leaf path", rows),
    command: dealt && leafCommand(dealt),
  });
  if (rows.length === entries.length) telling.pass("inclusion");
}

const kindOf = (line: string) => /"kind":"([a-z]+)"/.exec(line)?.[1] ?? "";

// Receipts: who signed them and what they say.

/** Receipts; null where nobody can say who signed them. `key`: the house's. */
export function readSlips(telling: Telling, file: Uint8Array | null | undefined, key: string = ""): Read[] | null {
  if (!file?.length) return null;
  telling.step("receipt");
  try {
    return key ? readReceipts(file, parseVerifierKey(key)) : null;
  } catch (error) {
    telling.refuse("receipt", error, "other-receipts");
    return null;
  }
}

/** @param reads who signed them and what each says: whether the log says the same is for the auditor */
export function tellSlips(telling: Telling, reads: Read[]) {
  const rows = reads.map(({ place, receipt, verdict, cause }) => {
    const { at = "", player = "", do: what = "", shoe = "", table = "", round } = receipt ?? {};
    return [
      place,
      at,
      player,
      what,
      round === undefined ? shoe || table : `${table}#${round}`,
      `receipt.${verdict}`,
      cause,
    ];
  });
  telling.show("receipt", { receipts: grid("index at player do about verdict remark", rows) });
  for (const { place, verdict, cause } of reads) {
    if (verdict === "refused") telling.fail("receipt", "edited", `receipt ${place}`, "", cause);
  }
  if (reads.length && reads.every(({ verdict }) => verdict === "signed")) telling.pass("receipt");
}

/** @returns the player whose they are; "" of several */
function playerOf(reads: Read[] | null): string {
  const players = new Set((reads ?? []).flatMap(({ receipt }) => (receipt ? [String(receipt.player)] : [])));
  return players.size === 1 ? [...players][0] : "";
}
