// What the entries of a round say, and the orders from which its cards came, with every word and swap.

import { fromHex } from "../bytes.ts";
import { cardsNamed } from "../games.ts";
import { placerName } from "../placing.ts";
import { drawNamed, ShuffledDeck, transcript, Words } from "../shuffle.ts";
import { grid, wordsCommand } from "./told.ts";
import type { Entry } from "../audit.ts";
import type { Telling } from "./told.ts";

// A shuffle with all that it is made of: every word, and every swap that the wanted cards need.

interface Swap {
  /** i, the position that is final after it */
  place: number;
  /** of its word in the stream */
  number: number;
  word: number;
  /** m: how many cards remain */
  bound: number;
  /** the words that were discarded before it, each with its number */
  rejected: [number, number][];
}

/** one order of cards: those that are wanted of it, and the swaps that brought them there */
export type Order = ReturnType<typeof trace>;

/** @param positions in the dealt order: the wanted cards */
export function trace({ key, text, k, labels: { length: size }, shuffle: { cut } }: ShuffledDeck, positions: number[]) {
  const places = positions.map((position) => (position + cut) % size);
  const words = new Words(key, text, "fairshoe/1 shuffle");
  const deck = Uint32Array.from({ length: size }, (_, i) => i);
  const swaps: Swap[] = [];
  let read = 0;
  const last = Math.min(Math.max(-1, ...places), size - 2);
  for (let place = 0; place <= last; place++) {
    const bound = size - place;
    const rejected: [number, number][] = [];
    let word = words.next();
    for (; word >= 2 ** 32 - (2 ** 32 % bound); word = words.next()) rejected.push([read++, word]);
    const other = place + (word % bound);
    [deck[place], deck[other]] = [deck[other], deck[place]];
    swaps.push({ place, number: read++, word, bound, rejected });
  }
  const needed = new Set(places.flatMap((place) => wayOf(swaps, place)));
  const cards = places.map((place) => deck[place]);
  return { text, k, size, cut, positions, cards, swaps: swaps.filter(({ place }) => needed.has(place)), words: read };
}

/** @returns the swaps that brought a card to its place, backwards */
function wayOf(swaps: Swap[], place: number): number[] {
  const way = [];
  for (let i = Math.min(place, swaps.length - 1); i >= 0; i--) {
    const other = i + (swaps[i].word % swaps[i].bound);
    if (place !== i && place !== other) continue;
    way.push(i);
    place = place === i ? other : i;
  }
  return way;
}

/** `key`: hex; `labels`: of the wanted cards. */
export function showOrder(
  telling: Telling,
  { text, k, size, cut, positions, swaps, words }: Order,
  key: string,
  labels: string[],
) {
  const wanted = new Map(positions.map((position, i) => [(position + cut) % size, [position, labels[i]]]));
  const hex = (word: number) => word.toString(16).padStart(8, "0");
  const rows = swaps.flatMap(({ place, number, word, bound, rejected }) => [
    ...rejected.map(([at, one]) => [place, at, hex(one), "×", bound, "", "", "", ""]),
    [place, number, hex(word), "", bound, word % bound, place + (word % bound), ...(wanted.get(place) ?? ["", ""])],
  ]);
  if (k) telling.show("shuffle", { "reshuffle": k, "transcript": text, "cut-drawn": cut });
  const swapped = grid("place word-number word rejected bound index-of swap position card", rows);
  telling.show("shuffle", {
    "deck-size": size,
    "cards": labels,
    "swaps": swapped,
    "command": wordsCommand(key, text, words),
  });
}

// What the entries of a round say: each thing where it stands.

export type { Entry };
type Placed = { index: number; entry: Entry };

/** what the entries of a round say, each by its kind */
export type Facts = ReturnType<typeof factsOf>;

