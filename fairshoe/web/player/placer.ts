// The player's own placer: where whoever sits at a table gives the places of its cards (docs/placer-protocol.md).
//
// A place is given only where the house's signed log and its question say what this browser knows: the bets that were
// sent, each decision that was sent, and that the round needs a card now. What was asked and answered is kept before it
// leaves, so that a question that comes again gets the same answer, and another one at its step none.

import { FairshoeError, fromHex, InputError, toHex, utf8 } from "../verifier/bytes.ts";
import { cardsNamed } from "../verifier/games.ts";
import { Round, Wrong } from "../verifier/games/round.ts";
import { sha256 } from "../verifier/hashes.ts";
import { canonicalText } from "../verifier/json.ts";
import { isSignedBy, parseNote, parseVerifierKey } from "../verifier/note.ts";
import { Chain, sinceOf } from "../verifier/placing.ts";
import { PLACING, Shuffle, transcript } from "../verifier/shuffle.ts";
import { Alarm, Problem, SeedKept } from "./errors.ts";
import { same } from "./receipts.ts";
import { Signer } from "./signing.ts";
import type { Book, PlacedStep, Pledge, Sent } from "./book.ts";
import type { Question, TableState } from "./types.ts";
import { isSealed, type SignedTable } from "./signed-table.ts";
import type { Openings } from "./openings.ts";
import type { Stand } from "../verifier/placing.ts";

type Form = Record<string, any>;

/** a question, taken apart */
type Read = {
  text: string;
  shoe: string;
  commitment: string;
  steps: number;
  stand: string;
  since: string;
  lines: string[];
};
/** how far my chain at a shoe is */
type Shoe = { pledge: Pledge; signer: Signer; chain: Chain; answers: PlacedStep[]; order: Shuffle | null };

const SHOE = /^fairshoe placed shoe v1\n(\S+) (\S+)\n(\w{64})\n$/;
const QUESTION =
  /^fairshoe question v1\n(\S+ (\S+)\n([\da-f]{64})\n(0|[1-9]\d*)\n[\da-f]{64}\n)(?:since ([\da-f]{64})\n)?((?:(?:shuffle [1-9]\d* [\da-f]{64} [\da-f]{64}|card (?:0|[1-9]\d*)|end)(?:\n(?!$))?){1,64})\n$/;
/** Cards of each hand, and of the dealer, that are dealt before anything depends on one. */
const FIRST = 2;
/** Of so many limits that passed in a row nobody waits any more. */
const PATIENCE = 2;
/** A card of each rank: whether a round needs another card depends on no suit. */
const RANKS = [..."A23456789TJQK"].map((rank) => `${rank}s`);

/** @returns no place was given */
const kept = (why: string, code: string = "place-too-early", note: string = ""): Alarm =>
  new Alarm(code, `the house wants me to place a card, and I do not: ${why}`, {}, note);

export class Placer {
  book: Book;
  openings: Openings;
  /** by my commitment */
  shoes: Map<string, Shoe> = new Map();
  /** as the log told it last */
  table: SignedTable | null = null;

  constructor(book: Book, openings: Openings) {
    this.book = book;
    this.openings = openings;
  }

  /** The verifier key that the buy-in names. */
  get verifier() {
    const { player, placer } = this.book.sitting;
    return new Signer(player, placer ?? "").verifier;
  }

  /** What commits to a key for the shoe that a signed text names. */
  async commitment(note: string): Promise<Form> {
    const [, origin, shoe = "", commitment] = SHOE.exec(await this.signed(note)) ?? [];
    if (origin !== (await this.house()).name || !shoe.startsWith(`${this.book.table}/`))
      throw kept("it asks for a key of another table");
    return { shoe, commitment: (await this.book.seedFor(shoe, commitment)).hash };
  }

  /**
   * The answer to a question that a table's state shows, which is kept then; null where it asks somebody else.
   * @throws Alarm where no place may be given
   */
  async answer(shown: Question, state: TableState): Promise<Form | null> {
    try {
      return await this.answered(shown, state);
    } catch (error) {
      if (error instanceof SeedKept) throw kept(error.why);
      if (error instanceof FairshoeError && !(error instanceof InputError)) throw error;
      throw kept(`its question cannot be followed: ${error}`);
    }
  }

