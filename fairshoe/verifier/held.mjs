// Receipts held against a log, or against the proof of a hand, as its entries are read (receipts.md): whether what was
// sent stands where it belongs, and what the seat saw is what the log says.

import { canonicalText, ownField } from "./canonical.mjs";
import { playedTo } from "./steps/rounds.mjs";
import { microseconds } from "./times.mjs";
import { roundView, viewOf } from "./views.mjs";

/** @typedef {import("./audit.mjs").Audit} Audit @typedef {import("./audit.mjs").Entry} Entry @typedef {import("./receipts.mjs").Read} Read */
/** @typedef {"agrees" | "differs" | "missing" | "not yet" | "not checked" | "unfinished" | "refused"} Word */

/**
 * @typedef {object} Case what is decided about a receipt
 * @property {number} place in the file, from 1
 * @property {Word | ""} verdict empty while it is not decided
 * @property {number | null} entry where the log says otherwise, or has it
 * @property {string} field
 * @property {unknown} receipt what it says
 * @property {unknown} log what the log says
 * @property {string} remark
 * @property {Entry | null} says the whole receipt
 *
 * @typedef {Case & {says: Entry, at: number, waits: number}} Open
 */

export class Held {
  /**
   * @param {Audit} audit whose `held` it becomes: it is told of every entry
   * @param {Read[]} reads of readReceipts
   */
  constructor(audit, reads) {
    audit.held = this;
    this.audit = audit;
    /** @type {Case[]} */
    this.cases = [];
    /** what happens when an entry comes: by its number, its kind and shoe @type {Map<string, [Open, (entry: Entry) => void][]>} */
    this.waiting = new Map();
    /** @type {Map<string, Open>} of several bets that were offered the last */
    this.lastOffer = new Map();
    this.lastAt = 0;
    for (const { place, verdict, receipt, cause } of reads) {
      const base = { place, entry: null, field: "", receipt: null, log: null, remark: cause, says: receipt };
      if (!receipt) this.cases.push({ ...base, verdict: verdict === "unfinished" ? verdict : "refused" });
      else this.add({ ...base, verdict: "", says: receipt, at: microseconds(receipt.at) ?? 0, waits: 0 });
    }
    const open = /** @type {Open[]} */ (this.cases.filter(({ verdict }) => !verdict));
    /** the next one last: of those whose step has not begun, of those whose step is not over */
    this.befores = open.filter(({ says }) => says.before !== undefined).sort((a, b) => b.says.before - a.says.before);
    this.sizes = [...this.befores].sort((a, b) => b.says.size - a.says.size);
  }

  /** @param {Open} one */
  add(one) {
    this.cases.push(one);
    const { says } = one;
    const { shoe, table, round } = says;
    if (shoe !== undefined && !shoe.startsWith(`${table}/`)) return this.differs(one, null, "shoe", shoe, `a shoe of ${table}`);
    if (says.state !== "stands") one.waits += 1; // the view
    const on = (/** @type {string} */ key, /** @type {(entry: Entry) => void} */ check) => {
      one.waits += 1;
      this.on(key, one, (entry) => {
        if (this.audit.index < (says.before ?? 0)) this.differs(one, this.audit.index, "before", says.before, this.audit.index);
        else check(entry);
      });
    };
    if (says.do === "chips") on(`#${says.before}`, (entry) => this.chips(one, entry));
    else if (says.do === "seed") on(`#${says.before}`, (entry) => this.seed(one, entry));
    else if (says.do === "hash") on(`seeds ${shoe}`, (entry) => this.hash(one, entry));
    else if (says.do === "waiver") this.waive(one);
    else if (says.do === "bet") {
      on(`open ${shoe} ${round}`, (entry) => (says.state === "stands" ? this.stands(one, entry) : this.offered(one, entry)));
      if (says.state === "offered") this.lastOffer.set(offerOf(says), one);
    } else if (says.about === "round") on(`before round ${shoe} ${round}`, (entry) => this.decision(one, entry));
    else this.aboutBank(one);
    if (round !== undefined && says.about !== "bank") this.on(`bank ${table}`, one, (entry) => this.passed(one, entry));
    if (shoe !== undefined && says.do !== "seed") this.on(`end ${shoe}`, one, (entry) => this.ended(one, entry));
  }

