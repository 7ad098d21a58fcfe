// Hands judged by `hands.mjs`, which reads a whole audit: it comes when the first hand is to be judged, into a worker.

import { loaded } from "./requests.mjs";

/** @typedef {import("./hands.mjs").Judge} Judge @typedef {import("./hands.mjs").Judgement} Judgement */

/** @type {Judge} */
export const here = async (asked) => (await loaded(import("./hands.mjs"))).judge(asked);

/** @returns {Judge} checks hands in a worker, so that a page stays quick; here where the browser lets none begin */
export function inWorker() {
  /** @type {Map<number, {asked: import("./hands.mjs").Asked, done: (judged: Judgement | Promise<Judgement>) => void}>} */
  const waiting = new Map();
  /** @type {Worker | null} */
  let worker = null;
  let number = 0;
  let broken = false;
  const begin = () => {
    const begun = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
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
