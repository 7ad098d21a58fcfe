// The bank: how it is found, passes on, is given or sold.

import { seconds } from "../times.mjs";
import { sameAccounts } from "./tables.mjs";

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry */
/** @typedef {import("../state.mjs").Table} Table @typedef {import("../state.mjs").Chair} Chair @typedef {import("../state.mjs").Shoe} Shoe */

/** @param {Table} table @returns {number | undefined} whose turn it is now to have the bank, or to decide about it */
export function bankDue(table) {
  if (table.game.name === "pontoon") return table.memory.entitled;
  return table.game.name === "chinese" ? rotation(table) : undefined;
}

/** @param {Table} table @returns {number | undefined} the next dealer, where the bank has to pass on (rules.md, chinese, "The bank") */
function rotation(table) {
  const { options, memory, dealer, bank } = table;
  const holder = table.chairs.get(dealer);
  if (bank !== "house" && holder && table.canBet(holder) && ((memory.held ?? 0) < 3 || options.rotation === "fixed")) return undefined;
  const back = options.direction === "anticlockwise";
  const left = dealer || memory.after;
  const from = left ?? options.first_dealer;
  const distance = (/** @type {Chair} */ { seat }) => {
    const steps = back ? from - seat : seat - from;
    return steps < 0 || (steps === 0 && left !== undefined) ? steps + 1000 : steps;
  };
  return table.seated.filter((chair) => chair.seat !== dealer && table.canBet(chair)).sort((a, b) => distance(a) - distance(b))[0]?.seat;
}

/** @type {Record<string, string[]>} what stands in a bank entry of each reason */
const BANK_FIELDS = { first: ["shoe", "cards"], rotation: [], change: ["decisions"], gift: ["decisions"], sale: ["decisions", "price", "chips"] };

/** @param {Audit} audit @param {Entry} entry */
export function bankStep(audit, entry) {
  const table = audit.table(entry.table);
  if (!table) return;
  const { why, to } = entry;
  const [shoe] = table.inPlay;
  for (const name of ["shoe", "cards", "decisions", "price", "chips"]) audit.present("syntax", name, BANK_FIELDS[why].includes(name), entry[name]);
  if (why === "first") {
    const ready = shoe?.first && shoe.sealed && !shoe.firstFound && shoe.id === entry.shoe;
    return ready ? found(audit, table, shoe, entry) : audit.fail("order", "why", "a first banker's shoe that is sealed", why);
  }
  if (shoe && (shoe.first || shoe.betting || (!shoe.dealt.length && table.bank !== "house"))) audit.fail("order", "kind", "the end of the round, or of the shoe", "bank");
  const due = bankDue(table);
  if (why === "rotation") {
    if (table.game.name !== "chinese") audit.fail("policy", "why", "a bank that rotates", why);
    audit.same("policy", "to", due, to);
    table.memory = { held: 0 };
  } else if (due === undefined || table.game.name !== "pontoon") audit.fail("policy", "why", "a seat that may have the bank", why);
  else decided(audit, table, due, entry);
  if (!table.chairs.has(to)) audit.fail("policy", "to", "a chair that is taken", to);
  delete table.memory.entitled;
  table.bank = String(to);
  if (shoe) shoe.bankMoved = true;
}

/** @param {Audit} audit @param {Table} table @param {Shoe} shoe @param {Entry} entry the first black jack decides (PO-04) */
function found(audit, table, shoe, entry) {
  const { cards = [], to } = entry;
  const seats = table.seated.filter((chair) => shoe.roster.includes(chair.player) && shoe.chairs.get(chair.seat) === chair && table.canBet(chair)).map((chair) => chair.seat);
  audit.mustNotDelay(shoe.sealedAt, 0);
  const [lowest, ...others] = seats;
  const order = [...others, lowest];
  const jack = cards.findIndex((/** @type {string} */ card) => card === "Js" || card === "Jc");
  audit.same("cards", "cards", cards.length - 1, jack);
  audit.same("policy", "to", order[(cards.length - 1) % order.length], to);
  shoe.firstFound = true;
  shoe.dealt.push({ entry: audit.index, pos: 0, cards, reshuffles: [] });
  shoe.pos = cards.length;
  [table.memory.entitled, table.bank] = [to, String(to)];
  table.lastRound = audit.at;
}

/** @param {Audit} audit @param {Table} table @param {number} entitled @param {Entry} entry what the seats decided (PO-37) */
function decided(audit, table, entitled, entry) {
  const { why, to, decisions = [], price } = entry;
  const [offer, answer] = decisions;
  const refused = answer?.move === "refuse";
  const before = table.accounts();
  const partner = offer?.chosen?.[0];
  /** @type {Entry[]} */
  const expected = [{ seat: entitled, move: offer?.move }];
  if (offer?.move === "give" || offer?.move === "sell") {
    const other = table.chairs.get(partner);
    if (!other || partner === entitled) audit.fail("decisions", "decisions[0].chosen", "another chair that is taken", partner);
    expected[0].chosen = [partner];
    expected.push({ seat: partner, move: refused ? "refuse" : "agree" });
    if (offer.move === "sell") {
      expected[0].amount = offer.amount ?? 1;
      if (!refused) expected[1].amount = expected[0].amount;
      if (!offer.amount || offer.amount > (other?.chips ?? 0)) audit.fail("decisions", "decisions[0].amount", other?.chips, offer.amount);
    }
  } else if (offer?.move !== "accept") expected[0].move = "accept";
  if (offer?.by) (offer.move === "accept" ? expected[0] : {}).by = "table";
  if (answer?.by && refused && expected[1]) expected[1].by = "table";
  audit.same("decisions", "decisions", expected, decisions);
  const name = expected.length === 1 || refused ? "change" : offer.move === "sell" ? "sale" : "gift";
  audit.same("policy", "why", name, why);
  audit.same("policy", "to", name === "change" ? entitled : partner, to);
  if (name === "sale") {
    audit.same("policy", "price", offer.amount, price);
    const [seller, buyer] = [table.chairs.get(entitled), table.chairs.get(partner)];
    if (seller && buyer) [seller.chips, buyer.chips] = [seller.chips + offer.amount, buyer.chips - offer.amount];
    sameAccounts(audit, table, { ...entry, chips: entry.chips ?? {} }, before, []);
  }
  let limits = 0;
  for (const { seat, by } of decisions) {
    const chair = table.chairs.get(seat);
    if (by && (!chair || chair.missed < 2)) limits += 1;
    if (chair && by) chair.missed += 1;
    else chair?.acts(audit.at);
  }
  audit.mustNotDelay(table.lastRound, seconds(decisions.length * table.policy.decision));
  if (limits) audit.mustHaveWaited(table.lastRound, seconds(limits * table.policy.decision), "decisions");
}
