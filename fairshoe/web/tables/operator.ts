// The operator's page: how the house is, who sits at each table and what it waits for, and what only the operator does.

import { pause } from "../player/requests.ts";
import {
  addStyles,
  addTexts,
  button,
  chipsOf,
  field,
  inputOf,
  labelled,
  locale,
  make,
  say,
  tell,
  trouble,
} from "./build.ts";
import { chipsLeft, nameOf } from "./felt.ts";
import texts from "./operator.json";
import { stakes } from "./facts.ts";
import { DRAFT, opening } from "./opening.ts";
import { forgetIfRefused, forgetToken, keepToken, operate, operatorToken } from "./operator-token.ts";
import { closingOf, placerOf, waitedFor } from "./waiting.ts";
import type { Health, House } from "../player/house.ts";
import type { TableState } from "../player/types.ts";

/** Milliseconds between two looks, and how often as long as a look takes at least. */
const PAUSE = 5_000;
const REST = 10;
/** Milliseconds after which a table that waits for a placer counts as stuck. */
const SILENCE = 60_000;

export function operatorPage(house: House) {
  addTexts(texts);
  addStyles("operator");
  document.title = `${say("op.title")} · fairshoe`;
  return new Desk(house).element;
}

class Desk {
  house: House;
  notice = make("p.trouble", { role: "alert" });
  place = make("div");
  element = make("div", {}, make("h1", {}, say("op.title")), this.notice, this.place);
  health = make("section.panel");
  tables = make("div.desk");
  closed = make("details.panel");
  /** what was shown last, by table */ cards: Map<string, { card: HTMLElement; shown: string }> = new Map();
  acts = false;
  /** what the operator did last was refused: that stays to be read */ refused = false;

  constructor(house: House) {
    this.house = house;
    if (operatorToken()) void this.enter();
    else this.ask();
  }

  /** Ask for the token. */
  ask() {
    const send = async (event: Event) => {
      event.preventDefault();
      keepToken(token.value.trim());
      token.value = "";
      await this.enter();
    };
    const form = make(
      "form.panel",
      { submit: send },
      field(say("open.token"), { type: "password", required: true, autocomplete: "off" }),
      make("p.quiet", {}, say("open.token.why")),
      make("button.act", {}, say("open.on")),
    );
    const token = inputOf(form);
    this.place.replaceChildren(form);
    token.focus();
  }

  /** Show the house, once it takes the token, and go on looking. */
  async enter() {
    this.notice.replaceChildren();
    try {
      const health = await this.house.health(operatorToken()).catch(forgetIfRefused);
      this.acts = health.role === "operator";
      this.showHealth(health);
    } catch (error) {
      const at = clock(new Date().toISOString());
      this.notice.replaceChildren(operatorToken() ? trouble(error) : say("op.wrong", { at }));
      this.ask();
      return;
    }
    this.place.replaceChildren(this.health, await this.openingPanel(), this.tables, this.closed);
    for (let began = Date.now(); operatorToken(); began = Date.now()) {
      if (!document.hidden) await this.look();
      await pause(Math.max(PAUSE, REST * (Date.now() - began)));
    }
  }

  async look() {
    try {
      const health = await this.house.health(operatorToken()).catch(forgetIfRefused);
      this.showHealth(health);
      await this.showTables(health);
      if (!this.refused) this.notice.replaceChildren();
    } catch (error) {
      this.notice.replaceChildren(trouble(error));
      if (!operatorToken()) this.ask();
    }
  }

  async openingPanel() {
    if (!this.acts) return make("p.quiet", {}, say("op.reader"));
    const last = make("p", {});
    const opened = (table: string) => {
      last.replaceChildren(say("op.opened", { table }));
      tell(last.innerText);
      void this.look();
    };
    const form = await opening(this.house, opened);
    const filled = sessionStorage.getItem(DRAFT) !== null;
    return make("details.panel", { open: filled }, make("summary", {}, say("open.title")), form, last);
  }

  showHealth({ checks, checkpoint, witnesses, placers, beacon, database, free, at }: Health) {
    const [, size, head] = checkpoint.split("\n");
    const row = (fine: boolean, name: string, ...what: (string | Node)[]) =>
      make(
        `li.${fine ? "pass" : "fail"}`,
        {},
        make("span.mark", { "aria-hidden": "true" }),
        make("b", {}, name),
        ...what,
      );
    this.health.replaceChildren(
      make("h2", {}, say("op.health"), " ", make("small", {}, clock(at))),
      make(
        "ul.myhands.checks",
        {},
        ...Object.entries(checks).map(([name, what]) =>
          row(
            what === "fine",
            say(`check.${name}`),
            what === "fine" ? say("op.fine") : make("span", { lang: "en" }, what),
          ),
        ),
        row(true, say("house.log"), say("op.log", { size: Number(size) }), make("code", {}, head)),
        ...witnesses.map(({ name, entries, trouble: why = "" }) =>
          row(!why, say("op.witness"), name, say("op.witnessed", { size: entries }), make("span", { lang: "en" }, why)),
        ),
        ...placers.map(({ name, address }) => row(true, say("op.placer"), name, make("code", {}, address))),
        ...(beacon ? [row(false, say("op.beacon"), make("span", { lang: "en" }, beacon))] : []),
        row(true, say("op.database"), make("code", {}, database)),
        ...(free === undefined ? [] : [row(true, say("op.disk"), say("op.free", { mib: Math.floor(free / 2 ** 20) }))]),
      ),
      button(say("op.out"), () => {
        forgetToken();
        location.reload();
      }),
    );
  }

