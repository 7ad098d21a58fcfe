// The book of a seat: what it must not lose. It is kept before anything goes out that depends on it.

import { fromHex, toHex, utf8 } from "../verifier/bytes.mjs";
import { isHex, must } from "../verifier/forms.mjs";
import { sha256 } from "../verifier/hashes.mjs";
import { chance } from "./requests.mjs";

/** @typedef {import("./house.mjs").House} House @typedef {import("./types.mjs").Hand} Hand */

/**
 * @typedef {object} Request what goes to the route `what` with these fields, by its own `key`
 * @property {string} key
 * @property {string} what
 * @property {Record<string, any>} fields
 * @property {number} at when it was first sent, in milliseconds
 * @property {string} restored when the house had been restored, as the seat knew then
 *
 * @typedef {object} Sitting
 * @property {string} table
 * @property {string} player
 * @property {string} token
 * @property {number} seat the chair; 0 before it is taken
 * @property {number | null} sat the log's size just after that
 * @property {boolean} left
 * @property {Request | null} waiting what nobody has answered yet
 * @property {number} from how many receipts there were before it: what tells it from another one of mine at this table
 * @property {string} [placer] the secret of the key by which I place, in hex, where the player does
 * @property {Sent[]} [sent] what the house took of me in the newest two rounds
 * @property {number} [acted] when the last decision was first sent
 *
 * @typedef {{round: number, bets: any[], decisions: Record<number, any>}} Sent
 *
 * @typedef {object} Pledge a seed of mine
 * @property {string} shoe
 * @property {string} commitment under which it was made
 * @property {string} seed hex; where the player places it is the key of the places
 * @property {string} hash
 * @property {boolean} promised whether its hash was sent
 * @property {boolean} heard whether the house has answered that
 * @property {number} from the sitting's
 * @property {string} [placer] the sitting's
 *
 * @typedef {object} PlacedStep a question that was answered
 * @property {string} question as the house signed it
 * @property {number[]} given
 * @property {string} note mine
 * @property {string} [receipt] of the house, that it took the answer
 * @property {number} round 0: of none
 * @property {string[]} decisions that it tells of
 * @property {(string | null)[]} cards of the round, as they lay then
 * @property {number} at milliseconds
 *
 * @typedef {Pick<Sitting, "seat" | "player" | "from">} Place
 * @typedef {{hand: Hand, entry: any, place: Place}} KeptHand
 */

const FILE = "fairshoe seat";
/** Milliseconds for which a request may be repeated: the house remembers its answers for a day. */
const REPEATED = 20 * 3_600_000;
const DIGITS = 12;

/** @param {Request} request too old to be repeated: the house may have forgotten it, and would do it once more */
export const isStale = ({ at }) => Math.abs(Date.now() - at) > REPEATED;

/** @param {string} token @returns {string} what the house is told of it */
export const digestOf = (token) => toHex(sha256(utf8(token)));

export class Book {
  /** @param {House} house @param {string} table @param {Sitting} sitting @param {string[]} receipts */
  constructor(house, table, sitting, receipts) {
    this.house = house;
    this.table = table;
    this.sitting = sitting;
    /** notes, in the order in which they came */
    this.receipts = receipts;
  }

  /** @param {House} house @param {string} table @returns {Promise<Book>} as this browser has it */
  static async open(house, table) {
    const { storage } = house;
    const none = { table, player: "", token: "", seat: 0, sat: null, left: true, waiting: null, from: 0 };
    const receipts = await storage.all(house.name("receipt", table, ""));
    return new Book(house, table, (await storage.get(house.name("seat", table))) ?? none, receipts.map(([, note]) => note));
  }

  /** @param {Partial<Sitting>} changes */
  async keep(changes) {
    const sitting = { ...this.sitting, ...changes };
    await this.house.storage.put(this.house.name("seat", this.table), sitting);
    this.sitting = sitting;
  }

