// The form by which the operator opens a table.

import { field, hasWords, inputOf, labelled, make, say, trouble } from "./build.ts";
import { wordOf } from "./facts.ts";
import { operate } from "./operator-token.ts";
import { GAMES } from "../verifier/games.ts";
import type { House } from "../player/house.ts";

/** @param opened a table is open, by its name */
export async function opening(house: House, opened: (table: string) => void) {
  const { rules, policy, placers } = await house.ruleSets();
  const wrong = make("p.trouble", { role: "alert" });
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
  const placing = field(say("open.player"), { type: "checkbox", name: "player" });
  const limits = make(
    "fieldset.options",
    { "aria-label": say("open.limits") },
    ...Object.entries(policy).map(([key, limit]) => option("limit", key, limit)),
  );
  const lapses = field(say("open.lapses"), { type: "number", name: "lapses", value: 0, min: 0, max: 100 });
  const lapsesInput = inputOf(lapses);
  const nobody = make("option", { value: "" }, say("open.nobody"));
  const placer = make(
    "select",
    { name: "placer" },
    nobody,
    ...placers.map((key) => make("option", { value: key }, key.split("+")[0])),
  ) as HTMLSelectElement;
  const beside = labelled(say("open.placer"), placer);
  const showOptions = () => {
    const chosen = rules.find((one) => one.name === choice.value) ?? rules[0];
    placing.hidden = Boolean(GAMES[chosen.name].bank); // not played by one alone
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
      const own = !placing.hidden && inputOf(placing).checked;
      const chosen = own ? "player" : placer.value;
      const body = {
        rules: choice.value,
        ...(id && { table: id }),
        ...(chosen && { placer: chosen }),
        options: valuesOf(options),
        policy: valuesOf(limits),
        ...(lapsesInput.valueAsNumber && { lapses: lapsesInput.valueAsNumber }),
      };
      opened((await operate(house, "/tables", body)).table);
      inputOf(name).value = "";
    } catch (error) {
      refuse(error);
    }
  };
  /** Say at its field what is wrong with an option or a limit. */
  const refuse = (error: any) => {
    const [, key = ""] = /^(?:options|policy)\.(\w+)$/.exec(error.where) ?? [];
    const input = form.querySelector(`[name="${key}"]`);
    const [, low, high] = /^(\d+) to (\d+)/.exec(error.expected) ?? [];
    const range = high && say("open.range", { low: Number(low), high: Number(high) });
    wrong.replaceChildren(input && range ? range : trouble(error));
    (input?.parentElement ?? form.lastElementChild)?.after(wrong);
    input?.closest("details")?.setAttribute("open", "");
    if (input instanceof HTMLElement) input.focus();
  };
  const form = make(
    "form",
    { submit: send },
    labelled(say("open.rules"), choice),
    name,
    options,
    placing,
    placers.length ? beside : "",
    make("details", {}, make("summary", {}, say("open.limits")), limits, lapses),
    make("button.act", {}, say("open.do")),
    wrong,
  );
  return form;
}

/**
 * A field for an option or a limit, as its default is.
 * @param words it may have, where it is a word
 */
function option(of: "option" | "limit", key: string, value: unknown, words?: unknown) {
  const label = hasWords(`${of}.${key}`) ? say(`${of}.${key}`) : key.replaceAll("_", " ");
  if (typeof value === "boolean") return field(label, { type: "checkbox", name: key, checked: value });
  if (typeof value === "number") return field(label, { type: "number", name: key, value, required: true });
  const choices = (words as string[]).map((word) => make("option", { value: word }, wordOf(word)));
  return labelled(label, make("select", { name: key }, ...choices));
}

function valuesOf(fields: HTMLElement) {
  const inputs = [...fields.querySelectorAll<HTMLInputElement>("input, select")];
  return Object.fromEntries(
    inputs.map((input) => [
      input.name,
      input.type === "checkbox" ? input.checked : input.type === "number" ? input.valueAsNumber : input.value,
    ]),
  );
}
