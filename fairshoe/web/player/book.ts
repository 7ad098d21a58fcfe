// The book of a seat: what it must not lose. It is kept before anything goes out that depends on it.

import { fromHex, toHex, utf8 } from "../verifier/bytes.ts";
import { isHex, must } from "../verifier/forms.ts";
import { sha256 } from "../verifier/hashes.ts";
import { chance } from "./requests.ts";
import type { House } from "./house.ts";
import type { Hand } from "./types.ts";
import type { Alarm } from "./errors.ts";

/** what goes to the route `what` with these fields, by its own `key` */
export interface Request {
  key: string;
  what: string;
  fields: Record<string, any>;
  /** when it was first sent, in milliseconds */
  at: number;
  /** when the house had been restored, as the seat knew then */
  restored: string;
}
interface Sitting {
  table: string;
  player: string;
  token: string;
  /** the chair; 0 before it is taken */
  seat: number;
  /** the log's size just after that */
  sat: number | null;
  left: boolean;
  /** its data were lost, and the operator lets its player back in by this token */
  regained?: boolean;
  /** the shoe with which a file of it was taken along last */
  saved?: string;
  /** what nobody has answered yet */
  waiting: Request | null;
  /** how many receipts there were before it: what tells it from another one of mine at this table */
  from: number;
  /** the secret of the key by which I place, in hex, where the player does */
  placer?: string;
  /** what the house took of me in the newest two rounds */
  sent?: Sent[];
  /** when the last decision was first sent */
  acted?: number;
}
export type Sent = { round: number; bets: any[]; decisions: Record<number, any> };
/** a seed of mine */
export interface Pledge {
  shoe: string;
  /** under which it was made */
  commitment: string;
  /** hex; where the player places it is the key of the places */
  seed: string;
  hash: string;
  /** the seed as the player typed it */
  typed?: string;
  /** whether its hash was sent */
  promised: boolean;
  /** whether the house has answered that */
  heard: boolean;
  /** the sitting's */
  from: number;
  /** the sitting's */
  placer?: string;
}
/** a question that was answered */
export interface PlacedStep {
  /** as the house signed it */
  question: string;
  given: number[];
  /** mine */
  note: string;
  /** of the house, that it took the answer */
  receipt?: string;
  /** 0: of none */
  round: number;
  /** that it tells of */
  decisions: string[];
  /** of the round, as they lay then */
  cards: (string | null)[];
  /** milliseconds */
  at: number;
}
export type Place = Pick<Sitting, "seat" | "player" | "from">;
type KeptHand = { hand: Hand; entry: any; place: Place };

const FILE = "fairshoe seat";
/** Milliseconds for which a request may be repeated: the house remembers its answers for a day. */
const REPEATED = 20 * 3_600_000;
const DIGITS = 12;

/** @param request too old to be repeated: the house may have forgotten it, and would do it once more */
export const isStale = ({ at }: Request) => Math.abs(Date.now() - at) > REPEATED;

/** @returns what the house is told of it */
export const digestOf = (token: string): string => toHex(sha256(utf8(token)));

export class Book {
  house: House;
  table: string;
  sitting: Sitting;
  /** notes, in the order in which they came */
  receipts: string[];

  constructor(house: House, table: string, sitting: Sitting, receipts: string[]) {
    this.house = house;
    this.table = table;
    this.sitting = sitting;
    this.receipts = receipts;
  }

  /** @returns as this browser has it */
  static async open(house: House, table: string): Promise<Book> {
    const { storage } = house;
    const none = { table, player: "", token: "", seat: 0, sat: null, left: true, waiting: null, from: 0 };
    const receipts = await storage.all(house.name("receipt", table, ""));
    return new Book(
      house,
      table,
      (await storage.get(house.name("seat", table))) ?? none,
      receipts.map(([, note]) => note),
    );
  }

  async keep(changes: Partial<Sitting>) {
    const sitting = { ...this.sitting, ...changes };
    await this.house.storage.put(this.house.name("seat", this.table), sitting);
    this.sitting = sitting;
  }

  /** Whether somebody may sit down with it. */
  get free() {
    const { left, seat, waiting } = this.sitting;
    return left || !(seat || waiting);
  }

