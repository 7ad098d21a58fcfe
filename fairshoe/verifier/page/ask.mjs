// What the page takes: a file picked, dropped or pasted, the house's key, receipts, or a game typed by hand.
import { bigCard, button, make } from "./build.mjs";
import { say } from "./wording.mjs";

/** @typedef {Record<string, string>} Fields */

/**
 * @typedef {object} Desk what is done with what the reader gives
 * @property {(files: Iterable<File>) => void} files
 * @property {(text: string) => void} text
 * @property {(fields: Fields) => void} game
 * @property {(fields: Fields) => void} change another key, seed or commitment for the same file
 * @property {(name: string) => string} value what stands in a field
 */

/** @param {Desk} desk @param {boolean} first whether nothing was told yet @returns {HTMLElement[]} */
export const askOf = (desk, first) => [
  make("div", { class: "hello" }, first && make("h1", {}, say("ask.title")), make("p", { class: "lead" }, say("ask.lead")),
    make("div", { class: "felt fan", "aria-hidden": true }, ...["Ah", "Ks", "8d"].map(bigCard))),
  make("div", {},
    form("proof", ({ paste }) => desk.text(paste),
      make("div", { class: "drop" }, make("p", {}, say("ask.drop")), ...picker(desk)),
      field(desk, "paste", 3),
      field(desk, "key"),
      more("receipt", make("p", {}, say("ask.receipt.why")), field(desk, "receipt", 3)),
      make("button", { class: "main" }, say("ask.check"))),
    more("game", form("game", desk.game,
      make("p", {}, say("ask.game.why")),
      ...["shoe", "key-hex", "commitment", "cut", "dealt"].map((name) => field(desk, name)),
      ...["deck", "seeds", "draws"].map((name) => field(desk, name, 3)),
      make("button", { class: "main" }, say("ask.check"))))),
];

/** @param {string} key @param {...HTMLElement} inside */
const more = (key, ...inside) => make("details", { class: "more" }, make("summary", {}, say(`ask.${key}`)), make("div", { class: "inside" }, ...inside));

/** @param {Desk} desk */
function picker(desk) {
  const input = make("input", { type: "file", multiple: true, hidden: true, "aria-label": say("ask.pick"), change: () => desk.files(input.files ?? []) });
  const pick = button(say("ask.pick"), () => input.click(), "main");
  pick.id = "pick";
  return [input, pick];
}

/** @param {Desk} desk @param {string} name @param {number} [rows] where it takes lines @returns {HTMLElement} */
export function field(desk, name, rows) {
  const common = { id: `in-${name}`, name, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": `about-${name}` };
  const input = rows ? make("textarea", { ...common, rows }) : make("input", common);
  input.value = desk.value(name);
  return make("p", { class: "field" }, make("label", { for: `in-${name}` }, say(`field.${name}`)), input, make("small", { id: `about-${name}` }, say(`field.${name}.why`)));
}

/** @param {string} name @param {(fields: Fields) => void} give @param {...HTMLElement} inside */
export const form = (name, give, ...inside) =>
  make("form", {
    class: name,
    submit: (event) => {
      event.preventDefault();
      const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
      give(Object.fromEntries([...fields].map(([key, value]) => [key, String(value)])));
    },
  }, ...inside);
