// A hand judged: by its proof, which the verifier checks, and held against what the house signed and showed me before.

import { FairshoeError, fromHex, NewerError, toHex, utf8 } from "../verifier/bytes.ts";
import { checkHand } from "../verifier/hand.ts";
import { pairing } from "../verifier/steps/beacons.ts";
import { loaded } from "./requests.ts";
import { sha256 } from "../verifier/hashes.ts";
import { ownField } from "../verifier/json.ts";
import { missing, shownFault } from "./comparing.ts";
import { same, stakes } from "./receipts.ts";
import type { Mark, RoundView } from "./types.ts";
import type { Told } from "../verifier/hand.ts";

type Form = Record<string, any>;

export interface Asked {
  /** the proof file of the hand */
  proof: string;
  /** the house's */
  key: string;
  /** my receipts about this table, in their order: what each says */
  said: Form[];
  /** none is missing */
  sure: boolean;
  /** that I was shown, else "" */
  commitment: string;
  /** mine, else "" */
  seed: string;
  seat: number;
  player: string;
  /** its `round`, as the table showed it */
  shown: Form | null;
  /** the round as I saw it */
  seen: RoundView[];
}
export type Fault = { step: string; code: string; words: string };
/** `entry`: its `round` in the log; `bets`: mine when it began, of who banks all */
export type Judgement = Fault & { mark: Mark; entry: Form | null; bets: number[] };
export type Judge = (asked: Asked) => Promise<Judgement>;

/** Judges a hand with the pairings that its shoe's beacon needs: they are loaded only for that. */
export async function judgeWhole(asked: Asked): Promise<Judgement> {
  if (asked.proof.includes("beacon_signature"))
    pairing.check ??= (await loaded(import("../verifier/quicknet.ts"))).checkQuicknet;
  return judge(asked);
}

export function judge(asked: Asked): Judgement {
  const none = { step: "", code: "", words: "", bets: [], entry: null };
  let told;
  try {
    told = checkHand(utf8(asked.proof), asked.key);
  } catch (error) {
    if (error instanceof NewerError) return { ...none, mark: "unsure", words: error.message };
    if (!(error instanceof FairshoeError)) throw error;
    return {
      ...none,
      mark: "fail",
      step: "form",
      code: "log",
      words: `the house's proof cannot be followed: ${error.message}`,
    };
  }
  const number = Number(told.round.split("#")[1]);
  const entries = told.entries.map(({ entry }) => entry);
  const of = (kind: string) => entries.find((entry) => entry.kind === kind && (entry.round ?? number) === number);
  const banks = of("shoe")?.bank === String(asked.seat);
  const bets = (of("open")?.bets ?? [])
    .filter((bet: Form) => banks || bet.seat === asked.seat)
    .map(({ amount }: Form) => amount);
  const known = { ...none, bets, entry: of("round") ?? null };
  const fault =
    refuted(entries, of, number, asked) ?? disowned(entries, asked) ?? (told.outcome === "FAIL" ? broken(told) : null);
  if (fault) return { ...known, ...fault, mark: "fail" };
  if (told.outcome === "PASS") return { ...known, mark: "pass" };
  if (told.outcome === "PASS so far") return { ...known, mark: of("void") || of("lost") ? "bound" : "open" };
  return {
    ...known,
    mark: "unsure",
    words: `it could not be checked here${told.newer ? `: ${told.newer.message}` : ""}`,
  };
}

// What the rules and the cryptography say.