  /** Whether somebody may sit down with it. */
  get free() {
    const { left, seat, waiting } = this.sitting;
    return left || !(seat || waiting);
  }

  /** @param {string} player */
  async sit(player) {
    await this.keep({ player, token: `fs_${chance()}`, seat: 0, sat: null, left: false, waiting: null, from: this.receipts.length, placer: fresh(), sent: [], acted: 0 });
  }

  /** A request goes out now. @param {string} what @param {Record<string, any>} fields @param {string} restored @returns {Promise<Request>} */
  async ask(what, fields, restored) {
    const request = { key: chance(), what, fields, at: Date.now(), restored };
    if (PROMISES.includes(what)) await this.mark(fields, { promised: true });
    await this.keep({ waiting: request });
    return request;
  }

  /** @param {Request} request @param {boolean} done whether it was done; else it was refused for good */
  async answered({ what, fields, at }, done) {
    if (done && PROMISES.includes(what)) await this.mark(fields, { heard: true });
    await this.keep({ waiting: null, ...(done && fields.leave && { left: true }), ...(done && this.took(what, fields, at)) });
  }

  /** What the house took of me, to be remembered. @param {string} what @param {Record<string, any>} fields @param {number} at @returns {Partial<Sitting>} */
  took(what, fields, at) {
    if (what !== "bets" && what !== "decisions") return {};
    const { round, bets, step } = fields;
    const { sent = [] } = this.sitting;
    const before = sent.find((one) => one.round === round) ?? { round, bets: [], decisions: {} };
    const now = what === "bets" ? { ...before, bets } : { ...before, decisions: { ...before.decisions, [step]: fields } };
    return { sent: [...sent.filter((one) => one.round !== round), now].slice(-2), ...(what === "decisions" && { acted: at }) };
  }

  // Seeds.

  /** @param {string} shoe @returns {Promise<Pledge[]>} several where the house has shown several commitments */
  async pledges(shoe) {
    return (await this.house.storage.all(this.house.name("seed", this.table, shoe, ""))).map(([, pledge]) => pledge);
  }

  /** The seed for a shoe under this commitment, kept before anybody hears of it. @param {string} shoe @param {string} commitment @returns {Promise<Pledge>} */
  async seedFor(shoe, commitment) {
    const known = (await this.pledges(shoe)).find((one) => one.commitment === commitment && one.from === this.sitting.from);
    return known ?? this.pledge(shoe, commitment, fresh());
  }

  /** @param {string} shoe @param {string} commitment @param {string} seed hex @returns {Promise<Pledge>} */
  async pledge(shoe, commitment, seed) {
    must(isHex(seed, 16, 128), "seed", "16 to 128 bytes in hex"); // the hash of a shorter one hides nothing
    const made = { shoe, commitment, seed, hash: toHex(sha256(fromHex(seed))), promised: false, heard: false, from: this.sitting.from, placer: this.sitting.placer };
    await this.keepPledge(made);
    return made;
  }

  /** A fresh seed in the place of one whose hash the house did not take. @param {Record<string, any>} sent a hash, or the commitment of a placer */
  async replaceSeed({ shoe, commitment, hash = commitment }) {
    for (const pledge of await this.pledges(shoe)) if (pledge.hash === hash) await this.pledge(shoe, pledge.commitment, fresh());
  }

  /** @param {Pledge} pledge */
  async keepPledge(pledge) {
    await this.house.storage.put(this.house.name("seed", this.table, pledge.shoe, pledge.commitment, String(pledge.from)), pledge);
  }

  /** @param {Record<string, any>} sent a hash, or the commitment of a placer @param {Partial<Pledge>} how */
  async mark({ shoe, commitment, hash = commitment }, how) {
    for (const pledge of await this.pledges(shoe)) if (pledge.hash === hash) await this.keepPledge({ ...pledge, ...how });
  }

  // Places.

