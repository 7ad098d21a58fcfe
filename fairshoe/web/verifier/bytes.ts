// Bytes, and their one form in hex, base64 and UTF-8, whatever else is refused; and the errors of all refusals.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @returns two digits 0-9 a-f for each byte */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** `text`: digits 0-9 a-f, two for each byte; `where`: what the text is, for the error. */
export function fromHex(text: string, where: string = "hex"): Uint8Array {
  if (typeof text !== "string" || !/^(?:[0-9a-f]{2})*$/.test(text))
    throw new InputError(`${where} is no hex`, where, "two digits 0-9 a-f for each byte, lower case");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** @param text without unpaired surrogates: they have no UTF-8 */
export function utf8(text: string): Uint8Array {
  if (hasUnpaired(text)) throw new InputError("a text has an unpaired surrogate", "text", "Unicode");
  return encoder.encode(text);
}

/** @returns whether it has a surrogate without its other half */
export const hasUnpaired = (text: string): boolean => /\p{Surrogate}/u.test(text);

/** @returns a byte order mark stays a character */
export function fromUtf8(bytes: Uint8Array, where: string = "text"): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError(`${where} is not UTF-8`, where, "UTF-8");
  }
}

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param text standard base64 with its padding; loose bits at the end are refused */
export function fromBase64(text: string, where: string = "base64"): Uint8Array {
  const wrong = () => new InputError(`${where} is no base64`, where, "A-Z a-z 0-9 + /, padded with =");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4) throw wrong();
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw wrong();
  return bytes;
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** @returns below, at or above 0: by the first byte that differs */
export function compare(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

// What can be wrong. Each error says what, where, what was expected, and what to do.

export class FairshoeError extends Error {
  override name: string = "FairshoeError";
  declare what: string;
  declare where: string;
  declare expected: unknown;
  declare remedy: string;

  /** @param where the argument, field or place */
  constructor(what: string, where: string, expected: unknown = null, remedy: string = "") {
    super(what);
    Object.assign(this, { what, where, expected, remedy });
  }
}

/** Malformed: it breaks a limit or is of another form. Nothing is verified. */
export class InputError extends FairshoeError {
  override name: string = "InputError";
}

/** Return what `act` returns; `otherwise` if it throws an error of the kind `of`. */
export function attempt<T>(act: () => T, otherwise: T, of: Function = InputError): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof of)) throw error;
    return otherwise;
  }
}

/** Of a version that is not known here: nothing is said of it. */
export class NewerError extends FairshoeError {
  override name = "NewerError";
  /** @param newest that is known */
  constructor(where: string, version: number, newest: number) {
    super(`written by a newer fairshoe: ${where} is of version ${version}`, where, newest, "take a newer verifier");
  }
}

/** Well-formed, and does not hold. */
export class VerificationError extends FairshoeError {
  override name: string = "VerificationError";
}

/** A step of docs/protocol.md section 10 that does not hold. */
export class StepFailed extends VerificationError {
  override name = "StepFailed";
  declare step: number;

  constructor(step: number, what: string, where: string, expected: unknown, remedy?: string) {
    super(what, where, expected, remedy);
    this.step = step;
  }
}
