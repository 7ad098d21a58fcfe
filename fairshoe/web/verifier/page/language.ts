// Which language a page speaks, and its texts with values in them.

import { attempt } from "../bytes.ts";

/** The first is for whoever reads none of them. */
export const languages = ["en", "de"];
const SHELF = "language";

/** @returns its language */
const short = (tag: string): string => tag.split("-")[0];

/** @returns the language that was chosen here before, else the first that the reader's browser asks for */
export function languageWanted(): string {
  return [kept(SHELF), ...navigator.languages.map(short)].find((one) => languages.includes(one)) ?? languages[0];
}

/** @returns what this browser keeps under a name, "" where it keeps nothing */
export const kept = (name: string): string => attempt(() => localStorage.getItem(name) ?? "", "", Error);

/** @param language that was chosen */
export function keepLanguage(language: string) {
  attempt(() => localStorage.setItem(SHELF, language), undefined, Error); // else it is chosen anew next time
}

/** How numbers and times are written: as the reader's browser has it, unless the reader chose another language. */
export function localeOf(language: string): string {
  const others = !navigator.languages.some((tag) => languages.includes(short(tag)));
  return navigator.languages.find((tag) => short(tag) === language) ?? (others ? navigator.language : language);
}

/**
 * A text with its values: `{hands}` is one, `{hands|hand|hands}` the words that go with so many, in them `#` the
 * number. `written`: as the page writes one. What has no value stays as it is.
 */
export function filledIn(
  text: string,
  language: string,
  values: Record<string, unknown>,
  written: (value: unknown, name: string) => string,
): string {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in values)) return whole;
    if (many === undefined) return written(values[name], name);
    const words = new Intl.PluralRules(language).select(Number(values[name])) === "one" ? one : many;
    return words.replace("#", () => written(values[name], name));
  });
}
