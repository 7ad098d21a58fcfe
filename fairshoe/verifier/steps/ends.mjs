// The end of a shoe: revealed, void or lost.

import { must } from "../limits.mjs";
import { sha256Hex } from "../sha256.mjs";
import { HOUR, seconds } from "../times.mjs";
import { cardsOf } from "./cards.mjs";
import { nextToOpen } from "./roster.mjs";
import { liveBet, owe, settled } from "./shoes.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry */
/** @typedef {import("../state.mjs").Table} Table @typedef {import("../state.mjs").Shoe} Shoe */

/** @param {Audit} audit @param {Shoe} shoe @param {string} key */
function keyFits(audit, shoe, key) {
  return audit.same("commitment", "key", shoe.commitment, sha256Hex(key));
}

/** @param {Audit} audit @param {Shoe} shoe it is over */
function over(audit, shoe) {
  const { table } = shoe;
  audit.shoes.delete(shoe.id);
  audit.ended += 1;
  if (!table) return;
  table.inPlay = table.inPlay.filter((one) => one !== shoe);
  table.ended = audit.at;
  const [next] = table.inPlay;
  if (next?.hashes.size) next.stepAt = Math.max(next.stepAt, audit.at);
}

/** @param {Audit} audit @param {Entry} entry */
export function revealStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  const { table } = shoe;
  const unplayed = table && !audit.partial && (table.game.many ? shoe.betting : !shoe.dealt.length);
  if (!shoe.sealed || unplayed) audit.fail("order", "kind", "a sealed shoe, and no open round", "reveal");
  audit.same("shuffle", "draws", Object.keys(shoe.draws).sort(), Object.keys(entry.draws));
  if (shoe.sealed && keyFits(audit, shoe, entry.key)) cardsOf(audit, shoe, entry);
  if (table && !(audit.partial && table.game.many)) {
    audit.same("cards", "end", shoe.pos, entry.end);
    const why = whyEnded(audit, table, shoe, entry);
    const now = why === "worn" || why === "bank";
    audit.mustNotDelay(now ? shoe.stepAt : shoe.sealedAt, now ? 0 : seconds(table.policy.shoe));
    if (why !== entry.why) audit.fail("policy", "why", why ?? "no end yet", entry.why);
  } else if (!table) {
    if (entry.end > shoe.size) audit.fail("cards", "end", shoe.size, entry.end);
    audit.mustNotDelay(shoe.sealedAt, seconds(shoe.policy.shoe));
    const old = audit.at >= shoe.sealedAt + seconds(shoe.policy.shoe);
    if (entry.why !== "worn" && !(entry.why === "age" && old)) audit.fail("policy", "why", "worn", entry.why);
  }
  const dealer = table?.chairs.get(table.dealer);
  if (table?.game.name === "pontoon" && dealer && !table.canBet(dealer)) table.bank = "house"; // PO-38
  over(audit, shoe);
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry @returns {string | undefined} the first reason that counts */
function whyEnded(audit, table, shoe, entry) {
  const { many, name } = table.game;
  if (!many || shoe.firstFound) return "worn";
  if (shoe.first) return undefined;
  const gathered = shoe.dealt.at(-1)?.reshuffles.length;
  const behind = name === "casino" ? table.options.insert + (shoe.drawn.insert ?? entry.draws.insert) : 0; // CA-06, CA-07, PO-09
  if (name === "casino") {
    shoe.dealt.forEach(({ pos }, i) => {
      const last = shoe.dealt[i - 1];
      if (last && pos >= shoe.size - behind) audit.fail("policy", "kind", "a reveal: worn", "open", { entry: last.entry, round: last.round });
    });
  }
  if (gathered || shoe.pos >= shoe.deckSize - behind) return "worn";
  if (shoe.bankMoved) return "bank";
  if (audit.at >= shoe.sealedAt + seconds(table.policy.shoe)) return "age";
  const parts = table.seated.filter((chair) => (shoe.hasPart(chair) || shoe.waived.has(chair)) && !table.banks(chair));
  const idle = Math.max(shoe.bettingSince, audit.started) + HOUR <= audit.at;
  const gone = table.closed && parts.every((chair) => Math.max(chair.acted, audit.started, table.closed) + HOUR <= audit.at);
  return !parts.length || idle || gone ? "left" : undefined;
}

