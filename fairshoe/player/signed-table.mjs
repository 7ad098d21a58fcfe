// A table as its signed log tells it, from some entry on: who sits where, since when, and whose seed is opened next.

import { GAMES } from "../verifier/games.mjs";
import { isPlayer } from "../verifier/placing.mjs";

/** @typedef {import("../verifier/placing.mjs").Stand} Stand @typedef {Record<string, any>} Entry @typedef {{player: string, taken: string}} Chair taken: when, for the order of opening */

/**
 * @typedef {object} Shoe
 * @property {string} id
 * @property {string} commitment
 * @property {string[]} roster
 * @property {boolean} alone its sole contributor sends no hash
 * @property {boolean} oneRound whether bets stand before its seal
 * @property {Record<string, string>} hashes
 * @property {boolean} hashed whether its `seeds` stand
 * @property {boolean} opening
 * @property {Set<string>} opened
 * @property {Set<string>} struck
 * @property {boolean} sealed
 * @property {string} root that binds its cards, in a shoe with a placer
 * @property {string} deck
 * @property {number} cards
 * @property {number} position how many cards its rounds that are over had
 * @property {{commitment: string, key: string} | null} placer
 * @property {{unsealed: Stand, newest: Stand}} stands the trees that end with its last entry before the seal, and with its newest
 */

export const ENDS = ["reveal", "void", "lost"];
/** Entries about a shoe whose trees no chain of a placer names. */
const UNNAMED = ["placed", "reshuffle", "late"];
/** When a chair was taken, if that was before the entries that are followed: it sorts before every time. */
const LONG_AGO = "";
const NOWHERE = { size: 0, root: "" };

/** @param {string} shoe @returns {[table: string, number: number]} */
export function tableOf(shoe) {
  const at = shoe.lastIndexOf("/");
  return [shoe.slice(0, at), Number(shoe.slice(at + 1))];
}

/** @param {Entry} entry whether a player may have taken a chair by it: who has more than was paid sat there already */
export const maySitDown = ({ op, chips, seat, amount }) => op === "buy-in" && chips[String(seat)] <= amount;

/** Takes a table's entries in order, without gaps; what was before is not known. Entries that cannot be followed throw. */
export class SignedTable {
  /** @param {Entry} opened */
  constructor({ table, rules, options = {}, policy = {}, placer }) {
    this.id = table;
    /** @type {Record<string, any>} */ this.options = options;
    /** @type {Record<string, number>} */ this.policy = policy;
    /** whether whoever sits here is the placer */ this.playerPlaces = isPlayer(placer);
    /** what the accounts hold @type {Record<string, number>} */ this.purse = {};
    /** limits that the player who places let pass in a row */ this.missed = 0;
    /** the trees that end with the ends of shoes @type {Map<string, Stand>} */ this.over = new Map();
    this.game = GAMES[rules];
    /** @type {Map<number, Chair>} */ this.chairs = new Map();
    /** @type {Shoe | null} in play */ this.shoe = null;
    /** the round whose bets stand, and these @type {{number: number, bets: Entry[]} | null} */ this.open = null;
    /** shoes that are over @type {Set<string>} */ this.ended = new Set();
    /** who seem to have sat down since: of a player without chips who buys in the entry alone does not tell @type {Set<string>} */
    this.newcomers = new Set();
    /** places in the order that players keep whom the house put out @type {Map<string, string>} */ this.putOut = new Map();
    /** @type {Map<string, string>} */ this.late = new Map();
    /** @type {Map<string, Chair>} */ this.sure = new Map();
  }

  /** @param {Entry} entry @param {Stand} [stand] the tree that ends with it */
  take(entry, stand = NOWHERE) {
    const { kind, at, player } = entry;
    if (entry.shoe !== undefined && tableOf(entry.shoe)[0] !== this.id) return;
    if (entry.shoe !== undefined || entry.table === this.id) Object.assign(this.purse, entry.chips);
    if (this.playerPlaces) this.acts(entry);
    if (kind === "chips" && entry.table === this.id) this.chips(entry);
    else if (kind === "shoe") this.commit(entry);
    else if (kind === "late") {
      this.late.set(player, at);
      const chair = this.chairOf(player);
      if (chair) chair.taken = at;
    } else if (ENDS.includes(kind)) {
      this.ended.add(entry.shoe);
      this.over.set(entry.shoe, stand);
      if (this.shoe?.id === entry.shoe) this.shoe = this.open = null;
    } else if (kind === "round") {
      this.open = null;
    }
    const { shoe } = this;
    if (!shoe || shoe.id !== entry.shoe) return;
    if (kind === "round") shoe.position = entry.pos + entry.cards.length;
    else this.step(shoe, entry);
    if (UNNAMED.includes(kind)) return;
    shoe.stands.newest = stand;
    if (!shoe.sealed) shoe.stands.unsealed = stand;
  }

