// How a request reaches a house: with a time-out, sent again where that is safe, and what its answer says.

import { toBase64 } from "../verifier/bytes.ts";
import { Problem, Unreachable } from "./errors.ts";
import type { TableState } from "./types.ts";

/** how a request is sent */
export interface Asked {
  method?: string;
  body?: Record<string, any>;
  token?: string | null;
  /** of a changing request, by which it is done once: it is sent again while no answer comes */
  key?: string;
  /** of a reading one: it is sent again while no answer comes, too */
  patient?: boolean;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
export type Answer = { headers: Headers; data: Uint8Array };

/** Milliseconds: until an answer, and for which a request is sent again. */
const TIMEOUT = 60_000;
const PATIENCE = 60_000;
const LONGEST_PAUSE = 5_000;
const AWAY = [429, 502, 503, 504];

/** A module that comes when it is needed. */
export const loaded = <T>(module: Promise<T>): Promise<T> =>
  module.catch(() => {
    throw new Unreachable("the house cannot be reached: a part of its page did not come");
  });

/** @param time in milliseconds */
export const pause = (time: number) => new Promise((done) => setTimeout(done, time));

/** @param name of a table, in a path */
export const pathOf = (name: string) => `/v1/tables/${encodeURIComponent(name)}`;

/** @returns a fresh key of a request, or a token: chance that nobody guesses */
export const chance = (): string =>
  toBase64(crypto.getRandomValues(new Uint8Array(32)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");

/** The answer to a request. A read is repeated once if dropped; one with a key, or patient, until it is answered. */
export async function ask(address: string, asked: Asked = {}): Promise<Answer> {
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

async function once(
  address: string,
  { method = "GET", body, token, key, headers = {}, signal }: Asked,
): Promise<Answer> {
  const late = AbortSignal.timeout(TIMEOUT);
  const all: Record<string, string> = { Accept: "application/json, */*", ...headers };
  if (token) all.Authorization = `Bearer ${token}`;
  if (key) all["Idempotency-Key"] = key;
  if (body) all["Content-Type"] = "application/json";
  let answer;
  let data;
  try {
    const fetched = {
      method,
      headers: all,
      body: body && JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    };
    answer = await fetch(address, {
      ...fetched,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    data = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    throw new Unreachable(
      late.aborted
        ? "the house does not answer"
        : `the house cannot be reached (${error instanceof Error ? error.message : error})`,
    );
  }
  const { status, headers: said } = answer;
  if (status < 400) return { headers: said, data };
  const told = parsed(data);
  throw new Problem(
    status,
    told?.detail ? told : { detail: `the answer is ${status}` },
    Number(said.get("Retry-After")) || null,
  );
}

/** `number`: how often it failed. Returns milliseconds until it is sent again, null: it is not. */
function waitBefore(error: unknown, number: number, { method = "GET", key, patient }: Asked): number | null {
  const growing = Math.min(100 * 2 ** (number - 1), LONGEST_PAUSE);
  if (error instanceof Problem) {
    if (!AWAY.includes(error.status) || !(key || method === "GET")) return null;
    return Math.max(growing, 1000 * (error.retryAfter ?? 0));
  }
  if (!(error instanceof Unreachable)) return null;
  return key || patient ? growing : method === "GET" && number === 1 ? 0 : null;
}

/** @returns undefined where it is not JSON */
export function parsed(data: Uint8Array): any {
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return undefined;
  }
}

export function jsonOf({ data }: Answer): any {
  const form = parsed(data);
  if (form === null || typeof form !== "object") throw new Unreachable("the answer is not that of a fairshoe house");
  return form;
}

export function asState(state: any): TableState {
  if (typeof state.log !== "number" || typeof state.phase !== "string")
    throw new Unreachable("the answer is not a table of a fairshoe house");
  return state;
}
