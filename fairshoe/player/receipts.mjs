// What the house signs of each step: held against what was sent, and against what the same answer shows.

import { FairshoeError, toHex, utf8 } from "../verifier/bytes.mjs";
import { GAMES } from "../verifier/games.mjs";
import { sha256 } from "../verifier/hashes.mjs";
import { canonicalText, parseCanonical } from "../verifier/json.mjs";
import { parseNote, parseVerifierKey } from "../verifier/note.mjs";
import { readReceipts } from "../verifier/receipts.mjs";
import { WrongReceipt } from "./errors.mjs";

/** @typedef {Record<string, any>} Form @typedef {import("./book.mjs").Book} Book @typedef {import("./types.mjs").TableState} TableState */

/** The routes that are answered with a receipt, and what it is one of. @type {Record<string, string>} */
const DO = { seats: "chips", chips: "chips", hash: "hash", seed: "seed", waiver: "waiver", bets: "bet", decisions: "decision" };
/** What the receipt's view of a shoe and the table's state have in common. */
const SHOWN = ["shoe", "commitment", "roster", "opened", "struck", "sealed"];
/** What the house says of itself; everything else is what was sent. */
const PLACED = ["v", "number", "before", "at", "last", "view", "shoe", "about", "saw"];
/** Receipts by which bets that stand are found to be those that were offered. */
const MOST_STEPS = 64;

/** @param {unknown} a @param {unknown} b @returns {boolean} */
export const same = (a, b) => canonicalText(a ?? null) === canonicalText(b ?? null);

/** The receipts of a seat, in its book. */
export class Receipts {
  /** @param {Book} book @param {string} house its verifier key @param {string} vouched the house's note about the receipts' key */
  constructor(book, house, vouched) {
    this.book = book;
    this.house = parseVerifierKey(house);
    this.vouched = vouched;
    /** the newest: null where the house may have begun anew, or one may be lost @type {string | null} */
    this.link = null;
    /** @type {Map<string, Form>} */
    this.steps = new Map();
    /** what was read of notes @type {Map<string, Form | null>} */
    this.known = new Map();
    for (const note of book.receipts.slice(book.sitting.from).slice(-MOST_STEPS)) {
      const form = saidBy(note);
      if (form && form.state !== "stands") this.steps.set(linkOf(form.number, hashOf(note)), form);
    }
  }

  /**
   * Keep the receipt of what was sent by the route `what`, and say where it is not one.
   * @param {string} what @param {Form} sent @param {TableState} answer
   * @param {TableState["round"]} round the open one as the seat saw it before @param {boolean} sure the house has forgotten nothing
   */
  async keep(what, sent, answer, round, sure) {
    if (!DO[what]) return;
    const note = answer.receipt;
    if (typeof note !== "string") throw new WrongReceipt("receipt", `the house gave no receipt of my ${what}`);
    await this.book.keepReceipt(note);
    const form = this.read(note);
    if (what === "seats") this.steps.clear();
    const after = what === "seats" ? linkOf(0, null) : this.link;
    this.link = null;
    const fault = found(() => answerFault(form, this.said(what, sent), answer, round, sure ? after : null));
    if (fault) throw new WrongReceipt(CODES[what] ?? "receipt", `the house's receipt of my ${what} is wrong: ${fault}`, {}, note);
    this.link = linkOf(form.number, hashOf(note));
    this.steps.set(this.link, form);
    for (const oldest of this.steps.keys()) if (this.steps.size > MOST_STEPS) this.steps.delete(oldest);
  }

  /**
   * Keep the receipt of the bets that stand, if there is a new one.
   * @param {TableState} answer @param {boolean} sure no bet was sent that was not answered
   */
  async look(answer, sure) {
    const note = answer.you?.receipt;
    if (typeof note !== "string" || !(await this.book.keepReceipt(note))) return;
    const form = this.read(note);
    const fault = found(() => standsFault(form, this.place, answer, sure ? this.offered(form) : null));
    if (fault) throw new WrongReceipt("bet-changed", `the house signed other bets of mine: ${fault}`, { round: form.round }, note);
  }

