// Tells what it is given: each argument is JSON with a path `file` and a text `key`; for each a line of JSON with what the
// page would say of it.
import { readFileSync } from "node:fs";

import { tell } from "../../../fairshoe/verifier/telling/tell.mjs";

for (const { file, key } of process.argv.slice(2).map((text) => JSON.parse(text))) {
  const { verdict, steps, scene } = await tell({ file: new Uint8Array(readFileSync(file)), key });
  const cards = scene?.seats.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards)) ?? [];
  const down = cards.filter((card) => card.down && card.turned === null).length;
  const failed = steps.find(({ status }) => status === "fail") ?? null;
  const statuses = Object.fromEntries(steps.map(({ id, status }) => [id, status]));
  console.log(JSON.stringify({ verdict, steps: statuses, cards: cards.length, down, failed }));
}
