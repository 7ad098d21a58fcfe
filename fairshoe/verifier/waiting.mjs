// Whether a table waits for its placer, or its house keeps a round back: what placer and house answered, a line of JSON
// each (verify.mjs --notes), held against the end of a log.

import { InputError } from "./bytes.mjs";
import { DAY, microseconds } from "./forms.mjs";
import { isSignedBy, parseNote, parseVerifierKey } from "./note.mjs";
import { readQuestion } from "./placing.mjs";
import { longestOf } from "./steps/shoes.mjs";

/** @typedef {import("./audit.mjs").Audit} Audit @typedef {import("./state.mjs").Shoe} Shoe @typedef {import("./note.mjs").VerifierKey} VerifierKey */
const MAX_DECISIONS = 8; // time limits of one chair for which a round may go on without a card

/** @typedef {{question: import("./placing.mjs").Question, given: number[] | null}} Asked given: null where it is not answered */

/** What a file of answers shows, by the lines that a note, a question and a receipt have of how far a chain is. */
class Answers {
  /** @param {string} text @param {VerifierKey} house whose signatures count */
  constructor(text, house) {
    /** @type {Map<string, Asked[]>} */ this.asked = new Map();
    /** @type {Map<string, string[]>} */ this.notes = new Map();
    /** when the house took an answer @type {Map<string, number>} */ this.taken = new Map();
    /** each table as the house showed it last: when, the shoe in play, the steps of its placer @type {Map<string, {at: number, shoe: string, steps: number}>} */ this.shown = new Map();
    this.house = house;
    try {
      for (const line of text.split("\n")) if (line) this.read(JSON.parse(line));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
      throw new InputError("notes that are none", "--notes", "a line of JSON for each answer");
    }
  }

  /** @param {any} form an answer of a placer or a house */
  read(form) {
    const { questions = [], given = [], awaited, placer, note, notes = [], answer_receipt: receipt, table, at: now, shoe, round } = form;
    const at = microseconds(now) ?? 0;
    const steps = (shoe?.placer?.steps ?? 0) + (round?.placed?.steps.length ?? 0);
    if (table !== undefined && at >= (this.shown.get(table)?.at ?? 0)) this.shown.set(table, { at, shoe: shoe?.shoe ?? "", steps });
    const places = [...given];
    for (const question of questions) {
      const [read, mine] = [this.ask(question), places.splice(0, String(question).split("\ncard ").length - 1)];
      if (read) this.keep(read, mine);
    }
    for (const { question } of [...(awaited?.questions ?? []), placer ?? {}]) {
      const read = question && this.ask(question);
      if (read) this.keep(read, null);
    }
    for (const one of [note, ...notes]) if (one) this.notes.set(textOf(one), [...(this.notes.get(textOf(one)) ?? []), one]);
    const [, stand, taken] = /^fairshoe answer receipt v1\n([^]*\n)at (.*)\n$/.exec(receipt ? this.opened(receipt) : "") ?? [];
    const time = taken && microseconds(taken);
    if (time) this.taken.set(stand, Math.min(time, this.taken.get(stand) ?? Infinity));
  }

  /** @param {string} note @returns {string} what the house signed, or "" */
  opened(note) {
    return signed(note, this.house) ? parseNote(note).text : "";
  }

  /** @param {string} note @returns {import("./placing.mjs").Question | null} */
  ask(note) {
    try {
      return readQuestion(this.opened(note));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return null;
    }
  }

  /** @param {import("./placing.mjs").Question} question @param {number[] | null} given */
  keep(question, given) {
    this.asked.set(question.stand, [...(this.asked.get(question.stand) ?? []), { question, given }]);
  }
}

/** @param {string} note */
const textOf = (note) => `${String(note).split("\n\n")[0]}\n`;

/** @param {string} note @param {VerifierKey} key @returns {boolean} */
function signed(note, key) {
  try {
    return isSignedBy(parseNote(String(note)), key);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return false;
  }
}

