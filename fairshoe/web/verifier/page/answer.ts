// What was told of a check, drawn: the verdict, the hand, every step, and what it cannot show.

import {
  bigCard,
  button,
  cardName,
  field,
  form,
  icon,
  isWritten,
  line,
  lookOf,
  MADE_ID,
  make,
  moment,
  numeral,
  plainName,
  plainText,
  say,
  section,
  smallCard,
  wordOf,
} from "./build.ts";
import { standing } from "./giving.ts";
import { NEVER } from "../telling/play.ts";
import type { Card, Fault, Item, Rows, Scene, SceneHand, SceneSeat, Step, Told } from "../telling/told.ts";
import type { Desk } from "./build.ts";

// Every step of the check: what went in, what came out, how to do it by hand.

/** Columns whose cells are words of the log, and those with a sign. What else a file says stays as it is written. */
const SPOKEN = ["move", "outcome", "by", "value", "account"];
const SIGNED = ["net", "won", "insurance"];
/** Columns whose cells are names of the log's format, or what the verifier says: in English. */
const OF_THE_LOG = ["kind", "draw", "do", "remark"];
/** Items that name a house. */
const NAMES = ["log", "signer", "key"];

const checksSection = (steps: Step[]): HTMLElement =>
  section("steps", make("ol", ...steps.map((step) => make("li", checkOf(step)))));

function checkOf({ id, status, items, fault }: Step) {
  const title = make(
    "summary",
    icon(status),
    make("span", say(`step.${id}.title`)),
    " ",
    make("span.state", say(`status.${status}`)),
  );
  const [commands, shown] = [true, false].map((wanted) => items.filter(({ form }) => (form === "code") === wanted));
  const byHand = `step.${id}.hand`;
  return make(
    "details",
    { class: status, id: `step-${id}`, open: status === "fail" },
    title,
    make(
      "div.inside",
      line(`step.${id}.why`),
      fault && faultOf(fault),
      ...shown.map(itemOf),
      (isWritten(byHand) || commands.length > 0) &&
        make(
          "details.byhand",
          make("summary", say("steps.byhand")),
          ...commands.map(itemOf),
          isWritten(byHand) && line(byHand),
        ),
    ),
  );
}

function faultOf({ cause, whose, ...found }: Fault) {
  const rows = (["where", "expected", "found"] as const).filter((name) => found[name] !== "");
  return make(
    "div.fault",
    cause && make("p", make("b", say(cause))),
    make(
      "dl",
      ...rows.flatMap((name) => [make("dt", say(`fault.${name}`)), make("dd", make("code", plainText(found[name])))]),
    ),
    line(`whose.${whose}`),
  );
}

const itemOf = ({ label, value, form }: Item) =>
  make("div.item", make("h3", say(`item.${label}`)), valueOf(value, form, label));

function valueOf(value: Item["value"], form: Item["form"], label: string): HTMLElement {
  if (typeof value === "object" && !Array.isArray(value)) return tableOf(value, label);
  const text = textOfItem(Array.isArray(value) ? value.join(" ") : String(value), form, label);
  if (form === "cards") return make("p", ...(Array.isArray(value) ? value : text.split(" ")).map(smallCard));
  if (form === "code" || text.includes("\n")) return make("pre", { tabindex: 0 }, make("code", text));
  if (form === "time" && Date.parse(text))
    return make("p", make("time", { datetime: text, title: text }, moment(text)));
  if (typeof value === "number") return make("p", numeral(value));
  return make(
    "p",
    form === "hex" || NAMES.includes(label) ? make("code", text) : label === "rules" ? wordOf(text) : text,
  );
}

function tableOf({ columns, rows }: Rows, label: string) {
  const heads = columns.map((name) =>
    make("th", { scope: "col" }, say(isWritten(`column.${name}`) ? `column.${name}` : `item.${name}`)),
  );
  const lines = rows.map((row) => make("tr", ...row.map((cell, i) => make("td", ...cellOf(cell, columns[i])))));
  return make(
    "div.wide",
    { "tabindex": 0, "role": "group", "aria-label": say(`item.${label}`) },
    make("table", make("thead", make("tr", ...heads)), make("tbody", ...lines)),
  );
}

