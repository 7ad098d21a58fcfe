// The felt: the shoe, the dealer's cards, the chairs with their hands and chips, as the table's state has them.

import { card, chipsOf, hasWords, make, say, stack } from "./build.ts";
import { count } from "../verifier/cards.ts";
import { GAMES } from "../verifier/games.ts";
import type { HandView, TableState } from "../player/types.ts";
import type { Part } from "./build.ts";

/** The name that a chair's player is called by. */
export function nameOf({ seats, you }: TableState, seat: string | number) {
  const found = seats.find((one) => one.seat === Number(seat));
  if (you && Number(seat) === you.seat) return say("seat.you");
  return found ? (found.name ?? found.player) : say("seat.number", { seat });
}

/** The open round; while its placer is awaited, as it lay before that. */
const openOf = ({ round }: TableState) => round?.view ?? round?.shown;

/** The round in play, or the last one as it lay. */
export function cardsOf(
  state: TableState,
): { dealer: HandView; hands: HandView[]; turn?: number; hand?: number; over: boolean } | null {
  const [open, { last }] = [openOf(state), state];
  if (open) return open;
  if (!last || state.round) return null;
  const of = (hand: any) => ({ ...hand, cards: hand.cards.map((at: number) => last.cards[at]) });
  return { dealer: of(last.dealer), hands: last.hands.map(of), over: true };
}

/** A chair's chips now, less what it has on the table. */
export function chipsLeft(state: TableState, seat: number) {
  const { rules, chips } = state;
  const staked = GAMES[rules].pool ? [] : betsOf(state, seat);
  return openOf(state)?.chips[seat] ?? staked.reduce((left, { amount }) => left - amount, chips[seat] ?? 0);
}

/** What a chair bets on the next round, or on one whose cards do not lie yet. */
const betsOf = (state: TableState, seat: number) =>
  (state.bets?.in ?? (state.round && !openOf(state) ? state.round.bets : [])).filter((bet) => bet.seat === seat);

/** The chair that banked in a round that is over; 0: the house or the pool did. */
export const bankerOf = ({ hands, chips }: Record<string, any>) =>
  Number(
    Object.keys(chips).find((name) => /^\d+$/.test(name) && !hands.some(({ seat }: any) => String(seat) === name)) ?? 0,
  );

export function outcomeWord(outcome: string) {
  const [, cards] = /^(\d+) cards$/.exec(outcome) ?? [];
  return cards ? say("outcome.cards", { cards }) : hasWords(`outcome.${outcome}`) ? say(`outcome.${outcome}`) : outcome;
}

