// What fairshoe.mjs gives, for TypeScript.

/** 32 bytes of the machine's random source: one key makes one shoe. */
export function newKey(): Uint8Array;

/** SHA-256 of the key's 32 bytes, in hex: publish it before anybody bets. */
export function commitment(key: Uint8Array): string;

export interface Shoe {
  /** 32 bytes. */
  key: Uint8Array;
  /** Its id: 1 to 64 of A-Z a-z 0-9 . _ : / - */
  shoe: string;
  /** 1 to 65536 labels, before the shuffle. */
  deck: readonly string[];
  /** [contributor, 1 to 128 bytes], in roster order. */
  seeds?: readonly (readonly [string, Uint8Array])[];
  /** Chain hash, round, randomness. */
  beacon?: readonly [string, number, string] | null;
}

/** T of the seal: what makes the order besides the key. */
export function transcript(shoe: Shoe): string;

export interface Shuffled {
  commitment: string;
  transcript: string;
  /** The dealt order, after the cut. */
  order: string[];
  draws: { [name: string]: number };
}

/** The order of the cards, and every named draw: draws are name → bound, as listed at the commitment. */
export function shuffle(
  of: Shoe & { cut?: number; draws?: { readonly [name: string]: number }; first?: number },
): Shuffled;

/** One named draw, 0 … below − 1. */
export function draw(of: { key: Uint8Array; transcript: string; name: string; below: number }): number;

export interface Proof {
  protocol: string;
  shoe: string;
  deck: string[];
  commitment: string;
  key: string;
  seeds: [string, string][];
  beacon: [string, number, string] | null;
  cut: number;
  draws: { [name: string]: [bound: number, value: number] };
  reshuffles: [after: number, gathered: number[], cut: number | null][];
  dealt: number;
}

/** A proof file's fields. Throws InputError where it is unreadable. */
export function readProof(file: string | Uint8Array): Proof;

export interface Verified {
  /** Whether a commitment from before the deal was given; else the file is only consistent in itself. */
  remembered: boolean;
  commitment: string;
  transcript: string;
  /** The cards of each order in turn: compare them with those that lay on the table. */
  dealt: string[][];
  draws: { [name: string]: number };
}

/** Throws InputError where the file is unreadable, StepFailed where it does not hold. */
export function verify(file: string | Uint8Array, remembered?: { commitment?: string | null }): Verified;

/** N French packs: Ac 2c … Kc Ad … Ks, 1 ≤ N ≤ 1260. */
export function french(packs: number): string[];
export function deckHash(deck: readonly string[]): string;

export function fromHex(text: string, where?: string): Uint8Array;
export function toHex(bytes: Uint8Array): string;
export function utf8(text: string): Uint8Array;

export class FairshoeError extends Error {
  readonly what: string;
  readonly where: string;
  readonly expected: unknown;
  readonly remedy: string;
}

/** Malformed: nothing is verified. */
export class InputError extends FairshoeError {}

/** Well-formed, and does not hold. */
export class VerificationError extends FairshoeError {}

/** The step of docs/protocol.md section 10 that does not hold. */
export class StepFailed extends VerificationError {
  readonly step: number;
}
