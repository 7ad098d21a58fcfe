// How a shoe is shuffled: what the house committed to, what the players gave, and the key once it is out.

import { field, inputOf, make, say, trouble } from "./build.ts";
import { showTable } from "./dock.ts";
import { nameOf } from "./felt.ts";
import { placerOf } from "./waiting.ts";
import type { Seat } from "../player/seat.ts";
import type { TableState } from "../player/types.ts";

/** Bytes; the hash of a shorter seed hides nothing. */
const MIN_SEED = 16;

/** shown last, or being looked up */
let newest: TableState | null = null;

/** the form for a seed of the player's own */
let typing: HTMLElement | null = null;

/** A form by which the player types another seed. */
function replacing(seat: Seat, again: () => Promise<void>) {
  const wrong = make("p.trouble", { role: "alert" });
  const label = field(say("fair.another.own"), {
    name: "seed",
    maxlength: 256,
    autocomplete: "off",
    spellcheck: "false",
  });
  const input = inputOf(label);
  const send = async (event: Event) => {
    event.preventDefault();
    const typed = input.value.trim();
    if (typed && new TextEncoder().encode(typed).length < MIN_SEED)
      return wrong.replaceChildren(say("fair.another.short"));
    try {
      await seat.replaceSeed(typed);
      typing = null;
      await again();
      showTable();
      document.querySelector<HTMLElement>(".dock")?.focus({ preventScroll: true });
    } catch (error) {
      wrong.replaceChildren(trouble(error));
    }
  };
  return make(
    "details.own",
    {},
    make("summary", {}, say("fair.another")),
    make("p.quiet", {}, say("fair.another.ask")),
    make("form", { submit: send }, label, make("button", {}, say("fair.another.do")), wrong),
  );
}

/** Show it there. */
export async function fairness(place: HTMLElement, state: TableState, seat: Seat | null) {
  const { shoe } = state;
  newest = state;
  const mine = seat && !state.awaited ? await seat.seed() : null;
  const ended = state.last && state.last.shoe !== shoe?.shoe ? state.last.shoe : "";
  const key = ended && seat ? await keyOf(seat, ended) : "";
  if (newest !== state) return;
  const beside = placerOf(state);
  const nobody = beside ? make("p.placer", {}, say("fair.placer", { who: beside })) : "";
  const revealed = key
    ? [make("dt", {}, say("fair.key"), " ", make("small", {}, ended)), make("dd", {}, make("code.key", {}, key))]
    : [];
  if (!shoe) {
    place.replaceChildren(
      make("h2", {}, say("fair.title")),
      nobody,
      make("p.quiet", {}, say("fair.none")),
      make("dl", {}, ...revealed),
    );
    return;
  }
  const list = make(
    "dl",
    {},
    make("dt", {}, say("fair.commitment")),
    make("dd", {}, make("code", {}, shoe.commitment), make("p.quiet", {}, say("fair.commitment.why"))),
  );
  if (seat && mine) {
    const sole = state.phase !== "hash" && !shoe.hashed.length && shoe.roster.join() === seat.player;
    const another =
      !mine.promised && !shoe.sealed && ((sole && state.phase === "bet") || seat.expects("hash").length > 0);
    if (another && typing?.contains(document.activeElement)) return; // what is being typed in stays
    typing = another ? replacing(seat, () => fairness(place, state, seat)) : null;
    list.append(
      make("dt", {}, say("fair.mine")),
      make(
        "dd",
        {},
        mine.typed && make("p", {}, make("b", {}, mine.typed)),
        make("code", {}, mine.seed),
        !shoe.sealed && !mine.typed && make("p.quiet", {}, say(sole ? "fair.mine.sole" : "fair.mine.why")),
      ),
      make("dt", {}, say("fair.hash")),
      make("dd", {}, make("code", {}, mine.hash)),
    );
    if (typing) list.append(make("dd", {}, typing));
  }
  const contributors = state.placer?.key === "player" ? [] : shoe.roster; // a player who places gives no seed
  const people = contributors.map((who) => {
    const steps = [
      shoe.hashed.includes(who) && say("fair.hashed"),
      shoe.opened.includes(who) && say("fair.opened"),
      shoe.struck.includes(who) && say("fair.struck"),
    ].filter(Boolean);
    const chair = state.seats.find(({ player }) => player === who);
    return make(
      "li",
      {},
      make("b", {}, chair ? nameOf(state, chair.seat) : who),
      steps.length ? `: ${steps.join(", ")}` : "",
    );
  });
  place.replaceChildren(
    make("h2", {}, say("fair.title"), " ", make("small", {}, shoe.shoe)),
    nobody,
    list,
    make("ul.roster", {}, ...people),
    shoe.sealed ? make("p.fixed", {}, say("fair.sealed")) : "",
    make("dl", {}, ...revealed),
  );
}

const KEYS: Map<string, string> = new Map();

/** The key of a shoe that has ended, as its log has it; "" where it has none. */
async function keyOf(seat: Seat, shoe: string) {
  if (KEYS.has(shoe)) return KEYS.get(shoe) ?? "";
  const [table, number] = shoe.split("/");
  const proof = JSON.parse(
    await seat.house.text(`/v1/tables/${encodeURIComponent(table)}/shoes/${number}/proof`).catch(() => "{}"),
  );
  const lines = (proof.entries ?? []).map(({ line }: any) => JSON.parse(line));
  const key = lines.find(({ kind }: any) => kind === "reveal")?.key ?? "";
  if (key) KEYS.set(shoe, key);
  return key;
}
