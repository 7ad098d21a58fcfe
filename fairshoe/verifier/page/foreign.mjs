// The form for a hand of another house, and what was found of it: three answers, never "fair".

import { InputError } from "../bytes.mjs";
import { checkForeign } from "../foreign/check.mjs";
import { FIELDS, SCHEMES } from "../foreign/schemes.mjs";
import { field, form, icon, make, numeral, say } from "./build.mjs";

/** @typedef {import("../foreign/schemes.mjs").Hand} Hand */

const HOUSE_GAMES = Object.entries(SCHEMES).flatMap(([scheme, { games }]) => Object.keys(games).map((game) => `${scheme} ${game}`));
const MARKS = { follows: "pass", differs: "fail", "not checked": "open" };
/** What the reader gave last. @type {Record<string, string>} */
let kept = {};

/** @param {import("./build.mjs").Desk} desk @returns {HTMLElement} */
export function foreignSection(desk) {
  const answer = make("div", { id: "foreign", role: "status" });
  const own = { ...desk, value: (/** @type {string} */ name) => kept[name] ?? "" };
  const chosen = kept.game;
  const choice = make("select", { id: "in-game", name: "game" }, ...["", ...HOUSE_GAMES].map((name) => make("option", { value: name, selected: name === chosen, lang: name ? "en" : false }, name || say("foreign.unknown"))));
  const inputs = (/** @type {string[]} */ ...names) => names.map((name) => field(own, name));
  const asked = form("foreign", (fields) => {
    kept = fields;
    answer.replaceChildren(...drawAnswers(fields));
  },
    make("p", {}, say("foreign.lead")),
    make("p", { class: "field" }, make("label", { for: "in-game" }, say("field.game")), choice),
    ...inputs("server_seed", "client_seed", "nonce", "remembered", "result"),
    make("details", { class: "more" }, make("summary", {}, say("foreign.money")), make("div", { class: "inside" }, ...inputs("bet", "actions", "payout", "cursor"))),
    make("button", { class: "main" }, say("ask.check")), answer);
  return make("details", { class: "more" }, make("summary", {}, say("foreign.title")), make("div", { class: "inside" }, asked));
}

/** @param {Record<string, string>} fields @returns {HTMLElement[]} */
function drawAnswers(fields) {
  const [scheme, game = ""] = fields.game.split(" ");
  const given = { ...fields, scheme, game, commitment: fields.remembered };
  try {
    const found = checkForeign(/** @type {Hand} */ (Object.fromEntries(FIELDS.map((name) => [name, given[/** @type {keyof typeof given} */ (name)] ?? ""]))));
    return [
      make("ul", { class: "plain" }, ...["commitment", "outcome", "payout"].map((name) => {
        const state = found[/** @type {"commitment"} */ (name)];
        return make("li", { "data-answer": name, "data-state": state }, icon(MARKS[state]), `${say(`foreign.${name}`)}: ${say(`foreign.${state}`)}`);
      })),
      ...(found.outcome === "differs" ? [make("p", {}, say("foreign.expected", { cards: found.expected }))] : []),
      ...found.slips.map(([slip, value, odds]) => make("p", {}, say(scheme ? `foreign.slip.${slip}` : "foreign.candidate", { value, odds: numeral(odds) }))),
      ...(found.real ? [] : [make("p", { class: "warn" }, say("foreign.unreal"))]),
      ...found.limits.map((limit) => make("p", { class: "quiet" }, say(`foreign.limit.${limit}`))),
    ];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [make("p", { class: "warn" }, say("foreign.unreadable", { field: say(`field.${error.where === "scheme" ? "game" : error.where}`) }))];
  }
}
