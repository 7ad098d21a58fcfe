// What was paid after a round, and why, in words with the clause of the rules.

import { reasonsOf } from "../player/reasons.mjs";
import { chipsOf, make, say } from "./build.mjs";
import { nameOf, outcomeWord } from "./felt.mjs";

/** @typedef {Record<string, any>} Form @typedef {import("../player/types.mjs").TableState} TableState */

/** @param {string} rules @param {Form} entry a `round` @param {Form} hand of it @returns {string} "20 beats the dealer’s 18 (CA-32)" */
export function whyOf(rules, entry, hand) {
  return reasonsOf(rules, entry, hand).map(({ say: key, clause, values }) => `${say(`why.${key}`, values)} (${clause})`).join(" · ");
}

/** A line for each hand of the last round, mine first. @param {TableState} state @returns {{text: string, line: HTMLElement}[]} */
export function paidLines(state) {
  const { last, rules, you } = state;
  if (!last) return [];
  const mine = (/** @type {Form} */ { seat }) => Number(seat === you?.seat);
  return [...last.hands].sort((a, b) => mine(b) - mine(a)).map((/** @type {Form} */ hand) => {
    const insurance = hand.insured ? `, ${say("paid.insurance", { net: chipsOf(hand.insurance, { sign: true }) })}` : "";
    const text = say("paid", { who: nameOf(state, hand.seat), outcome: outcomeWord(hand.outcome), net: chipsOf(hand.net, { sign: true }) }) + insurance;
    const why = whyOf(rules, last, hand);
    return { text: `${text}: ${why}`, line: make("li", {}, mine(hand) ? make("b", {}, text) : text, " ", make("small", {}, why)) };
  });
}