  async sit(player: string) {
    await this.keep({
      player,
      token: `fs_${chance()}`,
      seat: 0,
      sat: null,
      left: false,
      regained: false,
      saved: "",
      waiting: null,
      from: this.receipts.length,
      placer: fresh(),
      sent: [],
      acted: 0,
    });
  }

  /** A request goes out now. */
  async ask(what: string, fields: Record<string, any>, restored: string): Promise<Request> {
    const request = { key: chance(), what, fields, at: Date.now(), restored };
    if (PROMISES.includes(what)) await this.mark(fields, { promised: true });
    await this.keep({ waiting: request });
    return request;
  }

  /** @param done whether it was done; else it was refused for good */
  async answered({ what, fields, at }: Request, done: boolean) {
    if (done && PROMISES.includes(what)) await this.mark(fields, { heard: true });
    await this.keep({
      waiting: null,
      ...(done && fields.leave && { left: true }),
      ...(done && this.took(what, fields, at)),
    });
  }

  /** What the house took of me, to be remembered. */
  took(what: string, fields: Record<string, any>, at: number): Partial<Sitting> {
    if (what !== "bets" && what !== "decisions") return {};
    const { round, bets, step } = fields;
    const { sent = [] } = this.sitting;
    const before = sent.find((one) => one.round === round) ?? { round, bets: [], decisions: {} };
    const now =
      what === "bets" ? { ...before, bets } : { ...before, decisions: { ...before.decisions, [step]: fields } };
    return {
      sent: [...sent.filter((one) => one.round !== round), now].slice(-2),
      ...(what === "decisions" && { acted: at }),
    };
  }

  // Seeds.

  /** @returns several where the house has shown several commitments */
  async pledges(shoe: string): Promise<Pledge[]> {
    return (await this.house.storage.all(this.house.name("seed", this.table, shoe, ""))).map(([, pledge]) => pledge);
  }

  /** The seed for a shoe under this commitment, kept before anybody hears of it. */
  async seedFor(shoe: string, commitment: string): Promise<Pledge> {
    const known = (await this.pledges(shoe)).find(
      (one) => one.commitment === commitment && one.from === this.sitting.from,
    );
    return known ?? this.pledge(shoe, commitment, fresh());
  }

  /** Whether this seed was made for another shoe of the house before. */
  async isUsed(seed: string, shoe: string): Promise<boolean> {
    const all: [string, Pledge][] = await this.house.storage.all(this.house.name("seed", ""));
    return all.some(([, pledge]) => pledge.seed === seed && pledge.shoe !== shoe);
  }

  /** `seed`: hex; `typed`: as the player typed it; "" for one that the browser made. */
  async pledge(shoe: string, commitment: string, seed: string, typed: string = ""): Promise<Pledge> {
    must(isHex(seed, 16, 128), "seed", "16 to 128 bytes"); // the hash of a shorter one hides nothing
    const made = {
      shoe,
      commitment,
      seed,
      hash: toHex(sha256(fromHex(seed))),
      promised: false,
      heard: false,
      from: this.sitting.from,
      placer: this.sitting.placer,
      ...(typed && { typed }),
    };
    await this.keepPledge(made);
    return made;
  }

  /** A fresh seed in place of one whose hash the house refused. `sent`: a hash, or a placer's commitment. */
  async replaceSeed({ shoe, commitment, hash = commitment }: Record<string, any>) {
    for (const pledge of await this.pledges(shoe))
      if (pledge.hash === hash) await this.pledge(shoe, pledge.commitment, fresh());
  }

  async keepPledge(pledge: Pledge) {
    await this.house.storage.put(
      this.house.name("seed", this.table, pledge.shoe, pledge.commitment, String(pledge.from)),
      pledge,
    );
  }

  /** @param sent a hash, or the commitment of a placer */
  async mark({ shoe, commitment, hash = commitment }: Record<string, any>, how: Partial<Pledge>) {
    for (const pledge of await this.pledges(shoe))
      if (pledge.hash === hash) await this.keepPledge({ ...pledge, ...how });
  }

  // Places.

