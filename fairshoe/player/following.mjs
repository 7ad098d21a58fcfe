// Following a table: by its events, and where something on the way eats them by requests that wait for a change.

import { FairshoeError } from "../verifier/bytes.mjs";
import { Problem } from "./errors.mjs";
import { asState, jsonOf, parsed, pathOf, pause } from "./requests.mjs";

/** @typedef {import("./house.mjs").House} House @typedef {import("./types.mjs").TableState} TableState */

/**
 * @typedef {object} Follower
 * @property {(state: TableState) => void | Promise<void>} show
 * @property {(how: "live" | "polling" | "lost") => void} [say]
 * @property {(error: FairshoeError) => void} [trouble] what ended it: whoever asks has the chair no more, or there is no such table
 */

/** Milliseconds: without a sign of life a stream has ended (the house gives one each 15 s), or never began. */
const SILENT = 40_000;
const FIRST = 5_000;
/** Milliseconds after which events are tried again. */
const LATER = 60_000;
/** Milliseconds between two looks, where no request can wait. */
const PAUSE = 1_000;
const WAIT = 25; // seconds
const GONE = [401, 403, 404];

/** @param {House} house @param {string} table @param {string | null} token @param {Follower} follower @returns {() => void} that stops it */
export function follow(house, table, token, { show, say = () => {}, trouble = () => {} }) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const path = pathOf(table);
  const loop = async () => {
    let polled = false;
    while (!signal.aborted) {
      try {
        const heard = await streamed(`${house.address}${path}/events`, token, signal, async (state) => {
          say("live");
          await show(state);
        });
        if (!heard || polled) await poll();
        polled = !heard;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && GONE.includes(error.status)) return trouble(error);
        if (!(error instanceof FairshoeError)) throw error;
        say("lost");
        await pause(PAUSE);
      }
    }
  };
  const poll = async () => {
    const end = Date.now() + LATER;
    for (let tag = ""; Date.now() < end && !signal.aborted; ) {
      const began = Date.now();
      let found;
      try {
        found = await house.ask(`${path}?wait=${WAIT}`, { token, signal, headers: tag ? { "If-None-Match": tag } : {} });
      } catch (error) {
        if (!(error instanceof Problem) || GONE.includes(error.status)) throw error;
        found = await house.ask(path, { token, signal });
      }
      say("polling");
      const state = found.data.length ? jsonOf(found) : null;
      if (state) await show(asState(state));
      const same = (found.headers.get("ETag") ?? "") === tag;
      tag = found.headers.get("ETag") ?? "";
      if ((same || !tag) && Date.now() < began + PAUSE) await pause(PAUSE); // something on the way answers at once
    }
  };
  loop().catch((error) => signal.aborted || reportError(error));
  return () => stopping.abort();
}

/** @param {string} address @param {string | null} token @param {AbortSignal} signal @param {(state: TableState) => Promise<void>} show @returns {Promise<boolean>} whether any event came */
async function streamed(address, token, signal, show) {
  const dropping = new AbortController();
  const drop = () => dropping.abort();
  signal.addEventListener("abort", drop);
  let silence = setTimeout(drop, FIRST);
  let heard = false;
  try {
    const headers = { Accept: "text/event-stream", ...(token && { Authorization: `Bearer ${token}` }) };
    const answer = await fetch(address, { headers, signal: dropping.signal, cache: "no-store", credentials: "omit", redirect: "error" });
    if (GONE.includes(answer.status)) throw new Problem(answer.status, (await answer.json().catch(() => null)) ?? {});
    if (!answer.ok || !answer.body) return false;
    let rest = "";
    for await (const chunk of chunksOf(answer.body)) {
      clearTimeout(silence);
      silence = setTimeout(drop, SILENT);
      const events = (rest + chunk).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.split("\n").find((line) => line.startsWith("data: "));
        const state = data && parsed(new TextEncoder().encode(data.slice(6)));
        if (!state) continue;
        heard = true;
        await show(asState(state));
      }
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof FairshoeError) return false;
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error; // not the connection's
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", drop);
    drop();
  }
  return heard;
}

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<string>} not every browser iterates over a stream */
async function* chunksOf(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield /** @type {string} */ (value);
  }
}
