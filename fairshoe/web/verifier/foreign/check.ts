// Three answers about another house's hand: do seed, result and money follow? Never "fair".

import { InputError } from "../bytes.ts";
import { dealOrder, playBlackjack, sideBet } from "./blackjack.ts";
import { cardsIn, numberIn, SCHEMES, wholeIn } from "./schemes.ts";
import type { Game, Hand } from "./schemes.ts";

type State = "follows" | "differs" | "not checked";
type Answer = {
  commitment: State;
  outcome: State;
  payout: State;
  expected: string;
  slips: [slip: string, value: string, odds: number][];
  limits: string[];
  real: boolean;
};

/** Games between a revealed hash and a remembered one of the same chain. */
const MAX_CHAIN = 10_000_000;
const MAX_NEIGHBOURS = 5;

/** @returns Throws InputError for what cannot be read. */
export function checkForeign(hand: Hand): Answer {
  if (!hand.server_seed) throw new InputError("is missing", "server_seed");
  if (!hand.scheme)
    return { ...NOTHING_CHECKED, slips: [...candidates(hand)].map(([slip, value, odds]) => [slip, value, odds]) };
  const scheme = SCHEMES[hand.scheme];
  if (!scheme) throw new InputError("is not known here", "scheme");
  const names = Object.keys(scheme.games);
  const game = scheme.games[hand.game || (names.length === 1 ? names[0] : "")];
  if (!game) throw new InputError("is no game of this scheme", "game");
  const commitment = commitmentOf(hand);
  const expected = hand.result ? expectedOf(game, hand) : "";
  const found = !hand.result ? "not checked" : follows(game, hand, expected) ? "follows" : "differs";
  const outcome = found === "follows" && commitment === "differs" ? "not checked" : found;
  const payout = hand.payout && hand.bet && game.money && outcome === "follows" ? payoutOf(game, hand) : "not checked";
  const slips = outcome === "differs" ? [...slipsOf(game, hand)] : [];
  return { commitment, outcome, payout, expected, slips, limits: scheme.limits, real: game.real };
}

const NOTHING_CHECKED: Answer = {
  commitment: "not checked",
  outcome: "not checked",
  payout: "not checked",
  expected: "",
  slips: [],
  limits: [],
  real: true,
};

function commitmentOf({ scheme, server_seed, nonce, commitment }: Hand): State {
  if (!commitment) return "not checked";
  const { commits, chain } = SCHEMES[scheme];
  const steps = chain ? Math.min(wholeIn(nonce, "nonce") || MAX_CHAIN, MAX_CHAIN) : 1;
  for (let step = 0, found = server_seed; step < steps; step++)
    if ((found = commits(found)) === commitment.trim().toLowerCase()) return "follows";
  return "differs";
}

/** The result that the seeds give, as the house writes it. */
function expectedOf(game: Game, hand: Hand): string {
  if (game.cards) {
    const played = game.money && hand.actions ? playBlackjack(game.cards(hand), actionsOf(hand)) : null;
    if (played) return played.cards.join(" ");
    const draws = game.cards(hand);
    return shownOf(game, hand)
      .map(() => draws.next().value)
      .join(" ");
  }
  const value = game.number?.(hand) ?? 0;
  return Number(value.toFixed(2)) === value ? value.toFixed(2) : String(value);
}

const shownOf = (game: Game, hand: Hand): string[] => (game.money ? dealOrder(hand.result) : cardsIn(hand.result));

const actionsOf = ({ actions }: Hand) => actions.split(/[\s,]+/).filter((word) => word && word !== "no-ins");

function follows(game: Game, hand: Hand, expected: string) {
  if (game.cards) return shownOf(game, hand).join(" ") === expected;
  const [value, given] = [Number(expected), numberIn(hand.result, "result")];
  return (
    given === value ||
    (game.either === true && [Number(value.toFixed(2)), Math.trunc(value * 100) / 100].includes(given))
  );
}

function payoutOf(game: Game, hand: Hand): State {
  const played = game.cards && playBlackjack(game.cards(hand), actionsOf(hand));
  if (!played) return "not checked";
  const [main, ...sides] = hand.bet.split(/\s+/);
  const [first, up, second] = played.cards;
  let due = played.back * numberIn(main, "bet");
  for (const side of sides) {
    const [name, stake] = side.split("=");
    if (name !== "pairs" && name !== "21+3") throw new InputError("is no side bet", "bet");
    const won = sideBet(name === "pairs" ? [first, second] : [first, second, up]);
    if (won === null) return "not checked";
    due += won * numberIn(stake ?? "", "bet");
  }
  return Math.abs(due - numberIn(hand.payout, "payout")) < 1e-9 ? "follows" : "differs";
}

/** One in how many results fits other seeds by chance. */
const oddsOf = ({ odds, ...game }: Game, hand: Hand) =>
  Math.floor(
    typeof odds === "function"
      ? odds(numberIn(hand.result, "result"))
      : game.cards
        ? odds ** Math.min(shownOf({ odds, ...game }, hand).length, 9)
        : odds,
  );

/** @param hand whether it follows; a result of another form does not */
function resultFits(game: Game, hand: Hand) {
  try {
    return follows(game, hand, expectedOf(game, hand));
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Other nonces, seeds or schemes by which the result would follow. */
function* slipsOf(game: Game, hand: Hand): Generator<[string, string, number], void, void> {
  const nonce = wholeIn(hand.nonce, "nonce");
  for (let distance = 1; distance <= MAX_NEIGHBOURS; distance++)
    for (const other of [nonce - distance, nonce + distance])
      if (other >= 0 && resultFits(game, { ...hand, nonce: String(other) }))
        yield ["nonce", String(other), oddsOf(game, hand)];
  if (resultFits(game, { ...hand, server_seed: hand.client_seed, client_seed: hand.server_seed }))
    yield ["exchanged", "", oddsOf(game, hand)];
  for (const field of ["server_seed", "client_seed"] as const)
    for (const [slip, text] of [
      ["space", hand[field].trim()],
      ["feed", `${hand[field]}\n`],
      ["case", hand[field].toLowerCase()],
    ])
      if (text !== hand[field] && resultFits(game, { ...hand, [field]: text })) yield [slip, field, oddsOf(game, hand)];
  for (const [slip, value, odds, other] of candidates({ ...hand, game: "" }))
    if (other !== game) yield [slip, value, odds];
}

/** The schemes that give the hand's result. */
function* candidates(hand: Hand): Generator<[string, string, number, Game], void, void> {
  for (const [name, scheme] of Object.entries(SCHEMES))
    for (const [of, game] of Object.entries(scheme.games))
      if (hand.result && (!hand.game || hand.game === of) && resultFits(game, hand))
        yield ["scheme", `${name} ${of}`, oddsOf(game, hand), game];
}
