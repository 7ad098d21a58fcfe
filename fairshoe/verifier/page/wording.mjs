// What the page says, in the reader's language; numbers, times and names of cards as the reader writes them.

/** @typedef {Record<string, unknown>} Values */

/** Each text in every language; under "" the languages. @type {Record<string, string[]>} */
const wordings = JSON.parse(document.getElementById("texts")?.textContent ?? "");
export const languages = wordings[""];
const short = (/** @type {string} */ tag) => tag.split("-")[0];
const wished = navigator.languages.map(short).find((tag) => languages.includes(tag));
let spoken = wished ? languages.indexOf(wished) : 0;

export const languageSpoken = () => languages[spoken];

/** @param {string} language @returns {string} as its speakers call it */
export const nameOfLanguage = (language) => wordings.language[languages.indexOf(language)];

/** @param {string} language */
export function speak(language) {
  spoken = languages.indexOf(language);
  document.documentElement.lang = language;
}

/** The reader's own, unless it is of another language that the page could speak. */
const locale = () => navigator.languages.find((tag) => short(tag) === languageSpoken()) ?? (wished ? languageSpoken() : navigator.language);

/** @param {string} key @returns {boolean} */
export const isWritten = (key) => key !== "" && Object.hasOwn(wordings, key);

/** @param {string} key @param {Values} [values] @returns {string} the key itself where nothing is written for it */
export function say(key, values = {}) {
  const text = isWritten(key) ? wordings[key][spoken] : key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? written(values[name], name) : whole));
}

/** A word of the log, as people say it. @param {string} word */
export const wordOf = (word) => (isWritten(`word.${word}`) ? say(`word.${word}`) : word);

/** What a file says, with whatever cannot be seen, or turns the text around, by its number. @param {string} text */
export const plainText = (text) => numbered(text, /(?!\n)\p{C}/gu);

/** A house's name or key: with whatever may look like other letters by its number. @param {string} text */
export const plainName = (text) => numbered(text, /[^ -~]/gu);

/** @param {string} text @param {RegExp} which */
const numbered = (text, which) => text.replace(which, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

/** @param {unknown} value @param {string} name @returns {string} */
function written(value, name) {
  if (typeof value === "number") return numeral(value, name === "net");
  const text = name === "house" ? plainName(String(value)) : plainText(String(value));
  if (name === "card") return cardName(text);
  if (name === "step") return say(`step.${text}.title`);
  return name === "outcome" ? wordOf(text) : text;
}

/** @param {number} value @param {boolean} [sign] with its sign, for what somebody wins or loses */
export const numeral = (value, sign = false) =>
  new Intl.NumberFormat(locale(), sign ? { signDisplay: "exceptZero" } : {}).format(value).replace("-", "−");

/** @param {string} text the log's text of a time @returns {string} in the reader's zone */
export const moment = (text) => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "long" }).format(new Date(text));

/** @param {string} label @returns {[string, string] | null} rank and suit of a French card */
export const rankAndSuit = (label) => (/^[A2-9TJQK][cdhs]$/.test(label) ? [label[0].replace("T", "10"), label[1]] : null);

/** @param {string} label @returns {string} "queen of hearts"; a label that is no French card stays as it is */
export function cardName(label) {
  const card = rankAndSuit(label);
  if (!card) return plainText(label);
  const [rank, suit] = card;
  return say("card.name", { rank: /\d/.test(rank) ? rank : say(`card.${rank}`), suit: say(`card.${suit}`) });
}
