// Elements, words and cards: what both pages are made of.

import { Alarm, Elsewhere, Problem, Unreachable } from "../player/errors.ts";
import { filledIn, languageWanted, localeOf } from "../verifier/page/language.ts";

type Words = Record<string, string>;
export type Part = Node | string | null | undefined | false;

export const language = languageWanted();
/** How numbers and days are written there where the reader is. */
export const locale = localeOf(language);
const words: Words =
  language === "de"
    ? (await import("./german.json", { with: { type: "json" } })).default
    : (await import("./english.json", { with: { type: "json" } })).default;

/** What the page says there, in the reader's language. */
export const say = (key: string, values: Record<string, string | number> = {}) => fill(words[key] ?? key, values);

/** A text with its values, in the reader's language. */
export const fill = (text: string, values: Record<string, string | number>) =>
  filledIn(text, language, values, (value) => (typeof value === "number" ? chipsOf(value) : String(value)));

/** Have the texts of another page, too. */
export const addTexts = (texts: { english: Words; german: Words }) =>
  Object.assign(words, language === "de" ? texts.german : texts.english);

/** Have the styles of another page, too. */
export const addStyles = (page: string) =>
  document.head.append(make("link", { rel: "stylesheet", href: `/modules/${page}.css` }));

/** Whether there are words for it. */
export const hasWords = (key: string) => key in words;

export const chipsOf = (amount: number, { sign = false }: { sign?: boolean } = {}) =>
  amount.toLocaleString(locale, sign ? { signDisplay: "exceptZero" } : {}).replace("-", "−");

/**
 * An element. Attributes that are functions listen, true and false are there or not.
 * @param tag with its classes: `p.quiet.small`
 */
export function make(tag: string, attributes: Record<string, any> = {}, ...parts: Part[]): HTMLElement {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const part of parts) if (part) element.append(part);
  return element;
}

export function button(text: string, act: () => unknown, attributes: Record<string, any> = {}) {
  const { class: classes = "", ...more } = attributes;
  const element = make("button", { type: "button", click: act, ...more }, text);
  element.className = classes;
  return element;
}

/** A button that copies a text, and says so, or shows it to be copied by hand. @param instead of that, where it is given */
export function copying(name: string, text: string, instead?: () => unknown) {
  const told = make("small.quiet");
  const copy = async () => {
    const copied = navigator.clipboard?.writeText(text).then(() => true);
    told.textContent = (await copied?.catch(() => false)) ? say("copied", { text }) : text;
    tell(told.textContent);
  };
  return make("span", {}, button(name, instead ?? copy), " ", told);
}

/** What is filled in or chosen, with its label. */
export const labelled = (label: string, ...parts: Part[]) => make("label.field", {}, make("span", {}, label), ...parts);

/** A field with its label. */
export const field = (label: string, attributes: Record<string, any>, ...after: Part[]) =>
  labelled(label, make("input", attributes), ...after);

/** The input of a field, or the first of a form. */
export const inputOf = (element: HTMLElement) => element.querySelector("input") as HTMLInputElement;

