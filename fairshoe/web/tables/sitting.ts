// Taking a chair: by a name and chips, or by a file from another browser.

import { NOT_NOW } from "../player/chair.ts";
import { Problem } from "../player/errors.ts";
import { pause } from "../player/requests.ts";
import { Seat } from "../player/seat.ts";
import { button, field, inputOf, make, say } from "./build.ts";
import { costsOf, gameRuns, lapsesOf, MAX_CHIPS, priceOf } from "./facts.ts";
import type { House } from "../player/house.ts";
import type { TableState } from "../player/types.ts";

/** Milliseconds between two attempts to sit down where a round is being played. */
const RETRY_DELAY = 1_000;

interface Taking {
  /** one thing at a time, and tells what went wrong */
  act: (what: () => Promise<unknown>) => Promise<void>;
  /** the chair is taken */
  take: (seat: Seat) => void;
  /** shows the player what was found */
  tell: (...parts: (Node | string)[]) => void;
  /** another page is shown */
  closed: boolean;
}

export function sitting(house: House, state: TableState, taking: Taking): HTMLElement {
  const { act, take } = taking;
  if (state.closed) return make("p.quiet", {}, say("phase.closed"));
  const full = state.seats.length >= state.chairs;
  if (full || gameRuns(state))
    return make(
      "div.sit",
      {},
      make("p.quiet", {}, say(full ? "sit.full" : "pool.running")),
      bringing(house, state, taking),
      comingBack(house, state, act),
    );
  const name = field(say("sit.name"), {
    name: "name",
    required: true,
    maxlength: 64,
    autocomplete: "nickname",
    value: localStorage.getItem("name") ?? "",
  });
  const price = priceOf(state.rules);
  const limits = { min: price ?? 1, max: price ?? MAX_CHIPS, value: price ?? 1000, readonly: price !== undefined };
  const amount = field(say("sit.amount"), { name: "amount", type: "number", required: true, ...limits });
  const [named, bought] = [name, amount].map(inputOf);
  const send = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      const called = named.value.trim();
      localStorage.setItem("name", called);
      while (!taking.closed)
        try {
          return take(await sitDown(house, state.table, called, bought.valueAsNumber));
        } catch (error) {
          if (!(error instanceof Problem && error.status === NOT_NOW && error.body.field === "amount")) throw error;
          taking.tell(say("sit.later"));
          await pause(RETRY_DELAY);
        }
    });
  };
  return make(
    "form.sit",
    { submit: send },
    costsOf(state.rules),
    state.round && make("p.quiet", {}, say("sit.later")),
    lapsesOf(state) && make("p.quiet", {}, lapsesOf(state)),
    name,
    amount,
    make("button.act", {}, say("sit.do")),
    bringing(house, state, taking),
    comingBack(house, state, act),
  );
}

/** Take up a seat out of a file of another browser; one of another table is named, with a link. */
function bringing(house: House, state: TableState, { act, tell }: Taking) {
  const file = make("input", {
    "type": "file",
    "aria-label": say("sit.file"),
    "change": async () => {
      const [chosen] = (file as HTMLInputElement).files ?? [];
      if (chosen)
        void act(async () => {
          const table = await Seat.imported(house, await chosen.text());
          if (table === state.table) location.reload();
          else tell(say("sit.file.other"), " ", make("a", { href: `/tables/${encodeURIComponent(table)}` }, table));
        });
    },
  });
  return make("details", {}, make("summary", {}, say("sit.file")), file, make("p.quiet", {}, say("sit.file.why")));
}

/** I sat here, and this browser has lost what it kept: the operator lets a new token in. */
function comingBack(house: House, state: TableState, act: Taking["act"]) {
  if (!state.seats.length) return "";
  const choice = make(
    "select",
    { "aria-label": say("back.seat") },
    ...state.seats.map(({ seat, player, name }) =>
      make("option", { value: seat }, `${say("seat.number", { seat })}: ${name ?? player}`),
    ),
  ) as HTMLSelectElement;
  const begin = () =>
    act(async () => {
      const found = state.seats.find(({ seat }) => seat === Number(choice.value));
      if (found) await Seat.regain(house, state.table, found);
      location.reload();
    });
  const why = make("p.quiet", {}, say(state.placer?.key === "player" ? "back.placed" : "back.lost"));
  return make("details", {}, make("summary", {}, say("back.title")), why, choice, " ", button(say("back.do"), begin));
}

/** A name that is no player's id goes beside one. */
function sitDown(house: House, table: string, name: string, amount: number) {
  const player = /^[A-Za-z0-9._:/-]{1,64}$/.test(name)
    ? name
    : `p-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  return Seat.sit(house, table, { player, amount, ...(player !== name && { name }) });
}
