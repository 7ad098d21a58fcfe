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
    /** when the house showed a table last @type {Map<string, number>} */ this.shown = new Map();
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
    const { questions = [], given = [], awaited, placer, note, notes = [], answer_receipt: receipt, table, at: now } = form;
    if (table !== undefined) this.shown.set(table, Math.max(microseconds(now) ?? 0, this.shown.get(table) ?? 0));
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
    const [, stand, at] = /^fairshoe answer receipt v1\n([^]*\n)at (.*)\n$/.exec(receipt ? this.opened(receipt) : "") ?? [];
    const time = at && microseconds(at);
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

/** @param {Audit} audit @param {Shoe} shoe @param {Answers} answers @returns {boolean} whether the house took the newest answer more than a day ago, and showed no question when it was asked after that */
function isKeptBack(audit, shoe, answers) {
  if (!shoe.placer) return false;
  const chains = [shoe.placer.chain];
  const seen = new Set();
  let newest = chains[0];
  for (let chain = chains.pop(); chain; chain = chains.pop()) {
    if (seen.has(chain.stand)) continue;
    seen.add(chain.stand);
    const key = parseVerifierKey(shoe.placer.chain.key);
    if (chain.steps > newest.steps && (answers.notes.get(chain.note()) ?? []).some((note) => signed(note, key))) newest = chain;
    for (const { question, given } of answers.asked.get(chain.stand) ?? []) {
      if (!given) continue;
      const after = chain.copy();
      after.answer(question, given);
      chains.push(after);
    }
  }
  const taken = answers.taken.get(newest.stand);
  const published = (answers.asked.get(newest.stand) ?? []).some(({ given }) => !given);
  if (taken === undefined || published) return false;
  const due = taken + MAX_DECISIONS * (shoe.table?.chairs.size ?? 0) * shoe.policy.decision * 1e6;
  const late = Math.min((answers.shown.get(shoe.table?.id ?? "") ?? 0) - due, audit.lateBy(due)) > DAY;
  if (late) audit.fail("completeness", "round", `what the placer of ${shoe.id} has answered`, null, { entry: shoe.entry, shoe: shoe.id });
  return late;
}
