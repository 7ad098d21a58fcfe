// The cards of a shoe with a placer, as their openings come (docs/placer-protocol.md): each leads to the root that the house signed
// before it was given a place, and is the card of the deck that its number says.

import { equal, fromHex, hasUnpaired, InputError, utf8 } from "./bytes.mjs";
import { isHex } from "./forms.mjs";
import { leafHash, rootFromPath } from "./hashes.mjs";
import { parseInProfile } from "./json.mjs";
import { numberedLeaf } from "./shuffle.mjs";

/** @typedef {{pos: number, n: number, label: string, number: number, salt: string, path: string[]}} Opening */

const MOST_HASHES = 16; // of a path

/** @param {any} form @returns {boolean} whether it has the form of an opening */
export function isOpening(form) {
  const { pos, n, label, number, salt, path } = form ?? {};
  const whole = [pos, n, number].every((value) => Number.isInteger(value) && value >= 0 && value <= 65536);
  return whole && typeof label === "string" && !hasUnpaired(label) && isHex(salt, 16, 16) && Array.isArray(path) && path.length <= MOST_HASHES && path.every((one) => isHex(one, 32, 32));
}

/** @param {string} text lines as `fairshoe pull` keeps them @returns {Map<string, Opening[]>} by the shoe */
export function readOpenings(text) {
  /** @type {Map<string, Opening[]>} */
  const found = new Map();
  for (const line of text.split("\n").filter(Boolean)) {
    const form = readOpening(line);
    if (!form) throw new InputError("openings that are none", "--openings", '{"shoe": …, "opening": …} on each line');
    found.set(form.shoe, [...(found.get(form.shoe) ?? []), form.opening]);
  }
  return found;
}

/** @param {string} line @returns {{shoe: string, opening: Opening} | null} */
function readOpening(line) {
  try {
    const { shoe, opening } = parseInProfile(utf8(line));
    return typeof shoe === "string" && isOpening(opening) ? { shoe, opening } : null;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return null;
  }
}

/** The cards of one order. */
export class Binding {
  /** @param {string} root that the house signed, in hex @param {readonly string[]} deck the labels of the deck that is present */
  constructor(root, deck) {
    this.root = fromHex(root);
    this.deck = deck;
    /** by their places @type {Map<number, Opening>} */ this.known = new Map();
    /** the places of the deck's cards by their numbers @type {Map<number, number>} */ this.places = new Map();
  }

  /** Whether the house signed this card at this place. @param {Opening} opening */
  binds({ pos, n, label, number, salt, path }) {
    if (n !== this.deck.length || number > 65535) return false;
    const head = rootFromPath(leafHash(numberedLeaf(fromHex(salt), number, label)), pos, n, path.map((each) => fromHex(each)));
    return head !== null && equal(head, this.root);
  }

  /** Take a card that is bound. @param {Opening} opening @param {string} [shown] its label as it was shown @returns {string} what is wrong with it, "" if nothing is */
  hold(opening, shown = opening.label) {
    const { pos, number, label } = opening;
    const before = this.places.get(number) ?? pos;
    this.places.set(number, before);
    this.known.set(pos, opening);
    if (this.deck[number] !== label) return `it bound ${label} as card ${number} of the deck, which is another one`;
    if (before !== pos) return `it bound card ${number} of the deck at places ${before} and ${pos}`;
    return label === shown ? "" : `the card at place ${pos} is ${label}, and ${shown} was shown`;
  }
}