  /** @param {string} key @param {Open} one @param {(entry: Entry) => void} check */
  on(key, one, check) {
    const list = this.waiting.get(key) ?? [];
    list.push([one, check]);
    this.waiting.set(key, list);
  }

  /** @param {string} key @param {Entry} entry */
  tell(key, entry) {
    for (const [one, check] of this.waiting.get(key) ?? []) if (!one.verdict) check(entry);
  }

  /** @param {Entry} entry about to be followed */
  before(entry) {
    const { index } = this.audit;
    const at = microseconds(entry.at) ?? 0;
    this.upTo(index, at);
    this.tell(`before ${entry.kind} ${entry.shoe} ${entry.round}`, entry);
    this.lastAt = at;
  }

  /** @param {Entry} entry that was followed */
  after(entry) {
    const { kind, shoe, round, table } = entry;
    this.tell(`#${this.audit.index}`, entry);
    this.tell(`${kind} ${shoe}`, entry);
    this.tell(`${kind} ${shoe} ${round}`, entry);
    if (["bank", "shoe", "open"].includes(kind)) this.tell(`bank ${table ?? shoe.replace(/\/[^/]*$/, "")}`, entry);
    if (["reveal", "void", "lost"].includes(kind)) this.tell(`end ${shoe}`, entry);
  }

  /**
   * The receipts of steps that were over before an entry: they saw what is known by now, and are dated before it.
   * @param {number} index
   * @param {number} at
   */
  upTo(index, at) {
    while (this.befores.at(-1)?.says.before <= index) {
      const one = /** @type {Open} */ (this.befores.pop());
      if (!one.verdict && !(this.lastAt < one.at && one.at <= at)) this.differs(one, index, "at", one.says.at, [this.lastAt, at]);
    }
    while (this.sizes.at(-1)?.says.size <= index) {
      const one = /** @type {Open} */ (this.sizes.pop());
      if (!one.verdict && at <= one.at) this.differs(one, index, "size", one.says.size, index + 1);
      this.view(one);
    }
  }

  /** The end of the log or the proof. @returns {Case[]} all decided */
  end() {
    const { index, partial } = this.audit;
    this.upTo(index + 1, Infinity);
    for (const one of /** @type {Open[]} */ (this.cases)) {
      if (one.verdict) continue;
      const { before, size, shoe, state } = one.says;
      const steps = before === undefined ? 0 : Math.max(0, index - before);
      if (partial) this.decide(one, "not checked", { remark: "it takes the whole log" });
      else if ((state === "stands" || size > index + 1) && this.lastAt > one.at + steps) this.decide(one, "missing", { entry: index, remark: "the log has later entries" });
      else if (shoe !== undefined && size <= index + 1 && !this.audit.shoes.has(shoe)) this.decide(one, "missing", { remark: "the shoe is over" });
      else this.decide(one, "not yet", {});
    }
    return this.cases;
  }

  /** @param {Open} one @param {Word} verdict @param {Partial<Case>} what */
  decide(one, verdict, what) {
    Object.assign(one, what, { verdict });
  }

  /** @param {Open} one @param {number | null} entry @param {string} field @param {unknown} receipt @param {unknown} log */
  differs(one, entry, field, receipt, log) {
    this.decide(one, "differs", { entry, field, receipt: receipt ?? null, log: log ?? null });
  }

  /** @param {Open} one @param {string} remark */
  missing(one, remark) {
    this.decide(one, this.audit.partial ? "not checked" : "missing", { entry: this.audit.index, remark });
  }

  /** @param {Open} one one of the things that it waits for agrees @param {string} [remark] @param {boolean} [stands] the entry has what was sent */
  agrees(one, remark = "", stands = true) {
    if (stands) one.entry = this.audit.index;
    one.remark ||= remark;
    one.waits -= 1;
    if (!one.waits) this.decide(one, "agrees", {});
  }

  /**
   * What a receipt says of an entry, compared field by field.
   * @param {Open} one
   * @param {Record<string, unknown>} receipt
   * @param {Record<string, unknown>} log
   * @param {string} [path]
   * @param {number} [entry]
   */
  same(one, receipt, log, path = "", entry = this.audit.index) {
    for (const name of Object.keys(receipt)) {
      const [says, has] = [receipt[name] ?? null, ownField(log, name) ?? null];
      if (canonicalText(says) === canonicalText(has)) continue;
      this.differs(one, entry, path + name, says, has);
      return false;
    }
    return true;
  }

