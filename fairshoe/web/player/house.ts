// A house at an address: what it shows to everybody, and what this browser remembers of it.

import { fromUtf8 } from "../verifier/bytes.ts";
import { GAMES } from "../verifier/games.ts";
import { parseVerifierKey } from "../verifier/note.ts";
import { Unreachable } from "./errors.ts";
import { follow } from "./following.ts";
import { saidBy } from "./receipts.ts";
import { ask, asState, chance, jsonOf, pathOf } from "./requests.ts";
import type { ChipsMoved, House as Health } from "./built/api.ts";
import type { Hand, RuleSets, Storage, TableLine, TableState } from "./types.ts";
import type { Judge } from "./hands.ts";
import type { Answer, Asked } from "./requests.ts";

export type { Health };
/** `games`: out of a pool that I paid for; `moves`: chips that I got or gave beside the hands, by their table */
export type Beside = { games: number; moves: (ChipsMoved & { table: string })[] };

/** Where the house lists a player's hands at a table. `after`: a round. */
const listOf = (table: string, player: string, after: string = "0") =>
  `${pathOf(table)}/hands?${new URLSearchParams({ player, after })}`;
/** Beyond all rounds. */
const NO_HANDS = "999999999";

export class House {
  address: string;
  storage: Storage;
  judge: Judge | undefined;

  /**
   * @param address without a slash at its end; "" the one that the page came from
   * @param of `judge`: checks a hand in a worker (`inWorker` of judging.ts); else here
   */
  constructor(address: string, { storage, judge }: { storage: Storage; judge?: Judge }) {
    this.address = address || globalThis.location.origin;
    this.storage = storage;
    this.judge = judge;
  }

  /** The name of what is kept of this house. `words`: none has a space. */
  name(...words: string[]) {
    return [this.address, ...words].join(" ");
  }

  /** The house's verifier key as this browser knows it: from the first time on. */
  async key(): Promise<{ key: string; since: string }> {
    const known = await this.storage.get(this.name("key"));
    if (known) return known;
    const key = (await this.text("/v1/log/vkey")).trim();
    try {
      parseVerifierKey(key);
    } catch {
      throw new Unreachable("what answers there is no fairshoe house");
    }
    const found = { key, since: new Date().toISOString() };
    await this.storage.put(this.name("key"), found);
    return found;
  }

  /** The house's word for the key of its receipts, a note; kept from the first time on. */
  async receiptKey(): Promise<string> {
    const known = await this.storage.get(this.name("receipt-key"));
    if (known) return known;
    const note = await this.text("/v1/log/receipts");
    await this.storage.put(this.name("receipt-key"), note);
    return note;
  }

  /** What its tables can be opened with: each game's options and the time limits, by their defaults. */
  async ruleSets(): Promise<RuleSets> {
    return jsonOf(await this.ask("/v1/rules"));
  }

  /** Its tables, a page at a time. */
  async tables(after: string = ""): Promise<{ tables: TableLine[]; next: string }> {
    const answer = await this.ask(`/v1/tables?${new URLSearchParams({ limit: "100", ...(after && { after }) })}`);
    const { tables } = jsonOf(answer);
    return { tables, next: /rel="next"/.test(answer.headers.get("Link") ?? "") ? tables.at(-1).table : "" };
  }

  /** A table as everybody sees it. */
  async table(table: string): Promise<TableState> {
    return asState(jsonOf(await this.ask(pathOf(table))));
  }

  /** Watch a table without a seat; each state goes to `show`. Returns what stops it. */
  watch(
    table: string,
    show: (state: TableState) => void,
    say?: (how: "live" | "polling" | "lost") => void,
  ): () => void {
    return follow(this, table, null, { show, say });
  }

  /** How the house is, by the token of its operator or a reader. */
  async health(token: string): Promise<Health> {
    return jsonOf(await this.ask("/v1/house", { token }));
  }

  /** What the operator does: `POST` of a path below /v1, by a token. */
  async operate(path: string, body: Record<string, any>, token: string): Promise<any> {
    return jsonOf(await this.ask(`/v1${path}`, { method: "POST", body, token, key: chance() }));
  }

  /** All hands of mine at every table of this house, the newest first. */
  async hands(): Promise<Hand[]> {
    const kept = await this.storage.all(this.name("hand", ""));
    return kept.map(([, { hand }]) => hand).sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  /** What moved my chips beside my hands at tables, of which the rules are given: by my receipts, and since the first of
   * them by what the house says. */
  async beside(tables: Map<string, string>): Promise<Beside> {
    const found: Beside = { games: 0, moves: [] };
    for (const [table, rules] of tables) {
      const since: Map<string, string> = new Map();
      for (const [, note] of await this.storage.all(this.name("receipt", table, ""))) {
        const said = note.includes('"op":"buy-in"') && saidBy(note);
        if (!said) continue;
        if (GAMES[rules]?.pool) found.games += 1;
        if (!since.has(said.player)) since.set(said.player, said.at);
      }
      for (const [player, at] of since) {
        const { moves } = jsonOf(await this.ask(listOf(table, player, NO_HANDS)));
        found.moves.push(
          ...moves.filter((one: ChipsMoved) => one.at >= at).map((one: ChipsMoved) => ({ ...one, table })),
        );
      }
    }
    return found;
  }

  /** The hands of a player at a table, as the house lists them, page after page. */
  async *handsOf(table: string, player: string): AsyncGenerator<{ round: string; seat: number }> {
    for (let path = listOf(table, player); path;) {
      const answer = await this.ask(path);
      yield* jsonOf(answer).hands;
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1] ?? "";
    }
  }

  /** The proof file of a hand. `id`: TABLE#NUMBER. */
  async proof(id: string): Promise<string> {
    return this.text(`/v1/rounds/${encodeURIComponent(id)}/proof`);
  }

  // Requests.

  ask(path: string, asked?: Asked): Promise<Answer> {
    return ask(this.address + path, asked);
  }

  async text(path: string): Promise<string> {
    return fromUtf8((await this.ask(path)).data, path);
  }

  async bytes(path: string): Promise<Uint8Array> {
    return (await this.ask(path)).data;
  }
}
