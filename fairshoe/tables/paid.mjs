// What was paid after a round, and why, in words with the clause of the rules.

import { reasonsOf } from "../player/reasons.mjs";
import { chipsOf, make, say } from "./build.mjs";
import { inBoxes, nameOf, outcomeWord } from "./felt.mjs";

/** @typedef {Record<string, any>} Form @typedef {import("../player/types.mjs").TableState} TableState */

/** @param {string} rules @param {Form} entry a `round` @param {Form} hand of it @returns {string} "20 beats the dealer’s 18 (CA-32)" */
export function whyOf(rules, entry, hand) {
  return reasonsOf(rules, entry, hand).map(({ say: key, clause, values }) => `${say(`why.${key}`, values)} (${clause})`).join(" · ");
}

/** @param {string} who @param {Form} hand of a `round` @returns {string} "Bob: wins +10" */
export function resultOf(who, { outcome, net, insured, insurance }) {
  const more = insured ? `, ${say("paid.insurance", { net: chipsOf(insurance, { sign: true }) })}` : "";
  return say("paid", { who, outcome: outcomeWord(outcome), net: chipsOf(net, { sign: true }) }) + more;
}

/** A line for each hand of the last round, mine first. @param {TableState} state @returns {{text: string, line: HTMLElement}[]} */
export function paidLines(state) {
  const { last, rules, you } = state;
  if (!last) return [];
  const mine = (/** @type {Form} */ { seat }) => Number(seat === you?.seat);
  const boxed = inBoxes(last.hands);
  return [...last.hands].sort((a, b) => mine(b) - mine(a)).map((/** @type {Form} */ hand) => {
    const text = resultOf(nameOf(state, hand.seat) + (boxed ? `, ${say("box", { box: hand.box ?? hand.seat })}` : ""), hand);
    const why = whyOf(rules, last, hand);
    return { text: `${text}: ${why}`, line: make("li", {}, mine(hand) ? make("b", {}, text) : text, " ", make("small", { title: say("game.clause") }, why)) };
  });
}
