// The placer of a shoe: its chain, built again from the log's own bytes at each entry that shows places; and `placed`,
// which has its key, and with it each place that it gave.

import { fromHex, toHex, utf8 } from "../bytes.mjs";
import { MONTH } from "../forms.mjs";
import { sha256, sha256Hex } from "../hashes.mjs";
import { canonicalText } from "../json.mjs";
import { placerName, PLACING, sinceOf } from "../placing.mjs";
import { Shuffle, transcript } from "../shuffle.mjs";
import { deckOf } from "./commitments.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry @typedef {import("../state.mjs").Shoe} Shoe */
/** @typedef {import("../games/round.mjs").Round} Round @typedef {import("../placing.mjs").Stand} Stand */

const MISSING = -1; // in the place of one that was not given
/** Entries whose trees a chain may name. */
const NAMED = ["shoe", "seeds", "opened", "lapse", "open", "seal", "round", "bank", "reveal", "void", "lost"];

/**
 * Cards that lie one behind the other in a deck.
 * @typedef {object} Row
 * @property {string} text the transcript
 * @property {number} size of the deck
 * @property {number} start the first card's place
 * @property {number} many how many cards
 * @property {number[]} given the places
 * @property {number} entry
 * @property {number} round
 */

/** The log's newest entry is the last of a tree that a chain may name. @param {Audit} audit */
export function stand(audit) {
  const { kind, shoe: id } = audit.entry;
  const shoe = audit.shoes.get(id) ?? audit.unplaced.get(id)?.shoe;
  if (!shoe?.placer || !NAMED.includes(kind)) return;
  shoe.stands.newest = { size: audit.index + 1, root: audit.root };
  if (!shoe.sealed) shoe.stands.unsealed = shoe.stands.newest;
}

/** @param {Stand} stand */
const told = ({ size, root }) => [String(size), root];

/** @param {Audit} audit @param {Shoe} shoe @returns {string} T of its seal */
export function transcriptOf(audit, shoe) {
  const { labels: deck, hash } = deckOf(audit, shoe);
  const seeds = shoe.roster.filter((player) => shoe.seeds.has(player)).map((player) => /** @type {[string, Uint8Array]} */ ([player, fromHex(shoe.seeds.get(player) ?? "")]));
  /** @type {[string, string] | null} */
  const placer = shoe.placer && [placerName(shoe.placer.key), shoe.placer.commitment];
  return transcript({ shoe: shoe.id, deck, commitment: shoe.commitment, seeds, beacon: shoe.randomness, hash, placer });
}

/** @typedef {NonNullable<Shoe["placer"]>} Placer */

/** The steps that an entry implies, with the places that it shows. */
export class Asking {
  /** @param {Audit} audit @param {Shoe} shoe @param {Placer} placer its own @param {Entry} entry @param {boolean} [deals] a round, or a first banker's draw; else the card that is burned with a seal */
  constructor(audit, shoe, placer, entry, deals = true) {
    this.audit = audit;
    this.shoe = shoe;
    this.chain = placer.chain;
    /** @type {{places: number[], signature: string}} */
    this.placed = entry.placed ?? { places: [], signature: "" };
    this.next = this.placed.places.values();
    /** @type {Row[]} */
    this.rows = [];
    /** @type {string[]} */
    this.parts = [];
    this.text = transcriptOf(audit, shoe);
    this.round = entry.round ?? 0;
    const begun = this.chain.steps > 0;
    if (!begun) this.parts.push(...told(shoe.stands.unsealed));
    this.shuffle(shoe.size, this.text, shoe.root, !begun);
    if (deals) this.parts.push(...told(shoe.stands.newest));
  }

  /** @returns {string} what happened since the last step */
  since() {
    return sinceOf(this.parts.splice(0));
  }

  /** @param {number} size @param {string} text @param {string | undefined} root that binds the cards @param {boolean} [steps] whether it is a step */
  shuffle(size, text, root, steps = true) {
    this.rows.push({ text, size, start: 0, many: 0, given: [], entry: this.audit.index, round: this.round });
    if (!steps) return;
    this.shoe.taken.clear();
    this.chain.step(`shuffle ${size} ${toHex(sha256(utf8(text)))} ${root}`, this.since());
  }

  /** @param {number} place */
  card(place) {
    const row = /** @type {Row} */ (this.rows.at(-1));
    if (!row.many) row.start = place;
    row.many += 1;
    const given = this.next.next().value ?? MISSING;
    if (given !== MISSING) row.given.push(given);
    if (this.shoe.taken.has(given) || given >= row.size) this.audit.fail("cards", "placed.places", "each place of the deck once", given);
    if (given !== MISSING) this.shoe.taken.add(given);
    this.chain.step(`card ${place} ${given}`, this.since());
  }

