// A table: who sits, what lies, what is waited for, and what I can do; who has no seat watches.

import { NOBODYS, NOT_NOW } from "../player/chair.ts";
import { Elsewhere, HeardAndRefused, Problem } from "../player/errors.ts";
import { pause } from "../player/requests.ts";
import { Seat } from "../player/seat.ts";
import { button, copying, field, inputOf, make, say, tell, trouble } from "./build.ts";
import { dock, hinting, Laid, pressed, showKeys } from "./dock.ts";
import { costsOf, gameRuns, lowestOf, MAX_CHIPS, priceOf, rulesLink, stakes } from "./facts.ts";
import { fairness } from "./fairness.ts";
import { felt, nameOf } from "./felt.ts";
import { invitation } from "./lobby.ts";
import { handList, pastResults, saved, totals } from "./mine.ts";
import { decidedByLimit, movedText, paidLines } from "./paid.ts";
import { operate, operatorToken } from "./operator-token.ts";
import { GAMES } from "../verifier/games.ts";
import { newsOf } from "./news.ts";
import { sitting } from "./sitting.ts";
import { closingOf, hasPart, waitedFor } from "./waiting.ts";
import type { Beside, House } from "../player/house.ts";
import type { Hand, TableState, Wish } from "../player/types.ts";

/** Hands that stand beside the table. */
const SHOWN = 20;
/** Milliseconds for which trouble is left to be read. */
const READ = 5_000;
/** Milliseconds before a changed dock takes input, so that the second click of a double click does nothing. */
const INPUT_DELAY = 400;
/** Milliseconds between two attempts to take up a seat that the operator, or another tab, has to free. */
const RETRY_DELAY = 5_000;

/** States of a bet that is not dealt: each has a text. */
const NOT_DEALT = ["uncovered", "yielded", "lapsed", "void", "late", "unfunded"];

type Op = Wish<"chips">["ops"][number];

let leaveBefore = () => {};

export async function table(house: House, id: string) {
  leaveBefore();
  document.title = `${id} · fairshoe`;
  const room = new Room(house, id);
  leaveBefore = () => room.close();
  try {
    const seat = await Seat.resume(house, id);
    if (seat) room.take(seat);
    else await room.watch();
  } catch (error) {
    room.barred = true;
    await room.watch();
    if (error instanceof Problem && error.status === NOBODYS) void room.waitToBeLetIn();
    else room.trouble(error);
    if (error instanceof Elsewhere) void room.takeWhenFree();
  }
  return room.element;
}

class Room {
  seat: Seat | null = null;
  state: TableState | null = null;
  /** mine at this table, by round */ hands: Map<number, Hand> = new Map();
  /** what else moved my chips at this table */ beside: Beside = { games: 0, moves: [] };
  /** who sat where in the last round */ played: TableState["seats"] = [];
  laid = new Laid();
  /** when trouble was told */ noticed = 0;
  busy = false;
  /** typed for chips that are bought, given back or given away */ amount = 100;
  /** this browser has a seat here that it cannot take up: no other is offered */ barred = false;
  /** another page is shown */ closed = false;
  stop = () => {};
  /** until the seat that was left is let go */ leaving: Promise<void> | undefined;
  drawn = "";
  /** what was asked of me last */ asked: string | undefined;

  house: House;
  id: string;
  head: HTMLElement;
  notice: HTMLElement;
  alarms: HTMLElement;
  felt: HTMLElement;
  news: HTMLElement;
  waiting: HTMLElement;
  dock: HTMLElement;
  told: HTMLElement;
  past: HTMLElement;
  fair: HTMLElement;
  mine: HTMLElement;
  sums = make("p.quiet");
  element: HTMLElement;
  clock: ReturnType<typeof setInterval>;
  settling: ReturnType<typeof setTimeout> | undefined;
  /** the house's clock less this one, in milliseconds */ skew = 0;

  constructor(house: House, id: string) {
    this.house = house;
    this.id = id;
    this.head = make("div.head");
    this.notice = make("div.trouble", { role: "alert" });
    this.alarms = make("div");
    this.felt = make("div");
    this.news = make("div.told.news", { role: "status" });
    this.waiting = make("p.waiting");
    this.dock = make("div.dock", { tabindex: -1 });
    this.told = make("div.told");
    this.past = make("ul.past", { "aria-label": say("hands.title") });
    this.fair = make("section.panel");
    this.mine = make("section.panel");
    this.element = make(
      "div.room",
      {},
      this.head,
      this.alarms,
      this.felt,
      this.news,
      make("div.bar", {}, this.notice, this.waiting, this.dock),
      this.told,
      this.past,
      make("div.panels", {}, this.fair, this.mine),
    );
    this.dock.addEventListener("click", (event) => this.refuseWhileSettling(event), { capture: true });
    this.element.addEventListener("click", (event) => this.showRules(event));
    this.clock = setInterval(() => this.tick(), 500);
    document.addEventListener("keydown", pressed);
  }

