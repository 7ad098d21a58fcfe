// What the page is built of: words in the reader's language, numbers, times, cards, elements, fields.

import { filledIn, kept, languages, languageWanted, localeOf } from "./language.ts";

type Values = Record<string, unknown>;

/** As the page has them: with a sign in the place of a phrase that comes often. */
const abbreviated = globalThis.document?.getElementById("texts")?.textContent ?? "";
const phrases = abbreviated.slice(abbreviated.lastIndexOf("\n\n") + 2).split("\n");
/** The keys of the texts, each with how many characters of the one before it it begins with; then the texts. */
const [ends = [], ...texts] = phrases
  .reduce((all, [sign, ...phrase]) => all.replaceAll(sign, () => phrase.join("")), abbreviated)
  .split("\n\n")
  .slice(0, -1)
  .map((list) => list.split("\n"));
const wordings: Record<string, string[]> = {};
let key = "";
ends.forEach((end, i) => {
  key = key.slice(0, parseInt(end[0], 36)) + end.slice(1);
  wordings[key] = texts.map((list) => (list[i] === "=" ? texts[0][i] : list[i]));
});
let language = languageWanted();

export const languageSpoken = () => language;

/** @returns as its speakers call it */
export const nameOfLanguage = (language: string): string => wordings.language[languages.indexOf(language)];

export function speak(other: string) {
  language = other;
  document.documentElement.lang = language;
}

export const isWritten = (key: string): boolean => key !== "" && Object.hasOwn(wordings, key);

/** @returns the text of a key, with those that it names by theirs, as `{part.key}`; the key itself if it has no text */
const textOf = (key: string): string =>
  isWritten(key)
    ? wordings[key][languages.indexOf(language)].replace(/\{(\w+\.[\w.]+)\}/g, (_, part) => textOf(part))
    : key;

export const say = (key: string, values: Values = {}): string => filledIn(textOf(key), language, values, written);

/** A word of the log, as people say it. */
export function wordOf(word: string) {
  const [, cards] = /^(\d+) cards$/.exec(word) ?? [];
  return cards ? say("word.cards", { cards }) : isWritten(`word.${word}`) ? say(`word.${word}`) : word;
}

/** What a file says, with whatever cannot be seen, or turns the text around, by its number. */
export const plainText = (text: string) =>
  numbered((MADE_ID.test(text) && kept(`fairshoe.name ${text}`)) || text, /(?!\n)\p{C}/gu);

/** An id that the player's page made (tables/sitting.ts) for a name that is no id; it keeps the name of each. */
export const MADE_ID = /^p-[0-9a-z]{1,7}$/;

/** A house's name or key: with whatever may look like other letters by its number. */
export const plainName = (text: string) => numbered(text, /[^ -~]/gu);

const numbered = (text: string, which: RegExp) =>
  text.replace(which, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

function written(value: unknown, name: string): string {
  if (typeof value === "number") return numeral(value, name === "net" || name === "paid" || name === "due");
  const text = name === "house" ? plainName(String(value)) : plainText(String(value));
  if (name === "card") return cardName(text);
  if ((name === "since" || name === "until") && Date.parse(text)) return moment(text);
  if (name === "step") return say(`step.${text}.title`);
  if (name === "format") return say(`format.${text}`);
  return name === "outcome" || name === "move" ? wordOf(text) : text;
}

/** @param sign with its sign, for what somebody wins or loses */
export const numeral = (value: number, sign: boolean = false) =>
  new Intl.NumberFormat(localeOf(language), sign ? { signDisplay: "exceptZero" } : {}).format(value).replace("-", "−");

/** A time in the log's text, as the reader's zone has it. */
export const moment = (text: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "long" }).format(new Date(text));

/** @returns rank and suit of a French card */
const rankAndSuit = (label: string): [string, string] | null =>
  /^[A2-9TJQK][cdhs]$/.test(label) ? [label[0].replace("T", "10"), label[1]] : null;

/** @returns "queen of hearts"; a label that is no French card stays as it is */
export function cardName(label: string): string {
  const card = rankAndSuit(label);
  if (!card) return plainText(label);
  const [rank, suit] = card;
  return say("card.name", { rank: /\d/.test(rank) ? rank : say(`card.${rank}`), suit: say(`card.${suit}`) });
}

