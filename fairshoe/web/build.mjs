// Builds what the Python package carries (built/), and what `npm pack` puts into the npm package (lib/).
//
//   node build.mjs            built/: the page that checks, the tables' scripts, the second reading for Node
//   node build.mjs --package  lib/: the single-file builds; the modules and their types come from tsc

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

process.chdir(import.meta.dirname);
const MAX_SHARED = 35;
const STYLES = ["tables", "operator", "rules"].map((name) => `./tables/${name}.css`);
const DOCUMENTED_HASH = "../../docs/verify-page.md";

const options = {
  absWorkingDir: import.meta.dirname,
  bundle: true,
  charset: "utf8",
  format: "esm",
  legalComments: "inline",
  logLevel: "warning",
  minify: true,
  preserveSymlinks: true, // the same paths in source maps wherever node_modules lies
  target: "es2023",
};

/** Return the text of one minified bundle. */
async function bundle(entry, more) {
  const { outputFiles } = await build({ ...options, entryPoints: [entry], write: false, ...more });
  return outputFiles[0].text;
}

/** What a content security policy calls an inline script or style (CSP 3, section 2.3.1). */
const sourceHash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Names of fields and methods that stand in no log, proof or message to another program, and that no text or label names:
 * pages have short ones for them. These are the verifier's, and stand in no source of tables and player.
 */
const INNER = `
abandoned abandonedAt absent adopt alike allBut astray bankDraws bankGets bankMoved bankless beaconDelay beaconRound
bettingSince blocks claims columns compare contributed couldBet covered covers dealtTo debts deckSize decks drawDown
drawTo17 drawable drawnCut edited either endUnread gameLapsed gather gathers hiddenAt inTime indexes inner isBust
isOld isSigned lapseLimit lastStart lateBy liesOut markNaturals mayOrder money mustHaveWaited mustNotDelay numbered
ordered outcomes outer paidFor partial payers placerKey playsFor real rejected replay scene sealEntry sealedAt seated
seedVoid settleNaturals shaped sharers shoeIds signatures slips stakeDouble startedAt starts stepAt tier tooFew
uniform unkeyed unplaced unread unseen unshown upto verdict wrongChips
`;

/** More of them, for the page that checks. */
const INNER_OF_PAGE = `
accounts acted acting acts always ask asked banks beacons begin begins begun beside besides betting beyond binds
brought burns cause chairOf chairs check claim closed commits counts course cover cuts defaults doubt element entry
even events evicted fail failed fallback fault field findings finish follow fresh games gifts hasPart head hold
inOrder isNatural joined judge known labelsOf leave limits lines list logged lowest many missed missing names natural
newest notes numbers offset offsets own pass pay peaks play playerPlaces players pledges positions present purse reads
refunded refuse report running runs same scheme settle settled severity shared shoes sole stage stands status still
taken text totalOf turned unbound unsealed valuesOf waiting wanted watch whole whose words
`;

/** More of them, for the tables' pages and a player's seat: they stand in no source of the verifier. */
const INNER_OF_TABLES = `
addUp alreadyClaimed answerNext barred betsFit bindingOf carryOut catchUp decisionFits decisionsFit drawDock focusAgain
isForgotten isOlder keepAlarm keepHand keepPlaced keepPledge keepReceipt lastOffer mineToDo noticed offeringFile openNow
openingPanel orderOf placeNow refilling refuseWhileSettling seatActions seedFor sendPromise sentNow settling showAlarms
showHands showHealth showRules showTables takeWhenFree tellLast tellNews uncover waitToBeLetIn waitsFor
`;
const matching = (...names) => new RegExp(`^(${names.join("").trim().split(/\s+/).join("|")})$`);

/** What the page that checks has in the place of names of the language, such as Object_keys for Object.keys. */
const BUILTINS = "verifier/page/builtins.ts";

/** A page that checks: template, styles, texts and script in one file, and the policy that lets nothing else in. */
async function selfContained(folder, texts = "", more = {}) {
  const script = await bundle(`./${folder}/main.ts`, { lineLimit: 20_000, ...more });
  const style = await bundle(`./${folder}/page.css`);
  const policy =
    `default-src 'none'; script-src ${sourceHash(script)}; style-src ${sourceHash(style)}; img-src data:; ` +
    "connect-src 'none'; worker-src blob:; form-action 'none'; base-uri 'none'";
  const parts = { policy, style, script, texts, filled: "" };
  const page = readFileSync(`${folder}/page.html`, "utf8");
  return page.replace(/<!--(policy|style|script|texts|filled)-->/g, (_, name) => parts[name]);
}

/** Phrases that have a sign of their own: with more of them the page is smaller, but not what is sent of it. */
const MAX_PHRASES = 55;

