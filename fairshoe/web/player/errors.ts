// What can go wrong between a browser and a house. An Alarm is the house's fault: its signed word is refuted.

import { FairshoeError, VerificationError } from "../verifier/bytes.ts";

const KEEP = "Stop playing here, and keep what you have: save the evidence.";
const AGAIN = "Try again; if it stays so, ask whoever runs the house.";

/** The house refused. `status` 0: refused here. */
export class Problem extends FairshoeError {
  override name: string = "Problem";
  status: number;
  body: Record<string, any>;
  retryAfter: number | null;

  /** `body`: RFC 9457; `retryAfter`: seconds. */
  constructor(status: number, body: Record<string, any>, retryAfter: number | null = null) {
    const each = (Array.isArray(body.errors) ? body.errors : [])
      .map(({ field, what }) => `${field}: ${what}`)
      .join("; ");
    super(
      `${body.detail ?? "the house refused"}${each && ` (${each})`}`,
      body.field ?? "",
      body.expected ?? null,
      body.remedy ?? "",
    );
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
  override name = "HeardAndRefused";
  constructor({ status, body, retryAfter }: Problem) {
    super(
      status,
      {
        ...body,
        detail: `the house has heard my seed and does not take it: ${body.detail}`,
        remedy: "It knows the seed now: look whether the log has it, or a `lapse` or `void` instead.",
      },
      retryAfter,
    );
  }
}

/** Nobody answered, or what answered is no house: what was sent may be done all the same. */
export class Unreachable extends FairshoeError {
  override name = "Unreachable";
  constructor(what: string) {
    super(what, "connection", null, AGAIN);
  }
}

/** Another tab has the seat. */
export class Elsewhere extends FairshoeError {
  override name = "Elsewhere";
  constructor(table: string) {
    super(`your seat at ${table} is open in another tab`, "seat", null, "Go on there, or close that tab.");
  }
}

/** The house is not honest, or somebody in its place. `code` and `values` name the words, for other languages. */
export class Alarm extends VerificationError {
  override name: string = "Alarm";
  code: string;
  values: Record<string, string | number>;
  note: string;

  /** @param note what the house signed */
  constructor(code: string, what: string, values: Record<string, string | number> = {}, note: string = "") {
    super(what, code, null, KEEP);
    this.code = code;
    this.values = values;
    this.note = note;
  }
}

/** The house wants a seed, and its signed log does not say that it may be opened. Nothing was sent. */
export class SeedKept extends Alarm {
  override name = "SeedKept";
  why: string;

  constructor(why: string, code: string, values: Record<string, string | number>) {
    super(code, `the house wants my seed, and it stays here: ${why}`, values);
    this.why = why;
  }
}

/** The house gave no receipt, or one that does not say what was sent. What was sent may be done. */
export class WrongReceipt extends Alarm {
  override name = "WrongReceipt";
}

/** What the house showed is not what its log or its own receipts say. */
export class Shown extends Alarm {
  override name = "Shown";
}