/** Show parts above the page until the reader goes back to it. */
export function showAbove(look: string, ...parts: Part[]) {
  const all = make("div.scroll", { tabindex: 0 }, ...parts);
  const dialog = make(`dialog.panel.${look}`, { close: () => dialog.remove() }, all) as HTMLDialogElement;
  dialog.append(button(say("clauses.back"), () => dialog.close(), { class: "act", autofocus: true }));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Say it to a screen reader. */
export function tell(text: string) {
  const place = document.getElementById("said") as HTMLElement;
  if (text && place.textContent !== text) place.textContent = text;
}

/** What went wrong, with the English words of a house or a check; of an alarm they are in the evidence too. */
export function trouble(error: any): HTMLElement {
  if (error instanceof Elsewhere) return make("span", {}, say("elsewhere"));
  if (error instanceof Alarm) {
    const { code, what, values } = error;
    const round = "round" in values && `${say("last.title", { round: String(values.round) })}:`;
    return make("span", {}, round, " ", say(`alarm.${code}`), language === "en" && make("small", {}, ` ${what}`));
  }
  const { message = String(error), expected, remedy } = error;
  const told = (text: unknown) => typeof text !== "string" || message.includes(text); // a house's own sentence has both in it
  const detail = [message, !told(expected) && `Expected: ${expected}`, !told(remedy) && remedy]
    .filter(Boolean)
    .join(". ")
    .replaceAll("..", ".");
  return make("span", {}, say(kindOf(error)), " ", make("span", { lang: "en" }, detail));
}

/** @returns the key of what is said of its kind */
function kindOf(error: unknown): string {
  if (error instanceof Unreachable) return "trouble.unreachable";
  const kind = error instanceof Problem ? `trouble.${String(error.body.type).replace("/docs#", "")}` : "";
  return hasWords(kind) ? kind : "trouble.other";
}

// Cards, drawn.

/** in a square of 20 */
const SUITS: Record<string, string> = {
  s: "M10 1C8 5 2 8 2 12.5A3.6 3.6 0 0 0 9 14.2C8.8 16.5 8 18 6.5 19h7c-1.5-1-2.3-2.5-2.5-4.8A3.6 3.6 0 0 0 18 12.5C18 8 12 5 10 1z",
  h: "M10 19C8 14 1.5 11.5 1.5 6.2A4.3 4.3 0 0 1 10 5 4.3 4.3 0 0 1 18.5 6.2C18.5 11.5 12 14 10 19z",
  d: "M10 .8 17 10 10 19.2 3 10z",
  c: "M10 1a4 4 0 0 0-3.3 6.3A4 4 0 1 0 9.1 13.2C9 16 8 18 6.5 19h7C12 18 11 16 10.9 13.2A4 4 0 1 0 13.3 7.3 4 4 0 0 0 10 1z",
};
/** Where a card's pips stand, a half of them: what is above the middle stands upside down below it. Column and height. */
const PIPS: Record<string, string> = {
  2: "M30",
  3: "M30 M70",
  4: "L30 R30",
  5: "L30 R30 M70",
  6: "L30 R30 L70 R70",
  7: "L30 R30 L70 R70 M50",
  8: "L30 R30 L70 R70 M50",
  9: "L28 R28 L56 R56 M70",
  T: "L28 R28 L56 R56 M42",
};
const COLUMNS: Record<string, number> = { L: 30, M: 50, R: 70 };

const pip = (suit: string, x: number, y: number, size: number, turned: boolean = false) =>
  `<path d="${SUITS[suit]}" transform="translate(${x} ${y}) ${turned ? "rotate(180) " : ""}scale(${size / 20}) translate(-10 -10)"/>`;

/** @param label as `Qh` */
function faceOf(label: string): string {
  const [rank, suit] = label;
  const narrow = rank === "T" ? ' textLength="16" lengthAdjust="spacingAndGlyphs"' : "";
  const corner = `<text x="12" y="22"${narrow}>${rank === "T" ? "10" : rank}</text>${pip(suit, 12, 33, 14)}`;
  let inside = pip(suit, 50, 70, 44);
  if (PIPS[rank]) {
    const places = PIPS[rank].split(" ").map(([column, ...height]) => [COLUMNS[column], Number(height.join(""))]);
    inside = places
      .map(
        ([x, y]) =>
          pip(suit, x, y, 19) + (y === 70 || (rank === "7" && x === 50) ? "" : pip(suit, x, 140 - y, 19, true)),
      )
      .join("");
  } else if (rank !== "A") {
    inside = `<rect x="24" y="20" width="52" height="100" rx="4" class="court"/><path class="crown" d="${CROWNS[rank]}"/>${pip(suit, 36, 34, 15)}${pip(suit, 64, 106, 15, true)}<text x="50" y="88" class="figure">${rank}</text>`;
  }
  return `<svg viewBox="0 0 100 140" aria-hidden="true">${inside}<g>${corner}</g><g transform="rotate(180 50 70)">${corner}</g></svg>`;
}

const CROWNS: Record<string, string> = {
  K: "M34 56l4-14 6 8 6-12 6 12 6-8 4 14z",
  Q: "M35 56q2-12 5-12t3 6q2-10 7-10t7 10q0-6 3-6t5 12z",
  J: "M36 56q0-14 14-14t14 8q-6-2-8 6z",
};

/** A card as it lies; null is face down. */
export function card(label: string | null) {
  const element = make("span.card", { "role": "img", "aria-label": label ? cardName(label) : say("card.down") });
  if (label) {
    element.classList.add(/[hd]/.test(label[1]) ? "red" : "black");
    element.innerHTML = faceOf(label);
  } else element.classList.add("down");
  return element;
}

/** A card in a line of text. */
export const smallCard = (label: string) => {
  const [rank, suit] = label;
  const attributes = { "role": "img", "aria-label": cardName(label) };
  return make(`i${/[hd]/.test(suit) ? ".red" : ""}`, attributes, (rank === "T" ? "10" : rank) + SIGNS[suit]);
};
const SIGNS: Record<string, string> = { s: "♠", h: "♥", d: "♦", c: "♣" };

export const cardName = (label: string) =>
  say("card.name", { rank: say(`rank.${label[0]}`), suit: say(`suit.${label[1]}`) });

/** A stack of chips. */
export function stack(amount: number) {
  const element = make("span.stack", { "role": "img", "aria-label": say("chips.of", { amount }) });
  let rest = amount;
  for (const worth of [1000, 100, 25, 5, 1]) {
    for (; rest >= worth && element.childElementCount < 6; rest -= worth) element.append(make(`i.c${worth}`));
  }
  element.append(make("b", {}, chipsOf(amount)));
  return element;
}