  /** Follows a round as it is played. @param {Round} round @param {Entry} entry @param {Entry[]} reshuffles as the log has them */
  watch(round, { decisions }, reshuffles) {
    const { draw, ask } = round;
    round.draw = (to) => {
      const { length } = round.reshuffles;
      try {
        draw.call(round, to);
      } finally {
        if (round.reshuffles.length > length) this.reshuffled(round, reshuffles);
      }
      this.card(round.pos - 1);
    };
    round.ask = (seat, moves, ways) => {
      const { asked } = round;
      const decision = ask.call(round, seat, moves, ways);
      if (round.asked > asked) this.parts.push(canonicalText(decisions[asked]));
      return decision;
    };
  }

  /** @param {Round} round @param {Entry[]} reshuffles */
  reshuffled(round, reshuffles) {
    const lines = reshuffles.slice(0, round.reshuffles.length).map(({ k, cards, deck }) => `reshuffle ${k} ${cards} ${deck}\n`);
    this.shuffle(round.size, this.text + lines.join(""), reshuffles[round.reshuffles.length - 1]?.cards_root);
    if (round.burns && round.size > 1) this.card(0);
  }

  /** Holds what the entry shows against the steps. @param {boolean} played whether it could be followed to its end */
  judge(played) {
    const { audit, shoe, chain, placed: { places, signature } } = this;
    shoe.rows.push(...this.rows);
    if (shoe.astray !== null) return;
    const cards = this.rows.reduce((sum, { many }) => sum + many, 0);
    if (!played) {
      shoe.astray = audit.index;
    } else if (places.length !== cards) {
      audit.fail("cards", "placed", cards, places.length);
      shoe.astray = audit.index;
    } else if (audit.origin && !chain.isSigned(signature)) {
      audit.fail("cards", "placed.signature", toHex(chain.head), signature);
      shoe.astray = audit.index;
    }
  }
}

/** @param {Shoe} shoe @returns {boolean} whether the log has a place for each card: without, nobody can say what lay there */
export function isWhole({ placer, rows, dealt, burn }) {
  const burned = dealt.flatMap(({ reshuffles }) => reshuffles).filter((one) => one.burn !== undefined).length;
  const cards = dealt.reduce((sum, one) => sum + one.cards.length, burned + (burn === undefined ? 0 : 1));
  return !placer || rows.reduce((sum, { given }) => sum + given.length, 0) >= cards;
}

/** @param {Shoe} shoe @param {string} text @param {number} place @returns {number | undefined} where in the house's own order its card lies, as the placer says */
export function placeIn({ rows }, text, place) {
  const row = rows.find((one) => one.text === text && one.start <= place && place < one.start + one.many);
  return row?.given[place - row.start];
}

/** @param {Audit} audit @param {Entry} entry */
export function placedStep(audit, { shoe: id, key, steps, signature }) {
  const over = audit.unplaced.get(id);
  if (!over?.shoe.placer) return audit.fail("order", "shoe", "the placer's key of a shoe that is over, once", id);
  const { shoe } = over;
  if (!shoe.playerPlaces) audit.mustNotDelay(over.at, MONTH);
  const { chain, commitment } = over.shoe.placer;
  if (audit.same("commitment", "key", commitment, sha256Hex(key))) {
    if (shoe.astray === null && !shoe.beyond) {
      chain.step("end", sinceOf(told(shoe.stands.newest)));
      if (steps !== chain.steps) audit.fail(shoe.sealed ? "cards" : "completeness", "steps", chain.steps, steps);
      else if (audit.origin && !chain.isSigned(signature, key)) audit.fail("cards", "signature", toHex(chain.head), signature);
    }
    placesFit(audit, shoe, key);
  }
  audit.unplaced.delete(id);
}

/** Checks that each place that the placer signed is the key's. Where a player gave it, no log fails. @param {Audit} audit @param {Shoe} shoe @param {string} key */
function placesFit(audit, shoe, key) {
  /** @type {Map<string, Shuffle>} */
  const orders = new Map();
  for (const { text, size, start, given, entry, round } of shoe.rows) {
    if (shoe.astray !== null && entry >= shoe.astray) return; // nobody has signed these
    if (!orders.has(text) && !audit.mayOrder(shoe.size)) return;
    const order = orders.get(text) ?? new Shuffle(fromHex(key), text, size, 0, PLACING);
    orders.set(text, order);
    given.forEach((found, i) => {
      const wanted = start + i < size ? order.at(start + i) : null;
      if (wanted === found) return;
      if (shoe.playerPlaces) audit.beside.add(`fault of a player: the places of shoe ${shoe.id} are not those of the player's key`);
      audit.fail("cards", `placed.places[${i}]`, wanted, found, { entry, round, ...(shoe.playerPlaces && { severity: "note" }) });
    });
  }
}