/** `number`: of the round; `card`: the position of one card of a shoe without a table, in place of a round. */
export function factsOf(entries: Placed[], number: number, card: number | null = null) {
  const all = (...kinds: string[]): Entry[] =>
    entries.map(({ entry }) => entry).filter(({ kind }) => kinds.includes(kind));
  const [[table = {}], [shoe], [seeds], [seal], [end]] = [
    all("table"),
    all("shoe"),
    all("seeds"),
    all("seal"),
    all("reveal", "void", "lost"),
  ];
  const given: Map<string, string> = new Map(all("opened").map(({ player, seed }) => [player, seed]));
  const reshuffles = all("reshuffle").filter(({ round }) => round <= number);
  const rounds =
    card === null
      ? all("round").filter(
          ({ round }) => round === number || reshuffles.some((one) => one.round === round && round < number),
        )
      : [{ round: number, pos: card, cards: [""], placed: placeOf(all("drawn")[0], card) }];
  const deck = all("deck").flatMap(({ labels }) => labels);
  /** each seed in the roster's order */
  const contributed: [string, string][] = shoe.roster.flatMap((player: string) =>
    given.has(player) ? [[player, given.get(player)]] : [],
  );
  const text = transcript({
    shoe: shoe.shoe,
    deck: deck.length ? deck : deckIn(shoe),
    commitment: shoe.commitment,
    seeds: contributed.map(([player, seed]) => [player, fromHex(seed)]),
    placer: shoe.placer && [placerName(shoe.placer.key), shoe.placer.commitment],
  });
  /** with its key, where that is out */
  const placer: { name: string; commitment: string; key: string } | undefined = shoe.placer && {
    name: placerName(shoe.placer.key),
    commitment: shoe.placer.commitment,
    key: all("placed")[0]?.key ?? "",
  };
  const { draws } = shoe;
  const drawn =
    draws.cut !== undefined && end?.kind === "reveal"
      ? { at: drawNamed(fromHex(end.key), text, "cut", draws.cut) }
      : undefined;
  /** as somebody chose it, or as it was drawn */
  const cut: { at: number; by?: string } | undefined =
    [...all("seeds"), ...all("opened")].find((entry) => entry.cut)?.cut ?? drawn;
  return {
    entries,
    number,
    deck: deck.length ? deck : deckIn(shoe),
    cut,
    table,
    shoe,
    seeds,
    seal,
    end,
    rounds,
    reshuffles,
    contributed,
    text,
    placer,
    open: all("open").filter(({ round }) => round === number)[0],
    round: rounds.find(({ round }) => round === number),
  };
}

/** @returns the place that a placer gave for a card */
const placeOf = ({ pos, placed }: Entry, card: number) => placed && { places: [placed.places[card - pos]] };

/** @returns no card where its deck is none of a table's */
const deckIn = ({ deck }: Entry): string[] => cardsNamed(deck) ?? [];

/** @returns its cards by the deck they came from; given: the places that a placer gave for them */
export function segmentsOf(
  { reshuffles }: Facts,
  round: Entry,
): { anew: Entry | null; positions: number[]; given: number[] | undefined }[] {
  const starts = [null, ...reshuffles.filter((one) => one.round === round.round)];
  let at = 0;
  return starts.map((anew, i) => {
    const first = anew?.after ?? 0;
    const from = !anew ? round.pos : anew.burn === undefined ? 0 : 1;
    const length = Math.max(0, (starts[i + 1]?.after ?? round.cards.length) - first);
    at += anew?.burn === undefined ? 0 : 1;
    const given = round.placed?.places.slice(at, at + length);
    at += length;
    return { anew, positions: Array.from({ length }, (_, j) => from + j), given };
  });
}

/** The orders of a round; `dealt`: where its cards lay, if a placer gave other places. `key`: hex. */
export function ordersOf(
  facts: Facts,
  key: string,
): (Order & { labels: string[]; dealt: number[]; given: number[] | undefined })[] {
  let order = new ShuffledDeck(fromHex(key), facts.text, facts.deck, facts.cut?.at);
  const all = facts.rounds.map((round) => {
    const lying: Set<number> = new Set();
    return segmentsOf(facts, round).map(({ anew, positions, given }) => {
      if (anew) order = order.gather(order.allBut(lying), anew.cut);
      const { indexes, deck } = order;
      const wanted = (given ?? positions).filter((position) => position < indexes.length);
      const traced = trace(order, wanted);
      const cards = traced.cards.map((card) => indexes[card]);
      for (const card of cards) lying.add(card);
      const labels = cards.map((card) => deck[card]);
      return { ...traced, k: anew ? order.k : 0, labels, dealt: positions, given };
    });
  });
  return all[all.length - 1];
}
