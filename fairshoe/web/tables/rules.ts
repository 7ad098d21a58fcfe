// The rules of a game, or those that a table plays by: each clause by its id, with what the table's options make of it.

import { GAMES } from "../verifier/games.ts";
import { addStyles, addTexts, fill, language, make, say, showAbove } from "./build.ts";
import {
  changedOptions,
  edgeOf,
  lapsesOf,
  limitsOf,
  optionText,
  placedBy,
  PRICE,
  stakes,
  withLegalBets,
  wordOf,
} from "./facts.ts";
import type { House } from "../player/house.ts";
import type { TableState } from "../player/types.ts";
import type { Options } from "./facts.ts";

/** of a game: its clauses by section, each in English and German */
type Rules = Record<string, Record<string, string[]>>;

/** @param table where it is not the game as such */
export async function rulesPage(house: House, game: string, table = "") {
  const [{ default: rules }, sets, state] = await Promise.all([
    import("./rules.json"),
    house.ruleSets(),
    table ? house.table(table) : null,
  ]);
  const { texts, ...clausesOf } = rules;
  addTexts(texts);
  addStyles("rules");
  const name = state?.rules ?? game;
  const options: Options = state?.options ?? sets.rules.find((one) => one.name === name)?.options ?? {};
  const changed = state ? changedOptions(name, options, sets) : [];
  const { policy } = state ?? sets;
  const values = valuesOf(name, options, state?.chairs, policy.decision);
  const title = table ? say("clauses.table", { table }) : say("clauses.game", { game: say(`rules.${name}`) });
  document.title = `${title} · fairshoe`;
  const uncut = state?.placer?.key === "player"; // a player who places gives no seed, and so no cut
  const said = (clauses: object) => Object.entries(clauses).filter(([id]) => !uncut || id !== "CA-05");
  const sections = Object.entries((clausesOf as Record<string, Rules>)[name]).map(([section, clauses]) =>
    make(
      "section.panel",
      {},
      make("h2", {}, say(`section.${section}`)),
      make("ul.clauses", {}, ...said(clauses).map(([id, text]) => clauseOf(id, text, values, changed))),
    ),
  );
  return make(
    "div.rulespage",
    {},
    make("h1", {}, title),
    make("p.lead", {}, say("game"), " ", say(`about.${name}`), "."),
    state ? shortly(state, changed) : make("p", {}, edgeOf(name, options), " ", limitsOf(policy)),
    ...sections,
    make(
      "p",
      {},
      make("a", { href: "/docs/rules" }, say("clauses.all")),
      ...(table ? [" · ", make("a", { href: `/rules/${name}` }, say("clauses.usual"))] : []),
    ),
  );
}

/** What this very table plays. */
function shortly({ table, rules, options, placer, lapses, policy }: TableState, changed: string[]) {
  const all = [stakes(rules, options), placedBy(placer?.key), edgeOf(rules, options), limitsOf(policy)];
  const facts = [...all, lapsesOf({ lapses })].filter(Boolean);
  const own = changed.map((name) => optionText(name, options[name]));
  return make(
    "ul.facts",
    {},
    make("li", {}, make("a", { href: `/tables/${encodeURIComponent(table)}` }, say("clauses.back"))),
    ...[...facts, ...own].map((text, i) => make(i < facts.length ? "li" : "li.changed", {}, text)),
  );
}

/** A clause; it is marked where an option that it names is off its default. */
function clauseOf(id: string, [english, german]: string[], values: Record<string, string | number>, changed: string[]) {
  const text = language === "de" ? german : english;
  const own = changed.some((name) => text.includes(`{${name}`));
  return make(
    own ? "li.changed" : "li",
    { id, tabindex: -1 },
    fill(text, values),
    own && make("em", {}, say("clauses.changed")),
    make("a.clause", { href: `#${id}` }, id),
  );
}

/** What the texts take: the table's options, and what follows from them. */
function valuesOf(name: string, options: Options, chairs: number | undefined, decision: number) {
  const { boxes = 0, chairs: chairsOf, cover, deck, draws } = GAMES[name];
  const said = ([key, value]: [string, Options[string]]) => [key, typeof value === "string" ? wordOf(value) : +value];
  return {
    ...Object.fromEntries(Object.entries(withLegalBets(name, options)).map(said)),
    ...PRICE,
    boxes,
    cover,
    decision,
    cards: deck.pack.length * Number(options.packs),
    chairs: chairs ?? chairsOf(options)[1],
    deepest: Number(options.insert) + draws(options).insert - 1,
  };
}

/** Show a table's rules above the table, which goes on meanwhile. */
export async function rulesAbove(house: House, table: string, clause: string) {
  const { title } = document;
  const rules = await rulesPage(house, "", table);
  document.title = title;
  rules.querySelector(".facts li")?.remove(); // the way back is a button here
  for (const link of rules.querySelectorAll("a[href^='/']")) link.setAttribute("target", "_blank");
  showAbove("rules", rules);
  goToClause(clause);
}

/** Go to a clause: what the address names was not there when the page came. */
export function goToClause(clause: string = location.hash) {
  const found = document.getElementById(clause.slice(1));
  found?.scrollIntoView({ block: "center" });
  found?.focus({ preventScroll: true });
}
