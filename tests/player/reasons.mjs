// What the browser says of why hands were paid: a line for each round on standard input; first what it knows of chance.

import { createInterface } from "node:readline";
import { chanceOf, GIVES } from "../../fairshoe/player/chance.mjs";
import { reasonsOf } from "../../fairshoe/player/reasons.mjs";

const hand = (/** @type {Record<string, any>} */ fields) => /** @type {any} */ ({ rules: "casino", bets: [10, 10], net: 0, ...fields });
const lucky = chanceOf(Array.from({ length: 100 }, () => hand({ net: 10 })));
const banked = chanceOf(Array.from({ length: 100 }, () => hand({ net: 10, banked: true })));
const few = chanceOf([hand({})]);
console.log(JSON.stringify({ GIVES, lucky, banked, few }));
for await (const line of createInterface({ input: process.stdin })) {
  const [rules, entry] = JSON.parse(line);
  console.log(JSON.stringify(entry.hands.map((/** @type {any} */ one) => reasonsOf(rules, entry, one))));
}