  /** Keep the house's receipt beside an answer that it took: `verify --notes` reads it. */
  async keepReceipt({ question }: Form, receipt: string = "") {
    const { commitment, steps } = questionIn(question);
    const answer = (await this.book.placed(commitment)).find((one) => one.question === question);
    if (answer) await this.book.keepPlaced(commitment, steps, { ...answer, receipt });
  }

  async answered(shown: Question, state: TableState): Promise<Form | null> {
    await this.signed(shown.question);
    const question = questionIn(shown.question);
    const shoe = await this.at(question);
    if (!shoe) return null;
    const { chain, answers, pledge, signer } = shoe;
    const before = answers.find((one) => questionIn(one.question).text === question.text);
    if (before) return { question: shown.question, given: before.given, note: before.note };
    const step = question.steps + 1;
    if (step <= chain.steps) {
      const first = answers.findLast((one) => questionIn(one.question).steps <= question.steps);
      throw kept(
        `it asked for step ${step} of ${question.shoe} before, in another way`,
        "asked-twice",
        `${first?.question ?? ""}${shown.question}`,
      );
    }
    if (question.steps > chain.steps) {
      const detail = `step ${step} of ${question.shoe} is asked for, and this browser placed ${chain.steps}: its seat came from an older file`;
      throw new Problem(0, { detail, remedy: "Ask the operator to let you back in, to cash out and leave." });
    }
    if (question.stand !== chain.stand)
      throw kept(`step ${step} of ${question.shoe} does not come after what I placed`);
    if (sinceOf(shown.since) !== question.since) throw kept("what it shows to have happened is not what it signed");
    const round = await this.check(shoe, question, shown, state);
    const given = round ? question.lines.map((line) => this.orderOf(shoe).at(Number(line.slice(5)))) : [];
    this.shoes.delete(pledge.hash); // the chain goes on once the answer is kept
    goOn(chain, question, given);
    const answer = {
      question: shown.question,
      given,
      note: signer.sign(chain.note(question.lines[0] === "end" ? pledge.seed : "")),
    };
    const decisions = shown.since.filter((part) => part.startsWith("{"));
    const at = { ...answer, round, decisions, cards: shown.cards ?? [], at: Date.now() };
    await this.book.keepPlaced(pledge.hash, question.steps, at);
    this.shoes.set(pledge.hash, { ...shoe, answers: [...answers, at] });
    return answer;
  }

  async house() {
    return parseVerifierKey((await this.book.house.key()).key);
  }

  /** @returns its text, which the log's key signed */
  async signed(note: string): Promise<string> {
    const parsed = parseNote(note);
    if (!isSignedBy(parsed, await this.house())) throw kept("another key signed its question", "other-key", note);
    return parsed.text;
  }

  /** How far I am at the shoe of a question; null where the key is none of mine. */
  async at({ shoe, commitment }: Read): Promise<Shoe | null> {
    const known = this.shoes.get(commitment);
    if (known) return known;
    const pledge = (await this.book.pledges(shoe)).find(({ hash }) => hash === commitment);
    if (!pledge?.placer) return null;
    const signer = new Signer(this.book.sitting.player, pledge.placer);
    const chain = new Chain(
      { origin: (await this.house()).name, shoe, commitment: pledge.commitment },
      { commitment, key: signer.verifier },
    );
    const answers = await this.book.placed(commitment);
    for (const { question, given } of answers) goOn(chain, questionIn(question), given);
    this.shoes.set(commitment, { pledge, signer, chain, answers, order: null });
    return this.shoes.get(commitment) ?? null;
  }

  /** `shoe`: in play. Returns my places of its cards. */
  orderOf(shoe: Shoe): Shuffle {
    const { cards } = shoeOf(this.table);
    return (shoe.order ??= new Shuffle(fromHex(shoe.pledge.seed), transcriptOf(this.table), cards, 0, PLACING));
  }

  // What must be so.