  /** @param {Open} one */
  view(one) {
    if (one.verdict) return;
    const { round, bets, ...seen } = one.says.view;
    if (this.sameView(one, seen)) this.agrees(one, "", false);
  }

  /** @param {Open} one @param {Record<string, any>} seen @returns {boolean} */
  sameView(one, seen) {
    const { says } = one;
    const table = this.audit.tables.get(says.table);
    const entry = (says.size ?? this.audit.index + 1) - 1;
    if (!table) return this.differs(one, entry, "table", says.table, null) ?? false;
    const view = viewOf(table, says.seat, says.player);
    if (!this.audit.partial) return this.same(one, { ...view, ...seen }, view, "view.", entry);
    if (!seen.shoe || !view.shoe || seen.shoe.shoe !== view.shoe.shoe) return true;
    const names = ["commitment", "roster", ...(this.sealed ? ["hashes", "opened", "cut", "sealed"] : [])];
    return this.same(one, Object.fromEntries(names.map((name) => [name, seen.shoe[name]])), view.shoe, "view.shoe.", entry);
  }

  /** Whether a proof has the seal. */
  get sealed() {
    return [...this.audit.shoes.values()].some(({ sealed }) => sealed);
  }

  /** @param {Open} one @param {Entry} entry */
  chips(one, entry) {
    const { table, seat, player, op, amount, to, leaves, at } = one.says;
    if (entry.kind !== "chips") this.missing(one, ANOTHER);
    else if (this.same(one, { table, seat, player, op, amount, to, leaves, at }, entry)) this.agrees(one);
  }

  /** @param {Open} one @param {Entry} entry opened, or handed in late */
  seed(one, { kind, shoe, player, seed, cut, at }) {
    const { says } = one;
    if (shoe !== says.shoe || !["opened", "late"].includes(kind)) return this.missing(one, ANOTHER);
    const cutSent = says.cut === undefined ? undefined : { at: says.cut, by: says.player };
    if (this.same(one, { player: says.player, seed: says.seed, cut: cutSent, at: says.at }, { player, seed, cut, at })) this.agrees(one);
  }

  /** @param {Open} one @param {Entry} entry seeds */
  hash(one, { hashes, cut, unheard = [] }) {
    const { player, hash, cut: at, shoe: id } = one.says;
    const shoe = this.audit.shoes.get(id);
    const logged = ownField(hashes, player);
    if (logged === undefined && this.audit.partial && !unheard.includes(player)) return this.decide(one, "not checked", { remark: "why the hash is not there takes the whole log" });
    if (logged === undefined && shoe?.struck.has(player)) return this.agrees(one, "the chair was left before", false);
    if (logged !== hash) return this.differs(one, this.audit.index, `hashes.${player}`, hash, logged);
    const table = this.audit.tables.get(one.says.table);
    if (at === undefined || !table) return this.agrees(one);
    const turns = table.acting(table.seated).map((chair) => chair.player);
    const another = cut && cut.by !== player && !shoe?.cutter && turns.indexOf(cut.by) > turns.indexOf(player); // nearer to the dealer's right
    if (another) return this.agrees(one, "another cut counted");
    if (this.same(one, { cut: { at, by: player } }, { cut })) this.agrees(one);
  }

  /** @param {Open} one nothing shows a waiver but a bet that needs it */
  waive(one) {
    const { seat, shoe, before } = one.says;
    one.waits += 1;
    this.on(`open ${shoe}`, one, ({ bets, uncovered = [], waived = [] }) => {
      if (this.audit.index < before || one.entry !== null) return;
      const bet = [...bets, ...uncovered].some((one) => one.seat === seat);
      if (bet && !waived.includes(seat)) {
        if (this.audit.partial) return this.decide(one, "not checked", { remark: "an earlier round may have it" });
        return this.differs(one, this.audit.index, "waived", seat, waived);
      }
      this.agrees(one);
    });
  }

