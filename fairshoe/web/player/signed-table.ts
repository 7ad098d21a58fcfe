// A table as its signed log tells it, from some entry on: who sits where, since when, and whose seed is opened next.

import { GAMES, type Game } from "../verifier/games.ts";
import { isPlayer } from "../verifier/placing.ts";
import type { Stand } from "../verifier/placing.ts";
import { SOLE, STAGES, type Course } from "../verifier/stages.ts";

type Entry = Record<string, any>;
/** taken: when, for the order of opening */
type Chair = { player: string; taken: string };

export interface Shoe {
  id: string;
  commitment: string;
  roster: string[];
  /** its sole contributor sends no hash */
  alone: boolean;
  course: Course;
  stage: string;
  hashes: Record<string, string>;
  opened: Set<string>;
  struck: Set<string>;
  /** that binds its cards, in a shoe with a placer */
  root: string;
  deck: string;
  cards: number;
  /** how many cards its rounds that are over had */
  position: number;
  placer: { commitment: string; key: string } | null;
  /** the trees that end with its last entry before the seal, and with its newest */
  stands: { unsealed: Stand; newest: Stand };
}

export const ENDS = ["reveal", "void", "lost"];
/** Entries about a shoe whose trees no chain of a placer names. */
const UNNAMED = ["placed", "reshuffle", "late"];
/** When a chair was taken, if that was before the entries that are followed: it sorts before every time. */
const LONG_AGO = "";
const NOWHERE = { size: 0, root: "" };

export function tableOf(shoe: string): [table: string, number: number] {
  const at = shoe.lastIndexOf("/");
  return [shoe.slice(0, at), Number(shoe.slice(at + 1))];
}

/** @returns whether the opening has begun: from here on the house may know the order */
export const isOpening = ({ course, stage }: Shoe) => stage !== "hash" && !(course === "one round" && stage === "bet");

export const isSealed = (shoe: Shoe) => isOpening(shoe) && shoe.stage !== "seed";

/** @param entry whether a player may have taken a chair by it: who has more than was paid sat there already */
export const maySitDown = ({ op, chips, seat, amount }: Entry) => op === "buy-in" && chips[String(seat)] <= amount;

/** Takes a table's entries in order, without gaps; what was before is not known. Entries that cannot be followed throw. */
export class SignedTable {
  id: any;
  options: Record<string, any>;
  policy: Record<string, number>;
  /** whether whoever sits here is the placer */
  playerPlaces: boolean;
  /** what the accounts hold */
  purse: Record<string, number> = {};
  /** limits that the player who places let pass in a row */
  missed: number = 0;
  /** the trees that end with the ends of shoes */
  over: Map<string, Stand> = new Map();
  game: Game;
  chairs: Map<number, Chair> = new Map();
  /** in play */
  shoe: Shoe | null = null;
  /** the round whose bets stand, and these */
  open: { number: number; bets: Entry[] } | null = null;
  /** shoes that are over */
  ended: Set<string> = new Set();
  /** who seem to have sat down since: of a player without chips who buys in the entry alone does not tell */
  newcomers: Set<string> = new Set();
  /** places in the order that players keep whom the house put out */
  putOut: Map<string, string> = new Map();
  late: Map<string, string> = new Map();
  sure: Map<string, Chair> = new Map();

  constructor({ table, rules, options = {}, policy = {}, placer }: Entry) {
    this.id = table;
    this.options = options;
    this.policy = policy;
    this.playerPlaces = isPlayer(placer);
    this.game = GAMES[rules];
  }

  /** @param stand the tree that ends with it */
  take(entry: Entry, stand: Stand = NOWHERE) {
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
    shoe.stage = STAGES[shoe.course][shoe.stage]?.[kind] ?? shoe.stage;
    if (kind === "round") shoe.position = entry.pos + entry.cards.length;
    else this.step(shoe, entry);
    if (UNNAMED.includes(kind)) return;
    shoe.stands.newest = stand;
    if (!isSealed(shoe)) shoe.stands.unsealed = stand;
  }

