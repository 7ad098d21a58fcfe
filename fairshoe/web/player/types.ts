// Types that pages and modules share: tables as the service gives them (built/api.ts), and what is kept.

import type { TableState as Described, YouFields } from "./built/api.ts";

export type {
  Choice,
  HandView,
  MoveForm as Move,
  QuestionFields as Question,
  RoundView,
  RuleSets,
  TableLine,
} from "./built/api.ts";
/** `last` and `moved` are entries of the log, whose form docs/log.md has */
export type TableState = Described & Record<"last" | "moved" | "ended", Record<string, any> | null>;
type Wanted = YouFields["expects"][number];
/** what the chair may send now, by the route `do`; with `may` nobody waits for it */
export type Wish<Route = Wanted["do"]> = Extract<Wanted, { do: Route }>;

/** Keeps JSON values by name. `hold` returns what lets go again, or null where another tab holds the name. */
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
 * A hand's mark: `open` its shoe is in play, `bound` it ended without its key (void), `pass` all holds, `fail` the house is
 * wrong, `unsure` it could not be checked (`words` says why).
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
  /** my seed of the shoe, if I typed it */
  seed?: string;
  /** of its table; not of a hand that was kept before they were */
  options?: Record<string, number | boolean | string>;
  /** when its `round` was written */
  at: string;
  /** mine then */
  seat?: number;
  /** what the players were called, by their chairs; of a hand that was fetched their ids */
  names?: Record<number, string>;
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
