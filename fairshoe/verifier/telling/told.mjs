// What is told of a check: steps with their inputs and results. A step is "open" until it was checked, and nothing is
// "pass" that rests on a step that failed.

import { fromHex, toBase64, toHex, utf8 } from "../bytes.mjs";
import { sha256 } from "../hashes.mjs";
import { canonicalText } from "../json.mjs";

/**
 * @typedef {object} Given
 * @property {Uint8Array | null} file proof of a hand, proof of a shoe or receipts
 * @property {Uint8Array | null} [receipt] receipts that are held against it
 * @property {string} [key] the house's verifier key, as the reader holds it
 * @property {string} [commitment] of the shoe, as the reader knew it before the deal
 * @property {string} [seed] hex, as the reader sent it for the hand
 * @property {string} [notes] what placers and house signed of open rounds
 *
 * @typedef {"pass" | "fail" | "open"} Status
 * @typedef {"house" | "reader" | "player" | "unknown"} Whose
 * @typedef {{columns: string[], rows: (string | number)[][]}} Rows
 * @typedef {"hex" | "text" | "number" | "money" | "time" | "cards" | "table" | "code"} Form
 * @typedef {{label: string, form: Form, value: string | number | string[] | Rows}} Item
 * @typedef {{expected: string, found: string, where: string, cause: string, whose: Whose}} Fault
 * @typedef {{id: string, status: Status, items: Item[], fault: Fault | null}} Step
 *
 * @typedef {object} Card
 * @property {string} label
 * @property {number} position in the dealt order of its deck
 * @property {number} dealt the scene's step that dealt it
 * @property {boolean} down whether it was dealt face down
 * @property {number | null} turned the scene's step that turned it up
 *
 * @typedef {{cards: Card[], total: string, bet: number, insured?: number, outcome: string, paid: number}} SceneHand
 * @typedef {{seat: string, player: string, you: boolean, hands: SceneHand[]}} SceneSeat
 * @typedef {{at: string, by: "seat" | "table" | "rules", text: string, values: Record<string, string | number>}} SceneStep
 * @typedef {{seats: SceneSeat[], steps: SceneStep[]}} Scene
 *
 * @typedef {object} Told
 * @property {"hand" | "log" | "shuffle" | "receipt" | "none"} what
 * @property {"pass" | "bound" | "fail" | "unsure" | "unreadable"} verdict
 * @property {string} says the key of a text
 * @property {Record<string, string | number>} values
 * @property {Step[]} steps
 * @property {Scene | null} scene
 * @property {string[]} unseen
 */

/** The steps in their order, each with those that it rests on. @type {Record<string, string[]>} */
const RESTS_ON = {
  form: [],
  signature: [],
  inclusion: ["signature"],
  commitment: ["form", "inclusion"],
  seeds: ["form", "inclusion"],
  transcript: ["commitment", "seeds"],
  shuffle: ["transcript"],
  decisions: ["shuffle"],
  dealer: ["decisions"],
  totals: ["decisions"],
  outcome: ["dealer", "totals"],
  payout: ["outcome"],
  chips: ["payout"],
  receipt: ["inclusion"],
};

/** What is told, step by step. */
export class Telling {
  /** @param {string[]} [ids] the steps that there are, in their order */
  constructor(ids = Object.keys(RESTS_ON).slice(0, -1)) {
    /** @type {Map<string, Step>} */
    this.steps = new Map();
    for (const id of ids) this.step(id);
    /** whose fault it is where what was signed does not hold @type {Whose} */
    this.whose = "unknown";
  }

  /** @param {string} id @returns {Step} */
  step(id) {
    const found = this.steps.get(id);
    if (found) return found;
    /** @type {Step} */
    const step = { id, status: "open", items: [], fault: null };
    this.steps.set(id, step);
    return step;
  }

  /** @param {string} id @param {Record<string, Item["value"] | undefined>} items by their labels */
  show(id, items) {
    for (const [label, value] of Object.entries(items)) if (value !== undefined) this.step(id).items.push({ label, value, form: shapeOf(label, value) });
  }

  /** @param {string} id that everything in it was checked, and nothing of it failed @param {Record<string, Item["value"] | undefined>} [items] by which */
  pass(id, items = {}) {
    this.show(id, items);
    const step = this.step(id);
    if (!step.fault) step.status = "pass";
  }

  /**
   * @param {string} id
   * @param {string} cause without its "cause."
   * @param {string} where
   * @param {unknown} expected
   * @param {unknown} found
   * @param {Whose} [whose]
   */
  fail(id, cause, where, expected, found, whose = "unknown") {
    const step = this.step(id);
    step.status = "fail";
    step.fault ??= { expected: asText(expected), found: asText(found), where, cause: `cause.${cause}`, whose };
  }

  /**
   * What was signed must be what it has to be.
   * @param {string} id
   * @param {string} cause
   * @param {string} where
   * @param {unknown} expected
   * @param {unknown} found
   */
  same(id, cause, where, expected, found) {
    if (expected !== found) this.fail(id, cause, where, expected, found, this.whose);
  }

