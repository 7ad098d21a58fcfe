// A card as it lies on the table, or small in a line of text.
import { icon, make } from "./build.mjs";
import { cardName, plainText, rankAndSuit } from "./wording.mjs";

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
