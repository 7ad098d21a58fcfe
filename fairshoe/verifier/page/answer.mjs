// What was told of a check, drawn: the verdict, the hand, every step, and what it cannot show.
import { field, form } from "./ask.mjs";
import { icon, make } from "./build.mjs";
import { checksSection, itemOf } from "./checks.mjs";
import { given } from "./giving.mjs";
import { sceneSection } from "./scene.mjs";
import { stripSection } from "./strip.mjs";
import { say } from "./wording.mjs";

/** @typedef {import("../telling/told.mjs").Told} Told */
/** @typedef {import("../telling/told.mjs").Step} Step */
/** @typedef {import("./ask.mjs").Desk} Desk */

const BY_NO_CHECK = ["unseen.key", "unseen.together", "unseen.unanswered"];

/** @param {Told} told @returns {Element[]} */
export const verdictOf = ({ verdict, says, values }) => [
  icon(verdict === "unreadable" ? "unsure" : verdict),
  make("div", {}, make("p", { class: "word" }, say(`told.${verdict}`)), make("h1", {}, say(says, values))),
];

/** @param {Told} told @param {Desk} desk @param {HTMLElement} trust @returns {HTMLElement} */
export function answerOf({ what, steps, scene, unseen, log }, desk, trust) {
  const checks = checksSection(steps);
  const about = what === "shuffle" ? ownSection(desk, "commitment") : trust;
  const asks = about.querySelector("form") !== null && what !== "log";
  const own = what === "hand" ? [gameSection(steps), ownSection(desk, "seed", "commitment")] : [];
  const hand = scene && [sceneSection(scene), stripSection(scene.shoe), ...own];
  const left = hand && (asks ? [about, ...hand] : [...hand, about]);
  const columns = left ? [left, [checks, unseenSection(unseen)]] : [[checks], [about, unseenSection(unseen)]];
  return make("div", {}, log && log.rounds.length > 0 && roundPicker(log.rounds, desk),
    make("div", { class: "sides-by-side" }, ...columns.map((column) => make("div", {}, ...column))));
}

/** @param {string[]} keys */
function unseenSection(keys) {
  const list = (/** @type {string} */ lead, /** @type {string[]} */ some) =>
    some.length ? [make("p", {}, say(lead)), make("ul", {}, ...some.map((key) => make("li", {}, say(key))))] : [];
  return keys.length > 0 && make("section", { class: "unseen" }, make("h2", {}, say("unseen.title")),
    ...list("unseen.lead", keys.filter((key) => !BY_NO_CHECK.includes(key))),
    ...list("unseen.never", keys.filter((key) => BY_NO_CHECK.includes(key))));
}

/** Which game it is, and what the table chose of it. @param {Step[]} steps */
function gameSection(steps) {
  const items = steps[0].items.filter(({ label }) => label === "rules" || label === "options");
  return make("section", { class: "game" }, make("h2", {}, say("game.title")), ...items.map(itemOf));
}

/** What only the reader can know, to be compared. @param {Desk} desk @param {...("seed" | "commitment")} names */
function ownSection(desk, ...names) {
  const unsaid = names.some((name) => given.offered[name] && !given[name]);
  const said = names.some((name) => given[name]);
  return make("section", { class: "own" }, make("h2", {}, say("own.title")),
    unsaid && make("p", { class: "warn" }, say("own.brought")),
    said && make("p", {}, say("own.compared")),
    form("compare", desk.change, ...names.map((name) => field(desk, name)), make("button", {}, say("own.compare"))));
}

/** @param {{round: string, revealed: boolean}[]} rounds @param {Desk} desk */
const roundPicker = (rounds, desk) =>
  make("section", { class: "rounds" },
    form("round", desk.change,
      make("p", { class: "field" }, make("label", { for: "in-round" }, say("log.choose")),
        make("select", { id: "in-round", name: "round" }, ...rounds.map(({ round, revealed }) =>
          make("option", { value: round, selected: round === desk.value("round") }, revealed ? round : say("log.closed", { round }))))),
      make("button", {}, say("log.show"))));
