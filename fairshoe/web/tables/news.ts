// What the table tells between two rounds: who banks now, how the last shoe ended; each with the clause of the rules.

import { make, say, smallCard } from "./build.ts";
import { rulesLink } from "./facts.ts";
import { nameOf } from "./felt.ts";
import type { TableState } from "../player/types.ts";

/** The clause by which the bank moves, by the `why` of a `bank` entry. */
const BANK_CLAUSES: Record<string, string> = {
  first: "PO-04",
  change: "PO-33",
  gift: "PO-37",
  sale: "PO-37",
  rotation: "CH-03",
};
/** The clause by which a shoe is worn out. */
const WORN_CLAUSES: Record<string, string> = {
  banker: "BK-07",
  boxes: "BX-05",
  casino: "CA-07",
  chinese: "CH-47",
  lounge: "LO-10",
  pontoon: "PO-08",
};

const told = (state: TableState, text: string, clause: string = "") =>
  clause
    ? make("p", {}, text.slice(0, -1), " (", rulesLink(state.table, clause, clause), ")", text.slice(-1))
    : make("p", {}, text);

export function newsOf(state: TableState): HTMLElement[] {
  const { moved, ended, last, shoe, round, rules, phase } = state;
  const news = [];
  if (moved && !round && moved.at > (last?.at ?? "")) {
    const values = { who: nameOf(state, moved.to), price: moved.price ?? 0 };
    const why = last || ["first", "gift", "sale"].includes(moved.why) ? moved.why : "now"; // before the first round the bank only begins
    news.push(told(state, say(`banks.${why}`, values), BANK_CLAUSES[why]));
    const { move, seat } = moved.decisions?.[1] ?? {};
    if (move === "refuse") news.push(told(state, say("banks.refused", { who: nameOf(state, seat) })));
    if (moved.cards) news.push(make("ul.drawn", {}, ...drawn(state, moved)));
  }
  const found = moved?.shoe && moved.shoe === ended?.shoe; // its bank is told above
  if (ended && !found && (!shoe || (phase === "hash" && ended.kind !== "reveal"))) {
    const worn = rules === "casino" ? "insert" : rules === "pontoon" ? "worn" : "round";
    const why = ended.why === "worn" ? worn : (ended.why ?? ended.kind);
    const clause = ended.why === "worn" ? WORN_CLAUSES[rules] : ended.why === "bank" ? BANK_CLAUSES.change : "";
    news.push(told(state, say(`ended.${why}`), clause));
  }
  return news;
}

/** The cards that were dealt to find the first banker, by chair: the last one is the banker's. */
function drawn(state: TableState, { cards, chairs, to }: Record<string, any>) {
  const order: number[] = [...chairs].sort((a, b) => a - b);
  const from = order.indexOf(to) - cards.length + 1;
  const seatOf = (i: number) => order[(((from + i) % order.length) + order.length) % order.length];
  return order.map((seat) => {
    const own = cards.filter((_: string, i: number) => seatOf(i) === seat);
    return make(
      "li",
      {},
      make("b", {}, nameOf(state, seat)),
      ": ",
      ...own.flatMap((one: string) => [smallCard(one), " "]),
    );
  });
}
