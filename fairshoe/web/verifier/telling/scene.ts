// A hand as it was played: cards, choices and settlements in their order, as an audit keeps them, and drawn as a scene.

import { Audit } from "../audit.ts";
import { totalOf } from "../steps/rounds.ts";
import { betsIn } from "./play.ts";
import type { Decision, Hand, Round } from "../games/round.ts";
import type { Facts } from "./orders.ts";
import type { Scene, SceneSeat, SceneStep } from "./told.ts";
import type { Entry } from "../audit.ts";
import type { Table } from "../state.ts";

// An audit that keeps one round as it was played again.

type CardEvent = { kind: "card"; offset: number; down: boolean };
/** that lay face down */
type ShowEvent = { kind: "show"; offsets: number[] };
type AskEvent = { kind: "ask"; moves: string[]; decision: Decision };
type SettleEvent = { kind: "settle"; hand: Hand };
export interface Replay {
  round: Round;
  /** whether it could be played to its end */
  whole: boolean;
  /** whether the bank drew last, or should have */
  bankDraws: boolean;
  events: (CardEvent | ShowEvent | AskEvent | SettleEvent)[];
  /** by seat */
  players: Map<number, string>;
  /** before the round */
  accounts: Record<string, number>;
  /** the account that banks */
  bank: string;
  total: (offsets: number[]) => number;
}

export class Watching extends Audit {
  declare wanted: { table: string; number: number };
  replay: Replay | null = null;
  /** who sat where when the round opened, by seat */
  players: Map<number, string> = new Map();
  /** how players wrote their names, by their ids */
  names: Map<string, string> = new Map();

  /** @param number of the round that is kept */
  constructor(table: string, number: number) {
    super();
    this.wanted = { table, number };
  }

  follow(entry: Entry) {
    super.follow(entry);
    if (entry.name) this.names.set(entry.player, entry.name);
    if (entry.kind === "open" && entry.round === this.wanted.number) this.seat(entry.shoe);
    if (entry.kind !== "table" || entry.table !== this.wanted.table) return;
    const table = this.tables.get(entry.table);
    if (!table) return;
    const { game } = table;
    table.game = {
      ...game,
      play: (round) => {
        if (this.entry.round === this.wanted.number) this.replay = watched(round, table);
        game.play(round);
        if (this.replay?.round === round) this.replay.whole = true;
      },
    };
  }

  seat(shoe: string) {
    const table = this.shoes.get(shoe)?.table;
    if (table?.id === this.wanted.table) this.players = playersAt(table);
  }
}

const playersAt = ({ seated }: Table) => new Map(seated.map(({ seat, player }) => [seat, player]));

function watched(round: Round, table: Table): Replay {
  const events: Replay["events"] = [];
  const { draw, drawDown, show, ask, settle } = round;
  round.draw = (to) => {
    replay.bankDraws = to === round.bank;
    draw.call(round, to);
    events.push({ kind: "card", offset: round.cards.length - 1, down: false });
  };
  round.drawDown = (to, seat) => {
    drawDown.call(round, to, seat);
    events[events.length - 1] = { kind: "card", offset: round.cards.length - 1, down: true };
  };
  round.show = (offsets) => {
    const hidden = offsets.filter((offset) => round.hidden.has(offset));
    if (hidden.length) events.push({ kind: "show", offsets: hidden });
    show.call(round, offsets);
  };
  round.ask = (seat, moves, ways) => {
    const { asked } = round;
    const decision = ask.call(round, seat, moves, ways);
    if (round.asked > asked) events.push({ kind: "ask", moves, decision });
    return decision;
  };
  round.settle = (hand, outcome, net) => {
    events.push({ kind: "settle", hand });
    settle.call(round, hand, outcome, net);
  };
  const replay: Replay = {
    round,
    whole: false,
    bankDraws: false,
    events,
    players: playersAt(table),
    accounts: table.accounts(),
    bank: table.bank,
    total: (offsets) => totalOf(table, round, offsets),
  };
  return replay;
}

// The scene.

/** What an entry of the log is in the scene: who did it, and which of its fields is told. */
const ENTRIES: Record<string, [SceneStep["by"], string, string?]> = {
  shoe: ["table", "committed", "shoe"],
  opened: ["seat", "seed", "player"],
  lapse: ["table", "lapse", "player"],
  seal: ["table", "sealed"],
  reveal: ["table", "revealed"],
  void: ["table", "void"],
  lost: ["table", "lost"],
};

