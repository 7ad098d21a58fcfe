// The proof file of one shoe: docs/protocol.md section 10. (The proof of a hand, docs/proof.md, is another file.)
import { fromHex, fromUtf8, toHex } from "./bytes.mjs";
import { StepFailed } from "./errors.mjs";
import { parseJson } from "./json.mjs";
import { checkBeacon, checkDeck, checkDraw, checkSeeds, isCount, isHash, isHex, isId, must } from "./limits.mjs";
import { brokenSeries, draw, order } from "./shuffle.mjs";
import { sha256 } from "./sha256.mjs";
import { reshuffled, transcript } from "./transcript.mjs";

/**
 * @typedef {object} Proof
 * @property {string} protocol
 * @property {string} shoe
 * @property {string[]} deck
 * @property {string} commitment
 * @property {string} key
 * @property {[string, string][]} seeds
 * @property {[string, number, string] | null} beacon
 * @property {number} cut
 * @property {{ [name: string]: [number, number] }} draws name → [bound, value]
 * @property {[number, number[], number | null][]} reshuffles [after, gathered, cut]
 * @property {number} dealt
 */

/**
 * @typedef {object} Verified
 * @property {boolean} remembered whether a commitment from before the deal was given
 * @property {string} commitment
 * @property {string} transcript T with all its lines
 * @property {string[][]} dealt the cards of each order in turn
 * @property {{ [name: string]: number }} draws
 */

const FIELDS = [
  "beacon",
  "commitment",
  "cut",
  "dealt",
  "deck",
  "draws",
  "key",
  "protocol",
  "reshuffles",
  "seeds",
  "shoe",
];

/** @param {unknown} value @param {number} length @returns {value is any[]} */
const isList = (value, length) => Array.isArray(value) && value.length === length;

/** @param {unknown} value @returns {value is { [name: string]: any }} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {{ seeds: [string, string][] }} proof @returns {[string, Uint8Array][]} */
const seedsOf = ({ seeds }) => seeds.map(([who, hex]) => [who, fromHex(hex)]);

/**
 * @param {string | Uint8Array} file the file's text or its bytes
 * @returns {Proof}
 * @throws {import("./errors.mjs").InputError} where it is unreadable: then nothing is verified
 */
export function readProof(file) {
  const given = typeof file === "string" || file instanceof Uint8Array;
  must(
    given,
    "proof",
    "the file's text or bytes",
    "not the object that JSON.parse makes of it: it hides what stands twice",
  );
  /** @type {unknown} */
  const proof = parseJson(typeof file === "string" ? file : fromUtf8(file, "proof"));
  must(
    isObject(proof) && Object.keys(proof).sort().join() === FIELDS.join(),
    "proof",
    `one object with ${FIELDS.join(", ")}`,
  );

  must(proof.protocol === "fairshoe/1", "protocol", "fairshoe/1");
  must(isId(proof.shoe), "shoe", "an id");
  checkDeck(proof.deck);
  must(isHash(proof.commitment), "commitment", "64 hex digits");
  must(isHash(proof.key), "key", "64 hex digits");
  must(Array.isArray(proof.seeds), "seeds", "[contributor, hex] each");
  const hex = proof.seeds.every((/** @type {unknown} */ seed) => isList(seed, 2) && isHex(seed[1], 1, 128));
  must(hex, "seeds", "[contributor, 1 to 128 bytes in hex] each");
  checkSeeds(seedsOf(/** @type {any} */ (proof)));
  checkBeacon(proof.beacon);
  must(isCount(proof.cut), "cut", "an integer");
  must(isObject(proof.draws), "draws", "name: [bound, value]");
  for (const [name, value] of Object.entries(proof.draws)) {
    must(isList(value, 2) && isCount(value[1]), `draws.${name}`, "[bound, value]");
    checkDraw(name, value[0]);
  }
  must(Array.isArray(proof.reshuffles), "reshuffles", "[after, gathered, cut] each");
  for (const item of proof.reshuffles) {
    must(isList(item, 3) && isCount(item[0]), "reshuffles", "[after, gathered, cut] each");
    must(Array.isArray(item[1]) && item[1].every(isCount), "reshuffles", "indexes of gathered cards");
    must(item[2] === null || isCount(item[2]), "reshuffles", "a cut, or null");
  }
  must(isCount(proof.dealt), "dealt", "an integer");
  return /** @type {any} */ (proof);
}

