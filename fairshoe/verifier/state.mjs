// What a reader of a log knows between two entries: tables with their chairs, each with the one shoe in play.

import { GAMES } from "./games.mjs";
import { MONTH, MOST_CHIPS } from "./forms.mjs";
import { isPlayer } from "./placing.mjs";

/** @typedef {Record<string, any>} Entry */

/** Of so many limits that passed in a row nobody waits any more. So many may somebody have let pass of whom a proof says nothing. */
export const ABSENT = 2;

/** @typedef {{game: number, seat: number, player: string, won: number, refunded: boolean, shared: boolean}} Payer */

/** @param {Pick<Payer, "game" | "seat" | "player">} payer */
export const payerKey = ({ game, seat, player }) => `${game}/${seat}/${player}`;

/** Somebody on a chair, from sitting down to leaving. */
export class Chair {
  /** @param {number} seat @param {string} player @param {number} since number of the entry, for the order of opening @param {number} [missed] */
  constructor(seat, player, since, missed = 0) {
    this.seat = seat;
    this.player = player;
    this.since = since;
    this.taken = since;
    this.chips = 0;
    /** limits let pass in a row */
    this.missed = missed;
    /** sat down after a void for a seed, and no seal since */
    this.fresh = false;
    /** when the player did something last */
    this.acted = 0;
    /** the verifier key of a player who places */
    this.placer = "";
  }

  /** Whether nobody waits for it. */
  get absent() {
    return this.missed >= ABSENT;
  }

  /** @param {number} at the player did something: whoever was not waited for is back */
  acts(at) {
    this.missed = 0;
    this.acted = at;
  }
}

export class Table {
  /** @param {Entry} entry @param {number} at */
  constructor(entry, at) {
    this.id = entry.table;
    this.game = GAMES[entry.rules];
    /** @type {Record<string, any>} */ this.options = { ...this.game.defaults, ...entry.options };
    this.policy = entry.policy;
    /** its placer's verifier key, "player", or "" @type {string} */ this.placer = entry.placer ?? "";
    /** @type {Map<number, Chair>} */ this.chairs = new Map();
    this.house = 0;
    this.pool = 0;
    this.bank = this.game.pool ? "pool" : "house";
    /** @type {Record<string, number>} */
    this.memory = this.game.pool ? { game: 0 } : {};
    this.shoes = 0;
    this.rounds = 0;
    /** @type {Shoe | undefined} committed to, and neither revealed nor void */
    this.shoe = undefined;
    /** @type {number[]} when the service started for this table and not for all */ this.starts = [];
    /** when the bank came in question last: the table's beginning, its latest round, or bank entry */
    this.settled = at;
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
    /** whether a shoe of it was */ this.lost = false;
    /** lounge: since when the next payer is to get a part of a pool that nobody plays for */
    this.abandonedAt = 0;
    /** lounge: who paid, and has a claim left, by game, seat and player @type {Map<string, Payer>} */
    this.payers = new Map();
    /** lounge: who plays in this game, by seat; nobody else takes the chair of one who left @type {Map<number, Chair>} */
    this.joined = new Map();
  }

  /** Whether whoever sits here is the placer (log.md, "A player who places"). */
  get playerPlaces() {
    return isPlayer(this.placer);
  }

  /** @returns {string} the verifier key of who places the next shoe, "" where nobody does */
  get placerKey() {
    return this.playerPlaces ? this.seated[0]?.placer ?? "" : this.placer;
  }

  /** @returns {[number, number]} the first chair's number, and the last one's */
  get seats() {
    const [least, most] = this.game.chairs(this.options);
    return [least, this.playerPlaces ? least : most];
  }

  /** Whether a lounge game has begun and is not over. */
  get running() {
    return this.memory.started === 1 && this.pool > 0;
  }

  /** Whether a lounge game has been paid for and is not over. */
  get paidFor() {
    return this.joined.size > 0 && this.pool > 0;
  }

  /** @param {Chair} chair whether it has a part in a game that it would lose with the chair (LO-04, LO-07) */
  playsFor(chair) {
    const payer = this.payer(this.memory.game, chair.seat, chair.player);
    const getsAll = this.running && chair.absent && this.sharers.length === 1;
    return this.paidFor && payer !== undefined && !payer.refunded && !getsAll;
  }

  /** Whether the first deal of a lounge game waits for more players (LO-08). */
  get tooFew() {
    return !this.memory.started && this.paid.filter((seat) => this.chairs.has(seat)).length < this.options.fewest;
  }

  /** @param {number} at whether by then a closed table has had all its time for a game: it is not played on, and its pool is refunded and not shared out any more */
  gameLapsed(at) {
    return this.closed > 0 && at > this.closed + MONTH;
  }

  /** @returns {number[]} the seats that play in the game, or did before they were left */
  get paid() {
    return [...this.joined.keys()].sort((a, b) => a - b);
  }

  /** @returns {Payer[]} of this game who have not got their share, by seat */
  get sharers() {
    return [...this.payers.values()].filter(({ game, shared }) => game === this.memory.game && !shared).sort((a, b) => a.seat - b.seat);
  }

