// What the house signs of each step: held against what was sent, and against what the same answer shows.

import { FairshoeError, toHex, utf8 } from "../verifier/bytes.ts";
import { GAMES } from "../verifier/games.ts";
import { sha256 } from "../verifier/hashes.ts";
import { canonicalText, parseCanonical } from "../verifier/json.ts";
import { parseNote, parseVerifierKey, type VerifierKey } from "../verifier/note.ts";
import { readReceipts } from "../verifier/receipts.ts";
import { WrongReceipt } from "./errors.ts";
import type { Book } from "./book.ts";
import type { TableState } from "./types.ts";

type Form = Record<string, any>;

/** The routes that are answered with a receipt, and what it is one of. */
const DO: Record<string, string> = {
  seats: "chips",
  chips: "chips",
  hash: "hash",
  seed: "seed",
  waiver: "waiver",
  bets: "bet",
  decisions: "decision",
};
/** What the receipt's view of a shoe and the table's state have in common. */
const SHOWN = ["shoe", "commitment", "roster", "opened", "struck", "sealed"];
/** What the house says of itself; everything else is what was sent. */
const PLACED = ["v", "number", "before", "at", "last", "view", "shoe", "about", "saw"];
/** Receipts by which bets that stand are found to be those that were offered. */
const MOST_STEPS = 64;

export const same = (a: unknown, b: unknown): boolean => canonicalText(a ?? null) === canonicalText(b ?? null);

/** The receipts of a seat, in its book. */
export class Receipts {
  book: Book;
  house: VerifierKey;
  vouched: string;
  /** the newest: null where the house may have begun anew, or one may be lost */
  link: string | null = null;
  steps: Map<string, Form> = new Map();
  /** what was read of notes */
  known: Map<string, Form | null> = new Map();

  /** `house`: its verifier key; `vouched`: the house's note about the receipts' key. */
  constructor(book: Book, house: string, vouched: string) {
    this.book = book;
    this.house = parseVerifierKey(house);
    this.vouched = vouched;
    for (const note of book.receipts.slice(book.sitting.from).slice(-MOST_STEPS)) {
      const form = saidBy(note);
      if (form && form.state !== "stands") this.steps.set(linkOf(form.number, hashOf(note)), form);
    }
  }

  /**
   * Keep the receipt of what was sent by the route `what`, and say where it is not one. `round`: the open one as the
   * seat saw it before; `sure`: the house has forgotten nothing.
   */
  async keep(what: string, sent: Form, answer: TableState, round: TableState["round"], sure: boolean) {
    if (!DO[what]) return;
    const note = answer.receipt;
    if (typeof note !== "string") throw new WrongReceipt("receipt", `the house gave no receipt of my ${what}`);
    await this.book.keepReceipt(note);
    const form = this.read(note);
    if (what === "seats") this.steps.clear();
    const after = what === "seats" ? linkOf(0, null) : this.link;
    this.link = null;
    const fault = found(() => answerFault(form, this.said(what, sent), answer, round, sure ? after : null));
    if (fault)
      throw new WrongReceipt(
        CODES[what] ?? "receipt",
        `the house's receipt of my ${what} is wrong: ${fault}`,
        {},
        note,
      );
    this.link = linkOf(form.number, hashOf(note));
    this.steps.set(this.link, form);
    for (const oldest of this.steps.keys()) if (this.steps.size > MOST_STEPS) this.steps.delete(oldest);
  }

  /** Keep the receipt of the bets that stand, if there is a new one. `sure`: no bet was sent that was not answered. */
  async look(answer: TableState, sure: boolean) {
    const note = answer.you?.receipt;
    if (typeof note !== "string" || !(await this.book.keepReceipt(note))) return;
    const form = this.read(note);
    const fault = found(() => standsFault(form, this.place, answer, sure ? this.offered(form) : null));
    if (fault)
      throw new WrongReceipt(
        "bet-changed",
        `the house signed other bets of mine: ${fault}`,
        { round: form.round },
        note,
      );
  }

