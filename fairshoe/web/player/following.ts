// Following a table: by a stream of its events, and by looks at it beside a stream that is missing or mute.

import { FairshoeError } from "../verifier/bytes.ts";
import { Problem } from "./errors.ts";
import { asState, jsonOf, parsed, pathOf } from "./requests.ts";
import type { House } from "./house.ts";
import type { TableState } from "./types.ts";

interface Follower {
  show: (state: TableState) => void | Promise<void>;
  say?: (how: "live" | "polling" | "lost") => void;
  /** what ended it: whoever asks has the chair no more, or there is no such table */
  trouble?: (error: FairshoeError) => void;
}

/** Streams that the pages of one browser hold at a time: over HTTP/1.1 it opens six connections to a host, and requests need some. */
const MAX_STREAMS = 3;
/** Milliseconds without a sign of life after which a stream is mute. The house gives one every 15 s. */
const MAX_SILENCE = 20_000;
/** Milliseconds until the next attempt after two streams that did not go on. */
const RETRY_DELAY = 60_000;
/** Milliseconds between two looks: of a page that is visible, and of a hidden one. */
const LOOK_INTERVAL = 1_000;
const HIDDEN_INTERVAL = 3_000;
const GONE = [401, 403, 404];

const isHidden = () => Boolean(globalThis.document?.hidden);

/**
 * Follow a table. A visible page holds a stream if fewer than MAX_STREAMS are held. Without a stream that speaks, the
 * table is looked at again and again; a hidden page looks only if it has a seat (a token), whose seeds are due in time.
 * @returns that stops it
 */
export function follow(
  house: House,
  table: string,
  token: string | null,
  { show, say = () => {}, trouble = () => {} }: Follower,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const path = pathOf(table);
  /** the stream that is open */ let open: AbortController | null = null;
  let live = false; // the stream speaks
  let doubted = false; // the last stream did not go on after its first event: the next one is believed at its second
  let retryAt = 0;
  let tag = ""; // of the look that was shown last

  const stream = async (dropping: AbortController) => {
    const free = await holdStream(house).catch(() => null);
    if (!free) return;
    let signs = 0;
    let answered = false;
    let mute = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = () =>
      (timer = setTimeout(() => {
        mute = true;
        dropping.abort();
      }, MAX_SILENCE));
    try {
      listen();
      const headers = { Accept: "text/event-stream", ...(token && { Authorization: `Bearer ${token}` }) };
      const answer = await fetch(`${house.address}${path}/events`, {
        headers,
        signal: AbortSignal.any([signal, dropping.signal]),
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
      });
      answered = true;
      if (GONE.includes(answer.status)) throw new Problem(answer.status, (await answer.json().catch(() => null)) ?? {});
      if (answer.ok && answer.body)
        for await (const events of eventsOf(answer.body)) {
          clearTimeout(timer);
          signs += events.length;
          doubted &&= signs < 2;
          live = signs > 0 && !doubted;
          if (live) say("live");
          for (const event of events) {
            const data = event.split("\n").find((line) => line.startsWith("data: "));
            const state = data && parsed(new TextEncoder().encode(data.slice(6)));
            if (!state) continue;
            tag = "";
            await show(asState(state));
          }
          listen();
        }
    } catch (error) {
      if (
        error instanceof Problem ||
        !(error instanceof FairshoeError || error instanceof TypeError || error instanceof DOMException)
      )
        throw error;
    } finally {
      clearTimeout(timer);
      dropping.abort();
      free();
      live = false;
      if (!isHidden() && (mute || (answered && signs < 2))) {
        if (doubted) retryAt = Date.now() + RETRY_DELAY;
        doubted = true;
      }
    }
  };

  const look = async () => {
    try {
      const found = await house.ask(path, { token, signal, headers: tag ? { "If-None-Match": tag } : {} });
      if (live) return; // the stream has shown what is newer
      tag = found.headers.get("ETag") ?? "";
      if (!isHidden()) say("polling");
      if (found.data.length) await show(asState(jsonOf(found)));
    } catch (error) {
      if (!(error instanceof FairshoeError) || (error instanceof Problem && GONE.includes(error.status))) throw error;
      if (signal.aborted) return;
      say("lost");
      retryAt = 0;
      doubted = false; // the house was away
    }
  };

  const loop = async () => {
    while (!signal.aborted) {
      if (isHidden()) open?.abort();
      else if (!open && Date.now() >= retryAt) {
        const dropping = (open = new AbortController());
        stream(dropping)
          .catch(end)
          .finally(() => (open = null));
      }
      const turned = await pauseUntilTurned(isHidden() ? HIDDEN_INTERVAL : LOOK_INTERVAL);
      if (!turned && !live && !signal.aborted && (token || !isHidden())) await look();
    }
  };
  const end = (error: any) => {
    if (signal.aborted) return;
    stopping.abort();
    if (error instanceof Problem) trouble(error);
    else reportError(error);
  };
  const lose = () => {
    say("lost");
    open?.abort();
  };
  globalThis.addEventListener?.("offline", lose, { signal });
  loop().catch(end);
  return () => stopping.abort();
}

/** Hold one of the streams of this browser. Returns what frees it; null: all are held. */
async function holdStream(house: House): Promise<(() => void) | null> {
  for (let number = 1; number <= MAX_STREAMS; number++) {
    const free = await house.storage.hold(house.name("stream", String(number)));
    if (free) return free;
  }
  return null;
}

/** Wait so many milliseconds, or until the page is hidden or visible again. Returns whether it was. */
const pauseUntilTurned = (time: number): Promise<boolean> =>
  new Promise((done) => {
    setTimeout(() => done(false), time);
    globalThis.document?.addEventListener("visibilitychange", () => done(true), { signal: AbortSignal.timeout(time) });
  });

/** @returns the events of each piece; not every browser iterates over a stream */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as any).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop() as string;
    yield events;
  }
}
