// The proof of one hand or card (proof.md): its entries, each shown to stand in the signed log, and judged as an audit does.

import { Audit } from "./audit.ts";
import { GAMES } from "./games.ts";
import { isHash, must } from "./forms.ts";
import { isPlayer } from "./placing.ts";
import { openEntries } from "./proven.ts";
import { checkBound } from "./steps/ends.ts";
import { seatsIn } from "./state.ts";
import { stand } from "./steps/placed.ts";
import { newerThan } from "./shapes.ts";
import type { Checkpoint } from "./note.ts";
import type { Finding } from "./audit.ts";
import type { NewerError } from "./bytes.ts";
import type { Placed } from "./proven.ts";

type Entry = Record<string, any>;
const ONCE = ["table", "shoe", "seeds", "seal"];
const ENDS = ["reveal", "void", "lost"];
const OF_CARD = [...ENDS, ..."shoe deck seeds opened lapse seal gathered drawn placed".split(" ")];
const CARD = /^([^]+)@(0|[1-9][0-9]{0,4})$/; // of a shoe without a table

export interface Told {
  outcome: "PASS" | "PASS so far" | "FAIL" | "CANNOT SAY";
  round: string;
  checkpoint: Checkpoint;
  entries: Placed[];
  findings: Finding[];
  /** whether openings show that the house bound each card of the round */
  bound?: boolean;
  /** why nothing can be said of it */
  newer?: NewerError;
}

/**
 * Checks a proof file of a hand, or of a card of a shoe without a table. `vkey`: the house's verifier key, known from
 * elsewhere; null: who signed is not checked; `audit`: a new one, which follows the entries. Throws InputError where it
 * is no proof of a hand, or anything in it was changed since it was made. Throws NewerError where the file is of a
 * version that is not known.
 */
