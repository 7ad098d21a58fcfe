// The shoe as a strip, from the first card to the last, with the cards of this hand marked.
import { make, svgOf } from "./build.mjs";
import { say } from "./wording.mjs";

/** @param {import("../telling/told.mjs").Strip} shoe @returns {HTMLElement} */
export function stripSection({ cards, dealt, mine, burned, cut, first }) {
  const thin = Math.max(1, cards / 150);
  const svg = svgOf("svg", { viewBox: `0 0 ${cards} 10`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const bar = (/** @type {string} */ look, /** @type {number} */ at, /** @type {number} */ wide) =>
    svg.append(svgOf("rect", { class: look, x: Math.min(at, cards - wide), y: 0, width: wide, height: 10 }));
  bar("rest", 0, cards);
  if (dealt) bar("dealt", 0, dealt);
  for (const at of burned) bar("burned", at, thin);
  for (const at of mine) bar("mine", at, thin);
  const kinds = [["mine", mine.length], ["burned", burned.length], ["dealt", dealt - mine.length - burned.length], ["rest", cards - dealt]];
  const legend = kinds.filter(([, count]) => Number(count) > 0)
    .map(([look, count]) => make("li", {}, make("i", { class: String(look), "aria-hidden": "true" }), say(`strip.${look}`, { count })));
  return make("section", { class: "strip" }, make("h2", {}, say("strip.title")), svg,
    make("ul", { class: "legend" }, ...legend),
    make("p", { class: "quiet" }, say("strip.says", { cards, first, cut })));
}