/**
 * @param {string | Uint8Array} file the file's text or its bytes
 * @param {object} [remembered]
 * @param {string | null} [remembered.commitment] as it was known before the deal; without it the file is only
 *   consistent in itself
 * @returns {Verified}
 * @throws {import("./errors.mjs").InputError} where it is unreadable
 * @throws {StepFailed} where it does not hold: `step` is the number in section 10
 */
export function verify(file, { commitment = null } = {}) {
  must(commitment === null || isHash(commitment), "commitment", "64 hex digits");
  const proof = readProof(file);
  const { shoe, deck, draws } = proof;
  const key = fromHex(proof.key);

  if (commitment !== null && commitment !== proof.commitment)
    throw new StepFailed(
      1,
      "the commitment is another one",
      "commitment",
      commitment,
      "This is the proof of another shoe.",
    );
  if (toHex(sha256(key)) !== proof.commitment)
    throw new StepFailed(2, "the key is not the one that was committed to", "key", proof.commitment, KEY);

  if (proof.cut >= deck.length) throw fit("the cut lies beyond the deck", "cut", `below ${deck.length}`);
  if (Object.hasOwn(draws, "cut") && draws.cut[0] !== deck.length)
    throw fit("the draw cut has another bound", "draws.cut", deck.length);
  const broken = brokenSeries(Object.keys(draws));
  if (broken !== null) throw fit("a series of draws is not complete", `draws.${broken}`, "numbers 0 to k - 1");

  let text = transcript({ shoe, deck, commitment: proof.commitment, seeds: seedsOf(proof), beacon: proof.beacon });
  for (const [name, [below, value]] of Object.entries(draws)) {
    const drawn = draw(key, text, name, below);
    if (drawn !== value) throw new StepFailed(4, `the draw ${name} has another value`, `draws.${name}`, drawn, INPUTS);
  }

  /** @type {string[][]} */
  const dealt = [];
  let cards = order({ key, transcript: text, deck, cut: proof.cut });
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
    const gatheredDeck = gathered.map((card) => deck[card]);
    text = reshuffled(text, i + 1, gatheredDeck);
    if (cut !== null) {
      const drawn = draw(key, text, "cut", gathered.length);
      if (drawn !== cut) throw again("the cut is not the one that is drawn", `${where}[2]`, drawn);
    }
    cards = order({ key, transcript: text, deck: gatheredDeck, cut: cut ?? 0 });
  });
  if (proof.dealt > cards.length)
    throw new StepFailed(6, "more cards were dealt than there were", "dealt", `at most ${cards.length}`, FILE);
  dealt.push(cards.slice(0, proof.dealt));

  const values = Object.fromEntries(Object.entries(draws).map(([name, [, value]]) => [name, value]));
  return { remembered: commitment !== null, commitment: proof.commitment, transcript: text, dealt, draws: values };
}

const KEY = "Ask for the key of this shoe; whoever shows another one has chosen the cards after the commitment.";
const INPUTS = "The shoe id, the deck, a seed, their order or the beacon is not the one that was used.";
const FILE = "The file was changed, or was wrong from the beginning: ask for it again.";

/** @param {string} what @param {string} where @param {unknown} expected */
const fit = (what, where, expected) => new StepFailed(3, what, where, expected, FILE);

/** @param {string} what @param {string} where @param {unknown} expected */
const again = (what, where, expected) => new StepFailed(5, what, where, expected, FILE);
