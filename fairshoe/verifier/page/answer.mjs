// What was told of a check, drawn: the verdict, the hand, every step, and what it cannot show.

import { field, form, icon, isWritten, make, moment, numeral, plainName, plainText, say, smallCard, wordOf } from "./build.mjs";
import { sceneSection, stripSection } from "./felt.mjs";
import { given } from "./giving.mjs";

/** @typedef {import("../telling/told.mjs").Step} Step @typedef {import("../telling/told.mjs").Item} Item */
/** @typedef {import("../telling/told.mjs").Told} Told @typedef {import("./build.mjs").Desk} Desk */

// Every step of the check: what went in, what came out, how to do it by hand.

/** Columns whose cells are words of the log, and those with a sign. What else a file says stays as it is written. */
const SPOKEN = ["move", "outcome", "by"];
const SIGNED = ["net", "won", "insurance"];
/** Items that name a house. */
const NAMES = ["log", "signer", "key"];

/** @param {Step[]} steps @returns {HTMLElement} */
const checksSection = (steps) =>
  make("section", { class: "steps" }, make("h2", {}, say("steps.title")), make("ol", {}, ...steps.map((step) => make("li", {}, checkOf(step)))));

/** @param {Step} step */
function checkOf({ id, status, items, fault }) {
  const title = make("summary", {}, icon(status), make("span", {}, say(`step.${id}.title`)), " ", make("span", { class: "state" }, say(`status.${status}`)));
  const byHand = `step.${id}.hand`;
  return make("details", { class: status, id: `step-${id}`, open: status === "fail" }, title,
    make("div", { class: "inside" },
      make("p", {}, say(`step.${id}.why`)),
      fault && faultOf(fault),
      ...items.map(itemOf),
      isWritten(byHand) && make("p", { class: "byhand" }, make("b", {}, say("steps.byhand")), " ", say(byHand))));
}

/** @param {import("../telling/told.mjs").Fault} fault */
function faultOf({ cause, whose, ...found }) {
  const rows = /** @type {const} */ (["where", "expected", "found"]).filter((name) => found[name] !== "");
  return make("div", { class: "fault" },
    cause && make("p", {}, make("b", {}, say(cause))),
    make("dl", {}, ...rows.flatMap((name) => [make("dt", {}, say(`fault.${name}`)), make("dd", {}, make("code", {}, plainText(found[name])))])),
    make("p", {}, say(`whose.${whose}`)));
}

/** @param {Item} item */
const itemOf = ({ label, value, form }) => make("div", { class: `item ${form}` }, make("h3", {}, say(`item.${label}`)), valueOf(value, form, label));

/** @param {Item["value"]} value @param {Item["form"]} form @param {string} label @returns {HTMLElement} */
function valueOf(value, form, label) {
  if (typeof value === "object" && !Array.isArray(value)) return tableOf(value, label);
  const text = textOfItem(Array.isArray(value) ? value.join(" ") : String(value), form, label);
  if (form === "cards") return make("p", {}, ...(Array.isArray(value) ? value : text.split(" ")).map(smallCard));
  if (form === "code" || text.includes("\n")) return make("pre", { tabindex: 0 }, make("code", {}, text));
  if (form === "time" && Date.parse(text)) return make("p", {}, make("time", { datetime: text, title: text }, moment(text)));
  if (typeof value === "number") return make("p", {}, numeral(value));
  return make("p", {}, form === "hex" ? make("code", {}, text) : label === "rules" ? wordOf(text) : text);
}

/** @param {import("../telling/told.mjs").Rows} rows @param {string} label */
function tableOf({ columns, rows }, label) {
  const names = columns.map((column) => column.replace("column.", ""));
  const heads = names.map((name) => make("th", { scope: "col" }, say(isWritten(`column.${name}`) ? `column.${name}` : `item.${name}`)));
  const lines = rows.map((row) => make("tr", {}, ...row.map((cell, i) => make("td", {}, ...cellOf(cell, names[i])))));
  return make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": say(`item.${label}`) },
    make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines)));
}

/** A command stays as it is, so that it can be copied. @param {string} text @param {Item["form"]} form @param {string} label */
const textOfItem = (text, form, label) => (form === "code" ? text : NAMES.includes(label) ? plainName(text) : plainText(text));

/** @param {string | number} cell @param {string} column @returns {(Node | string)[]} */
function cellOf(cell, column) {
  if (typeof cell === "number") return [numeral(cell, SIGNED.includes(column))];
  if (column === "at" && Date.parse(cell)) return [moment(cell)];
  if (column === "card" || column === "cards") return cell.split(" ").filter(Boolean).map(smallCard);
  if (column === "legal") return [cell.split(" ").map(wordOf).join(", ")];
  if (column === "verdict") return [say(cell)];
  if (column === "option" && isWritten(`option.${cell}`)) return [say(`option.${cell}`)];
  return [SPOKEN.includes(column) ? wordOf(cell) : /^[0-9a-f]{8,}$/.test(cell) ? make("code", {}, cell) : plainText(cell)];
}

// The whole answer.

const BY_NO_CHECK = ["unseen.key", "unseen.together", "unseen.unanswered"];

/** @param {Told} told @returns {Element[]} */
export const verdictOf = ({ verdict, says, values }) => [
  icon(verdict === "unreadable" ? "unsure" : verdict),
  make("div", {}, make("p", { class: "word" }, say(`told.${verdict}`)), make("h1", {}, say(says, values))),
];

/** @param {Told} told @param {Desk} desk @param {HTMLElement} trust @returns {HTMLElement} */
export function answerOf({ what, steps, scene, unseen }, desk, trust) {
  const checks = checksSection(steps);
  const about = what === "shuffle" ? ownSection(desk, "commitment") : trust;
  const asks = about.querySelector("form") !== null;
  const own = what === "hand" ? [gameSection(steps), ownSection(desk, "seed", "commitment")] : [];
  const hand = scene && [sceneSection(scene), stripSection(scene.shoe), ...own];
  const left = hand && (asks ? [about, ...hand] : [...hand, about]);
  const columns = left ? [left, [checks, unseenSection(unseen)]] : [[checks], [about, unseenSection(unseen)]];
  return make("div", { class: "sides-by-side" }, ...columns.map((column) => make("div", {}, ...column)));
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
  return make("section", { class: "own" }, make("h2", {}, say("own.title")),
    names.some((name) => given[name]) && make("p", {}, say("own.compared")),
    form("compare", desk.change, ...names.map((name) => field(desk, name)), make("button", {}, say("own.compare"))));
}
