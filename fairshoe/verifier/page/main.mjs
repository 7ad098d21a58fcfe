// The page: takes what the reader gives, has it told, and draws what was told.
import { toBase64, utf8 } from "../bytes.mjs";
import { sha256 } from "../hashes.mjs";
import { tell } from "../telling/tell.mjs";
import { answerOf, verdictOf } from "./answer.mjs";
import { bigCard, button, byId, field, form, languages, languageSpoken, make, nameOfLanguage, say, speak } from "./build.mjs";
import { actsOf, drafts, follow, gather, given, giveAnew, holding, noteDrafts, standing, unfold } from "./giving.mjs";
import { servedBy, trustSection, vouchedByNobody } from "./trust.mjs";

/** @type {import("../telling/told.mjs").Told | null} */
let shown = null;
let asked = 0;

/** @param {string} says @returns {import("../telling/told.mjs").Told} */
const unreadable = (says) => ({ what: "none", verdict: "unreadable", says, values: {}, steps: [], scene: null, unseen: [] });

/** What was given, told. @returns {Promise<import("../telling/told.mjs").Told>} */
async function toldNow() {
  const { file, receipt, commitment, seed } = given;
  const { key, from } = holding();
  const told = await tell({ file: file ?? receipt, receipt: file && receipt, key, commitment, seed });
  return from === "brought" ? vouchedByNobody(told) : told;
}

/** @param {() => Promise<void> | void} change what is given, before it is told @param {string} [otherwise] what is said where that fails */
async function check(change, otherwise = "verdict.unreadable.file") {
  const mine = ++asked;
  const told = await Promise.resolve()
    .then(change)
    .then(toldNow)
    .catch(() => {
      giveAnew();
      return unreadable(otherwise);
    });
  if (mine !== asked) return;
  delete drafts.key;
  try {
    shown = told;
    redraw();
  } catch {
    shown = unreadable(otherwise); // never an earlier verdict for another file
    redraw();
  }
  scrollTo({ top: 0 });
  (failedStep() ?? byId("verdict")).focus({ preventScroll: true });
}

/** @returns {HTMLElement | null} */
const failedStep = () => document.querySelector("details.fail summary");

/** @type {import("./build.mjs").Desk} */
const desk = {
  files: (files) =>
    void check(async () => {
      const read = await Promise.all([...files].map((file) => file.arrayBuffer()));
      await gather(read.map((buffer) => new Uint8Array(buffer)));
    }),
  text: (text) => void check(() => gather(text.trim() ? [utf8(text)] : [])),
  change: (fields) => void check(() => void Object.assign(given, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])))),
  value: (name) => drafts[name] || standing(name),
};

/** @param {boolean} first whether nothing was told yet @returns {HTMLElement[]} */
const askOf = (first) => [
  make("div", { class: "hello" }, first && make("h1", {}, say("ask.title")), make("p", { class: "lead" }, say("ask.lead")),
    make("div", { class: "felt fan", "aria-hidden": true }, ...["Ah", "Ks", "8d"].map(bigCard))),
  make("div", {}, form("proof", ({ paste }) => desk.text(paste),
    make("div", { class: "drop" }, make("p", {}, say("ask.drop")), ...picker()),
    field(desk, "paste", 3),
    field(desk, "key"),
    more("receipt", make("p", {}, say("ask.receipt.why")), field(desk, "receipt", 3)),
    make("button", { class: "main" }, say("ask.check")))),
];

/** @param {string} key @param {...HTMLElement} inside */
const more = (key, ...inside) => make("details", { class: "more" }, make("summary", {}, say(`ask.${key}`)), make("div", { class: "inside" }, ...inside));

function picker() {
  const input = make("input", { type: "file", multiple: true, hidden: true, "aria-label": say("ask.pick"), change: () => desk.files(input.files ?? []) });
  const pick = button(say("ask.pick"), () => input.click(), "main");
  pick.id = "pick";
  return [input, pick];
}

function another() {
  giveAnew();
  delete drafts.paste;
  delete drafts.receipt;
  shown = null;
  history.replaceState(null, "", location.href.split("#")[0]);
  redraw();
  byId("pick").focus();
}

function redraw() {
  const again = !shown || shown.verdict === "unreadable";
  byId("languages").replaceChildren(...languages.map(languageButton));
  byId("languages").setAttribute("aria-label", say("language.choose"));
  byId("verdict").replaceChildren(...(shown ? verdictOf(shown) : []));
  byId("verdict").className = shown?.verdict ?? "";
  byId("ask").replaceChildren(...(again ? askOf(!shown) : []));
  byId("answer").replaceChildren(...(shown && !again ? [actsOf(another, shown.verdict === "fail" ? failedStep : null), answerOf(shown, desk, trustSection(holding(), given, desk))] : []));
  const script = document.querySelector("script[type=module]")?.textContent ?? "";
  byId("foot").replaceChildren(make("p", {}, say("foot.says")),
    ...(servedBy() ? [make("p", {}, say("foot.served", { host: servedBy() }))] : []),
    make("p", {}, say("foot.script"), " ", make("code", {}, `sha256-${toBase64(sha256(utf8(script)))}`)));
  document.title = (shown ? `${say(`told.${shown.verdict}`)}: ` : "") + say("title");
}

/** @param {string} language */
function languageButton(language) {
  const choose = () => {
    noteDrafts();
    speak(language);
    redraw();
    byId(`speak-${language}`).focus();
  };
  return make("button", { type: "button", id: `speak-${language}`, lang: language, "aria-pressed": String(language === languageSpoken()), click: choose }, nameOfLanguage(language));
}

/** What the page was opened with: a link, or what the house filled in. */
function opening() {
  const filled = byId("filled").textContent?.trim();
  if (location.hash.startsWith("#h=")) void check(() => follow(location.hash), "verdict.link");
  else if (filled) void check(() => unfold(filled));
  else redraw();
}

addEventListener("hashchange", () => location.hash.startsWith("#h=") && opening());
addEventListener("paste", ({ target, clipboardData }) => {
  const text = clipboardData?.getData("text") ?? "";
  if (/** @type {Element} */ (target).matches("input, textarea:not([name=paste])")) return;
  if (clipboardData?.files.length) desk.files(clipboardData.files);
  else if (text.trim()) desk.text(text);
});
for (const name of /** @type {const} */ (["dragover", "dragleave", "drop"]))
  addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dragging", name === "dragover");
    if (name !== "drop" || !event.dataTransfer) return;
    if (event.dataTransfer.files.length) desk.files(event.dataTransfer.files);
    else desk.text(event.dataTransfer.getData("text"));
  });
speak(languageSpoken());
opening();
