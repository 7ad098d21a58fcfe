// boxes: seven betting places against the operator (rules.md, section 6).

import { FRENCH } from "../cards.ts";
import { playDealt } from "./round.ts";
import type { Game } from "../games.ts";

export const boxes: Game = {
  deck: FRENCH,
  even: true,
  cover: 1,
  boxes: 7,
  options: { packs: [4, 8], minimum: [2], maximum: ["minimum"] },
  chairs: () => [1, 7],
  draws: () => ({}),
  play(round) {
    round.deal(true); // BX-08, BX-30
    for (const hand of [...round.hands]) {
      const [left, right] = round.valuesOf(hand.cards);
      const more = round.covers(hand) ? ["double", ...(left === right ? ["split"] : [])] : []; // BX-20, BX-15
      if (!hand.natural) playDealt(round, hand, ["hit", "stand", ...more]);
    }
    round.settleNaturals(); // BX-09: found only now; BX-24, BX-29, BX-32
    round.finish(false); // BX-11, BX-34
  },
};