export function checkHand(file: Uint8Array, vkey: string | null, audit: Audit = new Audit()): Told {
  const { checkpoint, entries, round, openings } = openEntries(file, vkey);
  const [, name = "", pos = ""] = CARD.exec(round) ?? [];
  must(name !== "" || /^[^@]+#[1-9][0-9]{0,14}$/.test(round), "round", "TABLE#NUMBER, or SHOE@POSITION of a card");
  const told = { outcome: "CANNOT SAY" as Told["outcome"], round, checkpoint, entries, findings: audit.findings };
  const newer = entries.map(({ index, entry }) => newerThan(entry.v, `entry ${index}`)).find((one) => one !== null);
  if (newer) return { ...told, newer };
  for (const { index, entry, cause } of entries) {
    if (cause) audit.fail("syntax", "", "a canonical entry", cause, { entry: index });
    else audit.shaped(entry, index);
  }
  if (audit.findings.length) return told;
  const all = entries.map(({ entry }) => entry);
  need(!(name && openings.length), "no openings");
  if (name) completeCard(all, name, Number(pos));
  else complete(all, round);
  [audit.partial, audit.origin] = [true, checkpoint.origin];
  let astray = -1;
  for (const { index, entry, upto } of entries) {
    [audit.index, audit.entry, audit.upto] = [index, entry, upto];
    const shoe = name && audit.shoes.get(name);
    if (shoe && ["drawn", "gathered", "reveal"].includes(entry.kind)) {
      shoe.pos = Math.max(shoe.pos, entry.pos ?? entry.end); // others' cards are not in the file, and no position falls
      shoe.astray = Infinity; // nor all steps of a placer
    }
    audit.follow(entry);
    stand(audit);
    astray = audit.shoes.get(entry.shoe)?.astray ?? astray;
  }
  const number = Number(round.split("#")[1]);
  const opened = entries.findIndex(({ entry }) => entry.kind === "open" && entry.round === number);
  /** the entries of rounds before it */
  const before: Set<number | null> = new Set(
    entries
      .slice(0, opened)
      .filter(({ entry }) => ["open", "round"].includes(entry.kind))
      .map(({ index }) => index),
  );
  /**
   * @param finding of the hand, or of what it follows from: of a round before it only where its placer's chain is lost,
   * of a `shown` no other card
   */
  const isAboutHand = ({ entry: at, field }: Finding) =>
    (!before.has(at) || (at ?? 0) <= astray) && (!field.startsWith("cards.") || field === `cards.${pos}`);
  if (openings.length) {
    const [shoe] = audit.shoes.values();
    must(shoe !== undefined, "openings", "a shoe in play");
    audit.openings.set(shoe.id, openings);
    const own = [...checkBound(audit, shoe).bound].filter(([, each]) => each === number).map(([place]) => place);
    const cards = shoe.dealt.find((one) => one.round === number)?.cards.length;
    const whole = own.length === cards && own.join() === openings.map(({ pos }) => pos).join();
    must(whole || audit.verdict === "fail", "openings", "one for each card of the round, under the seal's root");
  }
  const findings = audit.findings.filter(isAboutHand);
  const whole = entries.some(({ entry }) => entry.kind === "reveal") && !audit.unplaced.size && !audit.beacons;
  if (findings.every(({ severity }) => severity !== "fail"))
    return { ...told, findings, outcome: whole ? "PASS" : "PASS so far", bound: openings.length > 0 };
  return audit.unread > 0 ? { ...told, findings } : { ...told, findings, outcome: "FAIL" };
}

const need = (there: unknown, what: string) => must(Boolean(there), "entries", what, "one is missing, or one too many");
const of = (entries: Entry[]) => (kind: string) => entries.filter((entry) => entry.kind === kind);

/** Whether these are the entries that a card of a shoe without a table needs, and no others. */
function completeCard(entries: Entry[], name: string, pos: number) {
  const all = of(entries);
  const [shoes, seals, drawns, decks, seeds, placed] = "shoe seal drawn deck seeds placed".split(" ").map(all);
  const ends = ENDS.flatMap(all);
  const one = shoes.length + seals.length + drawns.length === 3 && seeds.length < 2 && ends.length < 2;
  need(one && shoes[0] && seals[0] && drawns[0] && placed.length <= ends.length, "one of each");
  for (const { kind, shoe, cards } of entries) {
    const own = kind === "shown" ? Object.hasOwn(cards, pos) : OF_CARD.includes(kind);
    need(own && (kind === "deck" || shoe === name), "entries of the card");
  }
  const [[shoe], [{ pos: first, hidden, cards = [], gathered = 0 }]] = [shoes, drawns];
  need(pos >= first && pos < first + (hidden ?? cards.length), "the drawn");
  const before = of(entries.slice(0, entries.indexOf(drawns[0])))("gathered").length;
  need(before === gathered && before === all("gathered").length, "each gathered");
  const parts = decks.filter((one, i) => one.deck === shoe.deck && one.part === i + 1 && one.parts === decks.length);
  need(parts.length === decks.length && isHash(shoe.deck) === decks.length > 0, "the deck");
  const known = ["opened", "lapse"].flatMap(all).map(({ player }) => player);
  const hashed = Object.keys(seeds[0]?.hashes ?? {}).every((player) => known.includes(player));
  need(hashed && (seeds[0] || !shoe.roster.length), "the seeds");
}

/** @param round whether they are those that the hand needs, and no others */
function complete(entries: Entry[], round: string) {
  const [table, number] = round.split("#");
  const all = of(entries);
  const [shoe] = all("shoe");
  for (const kind of ONCE) need(all(kind).length <= 1, `one ${kind} at most`);
  const ends = ENDS.flatMap(all);
  need(all("table").length && shoe && ends.length <= 1, "a table, a shoe, one end");
  need(shoe.shoe.startsWith(`${table}/`), "a shoe of the table");
  for (const entry of entries) {
    need(
      [...ONCE, ...ENDS, "open", "opened", "lapse", "reshuffle", "round", "chips", "placed"].includes(entry.kind),
      `no ${entry.kind}`,
    );
    need((entry.shoe ?? shoe.shoe) === shoe.shoe && (entry.table ?? table) === table, "entries of the shoe");
  }
  const ofRound = (kind: string, of: number = Number(number)) => all(kind).filter((entry) => entry.round === of);
  const [open] = ofRound("open");
  const [dealt] = ofRound("round");
  const [seal, seeds] = [all("seal")[0], all("seeds")[0]];
  need(ofRound("open").length === 1 && ofRound("round").length <= 1, "the round's open");
  const { many } = GAMES[all("table")[0].rules];
  const chairs = Object.keys(shoe.chips ?? {}).filter((name) => /^\d+$/.test(name));
  const places = isPlayer(all("table")[0].placer);
  const sole = places || (!many && shoe.roster.length === 1 && chairs.length === 1);
  need(seeds || sole, "the seeds");
  need(seal || (!many && !dealt), "the seal");
  need(dealt || ends[0]?.kind !== "reveal", "the round");
  for (const entry of [...all("open"), ...all("round"), ...all("reshuffle")]) {
    need(
      entry.round === Number(number) ||
        (entry.round < Number(number) && (shoe.placer || ofRound("reshuffle", entry.round).length)),
      "no other round",
    );
  }
  need(
    all("open").every((entry) => entry === open || ofRound("round", entry.round).length),
    "a round for each open",
  );
  if (shoe.placer) everyRound(all("open"), all("round"), seal, Number(number));
  const [placed, ...more] = all("placed");
  if (placed)
    need(
      shoe.placer && !more.length && ends[0] && entries.indexOf(ends[0]) < entries.indexOf(placed),
      "the placer's key last",
    );
  all("reshuffle").forEach((entry, i) => need(entry.k === i + 1, "every reshuffle"));
  for (const entry of all("round"))
    need(ofRound("reshuffle", entry.round).length === (entry.reshuffled?.length ?? 0), "every reshuffle");
  const left = (player: string) => all("chips").some((entry) => entry.leaves && entry.player === player);
  const opened = (player: string) => ["opened", "lapse"].flatMap(all).some((entry) => entry.player === player);
  const contributors: string[] = seeds ? Object.keys(seeds.hashes) : places ? [] : shoe.roster;
  const waiting = contributors.filter((player) => !opened(player) && !left(player));
  const [ended] = all("void");
  if (seal) need(!waiting.length, "each seed that was opened");
  if (ended?.by !== undefined && seeds) need(all("opened").length || waiting.length < 2, "what makes the shoe void");
  for (const seat of open.waived ?? [])
    need(
      all("chips").some((entry) => entry.op === "buy-in" && entry.seat === seat),
      `the chips by which seat ${seat} was taken`,
    );
  for (const entry of all("chips")) need(needed(entry, entries, shoe, open), "no other chips");
}

/** Of a shoe with a placer every round up to this one, each of which begins where the one before it ended. */
function everyRound(opens: Entry[], rounds: Entry[], seal: Entry | undefined, number: number) {
  let position: number | null = seal?.burn === undefined ? 0 : 1;
  opens.forEach(({ round }, i) => {
    need(round === number - opens.length + 1 + i, "each open");
    const dealt = rounds.find((one) => one.round === round);
    need(dealt || round === number, "a round for each open");
    if (!dealt) return;
    need(position === null || dealt.pos === position, "every round before it");
    position = dealt.reshuffled ? null : dealt.pos + dealt.cards.length;
  });
}

/** @returns whether a chair was taken by them, or left */
function changesChair({ op, at, seat, player, leaves }: Entry, entries: Entry[], shoe: Entry): boolean {
  const last = entries.filter((entry) => entry.kind === "chips" && entry.seat === seat && entry.at < at).at(-1);
  const sits = last ? (last.leaves ? undefined : last.player) : shoe.roster[rosterSeats(shoe).indexOf(seat)];
  return leaves === true || (op === "buy-in" && sits !== player);
}

/** @param open whether they tell whose bet was waived, or which hash went with its owner */
function needed(chips: Entry, entries: Entry[], shoe: Entry, open: Entry) {
  const { op, at, seat, player, leaves } = chips;
  if (shoe.placer) return at > shoe.at && at < open.at && changesChair(chips, entries, shoe);
  const { passed = [], late = [], unfunded = [], waived = [] } = open;
  const own = entries.filter((entry) => entry.kind === "chips" && entry.player === player && entry.seat === seat);
  const since = at > shoe.at && at < open.at && [...waived, ...passed, ...late, ...unfunded].includes(seat);
  const back = rosterSeats(shoe)[shoe.roster.indexOf(player)] === seat; // the chair that is taken is the one that was left
  if (op === "buy-in") return since && (!back || own.some((entry) => entry.leaves && entry.at < at));
  if (op !== "cash-out" || !leaves) return false;
  const seeds = entries.find((entry) => entry.kind === "seeds");
  const { many } = GAMES[entries.find((entry) => entry.kind === "table")?.rules];
  const contributed = seeds !== undefined && Object.hasOwn(seeds.hashes, player) && at > seeds.at;
  return (
    (contributed && !many && at < open.at) ||
    (since && back && own.some((entry) => entry.op === "buy-in" && entry.at > at))
  );
}

/** @returns where its roster sits, in its order */
const rosterSeats = ({ chips = {}, owes = [], waits = [], away = [] }: Entry): number[] =>
  seatsIn(chips).filter((seat) => ![...owes, ...waits, ...away].includes(seat));
