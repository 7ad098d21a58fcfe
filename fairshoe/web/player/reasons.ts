// Why a hand was paid what it was: the rule that settled it, by its clause in docs/rules.md.

import { isNatural, rank, value } from "../verifier/cards.ts";
import { chineseTotal } from "../verifier/games/chinese.ts";

type Form = Record<string, any>;
type Reason = { say: string; clause: string; values: Record<string, string | number> };

/** The clause of each reason. */
const CLAUSES: Record<string, Record<string, string>> = {
  banker: {
    "natural": "BK-14",
    "split-natural": "BK-31",
    "dealer-natural": "BK-13",
    "naturals": "BK-15",
    "bust": "BK-17",
    "dealer-bust": "BK-37",
    "win": "BK-37",
    "lose": "BK-05",
    "push": "BK-06",
    "surrender": "BK-25",
    "insured": "BK-34",
    "uninsured": "BK-35",
  },
  boxes: {
    "natural": "BX-24",
    "dealer-natural": "BX-23",
    "naturals": "BX-32",
    "bust": "BX-25",
    "dealer-bust": "BX-26",
    "win": "BX-28",
    "lose": "BX-28",
    "push": "BX-27",
    "insured": "BX-30",
    "uninsured": "BX-31",
  },
  casino: {
    "natural": "CA-12",
    "dealer-natural": "CA-13",
    "naturals": "CA-14",
    "bust": "CA-16",
    "dealer-bust": "CA-32",
    "win": "CA-32",
    "lose": "CA-32",
    "push": "CA-32",
    "insured": "CA-29",
    "uninsured": "CA-30",
  },
  chinese: {
    "ban-ban": "CH-13",
    "ban-nag": "CH-15",
    "dealer-ban-ban": "CH-14",
    "dealer-ban-nag": "CH-16",
    "specials": "CH-15",
    "escape": "CH-22",
    "free hand": "CH-21",
    "void": "CH-24",
    "5-dragon": "CH-30",
    "dealer-5-dragon": "CH-38",
    "both-bust": "CH-46",
    "dealer-bust": "CH-46",
    "bust": "CH-41",
    "win": "CH-42",
    "lose": "CH-41",
    "push": "CH-42",
    "own-21": "CH-44",
    "dealer-21": "CH-43",
  },
  lounge: {
    "natural": "LO-30",
    "dealer-natural": "LO-28",
    "naturals": "LO-29",
    "bust": "LO-24",
    "dealer-bust": "LO-25",
    "win": "LO-26",
    "lose": "LO-26",
    "equal": "LO-27",
    "short": "LO-06",
  },
  pontoon: {
    "natural": "PO-16",
    "dealer-natural": "PO-14",
    "naturals": "PO-15",
    "bust": "PO-18",
    "dealer-bust": "PO-20",
    "win": "PO-21",
    "lose": "PO-21",
    "equal": "PO-21",
    "five-cards": "PO-25",
    "more-cards": "PO-26",
    "twice": "PO-14",
    "7-7-7": "PO-28",
    "8-7-6": "PO-29",
  },
};

/** Why a hand of a finished round was paid so, with its insurance. `entry`: the `round`; `hand`: of it. */
export function reasonsOf(rules: string, entry: Form, hand: Form): Reason[] {
  const labels = ({ cards }: Form) => cards.map((at: number) => entry.cards[at]);
  const own = labels(hand);
  const house = rules === "chinese" ? shownTo(hand.seat, entry, labels(entry.dealer)) : labels(entry.dealer);
  const dealer = rules === "chinese" ? chineseTotal(house) : entry.dealer.total;
  const values = {
    total: hand.total,
    dealer,
    cards: Number.parseInt(hand.outcome, 10) || own.length,
    pays: ratio(Math.abs(hand.net) + (hand.short ?? 0), hand.bet),
  };
  const split = entry.hands.some(
    (one: Form) => one !== hand && one.seat === hand.seat && (one.box ?? one.seat) === (hand.box ?? hand.seat),
  );
  const told =
    rules === "chinese" ? inChinese(hand, own, dealer, house) : settled(hand, own, entry.dealer, house, split);
  const all = [told];
  if (DOUBLED[rules]?.[told] && Math.abs(hand.net) === 2 * hand.bet) all.push(DOUBLED[rules][told]);
  if (hand.short) all.push("short");
  if (hand.insured) all.push(hand.insurance > 0 ? "insured" : "uninsured");
  return all.map((say) => ({ say, clause: CLAUSES[rules]?.[say] ?? "", values }));
}

/** What takes or pays a bet twice, beside the reason for which it was lost or won: by game and that reason. */
const DOUBLED: Record<string, Record<string, string>> = {
  chinese: { "win": "own-21", "dealer-bust": "own-21", "lose": "dealer-21", "bust": "dealer-21" },
  pontoon: { "dealer-natural": "twice" },
};

/** @returns the dealer's cards of chinese when a seat was revealed, and settled for good (CH-33 to CH-40) */
function shownTo(seat: number, { hands, decisions }: Form, cards: string[]): string[] {
  const chosen = decisions.filter(
    (one: Form) => ["hit", "reveal"].includes(one.move) && !hands.some((hand: Form) => hand.seat === one.seat),
  );
  let count = 2;
  for (;;) {
    const shown = cards.slice(0, count);
    const total = chineseTotal(shown);
    if (total >= 21 || count === cards.length) return shown;
    if (total >= 16) {
      const { move, chosen: seats = [] } = chosen.shift() ?? { move: "reveal" };
      if (move === "reveal" && seats.includes(seat)) return shown;
      if (move === "reveal") continue;
    }
    count += 1;
  }
}

function settled({ outcome, total }: Form, own: string[], dealer: Form, house: string[], split: boolean) {
  if (outcome === "natural") return split ? "split-natural" : "natural";
  if (/^\d+ cards$/.test(outcome)) return outcome === "5 cards" ? "five-cards" : "more-cards";
  if (isNatural(house) && ["push", "lose"].includes(outcome))
    return isNatural(own) && !split ? "naturals" : "dealer-natural";
  if (outcome === "win") return dealer.total > 21 ? "dealer-bust" : "win";
  return outcome === "lose" && total === dealer.total ? "equal" : outcome;
}

function inChinese({ outcome, total }: Form, own: string[], dealer: number, house: string[]) {
  const [mine, theirs] = [specialOf(own), specialOf(house)];
  if (outcome === "push") return mine && theirs ? "specials" : total > 21 ? "both-bust" : "push";
  if (outcome === "win") return dealer > 21 ? "dealer-bust" : "win";
  if (outcome !== "lose") return outcome;
  return theirs ? `dealer-${theirs}` : house.length === 5 && dealer <= 21 ? "dealer-5-dragon" : "lose";
}

function specialOf(labels: string[]) {
  const aces = labels.filter((label) => rank(label) === "A").length;
  if (labels.length !== 2 || !aces) return "";
  return aces === 2 ? "ban-ban" : labels.some((label) => value(label) === 10) ? "ban-nag" : "";
}

/** @returns as rules say it: 3:2 */
const ratio = (net: number, bet: number): string => (net % bet ? `${(2 * net) / bet}:2` : `${net / bet}:1`);
