// boxes: seven betting places against the operator (rules.md, section 6).

import { isNatural, value } from "../cards.mjs";
import { playDealt } from "./round.mjs";
/** @typedef {import("./round.mjs").Round} Round */

export const boxes = {
  name: "boxes",
  many: false,
  even: true,
  cover: 1,
  options: { packs: [4, 8], minimum: [2], maximum: ["minimum"] },
  /** @returns {[number, number]} */
  chairs: () => [1, 7],
  draws: () => ({}),

  /** @param {Round} round */
  play(round) {
    round.deal(); // BX-08
    round.insure(true); // BX-30
    round.markNaturals();
    for (const hand of [...round.hands]) {
      const [left, right] = round.labels(hand.cards).map(value);
      const more = round.covers(hand) ? ["double", ...(left === right ? ["split"] : [])] : []; // BX-20, BX-15
      if (!hand.natural) playDealt(round, hand, ["hit", "stand", ...more]);
    }
    const house = isNatural(round.labels(round.bank)); // BX-09: found only now
    round.settleInsurance(house);
    round.settleNaturals(house); // BX-24, BX-29, BX-32
    if (round.open.length) round.drawTo17(false); // BX-11, BX-34
    round.compare("push");
  },
};
