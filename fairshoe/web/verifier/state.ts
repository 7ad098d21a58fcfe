// What a reader of a log knows between two entries: tables with their chairs, each with the one shoe in play.

import { GAMES, type Game } from "./games.ts";
import { MONTH, MOST_CHIPS } from "./forms.ts";
import { isPlayer } from "./placing.ts";
import { SOLE, STAGES } from "./stages.ts";
import type { Course } from "./stages.ts";
import { ToldCards } from "./told.ts";
import type { Chain } from "./placing.ts";
import type { Row } from "./steps/placed.ts";
import type { Bet } from "./games/round.ts";

type Entry = Record<string, any>;

/** Of so many limits that passed in a row nobody waits any more. So many may somebody have let pass of whom a proof says nothing. */
export const ABSENT = 2;

export type Payer = { game: number; seat: number; player: string; won: number; refunded: boolean; shared: boolean };

export const payerKey = ({ game, seat, player }: Pick<Payer, "game" | "seat" | "player">) =>
  `${game}/${seat}/${player}`;

/** Somebody on a chair, from sitting down to leaving. */
export class Chair {
  declare seat: number;
  declare player: string;
  declare since: number;
  declare taken: number;
  chips: number = 0;
  /** limits let pass in a row */
  declare missed: number;
  /** sat down after a void for a seed, and no seal since */
  fresh: boolean = false;
  /** when the player did something last */
  acted: number = 0;
  /** the verifier key of a player who places */
  placer: string = "";

  /** @param since number of the entry, for the order of opening */
  constructor(seat: number, player: string, since: number, missed: number = 0) {
    this.seat = seat;
    this.player = player;
    this.since = since;
    this.taken = since;
    this.missed = missed;
  }

  /** Whether nobody waits for it. */
  get absent() {
    return this.missed >= ABSENT;
  }

  /** @param at the player did something: whoever was not waited for is back */
  acts(at: number) {
    this.missed = 0;
    this.acted = at;
  }
}

/** The seats among the names of accounts, in their order. */
export const seatsIn = (accounts: Record<string, unknown>): number[] =>
  Object.keys(accounts)
    .map(Number)
    .filter(Boolean)
    .sort((a, b) => a - b);

export class Table {
  declare id: any;
  declare game: Game;
  declare options: Record<string, any>;
  declare policy: any;
  /** lapsed limits in a row that put a player out; 0: none do */
  declare lapseLimit: number;
  declare beaconDelay: number;
  /** its placer's verifier key, "player", or "" */
  declare placer: string;
  chairs: Map<number, Chair> = new Map();
  house: number = 0;
  pool: number = 0;
  declare bank: string;
  declare memory: Record<string, number>;
  shoes: number = 0;
  rounds: number = 0;
  /** committed to, and neither revealed nor void */
  declare shoe: Shoe | undefined;
  /** when the service started for this table and not for all */
  starts: number[] = [];
  /** when the bank came in question last: the table's beginning, its latest round, or bank entry */
  declare settled: number;
  /** the seeds that players owe, by shoe: their hashes */
  debts: Map<string, { shoes: Map<string, string>; last: string }> = new Map();
  /** lapses in a row */
  lapses: Map<string, { runs: number; shoes: Map<string, string> }> = new Map();
  seedVoid: boolean = false;
  /** the seats that asked for a reshuffle since the last seal */
  asked: Set<number> = new Set();
  /** put out by the house: the place in the order of opening */
  evicted: Map<string, number> = new Map();
  /** casino: the seat whose turn it was to cut */
  turn: number = 0;
  /** when it was closed; 0: it is open */
  closed: number = 0;
  /** whether a shoe of it was */
  lost: boolean = false;
  /** lounge: since when the next payer is to get a part of a pool that nobody plays for */
  abandonedAt: number = 0;
  /** lounge: who paid, and has a claim left, by game, seat and player */
  payers: Map<string, Payer> = new Map();
  /** lounge: who plays in this game, by seat; nobody else takes the chair of one who left */
  joined: Map<number, Chair> = new Map();

