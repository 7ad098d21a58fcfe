// How a request reaches a house: with a time-out, sent again where that is safe, and what its answer says.

import { toBase64 } from "../verifier/bytes.mjs";
import { Problem, Unreachable } from "./errors.mjs";

/** @typedef {import("./types.mjs").TableState} TableState */

/**
 * @typedef {object} Asked how a request is sent
 * @property {string} [method]
 * @property {Record<string, any>} [body]
 * @property {string | null} [token]
 * @property {string} [key] of a changing request, by which it is done once: it is sent again while no answer comes
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 *
 * @typedef {{headers: Headers, data: Uint8Array}} Answer
 */

/** Milliseconds: until an answer, and for which a request is sent again. */
const TIMEOUT = 60_000;
const PATIENCE = 60_000;
const LONGEST_PAUSE = 5_000;
const AWAY = [429, 502, 503, 504];

/** A module that comes when it is needed. @template T @param {Promise<T>} module @returns {Promise<T>} */
export const loaded = (module) => module.catch(() => {
  throw new Unreachable("the house cannot be reached: a part of its page did not come");
});

/** @param {number} time in milliseconds */
export const pause = (time) => new Promise((done) => setTimeout(done, time));

/** @param {string} name of a table, in a path */
export const pathOf = (name) => `/v1/tables/${encodeURIComponent(name)}`;

/** @returns {string} a fresh key of a request, or a token: chance that nobody guesses */
export const chance = () => toBase64(crypto.getRandomValues(new Uint8Array(32))).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");

/**
 * The answer to a request. One that reads is sent once more where it was dropped; one with a key while no answer
 * comes, or the house is busy.
 * @param {string} address @param {Asked} [asked] @returns {Promise<Answer>}
 */
export async function ask(address, asked = {}) {
  const end = Date.now() + PATIENCE;
  for (let number = 1; ; number++) {
    try {
      return await once(address, asked);
    } catch (error) {
      const wait = waitBefore(error, number, asked);
      if (wait === null || Date.now() + wait > end || asked.signal?.aborted) throw error;
      await pause(wait);
    }
  }
}

/** @param {string} address @param {Asked} asked @returns {Promise<Answer>} */
async function once(address, { method = "GET", body, token, key, headers = {}, signal }) {
  const late = AbortSignal.timeout(TIMEOUT);
  /** @type {Record<string, string>} */
  const all = { Accept: "application/json, */*", ...headers };
  if (token) all.Authorization = `Bearer ${token}`;
  if (key) all["Idempotency-Key"] = key;
  if (body) all["Content-Type"] = "application/json";
  let answer;
  let data;
  try {
    const fetched = { method, headers: all, body: body && JSON.stringify(body), signal: signal ? AbortSignal.any([signal, late]) : late };
    answer = await fetch(address, { ...fetched, cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
    data = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    throw new Unreachable(late.aborted ? "the house does not answer" : `the house cannot be reached (${error instanceof Error ? error.message : error})`);
  }
  const { status, headers: said } = answer;
  if (status < 400) return { headers: said, data };
  const told = parsed(data);
  throw new Problem(status, told?.detail ? told : { detail: `the answer is ${status}` }, Number(said.get("Retry-After")) || null);
}

/** @param {unknown} error @param {number} number how often it failed @param {Asked} asked @returns {number | null} milliseconds until it is sent again, null: it is not */
function waitBefore(error, number, { method = "GET", key }) {
  const growing = Math.min(100 * 2 ** (number - 1), LONGEST_PAUSE);
  if (error instanceof Problem) {
    if (!AWAY.includes(error.status) || !(key || method === "GET")) return null;
    return Math.max(growing, 1000 * (error.retryAfter ?? 0));
  }
  if (!(error instanceof Unreachable)) return null;
  return key ? growing : method === "GET" && number === 1 ? 0 : null;
}

/** @param {Uint8Array} data @returns {any} undefined where it is not JSON */
export function parsed(data) {
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return undefined;
  }
}

/** @param {Answer} answer @returns {any} */
export function jsonOf({ data }) {
  const form = parsed(data);
  if (form === null || typeof form !== "object") throw new Unreachable("the answer is not that of a fairshoe house");
  return form;
}

/** @param {any} state @returns {TableState} */
export function asState(state) {
  if (typeof state.log !== "number" || typeof state.phase !== "string") throw new Unreachable("the answer is not a table of a fairshoe house");
  return state;
}