// Elements.

type Child = Node | string | null | false | undefined;
type Attributes = { [name: string]: string | number | boolean | EventListener };

/**
 * @param what a tag, and the classes behind it, each after a full stop
 * @param inside children, and attributes: a function listens to the event of that name; false leaves out
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  what: Tag | `${Tag}.${string}`,
  ...inside: (Child | Attributes)[]
): HTMLElementTagNameMap[Tag] {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag as Tag);
  element.classList.add(...classes);
  for (const one of inside) {
    if (!one) continue;
    if (typeof one === "string" || one instanceof Node) element.append(one);
    else
      for (const [name, value] of Object.entries(one))
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

/** A text of the page as a paragraph. */
export const line = (key: string, values?: Values): HTMLElement => make("p", say(key, values));

/** How an amount that somebody wins or loses is drawn. */
export const lookOf = (net: number): string => `outcome ${net > 0 ? "won" : net < 0 ? "lost" : ""}`;

/** A part of the page under its title. */
export const section = (name: string, ...inside: Child[]): HTMLElement =>
  make(`section.${name}`, make("h2", say(`${name}.title`)), ...inside);

/** A picture of the page's own set, silent for a screen reader. */
export function icon(name: string, look: string = "icon") {
  const svg = svgElement("svg", { "class": `${look} ${name}`, "aria-hidden": "true" });
  svg.append(svgElement("use", { href: `#${name}` }));
  return svg;
}

/** An element of a picture. */
export function svgElement(tag: string, attributes: Record<string, string>): Element {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

export const button = (text: string, act: () => void, look: string = "") =>
  make("button", { type: "button", class: look, click: act }, text);

// A card as it lies on the table, or small in a line of text.

const faceOf = (label: string): Node[] => {
  const card = rankAndSuit(label);
  return card ? [make("b", card[0]), icon(card[1], "pip")] : [make("b", plainText(label))];
};

/** A card in a line of text. */
export const smallCard = (label: string) =>
  make(
    "span",
    { "class": `small ${rankAndSuit(label)?.[1] ?? ""}`, "role": "img", "aria-label": cardName(label) },
    ...faceOf(label),
  );

/** A card with a face and a back: the class `down` turns it. */
export function bigCard(label: string) {
  const suit = rankAndSuit(label)?.[1];
  const face = make(
    "span",
    { class: `face ${suit ?? "plain"}` },
    make("span.corner", ...faceOf(label)),
    suit ? icon(suit, "suit") : null,
  );
  return make(
    "span.card",
    { "role": "img", "aria-label": cardName(label) },
    make("span.sides", face, make("span.back")),
  );
}

// Fields, and what is done with what stands in them.

type Fields = Record<string, string>;

/** what is done with what the reader gives */
export interface Desk {
  files: (files: Iterable<File>) => void;
  text: (text: string) => void;
  /** another key, seed or commitment for the same file */
  change: (fields: Fields) => void;
  /** what stands in a field */
  value: (name: string) => string;
}

/** @param rows where it takes lines */
export function field(desk: Desk, name: string, rows?: number): HTMLElement {
  const common = {
    "id": `in-${name}`,
    name,
    "autocomplete": "off",
    "autocapitalize": "off",
    "spellcheck": "false",
    "aria-describedby": `about-${name}`,
  };
  const input = rows ? make("textarea", { ...common, rows }) : make("input", common);
  input.value = desk.value(name);
  return make(
    "p.field",
    make("label", { for: `in-${name}` }, say(`field.${name}`)),
    input,
    make("small", { id: `about-${name}` }, say(`field.${name}.why`)),
  );
}

export const form = (name: string, give: (fields: Fields) => void, ...inside: HTMLElement[]) =>
  make(
    "form",
    {
      class: name,
      submit: (event) => {
        event.preventDefault();
        const fields = new FormData(event.target as HTMLFormElement);
        give(Object.fromEntries([...fields].map(([key, value]) => [key, String(value)])));
      },
    },
    ...inside,
  );