/** `watching` without a replay: no card was dealt; `you`: the player whose hand it is to the reader, where that is known. */
export function sceneOf(facts: Facts, { replay, players, names }: Watching, you: string): Scene {
  const { open, round } = facts;
  const steps: SceneStep[] = [];
  const add = (by: SceneStep["by"], text: string, values: SceneStep["values"]) =>
    steps.push({ by, text: `scene.${text}`, values });
  for (const { entry } of facts.entries) {
    const [by, text, field] = ENTRIES[entry.kind] ?? [];
    if (by && text) add(by, text, field ? { [field]: entry[field] } : {});
    if (entry === open)
      for (const { what, seat, amount = 0 } of betsIn(open))
        add(what === "late" || what === "unfunded" ? "table" : "seat", what, {
          seat,
          amount,
          player: players.get(seat) ?? "",
        });
    if (entry === round && replay) happened(facts, replay, add);
  }
  const seats = replay ? seatsOf(replay, steps) : bettors(facts, players);
  const told = ({ player }: Seat) => ({ name: names.get(player) ?? "", you: you !== "" && player === you });
  return { seats: seats.map((seat) => ({ ...seat, ...told(seat) })), steps };
}

function happened(
  { reshuffles, number }: Facts,
  { round, events, bank }: Replay,
  add: (by: SceneStep["by"], text: string, values: SceneStep["values"]) => void,
) {
  const card = (offset: number) => ({
    offset,
    card: round.cards[offset],
    seat: round.hands.find(({ cards }) => cards.includes(offset))?.seat ?? bank,
  });
  const turnUp = (offsets: number[]) => offsets.forEach((offset) => add("rules", "turned", card(offset)));
  // what the house never said that it turns up it turns up before it draws, or before it settles what was not bust
  const drew = events.findIndex((event) => event.kind === "card" && round.bank.indexOf(event.offset) >= 2);
  const last = events.findLastIndex(({ kind }) => kind === "ask" || kind === "card");
  const settled = events.findIndex((event, i) => i > last && event.kind === "settle" && event.hand.outcome !== "bust");
  const turns = [drew, settled, events.length].find((at) => at >= 0);
  const hidden = () => turnUp(round.bank.filter((offset) => round.hidden.has(offset)));
  events.forEach((event, i) => {
    if (i === turns) hidden();
    if (event.kind === "card") {
      if (reshuffles.some((one) => one.round === number && one.after === event.offset)) add("rules", "reshuffled", {});
      add("rules", "card", card(event.offset));
    } else if (event.kind === "show") turnUp(event.offsets);
    else if (event.kind === "settle") {
      const { seat, box = seat, outcome, net } = event.hand;
      add("rules", "settled", { seat, ...(round.hands.some((hand) => hand.box) && { box }), outcome, net });
    } else {
      const { seat, move, amount = 0, by } = event.decision;
      add(by === "table" ? "table" : "seat", move === "insure" ? "move.insure" : "move", { seat, move, amount });
    }
  });
  if (turns === events.length) hidden();
}

type Seat = Omit<SceneSeat, "name" | "you">;

function seatsOf({ round, events, players, bank, total }: Replay, steps: SceneStep[]): Seat[] {
  const down = new Set(events.flatMap((event) => (event.kind === "card" && event.down ? [event.offset] : [])));
  const stepAt = (what: string, offset: number) =>
    steps.findIndex(({ text, values }) => text === what && values.offset === offset);
  const hand = (offsets: number[], bet = 0, outcome = "", paid = 0, insured = 0) => ({
    bet,
    insured,
    outcome,
    paid,
    total: String(total(offsets)),
    cards: offsets.map((offset) => {
      const turned = stepAt("scene.turned", offset);
      return {
        label: round.cards[offset],
        dealt: stepAt("scene.card", offset),
        down: down.has(offset),
        turned: turned < 0 ? null : turned,
      };
    }),
  });
  const boxed = round.hands.some(({ box }) => box);
  const seats = [...new Set(round.hands.map(({ seat }) => seat))].map((seat) => ({
    seat: String(seat),
    player: players.get(seat) ?? "",
    hands: round.hands
      .filter((one) => one.seat === seat)
      .map(({ seat, box, cards, bet, outcome, net, insured, insurance }) => ({
        ...hand(cards, bet, outcome, net + insurance, insured),
        ...(boxed && { box: box ?? seat }),
      })),
  }));
  const paid = -round.hands.reduce((sum, { net, insurance }) => sum + net + insurance, 0);
  return [...seats, { seat: bank, player: players.get(round.dealer) ?? "", hands: [hand(round.bank, 0, "", paid)] }];
}

/** @returns before a card is dealt */
function bettors({ open }: Facts, players: Map<number, string>): Seat[] {
  return open.bets.map(({ seat, amount }: { seat: number; amount: number }) => ({
    seat: String(seat),
    player: players.get(seat) ?? "",
    hands: [{ cards: [], total: "", bet: amount, outcome: "", paid: 0 }],
  }));
}
