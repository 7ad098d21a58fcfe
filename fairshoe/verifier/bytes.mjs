// Bytes, and the ways to write them: hex, base64, UTF-8. Each way has one form only; whatever else is refused. And the
// errors of whatever is refused anywhere.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes @returns {string} two digits 0-9 a-f for each byte */
export function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** @param {string} text digits 0-9 a-f, two for each byte @param {string} [where] what the text is, for the error @returns {Uint8Array} */
export function fromHex(text, where = "hex") {
  if (typeof text !== "string" || !/^(?:[0-9a-f]{2})*$/.test(text))
    throw new InputError(`${where} is no hex`, where, "two digits 0-9 a-f for each byte, lower case");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** @param {string} text without unpaired surrogates: they have no UTF-8 @returns {Uint8Array} */
export function utf8(text) {
  if (hasUnpaired(text)) throw new InputError("a text has an unpaired surrogate", "text", "Unicode");
  return encoder.encode(text);
}

/** @param {string} text @returns {boolean} whether it has a surrogate without its other half */
export const hasUnpaired = (text) => /\p{Surrogate}/u.test(text);

/** @param {Uint8Array} bytes @param {string} [where] @returns {string} a byte order mark stays a character */
export function fromUtf8(bytes, where = "text") {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError(`${where} is not UTF-8`, where, "UTF-8");
  }
}

/** @param {Uint8Array} bytes @returns {string} */
export function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * @param {string} text standard base64 with its padding; loose bits at the end are refused
 * @param {string} [where]
 * @returns {Uint8Array}
 */
export function fromBase64(text, where = "base64") {
  const wrong = () => new InputError(`${where} is no base64`, where, "A-Z a-z 0-9 + /, padded with =");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4) throw wrong();
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw wrong();
  return bytes;
}

/** @param {...Uint8Array} parts @returns {Uint8Array} */
export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} a @param {Uint8Array} b @returns {boolean} */
export const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** @param {Uint8Array} a @param {Uint8Array} b @returns {number} below, at or above 0: by the first byte that differs */
export function compare(a, b) {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

// What can be wrong. Each error says what, where, what was expected, and what to do.

export class FairshoeError extends Error {
  /** @param {string} what @param {string} where the argument, field or place @param {unknown} [expected] @param {string} [remedy] */
  constructor(what, where, expected = null, remedy = "") {
    super(what);
    this.name = new.target.name;
    this.what = what;
    this.where = where;
    this.expected = expected;
    this.remedy = remedy;
  }
}

/** Malformed: it breaks a limit or is of another form. Nothing is verified. */
export class InputError extends FairshoeError {}

/** Of a version that is not known here: nothing is said of it. */
export class NewerError extends FairshoeError {
  /** @param {string} where @param {number} version @param {number} newest that is known */
  constructor(where, version, newest) {
    super(`written by a newer fairshoe: ${where} is of version ${version}`, where, newest, "take a newer verifier");
  }
}

/** Well-formed, and does not hold. */
export class VerificationError extends FairshoeError {}

/** A step of docs/protocol.md section 10 that does not hold. */
export class StepFailed extends VerificationError {
  /** @param {number} step @param {string} what @param {string} where @param {unknown} expected @param {string} remedy */
  constructor(step, what, where, expected, remedy) {
    super(what, where, expected, remedy);
    this.step = step;
  }
}