  /** What those of a sitting about a shoe say that the house signed, in their order. `from`: the sitting's. */
  ofShoe(shoe: string, from: number): Form[] {
    const mark = `"shoe":${JSON.stringify(shoe)}`;
    const since = this.book.receipts.slice(from);
    const next = since.findIndex((note, i) => i > 0 && note.includes('"op":"buy-in"') && saidBy(note)?.number === 1);
    return since
      .slice(0, next < 0 ? undefined : next)
      .filter((note) => note.includes(mark))
      .flatMap((note) => this.signed(note) ?? []);
  }

  /** The rounds of this sitting in which I bet or decided. */
  rounds(): number[] {
    const forms = this.book.receipts
      .slice(this.book.sitting.from)
      .map(saidBy)
      .filter((form) => form && (form.do === "bet" || (form.do === "decision" && form.about === "round")));
    return [...new Set(forms.map((form) => form?.round))];
  }

  /** What the decision was about that was made in this place. */
  about(round: number, step: number): string | undefined {
    return [...this.steps.values()].find((form) => form.do === "decision" && form.round === round && form.step === step)
      ?.about;
  }

  get place() {
    const { table, seat, player } = this.book.sitting;
    return { table, seat, player };
  }

  /** The notes, each as a JSON string on a line, as `fairshoe-audit` reads them. */
  file(notes: string[] = this.book.receipts) {
    return [this.vouched, ...notes].map((note) => `${JSON.stringify(note)}\n`).join("");
  }

  /** @returns what it says */
  read(note: string): Form {
    let cause;
    try {
      const [read] = readReceipts(this.file([note]), this.house);
      this.known.set(note, read?.receipt ?? null);
      if (read?.receipt) return read.receipt;
      cause = read?.cause;
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
      cause = error.what;
    }
    throw new WrongReceipt("receipt", `the house's receipt is none: ${cause}`, {}, note);
  }

  /** @returns what it says, null where the house did not sign it as a receipt */
  signed(note: string): Form | null {
    const known = this.known.get(note);
    if (known !== undefined) return known;
    try {
      return this.read(note);
    } catch (error) {
      if (!(error instanceof WrongReceipt)) throw error;
      return null;
    }
  }

  /** What the receipt must say, and no more. */
  said(what: string, sent: Form): Form {
    const { seat } = this.place;
    const counts = ["round", "step", "cut"];
    let fields = Object.fromEntries(
      Object.entries(sent).filter(
        ([name, value]) => (Array.isArray(value) ? value.length : value) || (value === 0 && counts.includes(name)),
      ),
    );
    if (what === "bets") fields = { state: "offered", round: sent.round, bets: offeredForm(sent.bets, seat) };
    else if (what === "seats") fields = { op: "buy-in", amount: sent.amount };
    else if (fields.leave) {
      delete fields.leave;
      fields.leaves = true;
    }
    return { ...this.place, do: DO[what], ...fields };
  }

  /** The bets that the chair offered last before those of `form`, which stand; null where a receipt is unknown. */
  offered(form: Form): Form[] | null {
    let [number, before] = [form.number, form.before];
    for (;;) {
      const step = this.steps.get(linkOf(number, before));
      if (!step) return null;
      if (step.do === "bet" && step.shoe === form.shoe && step.round === form.round) return step.bets;
      if (step.number === 1) return [];
      [number, before] = [number - 1, step.before];
    }
  }

  /** The last bets of mine that the house took for a round of a shoe; null where none are known. */
  lastOffer(shoe: string, round: number): Form[] | null {
    return (
      [...this.steps.values()].filter((step) => step.do === "bet" && step.shoe === shoe && step.round === round).at(-1)
        ?.bets ?? null
    );
  }
}

/** Which lie a wrong receipt of a route is. */
const CODES: Record<string, string> = { bets: "bet-changed", decisions: "decision-changed" };

const linkOf = (number: number, hash: string | null) => `${number} ${hash}`;

