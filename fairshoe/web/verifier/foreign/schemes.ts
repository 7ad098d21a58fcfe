// The schemes of other houses: how each turns seeds into results. docs/other-houses.md describes them.

import { concat, fromHex, InputError, toHex, utf8 } from "../bytes.ts";
import { Hmac, sha256, sha512 } from "../hashes.ts";

export type Hand = Record<
  | "scheme"
  | "game"
  | "server_seed"
  | "client_seed"
  | "nonce"
  | "cursor"
  | "commitment"
  | "result"
  | "bet"
  | "actions"
  | "payout",
  string
>;
export type Game = {
  cards?: (hand: Hand) => Iterator<string>;
  number?: (hand: Hand) => number;
  odds: number | ((point: number) => number);
  real: boolean;
  money?: boolean;
  either?: boolean;
};
type Scheme = { games: Record<string, Game>; commits: (seed: string) => string; limits: string[]; chain?: boolean };

const RANKS = "A23456789TJQK";
const DIAMONDS_FIRST = [..."23456789TJQKA"].flatMap((rank) => [..."dhsc"].map((suit) => rank + suit));
const EIGHT_PACKS = Array.from({ length: 8 }, () =>
  [..."chsd"].flatMap((suit) => [...RANKS].map((rank) => rank + suit)),
).flat();

function bytesIn(text: string, where: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) throw new InputError("is not hexadecimal", where);
  return fromHex(text.toLowerCase());
}

export function wholeIn(text: string, where: string) {
  if (!/^\d{0,15}$/.test(text)) throw new InputError("is no whole number", where);
  return Number(text);
}

export function numberIn(text: string, where: string) {
  if (!/^\d{1,15}(?:\.\d{1,20})?x?$/.test(text)) throw new InputError("is no decimal number", where);
  return Number.parseFloat(text);
}

/** `text`: cards in any house's notation. Returns our labels. */
export function cardsIn(text: string): string[] {
  const names = text.trim().split(/\s+/);
  if (names.length > 1000) throw new InputError("has too many cards", "result");
  return names.map((name) => {
    const found = /^([cdhs♣♦♥♠])(1[0-3]|[1-9atjqk])$/iu.exec(name) ?? /^(1[0-3]|[1-9atjqk])([cdhs♣♦♥♠])$/iu.exec(name);
    if (!found) throw new InputError("is no card", "result");
    const [rank, suit] = /^[cdhs♣♦♥♠]$/iu.test(found[1]) ? [found[2], found[1]] : [found[1], found[2]];
    const known = { 1: "A", 10: "T", 11: "J", 12: "Q", 13: "K", "♣": "c", "♦": "d", "♥": "h", "♠": "s" } as Record<
      string,
      string
    >;
    return (known[rank] ?? rank.toUpperCase()) + (known[suit] ?? suit.toLowerCase());
  });
}

const hashOfText = (seed: string) => toHex(sha256(utf8(seed)));
const hashOfBytes = (seed: string) => toHex(sha256(bytesIn(seed, "server_seed")));

/** The eight numbers of 32 bits in an HMAC. */
const numbersOf = (mac: Uint8Array): number[] =>
  Array.from({ length: 8 }, (_, i) => new DataView(mac.buffer).getUint32(4 * i));

/** The bytes of the server seed, which is hex. */
const serverBytes = ({ server_seed }: Hand) => bytesIn(server_seed, "server_seed");

/** The numbers of HMACs of "client seed:nonce:cursor", eight for each cursor. */
function numbersFor({ client_seed, nonce }: Hand, key: Uint8Array): (cursor: number) => number[] {
  const mac = new Hmac(key);
  const whole = wholeIn(nonce, "nonce");
  return (cursor) => numbersOf(mac.of(utf8(`${client_seed}:${whole}:${cursor}`)));
}

/** The first of these numbers below a multiple of `of`, modulo `of`. */
function unbiased(numbers: number[], of: number): number | undefined {
  const number = numbers.find((each) => each < 2 ** 32 - (2 ** 32 % of));
  return number === undefined ? undefined : number % of;
}

/** @returns Stake's numbers, eight a round */
function* stakeNumbers(hand: Hand): Generator<number, void, void> {
  const numbers = numbersFor(hand, utf8(hand.server_seed));
  for (let round = wholeIn(hand.cursor, "cursor"); ; round++) yield* numbers(round);
}

const part = (number: number, of: number) => Math.floor((number * of) / 2 ** 32);

/** @param replaced whether a card may come twice */
function* stakeCards(hand: Hand, replaced: boolean): Generator<string, void, void> {
  const left = [...DIAMONDS_FIRST];
  for (const number of stakeNumbers(hand)) {
    if (left.length === 0) return;
    yield replaced ? left[part(number, 52)] : left.splice(part(number, left.length), 1)[0];
  }
}

const firstNumber = (hand: Hand) => stakeNumbers(hand).next().value as number;

function* duelCards(hand: Hand): Generator<string, void, void> {
  const numbers = numbersFor(hand, serverBytes(hand));
  for (let cursor = wholeIn(hand.cursor, "cursor"); ; cursor++)
    yield DIAMONDS_FIRST[unbiased(numbers(cursor), 52) as number];
}

function duelCrash(hand: Hand) {
  const client = new TextDecoder().decode(bytesIn(hand.client_seed, "client_seed"));
  const [first] = numbersOf(new Hmac(serverBytes(hand)).of(utf8(`${client}:0`)));
  return Math.max(1, Math.floor((2 ** 32 / (first + 1)) * 0.999 * 100) / 100);
}

