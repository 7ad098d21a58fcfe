// Plays games that Python made, with the npm package: what comes of each step, and its own JSON, go back to Python.
import { readFileSync } from "node:fs";
import { FairshoeError, Opening, commit, fromHex, keep, resume, toHex, verify } from "../../fairshoe/web/game/fairshoe.ts";

const { secret: secretHex, games } = JSON.parse(readFileSync(0, "utf8"));
const secret = fromHex(secretHex);

/** @param {any} state */
const known = ({ commitment, cut, pledges, opens }) => [commitment, cut, pledges, opens];

/** @param {{ begin: any, steps: any[], proof: string }} game */
async function play({ begin, steps, proof }) {
  const { key, shoe: name, deck, draws } = begin;
  /** @type {any} */
  let shoe = commit(name, deck, { draws, key: fromHex(key) });
  const [found, kept, openings] = [[], [], []];
  /** @type {Record<string, (...given: any[]) => any>} */
  const acts = {
    resume: async (data) => {
      kept.push([found.length, toHex(await keep(shoe, secret))]);
      shoe = await resume(fromHex(data), secret);
      return shoe.constructor.name;
    },
    contribute: (who, seed) => shoe.contribute(who, fromHex(seed)),
    known: () => known(shoe),
    seal: (cut) => {
      shoe = shoe.seal({ cut: cut ?? undefined });
      return [shoe.transcript, shoe.cardsRoot];
    },
    open: (pos) => {
      const opening = Opening.fromJSON(JSON.stringify(shoe.open(pos)));
      opening.verify(shoe.cardsRoot);
      openings.push([opening, shoe.cardsRoot]);
      return opening;
    },
    reshuffle: (gathered, cut) => shoe.reshuffle(gathered, { cut }),
    order: () => [shoe.order(), shoe.orderIndexes(), shoe.left, shoe.position, shoe.cut],
  };
  for (const [what, ...given] of steps)
    try {
      found.push((await (acts[what] ?? ((...all) => shoe[what](...all)))(...given)) ?? null);
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
      found.push({ error: error.name });
    }
  if (!proof) return { found, kept, openings };
  const last = toHex(await keep(shoe, secret));
  const own = shoe.reveal();
  const { dealt } = verify(proof, { commitment: shoe.commitment });
  return { found, kept, openings, last, proof: own, dealt };
}

const told = [];
for (const game of games) told.push(await play(game));
process.stdout.write(JSON.stringify(told));
