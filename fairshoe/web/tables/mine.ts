// My hands: what I staked and won and why, what my browser found when it checked them, and what chance leaves.

import { GAMES } from "../verifier/games.ts";
import { chanceOf } from "../player/chance.ts";
import { pause } from "../player/requests.ts";
import { Seat } from "../player/seat.ts";
import { button, chipsOf, field, inputOf, locale, make, say, smallCard, trouble } from "./build.ts";
import { PRICE } from "./facts.ts";
import { movedText, resultOf, whyOf } from "./paid.ts";
import type { Beside, House } from "../player/house.ts";
import type { Hand } from "../player/types.ts";
import type { Part } from "./build.ts";

type Evidence = (hand: Hand) => Promise<string>;

/** Save a text as a file. */
export function saved(name: string, text: string) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: name }) as HTMLAnchorElement;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Milliseconds between two attempts to check the hands whose shoe was in play. */
const CHECK_INTERVAL = 2_000;

const tablesOf = (hands: Hand[]) => new Map(hands.map(({ table, rules }) => [table, rules]));

/** List all my hands at this house; each is checked once its shoe is over. */
export async function myHands(house: House) {
  document.title = `${say("hands.title")} · fairshoe`;
  const list = make("div");
  const evidence = ({ table, round }: Hand) => Seat.away(house, table, (seat) => seat.evidence(round));
  let marks = "";
  const draw = async () => {
    const hands = await house.hands();
    const now = hands.map(({ id, mark }) => id + mark).join();
    if (now !== marks) list.replaceChildren(...byDay(hands, await house.beside(tablesOf(hands)), evidence));
    marks = now;
    return new Set(hands.filter(({ mark }) => mark === "open").map(({ table }) => table));
  };
  const follow = async (open: Set<string>) => {
    while (open.size && location.hash === "#hands") {
      await Promise.allSettled([...open].map((table) => Seat.checkLeft(house, table))); // a seat in another tab checks there
      open = await draw();
      await pause(CHECK_INTERVAL);
    }
  };
  void follow(await draw());
  return make("div", {}, make("h1", {}, say("hands.title")), list, fetching(house, draw));
}

/** Hands that this browser does not have, by a table and the name that I had there. */
function fetching(house: House, draw: () => Promise<unknown>) {
  const table = field(say("hands.table"), { name: "table", required: true });
  const player = field(say("sit.name"), { name: "player", required: true, value: localStorage.getItem("name") ?? "" });
  const told = make("p.quiet", { role: "status" });
  const [at, who] = [table, player].map(inputOf);
  const send = async (event: Event) => {
    event.preventDefault();
    told.textContent = "…";
    try {
      const found = await Seat.away(house, at.value.trim(), (seat) => seat.fetchHands(who.value.trim()));
      told.textContent = say("hands.fetched", { found });
      await draw();
    } catch (error) {
      told.replaceChildren(trouble(error));
    }
  };
  return make(
    "details.panel",
    {},
    make("summary", {}, say("hands.fetch")),
    make("p.quiet", {}, say("hands.fetch.why")),
    make("form", { submit: send }, table, player, make("button.act", {}, say("hands.fetch.do")), told),
  );
}

function byDay(hands: Hand[], beside: Beside, evidence: Evidence) {
  const groups: Map<string, Hand[]> = new Map();
  for (const hand of hands) {
    const day = `${hand.table} · ${new Date(hand.at).toLocaleDateString(locale, { dateStyle: "long" })}`;
    groups.set(day, [...(groups.get(day) ?? []), hand]);
  }
  const sections = [...groups].map(([day, of], i) => {
    const list = make("div");
    const fill = () => list.firstChild ?? list.append(handList(of, evidence));
    if (i === 0) fill();
    return make(
      "details.panel",
      { open: i === 0, toggle: fill },
      make("summary", {}, day),
      make("p", {}, totals(of)),
      list,
    );
  });
  return [
    make("p.lead", {}, hands.length ? totals(hands, beside) : say("hands.none"), " ", say("hands.here")),
    hands.length ? button(say("hands.csv"), () => saved("hands.csv", csvOf(hands, beside))) : "",
    byGame(hands),
    ...sections,
  ];
}

/** My hands as a table for a spreadsheet, with why each was paid so; below them what else moved my chips. */
function csvOf(hands: Hand[], { games, moves }: Beside) {
  const lines: (string | number)[][] = hands.map((hand) => [
    hand.table,
    hand.round,
    hand.at,
    say(`rules.${hand.rules}`),
    hand.stake,
    hand.net,
    say(`mark.${hand.mark}`),
    hand.banked ? say("seat.bank") : "",
    make("p", {}, ...reasonsFor(hand).flatMap((parts) => [...parts, ". "])).textContent ?? "",
  ]);
  const paid = games * PRICE.buy_in;
  for (const move of moves) lines.push([move.table, "", move.at, "", "", move.amount, "", "", movedText(move)]);
  if (games) lines.push(["", "", "", say("rules.lounge"), paid, -paid, "", "", say("edge.pool", PRICE)]);
  const cell = (text: string) =>
    `"${text
      .trim()
      .replace(/^(?=[=+@-])/, "'")
      .replaceAll('"', '""')}"`; // no cell counts as a formula
  return `\ufeff${[say("hands.heads").split(", "), ...lines]
    .map((line) => line.map((one) => (typeof one === "number" ? one : cell(one))).join(",") + "\r\n")
    .join("")}`;
}