function liqdCards(hand: Hand): Iterator<string> {
  const numbers = numbersFor(hand, serverBytes(hand));
  const shoe = [...EIGHT_PACKS];
  for (let i = shoe.length - 1; i > 0; i--) {
    let j;
    for (let step = i; j === undefined; step += 1_000_000) j = unbiased(numbers(step), i + 1);
    [shoe[i], shoe[j]] = [shoe[j], shoe[i]];
  }
  return shoe[Symbol.iterator]();
}

const csgoRoll = ({ server_seed, client_seed, nonce }: Hand) =>
  numbersOf(sha256(utf8(`${server_seed}-${client_seed}-${wholeIn(nonce, "nonce")}`)))[0] % 15;

/** HMAC-SHA512 of a short key. */
function digitsRoll(hand: Hand) {
  const seed = utf8(hand.server_seed);
  const key = new Uint8Array(128);
  key.set(seed.length > 128 ? sha512(seed) : seed);
  const pad = (with_: number) => key.map((byte) => byte ^ with_);
  const inner = sha512(concat(pad(0x36), utf8(`${hand.client_seed}-${wholeIn(hand.nonce, "nonce")}`)));
  const groups =
    toHex(sha512(concat(pad(0x5c), inner)))
      .match(/.{5}/g)
      ?.map((digits) => Number.parseInt(digits, 16)) ?? [];
  return ((groups.find((group) => group < 1e6) ?? 9999) % 1e4) / 100;
}

const first52 = (mac: Uint8Array) => BigInt(`0x${toHex(mac).slice(0, 13)}`);
const hundredths = (above: bigint, below: bigint) => Number(above / below) / 100;
const E = 2n ** 52n;
const bustabit = (mac: Uint8Array) => Math.max(1, hundredths(99n * E, E - first52(mac)));
const CHAINS: Record<
  string,
  [salt: string, keyed: "salt" | "hash", point: (mac: Uint8Array) => number, real: boolean]
> = {
  "bustabit-1": [
    "000000000000000007a9a31ff7f07463d91af6b5454241d5faf282e5e0fe1b3a",
    "hash",
    (mac) => (BigInt(`0x${toHex(mac)}`) % 101n ? hundredths(100n * E - first52(mac), E - first52(mac)) : 0),
    false,
  ],
  "bustabit-2": ["0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526", "salt", bustabit, true],
  "bustabit-3": ["00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be", "salt", bustabit, true],
  "bc-game": [
    "0000000000000000000e3a66df611d6935b30632f352e4934c21059696117f28",
    "salt",
    (mac) => Math.max(1, Math.floor(99 / (1 - Number((Number(first52(mac)) / 2 ** 52).toPrecision(9)))) / 100),
    false,
  ],
  "stake-crash": [
    "0000000000000000001b34dc6a1e86083f95500b096231436e9b25cbdd0075c4",
    "hash",
    (mac) => Math.max(1, (2 ** 32 / (numbersOf(mac)[0] + 1)) * 0.99),
    true,
  ],
};

/** The chance of a multiplier, as one in so many. */
const crashOdds = (point: number, returned: number = 0.99) =>
  1 / (point > 1 ? returned / point - returned / (point + 0.01) : 1 - returned / 1.01);

const withReplacement = { cards: (hand: Hand) => stakeCards(hand, true), odds: 52, real: true };
const SEEDS = ["unsigned", "gaps", "client"];
export const SCHEMES: Record<string, Scheme> = {
  ...Object.fromEntries(
    Object.entries(CHAINS).map(([name, [salt, keyed, point, real]]) => {
      const number = (hand: Hand) => {
        const hash = serverBytes(hand);
        return point(
          keyed === "salt" ? new Hmac(utf8(salt)).of(hash) : new Hmac(utf8(hand.server_seed)).of(utf8(salt)),
        );
      };
      const crash = { number, odds: crashOdds, real, either: name === "stake-crash" };
      return [
        name,
        {
          games: { crash },
          commits: name === "bustabit-3" ? hashOfBytes : hashOfText,
          limits: ["unsigned", "chosen"],
          chain: true,
        },
      ];
    }),
  ),
  "csgo": {
    games: { roulette: { number: csgoRoll, odds: 15, real: false } },
    commits: hashOfText,
    limits: ["unsigned", "gaps"],
  },
  "primedice-old": {
    games: { dice: { number: digitsRoll, odds: 10_000, real: false } },
    commits: hashOfText,
    limits: SEEDS,
  },
  "duel": {
    games: {
      crash: { number: duelCrash, odds: (point) => crashOdds(point, 0.999), real: true },
      cards: { cards: duelCards, odds: 52, real: false },
    },
    commits: hashOfBytes,
    limits: [...SEEDS, "replaced"],
  },
  "liqd": {
    games: { blackjack: { cards: liqdCards, odds: 52, real: true, money: true } },
    commits: hashOfText,
    limits: SEEDS,
  },
  "stake": {
    games: {
      "blackjack": withReplacement,
      "baccarat": withReplacement,
      "hilo": withReplacement,
      "video-poker": { cards: (hand) => stakeCards(hand, false), odds: 52, real: true },
      "dice": { number: (hand) => Math.floor((10_001 * firstNumber(hand)) / 2 ** 32) / 100, odds: 10_001, real: true },
      "limbo": {
        number: (hand) =>
          Math.max(1, Math.floor((1e8 / (Math.floor((1e8 * firstNumber(hand)) / 2 ** 32) + 1)) * 0.99 * 100) / 100),
        odds: crashOdds,
        real: true,
      },
    },
    commits: hashOfText,
    limits: [...SEEDS, "replaced"],
  },
};