  /** @returns the round whose cards it asks for, 0 where it asks for none */
  async check(
    shoe: Shoe,
    { shoe: name, lines }: Read,
    { since, cards = [] }: Question,
    state: TableState,
  ): Promise<number> {
    if (lines.join() === "end") {
      const end = (await this.follow(name, state)).over.get(name);
      if (!end) throw kept(`it wants my key, and its signed log does not show the end of ${name}`);
      sameTree(since, end);
      return 0;
    }
    if (lines[0].startsWith("shuffle")) {
      const table = this.inPlay(await this.follow(name, state), shoe);
      const { cards: size, stands, root } = shoeOf(table);
      if (shoe.chain.steps || lines.join() !== `shuffle ${size} ${toHex(sha256(utf8(transcriptOf(table))))} ${root}`)
        throw kept(`it asks for another shuffle than that of ${name}`);
      sameTree(since, stands.unsealed);
      return 0;
    }
    const first = since.length === 2 && !since[0].startsWith("{");
    const table = this.inPlay(
      first || this.table?.shoe?.id !== name ? await this.follow(name, state) : this.table,
      shoe,
    );
    const { open } = table;
    const { number: round, bets } = open as NonNullable<typeof open>; // without it the question cannot be followed
    const given = shoe.answers.flatMap((one) => one.given).length;
    const dealt = given - shoeOf(table).position;
    const most = Math.max(FIRST * (bets.length + 1) - dealt, 1);
    if (lines.length > most || lines.some((line, i) => line !== `card ${given + i}`))
      throw kept(`it asks ahead, for ${lines.join(", ")}: ${given} cards lie`);
    if (first !== (dealt === 0)) throw kept(`${dealt} cards of round ${round} lie, and it says otherwise`);
    if (!first) this.decisionsFit(shoe, table, round, since, cards);
    else {
      this.betsFit(table, round);
      sameTree(since, shoeOf(table).stands.newest);
    }
    return round;
  }

  /** The table by the signed log. */
  async follow(name: string, state: TableState): Promise<SignedTable> {
    this.table = await this.openings.upTo(name, state);
    return this.table;
  }

  /** The shoe is in play under the commitment that my key was made for, and has mine. */
  inPlay(table: SignedTable, { pledge, signer }: Shoe) {
    const { shoe } = table;
    if (shoe?.id !== pledge.shoe || !isSealed(shoe)) throw kept(`${pledge.shoe} is not sealed and in play`);
    if (shoe.commitment !== pledge.commitment)
      throw kept(`${shoe.id} has another commitment in its log than I was shown`, "other-commitment");
    if (!same(shoe.placer, { commitment: pledge.hash, key: signer.verifier }))
      throw kept(`${shoe.id} has another placer in its log than me`);
    return table;
  }

  sent(round: number): Sent {
    return this.book.sitting.sent?.find((one) => one.round === round) ?? { round, bets: [], decisions: {} };
  }

  /** The bets that stand are those that I sent. */
  betsFit({ game, open }: SignedTable, round: number) {
    if (game.pool) return;
    const { seat } = this.book.sitting;
    const form = ({ amount, box = seat }: Form) => `${amount} on ${box}`;
    const [stand, own] = [open?.bets ?? [], this.sent(round).bets].map((bets) => bets.map(form).sort());
    if (!same(stand, own))
      throw kept(`other bets stand in round ${round} (${stand}) than I sent (${own})`, "bet-changed");
  }

  /** Those that are told of are mine, and with them the round needs a card. */
  decisionsFit({ answers }: Shoe, table: SignedTable, round: number, parts: string[], cards: (string | null)[]) {
    const before = answers.filter((one) => one.round === round);
    const last = before[before.length - 1];
    const lie = before.flatMap(({ given }) => given).length;
    const told = before.flatMap(({ decisions }) => decisions);
    const forms = [...told, ...parts].map((part) => decisionIn(part));
    let [{ missed }, late] = [table, 0];
    for (const [step, form] of forms.entries()) {
      const lapsed = this.decisionFits(form, round, step);
      if (lapsed && missed < PATIENCE && step >= told.length) late += 1;
      missed = lapsed ? missed + 1 : 0;
    }
    const limit = table.policy.decision;
    const since = Math.max(last.at, this.book.sitting.acted ?? 0);
    if (late && Date.now() < since + 1000 * late * limit)
      throw kept(
        `the table decided for me in round ${round}, and my ${limit} seconds are not over`,
        "decision-changed",
      );
    if (cards.length !== lie || last.cards.some((card, i) => card !== null && card !== cards[i]))
      throw kept(`it shows other cards of round ${round} than lie there`, "other-card");
    if (!mayNeed(table, cards, forms)) throw kept(`it asks ahead: round ${round} needs no card so far`);
  }