  close() {
    this.closed = true;
    this.stop();
    this.seat?.close();
    clearInterval(this.clock);
    document.removeEventListener("keydown", pressed);
  }

  async watch() {
    this.show(await this.house.table(this.id));
    this.stop = this.house.watch(
      this.id,
      (state) => this.show(state),
      (how) => this.connected(how),
    );
  }

  tell = (...parts: (Node | string)[]) => this.notice.replaceChildren(make("p", {}, ...parts));

  take = (seat: Seat) => {
    this.stop();
    this.seat = seat;
    const on = (type: string, act: (detail: any) => void) =>
      seat.addEventListener(type, (event) => act((event as CustomEvent).detail));
    on("state", (state) => this.show(state));
    on("alarm", () => {
      this.showAlarms(seat);
      this.alarms.scrollIntoView();
    });
    on("trouble", (error) => this.trouble(error));
    on("connection", (how) => this.connected(how));
    on("hand", (hand) => this.showHands([hand]));
    seat.follow();
    this.show(seat.state);
    this.showAlarms(seat);
    void seat.hands().then((hands) => this.showHands(hands.filter(({ round }) => !this.hands.has(round))));
  };

  /** Look on: the house does not take this browser's token any more. */
  async lose(seat: Seat) {
    seat.close();
    this.seat = null;
    this.barred = true;
    await this.watch();
    await this.waitToBeLetIn();
  }

  /** Nobody has the seat by this browser's token: show what the operator lets in, and go on once that is done. */
  async waitToBeLetIn() {
    const [mine] = (await Seat.kept(this.house)).filter(({ table }) => table === this.id);
    const gone = mine && !this.state?.seats.some(({ seat, player }) => seat === mine.seat && player === mine.player);
    const digest = await Seat.fingerprint(this.house, this.id);
    const forget = async () => {
      await Seat.forget(this.house, this.id);
      location.reload();
    };
    const asking = [
      make("p", {}, say("back.refused")),
      make("p", {}, say("back.digest"), " ", make("code", {}, digest.replace(/.{8}(?=.)/g, "$& "))),
      copying(say("copy"), digest),
      make("p", {}, say("back.then")),
    ];
    this.notice.replaceChildren(
      ...(gone ? [make("p", {}, say("back.gone"))] : asking),
      button(say("sit.forget"), forget),
    );
    if (!gone) await this.takeWhenFree();
  }

  /** Take the seat up as soon as the operator has let this browser in, or the other tab that has it is closed. */
  async takeWhenFree() {
    while (!this.closed) {
      await pause(RETRY_DELAY);
      const seat = this.closed ? null : await Seat.resume(this.house, this.id).catch(() => null);
      if (!seat) continue;
      this.barred = false;
      this.notice.replaceChildren();
      return this.take(seat);
    }
  }

  act = async (what: () => Promise<unknown>) => {
    if (this.busy) return;
    this.busy = true;
    this.notice.replaceChildren();
    this.dock.ariaBusy = "true"; // and not inert, which would lose the focus
    try {
      await what();
    } catch (error) {
      if (error instanceof Problem && error.status === NOT_NOW) await this.seat?.refresh().catch(() => {});
      this.trouble(error);
    }
    this.busy = false;
    this.dock.ariaBusy = null;
    this.drawDock(true);
  };

  trouble(error: any) {
    if (error instanceof Problem && error.status === NOBODYS && this.seat)
      return void this.lose(this.seat).catch((error) => this.trouble(error));
    const late =
      error instanceof Problem &&
      error.status === NOT_NOW &&
      !(error instanceof HeardAndRefused) &&
      this.seat?.expects(error.body.field).length === 0;
    if (late && error.body.field === "shoe" && this.state?.phase !== "idle") return; // somebody else asked for it, too
    this.notice.replaceChildren(make("p", {}, late ? say("wait.late") : trouble(error))); // somebody was quicker, or the limit
    this.noticed = Date.now();
  }