/** A command stays as it is, so that it can be copied. */
const textOfItem = (text: string, form: Item["form"], label: string) =>
  form === "code" ? text : NAMES.includes(label) ? plainName(text) : plainText(text);

function cellOf(cell: string | number, column: string): (Node | string)[] {
  if (typeof cell === "number") return [numeral(cell, SIGNED.includes(column))];
  if (column === "at" && Date.parse(cell)) return [moment(cell)];
  if (column === "card" || column === "cards") return cell.split(" ").filter(Boolean).map(smallCard);
  if (column === "legal") return [cell.split(" ").map(wordOf).join(", ")];
  if (column === "verdict") return [say(cell)];
  if (column === "option" && isWritten(`option.${cell}`)) return [say(`option.${cell}`)];
  return [
    SPOKEN.includes(column)
      ? wordOf(cell)
      : OF_THE_LOG.includes(column) || /^[0-9a-f]{8,}$/.test(cell)
        ? make("code", plainText(cell))
        : plainText(cell),
  ];
}

// The whole answer.

export const verdictOf = ({ verdict, says, values }: Told): Element[] => [
  icon(verdict === "unreadable" ? "unsure" : verdict),
  make("div", make("p.word", wordFor(verdict, says)), make("h1", headlineOf(says, values))),
];

/** One text, or what is told of a hand, and that its signature is not checked; of a seat, what its seeds are for. */
const headlineOf = (says: string, values: Told["values"]): string =>
  (isWritten(says) ? say(says, values) : `${say(says.replace(/\.key$/, ""), values)} ${say("part.key")}`) +
  (values.placer ? ` ${say("part.placed", values)}` : "") +
  (values.seeds ? ` ${say("part.seat", values)}` : "");

/** @returns the verdict in a word or two, of which the headline tells more */
export const wordFor = (verdict: Told["verdict"], says: string): string =>
  say(says === "verdict.nothing" ? "ask.pick" : says === "verdict.hand.pass.key" ? "told.pass.key" : `told.${verdict}`);

/** @param beside sections that stand beside it; list: of a log's hands */
export function answerOf(
  { what, steps, scene, unseen }: Told,
  desk: Desk,
  { trust, link, list }: { trust: HTMLElement; link: HTMLElement | null; list: HTMLElement | null },
): HTMLElement {
  const checks = checksSection(steps);
  if (list) return make("div", list, trust, checks, unseenSection(unseen));
  const about = what === "shuffle" ? ownSection(desk, "commitment") : trust;
  const own = what === "hand" ? [gameSection(steps), ownSection(desk, "seed", "commitment")] : [];
  const left = scene && [sceneSection(scene), about, link, ...own];
  const columns = left ? [left, [checks, unseenSection(unseen)]] : [[checks], [about, link, unseenSection(unseen)]];
  return make("div.sides-by-side", ...columns.map((column) => make("div", ...column)));
}

function unseenSection(keys: string[]) {
  const list = (lead: string, some: string[]) =>
    some.length ? [line(lead), make("ul", ...some.map((key) => make("li", say(key))))] : [];
  return (
    keys.length > 0 &&
    section(
      "unseen",
      ...list(
        "unseen.lead",
        keys.filter((key) => !NEVER.includes(key)),
      ),
      ...list(
        "unseen.never",
        keys.filter((key) => NEVER.includes(key)),
      ),
    )
  );
}

/** Which game it is, and what the table chose of it. */
function gameSection(steps: Step[]) {
  const items = steps[0].items.filter(({ label }) => label === "rules" || label === "options");
  return section("game", ...items.map(itemOf));
}

/** What only the reader can know, to be compared. */
function ownSection(desk: Desk, ...names: ("seed" | "commitment")[]) {
  return section(
    "own",
    names.some(standing) && line("own.compared"),
    form("compare", desk.change, ...names.map((name) => field(desk, name)), make("button", say("own.compare"))),
  );
}

// The hand as it was played: seats, cards, and a stepper through what happened.

/** draws what was to be seen at a step; `over`: at the last one */
type Show = (now: number, over: boolean) => void;

const isHidden = ({ down, turned }: Card, now: number): boolean => down && (turned === null || turned > now);