/** @param {Audit} audit @param {Entry} entry */
export function voidStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  const { table, betting } = shoe;
  const { why, by } = entry;
  const remains = betting?.bets.some(({ seat }) => liveBet(shoe, seat));
  const lacks = audit.partial && by === undefined && shoe.hashes.size > 0 && !table?.game.many && remains;
  must(!lacks, "entries", "the lapses that make the shoe void");
  keyFits(audit, shoe, entry.key);
  if (shoe.sealed) audit.fail("order", "kind", "a reveal", "void");
  audit.same("order", "round", betting?.round, entry.round);
  if (why !== "seed" && why !== "reshuffle") audit.same("policy", "by", undefined, by);
  if (!audit.partial || why === "seed") WHY[why](audit, shoe, entry);
  if (why !== "seed" && shoe.opening) audit.fail("policy", "why", "no void after the opening began but for a seed", why);
  if (table && (why === "idle" || why === "age")) settled(table, shoe.id);
  if (table && why === "seed") table.seedVoid = true;
  over(audit, shoe);
}

/** @type {Record<string, (audit: Audit, shoe: Shoe, entry: Entry) => void>} */
const WHY = {
  seed(audit, shoe, { by }) {
    const { table, betting, waiting } = shoe;
    if (by === undefined) {
      const remains = betting?.bets.some(({ seat }) => liveBet(shoe, seat));
      if (!table || table.game.many || !betting || remains || !shoe.struck.size) audit.fail("policy", "by", "whose seed is missing", null);
      return;
    }
    if (shoe.sole ? !betting : !(table ? shoe.opening : shoe.hashes.size)) audit.fail("policy", "why", "a shoe that is being opened", "seed");
    if (!shoe.sole && !shoe.seeds.size && waiting.length > 1) audit.fail("policy", "why", "a lapse", "seed");
    const next = shoe.sole ? shoe.roster : audit.partial && table ? waiting : [nextToOpen(shoe)];
    if (!next.includes(by)) audit.fail("contributions", "by", next, by);
    audit.mustHaveWaited(shoe.stepAt, seconds(shoe.policy.seed), "by");
    audit.mustNotDelay(shoe.stepAt, seconds(shoe.policy.seed));
    const hash = shoe.hashes.get(by);
    if (table && hash) owe(table, by, shoe.id, hash);
    table?.lapses.delete(by);
  },
  reshuffle(audit, { table }, { by }) {
    const chair = table?.chairOf(by);
    if (!table || !chair) return audit.fail("policy", "by", "somebody who sits", by);
    if (table.asked.has(chair.seat) && table.chairs.size > 1) audit.fail("policy", "by", "each chair once between two seals", by);
    table.asked.add(chair.seat);
    chair.acts(audit.at);
  },
  close(audit, { table }) {
    if (!table?.closed) audit.fail("policy", "why", "a table that was closed", "close");
  },
  bank(audit, shoe) {
    const { table, chairs } = shoe;
    const seat = [...chairs.keys()].find((one) => table?.chairs.get(one) !== chairs.get(one));
    if (!table || seat === undefined || (table.bank !== "house" && !shoe.bankMoved) || table.lounge) audit.fail("policy", "why", "a banker who left", "bank");
  },
  idle(audit, shoe) {
    const { table, roster, hashes, policy } = shoe;
    const sits = (/** @type {string} */ player) => table?.chairOf(player) !== undefined && !shoe.struck.has(player);
    const who = shoe.sole || !hashes.size ? roster : [...hashes.keys()];
    if (table && !who.some(sits)) return;
    if (table && shoe.first && !table.seated.some((chair) => roster.includes(chair.player) && table.canBet(chair))) return;
    const waits = (/** @type {string} */ player) => (table?.chairOf(player)?.missed ?? 0) < 2;
    if (!who.some(waits)) return;
    const bets = table && !table.game.many && (shoe.sole || hashes.size > 0);
    if (!bets && hashes.size) return audit.fail("policy", "why", "nobody who sits", "idle");
    const since = bets ? Math.max(shoe.sole ? shoe.at : shoe.stepAt, table.ended) : shoe.at;
    const wait = seconds(bets ? policy.bet : policy.hash);
    audit.mustHaveWaited(since, wait, "why");
    audit.mustNotDelay(since, wait);
  },
  age(audit, shoe) {
    if (audit.at < shoe.at + seconds(shoe.policy.shoe)) audit.fail("policy", "why", "no end yet", "age");
  },
};

/** @param {Audit} audit @param {Entry} entry */
export function lostStep(audit, entry) {
  const shoe = audit.shoe(entry);
  audit.fail("completeness", "kind", "the end of the shoe", "lost");
  if (!shoe) return;
  if (entry.key !== undefined) keyFits(audit, shoe, entry.key);
  if (shoe.table) shoe.table.lost = true;
  audit.same("order", "round", shoe.betting?.round, entry.round);
  over(audit, shoe);
}