  async showTables({ troubles }: Health) {
    const lines = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const { tables, next }: Awaited<ReturnType<House["tables"]>> = await this.house.tables(after);
      lines.push(...tables);
      after = next || undefined;
    }
    const over = lines.filter(({ phase, seats }) => phase === "closed" && !seats.length).map(({ table }) => table);
    const live = lines.filter(({ table }) => !over.includes(table));
    const states = await Promise.all(live.map(({ table }) => this.house.table(table)));
    const stuck = new Map(states.map((state) => [state.table, whyStuck(state, troubles[state.table] ?? "")]));
    states.sort((a, b) => (stuck.get(b.table)?.length ?? 0) - (stuck.get(a.table)?.length ?? 0));
    const cards = states.map((state) => this.cardOf(state, stuck.get(state.table) ?? []));
    if (cards.some((card, i) => this.tables.children[i] !== card) || this.tables.childElementCount !== cards.length)
      this.tables.replaceChildren(...cards);
    if (!cards.length) this.tables.replaceChildren(make("p.quiet", {}, say("op.none")));
    this.closed.hidden = !over.length;
    this.closed.replaceChildren(
      make("summary", {}, say("op.closed", { tables: over.length })),
      ...over.map((table) => make("p", {}, linkTo(table))),
    );
  }

  /** A table's card: what it waits for is always new, the rest only while nobody fills it in. */
  cardOf(state: TableState, stuck: HTMLElement[]) {
    const known = this.cards.get(state.table);
    const card = known?.card ?? make("section.panel", { "data-table": state.table }, make("div"), make("div"));
    const [status, rest] = card.children;
    card.classList.toggle("stuck", stuck.length > 0);
    const { seats, shoe, evicted, closed, phase, refunds } = state;
    const chips = seats.map(({ seat }) => chipsLeft(state, seat));
    const shown = JSON.stringify([seats, chips, evicted, closed, phase, shoe, refunds]);
    const statusNow = this.status(state, stuck);
    if (!status.contains(document.activeElement)) status.replaceChildren(...statusNow);
    const busy = rest.querySelector("details[open]") ?? rest.contains(document.activeElement);
    if (known?.shown !== shown && !busy) {
      rest.replaceChildren(this.seats(state), ...this.actions(state));
      this.cards.set(state.table, { card, shown });
    } else if (!known) this.cards.set(state.table, { card, shown: "" });
    return card;
  }

  status(state: TableState, stuck: HTMLElement[]) {
    const limits = Object.entries(state.deadlines).filter(([name]) => name !== "shoe");
    const until = limits.map(([name, at]) => ` ${say("op.limit", { limit: say(`limit.${name}`), at: clock(at) })}`);
    const beside = placerOf(state);
    return [
      make(
        "h2",
        {},
        linkTo(state.table),
        " ",
        make("small", {}, say(`rules.${state.rules}`), " · ", stakes(state.rules, state.options)),
      ),
      beside ? make("p.quiet", {}, say("op.places", { who: beside })) : "",
      make(
        "p",
        {},
        waitedFor(state),
        closingOf(state),
        ". ",
        say("op.since", { at: clock(state.changed ?? state.at) }),
        ...until,
      ),
      ...stuck,
    ];
  }

  seats(state: TableState) {
    return make(
      "ul.myhands",
      {},
      ...state.seats.map(({ seat, player, name }) => {
        const seed = seedOf(state, seat, player);
        const goes = state.evicted.includes(seat);
        return make(
          "li",
          { "data-seat": seat },
          make("span.mark", { "aria-hidden": "true" }, String(seat)),
          make("b", {}, nameOf(state, seat)),
          name ? make("small", {}, player) : "",
          make("span", {}, say("chips.of", { amount: chipsLeft(state, seat) })),
          seed ? make("span.quiet", {}, seed) : "",
          goes ? make("em", {}, say("op.evicted")) : "",
          ...(this.acts ? this.seatActions(state, seat, goes) : []),
        );
      }),
    );
  }

  seatActions(state: TableState, seat: number, goes: boolean) {
    const who = nameOf(state, seat);
    const digest = field(say("op.digest"), {
      required: true,
      pattern: "(\\s*[0-9A-Fa-f]){64}\\s*",
      title: say("op.digest.form"),
      maxlength: 99,
    });
    const input = inputOf(digest);
    const letIn = (event: Event) => {
      event.preventDefault();
      const token_sha256 = input.value.replace(/\s/g, "").toLowerCase();
      void this.act(state, `seats/${seat}/token`, { token_sha256 }, say("op.let-in.sure", { who }));
    };
    return [
      goes ? "" : button(say("op.evict"), () => this.act(state, "evict", { seat }, say("op.evict.sure", { who }))),
      make(
        "details",
        {},
        make("summary", {}, say("op.let-in")),
        make(
          "form",
          { submit: letIn },
          make("p.quiet", {}, say("op.let-in.why")),
          digest,
          make("button.act", {}, say("op.let-in")),
        ),
      ),
    ];
  }

  actions(state: TableState) {
    if (!this.acts) return [];
    const parts: HTMLElement[] = [];
    if (state.rules === "lounge") parts.push(this.refunding(state));
    if (!state.closed)
      parts.push(
        button(say("act.close"), () => this.act(state, "close", {}, say("op.close.sure", { table: state.table }))),
      );
    return parts;
  }

  /** Which buy-ins may be refunded, and what is due by the reason. */
  refunding(state: TableState) {
    const { refunds = [] } = state;
    const named = (player: string) => state.seats.find((one) => one.player === player)?.name ?? player;
    const paid = make(
      "select",
      { change: () => choose() },
      ...refunds.map(({ player, game }, i) =>
        make("option", { value: i }, say("op.refund.paid", { who: named(player), game: String(game) })),
      ),
    ) as HTMLSelectElement;
    const reasons = ["round", "unfinished"] as const;
    const options = reasons.map((why) => make("option", { value: why }) as HTMLOptionElement);
    const why = make("select", {}, ...options) as HTMLSelectElement;
    const choose = () => {
      for (const [i, reason] of reasons.entries()) {
        const amount = refunds[Number(paid.value)]?.[reason];
        options[i].disabled = options[i].hidden = amount === undefined;
        options[i].textContent = `${say(`refund.${reason}`)}: ${chipsOf(amount ?? 0)}`;
      }
      if (why.selectedOptions[0]?.disabled) why.value = "round";
    };
    choose();
    const send = (event: Event) => {
      event.preventDefault();
      const { player, game } = refunds[Number(paid.value)];
      void this.act(state, "refund", { player, game, why: why.value }, say("op.refund.sure", { who: named(player) }));
    };
    const form = make(
      "form",
      { submit: send },
      make("p.quiet", {}, say("op.refund.which"), " ", make("code", {}, `fairshoe-audit refunds LOG`)),
      labelled(say("op.refund.game"), paid),
      labelled(say("op.refund.why"), why),
      make("button.act", {}, say("op.refund")),
    );
    const none = make("p.quiet", {}, say("op.refund.none"));
    return make("details", {}, make("summary", {}, say("op.refund")), refunds.length ? form : none);
  }

  /** Do what cannot be undone, if the operator says yes. */
  async act({ table }: TableState, what: string, body: Record<string, any>, question: string) {
    if (!confirm(question)) return;
    tell("…"); // so that the same is told once more
    this.refused = false;
    try {
      await operate(this.house, `/tables/${encodeURIComponent(table)}/${what}`, body);
      tell(say("op.done"));
      this.cards.delete(table);
      await this.look();
    } catch (error) {
      this.refused = true;
      this.notice.replaceChildren(trouble(error));
      this.notice.scrollIntoView({ block: "nearest" });
      if (!operatorToken()) this.ask();
    }
  }
}