/** @returns what it says, whoever signed it; null where it is none */
export function saidBy(note: string): Form | null {
  try {
    return parseCanonical(utf8(note.split("\n")[1]));
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    return null;
  }
}

/** @returns as the next one names it */
const hashOf = (note: string): string => toHex(sha256(utf8(parseNote(note).text)));

/** @returns as they were offered, by box */
const offeredForm = (bets: { amount: number; box?: number }[], seat: number): Form[] =>
  bets
    .map(({ amount, box = seat }) => (box === seat ? { amount, seat } : { amount, box, seat }))
    .sort((a, b) => (a.box ?? seat) - (b.box ?? seat));

/** @returns what cannot be read of a receipt or an answer is wrong too */
function found(fault: () => string | null): string | null {
  try {
    return fault();
  } catch (error) {
    return `it or its answer is not whole (${error instanceof Error ? error.message : error})`;
  }
}

function answerFault(
  form: Form,
  said: Form,
  state: TableState,
  seen: TableState["round"],
  after: string | null,
): string | null {
  const own = Object.fromEntries(Object.entries(form).filter(([name]) => !PLACED.includes(name)));
  if (own.leaves && !("amount" in said)) delete own.amount;
  if ("shoe" in said) own.shoe = form.shoe;
  const wrong = [...new Set([...Object.keys(own), ...Object.keys(said)])]
    .sort()
    .find((name) => !same(own[name], said[name]));
  if (wrong)
    return `it says another ${wrong}: ${JSON.stringify(own[wrong] ?? null)}, not ${JSON.stringify(said[wrong] ?? null)}`;
  if (after !== null && linkOf(form.number - 1, form.before) !== after)
    return `it is number ${form.number}, and does not follow the one before`;
  if (form.at !== state.at) return `it is dated ${form.at}, the answer ${state.at}`;
  return viewFault(form, state) ?? questionFault(form, seen);
}

/** What it says that the seat could see, against what the answer shows. */
function viewFault(form: Form, state: TableState) {
  const { view } = form;
  const { shoe } = state;
  if (view.bank !== state.bank || (view.chips ?? null) !== (state.chips[form.seat] ?? null))
    return "it says another bank or other chips than the answer";
  if (!view.shoe !== !shoe || (shoe && SHOWN.some((name) => !same(view.shoe[name], (shoe as Form)[name]))))
    return "it says another shoe than the answer shows";
  const { round } = state;
  const open = round?.view && form.about === "round" && round.round === form.round;
  return open && !same(view.round, round.view) ? "it shows another round than the answer" : null;
}

/** Whether it says what the seat saw before it decided. */
function questionFault(form: Form, seen: TableState["round"]) {
  const asked = form.about === "round" && seen?.view && seen.round === form.round && seen.view.step === form.step;
  return asked && !same(seen.view, form.saw) ? "it says that I saw something else before I decided" : null;
}

/** What is wrong with the receipt of bets that stand. */
function standsFault(form: Form, place: Form, state: TableState, offered: Form[] | null) {
  if (form.state !== "stands" || Object.entries(place).some(([name, value]) => form[name] !== value))
    return "it is another receipt than that of the bets that stand";
  if (form.round > state.rounds) return `it is about round ${form.round}, of ${state.rounds}`;
  if (!offered || GAMES[state.rules].pool) return null;
  const stand = stakes(form.view);
  const left = offered.filter((bet) => (bet.box ?? form.seat) === form.seat || stand.some((one) => same(one, bet)));
  return same(stakes(form), left) ? null : `${words(stakes(form))} stand, and I offered ${words(offered)}`;
}

/** @returns the bets of an `open`, or of a receipt of bets that stand, by box */
export const stakes = ({ bets, uncovered = [] }: Form): Form[] =>
  [...bets, ...uncovered].sort((a, b) => (a.box ?? a.seat) - (b.box ?? b.seat));

const words = (bets: Form[]): string =>
  bets.map(({ amount, box }) => (box ? `${amount} on ${box}` : `${amount}`)).join(", ") || "no bets";
