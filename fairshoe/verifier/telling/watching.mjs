// An audit that keeps one round as it was played again: cards, choices and settlements in their order.

import { Audit } from "../audit.mjs";

/** @typedef {import("../games/round.mjs").Round} Round @typedef {import("../games/round.mjs").Hand} Hand @typedef {import("../games/round.mjs").Decision} Decision */

/**
 * @typedef {{kind: "card", offset: number, down: boolean}} CardEvent
 * @typedef {{kind: "show", offsets: number[]}} ShowEvent that lay face down
 * @typedef {{kind: "ask", moves: string[], decision: Decision}} AskEvent
 * @typedef {{kind: "settle", hand: Hand}} SettleEvent
 *
 * @typedef {object} Replay
 * @property {Round} round
 * @property {boolean} whole whether it could be played to its end
 * @property {boolean} bankDraws whether the bank drew last, or should have
 * @property {(CardEvent | ShowEvent | AskEvent | SettleEvent)[]} events
 * @property {Map<number, string>} players by seat
 * @property {Record<string, number>} accounts before the round
 * @property {string} bank the account that banks
 * @property {string} rules
 * @property {(offsets: number[]) => number} total
 */

export class Watching extends Audit {
  /** @param {string} table @param {number} number of the round that is kept */
  constructor(table, number) {
    super();
    this.wanted = { table, number };
    /** @type {Replay | null} */
    this.replay = null;
    /** who sat where when the round opened, by seat @type {Map<number, string>} */
    this.players = new Map();
  }

  /** @param {import("../audit.mjs").Entry} entry */
  follow(entry) {
    super.follow(entry);
    if (entry.kind === "open" && entry.round === this.wanted.number) this.seat(entry.shoe);
    if (entry.kind !== "table" || entry.table !== this.wanted.table) return;
    const table = this.tables.get(entry.table);
    if (!table) return;
    const { game } = table;
    table.game = {
      ...game,
      play: (round) => {
        const own = this.entry.round === this.wanted.number && this.entry.decisions === round.decisions; // not a part of it, as for a receipt
        if (own) this.replay = watched(round, table);
        game.play(round);
        if (this.replay?.round === round) this.replay.whole = true;
      },
    };
  }

  /** @param {string} shoe */
  seat(shoe) {
    const table = this.shoes.get(shoe)?.table;
    if (table?.id === this.wanted.table) this.players = playersAt(table);
  }
}

/** @param {import("../state.mjs").Table} table */
const playersAt = ({ seated }) => new Map(seated.map(({ seat, player }) => [seat, player]));

/** @param {Round} round @param {import("../state.mjs").Table} table @returns {Replay} */
function watched(round, table) {
  /** @type {Replay["events"]} */
  const events = [];
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
  /** @type {Replay} */
  const replay = {
    round,
    whole: false,
    bankDraws: false,
    events,
    players: playersAt(table),
    accounts: table.accounts(),
    bank: table.bank,
    rules: table.game.name,
    total: (offsets) => (table.game.total ? table.game.total(round.labels(offsets)) : round.total(offsets)),
  };
  return replay;
}
