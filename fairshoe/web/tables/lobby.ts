// The lobby: the tables with who plays and for how much.

import { button, copying, locale, make, say } from "./build.ts";
import { changedOptions, edgeOf, limitsOf, optionText, placedBy, rulesLink, stakes } from "./facts.ts";
import { Seat } from "../player/seat.ts";
import { closingOf } from "./waiting.ts";
import type { House } from "../player/house.ts";
import type { RuleSets, TableLine } from "../player/types.ts";

export async function lobby(house: House) {
  document.title = `${say("lobby")} · fairshoe`;
  const list = make("ul.tables");
  const more = make("p");
  const fill = async (after = "") => {
    const [{ tables, next }, mine, sets] = await Promise.all([house.tables(after), Seat.kept(house), house.ruleSets()]);
    const here = new Set(mine.map(({ table }) => table));
    list.append(...tables.map((line) => tableCard(line, here.has(line.table), sets)));
    if (!list.childElementCount) more.replaceChildren(say("lobby.none"));
    else more.replaceChildren(next ? button(say("lobby.more"), () => fill(next)) : "");
  };
  await fill();
  return make(
    "div.lobby",
    {},
    make("h1", {}, say("lobby.title")),
    make("p.lead", {}, say("game"), " ", say("lobby.lead"), " ", say("lobby.chips")),
    list,
    more,
    await aboutHouse(house),
  );
}

function tableCard(line: TableLine, here: boolean, sets: RuleSets) {
  const { table, rules, phase, chairs, seats, options, placer, policy, closed } = line;
  const edge = edgeOf(rules, options);
  const own = changedOptions(rules, options, sets).map((name) => optionText(name, options[name]));
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
      make("span.stakes", {}, stakes(rules, options)),
      make("span.quiet", {}, placedBy(placer)),
      make("span.quiet", {}, limitsOf(policy)),
      edge && make("span.quiet", {}, edge),
      own.length > 0 && make("span.own", {}, say("lobby.own", { options: own.join("; ") })),
      make(
        "span.quiet",
        {},
        say("lobby.seats", { taken: seats.length, chairs }),
        who && `: ${who}`,
        " · ",
        say(`phase.${phase}`),
        closingOf(line),
      ),
      make("span.go", {}, here ? say("lobby.here") : full || closed ? say("lobby.watch") : say("lobby.play")),
    ),
    rulesLink(table, say("rules.link")),
  );
}

/** A button that shares a table's link, or copies it. */
export function invitation(table: string) {
  const url = `${location.origin}/tables/${encodeURIComponent(table)}`;
  return copying(say("invite"), url, navigator.share ? () => navigator.share({ url }).catch(() => {}) : undefined);
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
      " · ",
      link("/operator", "op.title"),
    ),
    make("p.quiet", {}, say("house.audit")),
    make("code", {}, `fairshoe-audit hand hand.json --key ${key}`),
    make("br"),
    make("code", {}, `fairshoe pull ${location.origin} copy && fairshoe-audit verify copy`),
  );
}
