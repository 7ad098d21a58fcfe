// Which language a page speaks, and its texts with values in them.

/** The first is for whoever reads none of them. */
export const languages = ["en", "de"];
const SHELF = "language";

/** @param {string} tag @returns {string} its language */
const short = (tag) => tag.split("-")[0];

/** @returns {string} the language that was chosen here before, else the first that the reader's browser asks for */
export function languageWanted() {
  return [chosen(), ...navigator.languages.map(short)].find((one) => languages.includes(one)) ?? languages[0];
}

/** @returns {string} "" where none was chosen, or the browser keeps nothing */
function chosen() {
  try {
    return localStorage.getItem(SHELF) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} language that was chosen */
export function keepLanguage(language) {
  try {
    localStorage.setItem(SHELF, language);
  } catch {
    // it is chosen anew next time
  }
}

/** How numbers and times are written: as the reader's browser has it, unless the reader chose another language. @param {string} language @returns {string} */
export function localeOf(language) {
  const others = !navigator.languages.some((tag) => languages.includes(short(tag)));
  return navigator.languages.find((tag) => short(tag) === language) ?? (others ? navigator.language : language);
}

/**
 * A text with its values: `{hands}` is one, `{hands|hand|hands}` the words that go with so many, in them
 * `#` the number.
 * @param {string} text @param {string} language @param {Record<string, unknown>} values @param {(value: unknown, name: string) => string} written as the page writes one
 * @returns {string} what has no value stays as it is
 */
export function filledIn(text, language, values, written) {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in values)) return whole;
    if (many === undefined) return written(values[name], name);
    const words = new Intl.PluralRules(language).select(Number(values[name])) === "one" ? one : many;
    return words.replace("#", () => written(values[name], name));
  });
}
