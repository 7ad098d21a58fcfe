// The hands of a whole log, what is wrong first, then the newest: searched, each with its mark, and opened by a click.

import { button, icon, lookOf, make, moment, numeral, plainText, say, wordOf } from "./build.ts";
import type { Row, ShownLog } from "../telling/log.ts";
import type { Finding } from "../audit.ts";

/** Hands that are drawn at once. */
const MANY = 100;
/** What the reader searched for, and whether only what is wrong is shown. */
const search = { text: "", wrong: false };

export function listSection(log: ShownLog, look: (row: Row) => void): HTMLElement {
  const list = make("ul.hands-of-log");
  const count = make("p.quiet", { role: "status" });
  const more = button(say("log.more"), () => draw(list.childElementCount + MANY));
  const box = make("input", {
    type: "search",
    id: "in-search",
    autocomplete: "off",
    input: () => find({ text: box.value }),
  });
  box.value = search.text;
  const only = make("input", { type: "checkbox", id: "in-wrong", change: () => find({ wrong: only.checked }) });
  only.checked = search.wrong;
  const failed = ({ status }: Row) => status === "fail";
  const bad = (row: Row) => Number(failed(row)) + Number(!!row.wrong);
  const rows = [...log.rows].reverse().sort((a, b) => bad(b) - bad(a));
  const roundsOf = (some: Row[]) => new Set(some.map(({ round }) => round)).size;
  const hands = roundsOf(rows);
  let found = rows;

  function find(change: Partial<typeof search>) {
    Object.assign(search, change);
    const words = search.text.toLowerCase().split(/\s+/).filter(Boolean);
    found = rows.filter((row) => (!search.wrong || failed(row)) && words.every((word) => wordsOf(row).includes(word)));
    list.replaceChildren();
    draw(MANY);
  }

  function draw(most: number) {
    list.append(...found.slice(list.childElementCount, most).map((row) => rowOf(row, look)));
    count.textContent = say("log.found", { found: roundsOf(found), hands });
    more.hidden = found.length <= list.childElementCount;
  }
  find({});
  const besides = log.besides.map(saidOf);
  return make(
    "section.log",
    besides.length > 0 && faults("log.besides", besides),
    log.beside.length > 0 && faults("log.player", log.beside),
    make("h2", say("log.title")),
    make("p.field", make("label", { for: "in-search" }, say("log.search")), box, make("small", say("log.search.why"))),
    rows.some(failed) && make("label.only", only, " ", say("log.wrong")),
    count,
    list,
    more,
  );
}

function faults(title: string, lines: string[]): HTMLElement {
  const each = lines.slice(0, MANY).map((line) => make("p", make("code", plainText(line))));
  return make("div.fault", make("p", make("b", say(title))), ...each);
}

/** @returns what a search looks through */
const wordsOf = ({ round, player, name, at, outcomes }: Row): string =>
  `${round} ${player} ${name} ${at} ${outcomes.flatMap((one) => [one, wordOf(one)]).join(" ")}`.toLowerCase();

const saidOf = ({ entry, table, shoe, check, field, expected, found }: Finding) =>
  `${entry ?? ""} ${shoe ?? table ?? ""} ${check} ${field}: ${JSON.stringify(found)}, ${JSON.stringify(expected)}`;

function rowOf(row: Row, look: (row: Row) => void) {
  const { round, player, name = player, at, bet, net, outcomes, status, wrong } = row;
  const result = make("span", { class: lookOf(net) }, numeral(net, true));
  return make(
    "li",
    make(
      "button",
      { type: "button", class: `row ${status}`, click: () => look(row) },
      icon(status),
      make("span.hidden", say(`status.${status}`)),
      make("span", make("b", plainText(round)), ` ${plainText(name)} `, make("small", moment(at))),
      make(
        "span.result",
        bet ? `${numeral(bet)} · ${outcomes.map(wordOf).join(", ")} ` : `${say("seat.bank")} `,
        result,
      ),
      wrong && make("small.why", status === "open" ? say("log.follows") : make("code", plainText(saidOf(wrong)))),
    ),
  );
}