/** My last hands at a table, each with its cards and what it brought; each opens the page that checks it. */
export function pastResults(hands: Hand[]) {
  return hands.flatMap(({ id, round, entry, seat, banked, net }) => {
    const mine = (entry?.hands ?? []).filter((one: any) => one.seat === seat);
    const sets: number[][] = banked ? [entry?.dealer?.cards ?? []] : mine.map(({ cards }: any) => cards);
    if (!sets.flat().length) return [];
    const cards = sets.map((set) => make("span", {}, ...set.map((at) => smallCard(entry.cards[at]))));
    const won = net > 0 ? ".won" : net < 0 ? ".lost" : "";
    const link = { href: `/v1/rounds/${encodeURIComponent(id)}/verify` };
    const what = [
      make("small", {}, String(round)),
      ...cards,
      make(`b.outcome${won}`, {}, chipsOf(net, { sign: true })),
    ];
    return [make("li", {}, make("a", link, ...what))];
  });
}

/** @param beside what else moved my chips: then all of it is added up */
export function totals(hands: Hand[], { games, moves }: Beside = { games: 0, moves: [] }) {
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const moved = (...ops: string[]) => sum(moves.filter(({ op }) => ops.includes(op)).map(({ amount }) => amount));
  const signed = (amount: number) => chipsOf(amount, { sign: true });
  const [stake, net] = [sum(hands.map((hand) => hand.stake)), sum(hands.map((hand) => hand.net))];
  const [paid, repaid] = [games * PRICE.buy_in, moved("refund", "share")];
  const [given, sold] = [moved("transfer"), moved("sale")];
  const all = net + repaid + given + sold - paid;
  return [
    say("hands.total", { hands: hands.length, stake, net: signed(net) }),
    games && say("hands.paid", { paid, fee: games * PRICE.fee, repaid }),
    (given || sold) && say("hands.moved", { given: signed(given), sold: signed(sold) }),
    all !== net && say("hands.all", { net: signed(all) }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** What each game gives for such bets, and how far from it chance leaves a player. */
function byGame(hands: Hand[]) {
  const games = [...new Set(hands.map(({ rules }) => rules))].flatMap((rules) => {
    const chance = chanceOf(hands.filter((hand) => hand.rules === rules));
    if (!chance) return [];
    const { rounds, net, share } = chance;
    const [low, high] = [chance.low, chance.high].map((amount) => chipsOf(Math.round(amount), { sign: true }));
    const mean = chipsOf(Number(chance.mean.toPrecision(2)), { sign: true });
    const inside = net >= chance.low && net <= chance.high;
    const words = inside
      ? say("chance.inside")
      : share > 0.001
        ? say("chance.outside", { many: Math.round(1 / share) })
        : say("chance.far", { many: 1000 });
    return [
      make(
        "li",
        { "data-chance": inside ? "inside" : "outside" },
        make("b", {}, say(`rules.${rules}`)),
        " ",
        say("chance.gives", { rounds, net: chipsOf(net, { sign: true }), mean, low, high }),
        " ",
        words,
      ),
    ];
  });
  return games.length
    ? make(
        "section.panel",
        {},
        make("h2", {}, say("chance.title")),
        make("ul.chance", {}, ...games),
        make("p.quiet", {}, say("chance.why")),
      )
    : "";
}

/** Why I was paid so, for each hand of a round: mine, or all of them where I banked. */
function reasonsFor({ table, entry, seat, banked, rules, names = {} }: Hand): Part[][] {
  const called = (at: number) => (at === seat ? say("seat.you") : (names[at] ?? say("seat.number", { seat: at })));
  return (entry?.hands ?? [])
    .filter((one: any) => banked || one.seat === seat)
    .map((one: any) => [banked && `${resultOf(called(one.seat), one)}: `, ...whyOf(table, rules, entry, one, called)]);
}

/** @param evidence what to save of one that is wrong */
export function handList(hands: Hand[], evidence: Evidence): HTMLElement {
  if (!hands.length) return make("p.quiet", {}, say("hands.none"));
  return make(
    "ul.myhands",
    {},
    ...hands.map((hand) => {
      const { id, table, round, stake, net, mark, step, words, banked, rules, seed } = hand;
      const result = banked ? "hands.banked" : GAMES[rules]?.pool ? "hands.gifts" : "hands.bet";
      return make(
        `li.${mark}`,
        { "data-hand": id, "data-mark": mark },
        make("span.mark", { "aria-hidden": "true" }),
        make("a", { href: `/v1/rounds/${encodeURIComponent(id)}/verify` }, id),
        make("span", {}, say(result, { stake, net: chipsOf(net, { sign: true }) })),
        make(
          "span.quiet",
          {},
          say(`mark.${mark}`),
          step && `: ${say(`step.${step}`)}`,
          words && ": ",
          words && make("span", { lang: "en" }, words),
        ),
        mark === "fail" &&
          button(say("hands.save"), async () => {
            try {
              saved(`evidence-${table}-${round}.json`, await evidence(hand));
            } catch (error) {
              alert(trouble(error).textContent);
            }
          }),
        seed && make("small.why", {}, say("hands.seed", { seed })),
        ...reasonsFor(hand).map((parts) => make("small.why", {}, ...parts)),
      );
    }),
  );
}
