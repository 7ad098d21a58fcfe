// What the reader gives, told: which kind of file it is, and whether it holds, step by step. A proof of a hand is told in
// hands.ts; here receipts, and the proof of a shoe of any game (docs/protocol.md section 10).

import { attempt, fromHex, StepFailed, toHex, utf8 } from "../bytes.ts";
import { checkShuffle, readProof } from "../proof.ts";
import { drawNamed, ShuffledDeck, transcript } from "../shuffle.ts";
import { readSlips, tellHand, tellSlips } from "./hands.ts";
import { showOrder, trace } from "./orders.ts";
import { digitsIn, misread, NEVER, slipIn } from "./play.ts";
import { grid, hashCommand, hashOf, Telling, textCommand, textHash, unreadable, untold } from "./told.ts";
import type { Given, Told } from "./told.ts";
import type { Proof } from "../proof.ts";
import type { Order } from "./orders.ts";

export function tell({ key = "", ...rest }: Given): Told {
  const given = { ...rest, key: key.trim() };
  const { file } = given;
  if (!file) return given.receipt?.length ? tellReceipts(given.receipt, given) : untold("verdict.nothing");
  const format = kindOf(file);
  if (format) return unreadable(format);
  try {
    return guessOf(file)(file, given);
  } catch {
    // what nobody foresaw is no pass
    return unreadable();
  }
}