/** By an audit's finding (its check, field and entry's kind): the step, the lie that it is, and its words. */
const STEPS: [of: RegExp, step: string, code: string, words: string][] = [
  [/^syntax/, "form", "log", "the house's log breaks its own form"],
  [
    /^commitment key/,
    "commitment",
    "other-key-of-shoe",
    "the key that was revealed is not the one that the house had committed to",
  ],
  [
    /^contributions (?!cut|beacon|bets|waived|passed)/,
    "seeds",
    "log",
    "the seeds in the log are not those whose hashes were sent, or were not opened in order",
  ],
  [/^contributions beacon/, "transcript", "log", "what made the order of the cards is not what the log says"],
  [
    /^(contributions cut|shuffle|cards (cards\[|pos|placed|steps|signature))/,
    "shuffle",
    "other-card",
    "a card is not the one that key and seeds give",
  ],
  [/^(dealer|cards dealer)/, "dealer", "other-card", "the dealer's hand is not what the rules and the cards give"],
  [/^cards (?!cards|end|bound)/, "totals", "other-payout", "a hand was counted wrongly"],
  [/^settlement.*outcome/, "outcome", "other-payout", "a hand that ended one way was settled as another"],
  [/^settlement/, "payout", "other-payout", "a hand was paid wrongly"],
  [/^chips/, "chips", "other-payout", "the chips after the hand are wrong"],
  [/./, "decisions", "log", "bets, decisions or cards are against the rules"],
];

/** The first step that does not hold. */
function broken({ entries, findings }: Told): Fault {
  const failed = findings
    .filter(({ severity }) => severity === "fail")
    .map((finding) => {
      const name = `${finding.check} ${finding.field}`;
      return { ...finding, name, rank: STEPS.findIndex(([of]) => of.test(name)) };
    });
  const [{ rank, name, entry, expected, found }] = failed.sort((a, b) => a.rank - b.rank);
  const [, step, code, said] = STEPS[rank];
  const counted = code === "other-payout" && Number.isInteger(expected) && Number.isInteger(found);
  const words = counted ? `the house counted ${found} for a hand where the rules give ${expected}` : said;
  const kind = entries.find(({ index }) => index === entry)?.entry.kind ?? "";
  return { step, code, words: `${words} (${kind} ${name}: ${short(found)} stands there, ${short(expected)} is right)` };
}

/** Whether the log has another commitment than I was shown, or not my seed. */
function disowned(entries: Form[], { commitment, seed }: Asked): Fault | null {
  const shoe = entries.find(({ kind }) => kind === "shoe");
  const hashes = Object.values(entries.find(({ kind }) => kind === "seeds")?.hashes ?? {});
  const taken = hashes.length > 0 || entries.some(({ kind }) => kind === "seal");
  if (commitment && commitment !== shoe?.commitment)
    return {
      step: "commitment",
      code: "other-commitment",
      words: `the log has another commitment than the one that I was shown before I bet (${short(shoe?.commitment)}, not ${short(commitment)})`,
    };
  const hash = seed && toHex(sha256(fromHex(seed)));
  const placed = seed && shoe?.placer?.commitment === hash;
  const mine =
    !seed || placed || entries.some((entry) => entry.kind === "opened" && entry.seed === seed) || hashes.includes(hash);
  return taken && !mine
    ? { step: "seeds", code: "hash-left-out", words: "my seed is not among those in the log" }
    : null;
}

const short = (value: unknown) => {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || "nothing";
};

// What the house signed for me, and showed me, before.

/** `of`: the proof's entry of a kind; `number`: the round's. */
function refuted(
  entries: Form[],
  of: (kind: string) => Form | undefined,
  number: number,
  { said, sure, seat, player, shown, seen }: Asked,
): Fault | null {
  const [shoe, seeds, open, round] = [of("shoe"), of("seeds"), of("open"), of("round")];
  const receipt = (code: string, words: string) => ({ step: "receipt", code, words });
  for (const form of said) {
    const about = form.shoe === shoe?.shoe;
    const view = form.view?.shoe;
    if (view && view.shoe === shoe?.shoe) {
      if (view.commitment !== shoe?.commitment)
        return receipt(
          "other-commitment",
          "the log has another commitment than the receipt that the house signed for me",
        );
      if (!same(view.roster, shoe?.roster))
        return receipt("log", "the log says that others made this shoe than the receipt that the house signed for me");
      if (seeds && Object.keys(view.hashes ?? {}).length && !same(view.hashes, seeds.hashes))
        return receipt(
          "hash-left-out",
          "the log has other hashes of seeds than the receipt that the house signed for me",
        );
    }
    if (!about) continue;
    if (form.do === "hash" && seeds && ownField(seeds.hashes, player) !== form.hash)
      return receipt("hash-left-out", "the house signed that it has my hash, and its log does not have it");
    if (form.do === "seed" && opened(entries, player) !== form.seed && of("seal"))
      return receipt("log", "the house signed that it has my seed, and made the cards without it");
    if (form.round !== number) continue;
    if (form.state === "stands" && open && !same(mine(stakes(open), seat), stakes(form)))
      return receipt(
        "bet-changed",
        `the house signed ${amounts(stakes(form))} as my bets, and its log has ${amounts(mine(stakes(open), seat))}`,
      );
    if (form.about === "round" && round) {
      const decision = {
        seat,
        move: form.move,
        ...(form.amount && { amount: form.amount }),
        ...(form.chosen && { chosen: form.chosen }),
      };
      const logged = round.decisions[form.step];
      if (!same(logged, decision))
        return receipt(
          "decision-changed",
          `I sent ${form.move}, which the house signed, and its log has ${logged ? `${logged.move}${logged.by ? " by the table" : ""}` : "nothing"}`,
        );
    }
  }
  const offer = said
    .filter((form) => form.state === "offered" && form.round === number && form.shoe === shoe?.shoe)
    .at(-1);
  if (sure && offer && open) {
    const stand = stakes(open);
    const left = offer.bets.filter((bet: Form) => (bet.box ?? seat) === seat || stand.some((one) => same(one, bet)));
    const late = offer.bets.length && (open.late ?? []).includes(seat);
    if (late || !same(mine(stand, seat), left))
      return receipt(
        "bet-changed",
        `I bet ${amounts(offer.bets)} in time, which the house signed, and its log has ${late ? "me as late" : amounts(mine(stand, seat))}`,
      );
  }
  if (!round) return null;
  const views = said
    .filter((form) => form.about === "round" && form.round === number && form.shoe === shoe?.shoe)
    .flatMap((form) => [form.saw, form.view?.round]);
  for (const view of views) {
    const card = view && missing(view, round);
    if (card) return receipt("other-card", `the house signed that I saw ${card}, and its log has no such card there`);
  }
  return shownFault(round, shown, seen);
}

const opened = (entries: Form[], player: string): string | undefined =>
  entries.find((entry) => entry.kind === "opened" && entry.player === player)?.seed;

const mine = (bets: Form[], seat: number) => bets.filter((bet) => bet.seat === seat);

const amounts = (bets: Form[]) =>
  bets.map(({ amount, box }) => (box ? `${amount} on ${box}` : `${amount}`)).join(", ") || "no bet";
