// What the npm package says of raffles, tickets and proofs that Python made: "" where they hold, else the place.
import { readFileSync } from "node:fs";
import { checkQuicknet } from "../../fairshoe/web/verifier/quicknet.ts";
import { Entries, FairshoeError, checkRaffle, verify, verifyTicket } from "../../fairshoe/web/game/fairshoe.ts";

const { raffles, tickets, entries, proofs } = JSON.parse(readFileSync(0, "utf8"));
const list = Entries.fromText(entries);

/** @param {() => any} act */
function said(act) {
  try {
    return act() ?? "";
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    return { error: `${error.name} ${error.where}` };
  }
}

const told = {
  root: list.root,
  raffles: raffles.map(([proof, notice, good]) =>
    said(() => checkRaffle(proof, list, { notice: notice ?? undefined, check: good ? checkQuicknet : undefined })),
  ),
  tickets: tickets.map(([ticket, root]) => said(() => verifyTicket(ticket, root, 3))),
  mine: list.prove("bob"),
  proofs: proofs.map(([proof, commitment, signature = null]) =>
    said(() => verify(proof, { commitment, signature, check: checkQuicknet }).dealt),
  ),
};
process.stdout.write(JSON.stringify(told));
