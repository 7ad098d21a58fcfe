// The bank: how it is found, passes on, is given or sold.

import { MOST_CHIPS, seconds } from "../forms.ts";
import { FIRST_BANK } from "../stages.ts";
import { inDeck } from "./commitments.ts";
import { Asking } from "./placed.ts";
import { decisionsWaited } from "./rounds.ts";
import { sameAccounts } from "./tables.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Chair, Shoe, Table } from "../state.ts";

/** @returns whose turn it is now to have the bank, or to decide about it */
export function bankDue(table: Table): number | undefined {
  if (table.game.bank === "changes") return table.memory.entitled;
  return table.game.bank === "rotates" ? rotation(table) : undefined;
}

/** @returns the next dealer, where the bank has to pass on (rules.md, chinese, "The bank") */
function rotation(table: Table): number | undefined {
  const { options, memory, dealer, bank } = table;
  const holder = table.chairs.get(dealer);
  if (bank !== "house" && holder && table.covers(holder) && ((memory.held ?? 0) < 3 || options.rotation === "fixed"))
    return undefined;
  const back = options.direction === "anticlockwise";
  const left = dealer || memory.after;
  const from = left ?? options.first_dealer;
  const distance = ({ seat }: Chair) => {
    const steps = back ? from - seat : seat - from;
    return steps < 0 || (steps === 0 && left !== undefined) ? steps + 1000 : steps;
  };
  return table.seated
    .filter((chair) => chair.seat !== dealer && table.covers(chair))
    .sort((a, b) => distance(a) - distance(b))[0]?.seat;
}

/** what stands in a bank entry of each reason */
const BANK_FIELDS: Record<string, string[]> = {
  first: ["shoe", "cards"],
  rotation: [],
  change: ["decisions"],
  gift: ["decisions"],
  sale: ["decisions", "price", "chips"],
};

export function bankStep(audit: Audit, entry: Entry, table: Table) {
  const { why, to } = entry;
  const { shoe } = table;
  const unasked = table.chairs.size < 2; // a chair alone has the bank at once
  for (const name of ["shoe", "cards", "decisions", "price", "chips"])
    audit.present("syntax", name, BANK_FIELDS[why].includes(name) && !(unasked && name === "decisions"), entry[name]);
  if (why === "first") {
    if (!shoe || shoe.id !== entry.shoe) return audit.fail("order", "why", "a first banker's shoe that is sealed", why);
    return audit.inOrder(shoe, FIRST_BANK) ? found(audit, table, shoe, entry) : undefined;
  }
  if (shoe && audit.inOrder(shoe) && !shoe.dealt.length && table.bank !== "house")
    audit.fail("order", "kind", "a round, or the end of the shoe", "bank");
  const due = bankDue(table);
  if (why === "rotation") {
    if (table.game.bank !== "rotates") audit.fail("policy", "why", "a bank that rotates", why);
    audit.same("policy", "to", due, to);
    table.memory = { held: 0 };
  } else if (due === undefined || table.game.bank !== "changes")
    audit.fail("policy", "why", "a seat that may have the bank", why);
  else decided(audit, table, due, entry);
  if (!table.chairs.has(to)) audit.fail("policy", "to", "a chair that is taken", to);
  delete table.memory.entitled;
  table.bank = String(to);
  table.settled = audit.at;
  if (!shoe) return;
  shoe.bankMoved = true;
  if (shoe.sealEntry) shoe.stepAt = audit.at;
}

/** @param entry the first black jack decides (PO-04) */
function found(audit: Audit, table: Table, shoe: Shoe, entry: Entry) {
  const { cards = [], to } = entry;
  const seats = shoe.dealtTo.map(({ seat }) => seat);
  audit.inTime(shoe);
  inDeck(audit, shoe, "cards", cards);
  const [lowest, ...others] = seats;
  const order = [...others, lowest];
  const jack = cards.findIndex((card: string) => card === "Js" || card === "Jc");
  const played = audit.same("cards", "cards", cards.length - 1, jack);
  if (shoe.placer) {
    const asking = new Asking(audit, shoe, shoe.placer, entry);
    for (const place of cards.keys()) asking.card(place);
    asking.judge(played);
  } else audit.present("cards", "placed", false, entry.placed);
  audit.same("policy", "to", order[(cards.length - 1) % order.length], to);
  shoe.follow(FIRST_BANK);
  shoe.dealt.push({ entry: audit.index, pos: 0, cards, reshuffles: [] });
  shoe.pos = cards.length;
  [table.memory.entitled, table.bank] = [to, String(to)];
  [table.settled, shoe.stepAt] = [audit.at, audit.at];
}

/** @param entry what the seats decided (PO-37) */
function decided(audit: Audit, table: Table, entitled: number, entry: Entry) {
  const { why, to, price } = entry;
  const decisions: Entry[] = entry.decisions ?? [];
  const [offer, answer] = decisions;
  const refused = answer?.move === "refuse";
  const before = table.accounts();
  const partner = offer?.chosen?.[0];
  const expected: Entry[] = table.chairs.size < 2 ? [] : [{ seat: entitled, move: offer?.move }];
  if (expected.length && (offer?.move === "give" || offer?.move === "sell")) {
    const other = table.chairs.get(partner);
    if (!other || partner === entitled)
      audit.fail("decisions", "decisions[0].chosen", "another chair that is taken", partner);
    expected[0].chosen = [partner];
    expected.push({ seat: partner, move: refused ? "refuse" : "agree" });
    if (offer.move === "sell") {
      expected[0].amount = offer.amount ?? 1;
      if (!refused) expected[1].amount = expected[0].amount;
      const most = highestPrice(table, before[entitled] ?? 0, other?.chips ?? 0);
      if (!offer.amount || offer.amount > most) audit.fail("decisions", "decisions[0].amount", most, offer.amount);
    }
  } else if (expected.length) expected[0].move = "accept";
  audit.same(
    "decisions",
    "decisions",
    expected,
    decisions.map(({ by, at, ...choice }) => choice),
  );
  for (const { move, by } of decisions)
    if (by && move !== "accept" && move !== "refuse")
      audit.fail("decisions", "decisions", "what the table decides by itself", move);
  const name = expected.length < 2 || refused ? "change" : offer.move === "sell" ? "sale" : "gift";
  audit.same("policy", "why", name, why);
  audit.same("policy", "to", name === "change" ? entitled : partner, to);
  if (name === "sale") {
    audit.same("policy", "price", offer.amount, price);
    const [seller, buyer] = [table.chairs.get(entitled), table.chairs.get(partner)];
    if (seller && buyer) [seller.chips, buyer.chips] = [seller.chips + offer.amount, buyer.chips - offer.amount];
    sameAccounts(audit, table, { ...entry, chips: entry.chips ?? {} }, before, []);
  }
  if (table.shoe && table.game.many)
    audit.mustNotDelay(table.settled + seconds(decisions.length * table.policy.decision));
  decisionsWaited(audit, table, { ...entry, decisions }, table.settled);
}

/**
 * @returns so that the buyer covers the lowest bet even then (PO-38), and the seller's account keeps its bound (GE-14)
 */
const highestPrice = ({ lowest, game }: Table, seller: number, buyer: number): number =>
  Math.min(buyer - lowest * game.cover, MOST_CHIPS - seller);