  connected(how: "live" | "polling" | "lost") {
    this.element.dataset.connection = how;
    const dot = this.head.querySelector(".dot");
    if (dot) dot.replaceWith(this.dot());
  }

  dot() {
    const how = this.element.dataset.connection ?? "live";
    return make(`span.dot.${how}`, { title: say(`connection.${how}`) }, how === "live" ? "" : say(`connection.${how}`));
  }

  show(state: TableState) {
    const before = this.state;
    this.state = state;
    this.dock.dataset.rules = state.rules;
    for (const { player, name } of state.seats) if (name) localStorage.setItem(`fairshoe.name ${player}`, name); // for the page that checks
    this.skew = Date.parse(state.at) - Date.now();
    this.head.replaceChildren(
      make("h1", {}, this.id),
      this.dot(),
      make("span.rules", {}, say(`rules.${state.rules}`), " · ", stakes(state.rules, state.options)),
      rulesLink(this.id, say("rules.table")),
      invitation(this.id),
    );
    const another = state.last && state.last.round !== before?.last?.round;
    if (another) this.played = (before ?? state).seats;
    const toldNews = this.tellNews(state);
    this.lay(felt(state, this.played));
    if (this.seat && before?.phase !== state.phase && Date.now() - this.noticed > READ) this.notice.replaceChildren();
    this.drawDock();
    if (toldNews) requestAnimationFrame(() => this.uncover()); // once the page has it
    this.tick();
    void fairness(this.fair, state, this.seat);
    if (before && !another && JSON.stringify(before.chips) !== JSON.stringify(state.chips)) void this.addUp();
    if (another) this.tellLast(state, Boolean(before));
    else if (before && before.phase !== state.phase) tell(this.waitedFor());
    if (!state.you && this.seat?.book.sitting.left) this.left();
    if (!this.seat && before?.shoe && before.shoe.shoe !== state.shoe?.shoe) void this.checkLeft();
  }

  /** Lay the cards; those that lie already are not dealt once more. */
  lay(anew: HTMLElement) {
    const before = [...this.felt.querySelectorAll(".hand")];
    for (const [i, hand] of [...anew.querySelectorAll(".hand")].entries()) {
      const lain = [...(before[i]?.querySelectorAll(".card") ?? [])].map((one) => one.ariaLabel);
      for (const [at, one] of [...hand.querySelectorAll(".card")].entries())
        one.classList.add(lain[at] === one.ariaLabel ? "lies" : lain[at] === say("card.down") ? "turned" : "dealt");
    }
    const chipsOn = (felt: Element) =>
      [...felt.querySelectorAll(".seat .stack")].map((one) => {
        const seat = one.closest<HTMLElement>(".seat")?.dataset.seat;
        return { one, at: `${seat} ${one.ariaLabel}` };
      });
    const lay = chipsOn(this.felt).map(({ at }) => at);
    for (const { one, at } of chipsOn(anew)) one.classList.toggle("lies", lay.includes(at));
    this.felt.replaceChildren(anew);
  }

  /** Tell who banks, how the shoe ended, and my bets that are not dealt. Return whether something of it is new. */
  tellNews(state: TableState) {
    const { you, rules } = state;
    const own = GAMES[rules].bank ? "" : ".own";
    const texts = (you?.betting?.bets ?? [])
      .filter((bet) => NOT_DEALT.includes(bet.state))
      .map(({ state, ...bet }) =>
        say(`bet.${state}${state === "unfunded" ? own : ""}`, { box: you?.seat ?? 0, ...bet }),
      );
    const named = (who: string) => state.seats.find(({ player }) => player === who)?.name ?? who;
    const moved = this.beside.moves
      .filter(({ op, at }) => op !== "sale" && at > (state.last?.at ?? "")) // who banks is told, with the price
      .map((move) => movedText(move, named));
    const news = [...newsOf(state), ...[...moved, ...texts].map((text) => make("p", {}, text))];
    if (news.map(({ textContent }) => textContent).join("") === this.news.textContent) return false;
    this.news.replaceChildren(...news);
    return news.length > 0;
  }

  /** What was paid. */
  tellLast(state: TableState, aloud: boolean) {
    if (!state.last) return;
    const paid = paidLines(state);
    const link = state.verify ? make("a", { href: state.verify }, say("fair.see")) : "";
    this.told.replaceChildren(
      make("p", {}, make("b", {}, say("last.title", { round: String(state.last.round) })), " ", link),
      make("ul.paid", {}, ...paid.map(({ line }) => line)),
      decidedByLimit(state) ?? "",
    );
    if (aloud) tell(paid.map(({ text }) => text).join(". "));
  }

