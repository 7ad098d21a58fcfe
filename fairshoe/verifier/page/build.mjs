// What the page is built of: words in the reader's language, with numbers, times and names of cards as the reader writes
// them; elements; cards; and fields to fill in.

import { filledIn, languages, languageWanted, localeOf } from "./language.mjs";

/** @typedef {Record<string, unknown>} Values */

/** Each text in every language. @type {Record<string, string[]>} */
const wordings = JSON.parse(document.getElementById("texts")?.textContent ?? "");
let language = languageWanted();

export const languageSpoken = () => language;

/** @param {string} language @returns {string} as its speakers call it */
export const nameOfLanguage = (language) => wordings.language[languages.indexOf(language)];

/** @param {string} other */
export function speak(other) {
  language = other;
  document.documentElement.lang = language;
}

/** @param {string} key @returns {boolean} */
export const isWritten = (key) => key !== "" && Object.hasOwn(wordings, key);

/** @param {string} key @param {Values} [values] @returns {string} the key itself where nothing is written for it */
export function say(key, values = {}) {
  return filledIn(isWritten(key) ? wordings[key][languages.indexOf(language)] : key, language, values, written);
}

/** A word of the log, as people say it. @param {string} word */
export function wordOf(word) {
  const [, cards] = /^(\d+) cards$/.exec(word) ?? [];
  return cards ? say("word.cards", { cards }) : isWritten(`word.${word}`) ? say(`word.${word}`) : word;
}

/** What a file says, with whatever cannot be seen, or turns the text around, by its number. @param {string} text */
export const plainText = (text) => numbered(text, /(?!\n)\p{C}/gu);

/** A house's name or key: with whatever may look like other letters by its number. @param {string} text */
export const plainName = (text) => numbered(text, /[^ -~]/gu);

/** @param {string} text @param {RegExp} which */
const numbered = (text, which) => text.replace(which, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

/** @param {unknown} value @param {string} name @returns {string} */
function written(value, name) {
  if (typeof value === "number") return numeral(value, name === "net" || name === "paid" || name === "due");
  const text = name === "house" ? plainName(String(value)) : plainText(String(value));
  if (name === "card") return cardName(text);
  if ((name === "since" || name === "until") && Date.parse(text)) return moment(text);
  if (name === "step") return say(`step.${text}.title`);
  return name === "outcome" ? wordOf(text) : text;
}

/** @param {number} value @param {boolean} [sign] with its sign, for what somebody wins or loses */
export const numeral = (value, sign = false) =>
  new Intl.NumberFormat(localeOf(language), sign ? { signDisplay: "exceptZero" } : {}).format(value).replace("-", "−");

/** @param {string} text the log's text of a time @returns {string} in the reader's zone */
export const moment = (text) => new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "long" }).format(new Date(text));

/** @param {string} label @returns {[string, string] | null} rank and suit of a French card */
export const rankAndSuit = (label) => (/^[A2-9TJQK][cdhs]$/.test(label) ? [label[0].replace("T", "10"), label[1]] : null);

/** @param {string} label @returns {string} "queen of hearts"; a label that is no French card stays as it is */
export function cardName(label) {
  const card = rankAndSuit(label);
  if (!card) return plainText(label);
  const [rank, suit] = card;
  return say("card.name", { rank: /\d/.test(rank) ? rank : say(`card.${rank}`), suit: say(`card.${suit}`) });
}

// Elements.

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{[name: string]: string | number | boolean | EventListener}} [attributes] a function listens to the event of that name; false leaves out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter(isThere));
  return element;
}

/** @param {Child} child @returns {child is Node | string} */
const isThere = (child) => child !== null && child !== undefined && child !== false && child !== "";

/** A picture of the page's own set, silent for a screen reader. @param {string} name @param {string} [look] */
export function icon(name, look = "icon") {
  const [svg, use] = ["svg", "use"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("class", `${look} ${name}`);
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} text @param {() => void} act @param {string} [look] */
export const button = (text, act, look = "") => make("button", { type: "button", class: look, click: act }, text);

// A card as it lies on the table, or small in a line of text.

/** @param {string} label @returns {Node[]} */
const faceOf = (label) => {
  const card = rankAndSuit(label);
  return card ? [make("b", {}, card[0]), icon(card[1], "pip")] : [make("b", {}, plainText(label))];
};

/** A card in a line of text. @param {string} label */
export const smallCard = (label) =>
  make("span", { class: `small ${rankAndSuit(label)?.[1] ?? ""}`, role: "img", "aria-label": cardName(label) }, ...faceOf(label));

/** A card with a face and a back: the class `down` turns it. @param {string} label */
export function bigCard(label) {
  const suit = rankAndSuit(label)?.[1];
  const face = make("span", { class: `face ${suit ?? "plain"}` }, make("span", { class: "corner" }, ...faceOf(label)), suit ? icon(suit, "suit") : null);
  return make("span", { class: "card", role: "img", "aria-label": cardName(label) }, make("span", { class: "sides" }, face, make("span", { class: "back" })));
}

// Fields, and what is done with what stands in them.

/** @typedef {Record<string, string>} Fields */

/**
 * @typedef {object} Desk what is done with what the reader gives
 * @property {(files: Iterable<File>) => void} files
 * @property {(text: string) => void} text
 * @property {(fields: Fields) => void} change another key, seed or commitment for the same file
 * @property {(name: string) => string} value what stands in a field
 */

/** @param {Desk} desk @param {string} name @param {number} [rows] where it takes lines @returns {HTMLElement} */
export function field(desk, name, rows) {
  const common = { id: `in-${name}`, name, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": `about-${name}` };
  const input = rows ? make("textarea", { ...common, rows }) : make("input", common);
  input.value = desk.value(name);
  return make("p", { class: "field" }, make("label", { for: `in-${name}` }, say(`field.${name}`)), input, make("small", { id: `about-${name}` }, say(`field.${name}.why`)));
}

/** @param {string} name @param {(fields: Fields) => void} give @param {...HTMLElement} inside */
export const form = (name, give, ...inside) =>
  make("form", {
    class: name,
    submit: (event) => {
      event.preventDefault();
      const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
      give(Object.fromEntries([...fields].map(([key, value]) => [key, String(value)])));
    },
  }, ...inside);