const linkTo = (table: string) => make("a", { href: `/tables/${encodeURIComponent(table)}` }, table);
const clock = (at: string) => new Date(at).toLocaleTimeString(locale);

/** What became of a chair's seed in the shoe on the table. */
function seedOf({ shoe }: TableState, seat: number, player: string) {
  if (!shoe) return "";
  if (shoe.struck.includes(player)) return say("op.seed.struck");
  if (shoe.opened.includes(player)) return say("op.seed.opened");
  if (shoe.hashed.includes(player)) return say("op.seed.hashed");
  if (shoe.waived.includes(seat)) return say("op.seed.waived");
  return say(shoe.roster.includes(player) ? "op.seed.missing" : "op.seed.none");
}

/** What no time limit ends. @param placer what its placer answered wrong, if anything */
function whyStuck(state: TableState, placer: string): HTMLElement[] {
  const silent = Date.parse(state.at) - Date.parse(state.changed ?? state.at) > SILENCE;
  const found = (text: string, said = "") => make("p.trouble", {}, text, " ", make("span", { lang: "en" }, said));
  const reasons: HTMLElement[] = [];
  if (state.placer?.awaited && (placer || silent))
    reasons.push(found(say(state.placer.key === "player" ? "op.stuck.player" : "op.stuck.placer"), placer));
  const owing = Object.keys(state.owed);
  if (owing.length) reasons.push(found(say("op.stuck.owed", { who: owing.join(", ") })));
  return reasons;
}