  /** How many limits in a row the one player let pass: who bets has not. @param {Entry} entry */
  acts({ kind, by, decisions = [] }) {
    if ((kind === "chips" && !by) || (kind === "open" && !this.game.pool)) this.missed = 0;
    for (const decision of decisions) this.missed = decision.by ? this.missed + 1 : 0;
  }

  /** @param {Shoe} shoe @param {Entry} entry */
  step(shoe, { kind, hashes, round, bets, player, cards_root: root = "" }) {
    if (kind === "seeds") {
      [shoe.hashes, shoe.hashed] = [hashes, true];
      if (!shoe.oneRound && this.waitsFor(shoe).length) shoe.opening = true;
    } else if (kind === "open") {
      shoe.opening = true;
      this.open = { number: round, bets };
    } else if (kind === "opened") shoe.opened.add(player);
    else if (kind === "lapse") shoe.struck.add(player);
    else if (kind === "seal") [shoe.sealed, shoe.root] = [true, root];
  }

  /** Who has still to open a seed, in order: the newest chair first. @param {Shoe} shoe @returns {string[]} */
  waitsFor({ alone, roster, hashes, opened, struck }) {
    const taken = new Map([...this.chairs.values()].map((chair) => [chair.player, chair.taken]));
    const left = roster.filter((who) => (alone || Object.hasOwn(hashes, who)) && !opened.has(who) && !struck.has(who) && taken.has(who));
    const when = (/** @type {string} */ who) => taken.get(who) ?? LONG_AGO;
    return left.sort((a, b) => (when(a) === when(b) ? 0 : when(a) < when(b) ? 1 : -1));
  }

  /** @param {string} player @returns {Chair | undefined} */
  chairOf(player) {
    return [...this.chairs.values()].find((chair) => chair.player === player);
  }

  /** Who sits where. Other moves of chips change no order of opening. @param {Entry} entry */
  chips(entry) {
    const { at, seat, player, op } = entry;
    if (entry.leaves) {
      const known = this.chairs.get(seat);
      this.sure.delete(player);
      if (!known) return;
      const chair = known.player === player ? known : this.chair(player);
      if (entry.by) this.putOut.set(player, chair.taken);
      this.chairs.delete(seat);
      if (this.shoe && !this.shoe.opening && this.shoe.roster.includes(player)) this.shoe.struck.add(player);
    } else if (op === "buy-in" && !this.chairOf(player)) {
      const sits = !this.chairs.has(seat) && maySitDown(entry);
      if (sits && !this.putOut.has(player)) this.newcomers.add(player);
      const chair = sits ? { player, taken: this.putOut.get(player) ?? at } : this.chair(player);
      if (sits) this.putOut.delete(player);
      this.chairs.set(seat, chair);
      this.sure.set(player, chair);
    }
  }

  /** @param {string} player @returns {Chair} taken since, or before all that is followed */
  chair(player) {
    return this.sure.get(player) ?? { player, taken: this.late.get(player) ?? LONG_AGO };
  }

  /** Everybody sits where the `shoe` says; of whom it leaves out perhaps only the chair is known. @param {Entry} entry */
  commit({ shoe, commitment, deck, cards, placer = null, roster, purpose, chips = {}, owes = [], waits = [], away = [] }) {
    const seats = Object.keys(chips).map(Number).filter((seat) => seat > 0).sort((a, b) => a - b);
    const contributing = seats.filter((seat) => ![...owes, ...waits, ...away].includes(seat));
    const named = (/** @type {number} */ seat) => roster[contributing.indexOf(seat)] ?? this.chairs.get(seat)?.player ?? `seat ${seat}`;
    this.chairs = new Map(seats.map((seat) => [seat, this.chair(named(seat))]));
    const oneRound = !this.game.many && !purpose;
    const alone = this.playerPlaces || oneRound && roster.length === 1 && seats.length === 1;
    this.shoe = { id: shoe, commitment, roster, alone, oneRound, hashes: {}, hashed: false, opening: false, opened: new Set(), struck: new Set(), sealed: false, root: "", deck, cards, position: 0, placer, stands: { unsealed: NOWHERE, newest: NOWHERE } };
    this.open = null;
  }
}
