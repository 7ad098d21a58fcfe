// A hand of blackjack played again from a house's cards and the player's actions, and what one chip brings back.

import { InputError } from "../bytes.ts";
import { count } from "../cards.ts";
import { cardsIn } from "./schemes.ts";

/**
 * Deal player, dealer, player, dealer, follow the actions, and draw the dealer to 17.
 * @returns null if an action is missing, or no real hand has shown what this house does
 */
export function playBlackjack(draws: Iterator<string>, actions: string[]): { cards: string[]; back: number } | null {
  const cards: string[] = [];
  const draw = () => {
    cards.push(draws.next().value);
    return cards[cards.length - 1];
  };
  for (let i = 0; i < 4; i++) draw();
  const main = [cards[0], cards[2]];
  const dealer = [cards[1], cards[3]];
  const naturals = [main, dealer].map((hand) => count(hand).total === 21);
  if (naturals.some(Boolean)) return { cards, back: naturals.every(Boolean) ? 1 : naturals[0] ? 2.5 : 0 };
  const left = [...actions];
  let hands = [main];
  if (left[0] === "split") {
    left.shift();
    const [second, other] = [draw(), draw()];
    hands = [
      [cards[2], other],
      [cards[0], second],
    ];
  }
  const stakes: number[] = [];
  for (const hand of hands) {
    let stake = 1;
    while (stake === 1 && count(hand).total < 21) {
      const action = left.shift();
      if (action === "stand") break;
      if (action !== "hit" && action !== "double") return null;
      hand.push(draw());
      if (action === "double") stake = 2;
    }
    stakes.push(stake);
  }
  if (left.length) return null;
  while (count(dealer).total < 17) dealer.push(draw());
  const { total: held, soft } = count(dealer);
  if (held === 17 && soft) return null;
  const back = hands.map((hand, i) => {
    const { total: player } = count(hand);
    return stakes[i] * (player > 21 || (player < held && held <= 21) ? 0 : player === held ? 1 : 2);
  });
  return { cards, back: back.reduce((sum, each) => sum + each, 0) };
}

/** `cards`: of a side bet. Returns what 1 brings back; null where no real hand has shown it. */
export function sideBet(cards: string[]): number | null {
  const ranks = new Set(cards.map(([rank]) => rank));
  const suits = [...new Set(cards.map(([, suit]) => suit))].sort().join("");
  const straight =
    ranks.size === 3 &&
    Array.from({ length: 12 }, (_, at) => "A23456789TJQKA".slice(at, at + 3)).some((run) =>
      [...run].every((rank) => ranks.has(rank)),
    );
  if (cards.length === 2 && ranks.size === 2) return 0;
  if (cards.length === 2) return suits.length === 1 ? null : suits === "cs" || suits === "dh" ? 14 : 7;
  if (suits.length === 1) return straight ? 41 : null;
  return ranks.size === 1 ? 31 : straight ? null : 0;
}

/** @returns its cards in the order of the deal, which `main|other / dealer` is not */
export function dealOrder(result: string): string[] {
  const [player, dealer, ...more] = result.split("/");
  if (dealer === undefined) return cardsIn(player);
  const [main, other, ...third] = player.split("|").map(cardsIn);
  const house = cardsIn(dealer);
  if (more.length || third.length || [main, other ?? main, house].some((hand) => hand.length < 2))
    throw new InputError("has other hands", "result");
  if (!other) return [main[0], house[0], main[1], house[1], ...main.slice(2), ...house.slice(2)];
  return [
    main[0],
    house[0],
    other[0],
    house[1],
    main[1],
    other[1],
    ...other.slice(2),
    ...main.slice(2),
    ...house.slice(2),
  ];
}
