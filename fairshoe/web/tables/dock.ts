// What I can do now: the chips, the cut, the buttons and their keys, each there only while the table takes it.

import { button, chipsOf, field, inputOf, make, say, stack, showAbove } from "./build.ts";
import { nameOf } from "./felt.ts";
import type { Seat } from "../player/seat.ts";
import type { Move, TableState, Wish } from "../player/types.ts";

type Do = (act: () => Promise<unknown>) => void;

/** Keys of moves, and below of what else can be done; they mean the same in the terminal. */
const KEYS: Record<string, string> = {
  hit: "h",
  stand: "s",
  double: "d",
  split: "p",
  surrender: "r",
  insure: "i",
  decline: "n",
  continue: "c",
  stop: "x",
  reveal: "v",
  accept: "a",
  refuse: "f",
  give: "g",
  sell: "l",
  agree: "y",
};
const ACT_KEYS: Record<string, string> = {
  bet: "b",
  again: "g",
  half: "f",
  twice: "d",
  pass: "x",
  hash: "c",
  seed: "c",
  shoe: "n",
  waiver: "w",
  reshuffle: "z",
  here: "i",
};

/** The moves of each game, for the list of its keys. */
const MOVES: Record<string, string[]> = {
  banker: ["hit", "stand", "double", "split", "surrender", "insure", "decline"],
  boxes: ["hit", "stand", "double", "split", "insure", "decline"],
  casino: ["hit", "stand", "double", "split", "insure", "decline"],
  chinese: ["hit", "stand", "reveal", "continue", "stop"],
  lounge: ["hit", "stand", "double"],
  pontoon: ["hit", "stand", "double", "split", "accept", "refuse", "give", "sell", "agree"],
};

/** A button of the dock, and its key. */
function keyed(name: string, act: () => void, values: Record<string, number> = {}, classes = "") {
  const key = ACT_KEYS[name];
  return button(say(`act.${name}`, values), act, {
    "class": classes,
    "data-do": name,
    "data-key": key,
    "aria-keyshortcuts": key,
  });
}

/** What a player has laid out and not sent: the bet, by its box (0: one's own place), the cut. */
export class Laid {
  bets: Map<number, number> = new Map();
  before: [number, number][] = [];
  box = 0;
  cut = 0;
  /** why the bet is not what the chips add up to */ limited = "";
}

/** @param again draws anew */
export function dock(seat: Seat, laid: Laid, act: Do, again: () => void): HTMLElement[] {
  const parts = [];
  for (const wish of seat.expects()) {
    if (wish.do === "decisions") parts.push(moves(seat, wish, act));
    else if (wish.do === "bets") parts.push(betting(seat, wish, laid, act, again));
    else if (wish.do === "hash" || (wish.do === "seed" && !wish.owed)) parts.push(contributing(seat, wish, laid, act));
    else if (["shoe", "waiver", "here", "reshuffle"].includes(wish.do)) {
      const row = wish.do === "reshuffle" && parts.at(-1)?.querySelector(".row");
      if (row) row.append(simple(seat, wish, act));
      else parts.push(simple(seat, wish, act));
      if (wish.do === "waiver") parts.push(make("p.quiet", {}, say("act.waiver.why")));
    }
  }
  return parts;
}

function simple(seat: Seat, wish: Wish, act: Do) {
  const ways = {
    shoe: () => seat.askShoe(),
    waiver: () => seat.waive(),
    here: () => seat.here(),
    reshuffle: () => seat.reshuffle(),
  } as Record<string, () => Promise<unknown>>;
  return keyed(wish.do, () => act(ways[wish.do]), {}, wish.do === "reshuffle" ? "" : "act");
}

function contributing(seat: Seat, wish: Wish<"hash" | "seed">, laid: Laid, act: Do) {
  const parts = [];
  if (wish.cut) {
    const [low, high] = wish.cut;
    if (!laid.cut || laid.cut < low || laid.cut > high) laid.cut = Math.floor((low + high) / 2);
    const at = make("output", {}, say("cut", { at: laid.cut }));
    const strip = make("input.strip", {
      "type": "range",
      "min": low,
      "max": high,
      "value": laid.cut,
      "aria-label": say("cut", { at: "" }),
      "input": (event: any) => {
        laid.cut = Number(event.target.value);
        at.textContent = say("cut", { at: laid.cut });
      },
    });
    parts.push(make("label.cutting", {}, at, strip));
  }
  const cut = () => (wish.cut ? laid.cut : undefined);
  if (wish.do === "hash") parts.push(keyed("hash", () => act(() => seat.promise(cut())), {}, "act"));
  else if (wish.cut) parts.push(keyed("seed", () => act(() => seat.openSeed(cut())), {}, "act"));
  return make("div.contributing", {}, ...parts);
}