/** @param played who sat where in the last round: whoever came later has no hand of it */
export function felt(state: TableState, played: TableState["seats"]): HTMLElement {
  const { shoe, chips, bank, round } = state;
  const laid = cardsOf(state);
  const playerOf = (seats: TableState["seats"], at: number) => seats.find(({ seat }) => seat === at)?.player;
  const lying = (laid?.hands ?? []).filter(
    ({ seat = 0 }) => !laid?.over || [undefined, playerOf(played, seat)].includes(playerOf(state.seats, seat)),
  );
  const banker = /^\d+$/.test(bank) ? Number(bank) : 0;
  const dealt = laid?.over && state.last ? bankerOf(state.last) : banker;
  const taken = state.seats.map(({ seat }) => seat);
  const shown = [...new Set([...taken, ...lying.map(({ seat = 0 }) => seat)])].sort((a, b) => a - b); // who has left has a hand there still
  const free =
    taken.length < state.chairs
      ? [...Array(state.chairs)]
          .map((_, i) => i + 1)
          .filter((seat) => !shown.includes(seat))
          .slice(0, 1)
      : [];
  const dealer = make(
    `div.dealer${laid && !laid.over && laid.turn === banker && banker ? ".turn" : ""}`,
    {},
    make(
      "h2",
      {},
      dealt ? `${nameOf(state, dealt)} · ${say(dealt === banker ? "seat.bank" : "seat.banked")}` : say("dealer"),
    ),
    laid && !(laid.over && !lying.length) ? handOf(state, laid.dealer, true) : make("div.cards.empty"),
  );
  const seats = [...shown, ...free].map((seat) => {
    const hands = lying.filter((hand) => hand.seat === seat);
    const offered = betsOf(state, seat);
    const mine = state.you?.seat === seat;
    return make(
      `li.seat${mine ? ".you" : ""}${laid && !laid.over && laid.turn === seat ? ".turn" : ""}${free.includes(seat) ? ".free" : ""}`,
      { "data-seat": seat },
      make(
        "div.hands",
        {},
        ...hands.map((hand) =>
          handOf(
            state,
            hand,
            false,
            laid?.turn === seat && laid?.hand !== undefined && laid.hands[laid.hand] === hand,
            inBoxes(lying),
          ),
        ),
      ),
      make(
        "div.bets",
        {},
        ...offered.map(({ amount, box }) =>
          make("span", {}, box ? make("small", {}, say("box", { box })) : "", stack(amount)),
        ),
      ),
      make(
        "div.name",
        {},
        make("b", {}, free.includes(seat) ? say("seat.free") : nameOf(state, seat)),
        state.joined?.includes(seat) && make("em", {}, say("seat.joined")),
        banker === seat && make("em", {}, say("seat.bank")),
        taken.includes(seat) && make("span", {}, chipsOf(chipsLeft(state, seat))),
      ),
    );
  });
  return make(
    "section.felt",
    { "aria-label": state.table },
    make(
      "div.top",
      {},
      shoeOf(state),
      dealer,
      make(
        "div.side",
        {},
        "pool" in chips ? make("div.pool", {}, make("small", {}, say("pool")), stack(chips.pool)) : "",
        round?.reshuffled?.length ? make("small", {}, say("reshuffled")) : "",
        shoe?.burned.length
          ? make("div.burned", {}, make("small", {}, say("burned")), ...shoe.burned.slice(-1).map(card))
          : "",
      ),
    ),
    make("ul.seats", {}, ...seats),
  );
}

function shoeOf(state: TableState) {
  const [{ shoe, round }, open] = [state, openOf(state)];
  const lying = open ? [open.dealer, ...open.hands].flatMap(({ cards }) => cards).length : 0;
  const left = shoe ? shoe.cards - lying - (round?.reshuffled?.length ? 0 : shoe.position) : 0; // the position is before the round
  return make(
    "div.shoe",
    { "role": "img", "aria-label": shoe ? say("shoe.left", { left, cards: shoe.cards }) : say("phase.idle") },
    make("i"),
    make("i"),
    make("i"),
    shoe ? make("small", {}, String(left)) : "",
  );
}

/** Whether somebody plays in another place than the chair's own: then each hand says where it lies. */
export const inBoxes = (hands: { box?: number; seat?: number }[]) => hands.some(({ box, seat }) => box && box !== seat);

/** A total; of a hand in which an ace counts 11 it says so, where GE-02 counts. */
function totalOf({ rules }: TableState, { cards, total }: HandView) {
  const labels = cards.filter((label) => label !== null);
  const { soft, total: counted } = count(labels);
  return soft && !GAMES[rules].total && counted === total && labels.length === cards.length && total < 21
    ? say("total.soft", { total })
    : String(total);
}

function handOf(state: TableState, hand: HandView, dealer: boolean, turn: boolean = false, boxed: boolean = false) {
  const below: Part[] = [];
  if (hand.total !== null) below.push(make("span.total", {}, totalOf(state, hand)));
  if (!dealer && hand.bet) below.push(stack(hand.bet));
  const { net = 0, outcome, insured, insurance } = hand;
  const signed = (amount: number) => chipsOf(amount, { sign: true });
  const result = (amount: number, text: string) =>
    make(`span.outcome${amount > 0 ? ".won" : amount < 0 ? ".lost" : ""}`, {}, text);
  if (insurance) below.push(result(insurance, say("paid.insurance", { net: signed(insurance) })));
  else if (insured) below.push(make("small", {}, say("paid.insurance", { net: insured })));
  if (outcome) below.push(result(net, `${outcomeWord(outcome)} ${signed(net)}`));
  const box = boxed ? make("small", {}, say("box", { box: hand.box ?? hand.seat ?? "" })) : "";
  return make(
    `div.hand${turn ? ".acting" : ""}`,
    {},
    box,
    make("div.cards", {}, ...hand.cards.map(card)),
    make("div.below", {}, ...below),
  );
}