  /** @param {Open} one @param {Entry} entry open: what stands may have been offered later */
  offered(one, { bets, late = [] }) {
    const { seat, bets: sent } = one.says;
    if (late.includes(seat)) return this.differs(one, this.audit.index, "late", sent, late);
    this.agrees(one, canonicalText(ownBets(bets, seat)) === canonicalText(sent) ? "" : "it was changed afterwards");
  }

  /** @param {Open} one @param {Entry} entry open */
  stands(one, { at, bets, uncovered = [], passed = [], late = [], unfunded = [], waived = [] }) {
    const { says } = one;
    const { seat, view } = says;
    const own = { at, bets: ownBets(bets, seat), uncovered: ownBets(uncovered, seat) };
    if (!this.same(one, { at: says.at, bets: says.bets, uncovered: says.uncovered ?? [] }, own)) return;
    const { bank, chips, shoe, ...seen } = view;
    const all = { bets, uncovered, passed, late, unfunded, waived };
    if (this.same(one, { ...all, ...seen }, all, "view.") && this.sameView(one, { bank, chips, shoe })) this.agrees(one);
  }

  /** @param {Open} one @param {Entry} entry round, not followed yet */
  decision(one, entry) {
    const { seat, move, amount, chosen, step, view } = one.says;
    const shoe = this.audit.shoes.get(entry.shoe);
    if (!shoe?.table || !this.sameDecision(one, entry.decisions, { seat, move, amount, chosen })) return;
    try {
      const { round, due } = playedTo(this.audit, shoe, entry, step);
      const seen = roundView(shoe.table, round, due, seat);
      if (this.same(one, { ...seen, ...view.round }, seen, "view.round.")) this.agrees(one);
    } catch {
      this.differs(one, this.audit.index, "view.round", view.round, "a round that cannot be followed");
    }
  }

  /** @param {Open} one @param {Entry[]} decisions @param {Entry} sent */
  sameDecision(one, decisions, sent) {
    const { step } = one.says;
    return this.same(one, { [`decisions[${step}]`]: clean(sent) }, { [`decisions[${step}]`]: decisions[step] });
  }

  /** @param {Open} one a choice about the bank */
  aboutBank(one) {
    const { says } = one;
    const { seat, move, amount, chosen, table: id } = says;
    one.waits += 1;
    this.on(`bank ${id}`, one, (entry) => {
      if (this.audit.index < says.before || one.entry !== null) return;
      if (entry.kind !== "bank" || !entry.decisions) return this.differs(one, this.audit.index, "about", "bank", entry.kind);
      if (this.sameDecision(one, entry.decisions, { seat, move, amount, chosen })) this.agrees(one);
    });
  }

  /** @param {Open} one @param {Entry} entry of a later round: its own is not in the log */
  passed(one, { kind, round }) {
    if (kind === "open" && round > one.says.round && one.entry === null) this.missing(one, `round ${round} opens, and round ${one.says.round} is not in the log`);
  }

  /** @param {Open} one @param {Entry} entry the end of its shoe: nothing that was sent for it can come any more */
  ended(one, { kind, why }) {
    const { says } = one;
    if (this.audit.index < (says.before ?? 0)) return this.differs(one, this.audit.index, "shoe", says.shoe, `${kind}: it was over`);
    if (one.entry !== null) return;
    if (this.audit.partial) return this.decide(one, "not checked", { remark: "the shoe ended before" });
    const chair = this.audit.tables.get(says.table)?.chairs.get(says.seat);
    const heard = chair?.player === says.player && (says.do === "hash" || (says.bets?.length && this.lastOffer.get(offerOf(says)) === one));
    if (says.state === "stands" || says.do === "decision" || (says.do === "hash" && kind === "reveal")) return this.missing(one, "the shoe ended without it");
    if (heard && (why === "idle" || why === "left")) return this.differs(one, this.audit.index, "why", says.do, why);
    this.agrees(one, "the shoe ended before", false);
  }
}

const ANOTHER = "the entry that would have it is another one";

/** @param {Entry} says */
const offerOf = ({ table, seat, player, shoe, round }) => [table, seat, player, shoe, round].join(" ");

/** @param {Entry[]} bets @param {number} seat */
const ownBets = (bets, seat) => bets.filter((bet) => bet.seat === seat);

/** @param {Entry} fields without those that are not there */
const clean = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
