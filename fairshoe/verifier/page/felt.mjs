// The hand as it was played: seats, cards, a stepper through what happened, and the shoe as a strip.

import { bigCard, button, cardName, make, plainText, say, svgOf } from "./build.mjs";

/** @typedef {import("../telling/told.mjs").Scene} Scene @typedef {import("../telling/told.mjs").SceneSeat} SceneSeat */
/** @typedef {import("../telling/told.mjs").SceneHand} SceneHand @typedef {import("../telling/told.mjs").Card} Card */

/** @typedef {(now: number, over: boolean) => void} Show draws what was to be seen at a step; `over`: at the last one */

/** @param {Card} card @param {number} now @returns {boolean} */
const isHidden = ({ down, turned }, now) => down && (turned === null || turned > now);

/** @param {Scene} scene @returns {HTMLElement} */
export function sceneSection({ seats, steps }) {
  const last = Math.max(steps.length - 1, 0);
  const places = [...seats.slice(-1), ...seats.slice(0, -1)].map((seat, i) => placeAt(seat, i === 0));
  const names = new Map(seats.map((seat, i) => [seat.seat, nameAt(seat, i === seats.length - 1)]));
  const cards = seats.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards));
  const text = (/** @type {number} */ now) => {
    const { text: key, values } = steps[now];
    const hidden = cards.some((card) => card.dealt === now && isHidden(card, now));
    return say(hidden ? `${key}.down` : key, { ...values, who: names.get(String(values.seat)) ?? values.player ?? "" });
  };

  const words = make("p", { class: "told", "aria-live": "polite" });
  const slider = make("input", { type: "range", min: 0, max: last, value: last, "aria-label": say("scene.slider"), input: () => show(Number(slider.value)) });
  const back = button("‹", () => show(Number(slider.value) - 1));
  const on = button("›", () => show(Number(slider.value) + 1));
  back.setAttribute("aria-label", say("scene.back"));
  on.setAttribute("aria-label", say("scene.on"));

  /** @param {number} step */
  function show(step) {
    const now = Math.min(Math.max(step, 0), last);
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", text(now));
    back.disabled = now === 0;
    on.disabled = now === last;
    words.replaceChildren(make("b", {}, say("scene.step", { step: now + 1, steps: last + 1 })), " ", text(now));
    if (steps[now].by === "table" && steps[now].text.startsWith("scene.move")) words.append(" ", make("em", {}, say("scene.by.table")));
    for (const place of places) place(now, now === last);
  }
  const felt = make("div", { class: "felt" }, ...places.map(({ element }) => element));
  if (steps.length) {
    felt.append(make("div", { class: "stepper", role: "group", "aria-label": say("scene.stepper") }, back, slider, on), words);
    show(last);
  }
  return make("section", { class: "scene" }, make("h2", {}, say("scene.title")), felt);
}

/** @param {SceneSeat} seat @param {boolean} bank */
const nameAt = ({ seat, player }, bank) => plainText(player) || say(seat === "shoe" ? "seat.shoe" : bank ? "seat.bank" : "seat.number", { seat });

/** @param {SceneSeat} seat @param {boolean} bank @returns {Show & {element: HTMLElement}} */
function placeAt(seat, bank) {
  const hands = seat.hands.map(handAt);
  const about = bank ? seat.player && say("seat.bank") : seat.player && say("seat.number", { seat: seat.seat });
  const element = make("div", { class: bank ? "place bank" : "place" },
    make("h3", {}, nameAt(seat, bank), about && make("small", {}, about), seat.you && make("small", { class: "you" }, say("seat.you"))),
    make("div", { class: "hands" }, ...hands.map((hand) => hand.element)));
  /** @type {Show} */
  const show = (now, over) => hands.forEach((hand) => hand(now, over));
  return Object.assign(show, { element });
}

/** @param {SceneHand} hand @returns {Show & {element: HTMLElement}} */
function handAt({ cards, total, bet, outcome, paid }) {
  const faces = cards.map(({ label }) => bigCard(label));
  const sum = make("p", { class: "sum" });
  const element = make("div", { class: "hand" }, make("div", { class: "cards" }, ...faces), sum);
  /** @type {Show} */
  const show = (now, over) => {
    cards.forEach((card, i) => {
      const hidden = isHidden(card, now);
      faces[i].classList.toggle("absent", card.dealt > now);
      faces[i].classList.toggle("down", hidden);
      faces[i].setAttribute("aria-hidden", String(card.dealt > now));
      faces[i].setAttribute("aria-label", hidden ? say("card.down") : cardName(card.label));
    });
    const look = paid > 0 ? "won" : paid < 0 ? "lost" : "";
    sum.replaceChildren(...[
      bet ? say("scene.bet.of", { bet }) : "",
      over && total !== "" ? say("scene.total", { total }) : "",
      over && outcome ? say("scene.outcome", { outcome, net: paid }) : "",
    ].flatMap((text, i) => (text ? [make("span", { class: i === 2 ? `outcome ${look}` : "" }, text)] : [])));
  };
  return Object.assign(show, { element });
}

// The shoe as a strip, from the first card to the last, with the cards of this hand marked.

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
