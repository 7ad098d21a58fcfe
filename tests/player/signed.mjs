// What the browser's core makes of a table's entries: a line of traces for each list of entries on standard input.

import { createInterface } from "node:readline";
import { isOpening, isSealed, SignedTable } from "../../fairshoe/web/player/signed-table.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const [opened, ...entries] = JSON.parse(line);
  const table = new SignedTable(opened);
  console.log(JSON.stringify(entries.map((/** @type {Record<string, any>} */ entry) => {
    table.take(entry);
    const { shoe, chairs, newcomers, ended, open } = table;
    const sitting = [...chairs].map(([seat, { player, taken }]) => [seat, player, taken]).sort(([a], [b]) => Number(a) - Number(b));
    const ceremony = shoe && [shoe.id, shoe.commitment, shoe.alone, isOpening(shoe), isSealed(shoe), [...shoe.struck].sort(), [...shoe.opened].sort(), table.waitsFor(shoe)];
    return [sitting, [...newcomers].sort(), [...ended].sort(), open && [open.number, open.bets], ceremony];
  })));
}
