// What the browser says of why hands were paid: a line for each round on standard input; first what it knows of chance.

import { createInterface } from "node:readline";
import { chanceOf, GIVES, meanOf, NEUTRAL } from "../../fairshoe/web/player/chance.ts";
import { reasonsOf } from "../../fairshoe/web/player/reasons.ts";

const hand = (/** @type {Record<string, any>} */ fields) => /** @type {any} */ ({ rules: "casino", options: { packs: 6, insert: 80 }, bets: [10, 10], net: 0, ...fields });
const lucky = chanceOf(Array.from({ length: 100 }, () => hand({ net: 10 })));
const banked = chanceOf(Array.from({ length: 100 }, () => hand({ net: 10, banked: true })));
const few = chanceOf([hand({})]);
const others = [{ packs: 8 }, { packs: 6, soft_17: true }, undefined].map((options) => chanceOf(Array.from({ length: 100 }, () => hand({ options }))));
const tables = [["casino", { packs: 6, insert: 80 }], ["casino", { packs: 8 }], ["casino", { packs: 8, soft_17: true }], ["chinese", { packs: 2, escape: false, free_hand: false }], ["whist", { packs: 6, trumps: 4 }]];
console.log(JSON.stringify({ GIVES, NEUTRAL, lucky, banked, few, others, means: tables.map(([rules, options]) => meanOf(/** @type {string} */ (rules), /** @type {any} */ (options))) }));
for await (const line of createInterface({ input: process.stdin })) {
  const [rules, entry] = JSON.parse(line);
  console.log(JSON.stringify(entry.hands.map((/** @type {any} */ one) => reasonsOf(rules, entry, one))));
}
