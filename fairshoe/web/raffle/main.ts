// The page that checks a raffle: it takes the list, the proof and the notice, and shows who won.

import { FairshoeError, fromUtf8 } from "../verifier/bytes.ts";
import { drandQuicknet } from "../game/beacon.ts";
import { checkQuicknet } from "../verifier/quicknet.ts";
import { checkList, checkRaffle, Entries } from "../game/raffle.ts";
import { languages } from "../verifier/page/language.ts";

const TEXTS = {
  title: ["Is this raffle fair?", "Ist diese Verlosung fair?"],
  files: [
    "The list of entries, the proof, and the notice that you kept from before the draw",
    "Die Liste der Lose, der Beweis und die Ankündigung, die Sie vor der Ziehung gespeichert haben",
  ],
  mine: ["Your id in the list", "Ihr Name in der Liste"],
  about: [
    "This page checks in your browser and asks no server. A page of the organiser's can say anything: save your own copy of it.",
    "Diese Seite prüft in Ihrem Browser und fragt keinen Server. Eine Seite des Veranstalters kann alles behaupten: Speichern Sie eine eigene.",
  ],
  ask: ["Choose the files.", "Wählen Sie die Dateien."],
  given: ["Files: ", "Dateien: "],
  before: [
    "The list is the one that was announced. The proof comes after the draw.",
    "Die Liste ist die angekündigte. Den Beweis gibt es nach der Ziehung.",
  ],
  pass: ["The raffle holds.", "Die Verlosung stimmt."],
  open: [
    "The files agree. Give the notice that you kept from before the draw: only it shows that nothing was changed since.",
    "Die Dateien stimmen überein. Geben Sie die Ankündigung dazu, die Sie vor der Ziehung gespeichert haben: Nur sie zeigt, dass seither nichts geändert wurde.",
  ],
  fail: ["The raffle does not hold: ", "Die Verlosung stimmt nicht: "],
  nobody: ["Nobody wins: the draws are used up.", "Niemand gewinnt: Die Ziehungen sind verbraucht."],
  out: ["Round # of the beacon: ", "Runde # des Zufallsdienstes: "],
  older: [
    "A notice that you did not have before then shows nothing.",
    "Eine Ankündigung, die Sie vorher nicht hatten, zeigt nichts.",
  ],
  none: ["not in the list", "nicht in der Liste"],
  of: ["tickets of", "Lose von"],
  one: ["ticket of", "Los von"],
};
const PLACES: Record<string, string> = {
  "line": "Zeile",
  "the text": "der Text",
  "character": "Zeichen",
  "number": "Nummer",
};
/** What is wrong, in German, by the error's name and place. */
const GERMAN: [RegExp, string][] = [
  [/ line /, "Hier steht kein Los: ein Name von 1 bis 64 Bytes, jeder einmal; oder Name, Tabulator und Zahl der Lose"],
  [/^Inp.* entries/, "Die Liste hat nicht 1 bis 2³² Lose"],
  [/^V.* notice/, "Dies ist eine andere Verlosung, oder eine andere Liste, als angekündigt"],
  [/^V.* deck/, "Seit der Ankündigung wurden Zeilen, Gewichte oder ihre Reihenfolge geändert"],
  [/^V.* winners/, "Die Ziehungen ergeben andere Gewinner"],
  [/ (beacon|signature)/, "Dies ist nicht die Runde des Zufallsdienstes mit ihrer Signatur"],
  [/ key/, "Dies ist nicht der Schlüssel, auf den sich der Veranstalter festgelegt hat"],
  [/^(V|St)/, "Der Beweis wurde geändert"],
  [/^/, "Diese Datei lässt sich nicht lesen: Sie wurde geändert oder ist eine andere"],
];
const spoken = Math.max(0, languages.indexOf((navigator.languages[0] ?? "").split("-")[0]));
const say = (key: keyof typeof TEXTS) => TEXTS[key][spoken];
const byId = (id: string) => document.getElementById(id) as HTMLElement;
/** Whatever cannot be seen, or turns the text around, by its number. */
const plain = (text: string) => text.replace(/\p{C}/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

interface Given {
  entries?: string;
  proof?: string;
  notice?: string;
}
/** What the page was filled with; its notice is the organiser's, and so shows nothing. */
const { entries: filledEntries, proof: filledProof } = JSON.parse(byId("filled").textContent || "{}") as Given;
const given: Given = { entries: filledEntries, proof: filledProof };
let list: Entries | null = null;
/** the name of the file that each came from */
const names: { [kind in keyof Given]: string } = {};

/** A form begins with a brace and has a hash, which is longer than an id of a list; a damaged one is a form still. */
const kindOf = (text: string): keyof Given =>
  !/^\s*\{[^]*"[0-9a-f]{64}"/.test(text) ? "entries" : text.includes('"winners"') ? "proof" : "notice";

function show(kind: "pass" | "fail" | "open", text: string) {
  byId("verdict").className = kind;
  byId("verdict").textContent = text;
}

function check() {
  byId("winners").replaceChildren();
  byId("notes").replaceChildren();
  try {
    list = given.entries === undefined ? null : Entries.fromText(given.entries);
    countMine();
    const files = Object.entries(names).map(([kind, name]) => `${name} (${kind})`);
    byId("notes").append(...(files.length ? [item(say("given") + files.join(", "))] : []));
    if (list && given.notice !== undefined && given.proof === undefined) {
      tellRound(checkList(given.notice, list).beacon[1]);
      return show("open", say("before"));
    }
    if (!list || given.proof === undefined) return show("open", say("ask"));
    const { winners, notChecked } = checkRaffle(given.proof, list, { notice: given.notice, check: checkQuicknet });
    tellRound(JSON.parse(given.proof).proof.beacon[1]);
    byId("winners").append(...winners.map(([, entrant]) => item(entrant)));
    byId("notes").append(...(winners.length ? [] : [item(say("nobody"))]));
    show(notChecked.length ? "open" : "pass", say(notChecked.length ? "open" : "pass"));
  } catch (error) {
    if (!(error instanceof FairshoeError)) throw error;
    show("fail", say("fail") + plain(wordsOf(error)));
  }
}

function wordsOf({ name, where, message, expected, remedy }: FairshoeError): string {
  if (spoken) {
    const text = GERMAN.find(([places]) => places.test(`${name} ${where}`))?.[1];
    const values = name === "VerificationError" ? / is (.*)/s.exec(message) : null;
    const place = values ? `${where}.${message.slice(0, values.index)}: ${values[1]} statt ${expected}` : where;
    return `${text} (${place.replace(/line|the text|character|number/, (word) => PLACES[word])})`;
  }
  const found = `${where}: ${message}${expected === null ? "" : `; expected ${expected}`}`;
  return remedy ? `${found}; ${remedy}` : found;
}

/** When the round comes out, or came. */
function tellRound(number: number) {
  const moment = new Date(drandQuicknet(number).time * 1000).toLocaleString(undefined, { timeZoneName: "short" });
  byId("notes").append(item(`${say("out").replace("#", String(number))}${moment}. ${say("older")}`));
}

function item(text: string) {
  const made = document.createElement("li");
  made.textContent = plain(text);
  return made;
}

function countMine() {
  const who = (byId("mine") as HTMLInputElement).value;
  const found = who !== "" && list?.ids.includes(who);
  const weight = found && list ? list.prove(who).weight : 0;
  const text = found ? `${weight} ${say(weight === 1 ? "one" : "of")} ${list?.tickets}` : say("none");
  byId("tickets").textContent = who === "" || !list ? "" : text;
}

document.documentElement.lang = languages[spoken];
document.querySelector("h1")?.append(say("title"));
byId("files-label").textContent = say("files");
byId("mine-label").textContent = say("mine");
byId("about").textContent = say("about");
byId("mine").addEventListener("input", countMine);
byId("files").addEventListener("change", async ({ target }) => {
  for (const file of (target as HTMLInputElement).files ?? []) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    try {
      const text = fromUtf8(bytes, file.name);
      const kind = kindOf(text);
      given[kind] = text;
      names[kind] = file.name;
    } catch (error) {
      if (!(error instanceof FairshoeError)) throw error;
      return show("fail", say("fail") + plain(wordsOf(error)));
    }
  }
  check();
});
check();
