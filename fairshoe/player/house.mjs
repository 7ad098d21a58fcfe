// A house at an address: what it shows to everybody, and what this browser remembers of it.

import { fromUtf8 } from "../verifier/bytes.mjs";
import { parseVerifierKey } from "../verifier/note.mjs";
import { Unreachable } from "./errors.mjs";
import { follow } from "./following.mjs";
import { ask, asState, chance, jsonOf, pathOf } from "./requests.mjs";

/** @typedef {import("./types.mjs").TableState} TableState @typedef {import("./types.mjs").TableLine} TableLine @typedef {import("./types.mjs").Storage} Storage */

export class House {
  /**
   * @param {string} address without a slash at its end; "" the one that the page came from
   * @param {{storage: Storage, judge?: import("./hands.mjs").Judge}} of `judge`: checks a hand in a worker (`inWorker` of judging.mjs); else here
   */
  constructor(address, { storage, judge }) {
    this.address = address || globalThis.location.origin;
    this.storage = storage;
    this.judge = judge;
  }

  /** The name of what is kept of this house. @param {...string} words none has a space */
  name(...words) {
    return [this.address, ...words].join(" ");
  }

  /** The house's verifier key as this browser knows it: from the first time on. @returns {Promise<{key: string, since: string}>} */
  async key() {
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

  /** The house's word for the key of its receipts, a note; kept from the first time on. @returns {Promise<string>} */
  async receiptKey() {
    const known = await this.storage.get(this.name("receipt-key"));
    if (known) return known;
    const note = await this.text("/v1/log/receipts");
    await this.storage.put(this.name("receipt-key"), note);
    return note;
  }

  /** Its tables, a page at a time. @param {string} [after] @returns {Promise<{tables: TableLine[], next: string}>} */
  async tables(after = "") {
    const answer = await this.ask(`/v1/tables?${new URLSearchParams({ limit: "100", ...(after && { after }) })}`);
    const { tables } = jsonOf(answer);
    return { tables, next: /rel="next"/.test(answer.headers.get("Link") ?? "") ? tables.at(-1).table : "" };
  }

  /** A table as everybody sees it. @param {string} table @returns {Promise<TableState>} */
  async table(table) {
    return asState(jsonOf(await this.ask(pathOf(table))));
  }

  /** Watch a table without a seat; each state goes to `show`. @param {string} table @param {(state: TableState) => void} show @param {(how: "live" | "polling" | "lost") => void} [say] @returns {() => void} that stops it */
  watch(table, show, say) {
    return follow(this, table, null, { show, say });
  }

  /** What the operator does: `POST` of a path below /v1, by a token. @param {string} path @param {Record<string, any>} body @param {string} token @returns {Promise<any>} */
  async operate(path, body, token) {
    return jsonOf(await this.ask(`/v1${path}`, { method: "POST", body, token, key: chance() }));
  }

  /** All hands of mine at every table of this house, the newest first. @returns {Promise<import("./types.mjs").Hand[]>} */
  async hands() {
    const kept = await this.storage.all(this.name("hand", ""));
    return kept.map(([, { hand }]) => hand).sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  /** The hands of a player at a table, as the house lists them, page after page. @param {string} table @param {string} player @returns {AsyncGenerator<{round: string, seat: number}>} */
  async *handsOf(table, player) {
    for (let path = `${pathOf(table)}/hands?${new URLSearchParams({ player })}`; path; ) {
      const answer = await this.ask(path);
      yield* jsonOf(answer).hands;
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1] ?? "";
    }
  }

  /** The proof file of a hand. @param {string} id TABLE#NUMBER @returns {Promise<string>} */
  async proof(id) {
    return this.text(`/v1/rounds/${encodeURIComponent(id)}/proof`);
  }

  // Requests.

  /** @param {string} path @param {import("./requests.mjs").Asked} [asked] @returns {Promise<import("./requests.mjs").Answer>} */
  ask(path, asked) {
    return ask(this.address + path, asked);
  }

  /** @param {string} path @returns {Promise<string>} */
  async text(path) {
    return fromUtf8((await this.ask(path)).data, path);
  }

  /** @param {string} path @returns {Promise<Uint8Array>} */
  async bytes(path) {
    return (await this.ask(path)).data;
  }
}
