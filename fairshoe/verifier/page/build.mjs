// Elements of the page, and cards among them.

import { cardName, plainText, rankAndSuit } from "./wording.mjs";

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
  const svg = svgOf("svg", { class: `${look} ${name}`, "aria-hidden": "true" });
  svg.append(svgOf("use", { href: `#${name}` }));
  return svg;
}

/** @param {string} tag @param {Record<string, string | number>} attributes @returns {SVGElement} */
export function svgOf(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
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
