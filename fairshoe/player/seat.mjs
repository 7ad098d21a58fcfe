// A seat at a table, for whoever sits there: what it asks of the house and keeps, and what it finds wrong.

/**
 * @typedef {import("./types.mjs").TableState} TableState
 * @typedef {import("./types.mjs").Wish} Wish
 * @typedef {import("./types.mjs").Choice} Choice
 * @typedef {import("./types.mjs").Hand} Hand
 * @typedef {import("./house.mjs").House} House
 */

/**
 * Events, each a CustomEvent whose `detail` is:
 * - `state`: the TableState, after every change;
 * - `alarm`: an Alarm, as soon as the house is found to lie; the same is told once, and `alarms` has all of them;
 * - `trouble`: an Error that is nobody's lie (a refusal, no answer) from what the seat does by itself while it follows;
 * - `hand`: a Hand, when it is over, and again when its mark changes;
 * - `connection`: "live" (events), "polling", "lost".
 *
 * Everything that changes something gives the table's state afterwards, and throws Problem, Unreachable, Alarm. What was
 * not answered is sent again, by its own key, before anything else is.
 */
export class Seat extends EventTarget {
  /**
   * Take a chair, by a fresh token that nobody else has.
   * @param {House} house @param {string} table
   * @param {{player: string, amount: number, seat?: number, name?: string}} who
   * @returns {Promise<Seat>}
   */
  static async sit(house, table, who) { throw new Error("soon"); }

  /**
   * Go on with the chair that this browser has there; null where it has none. Throws Elsewhere, Problem (401: nobody
   * has the chair by this token any more: the chair was left, or the operator has to let the token in), Unreachable.
   * @param {House} house @param {string} table @returns {Promise<Seat | null>}
   */
  static async resume(house, table) { throw new Error("soon"); }

  /** The tables where this browser has a chair. @param {House} house @returns {Promise<{table: string, player: string, seat: number}[]>} */
  static async kept(house) { throw new Error("soon"); }

  /** @type {TableState} as seen last */ state;
  /** @type {string} */ table;
  /** @type {string} */ player;
  /** @type {number} the chair */ number;
  /** @type {import("./errors.mjs").Alarm[]} what was found wrong */ alarms = [];

  /** The first thing that the table waits for from this chair. @returns {Wish | null} */
  get wanted() { throw new Error("soon"); }

  /** What may be sent now: everything, or by one route. @param {string} [route] @returns {Wish[]} */
  expects(route = "") { throw new Error("soon"); }

  // The ceremony.

  /**
   * The seed for the shoe that is in play, made where there is none; it stays here until `openSeed`. null: no shoe is.
   * @returns {Promise<{shoe: string, commitment: string, seed: string, hash: string, promised: boolean} | null>}
   */
  async seed() { throw new Error("soon"); }

  /** Take another seed, before its hash is sent. @param {string} hex 1 to 128 bytes; "" for a fresh one */
  async replaceSeed(hex) { throw new Error("soon"); }

  /** Send the hash of the seed. @param {number} [cut] where `wanted.cut` asks; else its middle @returns {Promise<TableState>} */
  async promise(cut) { throw new Error("soon"); }

  /**
   * Send the seed that is wanted, once the signed log shows that it may be known. Throws SeedKept where it does not
   * (nothing was sent), Problem 409 where the table has gone on: look again.
   * @param {number} [cut] @returns {Promise<TableState>}
   */
  async openSeed(cut) { throw new Error("soon"); }

  /** Ask for a shoe. */ async askShoe() { return this.#send("shoe"); }
  /** Have this shoe thrown away. */ async reshuffle() { return this.#send("reshuffle"); }
  /** Bet on a shoe without a seed of one's own. */ async waive() { return this.#send("waiver"); }
  /** Say that one is back. */ async here() { return this.#send("here"); }

  // Play.

  /** @param {{amount: number, box?: number}[]} bets none: a pass @returns {Promise<TableState>} */
  async bet(bets) { throw new Error("soon"); }

  /** @param {Choice} choice @returns {Promise<TableState>} */
  async decide(choice) { throw new Error("soon"); }

  // Chips.

  /** @param {number} amount */ async buyIn(amount) { return this.#send("chips"); }
  /** @param {number} [amount] all where none is named */ async cashOut(amount) { return this.#send("chips"); }
  /** @param {number} amount @param {number} to */ async transfer(amount, to) { return this.#send("chips"); }
  /** Leave the chair with all chips. */ async leave() { return this.#send("chips"); }

  // Following.

  /** Look now. @returns {Promise<TableState>} */
  async refresh() { throw new Error("soon"); }

  /**
   * Follow the table until `stop`: by events, and where something eats them by waiting requests. `seeds`: each seed
   * that was promised is opened as soon as it is due, in a hidden tab too, or an alarm says why not. `hands`: a hand is
   * checked as soon as its shoe is over.
   * @param {{seeds?: boolean, hands?: boolean}} [by]
   */
  follow({ seeds = true, hands = true } = {}) { throw new Error("soon"); }

  /** Follow no more. */ stop() {}
  /** Let another tab have the seat. */ close() {}

  // Hands.

  /** Mine at this table, the newest first. @returns {Promise<Hand[]>} */
  async hands() { throw new Error("soon"); }

  /** Check a hand (again). @param {number} round @returns {Promise<Hand>} */
  async check(round) { throw new Error("soon"); }

  /**
   * What shows it, as one JSON file that `fairshoe-audit` reads: the hand's proof, my receipts, the checkpoint. Without
   * a round: of this table.
   * @param {number} [round] @returns {Promise<string>}
   */
  async evidence(round) { throw new Error("soon"); }

  /** Everything that this browser keeps of the seat, to be taken along: whoever has it has the seat. @returns {Promise<string>} */
  async exported() { throw new Error("soon"); }

  /** Take up a seat from such a file. @param {House} house @param {string} file @returns {Promise<string>} its table: `resume` goes on */
  static async imported(house, file) { throw new Error("soon"); }

  /** @param {string} what @returns {Promise<TableState>} */
  async #send(what) { throw new Error(what); }
}
