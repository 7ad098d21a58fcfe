// Plays rounds from a file of JSON: a line of JSON for each, with its hands (outcome, what was won, what was short), or who is
// asked for what after its last decision, or the number of the decision that is refused.
import { readFileSync } from "node:fs";

import { GAMES } from "../../../fairshoe/web/verifier/games.ts";
import { Round, Wrong } from "../../../fairshoe/web/verifier/games/round.ts";

for (const { game, chips, shoe, ...more } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const round = new Round({ ...more, chips: new Map(chips), pos: 0, size: shoe, shoe, burns: false });
  try {
    GAMES[game].play(round);
    const whole = round.asked === round.decisions.length && round.cards.length === round.logged.length;
    const hands = round.hands.map(({ outcome, net, insurance, short }) => [outcome, net + insurance, short]);
    console.log(JSON.stringify(whole ? { hands } : { refused: round.asked }));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const { seat, moves } = error.expected ?? {};
    console.log(JSON.stringify(round.asked === round.decisions.length && moves ? { asked: [seat, [...moves].sort()] } : { refused: round.asked }));
  }
}
