// The form for a hand of another house, and what was found of it: three answers, never "fair".

import { InputError } from "../bytes.ts";
import { checkForeign } from "../foreign/check.ts";
import { SCHEMES } from "../foreign/schemes.ts";
import { field, form, icon, line, make, numeral, say } from "./build.ts";
import type { Hand } from "../foreign/schemes.ts";
import type { Desk } from "./build.ts";

const HOUSE_GAMES = Object.entries(SCHEMES).flatMap(([scheme, { games }]) =>
  Object.keys(games).map((game) => `${scheme} ${game}`),
);
const MARKS = { "follows": "pass", "differs": "fail", "not checked": "open" };
/** What the reader gave last. */
let kept: Record<string, string> = {};

export function foreignSection(desk: Desk): HTMLElement {
  const answer = make("div", { id: "foreign", role: "status" });
  const own = { ...desk, value: (name: string) => kept[name] ?? "" };
  const chosen = kept.game;
  const choice = make(
    "select",
    { id: "in-game", name: "game" },
    ...["", ...HOUSE_GAMES].map((name) =>
      make(
        "option",
        { value: name, selected: name === chosen, lang: name ? "en" : false },
        name || say("foreign.unknown"),
      ),
    ),
  );
  const inputs = (...names: string[]) => names.map((name) => field(own, name));
  const asked = form(
    "foreign",
    (fields) => {
      kept = fields;
      answer.replaceChildren(...drawAnswers(fields));
    },
    line("foreign.lead"),
    make("p.field", make("label", { for: "in-game" }, say("field.game")), choice),
    ...inputs("server_seed", "client_seed", "nonce", "remembered", "result"),
    make(
      "details.more",
      make("summary", say("foreign.money")),
      make("div.inside", ...inputs("bet", "actions", "payout", "cursor")),
    ),
    make("button.main", say("ask.check")),
    answer,
  );
  return make("details.more", make("summary", say("foreign.title")), make("div.inside", asked));
}

function drawAnswers(fields: Record<string, string>): HTMLElement[] {
  const [scheme, game = ""] = fields.game.split(" ");
  const given = { ...fields, scheme, game, commitment: fields.remembered };
  try {
    const found = checkForeign(given as Hand);
    return [
      make(
        "ul",
        ...["commitment", "outcome", "payout"].map((name) => {
          const state = found[name as "commitment"];
          return make(
            "li",
            { "data-answer": name, "data-state": state },
            icon(MARKS[state]),
            `${say(`foreign.${name}`)}: ${say(`status.${MARKS[state]}`)}`,
          );
        }),
      ),
      ...(found.outcome === "differs" ? [line("foreign.expected", { cards: found.expected })] : []),
      ...found.slips.map(([slip, value, odds]) =>
        line(scheme ? `foreign.slip.${slip}` : "foreign.candidate", { value, odds: numeral(odds) }),
      ),
      ...(found.real ? [] : [make("p.warn", say("foreign.unreal"))]),
      ...found.limits.map((limit) => make("p.quiet", say(`foreign.limit.${limit}`))),
    ];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const name = say(`field.${error.where === "scheme" ? "game" : error.where}`);
    return [make("p.warn", say("foreign.unreadable", { name }))];
  }
}