  /** What those of a sitting about a shoe say that the house signed, in their order. @param {string} shoe @param {number} from the sitting's @returns {Form[]} */
  ofShoe(shoe, from) {
    const mark = `"shoe":${JSON.stringify(shoe)}`;
    const since = this.book.receipts.slice(from);
    const next = since.findIndex((note, i) => i > 0 && note.includes('"op":"buy-in"') && saidBy(note)?.number === 1);
    return since.slice(0, next < 0 ? undefined : next).filter((note) => note.includes(mark)).flatMap((note) => this.signed(note) ?? []);
  }

  /** The rounds of this sitting in which I bet or decided. @returns {number[]} */
  rounds() {
    const forms = this.book.receipts.slice(this.book.sitting.from).map(saidBy).filter((form) => form && (form.do === "bet" || (form.do === "decision" && form.about === "round")));
    return [...new Set(forms.map((form) => form?.round))];
  }

  /** What the decision was about that was made in this place. @param {number} round @param {number} step @returns {string | undefined} */
  about(round, step) {
    return [...this.steps.values()].find((form) => form.do === "decision" && form.round === round && form.step === step)?.about;
  }

  get place() {
    const { table, seat, player } = this.book.sitting;
    return { table, seat, player };
  }

  /** The notes, each as a JSON string on a line, as `fairshoe-audit` reads them. @param {string[]} [notes] */
  file(notes = this.book.receipts) {
    return [this.vouched, ...notes].map((note) => `${JSON.stringify(note)}\n`).join("");
  }

