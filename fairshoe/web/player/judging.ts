// Hands judged by `hands.ts`, which reads a whole audit: it comes when the first hand is to be judged, into a worker.

import { loaded } from "./requests.ts";
import type { Asked, Judge, Judgement } from "./hands.ts";

export const here: Judge = async (asked) => (await loaded(import("./hands.ts"))).judgeWhole(asked);

/** @returns checks hands in a worker, so that a page stays quick; here where the browser lets none begin */
export function inWorker(): Judge {
  const waiting: Map<number, { asked: Asked; done: (judged: Judgement | Promise<Judgement>) => void }> = new Map();
  let worker: Worker | null = null;
  let number = 0;
  let broken = false;
  const begin = () => {
    const begun = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    begun.onmessage = ({ data: [id, judged] }) => {
      waiting.get(id)?.done(judged);
      waiting.delete(id);
    };
    begun.onerror = () => {
      broken = true;
      for (const { asked, done } of waiting.values()) done(here(asked));
      waiting.clear();
    };
    return begun;
  };
  return async (asked) => {
    if (broken) return here(asked);
    worker ??= begin();
    number += 1;
    worker.postMessage([number, asked]);
    return new Promise((done) => waiting.set(number, { asked, done }));
  };
}
