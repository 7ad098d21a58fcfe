// A raffle of a crowd, checked (docs/raffle.md; bytes: docs/protocol.md section 13).

import { equal, fromHex, toHex, utf8, VerificationError } from "../verifier/bytes.ts";
import { canonicalText, parseJson } from "../verifier/json.ts";
import {
  COUNT,
  decimal,
  HASH,
  ID,
  is,
  isCount,
  isHash,
  isObject,
  LABEL,
  listOf,
  must,
  objectOf,
  oneOf,
  TEXT,
  tuple,
  upFrom,
} from "../verifier/forms.ts";
import { leafHash, levelsOf, pathIn, rootFromPath } from "../verifier/hashes.ts";
import { QUICKNET, readProof, verify } from "../verifier/proof.ts";
import type { CheckSignature } from "../verifier/proof.ts";

const MAX_TICKETS = 2 ** 32;
const PROTOCOL = "fairshoe/1 raffle";
const FORM = "the form in docs/protocol.md section 13";
const NOTICE = objectOf({
  protocol: oneOf(PROTOCOL),
  shoe: ID,
  commitment: HASH,
  entries: upFrom(1, MAX_TICKETS),
  tickets: upFrom(1, MAX_TICKETS),
  draws: upFrom(1, 65536),
  prizes: upFrom(1, 65536),
  root: HASH,
  beacon: tuple(oneOf(QUICKNET), upFrom(1, 2 ** 32)),
});

const RAFFLE_PROOF = objectOf({
  protocol: oneOf(PROTOCOL),
  proof: is(isObject),
  signature: TEXT,
  winners: listOf(tuple(COUNT, TEXT), 0),
});

/** What shows that a list has an entry, and which tickets it holds: `weight` from `first` on. */
export interface TicketProof {
  entrant: string;
  first: number;
  weight: number;
  pos: number;
  n: number;
  path: string[];
}
type Winner = [ticket: number, entrant: string];

const leafOf = (first: number, weight: number, entrant: string) => leafHash(utf8(`${first} ${weight} ${entrant}`));

/** Entrants in their order, each with a weight: so many tickets. */
export class Entries {
  readonly ids: readonly string[];
  readonly tickets: number;
  #firsts: number[] = [];
  #levels: Uint8Array[][] | null = null;

  /** @param entries ids, or pairs of id and weight */
  constructor(
    entries: readonly (string | readonly [string, number])[],
    place = (i: number): string => `entries[${i}]`,
  ) {
    const pairs = entries.map((entry) => (typeof entry === "string" ? ([entry, 1] as const) : entry));
    let tickets = 0;
    for (const [i, [entrant, weight]] of pairs.entries()) {
      must(LABEL(entrant) === null, place(i), "an id of 1 to 64 bytes without a control character");
      must(isCount(weight) && weight >= 1 && weight <= MAX_TICKETS, place(i), "a weight of 1 to 2^32");
      this.#firsts.push(tickets);
      tickets += weight;
    }
    this.ids = pairs.map(([entrant]) => entrant);
    this.tickets = tickets;
    const seen = new Set<string>();
    const twice = this.ids.findIndex((entrant) => seen.size === seen.add(entrant).size);
    must(twice < 0, place(twice), "each id once", "give an entrant a weight");
    must(tickets >= 1 && tickets <= MAX_TICKETS, "entries", "1 to 2^32 tickets");
  }

  /** @param text lines: an id; or an id, a TAB and the weight */
  static fromText(text: string): Entries {
    const lines = text.replace(/\n$/, "").split("\n");
    return new Entries(
      lines.map((line, i) => {
        const tab = line.indexOf("\t");
        return tab < 0 ? line : [line.slice(0, tab), decimal(line.slice(tab + 1), `line ${i + 1}`)];
      }),
      (i) => `line ${i + 1}`,
    );
  }

  #weight(pos: number) {
    return (this.#firsts[pos + 1] ?? this.tickets) - this.#firsts[pos];
  }

  #tree() {
    return (this.#levels ??= levelsOf(this.ids.map((id, pos) => leafOf(this.#firsts[pos], this.#weight(pos), id))));
  }