  constructor(entry: Entry, at: number) {
    this.id = entry.table;
    this.game = GAMES[entry.rules];
    this.options = { ...this.game.defaults, ...entry.options };
    this.policy = limitsOf(entry);
    this.placer = entry.placer ?? "";
    this.lapseLimit = entry.lapses ?? 0;
    this.beaconDelay = entry.beacon_delay ?? 0;
    this.bank = this.game.pool ? "pool" : "house";
    this.memory = this.game.pool ? { game: 0 } : {};
    this.settled = at;
  }

  /** Whether whoever sits here is the placer (log.md, "A player who places"). */
  get playerPlaces() {
    return isPlayer(this.placer);
  }

  /** @returns the verifier key of who places the next shoe, "" where nobody does */
  get placerKey(): string {
    return this.playerPlaces ? (this.seated[0]?.placer ?? "") : this.placer;
  }

  /** @returns the first chair's number, and the last one's */
  get seats(): [number, number] {
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

  /** @param chair whether it has a part in a game that it would lose with the chair (LO-04, LO-07) */
  playsFor(chair: Chair) {
    const payer = this.payer(this.memory.game, chair.seat, chair.player);
    const getsAll = this.running && chair.absent && this.sharers.length === 1;
    return this.paidFor && payer !== undefined && !payer.refunded && !getsAll;
  }

  /** Whether the first deal of a lounge game waits for more players (LO-08). */
  get tooFew() {
    return !this.memory.started && this.paid.filter((seat) => this.chairs.has(seat)).length < this.options.fewest;
  }

  /**
   * @param at whether by then a closed table has had all its time for a game: it is not played on, and its pool is
   * refunded and not shared out any more
   */
  gameLapsed(at: number) {
    return this.closed > 0 && at > this.closed + MONTH;
  }

  /** @returns the seats that play in the game, or did before they were left */
  get paid(): number[] {
    return [...this.joined.keys()].sort((a, b) => a - b);
  }

  /** @returns of this game who have not got their share, by seat */
  get sharers(): Payer[] {
    return [...this.payers.values()]
      .filter(({ game, shared }) => game === this.memory.game && !shared)
      .sort((a, b) => a.seat - b.seat);
  }

  /** Whether every chair of the running game was left, so that its pool is to be shared (LO-04). */
  get abandoned() {
    return this.sharers.length > 0 && this.pool > 0 && !this.paid.some((seat) => this.chairs.has(seat));
  }

  payer(game: number, seat: number, player: string): Payer | undefined {
    return this.payers.get(payerKey({ game, seat, player }));
  }

  /** @returns by seat */
  get seated(): Chair[] {
    return [...this.chairs.values()].sort((a, b) => a.seat - b.seat);
  }

  chairOf(player: string): Chair | undefined {
    return [...this.chairs.values()].find((chair) => chair.player === player);
  }

  banks(chair: Chair) {
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

  /** @param chair whether its chips are as much as the lowest bet can cost who bets it, or who banks */
  covers(chair: Chair) {
    return chair.chips >= this.lowest * this.game.cover;
  }

  /**
   * @param chair whether its lowest bet alone would be legal; in the lounge, whether it has joined a game that may be
   * dealt
   */
  couldBet(chair: Chair) {
    if (this.game.pool) return this.joined.get(chair.seat) === chair && !this.tooFew;
    if (this.banks(chair) || !this.covers(chair) || chair.chips > MOST_CHIPS) return false;
    const banker = this.chairs.get(this.dealer);
    if (!this.game.bank) return Math.abs(this.house) <= MOST_CHIPS;
    return banker !== undefined && this.covers(banker) && banker.chips <= MOST_CHIPS;
  }

  /** Whether a first banker has to be found (PO-04, PO-38). */
  get bankless() {
    const banker = this.chairs.get(this.dealer);
    return (
      this.game.bank === "changes" &&
      this.chairs.size > 1 &&
      !this.chairs.has(this.memory.entitled) &&
      !(banker && this.covers(banker))
    );
  }

  /** @returns in acting order: clockwise from the dealer's left (GE-09) */
  acting(chairs: Chair[]): Chair[] {
    const { dealer } = this;
    const back = this.options.direction === "anticlockwise";
    const turns = chairs
      .filter((chair) => chair.seat !== dealer)
      .sort((a, b) => (back ? b.seat - a.seat : a.seat - b.seat));
    const after = turns.filter((chair) => dealer && (back ? chair.seat < dealer : chair.seat > dealer));
    return [...after, ...turns.filter((chair) => !after.includes(chair))];
  }

  /** @returns every account */
  accounts(): Record<string, number> {
    const all: Record<string, number> = { house: this.house };
    if (this.game.pool) all.pool = this.pool;
    for (const chair of this.chairs.values()) all[chair.seat] = chair.chips;
    return all;
  }

  /** @param accounts what the log says they hold */
  adopt(accounts: Record<string, number>) {
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

/** A round dealt from a shoe, whose cards are compared when the key is known. */
interface Dealt {
  entry: number;
  round?: number;
  pos: number;
  cards: string[];
  reshuffles: {
    entry: number;
    k: number;
    after: number;
    cards: number;
    deck: string;
    cut?: number;
    burn?: string;
    cards_root?: string;
  }[];
}
/** an open without its round */
export interface Betting {
  entry: number;
  at: number;
  round: number;
  bets: Bet[];
  reshuffles: Entry[];
}

const LONGEST_LIMITS = { hash: 3600, seed: 3600, cut: 3600, bet: 3600, decision: 3600, shoe: 2592000 };

/** @returns whether it has the six time limits, each in its range */
export const isPolicy = (policy: Record<string, number> = {}): boolean =>
  Object.keys(policy).length === 6 &&
  Object.entries(LONGEST_LIMITS).every(
    ([name, most]) => policy[name] >= (name === "shoe" ? 86400 : 5) && policy[name] <= most,
  );

/** The limits that an entry gives; the longest, if it gives none that fit. */
const limitsOf = ({ policy }: Entry) => (isPolicy(policy) ? policy : LONGEST_LIMITS);

export class Shoe {
  declare id: string;
  declare table: Table | undefined;
  declare entry: number;
  declare at: number;
  declare deck: string;
  declare size: number;
  declare commitment: string;
  declare roster: string[];
  declare draws: Record<string, number>;
  /** what the key gives for them */
  drawn: Record<string, number> = Object.create(null);
  declare cutter: string | undefined;
  /** the seat whose turn it is to cut */
  turn: number = 0;
  declare first: boolean;
  declare policy: any;
  /** the one of version 1, which nobody verifies */
  declare beacon: any;
  /** the round of drand's quicknet that goes into its order, 0 without one */
  declare beaconRound: number;
  randomness: [string, number, string] | null = null;
  /** the chairs as they were taken at the commitment */
  declare chairs: Map<number, Chair>;
  declare banker: Chair | undefined;
  hashes: Map<string, string> = new Map();
  seeds: Map<string, string> = new Map();
  struck: Set<string> = new Set();
  waived: Set<Chair> = new Set();
  /** where somebody cut; else it is cut at the draw, if at all */
  declare cut: { at: number; by: string } | undefined;
  declare stepAt: number;
  sealedAt: number = 0;
  /** the number of its seal */
  sealEntry: number = 0;
  declare burn: string | undefined;
  declare root: string | undefined;
  pos: number = 0;
  declare deckSize: number;
  declare betting: Betting | undefined;
  dealt: Dealt[] = [];
  bettingSince: number = 0;
  bankMoved: boolean = false;
  /** the table was closed before its opening: it can only be void */
  closed: boolean = false;
  placer: { commitment: string; key: string; chain: Chain } | null = null;
  /** the trees that end with its last entry before the seal, and with its newest */
  declare stands: { unsealed: { size: number; root: string }; newest: { size: number; root: string } };
  /** the places that its placer gave */
  rows: Row[] = [];
  /** those of the present deck */
  taken: Set<number> = new Set();
  /** the entry from which on the placer's chain cannot be followed */
  astray: number | null = null;
  /** of a proof of one hand: rounds were dealt from it that are not in the file */
  beyond: boolean = false;
  /** what entries tell of the cards of one without a table */
  declare told: ToldCards | null;
  /** the entry that ends it could not be read */
  endUnread: boolean = false;
  declare course: Course;
  declare stage: string;

  constructor(entry: Entry, index: number, at: number, table: Table | undefined) {
    this.id = entry.shoe as string;
    this.table = table;
    this.entry = index;
    this.at = at;
    this.deck = entry.deck as string;
    this.size = entry.cards as number;
    this.commitment = entry.commitment as string;
    this.roster = entry.roster.slice(0, 64) as string[];
    this.draws = entry.draws as Record<string, number>;
    this.cutter = entry.cutter as string | undefined;
    this.first = entry.purpose === "bank";
    this.policy = table?.policy ?? limitsOf(entry);
    this.beacon = entry.beacon;
    this.beaconRound = entry.beacon_round ?? 0;
    this.chairs = new Map(table?.chairs);
    this.banker = table?.chairs.get(table.dealer);
    this.stepAt = at;
    this.deckSize = this.size;
    const none = { size: 0, root: "" };
    this.stands = { unsealed: none, newest: none };
    this.told = !table && entry.v > 1 ? new ToldCards() : null;
    this.course = !table ? "no table" : this.first ? "first banker" : table.game.many ? "many rounds" : "one round";
    this.stage = this.begin();
  }

  /** @returns the entries that may follow, and the stage after each */
  get next(): Record<string, string> {
    return STAGES[this.course][this.stage] ?? {};
  }

  /** Goes on to the stage after an entry that stands in the log. */
  follow(entry: string) {
    this.stage = this.next[entry] ?? this.stage;
  }

  /** Goes to the stage after the commitment, when the chairs are known. */
  begin(): string {
    return (this.stage = STAGES[this.course].idle[this.sole ? SOLE : "shoe"]);
  }

  /** Whether its player is its placer, and sends neither hash nor seed. */
  get playerPlaces() {
    return this.table?.playerPlaces === true;
  }

  /** Whether one player alone makes its order, without a hash first. */
  get sole() {
    return (
      this.playerPlaces || (!!this.table && !this.table.game.many && this.roster.length === 1 && this.chairs.size === 1)
    );
  }

  /** @returns contributors whose seeds are still to be opened */
  get waiting(): string[] {
    if (this.playerPlaces) return [];
    const contributors = this.sole ? this.roster : [...this.hashes.keys()];
    return contributors.filter((player) => !this.seeds.has(player) && !this.struck.has(player));
  }

  /** Whether a seed that is not opened makes it void, and is owed: another one is open, or nobody else is left. */
  get owesSeed() {
    return this.stage === "seed" && (this.seeds.size ? this.waiting.length > 0 : this.waiting.length === 1);
  }

  /** @returns who is dealt to where a first banker is found (PO-04) */
  get dealtTo(): Chair[] {
    const { table, roster, chairs } = this;
    return (table?.seated ?? []).filter(
      (chair) => roster.includes(chair.player) && chairs.get(chair.seat) === chair && table?.covers(chair),
    );
  }

  /** Whether its `seeds` stand; of a sole player, its `open`. */
  get begun() {
    return this.opening || (this.stage === "bet" && !this.sole);
  }

  /** Whether the seeds are being opened, or are open: from now on the house could know the order. */
  get opening() {
    return this.stage !== "hash" && (this.stage !== "bet" || this.course !== "one round");
  }

  /** @param chair whether it has a seed in the shoe (or a hash, while they are not all open) */
  hasPart(chair: Chair) {
    if (this.struck.has(chair.player)) return false;
    const own = this.sole ? this.roster[0] === chair.player : this.hashes.has(chair.player);
    return own && this.chairs.get(chair.seat) === chair;
  }
}
