// The lobby: the tables with who plays and for how much; the operator opens one.

import { button, field, hasWords, locale, make, say, tell, trouble } from "./build.ts";
import { Problem } from "../player/errors.ts";
import { Seat } from "../player/seat.ts";
import { GAMES } from "../verifier/games.ts";
import type { House } from "../player/house.ts";
import type { TableLine } from "../player/types.ts";

/** Where the operator's token is, for this tab alone. */
const TOKEN = "operator";
export const operatorToken = () => sessionStorage.getItem(TOKEN) ?? "";

/** What the operator does; a token that the house does not take is forgotten. */
export const operate = (house: House, path: string, body: Record<string, any>): Promise<any> =>
  house.operate(path, body, operatorToken()).catch((error) => {
    if (error instanceof Problem && [401, 403].includes(error.status)) sessionStorage.removeItem(TOKEN);
    throw error;
  });

export async function lobby(house: House) {
  document.title = `${say("lobby")} · fairshoe`;
  const list = make("ul.tables");
  const more = make("p");
  const fill = async (after = "") => {
    const [{ tables, next }, mine] = await Promise.all([house.tables(after), Seat.kept(house)]);
    const here = new Set(mine.map(({ table }) => table));
    list.append(...tables.map((line) => tableCard(line, here.has(line.table))));
    if (!list.childElementCount) more.replaceChildren(say("lobby.none"));
    else more.replaceChildren(next ? button(say("lobby.more"), () => fill(next)) : "");
  };
  await fill();
  return make(
    "div.lobby",
    {},
    make("h1", {}, say("lobby.title")),
    make("p.lead", {}, say("game"), " ", say("lobby.lead")),
    list,
    more,
    opening(house),
    await aboutHouse(house),
  );
}

function tableCard({ table, rules, phase, chairs, seats, options, placer }: TableLine, here: boolean) {
  const full = seats.length >= chairs;
  const who = seats.map(({ name, player }) => name ?? player).join(", ");
  return make(
    "li",
    {},
    make(
      "a.tablecard",
      { href: `/tables/${encodeURIComponent(table)}` },
      make("span.mini", { "aria-hidden": "true" }, make("i"), make("i")),
      make("strong", {}, table),
      make("span.game", {}, say(`rules.${rules}`)),
      make("span.quiet", {}, say(`about.${rules}`)),
      make("span.stakes", {}, stakes(options), placer === "player" && ` · ${say("lobby.placed")}`),
      make(
        "span.quiet",
        {},
        say("lobby.seats", { taken: seats.length, chairs }),
        who && `: ${who}`,
        " · ",
        say(`phase.${phase}`),
      ),
      make(
        "span.go",
        {},
        here ? say("lobby.here") : full || phase === "closed" ? say("lobby.watch") : say("lobby.play"),
      ),
    ),
  );
}

export function stakes({ minimum, maximum, gift }: Record<string, any>) {
  return gift ? say("stakes.gift", { gift }) : say("stakes", { low: minimum, high: maximum });
}

// The operator.