  /** What I was asked and gave for a shoe, in its order. `commitment`: mine. */
  async placed(commitment: string): Promise<PlacedStep[]> {
    return (await this.house.storage.all(this.house.name("placed", this.table, commitment, ""))).map(
      ([, step]) => step,
    );
  }

  /** @param steps of the chain before it */
  async keepPlaced(commitment: string, steps: number, step: PlacedStep) {
    await this.house.storage.put(this.house.name("placed", this.table, commitment, padded(steps)), step);
  }

  // Receipts and hands.

  /** @returns whether it is new: an answer may have come before */
  async keepReceipt(note: string): Promise<boolean> {
    if (this.receipts.includes(note)) return false;
    await this.house.storage.put(this.house.name("receipt", this.table, padded(this.receipts.length)), note);
    this.receipts.push(note);
    return true;
  }

  /** `entry`: its `round`, as it was shown; `place`: where I sat then. */
  async keepHand(hand: Hand, entry: any, place: Place) {
    await this.house.storage.put(this.house.name("hand", this.table, padded(hand.round)), { hand, entry, place });
  }

  get place(): Place {
    const { seat, player, from } = this.sitting;
    return { seat, player, from };
  }

  async hand(round: number): Promise<KeptHand | undefined> {
    return this.house.storage.get(this.house.name("hand", this.table, padded(round)));
  }

  /** @returns the newest first */
  async hands(): Promise<KeptHand[]> {
    return (await this.house.storage.all(this.house.name("hand", this.table, ""))).map(([, kept]) => kept).reverse();
  }

  async keepAlarm(number: number, { code, what, values, note }: Alarm) {
    await this.house.storage.put(this.house.name("alarm", this.table, padded(number)), { code, what, values, note });
  }

  async alarms(): Promise<{ code: string; what: string; values: Record<string, string | number>; note: string }[]> {
    return (await this.house.storage.all(this.house.name("alarm", this.table, ""))).map(([, alarm]) => alarm);
  }

  // Taken along.

  /** @returns all of it as a file */
  async exported(): Promise<string> {
    const { house, table } = this;
    const shared = await Promise.all(
      ["key", "receipt-key", "checkpoint"].map(async (name) => [name, await house.storage.get(house.name(name))]),
    );
    const own = await Promise.all(KEPT.map((what) => house.storage.all(house.name(what, table, ""))));
    const kept = [
      ...own.flat().map(([name, value]) => [name.slice(house.name("").length), value]),
      [`seat ${table}`, this.sitting],
    ];
    return `${JSON.stringify({ kind: FILE, v: 1, house: house.address, table, kept: Object.fromEntries([...shared, ...kept].filter(([, value]) => value !== undefined)) })}\n`;
  }

  /** @returns its table. What this browser has remembered of the house stays */
  static async imported(house: House, file: string): Promise<string> {
    let form: any = null;
    try {
      form = JSON.parse(file);
    } catch {
      form = null;
    }
    const names = form?.kept && typeof form.table === "string" ? Object.keys(form.kept) : [];
    const own = [
      "key",
      "receipt-key",
      "checkpoint",
      `seat ${form?.table}`,
      ...KEPT.map((what) => `${what} ${form?.table} `),
    ];
    must(
      form?.kind === FILE &&
        form.v === 1 &&
        names.every((name) => own.some((one) => (one.endsWith(" ") ? name.startsWith(one) : name === one))),
      "file",
      "a seat that a browser exported",
    );
    const known = await house.storage.get(house.name("key"));
    must(
      !known || !form.kept.key || known.key === form.kept.key.key,
      "file",
      "a seat at this house",
      "its key is another one than this browser knows",
    );
    for (const name of names) {
      const there = await house.storage.get(house.name(name));
      if (there === undefined || name.startsWith("seat ")) await house.storage.put(house.name(name), form.kept[name]);
    }
    return form.table;
  }
}

const KEPT = ["seed", "placed", "receipt", "hand", "alarm"];
/** The routes by which a seed is promised. */
const PROMISES = ["hash", "commitment"];

/** @returns 32 bytes of chance, in hex */
const fresh = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));

const padded = (number: number) => String(number).padStart(DIGITS, "0");
