// A log is read and audited in a worker, so that the page answers meanwhile. The worker runs the page's own script: a
// page on a disk has no other file, and may not load a module from a blob.

import { FairshoeError, NewerError } from "../bytes.ts";
import { readLog } from "../telling/log.ts";
import type { Given, Told } from "../telling/told.ts";
import type { ReadLog, Row, ShownLog } from "../telling/log.ts";

type Question = { read: Parameters<typeof readLog> } | { given: Given; row: Row | null };
/** `progress`: the share that is read by now; `shown`: of a whole log that was told; `refused`: why there is no answer, and whether it is too new */
type Reply = { progress: number } | { answer?: Told; shown?: ShownLog } | { refused: string; newer: boolean };
type Waiting = { done: (answer: any) => void; fail: (error: Error) => void };

let running: Worker | null = null;

/** A log that a worker holds. */
export class LogReader {
  shown: ShownLog | null = null;
  #worker: Worker;
  /** Questions that are not answered yet, in the order in which they were asked. */
  #waiting: Waiting[] = [];

  constructor(progress: (share: number) => void) {
    const script = document.querySelector("script[type=module]")?.textContent ?? "";
    const address = URL.createObjectURL(new Blob([`"use strict";{${script}}`], { type: "text/javascript" }));
    running?.terminate();
    running = this.#worker = new Worker(address);
    this.#worker.onerror = ({ message }) => this.#waiting.shift()?.fail(new FairshoeError(message, "log"));
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if ("progress" in data) return progress(data.progress);
      const { done, fail } = this.#waiting.shift() as Waiting;
      if ("refused" in data)
        return fail(data.newer ? new NewerError("the log", 0, 0) : new FairshoeError(data.refused, "log"));
      this.shown = data.shown ?? this.shown;
      done(data.answer);
    };
  }

  #ask(question: Question): Promise<any> {
    this.#worker.postMessage(question);
    return new Promise((done, fail) => this.#waiting.push({ done, fail }));
  }

  async read(...log: Parameters<typeof readLog>): Promise<LogReader> {
    await this.#ask({ read: log });
    return this;
  }

  /** @param row the hand that is told; null: the whole log is */
  told = (given: Given, row: Row | null): Promise<Told> => this.#ask({ given: { ...given, file: null }, row });
}

/** Answer the page's questions, in the worker. */
export function serveLog() {
  let log: ReadLog;
  const reply = (data: Reply) => postMessage(data);
  addEventListener("message", ({ data }: MessageEvent<Question>) => {
    try {
      if ("given" in data) {
        const { given, row } = data;
        return reply(row ? { answer: log.hand(row, given) } : { answer: log.told(given), shown: log.shown });
      }
      const [file, checkpoint, openings] = data.read;
      log = readLog(file, checkpoint, openings, (progress) => reply({ progress }));
      reply({});
    } catch (error) {
      reply({ refused: String(error), newer: error instanceof NewerError });
    }
  });
}
