// What was paid after a round, and why, in words with the clause of the rules.

import { reasonsOf } from "../player/reasons.ts";
import { chipsOf, make, say } from "./build.ts";
import { rulesLink } from "./facts.ts";
import { bankerOf, inBoxes, nameOf, outcomeWord } from "./felt.ts";
import type { Beside } from "../player/house.ts";
import type { TableState } from "../player/types.ts";

type Form = Record<string, any>;

/**
 * `table`: where it was played; `entry`: a `round`; `hand`: of it; `named`: what the player in a chair is called.
 * Returns "20 beats the dealer’s 18 (CA-32)", the clause as a link to the table's rules.
 */
export function whyOf(
  table: string,
  rules: string,
  entry: Form,
  hand: Form,
  named = (seat: number) => say("seat.number", { seat }),
): (Node | string)[] {
  const banker = bankerOf(entry);
  const who = banker ? ` (${named(banker)})` : "";
  return reasonsOf(rules, entry, hand).flatMap(({ say: key, clause, values }, i) => [
    `${i ? " · " : ""}${say(`why.${key}`, { ...values, who })} (`,
    rulesLink(table, clause, clause),
    ")",
  ]);
}

/** What moved my chips beside the hands. `named`: what a player is called. */
export const movedText = ({ op, amount, other = "" }: Beside["moves"][number], named = (who: string) => who) =>
  say(`moved.${op === "transfer" && amount < 0 ? "given" : op}`, { who: named(other), amount: Math.abs(amount) });

/** `hand`: of a `round`. Returns "Bob: wins +10". */
export function resultOf(who: string, { outcome, net, insured, insurance }: Form): string {
  const more = insured ? `, ${say("paid.insurance", { net: chipsOf(insurance, { sign: true }) })}` : "";
  return say("paid", { who, outcome: outcomeWord(outcome), net: chipsOf(net, { sign: true }) }) + more;
}

/** A line for each hand of the last round, and for the player who banked; mine first. */
export function paidLines(state: TableState): { text: string; line: HTMLElement }[] {
  const { last, rules, you } = state;
  if (!last) return [];
  const mine = ({ seat }: Form) => Number(seat === you?.seat);
  const line = (seat: number, text: string, ...why: (Node | string)[]) => {
    const small = make("small", {}, ...why);
    const name = mine({ seat }) ? make("b", {}, text) : text;
    return { seat, text: why.length ? `${text}: ${small.textContent}` : text, line: make("li", {}, name, " ", small) };
  };
  const boxed = inBoxes(last.hands);
  const boxOf = ({ box, seat }: Form) => (boxed ? `, ${say("box", { box: box ?? seat })}` : "");
  const lines = last.hands.map((hand: Form) =>
    line(
      hand.seat,
      resultOf(nameOf(state, hand.seat) + boxOf(hand), hand),
      ...whyOf(state.table, rules, last, hand, (seat) => nameOf(state, seat)),
    ),
  );
  const banker = bankerOf(last);
  const won = -last.hands.reduce((sum: number, { net, insurance = 0 }: Form) => sum + net + insurance, 0);
  const values = { who: nameOf(state, banker), outcome: say("seat.bank"), net: chipsOf(won, { sign: true }) };
  if (banker) lines.push(line(banker, say("paid", values)));
  return lines.sort((a: Form, b: Form) => mine(b) - mine(a));
}

/** What the table's time limit decided for me in the last round. */
export function decidedByLimit({ last, you }: TableState): HTMLElement | null {
  const mine = (last?.decisions ?? []).filter(({ seat, by }: Form) => by === "table" && seat === you?.seat);
  const moves = mine.map(({ move }: Form) => say(`move.${move}`)).join(", ");
  return moves ? make("p", { "data-limit": mine.length }, say("paid.limit", { moves })) : null;
}