  // What is waited for.

  mineToDo() {
    const { wanted } = this.seat ?? {};
    const byItself = ["shoe", "commitment", "places"];
    return Boolean(wanted && !byItself.includes(wanted.do) && (wanted.do !== "seed" || wanted.cut)); // without a cut my seed opens by itself
  }

  waitedFor() {
    const { state } = this;
    if (!state) return "";
    const wanted = this.seat?.wanted?.do;
    if (this.mineToDo()) return say(wanted === "bets" ? "wait.mine" : "wait.you");
    if (wanted === "shoe") return say("wait.shoe");
    return waitedFor(state);
  }

  tick() {
    const { state } = this;
    if (!state) return;
    const limit = Object.entries(state.deadlines)
      .filter(([name]) => name !== "shoe")
      .map(([, at]) => Date.parse(at))
      .sort((a, b) => a - b)[0];
    const left = limit ? Math.max(0, Math.ceil((limit - Date.now() - this.skew) / 1000)) : 0;
    const text = this.waitedFor() + closingOf(state);
    const runs = limit && this.element.dataset.connection !== "lost"; // each start of a house begins its limits anew
    this.waiting.replaceChildren(text, runs ? make("span.left", {}, ` ${say("wait.left", { seconds: left })}`) : "");
    this.waiting.classList.toggle("mine", this.mineToDo());
  }

  // What I can do.

  drawDock(anew = false) {
    const { seat, state } = this;
    if (!state || this.busy) return;
    const watched = [
      state.seats.length >= state.chairs,
      gameRuns(state),
      operatorToken() && state.bets,
      Boolean(state.round),
    ]; // while a name is typed in, only what changes the form
    const evicted = Boolean(seat && state.evicted.includes(seat.number));
    const mine = seat && [state.bets, state.chips[seat.number], evicted];
    const now = JSON.stringify([state.you?.expects, state.closed, state.you ? mine : watched]);
    if (!anew && now === this.drawn) return;
    if (now !== this.drawn) this.settle();
    this.drawn = now;
    const focused =
      document.activeElement instanceof HTMLElement && this.dock.contains(document.activeElement)
        ? document.activeElement
        : null;
    const parts =
      seat && state.you
        ? [
            evicted && make("p.limited", {}, say("back.evicted")),
            ...this.offeringFile(seat),
            ...this.refilling(seat),
            ...this.placing(seat),
            ...this.chips(seat),
          ]
        : this.barred
          ? []
          : [sitting(this.house, state, this)];
    this.dock.replaceChildren(...parts.filter((part) => part !== false), ...this.operating());
    const asked = JSON.stringify(state.you?.expects);
    if (asked !== this.asked && (this.mineToDo() || this.news.firstChild)) this.uncover();
    this.asked = asked;
    if (focused) this.focusAgain(focused);
  }

  /** What can be done at the cards; nothing once the browser that places them has lost its key. */
  placing(seat: Seat) {
    if (this.state?.placer?.key === "player" && seat.book.sitting.regained)
      return [make("p.quiet", {}, say("back.placed"))];
    const { seats, bank } = seat.state;
    const mine = seats.find((one) => one.seat === seat.number);
    const out = mine && bank !== String(mine.seat) && !hasPart(seat.state, mine) && !seat.expects("waiver").length;
    const parts = dock(seat, this.laid, this.act, () => this.drawDock(true));
    return out ? [make("p.quiet", {}, say("wait.next")), ...parts] : parts;
  }

  /** A player who places the cards is asked to save the seat with each shoe, but not while a hand is played. */
  offeringFile(seat: Seat) {
    const { saved, regained } = seat.book.sitting;
    const { placer, shoe, round } = seat.state;
    if (placer?.key !== "player" || regained || round || (saved && (!shoe || saved === shoe.shoe))) return [];
    return [make("div.notice", {}, make("span", {}, say("sit.keep.first")), this.keeping(seat))];
  }

  /** Save the seat as a file. */
  keeping(seat: Seat) {
    const keep = async () => {
      saved(`${this.id}.seat`, await seat.exported());
      this.drawDock(true);
    };
    return button(say("sit.keep"), keep, { title: say("sit.keep.why") });
  }

