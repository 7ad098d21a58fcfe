// The page: takes what the reader gives, has it told, and draws what was told.
import { toBase64, utf8 } from "../bytes.mjs";
import { sha256 } from "../hashes.mjs";
import { tell } from "../telling/tell.mjs";
import { typed } from "../telling/shuffles.mjs";
import { answerOf, verdictOf } from "./answer.mjs";
import { askOf } from "./ask.mjs";
import { actsOf, drafts, follow, gather, giveUp, given, holding, noteDrafts, ofRound, standing, unfold } from "./giving.mjs";
import { byId, make } from "./build.mjs";
import { servedBy, trustSection, vouchedByNobody } from "./trust.mjs";
import { languages, languageSpoken, nameOfLanguage, say, speak } from "./wording.mjs";

/** @type {import("../telling/told.mjs").Told | null} */
let shown = null;
let asked = 0;

/** Bytes of a file that takes long enough to say so. */
const LARGE = 1 << 18;

/** @param {string} says @param {object} [values] @returns {import("../telling/told.mjs").Told} */
const unreadable = (says, values = {}) => ({ what: "none", verdict: "unreadable", says, values: { ...values }, steps: [], scene: null, unseen: [] });

/** What was given, told. @returns {Promise<import("../telling/told.mjs").Told>} */
async function toldNow() {
  const { file, receipt, commitment, seed, round } = given;
  const { key, from } = holding();
  if (file && file.length > LARGE) await saidThatItTakesTime();
  const told = await tell({ file: file ?? receipt, receipt: file && receipt, key, commitment, seed });
  return ofRound(from === "brought" ? vouchedByNobody(told) : told, round);
}

function saidThatItTakesTime() {
  byId("verdict").className = "";
  byId("verdict").replaceChildren(make("p", { class: "word" }, say("told.busy")));
  return new Promise((resolve) => setTimeout(resolve, 50));
}

/** @param {() => Promise<void> | void} change what is given, before it is told @param {string} [otherwise] what is said where that fails */
async function check(change, otherwise = "verdict.unreadable.file") {
  const mine = ++asked;
  const told = await Promise.resolve()
    .then(change)
    .then(toldNow)
    .catch((error) => {
      giveUp();
      return unreadable(otherwise, error);
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

/** @type {import("./ask.mjs").Desk} */
const desk = {
  files: (files) =>
    void check(async () => {
      const read = await Promise.all([...files].map((file) => file.arrayBuffer()));
      await gather(read.map((buffer) => new Uint8Array(buffer)));
    }),
  text: (text) => void check(() => gather(text.trim() ? [utf8(text)] : [])),
  game: (fields) =>
    void check(() => {
      noteDrafts();
      giveUp();
      given.file = typed(/** @type {any} */ ({ ...fields, key: fields["key-hex"] }));
      given.commitment = fields.commitment;
    }, "verdict.typed"),
  change: (fields) => void check(() => void Object.assign(given, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])))),
  value: (name) => drafts[name] || standing(name),
};

function another() {
  giveUp();
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
  byId("ask").replaceChildren(...(again ? askOf(desk, !shown) : []));
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
/** @type {HTMLDetailsElement[]} */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details")].filter(({ open }) => !open);
  for (const each of unfolded) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of unfolded) each.open = false;
});
speak(languageSpoken());
opening();