  /** The root that binds all entries, in hex. */
  get root(): string {
    return toHex(this.#tree().at(-1)?.[0] as Uint8Array);
  }

  /** @param ticket 0 … tickets − 1 */
  holder(ticket: number): string {
    must(isCount(ticket) && ticket < this.tickets, "ticket", `0 to ${this.tickets - 1}`);
    let [low, high] = [0, this.ids.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#firsts[middle] <= ticket) low = middle;
      else high = middle;
    }
    return this.ids[low];
  }

  /** The proof that somebody is in the list, for whoever knows the root; it is JSON. */
  prove(entrant: string): TicketProof {
    const pos = this.ids.indexOf(entrant);
    must(pos >= 0, "entrant", "an id of the list");
    const path = pathIn(this.#tree(), pos).map(toHex);
    return { entrant, first: this.#firsts[pos], weight: this.#weight(pos), pos, n: this.ids.length, path };
  }
}

const TICKET = objectOf({
  entrant: LABEL,
  ...Object.fromEntries(["first", "weight", "pos", "n"].map((name) => [name, upFrom(0, MAX_TICKETS)])),
  path: listOf(HASH, 0, 32),
});

/**
 * @param proof a `TicketProof`, parsed or as text
 * @param root of the entries, from the notice
 * @param entries how many there are, from the notice
 * @throws VerificationError where the root does not bind this entry
 */
export function verifyTicket(proof: TicketProof | string, root: string, entries: number): void {
  must(isHash(root), "root", "the notice's `root`, 64 hex digits");
  must(isCount(entries), "entries", "the notice's `entries`, a number");
  const form = typeof proof === "string" ? (parseJson(proof) as TicketProof) : proof;
  const wrong = TICKET(form);
  if (wrong !== null) throw new VerificationError("no proof of a ticket", `ticket${wrong}`, "what Entries.prove gives");
  const { entrant, first, weight, pos, n, path } = form;
  const hashes = path.map((each) => fromHex(each));
  const found = rootFromPath(leafOf(first, weight, entrant), pos, n, hashes);
  if (n !== entries || !found || !equal(found, fromHex(root)))
    throw new VerificationError("the root binds another entry", "ticket", root);
}

/**
 * Check a raffle against the published entries.
 * @param file the text of the proof
 * @param of notice: the text that you kept from before the draw; check: `checkQuicknet` of fairshoe/beacon.js
 * @returns winners: none if the draws are used up before all prizes have one; notChecked: `notice` if none was kept,
 * `beacon` without `check`
 * @throws VerificationError where it does not hold
 */
export function checkRaffle(
  file: string,
  entries: Entries,
  { notice, check }: { notice?: string; check?: CheckSignature } = {},
): { winners: Winner[]; notChecked: string[] } {
  const form = parseJson(file) as any;
  const wrong = RAFFLE_PROOF(form);
  must(wrong === null, `proof${wrong}`, FORM);
  const text = JSON.stringify(form.proof);
  const { shoe, commitment, deck, draws, beacon, ...rest } = readProof(text);
  if (beacon?.[0] !== QUICKNET) throw new VerificationError("no round of drand's quicknet", "beacon");
  const [size, drawn, prizes] = [entries.ids.length, Object.keys(draws).length, Number(deck[4])];
  const { tickets, root } = entries;
  if (!(prizes >= 1 && prizes <= Math.min(drawn, size, 65536)))
    throw new VerificationError("not the deck of a raffle", "deck", FORM);
  const numbers = { entries: size, tickets, draws: drawn, prizes };
  const shown = { protocol: PROTOCOL, shoe, commitment, ...numbers, root, beacon: beacon.slice(0, 2) };
  if (notice !== undefined)
    same("notice", shown, noticeOf(notice), "this is another raffle than the one that was announced");
  const said = Object.fromEntries(deck.map((label, i) => [LABEL_NAMES[i] ?? i, label]));
  same("deck", { kind: "raffle", ...mapText(numbers), root }, said, OTHER_LIST);
  const names = Array.from({ length: drawn }, (_, i) => `pick/${i}`);
  const bounds = Object.fromEntries(Object.entries(draws).map(([name, [below]]) => [name, below]));
  same("draws", bounds, Object.fromEntries(names.map((name) => [name, tickets])), "the draws were changed");
  const { seeds, cut, reshuffles, dealt, placer = null } = rest;
  same("proof", [seeds, cut, reshuffles, dealt, placer], [[], 0, [], 0, null], "nothing else belongs to a raffle");
  const found = verify(text, { commitment, signature: form.signature, check });
  const drawnTickets = names.map((name) => found.draws[name]);
  const winners = winnersOf(entries, drawnTickets, prizes);
  same("winners", form.winners, winners, "the draws give other winners");
  return { winners, notChecked: [...(notice === undefined ? ["notice"] : []), ...found.notChecked] };
}

/**
 * Check the list before the draw.
 * @param notice its text
 * @returns the notice
 * @throws VerificationError where it was announced of another list
 */
export function checkList(notice: string, entries: Entries): Record<string, any> {
  const kept = noticeOf(notice);
  const found = { entries: entries.ids.length, tickets: entries.tickets, root: entries.root };
  same("notice", found, { entries: kept.entries, tickets: kept.tickets, root: kept.root }, OTHER_LIST);
  return kept;
}

const LABEL_NAMES = ["kind", "entries", "tickets", "draws", "prizes", "root"];
const OTHER_LIST = "lines of the list, weights or their order were changed since the raffle was announced";

const mapText = (numbers: Record<string, number>) =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));

function noticeOf(text: string): Record<string, any> {
  const kept = parseJson(text);
  const fault = NOTICE(kept);
  must(fault === null, `notice${fault}`, FORM);
  const { entries, tickets, prizes, draws } = kept as Record<string, number>;
  must(entries <= tickets && prizes <= Math.min(entries, draws), "notice", FORM);
  return kept as Record<string, any>;
}

/** @returns the first distinct holders of the tickets that were drawn; none where there are fewer than prizes */
function winnersOf(entries: Entries, tickets: number[], prizes: number): Winner[] {
  const found: Map<string, number> = new Map();
  for (const ticket of tickets) {
    const entrant = entries.holder(ticket);
    if (!found.has(entrant)) found.set(entrant, ticket);
    if (found.size === prizes) return [...found].map(([entrant, ticket]) => [ticket, entrant]);
  }
  return [];
}

/** Compare two forms, or lists; the error names the first difference. */
function same(where: string, found: object, expected: object, remedy: string) {
  const [left, right] = [found, expected].map((form) => new Map(Object.entries(form)));
  const told = (value: unknown) => (value === undefined ? "none" : canonicalText(value).slice(0, 200));
  const name = [...new Set([...left.keys(), ...right.keys()])].find(
    (each) => told(left.get(each)) !== told(right.get(each)) || left.has(each) !== right.has(each),
  );
  if (name === undefined) return;
  const which = Array.isArray(found) ? `number ${Number(name) + 1}` : name;
  throw new VerificationError(`${which} is ${told(left.get(name))}`, where, told(right.get(name)), remedy);
}
