// A round from its commitment to its chips, told step by step: for entries that stand in a log.

import { attempt, fromHex, fromUtf8 } from "../bytes.ts";
import { GAMES } from "../games.ts";
import { isHashOfDigits } from "../hashes.ts";
import { ownField } from "../json.ts";
import { isPlayer } from "../placing.ts";
import { drawNamed } from "../shuffle.ts";
import { ordersOf, showOrder } from "./orders.ts";
import { grid, hashCommand, hashOf, textCommand, textHash } from "./told.ts";
import type { Entry, Facts } from "./orders.ts";
import type { Replay, Watching } from "./scene.ts";
import type { Telling } from "./told.ts";
import type { Finding } from "../audit.ts";
import type { Hand } from "../games/round.ts";

// Which step an audit's finding belongs to, and what most likely lies behind it.

/** Patterns of check and field; the first that fits. */
const BY_FIELD: [RegExp, string][] = [
  [/^commitment/, "commitment"],
  [/^(contributions cut|shuffle|cards (cards[[.]|pos|placed|steps|signature))/, "shuffle"],
  [/^cards end/, "chips"], // where the shoe ends follows from all that was played
  [/^contributions beacon/, "transcript"],
  [/^(decisions|cards cards|contributions (bets|waived|passed))/, "decisions"],
  [/^contributions/, "seeds"],
  [/^(dealer|cards dealer)/, "dealer"],
  [/^cards/, "totals"],
  [/^settlement.*outcome/, "outcome"],
  [/^settlement/, "payout"],
  [/^chips/, "chips"],
  // what is wrong with the order of entries, or with their time, belongs to what the entry is about
  [/ (table|shoe|reveal|void|lost)$/, "commitment"],
  [/ (seeds|opened|lapse|seal)$/, "seeds"],
  [/ reshuffle$/, "shuffle"],
];

/** `kind`: of its entry. Returns a step's id. */
const stepOf = ({ check, field }: Finding, kind: string): string =>
  BY_FIELD.find(([pattern]) => pattern.test(`${check} ${field} ${kind}`))?.[1] ?? "decisions";

/** @returns what lies behind a finding of which nothing more is known */
const causeOf = (step: string, field: string): string =>
  step === "shuffle" && PLACES.test(field)
    ? "other-places"
    : step === "shuffle" && /^(placed|steps|signature)/.test(field)
      ? "other-chain"
      : step === "shuffle"
        ? "other-cards"
        : ["commitment", "seeds", "transcript"].includes(step)
          ? "ceremony"
          : "against-rules";

/** Places that a placer's key does not give. */
const PLACES = /^placed\.places\[/;

/** Why bytes do not have the hash that they should have. */
export function misread(hex: string, hash: string, otherwise: string) {
  if (hex === hash) return "hash-as-value";
  const digits = digitsIn(hex);
  return isHashOfDigits(hex, hash) || (digits !== null && hashOf(digits) === hash) ? "hex-as-text" : otherwise;
}

/** `known`: what the reader gave as a commitment. Returns what the reader took for it, "" where it is neither. */
export const slipIn = (known: string, key: string): string =>
  known === key ? "key-as-commitment" : isHashOfDigits(key, known) ? "hex-as-text" : "";

/** @returns the hex digits that these bytes spell, as a text */
export function digitsIn(hex: string): string | null {
  const text = attempt(() => fromUtf8(fromHex(hex)), "")
    .trim()
    .toLowerCase();
  return /^([0-9a-f]{2})+$/.test(text) ? text : null;
}

// The steps.

/** `watching`: how it was played; `findings`: of an audit; `unsure`: perhaps only of entries left out. */
export function tellRound(
  telling: Telling,
  facts: Facts,
  { replay, players }: Pick<Watching, "replay" | "players">,
  findings: Finding[],
  unsure: boolean,
) {
  committed(telling, facts);
  contributed(telling, facts);
  if (facts.open) betting(telling, facts, players);
  if (facts.seal)
    telling.pass("transcript", {
      transcript: facts.text,
      hash: textHash(facts.text),
      command: textCommand(facts.text),
    });
  if (facts.end?.kind === "reveal" && facts.round && telling.step("commitment").status === "pass")
    shuffled(telling, facts, facts.end.key);
  if (facts.round && replay) played(telling, facts.round, replay);
  for (const finding of findings) {
    if (finding.check === "cards" && finding.severity === "note")
      telling.show("shuffle", { "player-other-places": facts.placer?.name });
    if (finding.severity !== "fail") continue;
    const { entry, check, field, expected, found } = finding;
    const kind = facts.entries.find(({ index }) => index === entry)?.entry.kind ?? "";
    const drawn = check === "cards" && field === "cards" && (replay?.whole || replay?.bankDraws);
    const id = drawn ? "dealer" : stepOf(finding, kind);
    const cause = causeOf(id, field);
    if (unsure) telling.doubt(id, finding, cause, kind);
    else
      telling.fail(
        id,
        cause,
        `${kind} ${field}`.trim(),
        expected,
        found,
        PLACES.test(field) ? "unknown" : telling.whose,
      );
  }
}

function committed(telling: Telling, { shoe, end }: Facts) {
  telling.show("commitment", { shoe: shoe.shoe, committed: shoe.at, commitment: shoe.commitment });
  if (!end?.key) return;
  const hash = hashOf(end.key);
  telling.show("commitment", { "key-of-shoe": end.key, "revealed": end.at, hash, "command": hashCommand(end.key) });
  telling.same("commitment", misread(end.key, shoe.commitment, "other-key"), `${end.kind} key`, shoe.commitment, hash);
  telling.pass("commitment");
}

function contributed(telling: Telling, { contributed: given, seeds, seal, table, placer }: Facts) {
  if (isPlayer(table.placer)) {
    telling.show("seeds", { "in-place-of-seeds": placer?.name });
    if (seal) telling.pass("seeds");
    return;
  }
  const hashes = Object.entries(seeds?.hashes ?? ({} as Record<string, string>));
  const rows = given.map(([player, seed]) => {
    const hash = hashOf(seed);
    const before = ownField(seeds?.hashes, player) ?? "";
    const swapped = hashes.some(([who, one]) => who !== player && one === hash);
    if (seeds)
      telling.same(
        "seeds",
        swapped ? "swapped-seeds" : misread(seed, before, "other-seed"),
        `opened ${player}`,
        before,
        hash,
      );
    return [player, seed, hash, before];
  });
  telling.show("seeds", { hashed: seeds?.at, seeds: grid("player seed hash hash-before", rows) });
  for (const [, seed] of given) telling.show("seeds", { command: hashCommand(seed) });
  if (seal) telling.pass("seeds");
}

/** @param players each seat that is named, and what became of it */
function betting(telling: Telling, { open }: Facts, players: Map<number, string>) {
  const rows = betsIn(open).map(({ seat, amount = "", box = "", what }) => [
    seat,
    players.get(seat) ?? "",
    amount,
    box,
    what,
  ]);
  telling.show("decisions", { bets: grid("seat player bet box move", rows) });
  const waived = rows.filter(([, , , , what]) => what === "waived").map(([seat, player]) => [seat, player]);
  if (waived.length) telling.show("seeds", { seedless: grid("seat player", waived) });
}

export function betsIn({
  bets,
  waived = [],
  uncovered = [],
  passed = [],
  late = [],
  unfunded = [],
}: Entry): {
  what: "bet" | "waived" | "uncovered" | "passed" | "late" | "unfunded";
  seat: number;
  amount?: number;
  box?: number;
}[] {
  const only = (seats: number[], what: "passed" | "late" | "unfunded") => seats.map((seat) => ({ seat, what }));
  const of = (list: { seat: number }[], what: (seat: number) => string) =>
    list.map((bet) => ({ ...bet, what: what(bet.seat) }));
  return [
    ...of(bets, (seat) => (waived.includes(seat) ? "waived" : "bet")),
    ...of(uncovered, () => "uncovered"),
    ...only(passed, "passed"),
    ...only(late, "late"),
    ...only(unfunded, "unfunded"),
  ] as any;
}

/** @param key hex */
function shuffled(telling: Telling, facts: Facts, key: string) {
  const bounds = Object.entries(facts.shoe.draws as Record<string, number>);
  const rows = bounds.map(([name, bound]) => [name, bound, drawNamed(fromHex(key), facts.text, name, bound)]);
  const { cut } = facts;
  telling.show("shuffle", {
    draws: rows.length ? grid("draw bound value", rows) : undefined,
    [cut?.by === undefined ? "cut-drawn" : "cut-chosen"]: cut?.at,
  });
  const orders = ordersOf(facts, key);
  if (facts.placer) showPlaces(telling, facts.placer, orders);
  for (const order of orders) showOrder(telling, order, key, order.labels);
  if (facts.placer?.key !== "") telling.pass("shuffle");
}

/** @param orders which place it gave for each card */
function showPlaces(
  telling: Telling,
  { name, commitment, key }: { name: string; commitment: string; key: string },
  orders: ReturnType<typeof ordersOf>,
) {
  telling.show("shuffle", { "placer": name, "placer-key": grid("placer commitment key", [[name, commitment, key]]) });
  const rows = orders.flatMap(({ labels, dealt, given }) =>
    labels.map((label, i) => [label, dealt[i] ?? "", given?.[i] ?? ""]),
  );
  telling.show("shuffle", { places: grid("card asked given", rows) });
}

/** @param replay the round played again by the rules */
function played(telling: Telling, entry: Entry, { round, events, accounts, total, bank, whole, bankDraws }: Replay) {
  const asked = events.flatMap((event) => {
    if (event.kind !== "ask") return [];
    const { seat, move, amount = "", chosen = [], by = "" } = event.decision;
    return [[seat, event.moves.join(" "), move, amount, chosen.join(" "), by]];
  });
  telling.show("decisions", { decisions: grid("seat legal move amount chosen by", asked) });
  if (whole || (bankDraws && round.asked === round.decisions.length)) telling.pass("decisions");
  if (!whole) return;
  const dealer = total(round.bank);
  telling.pass("dealer", { cards: round.labelsOf(round.bank), total: dealer });
  const boxed = round.hands.some(({ box }) => box);
  const hands = (columns: string, row: (hand: Hand) => (string | number)[]) => ({
    hands: grid(
      `seat ${boxed ? "box " : ""}${columns}`,
      round.hands.map((hand) => [hand.seat, ...(boxed ? [hand.box ?? hand.seat] : []), ...row(hand)]),
    ),
  });
  telling.pass(
    "totals",
    hands("cards total", ({ cards }) => [round.labelsOf(cards).join(" "), total(cards)]),
  );
  telling.pass(
    "outcome",
    hands("total dealer-total outcome", ({ cards, outcome }) => [total(cards), dealer, outcome]),
  );
  telling.pass(
    "payout",
    hands("bet net insured insurance", ({ bet, net, insured, insurance }) => [bet, net, insured, insurance]),
  );
  const won: Record<string, number> = { [bank]: 0 };
  for (const { seat, net, insurance } of round.hands) {
    won[seat] = (won[seat] ?? 0) + net + insurance;
    won[bank] -= net + insurance;
  }
  const rows = Object.entries(won).map(([name, more]) => [
    name,
    accounts[name] ?? 0,
    more,
    (accounts[name] ?? 0) + more,
  ]);
  for (const [name, , , after] of rows)
    telling.same("chips", "against-rules", `round chips.${name}`, after, entry.chips[name]);
  telling.pass("chips", { chips: grid("account before won after", rows) });
}

/** What no check shows. */
export const NEVER = ["key", "together", "unanswered"].map((name) => `unseen.${name}`);

/** @returns what only the whole log shows, and what nothing shows */
export function unseenOf({ table: { rules }, open, end, contributed }: Facts): string[] {
  if (!open) return NEVER;
  const { many, bank } = GAMES[rules];
  const has = (there: boolean | undefined, names: string) => (there ? names.split(" ") : []);
  return [
    ...has(end?.kind === "reveal", "seen-cards"),
    ...has(contributed.length > 0, "own-seed"),
    ...has(true, "own-commitment twice other-log"),
    ...has(end?.kind === "void", "void"),
    ...has(many, "many retired chair-since waiver"),
    ...has(bank !== undefined, "bank"),
    ...has(true, "balances seated covered"),
    ...has(open.uncovered !== undefined, "cover"),
    ...has(true, "numbers limits"),
  ]
    .map((name) => `unseen.${name}`)
    .concat(NEVER);
}
