// What the npm package says of raffles, tickets and proofs that Python made: "" where they hold, else the place.
import { readFileSync } from "node:fs";
import { checkQuicknet } from "../../fairshoe/web/verifier/quicknet.ts";
import { checkRaffle, commit, drandQuicknet, Entries, FairshoeError, verify, verifyTicket } from "../../fairshoe/web/game/fairshoe.ts";

const { raffles, tickets, entries, proofs, signatures } = JSON.parse(readFileSync(0, "utf8"));
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

/** Not the way to check a beacon: whoever gives one of these is told so. */
const wrongChecks = [async () => false, async () => true, () => 1, () => undefined, "yes", {}];
const [[raffle], [[shoe, , signature]]] = [raffles, proofs];
const wrong = (check) => [
  said(() => checkRaffle(raffle[0], list, { check })),
  said(() => verify(shoe, { signature, check })),
  said(() => commit("s", ["a"], { beacon: drandQuicknet(1000) }).seal({ signature, check }).order()),
];

const texts = ["a\nb\r\n", "a\nb\n\nc\n", "a\nb\t0\n", "a\na\n"];
const told = {
  lines: texts.map((text) => said(() => Entries.fromText(text)).error),
  wrongChecks: wrongChecks.map(wrong),
  refused: wrong(() => false),
  unchecked: [null, undefined].map((check) => checkRaffle(raffle[0], list, { check }).notChecked),
  root: list.root,
  signatures: signatures.map((signature) => checkQuicknet(1000, signature)),
  raffles: raffles.map(([proof, notice, good]) =>
    said(() => checkRaffle(proof, list, { notice: notice ?? undefined, check: good ? checkQuicknet : undefined })),
  ),
  tickets: tickets.map(([ticket, root]) => said(() => verifyTicket(ticket, root, 3) ?? verifyTicket(JSON.stringify(ticket), root, 3))),
  mine: list.prove("bob"),
  proofs: proofs.map(([proof, commitment, signature = null]) =>
    said(() => verify(proof, { commitment, signature, check: checkQuicknet }).dealt),
  ),
};
process.stdout.write(JSON.stringify(told));
