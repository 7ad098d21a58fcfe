// JSON: the canonical form of an entry (docs/log.md), where one value has one sequence of bytes, and proof files, read strictly.

import { attempt, fromUtf8, hasUnpaired, InputError, utf8 } from "./bytes.ts";
import { isObject } from "./forms.ts";

const LONGEST = 65535;
const DEEPEST = 64;

/** The canonical text of null, a boolean, integer, text, array or plain object: sorted names, no white space. */
export const canonicalText = (value: unknown): string => encode(value, 0);

/** An entry from its line, without the LF; or another object in the same form. `longest`: in bytes. */
export function parseCanonical(line: Uint8Array, longest: number = LONGEST): { [name: string]: any } {
  const { value, text } = objectIn(line, longest);
  if (canonicalText(value) !== text)
    throw new InputError("the line is not canonical", "line", "what its object encodes to");
  return value;
}

/** An entry from its line, canonical or not: integers up to 2^53 − 1, nested as far as an entry may be. */
export function parseInProfile(line: Uint8Array): { [name: string]: any } {
  const { value, text } = objectIn(line, LONGEST);
  for (const [token] of text.matchAll(TOKEN))
    if (/^[-0-9]/.test(token)) integer(/^-?[0-9]+$/.test(token) ? Number(token) : NaN);
  if (isDeeper(value, DEEPEST)) throw tooDeep();
  return value;
}

/** @returns the `kind` of a JSON object, whatever numbers are in it; undefined where the line is none */
export const kindIn = (line: Uint8Array): unknown =>
  attempt(
    () => {
      const { value } = objectIn(line, LONGEST);
      return isDeeper(value, DEEPEST) ? undefined : value.kind;
    },
    undefined,
    Error,
  );

/** @returns whether more objects and arrays than that are nested in each other */
function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return !levels || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** The text of a line of at most `longest` bytes, and the JSON object that it is. */
function objectIn(line: Uint8Array, longest: number): { text: string; value: { [name: string]: any } } {
  if (line.length > longest) throw new InputError("the line is too long", "line", `at most ${longest} bytes`);
  const text = fromUtf8(line, "line");
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError("the line is no JSON", "line", "one JSON object");
  }
  if (!isObject(value)) throw new InputError("the line is no object", "line", "one JSON object");
  return { text, value };
}

/** A field whose name comes from a file: not what every object inherits, such as `constructor`. */
export const ownField = (object: Record<string, any> | undefined, name: string) =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;

const tooDeep = () => new InputError("nested too deeply", "value", `at most ${DEEPEST} levels`);

function encode(value: unknown, depth: number): string {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return integer(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (depth >= DEEPEST) throw tooDeep();
  if (Array.isArray(value)) return `[${value.map((item) => encode(item, depth + 1)).join(",")}]`;
  if (typeof value !== "object") throw new InputError("a value has no JSON", "value", "JSON");
  const fields = value as { [name: string]: unknown };
  return `{${Object.keys(fields)
    .sort()
    .map((name) => `${fieldName(name)}:${encode(fields[name], depth + 1)}`)
    .join(",")}}`;
}

function text(value: string): string {
  const written = JSON.stringify(value);
  if (written.includes("\\ud")) utf8(value); // refuses what has an unpaired surrogate
  return written;
}

function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new InputError("a number is no integer", "value", "an integer, |n| < 2^53");
  return String(value);
}

function fieldName(name: string): string {
  if (!/^[\x00-\x7f]*$/.test(name)) throw new InputError("a name is not ASCII", "value", "ASCII");
  return JSON.stringify(name);
}

// JSON with white space or not: no name twice, no number but an integer up to 2^53 − 1, no unpaired surrogate.

type Json = null | boolean | number | string | any[] | { [name: string]: any };

const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"[\]{}:,]+|:/g;

/** @param text one JSON value, with white space around it or not */
export function parseJson(text: string): Json {
  const refuse = (expected: string, where: string = "the text"): never => {
    throw new InputError("the JSON cannot be read", where, expected);
  };
  let whole: Json = null;
  try {
    whole = JSON.parse(text);
  } catch {
    refuse("one JSON value");
  }
  let names = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const where = `character ${index}`;
    if (token === ":") names++;
    else if (token[0] === '"') hasUnpaired(JSON.parse(token)) && refuse("no unpaired surrogate", where);
    else if (/[-0-9]/.test(token[0]) && !(Number.isSafeInteger(Number(token)) && String(Number(token)) === token))
      refuse("an integer up to 2^53 - 1", where);
  }
  /** @returns how many names it has */
  const count = (value: Json, depth: number): number => {
    if (depth > DEEPEST) refuse("no deeper nesting");
    if (value === null || typeof value !== "object") return 0;
    const own = Array.isArray(value) ? 0 : Object.keys(value).length;
    return Object.values(value).reduce((sum, item) => sum + count(item, depth + 1), own);
  };
  return count(whole, 0) === names ? whole : refuse("each name once");
}