  /** Whether every chair of the running game was left, so that its pool is to be shared (LO-04). */
  get abandoned() {
    return this.sharers.length > 0 && this.pool > 0 && !this.paid.some((seat) => this.chairs.has(seat));
  }

  /** @param {number} game @param {number} seat @param {string} player @returns {Payer | undefined} */
  payer(game, seat, player) {
    return this.payers.get(payerKey({ game, seat, player }));
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

  /** @param {Chair} chair whether its chips are as much as the lowest bet can cost who bets it, or who banks */
  covers(chair) {
    return chair.chips >= this.lowest * this.game.cover;
  }

  /** @param {Chair} chair whether its lowest bet alone would be legal; in the lounge, whether it has joined a game that may be dealt */
  couldBet(chair) {
    if (this.game.pool) return this.joined.get(chair.seat) === chair && !this.tooFew;
    if (this.banks(chair) || !this.covers(chair) || chair.chips > MOST_CHIPS) return false;
    const banker = this.chairs.get(this.dealer);
    if (!this.game.bank) return Math.abs(this.house) <= MOST_CHIPS;
    return banker !== undefined && this.covers(banker) && banker.chips <= MOST_CHIPS;
  }

  /** Whether a first banker has to be found (PO-04, PO-38). */
  get bankless() {
    const banker = this.chairs.get(this.dealer);
    return this.game.bank === "changes" && this.chairs.size > 1 && !this.chairs.has(this.memory.entitled) && !(banker && this.covers(banker));
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
    if (this.game.pool) all.pool = this.pool;
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
 * @property {{entry: number, k: number, after: number, cards: number, deck: string, cut?: number, burn?: string, cards_root?: string}[]} reshuffles
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
    this.banker = table?.chairs.get(table.dealer);
    /** @type {Map<string, string>} */ this.hashes = new Map();
    /** @type {Map<string, string>} */ this.seeds = new Map();
    /** @type {Set<string>} */ this.struck = new Set();
    /** @type {Set<Chair>} */ this.waived = new Set();
    /** @type {{at: number, by: string} | undefined} where somebody cut; else it is cut at the draw, if at all */ this.cut = undefined;
    this.stepAt = at;
    this.sealedAt = 0;
    this.sealed = 0;
    this.burn = /** @type {string | undefined} */ (undefined);
    this.root = /** @type {string | undefined} */ (undefined);
    this.pos = 0;
    this.deckSize = this.size;
    /** @type {Betting | undefined} */ this.betting = undefined;
    /** @type {Dealt[]} */ this.dealt = [];
    this.bettingSince = 0;
    this.firstFound = false;
    this.bankMoved = false;
    /** the table was closed before its opening: it can only be void */
    this.closed = false;
    /** @type {{commitment: string, key: string, chain: import("./placing.mjs").Chain} | null} */ this.placer = null;
    const none = { size: 0, root: "" };
    /** the trees that end with its last entry before the seal, and with its newest */ this.stands = { unsealed: none, newest: none };
    /** the places that its placer gave @type {import("./steps/placed.mjs").Row[]} */ this.rows = [];
    /** those of the present deck @type {Set<number>} */ this.taken = new Set();
    /** the entry from which on the placer's chain cannot be followed @type {number | null} */ this.astray = null;
    /** of a proof of one hand: rounds were dealt from it that are not in the file */ this.beyond = false;
    /** the entry that ends it could not be read */
    this.endUnread = false;
  }

  /** Whether its player is its placer, and sends neither hash nor seed. */
  get playerPlaces() {
    return this.table?.playerPlaces === true;
  }

  /** Whether one player alone makes its order, without a hash first. */
  get sole() {
    return this.playerPlaces || (!!this.table && !this.table.game.many && this.roster.length === 1 && this.chairs.size === 1);
  }

  /** @returns {string[]} contributors whose seeds are still to be opened */
  get waiting() {
    if (this.playerPlaces) return [];
    const contributors = this.sole ? this.roster : [...this.hashes.keys()];
    return contributors.filter((player) => !this.seeds.has(player) && !this.struck.has(player));
  }

  /** @returns {Chair[]} who is dealt to where a first banker is found (PO-04) */
  get dealtTo() {
    const { table, roster, chairs } = this;
    return (table?.seated ?? []).filter((chair) => roster.includes(chair.player) && chairs.get(chair.seat) === chair && table?.covers(chair));
  }

  /** Whether its `seeds` stand; of a sole player, its `open`. */
  get begun() {
    return this.hashes.size > 0 || this.opening;
  }

  /** Whether the seeds are being opened, or are open: from now on the house could know the order. */
  get opening() {
    const { table } = this;
    if (!table) return this.hashes.size > 0;
    if (table.game.many) return this.hashes.size > 0 || this.playerPlaces;
    return this.betting !== undefined || this.sealed > 0;
  }

  /** @param {Chair} chair whether it has a seed in the shoe (or a hash, while they are not all open) */
  hasPart(chair) {
    if (this.struck.has(chair.player)) return false;
    const own = this.sole ? this.roster[0] === chair.player : this.hashes.has(chair.player);
    return own && this.chairs.get(chair.seat) === chair;
  }
}
