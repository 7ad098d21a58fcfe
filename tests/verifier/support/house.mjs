// A small house that writes the log of one table, for the tests alone: each step as it should be, but for what a test
// says otherwise.
import { fromHex, toHex, utf8 } from "../../../fairshoe/verifier/bytes.mjs";
import { canonicalText } from "../../../fairshoe/verifier/canonical.mjs";
import { Audit } from "../../../fairshoe/verifier/audit.mjs";
import { cardsNamed, GAMES } from "../../../fairshoe/verifier/games.mjs";
import { Due, Round } from "../../../fairshoe/verifier/games/round.mjs";
import { sha256 } from "../../../fairshoe/verifier/sha256.mjs";
import { Shuffle, drawNamed } from "../../../fairshoe/verifier/shuffle.mjs";
import { transcript } from "../../../fairshoe/verifier/transcript.mjs";

const hash = (hex) => toHex(sha256(fromHex(hex)));
const secret = (...words) => toHex(sha256(utf8(words.join(" "))));
export const OPTIONS = { banker: { packs: 6, minimum: 2, maximum: 500 }, boxes: { packs: 8, minimum: 2, maximum: 500 }, casino: { packs: 6, minimum: 2, maximum: 500, insert: 60 } };
const POLICY = { hash: 30, seed: 30, cut: 30, bet: 60, decision: 30, shoe: 86400 };

/** Without the fields that are undefined. */
const clean = (entry) => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));

export class House {
  constructor(rules, options = OPTIONS[rules], table = rules) {
    this.game = GAMES[rules];
    this.options = { ...this.game.defaults, ...options };
    this.table = table;
    this.entries = [];
    this.at = Date.parse("2026-01-01T00:00:00Z");
    this.chips = { house: 0 };
    /** who sits where, the newest last */ this.players = [];
    this.shoes = this.rounds = 0;
    this.put("table", { options, policy: POLICY, rules, table });
  }

  /** Lets time pass. */
  wait(seconds) {
    this.at += 1000 * seconds;
    return this;
  }

  time(seconds = 0) {
    return new Date(this.at + 1000 * seconds).toISOString().replace("Z", "000Z");
  }

  put(kind, fields = {}) {
    this.wait(1);
    const entry = clean({ at: this.time(), kind, v: 1, ...fields });
    this.entries.push(entry);
    return entry;
  }

  sit(seat, player, amount = 1000) {
    if (!this.players.some((one) => one.seat === seat)) this.players.push({ seat, player });
    this.chips[seat] = (this.chips[seat] ?? 0) + amount;
    return this.put("chips", { amount, chips: { [seat]: this.chips[seat] }, op: "buy-in", player, seat, table: this.table });
  }

  /** The commitment; its key and everybody's seed follow from its name. */
  shoe(more = {}) {
    const id = `${this.table}/${++this.shoes}`;
    const { deck, draws, cuts } = this.game;
    const seated = [...this.players].sort((a, b) => a.seat - b.seat);
    const name = `${deck.name}:${this.options.packs}`;
    const roster = more.roster ?? seated.map(({ player }) => player);
    this.present = { id, key: secret("key", id), deck: cardsNamed(name), roster, seeds: [], pos: 0, cut: 0, draws: draws(this.options) };
    return this.put("shoe", {
      bank: "house", cards: this.present.deck.length, chips: { ...this.chips }, commitment: hash(this.present.key), cutter: cuts && roster[0],
      deck: name, draws: this.present.draws, roster, shoe: id, ...more,
    });
  }

  seedOf(player) {
    return secret(player, this.present.id);
  }

  /** The hashes of all but those who are not heard. */
  seeds(unheard, cut) {
    this.present.cut = cut?.at;
    const hashed = this.present.roster.filter((player) => !unheard?.includes(player));
    this.present.hashed = hashed;
    return this.put("seeds", { hashes: Object.fromEntries(hashed.map((player) => [player, hash(this.seedOf(player))])), shoe: this.present.id, unheard, cut });
  }

  open(bets, more = {}) {
    this.bets = bets.map(([seat, amount]) => ({ seat, amount }));
    return this.put("open", { bets: this.bets, round: ++this.rounds, shoe: this.present.id, ...more });
  }

  /** Every contributor opens, the newest chair first; then the order is fixed. */
  seal(more = {}) {
    const { id, key, deck, roster, hashed = roster, draws } = this.present;
    for (const { player } of [...this.players].reverse()) if (hashed.includes(player)) this.put("opened", { player, seed: this.seedOf(player), shoe: id });
    const seeds = roster.filter((player) => hashed.includes(player)).map((player) => [player, fromHex(this.seedOf(player))]);
    const text = transcript({ shoe: id, deck, commitment: hash(key), seeds });
    this.drawn = Object.fromEntries(Object.entries(draws).map(([name, below]) => [name, drawNamed(fromHex(key), text, name, below)]));
    this.order = new Shuffle(fromHex(key), text, deck.length, this.present.cut ?? this.drawn.cut ?? 0);
    return this.put("seal", { shoe: id, ...more });
  }

  /** Plays the round; `choose` gives a decision, with its moment where the table makes it. */
  round(choose = (seat, moves) => ({ move: moves.includes("stand") ? "stand" : "decline", seat })) {
    const { deck, pos, id } = this.present;
    const cards = deck.map((_, i) => deck[this.order.at(i)]).slice(pos);
    const decisions = [];
    for (;;) {
      const round = new Round({
        options: this.options, bets: this.bets, dealer: 0, house: this.chips.house, pool: 0, cards, decisions, pos, size: deck.length, shoe: deck.length, burns: false,
        chips: new Map(this.players.map(({ seat }) => [seat, this.chips[seat]])), values: this.game.deck.values,
      });
      try {
        this.game.play(round);
        return this.dealt(round, decisions, id, pos);
      } catch (error) {
        if (!(error instanceof Due)) throw error;
        decisions.push(choose(error.seat, error.moves));
      }
    }
  }

  dealt(round, decisions, id, pos) {
    this.present.pos = round.pos;
    for (const { seat } of round.hands) this.chips[seat] = round.purse.get(seat);
    this.chips.house = round.house;
    const chips = Object.fromEntries([["house", round.house], ...round.hands.map(({ seat }) => [seat, this.chips[seat]])]);
    const hands = round.hands.map(({ seat, bet, cards, outcome, net, insured, insurance }) => ({ seat, bet, cards, total: round.total(cards), outcome, net, ...(insured && { insured, insurance }) }));
    return this.put("round", { cards: round.cards, chips, dealer: { cards: round.bank, total: round.total(round.bank) }, decisions, hands, pos, round: this.rounds, shoe: id });
  }

  reveal(why = "worn") {
    const { id, key, pos } = this.present;
    return this.put("reveal", { draws: this.drawn, end: pos, key, shoe: id, why });
  }

  /** A whole shoe of one round, in which everybody bets. */
  hand(amount = 2) {
    this.shoe();
    if (this.players.length > 1) this.seeds();
    this.open([...this.players].sort((a, b) => a.seat - b.seat).map(({ seat }) => [seat, amount]));
    this.seal();
    this.round();
    this.reveal();
    return this;
  }

  /** What an audit finds. */
  found() {
    return foundIn(this.entries);
  }
}

/** What an audit finds in entries: `entry check field`, notes with their severity. */
export function foundIn(entries) {
  const audit = new Audit();
  for (const entry of entries) audit.take(utf8(canonicalText(clean(entry))));
  audit.end();
  return audit.findings.map(({ entry, check, field, severity }) => `${entry} ${check} ${field}${severity === "note" ? " note" : ""}`);
}