function guessOf(file: Uint8Array): (file: Uint8Array, given: Given) => Told {
  const text = new TextDecoder().decode(file).trim();
  const has = (...words: string[]) => words.every((word) => text.includes(word));
  if (text.startsWith("{") && !attempt(() => JSON.parse(text), null, Error))
    return () => untold("verdict.unreadable.half");
  if (text.startsWith("{") && has('"checkpoint"', '"entries"', '"path"')) return tellHand;
  if (text.startsWith("{") && has('"commitment"', '"deck"', '"draws"', '"key"', '"protocol"')) return tellShuffle;
  if (/^\s*"fairshoe receipt /m.test(text)) return tellReceipts;
  return () => unreadable();
}

/** @returns what a file is that holds no text of ours, in a word; "" where it may */
export function kindOf(file: Uint8Array): string {
  const text = new TextDecoder().decode(file.subarray(0, 22), { stream: true });
  return !text ? "empty" : /^\s*</.test(text) ? "web" : /[\0-\x08\ufffd]|^%PDF|^BZh/.test(text) ? "binary" : "";
}

/** @returns whether it is a whole log: its first line is an entry */
export function isLog(file: Uint8Array): boolean {
  const end = file.indexOf(10);
  const line = new TextDecoder().decode(file.subarray(0, Math.min(end < 0 ? file.length : end, 1 << 16)));
  return line.startsWith('{"at":') && ['"kind":', '"v":'].every((word) => line.includes(word));
}

function tellReceipts(file: Uint8Array, given: Given): Told {
  const telling = new Telling(["receipt"]);
  const reads = readSlips(telling, file, given.key);
  if (reads) tellSlips(telling, reads);
  const says = `verdict.receipt.${telling.failed ? "fail" : reads ? "bound" : "bound.key"}`;
  return telling.told({
    what: "receipt",
    verdict: telling.failed ? "fail" : "bound",
    says,
    values: { receipts: reads?.length ?? 0 },
    unseen: ["unseen.receipt-log", "unseen.unanswered"],
  });
}

// The proof of a shoe.

/** Which step of the telling each of section 10 belongs to. */
const SECTION_10 = ["form", "commitment", "commitment", "form", "shuffle", "shuffle", "shuffle"];
/** Of how many cards all words are shown. */
const SHOWN = 416;

function tellShuffle(file: Uint8Array, given: Given): Told {
  const telling = new Telling(["form", "commitment", "transcript", "shuffle"]);
  const known = (given.commitment ?? "").trim().toLowerCase();
  const what = "shuffle";
  let proof: Proof;
  try {
    proof = readProof(file);
  } catch (error) {
    telling.refuse("form", error);
    return telling.told({ what, verdict: "fail", says: "verdict.shuffle.fail" });
  }
  const { shoe, deck, key, commitment, seeds, beacon, draws, reshuffles } = proof;
  const text = textOf(proof, seeds);
  telling.show("form", { shoe, "deck-size": deck.length });
  telling.show("commitment", {
    "key-of-shoe": key,
    "hash": hashOf(key),
    commitment,
    "remembered": known || undefined,
    "command": hashCommand(key),
  });
  telling.show("transcript", {
    seeds: grid(
      "player seed hash",
      seeds.map(([who, seed]) => [who, seed, hashOf(seed)]),
    ),
    transcript: text,
    hash: textHash(text),
    command: textCommand(text),
  });
  const drawn = Object.entries(draws).map(([name, pair]) => [name, ...pair]);
  if (drawn.length) telling.show("shuffle", { draws: grid("draw bound value", drawn) });
  const deals = dealsOf(proof, text);
  const shown = deals.reduce((sum, { labels }) => sum + labels.length, 0);
  let count = shown;
  for (const { labels, ...order } of deals) showOrder(telling, order, key, labels);
  try {
    const { dealt } = checkShuffle(proof, known || null);
    count = dealt.flat().length;
  } catch (error) {
    if (error instanceof StepFailed) telling.refuse(SECTION_10[error.step], error, causeIn(proof, error));
    else telling.refuse("commitment", error, slipIn(known, key) || "commitment-unreadable", "reader");
  }
  telling.show("shuffle", { shown: count > shown ? shown : undefined, reshuffles: reshuffles.length || undefined });
  const { failed } = telling;
  if (known) telling.pass("commitment");
  if (failed?.id !== "shuffle") telling.pass("transcript"); // else it may be the transcript that is another one
  for (const id of ["form", "shuffle"]) telling.pass(id);
  const verdict = failed ? "fail" : known && (count || drawn.length) ? "pass" : "bound";
  const about = failed
    ? ""
    : !count && !drawn.length
      ? ".nothing"
      : verdict === "bound"
        ? ""
        : !seeds.length && !beacon
          ? ".seedless"
          : count
            ? ""
            : ".draws";
  const hands = deals.map(({ labels }) => ({
    cards: labels.map((label) => ({ label, dealt: 0, down: false, turned: null })),
    total: "",
    bet: 0,
    outcome: "",
    paid: 0,
  }));
  const seat = { seat: "shoe", player: "", name: "", you: false, hands };
  return telling.told({
    what,
    verdict,
    says: `verdict.shuffle.${verdict}${about}`,
    values: { shoe, cards: count },
    scene: verdict === "fail" ? null : { seats: [seat], steps: [] },
    unseen: [
      ...(count ? ["unseen.seen-cards"] : []),
      ...(seeds.length ? ["unseen.own-seed"] : ["unseen.no-seeds"]),
      ...(known ? [] : ["unseen.commitment"]),
      ...NEVER.slice(0, 2),
    ],
  });
}

type Deal = Order & { labels: string[] };

/** `text`: T of the seal. Returns the cards of each order, as many as are shown; the first always. */
function dealsOf({ key, deck, cut, reshuffles, dealt }: Proof, text: string): Deal[] {
  const deals: Deal[] = [];
  let left = SHOWN;
  let order = new ShuffledDeck(fromHex(key), text, deck, cut % deck.length);
  const deal = (cards: number) => {
    const { labels } = order;
    const positions = Array.from({ length: Math.min(cards, labels.length, left) }, (_, i) => i);
    const traced = trace(order, positions);
    deals.push({ ...traced, labels: traced.cards.map((card) => labels[card]) });
    left -= positions.length;
  };
  deal(reshuffles[0]?.[0] ?? dealt);
  for (const [i, [, gathered, at]] of reshuffles.entries()) {
    if (!left || !gathered.length || gathered.some((card) => card >= deck.length)) break;
    order = order.gather(gathered, (at ?? 0) % gathered.length);
    deal(reshuffles[i + 1]?.[0] ?? dealt);
  }
  return deals;
}

/** @returns T of the seal */
const textOf = ({ shoe, deck, commitment, beacon }: Proof, seeds: [string, string][]): string =>
  transcript({ shoe, deck, commitment, seeds: seeds.map(([who, seed]) => [who, fromHex(seed)]), beacon });

function causeIn(proof: Proof, { step }: StepFailed): string {
  const { key, commitment, seeds, draws } = proof;
  if (step === 1) return "other-shoe";
  if (step === 2) return misread(key, commitment, "other-key");
  if (step !== 4) return "edited";
  /** @param list whether the draws would be right */
  const fits = (other: (seed: string) => string, list: [string, string][] = seeds) => {
    const text = textOf(
      proof,
      list.map(([who, seed]) => [who, other(seed)]),
    );
    return Object.entries(draws).every(
      ([name, [below, value]]) => drawNamed(fromHex(key), text, name, below) === value,
    );
  };
  if (fits((seed) => toHex(utf8(seed))) || fits((seed) => digitsIn(seed) ?? seed)) return "hex-as-text";
  return fits((seed) => seed, [...seeds].reverse()) ? "seed-order" : "other-inputs";
}
