// What the pages and the modules here hand each other: a table as the service gives it (docs/service.md), and what the
// browser keeps. Types only.

type Phase = "idle" | "bank" | "hash" | "bet" | "seed" | "places" | "round" | "closed";
/** box: where it is not the chair's own place */
type Bet = { amount: number; seat: number; box?: number };
/** a legal one; with `low` and `high` it takes an `amount`, with `among` it takes `chosen` chairs */
export interface Move {
  move: string;
  low?: number;
  high?: number;
  among?: number[];
  fewest?: number;
  most?: number;
  prompt?: boolean;
}
/** a decision, as it is sent */
export type Choice = { move: string; amount?: number; chosen?: number[] };
/** what the chair may send now: `do` is the route, `may` that nobody waits for it */
export interface Wish {
  do:
    | "commitment"
    | "places"
    | "seed"
    | "hash"
    | "shoe"
    | "waiver"
    | "bets"
    | "reshuffle"
    | "decisions"
    | "chips"
    | "here";
  may?: boolean;
  /** seed, hash */
  shoe?: string;
  /** seed: of an earlier shoe */
  owed?: boolean;
  /** seed, hash: between which cards this chair may cut */
  cut?: [number, number];
  /** bets, decisions */
  round?: number;
  /** bets */
  low?: number;
  /** bets */
  high?: number;
  /** bets */
  unit?: number;
  /** decisions */
  about?: "round" | "bank";
  /** decisions */
  step?: number;
  /** decisions */
  moves?: Move[];
  /** decisions: what the table does at the limit */
  default?: Choice;
  /** chips: of `buy-in`, `cash-out`, `transfer`, `leave` */
  ops?: string[];
}
export interface HandView {
  /** a hidden one is null */
  cards: (string | null)[];
  total: number | null;
  /** the dealer's hand has none, and no seat and box */
  bet?: number;
  seat?: number;
  box?: number;
  insured?: number;
  net?: number;
  outcome?: string;
  short?: number;
}
export interface RoundView {
  chips: Record<string, number>;
  dealer: HandView;
  /** in acting order */
  hands: HandView[];
  over: boolean;
  turn?: number;
  hand?: number;
  moves?: Move[];
  step?: number;
}
interface ShoeState {
  shoe: string;
  commitment: string;
  deck: string;
  cards: number;
  draws: Record<string, number>;
  roster: string[];
  cutter: string | null;
  purpose: string | null;
  hashed: string[];
  hashes: Record<string, string> | null;
  opened: string[];
  opens: string[];
  struck: string[];
  sealed: boolean;
  waived: number[];
  position: number;
  burned: string[];
}
/** a table as everybody may see it; with `you` as a seat may */
export interface TableState {
  table: string;
  rules: string;
  options: Record<string, any>;
  /** in seconds */
  policy: Record<string, number>;
  phase: Phase;
  restored?: string;
  at: string;
  log: number;
  closed: boolean;
  chairs: number;
  seats: { seat: number; player: string; name?: string }[];
  chips: Record<string, number>;
  bank: string;
  rounds: number;
  owed: Record<string, string[]>;
  deadlines: Record<string, string>;
  evicted: number[];
  shoe: ShoeState | null;
  /** boxes: those that nobody else has bet on, where the rules have boxes */
  bets: { round: number; in: Bet[]; passed: number[]; boxes?: number[] } | null;
  round: { round: number; bets: Bet[]; view?: RoundView; reshuffled?: number[]; burned?: string[] } | null;
  /** the last `round` entry of the log */
  last: Record<string, any> | null;
  verify?: string;
  /** that of the table; the key is `player` where its player places */
  placer?: { key: string; address: string; awaited: boolean };
  /** betting: what became of the player's own bets */
  you?: {
    seat: number;
    player: string;
    expects: Wish[];
    betting?: { round: number; bets: { state: string; amount?: number; box?: number }[] };
    receipt?: string;
  };
  /** of a player who places; only there */
  awaited?: { commit?: string; questions: Question[] };
  /** of places that were just sent */
  answer_receipt?: string;
  receipt?: string;
}
/** to a player who places (docs/placer-protocol.md) */
export interface Question {
  shoe: string;
  /** a note that the log's key signed */
  question: string;
  /** the parts of what happened */
  since: string[];
  /** of the round so far; null: hidden */
  cards?: (string | null)[];
}
/** a table in the list */
export interface TableLine {
  table: string;
  rules: string;
  options: Record<string, any>;
  phase: Phase;
  chairs: number;
  seats: { seat: number; player: string; name?: string }[];
  /** its key; `player` where its player places */
  placer?: string;
}

/**
 * Where the browser keeps things: values that JSON can write, by name. `hold` gives what lets go again, or null where
 * another tab holds that name.
 */
export interface Storage {
  /** undefined where nothing is kept */
  get: (name: string) => Promise<any>;
  /** it is kept once this is done */
  put: (name: string, value: any) => Promise<void>;
  /** by their names, sorted */
  all: (prefix: string) => Promise<[string, any][]>;
  hold: (name: string) => Promise<(() => void) | null>;
}

/**
 * of a hand: `open` its shoe is in play, `bound` it ended
 * without its key (void), `pass` all holds, `fail` the house is wrong, `unsure` it could not be checked (`words` says
 * why)
 */
export type Mark = "open" | "bound" | "pass" | "fail" | "unsure";
/** a hand of mine, as the browser keeps it */
export interface Hand {
  /** TABLE#NUMBER */
  id: string;
  table: string;
  round: number;
  shoe: string;
  rules: string;
  /** of its table; not of a hand that was kept before they were */
  options?: Record<string, number | boolean | string>;
  /** when its `round` was written */
  at: string;
  /** mine then */
  seat?: number;
  /** whether I banked */
  banked?: boolean;
  /** with which it began, once it was checked: mine, or of who banked all */
  bets?: number[];
  /** what was bet, insurance and doubles included */
  stake: number;
  /** what it won, below zero what it lost */
  net: number;
  mark: Mark;
  /** the step that failed: `form`, `signature`, `inclusion`, `commitment`, `seeds`, `transcript`, `shuffle`, `decisions`, `dealer`, `totals`, `outcome`, `payout`, `chips`, `receipt`, `shown`; else "" */
  step: string;
  /** as an Alarm's; else "" */
  code: string;
  /** what is wrong, in a sentence; else "" */
  words: string;
  /** its `round`, as the house showed it or its log has it */
  entry?: any;
}

export {};
