// The form by which the operator opens a table.

import { field, hasWords, inputOf, labelled, make, say, trouble } from "./build.ts";
import { wordOf } from "./facts.ts";
import { operate } from "./operator-token.ts";
import { NOT_NOW } from "../player/chair.ts";
import { GAMES } from "../verifier/games.ts";
import type { House } from "../player/house.ts";

/** The greatest number that the house reads: one above it is another when it comes. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/** Where the tab keeps what is filled in: a change of the language, or another look, loads the page anew. */
export const DRAFT = "fairshoe.opening";

/** @param opened a table is open, by its name */
export async function opening(house: House, opened: (table: string) => void) {
  const { rules, policy, placers } = await house.ruleSets();
  const wrong = make("span.trouble", { role: "alert" });
  const names = rules.map(({ name }) => make("option", { value: name }, say(`rules.${name}`)));
  const choice = make(
    "select",
    { "name": "rules", "aria-label": say("open.rules"), "change": () => showOptions() },
    ...names,
  ) as HTMLSelectElement;
  const name = field(say("open.name"), {
    name: "table",
    title: say("open.name.form"),
    maxlength: 32,
    pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,31}",
  });
  const options = make("fieldset.options");
  const limits = make(
    "fieldset.options",
    { "aria-label": say("open.limits") },
    ...Object.entries(policy).map(([key, limit]) => option("limit", key, limit)),
  );
  const lapses = field(say("open.lapses"), { type: "number", name: "lapses", value: 0, min: 0, max: 100 });
  const lapsesInput = inputOf(lapses);
  const nobody = make("option", { value: "" }, say("open.nobody"));
  const player = make("option", { value: "player" }, say("open.player")) as HTMLOptionElement;
  const placer = make(
    "select",
    { name: "placer" },
    nobody,
    player,
    ...placers.map((key) => make("option", { value: key }, key.split("+")[0])),
  ) as HTMLSelectElement;
  const beside = labelled(say("open.placer"), placer);
  const showOptions = () => {
    const chosen = rules.find((one) => one.name === choice.value) ?? rules[0];
    player.disabled = Boolean(GAMES[chosen.name].bank); // not played by one alone
    if (player.disabled && player.selected) placer.value = "";
    const { options: ranges } = GAMES[chosen.name];
    options.replaceChildren(
      ...Object.entries(chosen.options).map(([key, value]) => option("option", key, value, ranges[key])),
    );
  };
  showOptions();
  const send = async (event: Event) => {
    event.preventDefault();
    wrong.replaceChildren();
    const id = inputOf(name).value;
    try {
      const body = {
        rules: choice.value,
        ...(id && { table: id }),
        ...(placer.value && { placer: placer.value }),
        options: valuesOf(options),
        policy: valuesOf(limits),
        ...(lapsesInput.valueAsNumber && { lapses: lapsesInput.valueAsNumber }),
      };
      opened((await operate(house, "/tables", body)).table);
      inputOf(name).value = "";
      sessionStorage.removeItem(DRAFT);
    } catch (error) {
      refuse(error);
    }
  };
  /** Say in its field what is wrong with an option or a limit. */
  const refuse = (error: any) => {
    const [key] = String(error.where).split(".").slice(-1);
    const absurd = fieldsOf(form).find(({ valueAsNumber: given }) => Math.abs(given) > MAX_NUMBER);
    const input = absurd ?? fieldsOf(form).find(({ name }) => name === key);
    const [, low, high] = absurd
      ? [0, 0, MAX_NUMBER]
      : (/(\d+) to (\d+)/.exec(`${error.expected} ${error.message}`) ?? []);
    const range = high && say("open.range", { low: Number(low), high: Number(high) });
    const taken = input === inputOf(name) && error.status === NOT_NOW && say("open.taken");
    wrong.replaceChildren(taken || (input && range) || trouble(error));
    if (!input) return form.append(wrong);
    input.after(wrong);
    show(input);
    input.focus();
  };
  const show = (field: Element) => field.closest("details")?.setAttribute("open", "");
  const form = make(
    "form",
    { submit: send, change: () => sessionStorage.setItem(DRAFT, JSON.stringify(valuesOf(form))) },
    labelled(say("open.rules"), choice),
    name,
    options,
    beside,
    make("details", {}, make("summary", {}, say("open.limits")), limits, lapses),
    make("button.act", {}, say("open.do")),
    wrong,
  );
  form.addEventListener("invalid", ({ target }) => show(target as Element), true); // a browser points at what it sees
  fillIn(form, showOptions);
  return form;
}

/** Fill in what stood in the form before the page was loaded anew. */
function fillIn(form: HTMLElement, showOptions: () => void) {
  const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? "{}");
  for (const name of ["rules", ...Object.keys(draft)]) {
    const input = fieldsOf(form).find((one) => one.name === name);
    if (!input || !(name in draft)) continue;
    if (input.type === "checkbox") input.checked = draft[name];
    else input.value = draft[name] ?? "";
    if (name === "rules") showOptions();
  }
}

/** A field for an option or a limit, as its default is. `words`: those that it may have. */
function option(of: "option" | "limit", key: string, value: unknown, words?: unknown) {
  const label = hasWords(`${of}.${key}`) ? say(`${of}.${key}`) : key.replaceAll("_", " ");
  if (typeof value === "boolean") return field(label, { type: "checkbox", name: key, checked: value });
  if (typeof value === "number") return field(label, { type: "number", name: key, value, required: true });
  const choices = (words as string[]).map((word) => make("option", { value: word }, wordOf(word)));
  return labelled(label, make("select", { name: key }, ...choices));
}

const fieldsOf = (form: HTMLElement) => [...form.querySelectorAll<HTMLInputElement>("input, select")];

function valuesOf(form: HTMLElement) {
  return Object.fromEntries(
    fieldsOf(form).map((input) => [
      input.name,
      input.type === "checkbox" ? input.checked : input.type === "number" ? input.valueAsNumber : input.value,
    ]),
  );
}
