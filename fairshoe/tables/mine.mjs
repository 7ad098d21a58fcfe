// My hands: what I staked and won, what my browser found when it checked them, and the evidence where it is wrong.

import { Seat } from "../player/seat.mjs";
import { button, chipsOf, inWords, language, make, say } from "./build.mjs";

/** @typedef {import("../player/house.mjs").House} House @typedef {import("../player/types.mjs").Hand} Hand */

/** Save a text as a file. @param {string} name @param {string} text */
export function saved(name, text) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", { href: URL.createObjectURL(new Blob([text])), download: name }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** All of mine at this house; what ended since I left is checked. @param {House} house */
export async function myHands(house) {
  document.title = `${say("hands.title")} · fairshoe`;
  const element = make("div");
  const draw = async () => element.replaceChildren(...byDay(await house.hands()));
  await draw();
  const open = new Set((await house.hands()).filter(({ mark }) => mark === "open").map(({ table }) => table));
  void Promise.allSettled([...open].map((table) => Seat.checkLeft(house, table))).then(draw);
  return element;
}

/** @param {Hand[]} hands */
function byDay(hands) {
  /** @type {Map<string, Hand[]>} */
  const groups = new Map();
  for (const hand of hands) {
    const day = `${hand.table} · ${new Date(hand.at).toLocaleDateString(language)}`;
    groups.set(day, [...(groups.get(day) ?? []), hand]);
  }
  const sections = [...groups].map(([day, of]) => make("section.panel", {}, make("h2", {}, day), make("p", {}, totals(of)), handList(of, null)));
  return [make("h1", {}, say("hands.title")), make("p.lead", {}, hands.length ? totals(hands) : say("hands.none"), " ", say("hands.here")), ...sections];
}

/** @param {Hand[]} hands */
function totals(hands) {
  const sum = (/** @type {(hand: Hand) => number} */ of) => hands.reduce((all, hand) => all + of(hand), 0);
  return say("hands.total", { hands: hands.length, stake: chipsOf(sum(({ stake }) => stake)), net: chipsOf(sum(({ net }) => net), { sign: true }) });
}

/** @param {Hand[]} hands @param {Seat | null} seat whose evidence may be saved @returns {HTMLElement} */
export function handList(hands, seat) {
  if (!hands.length) return make("p.quiet", {}, say("hands.none"));
  return make("ul.myhands", {}, ...hands.map(({ id, table, round, stake, net, mark, step, words }) => make(`li.${mark}`, { "data-hand": id, "data-mark": mark },
    make("span.mark", { "aria-hidden": "true" }),
    make("a", { href: `/v1/rounds/${encodeURIComponent(id)}/verify` }, id),
    make("span", {}, `${chipsOf(stake)} → ${chipsOf(net, { sign: true })}`),
    make("span.quiet", {}, say(`mark.${mark}`), mark === "fail" && step ? `: ${say(`step.${step}`)}. ${words}` : words && mark === "unsure" ? `: ${words}` : ""),
    mark === "fail" && seat && button(say("hands.save"), async () => {
      try {
        saved(`evidence-${table}-${round}.json`, await seat.evidence(round));
      } catch (error) {
        alert(inWords(error));
      }
    }))));
}
