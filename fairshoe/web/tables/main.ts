// Which page it is: the lobby, a table, or my hands; and what all of them have above.

import { House } from "../player/house.ts";
import { Problem } from "../player/errors.ts";
import { inWorker } from "../player/judging.ts";
import { GAMES } from "../verifier/games.ts";
import { parseVerifierKey } from "../verifier/note.ts";
import { browserStorage, memoryStorage } from "../player/storage.ts";
import { keepLanguage } from "../verifier/page/language.ts";
import { button, language, make, say, trouble } from "./build.ts";
import { lobby } from "./lobby.ts";
import { myHands } from "./mine.ts";
import { table } from "./table.ts";

const main = document.getElementById("main") as HTMLElement;
const menu = document.getElementById("menu") as HTMLElement;

const other = language === "de" ? "en" : "de";

document.documentElement.lang = language;
menu.append(
  make("a", { href: "/" }, say("lobby")),
  make("a", { href: "/#hands" }, say("hands.title")),
  make("a", { href: "/verify" }, say("house.check")),
  button(
    say("language"),
    () => {
      keepLanguage(other);
      location.reload();
    },
    { lang: other },
  ),
);

async function show() {
  const storage = await browserStorage().catch(() => memoryStorage());
  const house = new House("", { storage, judge: inWorker() });
  void keyForChecks(house).catch(() => {}); // it is asked for again next time
  const [, where, name = "", rules] = /^\/(tables|rules)\/([^/]+)(\/rules)?$/.exec(location.pathname) ?? [];
  const id = decodeURIComponent(name);
  if (rules || (where === "rules" && Object.hasOwn(GAMES, id))) {
    const { goToClause, rulesPage } = await import("./rules.ts");
    main.replaceChildren(
      await (rules ? rulesPage(house, "", id).catch((error) => gone(error, id)) : rulesPage(house, id)),
    );
    return goToClause();
  }
  const page =
    location.pathname === "/operator"
      ? import("./operator.ts").then(({ operatorPage }) => operatorPage(house))
      : where === "tables"
        ? table(house, id).catch((error) => gone(error, id))
        : location.pathname !== "/"
          ? nothing()
          : location.hash === "#hands"
            ? myHands(house)
            : lobby(house);
  main.replaceChildren(await page);
}

/** The page that checks a hand at this address knows the house's key as this one does, and since when. */
async function keyForChecks(house: House) {
  const { key, since } = await house.key();
  const shelf = `fairshoe.key ${parseVerifierKey(key).name}`;
  if (!localStorage.getItem(shelf)) localStorage.setItem(shelf, `${key}\n${since}`);
}

/** An address that this house does not have. */
async function nothing() {
  return make("p", { role: "alert" }, say("lobby.nothing"), " ", make("a", { href: "/" }, say("lobby")));
}

/** A link to a table that is not there. */
function gone(error: unknown, id: string) {
  if (error instanceof Problem && error.status === 404)
    return make("p", { role: "alert" }, say("lobby.gone", { table: id }));
  throw error;
}

addEventListener("hashchange", () => location.pathname === "/" && void start());
const start = () => show().catch((error) => main.replaceChildren(make("p.trouble", { role: "alert" }, trouble(error))));
await start();
