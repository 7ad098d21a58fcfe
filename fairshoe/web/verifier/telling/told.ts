// What is told of a check: steps with inputs and results; no step passes that rests on one that failed.

import { attempt, fromHex, toBase64, toHex, utf8 } from "../bytes.ts";
import { sha256 } from "../hashes.ts";
import { canonicalText } from "../json.ts";
import type { Finding } from "../audit.ts";

export interface Given {
  /** proof of a hand, proof of a shoe or receipts */
  file: Uint8Array | null;
  /** receipts that are held against it */
  receipt?: Uint8Array | null;
  /** the house's verifier key, as the reader holds it */
  key?: string;
  /** of the shoe, as the reader knew it before the deal */
  commitment?: string;
  /** hex, as the reader sent it for the hand */
  seed?: string;
  /** what placers and house signed of open rounds */
  notes?: string;
}
type Status = "pass" | "fail" | "open";
type Whose = "house" | "reader" | "player" | "unknown";
export type Rows = { columns: string[]; rows: (string | number)[][] };
type Form = "hex" | "text" | "number" | "money" | "time" | "cards" | "table" | "code";
export type Item = { label: string; form: Form; value: string | number | string[] | Rows };
export type Fault = { expected: string; found: string; where: string; cause: string; whose: Whose };
export type Step = { id: string; status: Status; items: Item[]; fault: Fault | null };
export interface Card {
  label: string;
  /** the scene's step that dealt it */
  dealt: number;
  /** whether it was dealt face down */
  down: boolean;
  /** the scene's step that turned it up */
  turned: number | null;
}
export type SceneHand = {
  cards: Card[];
  total: string;
  bet: number;
  /** where somebody plays on another place than the seat's own */
  box?: number;
  insured?: number;
  outcome: string;
  paid: number;
};
export interface SceneSeat {
  seat: string;
  player: string;
  /** as the player wrote it where the id could not hold it; "" if the entries do not tell it */
  name: string;
  you: boolean;
  hands: SceneHand[];
}
export type SceneStep = { by: "seat" | "table" | "rules"; text: string; values: Record<string, string | number> };
export type Scene = { seats: SceneSeat[]; steps: SceneStep[] };
export interface Told {
  what: "hand" | "log" | "shuffle" | "receipt" | "none";
  verdict: "pass" | "bound" | "fail" | "unsure" | "unreadable";
  /** the key of a text */
  says: string;
  values: Record<string, string | number>;
  steps: Step[];
  scene: Scene | null;
  unseen: string[];
}

/** The steps in their order, each with those that it rests on. */
const RESTS_ON: Record<string, string[]> = {
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
  steps: Map<string, Step> = new Map();
  /** whose fault it is where what was signed does not hold */
  whose: Whose = "unknown";

  /** @param ids the steps that there are, in their order */
  constructor(ids: string[] = Object.keys(RESTS_ON).slice(0, -1)) {
    for (const id of ids) this.step(id);
  }

  step(id: string): Step {
    const found = this.steps.get(id);
    if (found) return found;
    const step: Step = { id, status: "open", items: [], fault: null };
    this.steps.set(id, step);
    return step;
  }

  /** @param items by their labels */
  show(id: string, items: Record<string, Item["value"] | undefined>) {
    for (const [label, value] of Object.entries(items))
      if (value !== undefined) this.step(id).items.push({ label, value, form: shapeOf(label, value) });
  }

  /** Passes the step `id`, in which everything was checked and nothing failed, by these items. */
  pass(id: string, items: Record<string, Item["value"] | undefined> = {}) {
    this.show(id, items);
    const step = this.step(id);
    if (!step.fault) step.status = "pass";
  }

  /** @param cause without its "cause." */
  fail(id: string, cause: string, where: string, expected: unknown, found: unknown, whose: Whose = "unknown") {
    const step = this.step(id);
    step.status = "fail";
    step.fault ??= { expected: asText(expected), found: asText(found), where, cause: `cause.${cause}`, whose };
  }

  /** What was signed must be what it has to be. */
  same(id: string, cause: string, where: string, expected: unknown, found: unknown) {
    if (expected !== found) this.fail(id, cause, where, expected, found, this.whose);
  }

  /** `finding`: one that may have a reason that nobody can see; `kind`: of its entry. */
  doubt(
    id: string,
    { entry, field, expected, found }: Finding,
    cause: string = "not-followed",
    kind: string = `entry ${entry}`,
  ) {
    this.leave(id, cause, `${kind} ${field}`.trim(), expected, found);
  }

  /** @param error an error of the verifier */
  refuse(id: string, error: unknown, cause: string = "edited", whose?: Whose) {
    const { message, where = id, expected = "" } = error as Error & { where?: string; expected?: unknown };
    this.fail(id, cause, where, expected, message, whose);
  }

  /** @param id that nobody can say whether it holds */
  leave(id: string, cause: string, where: string, expected: unknown, found: unknown) {
    this.fail(id, cause, where, expected, found);
    this.step(id).status = "open";
  }

  /** The first step that failed. */
  get failed() {
    return [...this.steps.values()].find(({ status }) => status === "fail");
  }

  /** @returns where what rests on a step that failed is open */
  told(told: Pick<Told, "what" | "verdict" | "says"> & Partial<Told>): Told {
    const { failed } = this;
    const shaken: Set<string> = new Set();
    for (const step of this.steps.values()) {
      const rests = (RESTS_ON[step.id] ?? []).some((id) => shaken.has(id));
      if (rests) Object.assign(step, { status: "open", items: [], fault: null });
      if (rests || step.status === "fail") shaken.add(step.id);
    }
    const values = { ...told.values, ...(failed && { step: failed.id }) };
    return { scene: null, unseen: [], ...told, values, steps: [...this.steps.values()] };
  }
}