  /** @param {string} id @param {import("../audit.mjs").Finding} finding that may have a reason which nobody can see @param {string} [cause] @param {string} [kind] of its entry */
  doubt(id, { entry, field, expected, found }, cause = "not-followed", kind = `entry ${entry}`) {
    this.leave(id, cause, `${kind} ${field}`.trim(), expected, found);
  }

  /** @param {string} id @param {unknown} error an error of the verifier @param {string} [cause] @param {Whose} [whose] */
  refuse(id, error, cause = "edited", whose) {
    const { message, where = id, expected = "" } = /** @type {Error & {where?: string, expected?: unknown}} */ (error);
    this.fail(id, cause, where, expected, message, whose);
  }

  /** @param {string} id that nobody can say whether it holds @param {string} cause @param {string} where @param {unknown} expected @param {unknown} found */
  leave(id, cause, where, expected, found) {
    this.fail(id, cause, where, expected, found);
    this.step(id).status = "open";
  }

  /** The first step that failed. */
  get failed() {
    return [...this.steps.values()].find(({ status }) => status === "fail");
  }

  /**
   * @param {Pick<Told, "what" | "verdict" | "says"> & Partial<Told>} told
   * @returns {Told} where what rests on a step that failed is open
   */
  told(told) {
    const { failed } = this;
    /** @type {Set<string>} */
    const shaken = new Set();
    for (const step of this.steps.values()) {
      const rests = (RESTS_ON[step.id] ?? []).some((id) => shaken.has(id));
      if (rests) Object.assign(step, { status: "open", items: [], fault: null });
      if (rests || step.status === "fail") shaken.add(step.id);
    }
    const values = { ...told.values, ...(failed && { step: failed.id }) };
    return { scene: null, unseen: [], ...told, values, steps: [...this.steps.values()] };
  }
}

/** @param {string} label @param {Item["value"]} value @returns {Form} */
function shapeOf(label, value) {
  if (typeof value === "number") return "number";
  if (typeof value === "object") return Array.isArray(value) ? "cards" : "table";
  if (label.startsWith("command")) return "code";
  return /^[0-9a-f]{64}$/.test(value) ? "hex" : /^\d{4}-\d\d-\d\dT/.test(value) ? "time" : "text";
}

const MOST_ROWS = 1000;

/** @param {string} columns their names, parted by spaces @param {(string | number)[][]} rows the first are drawn, and a last one that says that there are more @returns {Rows} */
export function grid(columns, rows) {
  const names = columns.split(" ").map((name) => `column.${name}`);
  return { columns: names, rows: rows.length > MOST_ROWS ? [...rows.slice(0, MOST_ROWS), names.map(() => "…")] : rows };
}

/** @param {unknown} value @returns {string} */
function asText(value) {
  try {
    return typeof value === "string" ? value : canonicalText(value ?? null);
  } catch {
    return String(value);
  }
}

/** @param {string} text hex as it is copied: with white space, capitals, 0x */
export const bare = (text) => text.replace(/\s/g, "").replace(/^0x/, "").toLowerCase();

/** @param {string} hex @returns {string} the SHA-256 of its bytes */
export const hashOf = (hex) => toHex(sha256(fromHex(hex)));

/** @param {string} text @returns {string} the SHA-256 of its UTF-8 */
export const textHash = (text) => toHex(sha256(utf8(text)));

// How a step is done by hand: commands for a shell, with the real values. What stands in a command is hex, base64 or an
// id, so that nothing in it needs more quotes.

/** @param {Uint8Array} bytes */
const decoded = (bytes) => `printf %s ${toBase64(bytes)} | base64 -d`;

/** @param {string} hex */
export const hashCommand = (hex) => `printf %s ${hex} | xxd -r -p | sha256sum`;

/** @param {string} line an entry of the log */
export const leafCommand = (line) => `(printf '\\000'; ${decoded(utf8(line))}) | sha256sum`;

/** @param {string} text the transcript */
export const textCommand = (text) => `printf '${text.replaceAll("\n", "\\n")}' | sha256sum`;

/** @param {string} key hex @param {string} text the transcript @param {number} words how many, of the first chunk */
export function wordsCommand(key, text, words) {
  const opt = Object.entries({ digest: "SHA256", hexkey: key, hexsalt: toHex(utf8("fairshoe/1 shuffle")), hexinfo: textHash(text) + toHex(utf8("chunk 0\n")) });
  return `openssl kdf -binary -keylen ${4 * Math.min(2040, Math.max(1, words))} ${opt.map((pair) => `-kdfopt ${pair.join(":")}`).join(" ")} HKDF | xxd -p -c 4`;
}

/** @param {string} text what is signed @param {Uint8Array} signature @param {Uint8Array} key */
export const signatureCommand = (text, signature, key) => `${decoded(utf8(text))} > checkpoint.txt
${decoded(signature)} > signature.bin
printf %s 302a300506032b6570032100${toHex(key)} | xxd -r -p > house.der
openssl pkeyutl -verify -pubin -keyform DER -inkey house.der -rawin -in checkpoint.txt -sigfile signature.bin`;
