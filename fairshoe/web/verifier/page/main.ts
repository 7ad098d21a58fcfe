// The page: takes what the reader gives, has it told, and draws what was told.

import { NewerError, utf8 } from "../bytes.ts";
import { isLog, tell } from "../telling/tell.ts";
import { answerOf, verdictOf, wordFor } from "./answer.ts";
import { byId, field, form, languageSpoken, line, make, nameOfLanguage, plainText, say, speak } from "./build.ts";
import {
  aboutOf,
  actsOf,
  drafts,
  gather,
  giveAnew,
  given,
  holding,
  houseOf,
  meet,
  NO_PLEDGE,
  noteDrafts,
  own,
  servedBy,
  standing,
  trustSection,
  unfold,
  vouchedByNobody,
} from "./giving.ts";
import { foreignSection } from "./foreign.ts";
import { keptSection, NOTHING_KEPT, readKept } from "./kept.ts";
import { keepLanguage, languages } from "./language.ts";
import { linkSection } from "./link.ts";
import { LogReader, serveLog } from "./log-worker.ts";
import { listSection } from "./list.ts";
import { unreadable, untold } from "../telling/told.ts";
import type { Rows, Told } from "../telling/told.ts";
import type { Row } from "../telling/log.ts";
import type { Desk } from "./build.ts";

/** Where a reader came from, if a house served this page. */
const BACK = [
  ["/", "back.tables"],
  ["/#hands", "back.hands"],
];
const atHouse = () => servedBy() !== "" && location.pathname.endsWith("/verify");

let shown: Told | null = null;
let asked = 0;

/** What the player's page keeps in this browser. */
let kept = NOTHING_KEPT;

/** The hand of a log that the reader looks at. */
let looked: Row | null = null;

/** What was given, told. */
async function toldNow() {
  const { file, receipt, commitment, seed, checkpoint, notes, openings } = given;
  const reader = () => new LogReader(checking).read(file as Uint8Array, checkpoint, openings);
  const log = file && isLog(file) ? (given.log ?? (await reader())) : null;
  if (file === given.file) given.log = log;
  const { key, from } = holding();
  const by = { file: file ?? receipt, receipt: file && receipt, key: houseOf(key) && key, commitment, seed, notes };
  const telling = async () => (log ? await log.told(by, looked) : tell(by));
  let told = await telling();
  let mine = kept.hands.find(({ hand }) => hand.id === told.values.round)?.place.player;
  const { commitment: of } = told.values;
  const pledges = [...given.seat.seeds, ...kept.seeds].filter((one) => of && one.commitment === of);
  Object.assign(own, NO_PLEDGE);
  if (pledges.length) {
    mine ??= given.seat.player;
    const seeds = contributorsIn(told);
    const pledge = pledges.find((one) => seeds.some(([, seed]) => seed === one.seed)) ?? pledges[0];
    const isIn = seeds.some(([player, seed]) => player === mine || seed === pledge.seed);
    Object.assign(own, { commitment: pledge.commitment, seed: isIn ? pledge.seed : "" });
    Object.assign(by, { commitment: standing("commitment"), seed: standing("seed") });
    told = await telling();
  }
  if (!file && given.seat.seeds.length) told.values.seeds = given.seat.seeds.length;
  const heard = from === "brought" ? vouchedByNobody(told) : told;
  for (const seat of heard.scene?.seats ?? []) seat.you ||= seat.player === mine;
  meet(told);
  return heard;
}

/** @returns the players whose seeds are in the shoe, each with the seed */
function contributorsIn({ steps }: Told) {
  const found = steps.flatMap(({ items }) => items).find(({ label }) => label === "seeds")?.value;
  return (found as Rows | undefined)?.rows ?? [];
}

/** @param change what is given, before it is told */
async function check(change: () => Promise<void> | void) {
  const mine = ++asked;
  let told: Told;
  try {
    await change();
    told = await toldNow();
  } catch (error) {
    giveAnew();
    told = error instanceof NewerError ? untold("verdict.unreadable.newer") : unreadable();
  }
  if (mine !== asked) return;
  for (const name of ["key", "commitment", "seed"]) delete drafts[name];
  try {
    shown = told;
    redraw();
  } catch {
    shown = unreadable(); // never an earlier verdict for another file
    redraw();
  }
  scrollTo({ top: 0 });
  (failedStep() ?? byId("verdict")).focus({ preventScroll: true });
}

/** @param share of a log that is checked by now */
function checking(share: number) {
  if (!document.querySelector("#verdict progress")) {
    const bar = make("progress", { "aria-label": say("log.checking") });
    byId("verdict").className = "";
    fill("verdict", [make("div.wait", make("p.word", say("log.checking")), bar)]);
    fill("ask");
    fill("answer");
  }
  document.querySelector("progress")?.setAttribute("value", String(share));
}

const failedStep = (): HTMLElement | null => document.querySelector("details.fail summary");