/** @param {Audit} audit at a log's end @param {VerifierKey | null} house @param {string} text a file of answers, or "" @returns {string[]} of which tables nobody can tell whether they wait */
export function waitsOf(audit, house, text) {
  const answers = text && house ? new Answers(text, house) : null;
  const waiting = [...audit.shoes.values()].filter((shoe) => shoe.placer && !shoe.endUnread && longestOf(shoe) !== DAY);
  const left = waiting.filter((shoe) => !answers || shoe.astray !== null || !isKeptBack(audit, shoe, answers));
  return left.map(({ table }) => `whether ${table?.id} waits for its placer`);
}

/** @param {Audit} audit @param {Shoe} shoe @param {Answers} answers @returns {boolean} whether the house took the newest answer more than a day ago, and was no further and showed no question when it was asked after that */
function isKeptBack(audit, shoe, answers) {
  if (!shoe.placer) return false;
  const key = parseVerifierKey(shoe.placer.chain.key);
  const stands = [{ chain: shoe.placer.chain, places: shoe.taken, size: shoe.size }];
  const seen = new Set();
  let newest = stands[0];
  for (let now = stands.pop(); now; now = stands.pop()) {
    if (seen.has(now.chain.stand)) continue;
    seen.add(now.chain.stand);
    if (now.chain.steps > newest.chain.steps && (answers.notes.get(now.chain.note()) ?? []).some((note) => signed(note, key))) newest = now;
    for (const { question, given } of answers.asked.get(now.chain.stand) ?? []) {
      const after = given && afterwards(now, question, given);
      if (after) stands.push(after);
    }
  }
  const taken = answers.taken.get(newest.chain.stand);
  const published = (answers.asked.get(newest.chain.stand) ?? []).some(({ question, given }) => !given && isNext(newest, question));
  if (taken === undefined || published) return false;
  const due = taken + MAX_DECISIONS * (shoe.table?.chairs.size ?? 0) * shoe.policy.decision * 1e6;
  const shown = answers.shown.get(shoe.table?.id ?? "");
  const further = [...answers.asked.values()].flat().some(({ question }) => question.commitment === shoe.placer?.commitment && question.steps > newest.chain.steps);
  if (!shown || further || shown.shoe !== shoe.id || shown.steps > newest.chain.steps) return false;
  const late = Math.min(shown.at - due, audit.lateBy(due)) > DAY;
  if (late) audit.fail("completeness", "round", `what the placer of ${shoe.id} has answered`, null, { entry: shoe.entry, shoe: shoe.id });
  return late;
}

/** @typedef {{chain: import("./placing.mjs").Chain, places: Set<number>, size: number}} Stand how far a placer is, the places given of the present deck, its size */

/** @param {Stand} now @param {import("./placing.mjs").Question} question @param {number[]} given @returns {Stand | null} null where a place was given before: the house refuses that */
function afterwards({ chain, places, size }, question, given) {
  const after = { chain: chain.copy(), places: new Set(places), size };
  after.chain.answer(question, given);
  const rest = given.values();
  for (const line of question.lines) {
    const [kind, number] = line.split(" ");
    if (kind === "shuffle") [after.places, after.size] = [new Set(), Number(number)];
    if (kind !== "card") continue;
    const place = rest.next().value ?? -1;
    if (after.places.has(place)) return null;
    after.places.add(place);
  }
  return after;
}

/** @param {Stand} now @param {import("./placing.mjs").Question} question @returns {boolean} whether it wants the next cards, or begins a deck where none lies or none is left of it */
function isNext({ chain, places, size }, { lines }) {
  const begins = lines[0].startsWith("shuffle ") && (!chain.steps || places.size >= size);
  const [cards, dealt] = begins ? [lines.slice(1), 0] : [lines, places.size];
  return dealt + cards.length <= size && cards.every((line, i) => line === `card ${dealt + i}`);
}
