// The proof file of one shoe: docs/protocol.md section 10. (The proof of a hand, docs/proof.md, is another file.)

import { fromHex, fromUtf8, InputError, StepFailed, toHex } from "./bytes.ts";
import {
  COUNT,
  HASH,
  hexOf,
  ID,
  is,
  isHash,
  isHex,
  isId,
  LABEL,
  listOf,
  mapOf,
  must,
  objectOf,
  oneOf,
  orNull,
  SEED,
  tuple,
  upFrom,
} from "./forms.ts";
import { parseJson } from "./json.ts";
import { brokenSeries, drawNamed, PLACING, Shuffle, ShuffledDeck, transcript } from "./shuffle.ts";
import { isHashOfDigits, sha256, sha256Hex } from "./hashes.ts";

/** a proof file's fields */
export interface Proof {
  protocol: string;
  shoe: string;
  deck: string[];
  commitment: string;
  key: string;
  seeds: [string, string][];
  beacon: [string, number, string] | null;
  cut: number;
  draws: { [name: string]: [bound: number, value: number] };
  reshuffles: [after: number, gathered: number[], cut: number | null][];
  dealt: number;
  /** of `fairshoe/2`: the second dealer's name, commitment and key, "" as long as that is not out */
  placer?: [string, string, string];
}

/** Whether a signature is that of a round of drand's quicknet: `checkQuicknet`, or one that says true or false as it does. */
export type CheckSignature = (round: number, signature: string) => boolean;

/** @throws InputError where `check` says neither true nor false; a promise is neither */
export function isSigned(check: CheckSignature, round: number, signature: string): boolean {
  const said: unknown = typeof check === "function" ? check(round, signature) : null;
  must(typeof said === "boolean", "check", "a function that returns true or false, no promise");
  return said === true;
}

interface Verified {
  /** whether a commitment from before the deal was given; else the file is only consistent in itself */
  remembered: boolean;
  commitment: string;
  transcript: string;
  /** the cards of each order in turn: compare them with those that lay on the table */
  dealt: string[][];
  draws: { [name: string]: number };
  /** `beacon`, if there is one and nothing showed that it is its round's */
  notChecked: string[];
}

export const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const BYTES = hexOf(1, 64);

const FIELDS = {
  shoe: ID,
  deck: listOf(LABEL, 1, 65536),
  commitment: HASH,
  key: HASH,
  seeds: listOf(tuple(ID, SEED), 0, 64),
  beacon: orNull(tuple(BYTES, COUNT, BYTES)),
  cut: COUNT,
  draws: mapOf(isId, tuple(upFrom(1, 2 ** 32), COUNT)),
  reshuffles: listOf(tuple(COUNT, listOf(COUNT, 0), orNull(COUNT)), 0),
  dealt: COUNT,
};
const PROOF = objectOf({ protocol: oneOf("fairshoe/1"), ...FIELDS });
const PLACER = tuple(
  ID,
  HASH,
  is((key) => key === "" || isHash(key)),
);
const PLACED_PROOF = objectOf({ protocol: oneOf("fairshoe/2"), placer: PLACER, ...FIELDS });

const seedsOf = ({ seeds }: { seeds: [string, string][] }): [string, Uint8Array][] =>
  seeds.map(([who, hex]) => [who, fromHex(hex)]);

/**
 * @param file the file's text or its bytes
 * @throws InputError where it is unreadable: then nothing is verified
 */
export function readProof(file: string | Uint8Array): Proof {
  const given = typeof file === "string" || file instanceof Uint8Array;
  must(
    given,
    "proof",
    "the file's text or bytes",
    "not the object that JSON.parse makes of it: it hides what stands twice",
  );
  const proof: any = parseJson(typeof file === "string" ? file : fromUtf8(file, "proof"));
  const wrong = (proof?.placer === undefined ? PROOF : PLACED_PROOF)(proof);
  must(wrong === null, wrong?.slice(1) || "proof", "what docs/protocol.md section 10 says");
  const names = proof.seeds.map(([who]: [string, string]) => who);
  must(new Set(names).size === names.length, "seeds", "each contributor once");
  return proof;
}

/**
 * @param file the file's text or its bytes
 * @throws InputError where it is unreadable, or `commitment` is the key or the hash of its digits
 * @throws StepFailed where it does not hold: `step` is the number in section 10
 */
export function verify(
  file: string | Uint8Array,
  {
    commitment = null,
    signature = null,
    check,
  }: {
    /** as it was known before the deal; without it the file is only consistent in itself */
    commitment?: string | null;
    /** of the beacon's round, in hex */
    signature?: string | null;
    /** verifies it */
    check?: CheckSignature;
  } = {},
): Verified {
  mustBeHash(commitment);
  must(signature === null || isHex(signature, 48, 48), "signature", "96 hex digits");
  const proof = readProof(file);
  const { beacon } = proof;
  must(signature === null || beacon !== null, "signature", "none: the proof has no beacon");
  const { transcript, dealt } = checkShuffle(proof, commitment);
  const draws = Object.fromEntries(Object.entries(proof.draws).map(([name, [, value]]) => [name, value]));
  const checked = { remembered: commitment !== null, commitment: proof.commitment, transcript, dealt, draws };
  return { ...checked, notChecked: beacon && !isRound(beacon, signature, check) ? ["beacon"] : [] };
}