/** @returns the texts with a sign in the place of each phrase that comes often; then the phrases, each behind its sign */
function abbreviated(texts) {
  const counts = new Map();
  for (const line of texts.split("\n"))
    for (let from = 0; from < line.length; from++)
      for (let to = from + 3; to <= Math.min(line.length, from + 24); to++) {
        const phrase = line.slice(from, to);
        counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
      }
  const saved = (phrase, count) => (count - 1) * Buffer.byteLength(phrase) - count;
  const all = [...counts].map(([phrase, count]) => [phrase, saved(phrase, count)]);
  const often = all.sort(([, a], [, b]) => b - a).slice(0, 1000);
  const ascii = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i));
  const others = Array.from({ length: MAX_PHRASES }, (_, i) => String.fromCharCode(0x400 + i));
  const signs = [...ascii, ...others].filter((sign) => sign !== "<" && !texts.includes(sign)).slice(0, MAX_PHRASES);
  const phrases = signs.map((sign) => {
    const left = often.map(([phrase]) => [phrase, saved(phrase, texts.split(phrase).length - 1)]);
    const [phrase] = left.reduce((best, one) => (one[1] > best[1] ? one : best));
    texts = texts.replaceAll(phrase, () => sign);
    return sign + phrase;
  });
  return [texts, phrases.join("\n")].join("\n\n");
}

/** The page that checks a hand or a log, with its texts. */
function verifyPage() {
  const wordings = JSON.parse(readFileSync("verifier/page/texts.json", "utf8"));
  const keys = Object.keys(wordings).sort();
  // of each key as one digit: how many of its characters are those of the key before it
  const shared = (key, before) => [...key].findIndex((sign, at) => sign !== before[at] || at === MAX_SHARED);
  const ends = keys.map((key, i) => {
    const same = shared(key, keys[i - 1] ?? "");
    return same.toString(36) + key.slice(same);
  });
  // a text that is the same in both languages stands in the first: an empty line would end the list
  const german = keys.map((key) => (wordings[key][1] === wordings[key][0] ? "=" : wordings[key][1]));
  const texts = [ends, keys.map((key) => wordings[key][0]), german].map((list) => list.join("\n")).join("\n\n");
  if (texts.includes("<")) throw new Error("verifier/page/texts.json: no text may hold <");
  const builtins = readFileSync(BUILTINS, "utf8").match(/(?<=: )\w*_\w+/g);
  const define = Object.fromEntries(builtins.map((name) => [name.replace("_", ".").replace(/^\./, ""), name]));
  const mangleProps = matching(INNER, INNER_OF_PAGE);
  return selfContained("verifier/page", abbreviated(texts), { mangleProps, define, inject: [`./${BUILTINS}`] });
}

/**
 * The tables' scripts, split so that a first card needs no audit, and their page, which names what it begins with. The
 * checks for pages of one's own share no file with them: that would split the tables' scripts further, by 3 kB.
 */
async function tables() {
  const outdir = "built/tables";
  const split = { ...options, outdir, entryNames: "[name]", splitting: true, metafile: true, sourcemap: true };
  const mangleProps = matching(INNER, INNER_OF_TABLES);
  const entryPoints = ["./tables/main.ts", "./player/player.ts", "./player/worker.ts", ...STYLES];
  const { metafile } = await build({ ...split, entryPoints, mangleProps });
  await build({ ...split, entryPoints: ["./verifier/verifier.ts"] });
  const wanted = [`${outdir}/main.js`];
  for (const name of wanted)
    for (const { path, kind } of metafile.outputs[name].imports)
      if (kind === "import-statement" && !wanted.includes(path)) wanted.push(path);
  const links = wanted.map((path) => `<link rel="modulepreload" href="/modules/${path.slice(outdir.length + 1)}">`);
  const page = readFileSync("tables/page.html", "utf8").replace("<!-- modules -->", links.join(""));
  writeFileSync(`${outdir}/page.html`, page);
}

/** The second reading for Node, in one file. */
const secondReading = (outfile) =>
  build({ ...options, entryPoints: ["./verifier/verify.ts"], outfile, platform: "node" });

if (process.argv[2] === "--package") {
  await secondReading("lib/verify.mjs");
  for (const [name, entry] of [
    ["fairshoe", "./game/fairshoe.ts"],
    ["beacon", "./verifier/quicknet.ts"],
    ["verifier", "./verifier/verifier.ts"],
  ]) {
    const single = { ...options, entryPoints: [entry] };
    await build({ ...single, outfile: `lib/${name}.js` });
    await build({ ...single, outfile: `lib/${name}.global.js`, format: "iife", globalName: name });
  }
} else {
  rmSync("built", { recursive: true, force: true });
  mkdirSync("built");
  await secondReading("built/verify.mjs");
  await tables();
  writeFileSync("built/raffle.html", await selfContained("raffle"));
  const page = await verifyPage();
  writeFileSync("built/verify.html", page);
  if (existsSync(DOCUMENTED_HASH)) {
    const hash = createHash("sha256").update(page).digest("hex");
    const text = readFileSync(DOCUMENTED_HASH, "utf8");
    writeFileSync(DOCUMENTED_HASH, text.replace(/(?<=SHA-256 of the page: `)[0-9a-f]*(?=`)/, hash));
  }
}
