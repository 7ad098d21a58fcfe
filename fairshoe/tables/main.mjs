// Which page it is: the lobby, a table, or my hands; and what all of them have above.

import { House } from "../player/house.mjs";
import { Problem } from "../player/errors.mjs";
import { inWorker } from "../player/judging.mjs";
import { parseVerifierKey } from "../verifier/note.mjs";
import { browserStorage, memoryStorage } from "../player/storage.mjs";
import { keepLanguage } from "../verifier/page/language.mjs";
import { button, language, make, say, trouble } from "./build.mjs";
import { lobby } from "./lobby.mjs";
import { myHands } from "./mine.mjs";
import { table } from "./table.mjs";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const menu = /** @type {HTMLElement} */ (document.getElementById("menu"));

const other = language === "de" ? "en" : "de";

document.documentElement.lang = language;
menu.append(
  make("a", { href: "/" }, say("lobby")),
  make("a", { href: "/#hands" }, say("hands.title")),
  make("a", { href: "/verify" }, say("house.check")),
  button(say("language"), () => {
    keepLanguage(other);
    location.reload();
  }, { lang: other }),
);

async function show() {
  const storage = await browserStorage().catch(() => memoryStorage());
  const house = new House("", { storage, judge: inWorker() });
  void keyForChecks(house).catch(() => {}); // it is asked for again next time
  const [, id] = /^\/tables\/([^/]+)$/.exec(location.pathname) ?? [];
  const page = id ? table(house, decodeURIComponent(id)).catch((error) => gone(error, decodeURIComponent(id))) : location.hash === "#hands" ? myHands(house) : lobby(house);
  main.replaceChildren(await page);
}

/** The page that checks a hand at this address knows the house's key as this one does, and since when. @param {House} house */
async function keyForChecks(house) {
  const { key, since } = await house.key();
  const shelf = `fairshoe.key ${parseVerifierKey(key).name}`;
  if (!localStorage.getItem(shelf)) localStorage.setItem(shelf, `${key}\n${since}`);
}

/** A link to a table that is not there. @param {unknown} error @param {string} id */
function gone(error, id) {
  if (error instanceof Problem && error.status === 404) return make("p", { role: "alert" }, say("lobby.gone", { table: id }));
  throw error;
}

addEventListener("hashchange", () => void start());
const start = () => show().catch((error) => main.replaceChildren(make("p.trouble", { role: "alert" }, trouble(error))));
await start();
