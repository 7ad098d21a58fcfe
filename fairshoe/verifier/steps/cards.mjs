// What the key of a shoe shows: its draws, and every card that was dealt from it.

import { fromHex, toHex } from "../bytes.mjs";
import { deckHash } from "../deck.mjs";
import { cardsRoot } from "../openings.mjs";
import { Shuffle, drawNamed } from "../shuffle.mjs";
import { reshuffled, transcript } from "../transcript.mjs";
import { deckOf } from "./commitments.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry @typedef {import("../state.mjs").Shoe} Shoe */

const MOST_ORDERED = 8388608; // cards of all shoes, and 256 for each entry (log.md, "Bounds")

/** @param {Audit} audit @param {Shoe} shoe @param {Entry} entry every card that was dealt, in the order that the key gives */
export function cardsOf(audit, shoe, entry) {
  const { labels: deck, hash } = deckOf(audit, shoe);
  if (deck.length !== shoe.size) return;
  if (shoe.table || shoe.root !== undefined) audit.ordered += deck.length;
  if (audit.ordered > MOST_ORDERED + 256 * audit.index) return audit.fail("cards", "bound", MOST_ORDERED, audit.ordered);
  const key = fromHex(entry.key);
  const { commitment, id } = shoe;
  const seeds = shoe.roster.filter((player) => shoe.seeds.has(player)).map((player) => /** @type {[string, Uint8Array]} */ ([player, fromHex(shoe.seeds.get(player) ?? "")]));
  let text = transcript({ shoe: id, deck, commitment, seeds, beacon: shoe.randomness, hash });
  for (const [name, bound] of Object.entries(shoe.draws)) {
    shoe.drawn[name] = drawNamed(key, text, name, bound);
    audit.same("shuffle", `draws.${name}`, shoe.drawn[name], entry.draws[name]);
  }
  const cut = shoe.cut?.at ?? shoe.drawn.cut ?? 0;
  if (cut >= deck.length || (!shoe.table && shoe.root === undefined)) return;
  let shuffle = new Shuffle(key, text, deck.length, cut);
  let indexes = deck.map((_, i) => i);
  const at = (/** @type {number} */ pos) => indexes[shuffle.at(pos)];
  if (shoe.burn !== undefined) audit.same("shuffle", "burn", deck[at(0)], shoe.burn, { entry: shoe.sealed });
  if (shoe.root !== undefined) audit.same("shuffle", "cards_root", toHex(cardsRoot(key, text, deck.map((_, pos) => deck[at(pos)]))), shoe.root);
  let k = 0;
  for (const dealt of shoe.dealt) {
    /** @type {Set<number>} */
    const table = new Set();
    let { pos } = dealt;
    let gathered = 0;
    for (let i = 0; i <= dealt.cards.length; i++) {
      for (; dealt.reshuffles[gathered]?.after === i; gathered++) {
        const one = dealt.reshuffles[gathered];
        indexes = deck.map((_, card) => card).filter((card) => !table.has(card));
        if (!indexes.length) return audit.fail("shuffle", "cards", "cards that do not lie on the table", 0, { entry: one.entry });
        const hash = deckHash(indexes.map((card) => deck[card]));
        const where = { entry: one.entry, round: dealt.round };
        audit.same("shuffle", "deck", hash, one.deck, where);
        k += 1;
        text = reshuffled(text, k, indexes.map((card) => deck[card]));
        if (one.cut !== undefined) audit.same("shuffle", "cut", drawNamed(key, text, "cut", indexes.length), one.cut, where);
        shuffle = new Shuffle(key, text, indexes.length, one.cut ?? 0);
        pos = one.burn === undefined ? 0 : 1;
        if (one.burn !== undefined) audit.same("shuffle", "burn", deck[at(0)], one.burn, where);
      }
      if (i === dealt.cards.length) break;
      const card = pos < indexes.length ? at(pos) : -1;
      audit.same("cards", `cards[${i}]`, deck[card] ?? null, dealt.cards[i], { entry: dealt.entry, round: dealt.round });
      table.add(card);
      pos += 1;
    }
  }
}