// Bets.

/** What the last bets may be multiplied by, and the button's name. */
const AGAIN: [string, number][] = [
  ["again", 1],
  ["half", 0.5],
  ["twice", 2],
];

function betting(seat: Seat, wish: Wish<"bets">, laid: Laid, act: Do, again: () => void) {
  const { low, high, unit } = wish;
  const { state } = seat;
  const boxes = state.bets?.boxes ?? null;
  if (boxes && !boxes.includes(laid.box)) laid.box = boxes.includes(seat.number) ? seat.number : (boxes[0] ?? 0);
  for (const box of boxes ? laid.bets.keys() : []) if (!boxes?.includes(box)) laid.bets.delete(box); // somebody was quicker
  const have = state.chips[seat.number] ?? 0;
  const passed = state.bets?.passed.includes(seat.number);
  const sum = [...laid.bets.values()].reduce((all, one) => all + one, 0);
  const lay = (amount: number) => {
    const place = boxes ? laid.box : 0;
    const now = laid.bets.get(place) ?? 0;
    const most = Math.min(high, have - sum + now);
    const laidOut = Math.max(low, Math.min(now + amount, most - (most % unit)));
    laid.bets.set(place, laidOut);
    laid.limited = laidOut === now + amount ? "" : say("bet.limited", { amount: laidOut, low, high, have });
    again();
  };
  const worths = [1, 5, 25, 100, 500, 1000].map((worth) => worth * unit).filter((worth) => worth <= high);
  const send = (bets: [number, number][]) =>
    act(async () => {
      await seat.bet(
        bets.map(([box, amount]) => ({ amount, ...(box && { box }) })),
        wish,
      );
      if (bets.length) laid.before = bets;
      laid.bets = new Map();
      laid.limited = "";
    });
  const rest = have - sum;
  const tray = make(
    "div.tray",
    { "role": "group", "aria-label": say("amount") },
    ...worths.slice(0, 6).map((worth) => chip(worth, () => lay(worth), !laid.bets.size || rest >= unit)),
  );
  const choice =
    boxes &&
    make(
      "div.boxes",
      { "role": "group", "aria-label": say("rules.boxes") },
      make("span", { "aria-hidden": "true" }, say("box", { box: "" })),
      ...boxes.map((box) => boxButton(box, laid, again)),
    );
  const row = make("div.row");
  if (sum) {
    row.append(
      stack(sum),
      keyed("bet", () => send([...laid.bets]), { amount: sum }, "act"),
      button(say("act.clear"), () => {
        laid.bets = new Map();
        laid.limited = "";
        again();
      }),
    );
  } else if (!wish.may || passed) {
    const before = laid.before.length ? laid.before : lastBets(state);
    for (const [name, factor] of before.length ? AGAIN : []) {
      const bets = before.map(([box, amount]): [number, number] => [box, amount * factor]);
      const stake = bets.reduce((all, [, amount]) => all + amount, 0);
      const fits = ([box, amount]: [number, number]) =>
        amount >= low && amount <= high && amount % unit === 0 && (boxes?.includes(box) ?? true);
      if (stake > have || !bets.every(fits)) continue;
      const [place, classes] = name === "again" ? [row, "act"] : [tray, ""];
      place.append(keyed(name, () => send(bets), { amount: stake }, classes));
    }
  }
  if (!wish.may && !sum) row.append(keyed("pass", () => send([])));
  const alone = (!wish.may || passed) && !sum && state.seats.length === 1 && make("p.quiet", {}, say("act.pass.alone"));
  const limited = laid.limited && make("p.limited", { role: "status" }, laid.limited);
  const change = wish.may && make("p.quiet", {}, say(passed ? "act.out" : "act.change"));
  return make("div.betting", {}, change, choice, tray, alone, limited, row);
}

