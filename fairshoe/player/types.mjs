// What the pages and the modules here hand each other: a table as the service gives it (docs/service.md), and what the
// browser keeps. Types only.

/**
 * @typedef {"idle" | "bank" | "hash" | "bet" | "seed" | "places" | "round" | "closed"} Phase
 *
 * @typedef {{amount: number, seat: number, box?: number}} Bet box: where it is not the chair's own place
 *
 * @typedef {object} Move a legal one; with `low` and `high` it takes an `amount`, with `among` it takes `chosen` chairs
 * @property {string} move
 * @property {number} [low]
 * @property {number} [high]
 * @property {number[]} [among]
 * @property {number} [fewest]
 * @property {number} [most]
 * @property {boolean} [prompt]
 *
 * @typedef {{move: string, amount?: number, chosen?: number[]}} Choice a decision, as it is sent
 *
 * @typedef {object} Wish what the chair may send now: `do` is the route, `may` that nobody waits for it
 * @property {"commitment" | "places" | "seed" | "hash" | "shoe" | "waiver" | "bets" | "reshuffle" | "decisions" | "chips" | "here"} do
 * @property {boolean} [may]
 * @property {string} [shoe] seed, hash
 * @property {boolean} [owed] seed: of an earlier shoe
 * @property {[number, number]} [cut] seed, hash: between which cards this chair may cut
 * @property {number} [round] bets, decisions
 * @property {number} [low] bets
 * @property {number} [high] bets
 * @property {number} [unit] bets
 * @property {"round" | "bank"} [about] decisions
 * @property {number} [step] decisions
 * @property {Move[]} [moves] decisions
 * @property {Choice} [default] decisions: what the table does at the limit
 * @property {string[]} [ops] chips: of `buy-in`, `cash-out`, `transfer`, `leave`
 *
 * @typedef {object} HandView
 * @property {(string | null)[]} cards a hidden one is null
 * @property {number | null} total
 * @property {number} [bet] the dealer's hand has none, and no seat and box
 * @property {number} [seat]
 * @property {number} [box]
 * @property {number} [insured]
 * @property {number} [net]
 * @property {string} [outcome]
 * @property {number} [short]
 *
 * @typedef {object} RoundView
 * @property {Record<string, number>} chips
 * @property {HandView} dealer
 * @property {HandView[]} hands in acting order
 * @property {boolean} over
 * @property {number} [turn]
 * @property {number} [hand]
 * @property {Move[]} [moves]
 * @property {number} [step]
 *
 * @typedef {object} ShoeState
 * @property {string} shoe
 * @property {string} commitment
 * @property {string} deck
 * @property {number} cards
 * @property {Record<string, number>} draws
 * @property {string[]} roster
 * @property {string | null} cutter
 * @property {string | null} purpose
 * @property {string[]} hashed
 * @property {Record<string, string> | null} hashes
 * @property {string[]} opened
 * @property {string[]} opens
 * @property {string[]} struck
 * @property {boolean} sealed
 * @property {number[]} waived
 * @property {number} position
 * @property {string[]} burned
 *
 * @typedef {object} TableState a table as everybody may see it; with `you` as a seat may
 * @property {string} table
 * @property {string} rules
 * @property {Record<string, any>} options
 * @property {Record<string, number>} policy in seconds
 * @property {Phase} phase
 * @property {string} [restored]
 * @property {string} at
 * @property {number} log
 * @property {boolean} closed
 * @property {number} chairs
 * @property {{seat: number, player: string, name?: string}[]} seats
 * @property {Record<string, number>} chips
 * @property {string} bank
 * @property {number} rounds
 * @property {Record<string, string[]>} owed
 * @property {Record<string, string>} deadlines
 * @property {number[]} evicted
 * @property {ShoeState | null} shoe
 * @property {{round: number, in: Bet[], passed: number[], boxes?: number[]} | null} bets boxes: those that nobody else has bet on, where the rules have boxes
 * @property {{round: number, bets: Bet[], view?: RoundView, reshuffled?: number[], burned?: string[]} | null} round
 * @property {Record<string, any> | null} last the last `round` entry of the log
 * @property {string} [verify]
 * @property {{key: string, address: string, awaited: boolean}} [placer] that of the table; the key is `player` where its player places
 * @property {{seat: number, player: string, expects: Wish[], betting?: {round: number, bets: {state: string, amount?: number, box?: number}[]}, receipt?: string}} [you] betting: what became of the player's own bets
 * @property {{commit?: string, questions: Question[]}} [awaited] of a player who places; only there
 * @property {string} [answer_receipt] of places that were just sent
 * @property {string} [receipt]
 *
 * @typedef {object} Question to a player who places (docs/placer-protocol.md)
 * @property {string} shoe
 * @property {string} question a note that the log's key signed
 * @property {string[]} since the parts of what happened
 * @property {(string | null)[]} [cards] of the round so far; null: hidden
 *
 * @typedef {object} TableLine a table in the list
 * @property {string} table
 * @property {string} rules
 * @property {Record<string, any>} options
 * @property {Phase} phase
 * @property {number} chairs
 * @property {{seat: number, player: string, name?: string}[]} seats
 * @property {string} [placer] its key; `player` where its player places
 */

/**
 * Where the browser keeps things: values that JSON can write, by name. `hold` gives what lets go again, or null where
 * another tab holds that name.
 * @typedef {object} Storage
 * @property {(name: string) => Promise<any>} get undefined where nothing is kept
 * @property {(name: string, value: any) => Promise<void>} put it is kept once this is done
 * @property {(prefix: string) => Promise<[string, any][]>} all by their names, sorted
 * @property {(name: string) => Promise<(() => void) | null>} hold
 */

/**
 * @typedef {"open" | "bound" | "pass" | "fail" | "unsure"} Mark of a hand: `open` its shoe is in play, `bound` it ended
 *   without its key (void), `pass` all holds, `fail` the house is wrong, `unsure` it could not be checked (`words` says why)
 *
 * @typedef {object} Hand a hand of mine, as the browser keeps it
 * @property {string} id TABLE#NUMBER
 * @property {string} table
 * @property {number} round
 * @property {string} shoe
 * @property {string} rules
 * @property {Record<string, number | boolean | string>} [options] of its table; not of a hand that was kept before they were
 * @property {string} at when its `round` was written
 * @property {number} [seat] mine then
 * @property {boolean} [banked] whether I banked
 * @property {number[]} [bets] with which it began, once it was checked: mine, or of who banked all
 * @property {number} stake what was bet, insurance and doubles included
 * @property {number} net what it won, below zero what it lost
 * @property {Mark} mark
 * @property {string} step the step that failed: `form`, `signature`, `inclusion`, `commitment`, `seeds`, `transcript`,
 *   `shuffle`, `decisions`, `dealer`, `totals`, `outcome`, `payout`, `chips`, `receipt`, `shown`; else ""
 * @property {string} code as an Alarm's; else ""
 * @property {string} words what is wrong, in a sentence; else ""
 * @property {any} [entry] its `round`, as the house showed it or its log has it
 */

export {};