  /** It is the one that I sent, or the table's where I sent none. Returns whether it is the table's. */
  decisionFits(form: Form, round: number, step: number): boolean {
    const sent = this.sent(round).decisions[step];
    if (!sent && form.by) return true;
    const { move = "nothing", amount, chosen } = sent ?? {};
    if (
      same(form, { seat: this.book.sitting.seat, move, ...(amount && { amount }), ...(chosen?.length && { chosen }) })
    )
      return false;
    throw kept(
      `decision ${step + 1} of round ${round} is said to be ${form.move}${form.by ? " by the table" : ""}, and I sent ${move}`,
      "decision-changed",
    );
  }
}

/** A chain goes on by a question that was answered. */
function goOn(chain: Chain, { lines, since }: Read, given: number[]) {
  const places = given.values();
  lines.forEach((line, i) =>
    chain.step(line.startsWith("card") ? `${line} ${places.next().value}` : line, i ? "" : since),
  );
}

/** @returns of which the shoe's placer compares where it stands and what its lines are */
function questionIn(note: string): Read {
  const { text } = parseNote(note);
  const found = QUESTION.exec(text);
  if (!found) throw new InputError("a question that is none", "question", "docs/placer-protocol.md");
  const [, stand, shoe, commitment, steps, since = "", lines] = found;
  return { text, shoe, commitment, steps: Number(steps), stand, since, lines: lines.split("\n") };
}

/** @param table whose shoe is in play */
const shoeOf = (table: SignedTable | null) => table?.shoe as import("./signed-table.ts").Shoe;

/** @returns T of its shoe */
function transcriptOf(table: SignedTable | null): string {
  const { id, deck, commitment, placer, roster } = shoeOf(table);
  return transcript({
    shoe: id,
    deck: cardsNamed(deck) ?? [],
    commitment,
    placer: placer && [roster[0], placer.commitment],
  });
}

function sameTree(since: string[], { size, root }: Stand) {
  if (since.join() !== `${size},${root}`) throw kept(`it names another log than its signed one of ${size} entries`);
}

function decisionIn(part: string): Form {
  const form = JSON.parse(part);
  if (canonicalText(form) !== part) throw kept("its question is none");
  return form;
}

/** Whether a round needs another card, for some cards in the places of those that lie hidden. */
function mayNeed({ game, options, purse, open, shoe }: SignedTable, cards: (string | null)[], decisions: Form[]) {
  const size = shoe?.cards ?? 0;
  for (const labels of guesses(cards)) {
    const round = new Round({
      options,
      bets: open?.bets ?? ([] as any),
      chips: new Map(Object.entries(purse).map(([name, chips]) => [Number(name), chips])),
      dealer: 0,
      house: purse.house,
      pool: purse.pool ?? 0,
      cards: labels,
      decisions: decisions as any,
      pos: shoe?.position ?? 0,
      size,
      shoe: size,
      burns: false,
      values: game.deck.values,
    });
    try {
      game.play(round);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      const asShown = cards.every((card, i) => (card === null) === round.hidden.has(i));
      if (error.expected === "one more card" && asShown) return true;
    }
  }
  return false;
}

/** @returns every rank in the place of each hidden one */
function* guesses(cards: (string | null)[]): Generator<string[]> {
  const at = cards.indexOf(null);
  if (at < 0) yield cards as string[];
  else for (const card of RANKS) yield* guesses(cards.map((one, i) => (i === at ? card : one)));
}