const desk: Desk = {
  files: (files) =>
    void check(async () => {
      looked = null;
      const read = await Promise.all([...files].map((file) => file.arrayBuffer()));
      gather(read.map((buffer) => new Uint8Array(buffer)));
    }),
  text: (text) => void check(() => gather(text.trim() ? [utf8(text)] : [])),
  change: (fields) =>
    void check(
      () =>
        void Object.assign(
          given,
          Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])),
        ),
    ),
  value: (name) => drafts[name] || standing(name),
};

/** @param first whether nothing was told yet */
const askOf = (first: boolean): HTMLElement[] => [
  make("div.hello", first && make("h1", say("ask.title")), make("p.lead", say("ask.lead"))),
  make(
    "div",
    form(
      "proof",
      ({ paste }) => desk.text(paste),
      make("div.drop", line("ask.drop"), ...picker()),
      field(desk, "paste", 3),
      field(desk, "key"),
      make("details.more", make("summary", say("ask.receipt")), make("div.inside", field(desk, "receipt", 3))),
      make("button.main", say("ask.check")),
    ),
    foreignSection(desk),
  ),
  ...keptSection(kept.hands),
];

function picker() {
  const input = make("input", {
    "type": "file",
    "multiple": true,
    "hidden": true,
    "aria-label": say("ask.pick"),
    "change": () => desk.files(input.files ?? []),
  });
  return [
    input,
    make("button", { type: "button", id: "pick", class: "main", click: () => input.click() }, say("ask.pick")),
  ];
}

function another() {
  giveAnew();
  looked = null;
  delete drafts.paste;
  delete drafts.receipt;
  shown = null;
  redraw();
  byId("pick").focus();
}

/** Put elements in the place of what an element of the page holds; none, if there are none. */
const fill = (id: string, elements?: Element[] | "" | 0 | false | null) =>
  byId(id).replaceChildren(...(elements || []));

function redraw() {
  const again = !shown || shown.verdict === "unreadable";
  fill("back", atHouse() && BACK.map(([href, key]) => make("a", { href }, say(key))));
  fill("languages", languages.map(languageButton));
  byId("languages").setAttribute("aria-label", say("language.choose"));
  fill("verdict", shown && verdictOf(shown));
  byId("verdict").className = shown?.verdict ?? "";
  fill("ask", (again || shown?.values.seeds) && askOf(!shown));
  fill("answer", shown && !again && answered(shown));
  const host = servedBy();
  fill("foot", [line("foot.says"), ...(host ? [line("foot.served", { host })] : [])]);
  const about = shown && aboutOf(shown);
  document.title =
    (shown ? `${wordFor(shown.verdict, shown.says)}: ` : "") +
    (about ? `${plainText(about)} · fairshoe` : say("title"));
}

function answered(told: Told) {
  const look = (row: typeof looked) => void check(() => void (looked = row));
  const list = given.log?.shown && told.what === "log" ? listSection(given.log.shown, look) : null;
  const failed = told.verdict === "fail" && told.steps.some(({ status }) => status === "fail") ? failedStep : null;
  return [
    actsOf(aboutOf(told), another, failed, looked && (() => look(null))),
    answerOf(told, desk, {
      trust: trustSection(desk),
      link: looked || told.what !== "hand" ? null : linkSection(),
      list,
    }),
  ];
}

function languageButton(language: string) {
  const choose = () => {
    noteDrafts();
    speak(language);
    keepLanguage(language);
    redraw();
    byId(`speak-${language}`).focus();
  };
  return make(
    "button",
    {
      "type": "button",
      "id": `speak-${language}`,
      "lang": language,
      "aria-pressed": String(language === languageSpoken()),
      "click": choose,
    },
    nameOfLanguage(language),
  );
}

/** What the page was opened with: nothing, or what it was filled in with. */
async function opening() {
  speak(languageSpoken());
  listen();
  if (atHouse()) document.querySelector(".brand")?.setAttribute("href", "/");
  const filled = byId("filled").textContent?.trim();
  if (!filled) redraw();
  kept = await readKept();
  if (filled) return check(() => unfold(filled));
  if (!kept.hands.length || asked) return;
  noteDrafts();
  redraw();
}

function listen() {
  addEventListener("keydown", ({ key, target, altKey, ctrlKey, metaKey, shiftKey }) => {
    const step = key === "ArrowLeft" ? "earlier" : key === "ArrowRight" ? "later" : "";
    if (!step || altKey || ctrlKey || metaKey || shiftKey || (target as Element).matches("input, textarea, .wide, pre"))
      return;
    document.querySelector(`.stepper .${step}` as "button")?.click();
  });
  addEventListener("paste", ({ target, clipboardData }) => {
    const text = clipboardData?.getData("text") ?? "";
    if ((target as Element).matches("input, textarea:not([name=paste])")) return;
    if (clipboardData?.files.length) desk.files(clipboardData.files);
    else if (text.trim()) desk.text(text);
  });
  for (const name of ["dragover", "dragleave", "drop"] as const)
    addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle("dragging", name === "dragover");
      if (name !== "drop" || !event.dataTransfer) return;
      if (event.dataTransfer.files.length) desk.files(event.dataTransfer.files);
      else desk.text(event.dataTransfer.getData("text"));
    });
}

if (globalThis.document) void opening();
else serveLog();