/** What is told of a file that nothing can be said about. */
export const untold = (says: string, values: Told["values"] = {}): Told => ({
  what: "none",
  verdict: "unreadable",
  says,
  values,
  steps: [],
  scene: null,
  unseen: [],
});

/** @param format what it is, by the end of the key of its text */
export const unreadable = (format: string = "other") => untold("verdict.unreadable.format", { format });

function shapeOf(label: string, value: Item["value"]): Form {
  if (typeof value === "number") return "number";
  if (typeof value === "object") return Array.isArray(value) ? "cards" : "table";
  if (label.startsWith("command")) return "code";
  return /^[0-9a-f]{64}$/.test(value) ? "hex" : /^\d{4}-\d\d-\d\dT/.test(value) ? "time" : "text";
}

const MOST_ROWS = 1000;

/** `columns`: names, parted by spaces; `rows`: the first are drawn, and a last one for any more. */
export function grid(columns: string, rows: (string | number)[][]): Rows {
  const names = columns.split(" ");
  return { columns: names, rows: rows.length > MOST_ROWS ? [...rows.slice(0, MOST_ROWS), names.map(() => "…")] : rows };
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : attempt(() => canonicalText(value ?? null), "", Error) || String(value);

/** @param text hex as it is copied: with white space, capitals, 0x */
export const bare = (text: string) => text.replace(/\s/g, "").replace(/^0x/, "").toLowerCase();

/** @returns the SHA-256 of its bytes */
export const hashOf = (hex: string): string => toHex(sha256(fromHex(hex)));

/** @returns the SHA-256 of its UTF-8 */
export const textHash = (text: string): string => toHex(sha256(utf8(text)));

// How a step is done by hand: commands for a shell, with the real values. What stands in a command is hex, base64 or an
// id, so that nothing in it needs more quotes.

const decoded = (bytes: Uint8Array) => `printf %s ${toBase64(bytes)} | base64 -d`;

export const hashCommand = (hex: string) => `printf %s ${hex} | xxd -r -p | sha256sum`;

/** @param line an entry of the log */
export const leafCommand = (line: string) => `(printf '\\000'; ${decoded(utf8(line))}) | sha256sum`;

/** @param text the transcript */
export const textCommand = (text: string) => `printf '${text.replaceAll("\n", "\\n")}' | sha256sum`;

/** `key`: hex; `text`: the transcript; `words`: how many, of the first chunk. */
export function wordsCommand(key: string, text: string, words: number) {
  const opt = Object.entries({
    digest: "SHA256",
    hexkey: key,
    hexsalt: toHex(utf8("fairshoe/1 shuffle")),
    hexinfo: textHash(text) + toHex(utf8("chunk 0\n")),
  });
  return `openssl kdf -binary -keylen ${4 * Math.min(2040, Math.max(1, words))} ${opt.map((pair) => `-kdfopt ${pair.join(":")}`).join(" ")} HKDF | xxd -p -c 4`;
}

/** @param text what is signed */
export const signatureCommand = (
  text: string,
  signature: Uint8Array,
  key: Uint8Array,
) => `${decoded(utf8(text))} > checkpoint.txt
${decoded(signature)} > signature.bin
printf %s 302a300506032b6570032100${toHex(key)} | xxd -r -p > house.der
openssl pkeyutl -verify -pubin -keyform DER -inkey house.der -rawin -in checkpoint.txt -sigfile signature.bin`;