const mustBeHash = (commitment: string | null) =>
  must(commitment === null || isHash(commitment), "commitment", "64 hex digits");

/**
 * Check all of a proof but its beacon. `commitment`: as it was known before the deal, or null.
 * @throws InputError and StepFailed as `verify` does
 */
export function checkShuffle(proof: Proof, commitment: string | null): Pick<Verified, "transcript" | "dealt"> {
  mustBeHash(commitment);
  const { shoe, deck, draws, beacon } = proof;
  const key = fromHex(proof.key);

  if (commitment !== null && commitment !== proof.commitment) {
    if (commitment === proof.key)
      throw new InputError("this is the key", "commitment", BYTES_OF_KEY, "Give what was published before the deal.");
    if (isHashOfDigits(proof.key, commitment))
      throw new InputError(
        "this is the hash of the key's digits",
        "commitment",
        BYTES_OF_KEY,
        "Hash the bytes that they stand for.",
      );
    throw new StepFailed(1, "this is the proof of another shoe", "commitment", commitment, FILE);
  }
  if (toHex(sha256(key)) !== proof.commitment)
    throw new StepFailed(2, "the key is not the one that was committed to", "key", proof.commitment, WRONG_KEY);
  const [placer, placing, opened] = proof.placer ?? [];
  if (placing !== undefined && (!opened || sha256Hex(opened) !== placing))
    throw new StepFailed(2, `the key of ${placer} is not the one that it committed to`, "placer", placing, WRONG_KEY);

  if (proof.cut >= deck.length) throw fit("the cut lies beyond the deck", "cut", `below ${deck.length}`);
  if (Object.hasOwn(draws, "cut") && draws.cut[0] !== deck.length)
    throw fit("the draw cut has another bound", "draws.cut", deck.length);
  const broken = brokenSeries(Object.keys(draws));
  if (broken !== null) throw fit("a series of draws is not complete", `draws.${broken}`, "numbers 0 to k - 1");

  const own = { shoe, deck, commitment: proof.commitment, seeds: seedsOf(proof), beacon };
  const text = transcript({ ...own, placer: placer && placing ? [placer, placing] : null });
  let shuffled = new ShuffledDeck(key, text, deck, proof.cut);
  /** @returns the cards in the order of dealing */
  const inOrder = ({ dealt, text }: ShuffledDeck) =>
    opened
      ? new Shuffle(fromHex(opened), text, dealt.length, 0, PLACING).first(dealt.length).map((place) => dealt[place])
      : dealt;
  for (const [name, [below, value]] of Object.entries(draws)) {
    const drawn = drawNamed(key, text, name, below);
    if (drawn !== value) throw new StepFailed(4, `the draw ${name} has another value`, `draws.${name}`, drawn, INPUTS);
  }

  const dealt: string[][] = [];
  let cards = inOrder(shuffled);
  proof.reshuffles.forEach(([after, gathered, cut], i) => {
    const where = `reshuffles[${i}]`;
    if (after > cards.length)
      throw again("more cards were drawn than there were", `${where}[0]`, `at most ${cards.length}`);
    dealt.push(cards.slice(0, after));
    const rises = gathered.every((card, j) => card < deck.length && (j === 0 || gathered[j - 1] < card));
    if (gathered.length === 0 || !rises)
      throw again(
        "the gathered cards are no cards of the deck in its order",
        `${where}[1]`,
        "strictly ascending indexes",
      );
    shuffled = shuffled.gather(gathered, cut ?? 0);
    if (cut !== null && cut !== shuffled.drawnCut)
      throw again("the cut is not the one that is drawn", `${where}[2]`, shuffled.drawnCut);
    cards = inOrder(shuffled);
  });
  if (proof.dealt > cards.length)
    throw new StepFailed(6, "more cards were dealt than there were", "dealt", `at most ${cards.length}`, FILE);
  dealt.push(cards.slice(0, proof.dealt));

  return { transcript: shuffled.text, dealt };
}

/** @returns whether a beacon is shown to be its round's */
function isRound(
  [chain, round, randomness]: [string, number, string],
  signature: string | null,
  check?: CheckSignature,
) {
  if (signature === null || chain !== QUICKNET) return false;
  if (sha256Hex(signature) !== randomness)
    throw new StepFailed(7, "not the randomness of this signature", "beacon", sha256Hex(signature), INPUTS);
  if (!check) return false;
  if (!isSigned(check, round, signature))
    throw new StepFailed(7, "not the signature of this round", "beacon", `that of round ${round}`, FILE);
  return true;
}

const BYTES_OF_KEY = "SHA-256 of the key's 32 bytes";
const WRONG_KEY = "Whoever shows another key chose the cards after the commitment.";
const INPUTS = "Another shoe id, deck, seed, order or beacon was used.";
const FILE = "Ask for the file again.";

const fit = (what: string, where: string, expected: unknown) => new StepFailed(3, what, where, expected, FILE);

const again = (what: string, where: string, expected: unknown) => new StepFailed(5, what, where, expected, FILE);