/** My bets on the round that was opened last, as the table remembers them. */
const lastBets = ({ bets, you }: TableState): [number, number][] =>
  (you?.betting?.bets ?? []).flatMap(({ box = bets?.boxes ? you?.seat : 0, amount }) =>
    amount ? [[box ?? 0, amount]] : [],
  );

function boxButton(box: number, laid: Laid, again: () => void) {
  const choose = () => {
    laid.box = box;
    again();
  };
  const bet = laid.bets.has(box) ? chipsOf(laid.bets.get(box) ?? 0) : "";
  const element = button(String(box), choose, {
    "aria-pressed": String(laid.box === box),
    "aria-label": `${say("box", { box })} ${bet}`.trim(),
    "data-box": box,
  });
  if (bet) element.append(make("small", {}, bet));
  return element;
}

function chip(worth: number, lay: () => void, enabled: boolean) {
  const face = worth >= 1000 ? `${worth / 1000}k` : String(worth);
  return button(face, lay, {
    "class": `chip c${[1, 5, 25, 100, 1000].findLast((one) => one <= worth)}`,
    "aria-label": say("chips.of", { amount: worth }),
    "data-chip": worth,
    "disabled": !enabled,
  });
}

// Decisions.

function moves(seat: Seat, wish: Wish<"decisions">, act: Do) {
  const names = [...new Set(wish.moves.map(({ move }) => move))];
  const list = names.map((name) => {
    const same = wish.moves.filter((one) => one.move === name); // a sale has a price for each buyer
    const [move] = same;
    const among = same.flatMap((one) => one.among ?? []);
    const key = KEYS[name];
    let amount: HTMLInputElement | null = null;
    const ticked = () =>
      [...element.querySelectorAll<HTMLInputElement>("input:checked")].map(({ value }) => Number(value));
    const decide = (event: Event) => {
      event.preventDefault();
      act(async () => {
        const [some, all] = [ticked(), name === "reveal" ? among : []];
        const chosen = some.length ? some : all;
        const choice = {
          move: move.move,
          ...(amount && { amount: amount.valueAsNumber }),
          ...(move.among && { chosen }),
        };
        await seat.decide(choice, wish);
      });
    };
    const press = make("button", {
      "class": `act move${hinting() && wish.hint === name ? " hinted" : ""}`,
      "data-move": name,
      "data-key": key,
      "aria-keyshortcuts": key,
    });
    const called = make("span", {}, nameOfMove(seat, wish, move));
    press.append(called, make("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
    const element = make("form.choice", { submit: decide }, press);
    const { low = 0, high = 0 } = move;
    const label = field("", { type: "number", min: low, required: true, value: name === "sell" ? "" : high }); // the seller names the price
    if (low && high > low) {
      amount = inputOf(label);
      element.append(label);
    } else if (move.low) amount = make("input", { type: "number", value: move.low }) as HTMLInputElement;
    if (among.length) element.append(choosing(seat.state, { ...move, among }));
    const chose = () => {
      const some = ticked();
      if (name === "reveal")
        called.textContent = some.length
          ? `${say("move.reveal")}: ${some.map((one) => nameOf(seat.state, one)).join(", ")}`
          : say("move.reveal-all");
      const { high = 0 } = same.find((one) => one.among?.includes(some[0])) ?? move;
      inputOf(label).max = String(high);
      (label.firstChild as Node).textContent = `${say("amount")}: ${say("limits", { low, high })}`;
    };
    element.addEventListener("change", chose);
    chose();
    return element;
  });
  return make("div.moves", { "role": "group", "aria-label": say("wait.you") }, ...advice(seat, wish), ...list);
}

/** Whether hints are shown: the player's choice in this browser. */
export const hinting = () => localStorage.getItem("hints") === "on";

/** What the table must offer by its rules (BX-16, BX-21), and the hint if the player wants hints. */
function advice(seat: Seat, wish: Wish<"decisions">) {
  const named = (move: string) => nameOfMove(seat, wish, { move } as Move);
  const offered = wish.moves.filter(({ prompt }) => prompt).map(({ move }) => named(move));
  const texts = offered.length ? [say("offer", { moves: offered.join(", ") })] : [];
  const price = wish.moves.find(({ move }) => move === "agree")?.high ?? 0;
  if (wish.seller)
    texts.push(say(price ? "offer.sale" : "offer.gift", { who: nameOf(seat.state, wish.seller), price }));
  if (wish.moves.length === 1) texts.push(say("move.only"));
  if (wish.about === "round" && wish.moves[0].move === "continue") texts.push(say("hint.fifteen"));
  if (hinting() && wish.about === "round")
    texts.push(wish.hint ? say("hint", { move: named(wish.hint) }) : say("hint.none"));
  return texts.map((text) => make("p.advice", {}, text));
}

/** Name a move. A free hand and a dealer who stops (CH-20 to CH-24) send the same words as the bank's question does. */
function nameOfMove(seat: Seat, { about }: Wish<"decisions">, { move, low, high: amount = 0 }: Move) {
  if (amount && low === amount) return say("move.for", { move: say(`move.${move}`), amount });
  if (move === "agree") return say("move.accept"); // a gift
  if (about !== "round" || !["continue", "stop"].includes(move)) return say(`move.${move}`);
  if (move === "continue") return say("move.play-on");
  return say(seat.state.bank === String(seat.number) ? "move.deal-again" : "move.leave-round");
}

function choosing(state: TableState, { move, among = [] }: Move) {
  const type = move === "reveal" ? "checkbox" : "radio";
  const name = `chosen-${among.join("-")}-${Math.random()}`;
  const checked = among.length === 1;
  const required = type === "radio";
  return make(
    "fieldset",
    {},
    make("legend", {}, say(move === "reveal" ? "choose.reveal" : "choose.whom")),
    ...among.map((seat) =>
      make("label", {}, make("input", { type, name, value: seat, checked, required }), nameOf(state, seat)),
    ),
  );
}

/** Show the keys of the table's game: what each does between hands, and in one. */
export function showKeys() {
  const { rules = "" } = document.querySelector<HTMLElement>(".dock")?.dataset ?? {};
  const named = (names: string[], keys: Record<string, string>, key: string, of: string) =>
    names
      .filter((name) => keys[name] === key)
      .map((name) => say(`${of}.${name}`, { amount: "" }).replace(/[: ]+$/, ""));
  const moves = MOVES[rules] ?? [];
  const letters = [...new Set([...Object.values(ACT_KEYS), ...moves.map((move) => KEYS[move])])].sort();
  const rows = letters.map((key) => {
    const meanings = [named(Object.keys(ACT_KEYS), ACT_KEYS, key, "act"), named(moves, KEYS, key, "move")];
    return make(
      "tr",
      {},
      make("th", {}, make("kbd", {}, key.toUpperCase())),
      ...meanings.map((one) => make("td", {}, one.join(" / "))),
    );
  });
  const heads = ["", say("keys.before"), say("keys.hand")].map((text) => make(text ? "th" : "td", {}, text));
  showAbove("keys", make("h2", {}, say("keys")), make("table", {}, make("tr", {}, ...heads), ...rows));
}

/** Scroll back to the table if it is above what is seen, so that the dock stands at the foot of the page. */
export function showTable() {
  const [felt, bar] = [document.querySelector(".felt"), document.querySelector(".bar")];
  if (felt && felt.getBoundingClientRect().bottom < innerHeight / 3) bar?.scrollIntoView({ block: "end" });
}

/** Press the button that a key stands for; where more is to be chosen, ask for that first. A key held down counts once. */
export function pressed(event: KeyboardEvent) {
  const { target } = event;
  if (event.repeat && event.key === "Enter" && target instanceof HTMLButtonElement) event.preventDefault();
  if (
    event.repeat ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    (target instanceof HTMLElement &&
      target.matches("input:not([type=range]):not([type=radio]):not([type=checkbox]),textarea,select"))
  )
    return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?") return showKeys();
  const found = document.querySelector(
    `.dock:not([aria-disabled]) [data-key="${CSS.escape(event.key.toLowerCase())}"]:not(:disabled)`,
  );
  if (!(found instanceof HTMLElement)) return;
  event.preventDefault();
  const choice = found.closest(".choice");
  const asked = choice?.contains(document.activeElement) ? null : choice?.querySelector("input");
  if (asked) asked.focus();
  else found.click();
  showTable();
}