  /** @param {string} note @returns {Form} what it says */
  read(note) {
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

  /** @param {string} note @returns {Form | null} what it says, null where the house did not sign it as a receipt */
  signed(note) {
    const known = this.known.get(note);
    if (known !== undefined) return known;
    try {
      return this.read(note);
    } catch (error) {
      if (!(error instanceof WrongReceipt)) throw error;
      return null;
    }
  }

  /** What the receipt must say, and no more. @param {string} what @param {Form} sent @returns {Form} */
  said(what, sent) {
    const { seat } = this.place;
    const counts = ["round", "step", "cut"];
    let fields = Object.fromEntries(Object.entries(sent).filter(([name, value]) => (Array.isArray(value) ? value.length : value) || (value === 0 && counts.includes(name))));
    if (what === "bets") fields = { state: "offered", round: sent.round, bets: offeredForm(sent.bets, seat) };
    else if (what === "seats") fields = { op: "buy-in", amount: sent.amount };
    else if (fields.leave) {
      delete fields.leave;
      fields.leaves = true;
    }
    return { ...this.place, do: DO[what], ...fields };
  }

  /** @param {Form} form of bets that stand @returns {Form[] | null} the bets that the chair offered last before; null where a receipt is not known here */
  offered(form) {
    let [number, before] = [form.number, form.before];
    for (;;) {
      const step = this.steps.get(linkOf(number, before));
      if (!step) return null;
      if (step.do === "bet" && step.shoe === form.shoe && step.round === form.round) return step.bets;
      if (step.number === 1) return [];
      [number, before] = [number - 1, step.before];
    }
  }

  /** The last bets of mine that the house took for a round of a shoe; null where none are known. @param {string} shoe @param {number} round @returns {Form[] | null} */
  lastOffer(shoe, round) {
    return [...this.steps.values()].filter((step) => step.do === "bet" && step.shoe === shoe && step.round === round).at(-1)?.bets ?? null;
  }
}

/** Which lie a wrong receipt of a route is. @type {Record<string, string>} */
const CODES = { bets: "bet-changed", decisions: "decision-changed" };

/** @param {number} number @param {string | null} hash */
const linkOf = (number, hash) => `${number} ${hash}`;

/** @param {string} note @returns {Form | null} what it says, whoever signed it; null where it is none */
function saidBy(note) {
  try {
    return parseCanonical(utf8(note.split("\n")[1]));
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    return null;
  }
}

/** @param {string} note @returns {string} as the next one names it */
const hashOf = (note) => toHex(sha256(utf8(parseNote(note).text)));

/** @param {{amount: number, box?: number}[]} bets @param {number} seat @returns {Form[]} as they were offered, by box */
const offeredForm = (bets, seat) =>
  bets.map(({ amount, box = seat }) => (box === seat ? { amount, seat } : { amount, box, seat })).sort((a, b) => (a.box ?? seat) - (b.box ?? seat));

/** @param {() => string | null} fault @returns {string | null} what cannot be read of a receipt or an answer is wrong too */
function found(fault) {
  try {
    return fault();
  } catch (error) {
    return `it or its answer is not whole (${error instanceof Error ? error.message : error})`;
  }
}

/** @param {Form} form @param {Form} said @param {TableState} state @param {TableState["round"]} seen @param {string | null} after @returns {string | null} */
function answerFault(form, said, state, seen, after) {
  const own = Object.fromEntries(Object.entries(form).filter(([name]) => !PLACED.includes(name)));
  if (own.leaves && !("amount" in said)) delete own.amount;
  if ("shoe" in said) own.shoe = form.shoe;
  const wrong = [...new Set([...Object.keys(own), ...Object.keys(said)])].sort().find((name) => !same(own[name], said[name]));
  if (wrong) return `it says another ${wrong}: ${JSON.stringify(own[wrong] ?? null)}, not ${JSON.stringify(said[wrong] ?? null)}`;
  if (after !== null && linkOf(form.number - 1, form.before) !== after) return `it is number ${form.number}, and does not follow the one before`;
  if (form.at !== state.at) return `it is dated ${form.at}, the answer ${state.at}`;
  return viewFault(form, state) ?? questionFault(form, seen);
}

/** What it says that the seat could see, against what the answer shows. @param {Form} form @param {TableState} state */
function viewFault(form, state) {
  const { view } = form;
  const { shoe } = state;
  if (view.bank !== state.bank || (view.chips ?? null) !== (state.chips[form.seat] ?? null)) return "it says another bank or other chips than the answer";
  if (!view.shoe !== !shoe || (shoe && SHOWN.some((name) => !same(view.shoe[name], /** @type {Form} */ (shoe)[name])))) return "it says another shoe than the answer shows";
  const { round } = state;
  const open = round?.view && form.about === "round" && round.round === form.round;
  return open && !same(view.round, round.view) ? "it shows another round than the answer" : null;
}

/** Whether it says what the seat saw before it decided. @param {Form} form @param {TableState["round"]} seen */
function questionFault(form, seen) {
  const asked = form.about === "round" && seen?.view && seen.round === form.round && seen.view.step === form.step;
  return asked && !same(seen.view, form.saw) ? "it says that I saw something else before I decided" : null;
}

/** What is wrong with the receipt of bets that stand. @param {Form} form @param {Form} place @param {TableState} state @param {Form[] | null} offered */
function standsFault(form, place, state, offered) {
  if (form.state !== "stands" || Object.entries(place).some(([name, value]) => form[name] !== value)) return "it is another receipt than that of the bets that stand";
  if (form.round > state.rounds) return `it is about round ${form.round}, of ${state.rounds}`;
  if (!offered || GAMES[state.rules].pool) return null;
  const stand = stakes(form.view);
  const left = offered.filter((bet) => (bet.box ?? form.seat) === form.seat || stand.some((one) => same(one, bet)));
  return same(stakes(form), left) ? null : `${words(stakes(form))} stand, and I offered ${words(offered)}`;
}

/** @param {Form} form @returns {Form[]} the bets of an `open`, or of a receipt of bets that stand, by box */
export const stakes = ({ bets, uncovered = [] }) => [...bets, ...uncovered].sort((a, b) => (a.box ?? a.seat) - (b.box ?? b.seat));

/** @param {Form[]} bets @returns {string} */
const words = (bets) => bets.map(({ amount, box }) => (box ? `${amount} on ${box}` : `${amount}`)).join(", ") || "no bets";