  /** What I was asked and gave for a shoe, in its order. @param {string} commitment mine @returns {Promise<PlacedStep[]>} */
  async placed(commitment) {
    return (await this.house.storage.all(this.house.name("placed", this.table, commitment, ""))).map(([, step]) => step);
  }

  /** @param {string} commitment @param {number} steps of the chain before it @param {PlacedStep} step */
  async keepPlaced(commitment, steps, step) {
    await this.house.storage.put(this.house.name("placed", this.table, commitment, padded(steps)), step);
  }

  // Receipts and hands.

  /** @param {string} note @returns {Promise<boolean>} whether it is new: an answer may have come before */
  async keepReceipt(note) {
    if (this.receipts.includes(note)) return false;
    await this.house.storage.put(this.house.name("receipt", this.table, padded(this.receipts.length)), note);
    this.receipts.push(note);
    return true;
  }

  /** @param {Hand} hand @param {any} entry its `round`, as it was shown @param {Place} place where I sat then */
  async keepHand(hand, entry, place) {
    await this.house.storage.put(this.house.name("hand", this.table, padded(hand.round)), { hand, entry, place });
  }

  /** @returns {Place} */
  get place() {
    const { seat, player, from } = this.sitting;
    return { seat, player, from };
  }

  /** @param {number} round @returns {Promise<KeptHand | undefined>} */
  async hand(round) {
    return this.house.storage.get(this.house.name("hand", this.table, padded(round)));
  }

  /** @returns {Promise<KeptHand[]>} the newest first */
  async hands() {
    return (await this.house.storage.all(this.house.name("hand", this.table, ""))).map(([, kept]) => kept).reverse();
  }

  /** @param {number} number @param {import("./errors.mjs").Alarm} alarm */
  async keepAlarm(number, { code, what, values, note }) {
    await this.house.storage.put(this.house.name("alarm", this.table, padded(number)), { code, what, values, note });
  }

  /** @returns {Promise<{code: string, what: string, values: Record<string, string | number>, note: string}[]>} */
  async alarms() {
    return (await this.house.storage.all(this.house.name("alarm", this.table, ""))).map(([, alarm]) => alarm);
  }

  // Taken along.

  /** @returns {Promise<string>} all of it as a file */
  async exported() {
    const { house, table } = this;
    const shared = await Promise.all(["key", "receipt-key", "checkpoint"].map(async (name) => [name, await house.storage.get(house.name(name))]));
    const own = await Promise.all(KEPT.map((what) => house.storage.all(house.name(what, table, ""))));
    const kept = [...own.flat().map(([name, value]) => [name.slice(house.name("").length), value]), [`seat ${table}`, this.sitting]];
    return `${JSON.stringify({ kind: FILE, v: 1, house: house.address, table, kept: Object.fromEntries([...shared, ...kept].filter(([, value]) => value !== undefined)) })}\n`;
  }

  /** @param {House} house @param {string} file @returns {Promise<string>} its table. What this browser has remembered of the house stays */
  static async imported(house, file) {
    /** @type {any} */
    let form = null;
    try {
      form = JSON.parse(file);
    } catch {
      form = null;
    }
    const names = form?.kept && typeof form.table === "string" ? Object.keys(form.kept) : [];
    const own = ["key", "receipt-key", "checkpoint", `seat ${form?.table}`, ...KEPT.map((what) => `${what} ${form?.table} `)];
    must(form?.kind === FILE && form.v === 1 && names.every((name) => own.some((one) => (one.endsWith(" ") ? name.startsWith(one) : name === one))), "file", "a seat that a browser exported");
    const known = await house.storage.get(house.name("key"));
    must(!known || !form.kept.key || known.key === form.kept.key.key, "file", "a seat at this house", "its key is another one than this browser knows");
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

/** @returns {string} 32 bytes of chance, in hex */
const fresh = () => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** @param {number} number */
const padded = (number) => String(number).padStart(DIGITS, "0");