  /** Scroll my cards and chips above the dock, and between rounds the news. */
  uncover() {
    const mine = this.felt.querySelector<HTMLElement>(
      ".top:has(.dealer.turn) + .seats, .top:not(:has(.turn)) + .seats .you",
    );
    const news = this.state?.round || !this.news.firstChild ? null : this.news;
    const top = this.felt.querySelector<HTMLElement>(".top");
    const sticks = top && getComputedStyle(top).position === "sticky";
    for (const part of [mine, mine?.querySelector<HTMLElement>(".acting"), news]) {
      if (!part) continue;
      part.style.scrollMarginTop = `${sticks ? top.offsetHeight : 0}px`;
      part.style.scrollMarginBottom = `${(this.dock.parentElement?.offsetHeight ?? 0) + 8}px`;
      part.scrollIntoView({ block: "nearest" });
    }
  }

  /** Take no input until the player can have seen what the dock offers now. */
  settle() {
    this.dock.ariaDisabled = "true";
    clearTimeout(this.settling);
    this.settling = setTimeout(() => (this.dock.ariaDisabled = null), INPUT_DELAY);
  }

  /** Ignore a player's click while the dock is settling; a program's click counts. */
  refuseWhileSettling(event: Event) {
    const pressed = event.target instanceof Element && event.target.closest("button");
    if (!pressed || !this.dock.ariaDisabled || !event.isTrusted) return;
    event.stopPropagation();
    event.preventDefault();
  }

  /** Show a table's rules above this page: if the browser left it, it would stop playing. */
  showRules(event: MouseEvent) {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || !link.pathname.endsWith("/rules") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    import("./rules.ts")
      .then(({ rulesAbove }) => rulesAbove(this.house, this.id, link.hash))
      .catch((error) => this.trouble(error));
  }

  /** Focus what was focused, or else the dock: Enter presses nothing that the player did not choose. */
  focusAgain({ dataset, tagName }: HTMLElement) {
    const [[key, value] = ["", ""]] = Object.entries(dataset);
    const same = key ? `[data-${key}="${CSS.escape(value ?? "")}"]` : tagName === "SUMMARY" ? "summary" : "";
    const next = (same && this.dock.querySelector<HTMLElement>(same)) || this.dock;
    next.focus({ preventScroll: true });
  }

  operating() {
    if (!operatorToken() || !this.state?.bets?.boxes || !this.state.bets.in.length) return [];
    const close = () => operate(this.house, `/tables/${encodeURIComponent(this.id)}/no-more-bets`, {});
    return [button(say("act.nomore"), () => this.act(close))];
  }

  /** Tell a player who cannot bet for want of chips, or of a pool, and offer what helps. */
  refilling(seat: Seat) {
    const { rules, closed, chips, shoe } = seat.state;
    const have = chips[seat.number] ?? 0;
    const price = priceOf(rules);
    const low = lowestOf(seat.state);
    if (closed ? shoe : price ? chips.pool : have >= low) return [];
    const amount = price ?? low - have;
    const text = closed ? say("act.closed") : price ? say("pool.over") : say("bet.purse", { have, low });
    const buying = !closed && this.offer(seat, "buy-in", () => seat.buyIn(amount), amount);
    const leaving = this.offer(seat, "leave", () => seat.leave(), have);
    return [make("div.notice", {}, make("span", {}, text), buying && costsOf(rules), buying, leaving)];
  }

  /** A button for what the seat may do with its chips now. */
  offer(seat: Seat, op: Op, act: () => Promise<unknown>, amount: number | string = "") {
    const may = seat.expects("chips").some(({ ops }) => ops.includes(op));
    return may && button(say(`act.${op}`, { amount }), () => this.act(act), { "data-do": op });
  }

