// What was paid after a round, and why, in words with the clause of the rules.

import { reasonsOf } from "../player/reasons.ts";
import { chipsOf, make, say } from "./build.ts";
import { rulesLink } from "./facts.ts";
import { bankerOf, inBoxes, nameOf, outcomeWord } from "./felt.ts";
import type { TableState } from "../player/types.ts";

type Form = Record<string, any>;

/**
 * @param table where it was played
 * @param entry a `round`
 * @param hand of it
 * @param named what the player in a chair is called
 * @returns "20 beats the dealer’s 18 (CA-32)", the clause as a link to the table's rules
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

/**
 * @param hand of a `round`
 * @returns "Bob: wins +10"
 */
export function resultOf(who: string, { outcome, net, insured, insurance }: Form): string {
  const more = insured ? `, ${say("paid.insurance", { net: chipsOf(insurance, { sign: true }) })}` : "";
  return say("paid", { who, outcome: outcomeWord(outcome), net: chipsOf(net, { sign: true }) }) + more;
}

/** A line for each hand of the last round, mine first. */
export function paidLines(state: TableState): { text: string; line: HTMLElement }[] {
  const { last, rules, you } = state;
  if (!last) return [];
  const mine = ({ seat }: Form) => Number(seat === you?.seat);
  const boxed = inBoxes(last.hands);
  return [...last.hands]
    .sort((a, b) => mine(b) - mine(a))
    .map((hand: Form) => {
      const text = resultOf(
        nameOf(state, hand.seat) + (boxed ? `, ${say("box", { box: hand.box ?? hand.seat })}` : ""),
        hand,
      );
      const why = make("small", {}, ...whyOf(state.table, rules, last, hand, (seat) => nameOf(state, seat)));
      return {
        text: `${text}: ${why.textContent}`,
        line: make("li", {}, mine(hand) ? make("b", {}, text) : text, " ", why),
      };
    });
}

/** What the table's time limit decided for me in the last round. */
export function decidedByLimit({ last, you }: TableState): HTMLElement | null {
  const mine = (last?.decisions ?? []).filter(({ seat, by }: Form) => by === "table" && seat === you?.seat);
  const moves = mine.map(({ move }: Form) => say(`move.${move}`)).join(", ");
  return moves ? make("p", { "data-limit": mine.length }, say("paid.limit", { moves })) : null;
}
