// What a reader of a log knows between two entries: tables with their chairs, shoes in play.

import { GAMES } from "./games.mjs";

/** @typedef {Record<string, any>} Entry */

/** So many limits may somebody have let pass of whom a proof says nothing: nobody has to have waited. */
export const MAYBE_ABSENT = 2;

/** Somebody on a chair, from sitting down to leaving. */
export class Chair {
  /** @param {number} seat @param {string} player @param {number} since number of the entry, for the order of opening @param {number} [missed] */
  constructor(seat, player, since, missed = 0) {
    this.seat = seat;
    this.player = player;
    this.since = since;
    this.taken = since;
    this.chips = 0;
    /** limits let pass in a row: after two nobody waits any more */
    this.missed = missed;
    /** sat down after a void for a seed, and no seal since */
    this.fresh = false;
    /** when the player did something last */
    this.acted = 0;
  }

  /** @param {number} at the player did something: whoever was not waited for is back */
  acts(at) {
    this.missed = 0;
    this.acted = at;
  }
}

export class Table {
  /** @param {Entry} entry */
  constructor(entry) {
    this.id = entry.table;
    this.game = GAMES[entry.rules];
    this.options = entry.options;
    this.policy = entry.policy;
    /** @type {Map<number, Chair>} */ this.chairs = new Map();
    this.house = 0;
    this.pool = 0;
    this.bank = entry.rules === "lounge" ? "pool" : "house";
    /** @type {Record<string, number>} */
    this.memory = entry.rules === "lounge" ? { game: 0 } : {};
    this.shoes = 0;
    this.rounds = 0;
    /** @type {Shoe[]} committed to, and neither revealed nor void: the present one, the next one */
    this.inPlay = [];
    this.ended = -Infinity;
    /** @type {Map<string, {shoes: Map<string, string>, last: string}>} the seeds that players owe, by shoe: their hashes */
    this.debts = new Map();
    /** @type {Map<string, {runs: number, shoes: Map<string, string>}>} lapses in a row */
    this.lapses = new Map();
    this.seedVoid = false;
    /** @type {Set<number>} the seats that asked for a reshuffle since the last seal */
    this.asked = new Set();
    /** @type {Map<string, number>} put out by the house: the place in the order of opening */
    this.evicted = new Map();
    /** casino: the seat whose turn it was to cut */
    this.turn = 0;
    /** when it was closed; 0: it is open */
    this.closed = 0;
    this.lastRound = 0;
    /** lounge: a shoe of this game was lost */
    this.lost = false;
    /** when the last chair was left */
    this.emptied = 0;
    /** @type {Map<string, {seat: number, player: string, game: number, won: number}>} lounge: who paid, not refunded */
    this.payers = new Map();
  }

  get lounge() {
    return this.game.name === "lounge";
  }

  /** @returns {Chair[]} by seat */
  get seated() {
    return [...this.chairs.values()].sort((a, b) => a.seat - b.seat);
  }

  /** @param {string} player @returns {Chair | undefined} */
  chairOf(player) {
    return [...this.chairs.values()].find((chair) => chair.player === player);
  }

  /** @param {Chair} chair */
  banks(chair) {
    return String(chair.seat) === this.bank;
  }

  /** The dealer's seat, or 0 where the house deals. */
  get dealer() {
    return /^[0-9]+$/.test(this.bank) ? Number(this.bank) : 0;
  }

  /** The lowest legal bet. */
  get lowest() {
    const { minimum } = this.options;
    return this.game.even && minimum % 2 ? minimum + 1 : minimum;
  }

  /** @param {Chair} chair whether it could stand the lowest bet */
  canBet(chair) {
    if (this.lounge) return this.memory[chair.seat] === 1;
    return chair.chips >= this.lowest * this.game.cover;
  }

  /** @param {Chair[]} chairs @returns {Chair[]} in acting order: clockwise from the dealer's left (GE-09) */
  acting(chairs) {
    const { dealer } = this;
    const back = this.options.direction === "anticlockwise";
    const turns = chairs.filter((chair) => chair.seat !== dealer).sort((a, b) => (back ? b.seat - a.seat : a.seat - b.seat));
    const after = turns.filter((chair) => dealer && (back ? chair.seat < dealer : chair.seat > dealer));
    return [...after, ...turns.filter((chair) => !after.includes(chair))];
  }

