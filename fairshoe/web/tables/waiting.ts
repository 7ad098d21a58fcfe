// What a table waits for, of whom.

import { GAMES } from "../verifier/games.ts";
import { say } from "./build.ts";
import { lowestOf } from "./facts.ts";
import { cardsOf, nameOf } from "./felt.ts";
import type { TableState } from "../player/types.ts";

/** Who deals beside the house: a placer by its name, or the player's own browser; "" where nobody does. */
export function placerOf({ placer, you }: TableState) {
  if (placer?.key === "player") return say(you ? "fair.own" : "fair.player");
  return placer?.key.split("+")[0] ?? "";
}

/** Whether a seat plays on the shoe: a seed of its player is in it, or a waiver. Nobody knows before all hashes are in. */
export const hasPart = ({ shoe }: TableState, { seat, player }: TableState["seats"][number]) =>
  !shoe?.hashes || shoe.waived.includes(seat) || (Object.hasOwn(shoe.hashes, player) && !shoe.struck.includes(player));

/** Told beside that, once the operator has closed the table and a shoe is still in play. */
export const closingOf = ({ closed, phase }: Pick<TableState, "closed" | "phase">) =>
  closed && phase !== "closed" ? ` · ${say("phase.closing")}` : "";

/** What everybody sees that the table waits for. */
export function waitedFor(state: TableState): string {
  const { phase, shoe, bets, seats, chips, options } = state;
  const seatOf = (who: string) => seats.find(({ player }) => player === who)?.seat;
  const called = (players: string[]) =>
    players.map((who) => (seatOf(who) ? nameOf(state, seatOf(who) ?? 0) : who)).join(", ");
  const turn = cardsOf(state)?.turn;
  if (phase === "round" && turn !== undefined)
    return say("wait.seat", { who: turn > 0 ? nameOf(state, turn) : say("dealer") });
  if (phase === "bank" && state.asked) return say("wait.seat", { who: nameOf(state, state.asked) });
  if (phase === "hash" && shoe)
    return say("wait.hash", { who: called(shoe.roster.filter((who) => !shoe.hashed.includes(who))) });
  if (phase === "seed" && shoe) return say("wait.seed", { who: called(shoe.opens) });
  const fewest = Number(options.fewest ?? (GAMES[state.rules].bank ? 2 : 1));
  if (phase === "idle" && fewest > 1 && seats.length < fewest) return say("wait.players", { fewest });
  if (state.placer?.awaited) return say("wait.places", { who: placerOf(state) });
  if (phase !== "bet" || !bets) return say(`phase.${phase}`);
  const here = [...bets.in.map(({ seat }) => seat), ...bets.passed, Number(state.bank)];
  const able = seats.filter((one) => hasPart(state, one) && chips[one.seat] >= lowestOf(state));
  const late = able.filter(({ seat }) => !here.includes(seat));
  const may = state.you?.expects.some((wish) => wish.do === "reshuffle");
  if (!late.length && !bets.in.length && !bets.passed.length)
    return say("wait.none") + (may ? `. ${say("wait.reshuffle")}` : "");
  if (!late.length) return say(bets.in.length ? "wait.bet" : "wait.out");
  return say("wait.bets", { who: called(late.map(({ player }) => player)) });
}
