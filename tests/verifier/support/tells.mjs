// Tells what it is given: each argument is JSON, `file` and `receipt` paths, `key` and `round` texts; for each a line of
// JSON with what the page would say of it.
import { readFileSync } from "node:fs";

import { tell } from "../../../fairshoe/verifier/telling/tell.mjs";

const bytesOf = (path) => (path ? new Uint8Array(readFileSync(path)) : null);

for (const given of process.argv.slice(2).map((text) => JSON.parse(text))) {
  const { what, verdict, says, steps, scene, log } = await tell({ ...given, file: bytesOf(given.file), receipt: bytesOf(given.receipt) });
  const cards = scene?.seats.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards)) ?? [];
  const down = cards.filter((card) => card.down && card.turned === null).length;
  const failed = steps.find(({ status }) => status === "fail") ?? null;
  const statuses = Object.fromEntries(steps.map(({ id, status }) => [id, status]));
  const you = scene?.seats.find((seat) => seat.you)?.player ?? null;
  console.log(JSON.stringify({ what, verdict, says, steps: statuses, cards: cards.length, down, failed, you, rounds: log?.rounds ?? null }));
}