  /** @returns {Record<string, number>} every account */
  accounts() {
    /** @type {Record<string, number>} */
    const all = { house: this.house };
    if (this.lounge) all.pool = this.pool;
    for (const chair of this.chairs.values()) all[chair.seat] = chair.chips;
    return all;
  }

  /** @param {Record<string, number>} accounts what the log says they hold */
  adopt(accounts) {
    for (const [name, chips] of Object.entries(accounts)) {
      if (name === "house") this.house = chips;
      else if (name === "pool") this.pool = chips;
      else {
        const chair = this.chairs.get(Number(name));
        if (chair) chair.chips = chips;
      }
    }
  }
}

/**
 * A round dealt from a shoe, whose cards are compared when the key is known.
 * @typedef {object} Dealt
 * @property {number} entry
 * @property {number} [round]
 * @property {number} pos
 * @property {string[]} cards
 * @property {{entry: number, after: number, cards: number, deck: string, cut?: number, burn?: string}[]} reshuffles
 *
 * @typedef {object} Betting an open without its round
 * @property {number} entry
 * @property {number} at
 * @property {number} round
 * @property {import("./games/round.mjs").Bet[]} bets
 * @property {Entry[]} reshuffles
 */

const LONGEST_LIMITS = { hash: 3600, seed: 3600, cut: 3600, bet: 3600, decision: 3600, shoe: 2592000 };

export class Shoe {
  /** @param {Entry} entry @param {number} index @param {number} at @param {Table | undefined} table */
  constructor(entry, index, at, table) {
    this.id = /** @type {string} */ (entry.shoe);
    this.table = table;
    this.entry = index;
    this.at = at;
    this.deck = /** @type {string} */ (entry.deck);
    this.size = /** @type {number} */ (entry.cards);
    this.commitment = /** @type {string} */ (entry.commitment);
    this.roster = /** @type {string[]} */ (entry.roster.slice(0, 64));
    this.draws = /** @type {Record<string, number>} */ (entry.draws);
    /** @type {Record<string, number>} what the key gives for them */
    this.drawn = {};
    this.cutter = /** @type {string | undefined} */ (entry.cutter);
    /** the seat whose turn it is to cut */
    this.turn = 0;
    this.first = entry.purpose === "bank";
    this.policy = table?.policy ?? entry.policy ?? LONGEST_LIMITS;
    this.beacon = entry.beacon;
    /** @type {[string, number, string] | null} */ this.randomness = null;
    /** @type {Map<number, Chair>} the chairs as they were taken at the commitment */
    this.chairs = new Map(table?.chairs);
    /** @type {Map<string, string>} */ this.hashes = new Map();
    this.hashedAt = 0;
    /** @type {Map<string, string>} */ this.seeds = new Map();
    /** @type {Set<string>} */ this.struck = new Set();
    /** @type {Set<Chair>} */ this.waived = new Set();
    /** @type {{at: number, by?: string, entry: number} | undefined} */ this.cut = undefined;
    this.stepAt = at;
    this.sealedAt = 0;
    this.sealed = 0;
    this.burn = /** @type {string | undefined} */ (undefined);
    this.root = /** @type {string | undefined} */ (undefined);
    this.pos = 0;
    this.deckSize = this.size;
    this.k = 0;
    /** @type {Betting | undefined} */ this.betting = undefined;
    /** @type {Dealt[]} */ this.dealt = [];
    this.bettingSince = 0;
    this.firstFound = false;
    this.bankMoved = false;
    /** the table was closed before its opening: it can only be void */
    this.closed = false;
  }

  /** Whether one player alone makes its order, without a hash first. */
  get sole() {
    return !!this.table && !this.table.game.many && this.roster.length === 1 && this.chairs.size === 1;
  }

  /** @returns {string[]} contributors whose seeds are still to be opened */
  get waiting() {
    return [...this.hashes.keys()].filter((player) => !this.seeds.has(player) && !this.struck.has(player));
  }

  /** Whether the seeds are being opened, or are open: from now on the house could know the order. */
  get opening() {
    const { table } = this;
    if (!table) return this.hashes.size > 0;
    if (table.inPlay[0] !== this) return false;
    if (table.game.many) return this.hashes.size > 0;
    return this.betting !== undefined || this.sealed > 0;
  }

  /** @param {Chair} chair whether it has a seed in the shoe (or a hash, while they are not all open) */
  hasPart(chair) {
    if (this.struck.has(chair.player)) return false;
    const own = this.sole ? this.roster[0] === chair.player : this.hashes.has(chair.player);
    return own && this.chairs.get(chair.seat) === chair;
  }
}