function sceneSection({ seats, steps }: Scene): HTMLElement {
  const last = Math.max(steps.length - 1, 0);
  const places = [...seats.slice(-1), ...seats.slice(0, -1)].map((seat, i) => placeAt(seat, i === 0));
  const names = new Map(seats.map((seat, i) => [seat.seat, nameAt(seat, i === seats.length - 1)]));
  const cards = seats.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards));
  const text = (now: number) => {
    const { text: key, values } = steps[now];
    const hidden = cards.some((card) => card.dealt === now && isHidden(card, now));
    const box = values.box ? ` · ${say("column.box")} ${values.box}` : "";
    const who = (names.get(String(values.seat)) ?? values.player ?? "") + box;
    return say(hidden ? `${key}.down` : key, { ...values, who });
  };

  const words = make("p.told", { "aria-live": "polite" });
  const slider = make("input", {
    "type": "range",
    "min": 0,
    "max": last,
    "value": last,
    "aria-label": say("scene.slider"),
    "input": () => show(Number(slider.value)),
  });
  const back = button("‹", () => show(Number(slider.value) - 1), "earlier");
  const on = button("›", () => show(Number(slider.value) + 1), "later");
  back.setAttribute("aria-label", say("scene.back"));
  on.setAttribute("aria-label", say("scene.on"));

  function show(step: number) {
    const now = Math.min(Math.max(step, 0), last);
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", text(now));
    back.disabled = now === 0;
    on.disabled = now === last;
    words.replaceChildren(make("b", say("scene.step", { step: now + 1, steps: last + 1 })), " ", text(now));
    if (steps[now].by === "table" && steps[now].text.startsWith("scene.move"))
      words.append(" ", make("em", say("scene.by.table")));
    for (const place of places) place(now, now === last);
  }
  const felt = make("div.felt", ...places.map(({ element }) => element));
  if (steps.length) {
    felt.append(make("div.stepper", { "role": "group", "aria-label": say("scene.stepper") }, back, slider, on), words);
    show(last);
  }
  return section("scene", felt);
}

const seatAt = ({ seat }: SceneSeat, bank: boolean) =>
  say(seat === "shoe" ? "seat.shoe" : bank ? "seat.bank" : "seat.number", { seat });

const nameAt = (seat: SceneSeat, bank: boolean) =>
  plainText(seat.name || seat.player).replace(MADE_ID, "") || seatAt(seat, bank);

function placeAt(seat: SceneSeat, bank: boolean): Show & { element: HTMLElement } {
  const hands = seat.hands.map(handAt);
  const name = seat.you ? say("seat.you") : nameAt(seat, bank);
  const about = [seatAt(seat, bank), seat.name, seat.player]
    .map(plainText)
    .filter((text) => text && text !== name)
    .map((id) => (MADE_ID.test(id) && !seat.name ? say("scene.id", { id }) : id));
  const element = make(
    bank ? "div.place.bank" : "div.place",
    make(seat.you ? "h3.you" : "h3", name, " ", make("small", about.join(" · "))),
    make("div.hands", ...hands.map((hand) => hand.element)),
  );
  const show: Show = (now, over) => hands.forEach((hand) => hand(now, over));
  return Object.assign(show, { element });
}

function handAt({ cards, total, bet, box, insured = 0, outcome, paid }: SceneHand): Show & { element: HTMLElement } {
  const faces = cards.map(({ label }) => bigCard(label));
  const sum = make("p.sum");
  const element = make("div.hand", make("div.cards", ...faces), sum);
  const show: Show = (now, over) => {
    cards.forEach((card, i) => {
      const hidden = isHidden(card, now);
      faces[i].classList.toggle("absent", card.dealt > now);
      faces[i].classList.toggle("down", hidden);
      faces[i].setAttribute("aria-hidden", String(card.dealt > now));
      faces[i].setAttribute("aria-label", hidden ? say("card.down") : cardName(card.label));
    });
    sum.replaceChildren(
      ...[
        box ? `${say("column.box")} ${box}` : "",
        bet ? say("scene.bet.of", { bet }) : "",
        over && insured ? say("scene.insured", { insured }) : "",
        over && total !== "" ? say("scene.total", { total }) : "",
        over && outcome ? say("scene.outcome", { outcome, net: paid }) : "",
      ].flatMap((text, i) => (text ? [make("span", { class: i === 4 ? lookOf(paid) : "" }, text)] : [])),
    );
  };
  return Object.assign(show, { element });
}