  /** How many limits in a row the one player let pass: who bets has not. */
  acts({ kind, by, decisions = [] }: Entry) {
    if ((kind === "chips" && !by) || (kind === "open" && !this.game.pool)) this.missed = 0;
    for (const decision of decisions) this.missed = decision.by ? this.missed + 1 : 0;
  }

  step(shoe: Shoe, { kind, hashes, round, bets, player, cards_root: root = "" }: Entry) {
    if (kind === "seeds") shoe.hashes = hashes;
    else if (kind === "open") this.open = { number: round, bets };
    else if (kind === "opened") shoe.opened.add(player);
    else if (kind === "lapse") shoe.struck.add(player);
    else if (kind === "seal") shoe.root = root;
  }

  /** Who has still to open a seed, in order: the newest chair first. */
  waitsFor({ alone, roster, hashes, opened, struck }: Shoe): string[] {
    const taken = new Map([...this.chairs.values()].map((chair) => [chair.player, chair.taken]));
    const left = roster.filter(
      (who) => (alone || Object.hasOwn(hashes, who)) && !opened.has(who) && !struck.has(who) && taken.has(who),
    );
    const when = (who: string) => taken.get(who) ?? LONG_AGO;
    return left.sort((a, b) => (when(a) === when(b) ? 0 : when(a) < when(b) ? 1 : -1));
  }

  chairOf(player: string): Chair | undefined {
    return [...this.chairs.values()].find((chair) => chair.player === player);
  }

  /** Who sits where. Other moves of chips change no order of opening. */
  chips(entry: Entry) {
    const { at, seat, player, op } = entry;
    if (entry.leaves) {
      const known = this.chairs.get(seat);
      this.sure.delete(player);
      if (!known) return;
      const chair = known.player === player ? known : this.chair(player);
      if (entry.by) this.putOut.set(player, chair.taken);
      this.chairs.delete(seat);
      if (this.shoe && !isOpening(this.shoe) && this.shoe.roster.includes(player)) this.shoe.struck.add(player);
    } else if (op === "buy-in" && !this.chairOf(player)) {
      const sits = !this.chairs.has(seat) && maySitDown(entry);
      if (sits && !this.putOut.has(player)) this.newcomers.add(player);
      const chair = sits ? { player, taken: this.putOut.get(player) ?? at } : this.chair(player);
      if (sits) this.putOut.delete(player);
      this.chairs.set(seat, chair);
      this.sure.set(player, chair);
    }
  }

  /** @returns taken since, or before all that is followed */
  chair(player: string): Chair {
    return this.sure.get(player) ?? { player, taken: this.late.get(player) ?? LONG_AGO };
  }

  /** Everybody sits where the `shoe` says; of whom it leaves out perhaps only the chair is known. */
  commit({
    shoe,
    commitment,
    deck,
    cards,
    placer = null,
    roster,
    purpose,
    chips = {},
    owes = [],
    waits = [],
    away = [],
  }: Entry) {
    const seats = Object.keys(chips)
      .map(Number)
      .filter((seat) => seat > 0)
      .sort((a, b) => a - b);
    const contributing = seats.filter((seat) => ![...owes, ...waits, ...away].includes(seat));
    const named = (seat: number) =>
      roster[contributing.indexOf(seat)] ?? this.chairs.get(seat)?.player ?? `seat ${seat}`;
    this.chairs = new Map(seats.map((seat) => [seat, this.chair(named(seat))]));
    const course = purpose ? "first banker" : this.game.many ? "many rounds" : "one round";
    const alone = this.playerPlaces || (course === "one round" && roster.length === 1 && seats.length === 1);
    this.shoe = {
      id: shoe,
      commitment,
      roster,
      alone,
      course,
      stage: STAGES[course].idle[alone ? SOLE : "shoe"] ?? "hash",
      hashes: {},
      opened: new Set(),
      struck: new Set(),
      root: "",
      deck,
      cards,
      position: 0,
      placer,
      stands: { unsealed: NOWHERE, newest: NOWHERE },
    };
    this.open = null;
  }
}