function opening(house: House) {
  const place = make("div");
  const wrong = make("p.trouble", { role: "alert" });
  const form = async () => {
    const { rules, policy, placers } = JSON.parse(await house.text("/v1/rules"));
    const names = rules.map(({ name }: any) => make("option", { value: name }, say(`rules.${name}`)));
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
      {},
      make("legend", {}, say("open.limits")),
      ...Object.entries(policy).map(([key, limit]) => option("limit", key, limit)),
    );
    const nobody = make("option", { value: "" }, say("open.nobody"));
    const placer = make(
      "select",
      { name: "placer" },
      nobody,
      ...placers.map((key: string) => make("option", { value: key }, key.split("+")[0])),
    ) as HTMLSelectElement;
    const beside = make("label.field", {}, make("span", {}, say("open.placer")), placer);
    const showOptions = () => {
      const chosen = rules.find((one: any) => one.name === choice.value);
      placing.hidden = Boolean(GAMES[chosen.name].bank); // not played by one alone
      options.replaceChildren(...Object.entries(chosen.options).map(([key, value]) => option("option", key, value)));
    };
    showOptions();
    const send = async (event: Event) => {
      event.preventDefault();
      const id = (name.querySelector("input") as HTMLInputElement).value;
      try {
        const own = !placing.hidden && (placing.querySelector("input") as HTMLInputElement).checked;
        const chosen = own ? "player" : placer.value;
        const body = {
          rules: choice.value,
          ...(id && { table: id }),
          ...(chosen && { placer: chosen }),
          options: valuesOf(options),
          policy: valuesOf(limits),
        };
        const made = await operate(house, "/tables", body);
        location.assign(`/tables/${encodeURIComponent(made.table)}`);
      } catch (error) {
        (operatorToken() ? place : ask).append(wrong);
        wrong.replaceChildren(trouble(error));
        if (operatorToken()) return;
        place.prepend(ask); // what is filled in below stays
        token.value = "";
        token.focus();
      }
    };
    place.replaceChildren(
      make(
        "form",
        { submit: send },
        make("label.field", {}, make("span", {}, say("open.rules")), choice),
        name,
        options,
        placing,
        placers.length ? beside : "",
        make("details", {}, make("summary", {}, say("open.limits")), limits),
        make("button.act", {}, say("open.do")),
      ),
      wrong,
    );
  };
  const ask = make(
    "form",
    {
      submit: (event: Event) => {
        event.preventDefault();
        sessionStorage.setItem(TOKEN, token.value.trim());
        wrong.replaceChildren();
        if (place.firstChild === place.lastChild) void form();
        else ask.remove();
      },
    },
    field(say("open.token"), { type: "password", required: true, autocomplete: "off" }),
    make("p.quiet", {}, say("open.token.why")),
    make("button.act", {}, say("open.on")),
  );
  const token = ask.querySelector("input") as HTMLInputElement;
  if (operatorToken()) void form();
  else place.append(ask);
  return make("details.panel", {}, make("summary", {}, say("open.title")), place);
}

/** A field for an option or a limit, as its default is. */
function option(of: "option" | "limit", key: string, value: any) {
  const label = hasWords(`${of}.${key}`) ? say(`${of}.${key}`) : key.replaceAll("_", " ");
  if (typeof value === "boolean") return field(label, { type: "checkbox", name: key, checked: value });
  if (typeof value === "number") return field(label, { type: "number", name: key, value, required: true });
  return field(label, { name: key, value, required: true });
}

function valuesOf(fields: HTMLElement) {
  const inputs = [...fields.querySelectorAll("input")];
  return Object.fromEntries(
    inputs.map((input) => [
      input.name,
      input.type === "checkbox" ? input.checked : input.type === "number" ? input.valueAsNumber : input.value,
    ]),
  );
}

/** A button that copies a table's link. */
export function invitation(table: string) {
  const link = `${location.origin}/tables/${encodeURIComponent(table)}`;
  const told = make("small.quiet", {}, "");
  const invite = async () => {
    if (navigator.share) return navigator.share({ url: link }).catch(() => {});
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    told.textContent = copied ? say("invited", { link }) : link;
    tell(told.textContent);
  };
  return make("span.invite", {}, button(say("invite"), invite), told);
}

async function aboutHouse(house: House) {
  const [{ key, since }, checkpoint] = await Promise.all([house.key(), house.text("/checkpoint")]);
  const [, size, head] = checkpoint.split("\n");
  const link = (href: string, word: string) => make("a", { href }, say(word));
  return make(
    "footer.panel",
    {},
    make("h2", {}, say("house.key")),
    make("code", {}, key),
    make("p.quiet", {}, say("house.since", { when: new Date(since).toLocaleString(locale) })),
    make("h2", {}, say("house.log")),
    make("p", {}, say("house.log.why", { size: Number(size) }), " ", make("code", {}, head)),
    make(
      "p",
      {},
      link("/v1/log.tar", "house.log.all"),
      " · ",
      link("/checkpoint", "house.checkpoint"),
      " · ",
      link("/docs", "house.docs"),
    ),
    make("p.quiet", {}, say("house.audit")),
    make("code", {}, `fairshoe-audit hand hand.json --key ${key}`),
    make("br"),
    make("code", {}, `fairshoe pull ${location.origin} copy && fairshoe-audit verify copy`),
  );
}