  chips(seat: Seat) {
    const { rules, seats, chips, joined: inGame } = seat.state;
    const joined = inGame?.includes(seat.number);
    const price = priceOf(rules);
    const have = chips[seat.number] ?? 0;
    const value = price ?? this.amount;
    const typed = () => {
      this.amount = amount();
      check();
    };
    const label = field(say("amount"), { "type": "number", "min": 1, value, "input": typed, "data-field": "chips" });
    const amount = () => inputOf(label).valueAsNumber;
    const others = seats.filter((one) => one.seat !== seat.number);
    const names = others.map((one) => make("option", { value: one.seat }, nameOf(seat.state, one.seat)));
    const whom = make("select", { "aria-label": say("transfer.whom") }, ...names) as HTMLSelectElement;
    const buying = this.offer(seat, "buy-in", () => seat.buyIn(amount()));
    const giving = others.length > 0 && this.offer(seat, "transfer", () => seat.transfer(amount(), Number(whom.value)));
    const cashing = this.offer(seat, "cash-out", async () => {
      await seat.cashOut(amount());
      this.amount = Math.min(this.amount, seat.state.chips[seat.number] || this.amount);
    });
    const purse = make("p.quiet", { role: "status" });
    const check = () => {
      const fit = (one: HTMLElement | false, value: number, fits: boolean = true) => {
        if (!one) return;
        one.textContent = say(`act.${one.dataset.do}`, { amount: value || "" });
        one.toggleAttribute("disabled", !(Number.isInteger(value) && value >= 1 && value <= MAX_CHIPS && fits));
      };
      fit(buying, amount(), price === undefined || (amount() === price && !gameRuns(seat.state) && !joined));
      fit(cashing, amount(), amount() <= have);
      fit(giving, amount(), amount() <= have);
      purse.textContent = amount() > have && (cashing || giving) ? say("act.purse", { have }) : "";
    };
    check();
    const hints = field(say("hints"), { type: "checkbox", checked: hinting(), change: () => this.hint() });
    return [
      make(
        "details.mychips",
        { open: this.dock.querySelector(".mychips")?.hasAttribute("open") },
        make("summary", {}, say("act.chips")),
        buying && costsOf(rules),
        make("div.row", {}, (buying || cashing || giving) && label, buying, cashing, giving, giving && whom),
        purse,
        giving && make("p.quiet", {}, say("transfer.why")),
        make(
          "div.row",
          {},
          !this.refilling(seat).length && this.offer(seat, "leave", () => seat.leave(), have), // else it is offered above
          this.keeping(seat),
          button(say("keys"), showKeys, { class: "keyshelp" }),
          hints,
        ),
      ),
    ];
  }

  /** Show hints, or no more. */
  hint() {
    localStorage.setItem("hints", hinting() ? "off" : "on");
    this.drawDock(true);
  }

  left() {
    const { seat } = this;
    this.seat = null;
    seat?.stop();
    void this.watch();
    this.leaving = seat
      ?.placeLast()
      .then(() => seat.checkEnded())
      .catch((error) => this.trouble(error))
      .finally(() => seat.close()); // where the shoe ended with it
  }

  /** A shoe has ended that I have left. */
  async checkLeft() {
    await this.leaving;
    while (!this.seat && [...this.hands.values()].some(({ mark }) => mark === "open"))
      try {
        return this.showHands(await Seat.checkLeft(this.house, this.id));
      } catch (error) {
        if (!(error instanceof Elsewhere)) return this.trouble(error);
        await pause(RETRY_DELAY); // another tab checks there at this moment
      }
  }

  // What was found.

  /** @param hands that are new, or have another mark now */
  showHands(hands: Hand[]) {
    for (const hand of hands) this.hands.set(hand.round, hand);
    const newest = [...this.hands.values()].sort((a, b) => b.round - a.round).slice(0, SHOWN);
    const evidence = (round: number) =>
      this.seat ? this.seat.evidence(round) : Seat.away(this.house, this.id, (seat) => seat.evidence(round));
    this.past.replaceChildren(...pastResults(newest));
    this.mine.replaceChildren(
      make("h2", {}, say("hands.title")),
      this.sums,
      handList(newest, ({ round }) => evidence(round)),
    );
    void this.addUp();
  }

  /** Look what moved my chips beside the hands, tell what of it is new, and add up. */
  async addUp() {
    const { state } = this;
    if (!state) return;
    try {
      this.beside = await this.house.beside(new Map([[this.id, state.rules]]));
    } catch (error) {
      return this.trouble(error);
    }
    if (this.state && this.tellNews(this.state)) this.uncover();
    if (this.hands.size) this.sums.textContent = totals([...this.hands.values()], this.beside);
  }

  showAlarms(seat: Seat) {
    if (!seat.alarms.length) return;
    const list = seat.alarms.map((alarm) => make("li", {}, trouble(alarm)));
    this.alarms.replaceChildren(
      make(
        "section.alarm",
        { role: "alert" },
        make("h2", {}, say("alarm.title")),
        make("ul", {}, ...list),
        make("p", {}, say("alarm.keep")),
        button(say("hands.save"), async () => saved(`evidence-${this.id}.json`, await seat.evidence()), {
          class: "act",
        }),
      ),
    );
  }
}
