// A house at an address: what it shows to everybody, and how a request reaches it.

/** @typedef {import("./types.mjs").TableState} TableState @typedef {import("./types.mjs").TableLine} TableLine @typedef {import("./types.mjs").Storage} Storage */

export class House {
  /**
   * @param {string} address without a slash at its end; "" the one that the page came from
   * @param {{storage: Storage, judge?: (asked: any) => Promise<any>}} of `judge`: checks a hand in a worker (`inWorker` of hands.mjs); else here
   */
  constructor(address, { storage, judge }) { void [address, storage, judge]; }

  /** The house's verifier key as this browser knows it: from the first time on. @returns {Promise<{key: string, since: string}>} */
  async key() { throw new Error("soon"); }

  /** Its tables, a page at a time. @param {string} [after] @returns {Promise<{tables: TableLine[], next: string}>} */
  async tables(after = "") { throw new Error("soon"); }

  /** A table as everybody sees it. @param {string} table @returns {Promise<TableState>} */
  async table(table) { throw new Error("soon"); }

  /** Watch a table without a seat; each state goes to `show`. @param {string} table @param {(state: TableState) => void} show @returns {() => void} that stops it */
  watch(table, show) { throw new Error("soon"); }

  /** What the operator does: `POST` of a path below /v1, by a token. @param {string} path @param {Record<string, any>} body @param {string} token @returns {Promise<any>} */
  async operate(path, body, token) { throw new Error("soon"); }

  /** All hands of mine at every table of this house, the newest first. @returns {Promise<import("./types.mjs").Hand[]>} */
  async hands() { throw new Error("soon"); }

  /** The proof file of a hand. @param {string} id TABLE#NUMBER @returns {Promise<string>} */
  async proof(id) { throw new Error("soon"); }
}
