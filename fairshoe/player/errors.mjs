// What can go wrong between a player's browser and a house. What is the house's fault is an Alarm: something that it
// signed, or said, and that another thing refutes.

import { FairshoeError, VerificationError } from "../verifier/bytes.mjs";

const KEEP = "Stop playing here, and keep what you have: save the evidence.";
const AGAIN = "Try again; if it stays so, ask whoever runs the house.";

/** The house refused. `status` 0: refused here. */
export class Problem extends FairshoeError {
  /** @param {number} status @param {Record<string, any>} body RFC 9457 @param {number | null} [retryAfter] seconds */
  constructor(status, body, retryAfter = null) {
    const each = (Array.isArray(body.errors) ? body.errors : []).map(({ field, what }) => `${field}: ${what}`).join("; ");
    super(`${body.detail ?? "the house refused"}${each && ` (${each})`}`, body.field ?? "", body.expected ?? null, body.remedy ?? "");
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** Whether the hash or commitment that was sent was used before in the log. */
  get alreadyClaimed() {
    return String(this.body.type ?? "").endsWith("#already-claimed");
  }
}

/** The house has heard a seed that its signed log waits for, and says that it does not take it. */
export class HeardAndRefused extends Problem {
  /** @param {Problem} refusal */
  constructor({ status, body, retryAfter }) {
    super(status, { ...body, detail: `the house has heard my seed and does not take it: ${body.detail}`, remedy: "It knows the seed now: look whether the log has it, or a `lapse` or `void` instead." }, retryAfter);
  }
}

/** Nobody answered, or what answered is no house: what was sent may be done all the same. */
export class Unreachable extends FairshoeError {
  /** @param {string} what */
  constructor(what) {
    super(what, "connection", null, AGAIN);
  }
}

/** Another tab has the seat. */
export class Elsewhere extends FairshoeError {
  /** @param {string} table */
  constructor(table) {
    super(`your seat at ${table} is open in another tab`, "seat", null, "Go on there, or close that tab.");
  }
}

/** The house is not honest, or somebody in its place. `code` and `values` name the words, for other languages. */
export class Alarm extends VerificationError {
  /** @param {string} code @param {string} what @param {Record<string, string | number>} [values] @param {string} [note] what the house signed */
  constructor(code, what, values = {}, note = "") {
    super(what, code, null, KEEP);
    this.code = code;
    this.values = values;
    this.note = note;
  }
}

/** The house wants a seed, and its signed log does not say that it may be opened. Nothing was sent. */
export class SeedKept extends Alarm {
  /** @param {string} why @param {string} code @param {Record<string, string | number>} values */
  constructor(why, code, values) {
    super(code, `the house wants my seed, and it stays here: ${why}`, values);
    this.why = why;
  }
}

/** The house gave no receipt, or one that does not say what was sent. What was sent may be done. */
export class WrongReceipt extends Alarm {}

/** What the house showed is not what its log or its own receipts say. */
export class Shown extends Alarm {}
