// The npm package, packed and used as its README says; and that its modules run in a browser too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../fairshoe/web/", import.meta.url));
const own = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
const npm = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
const modules = ["verifier", "player", "game"].flatMap((name) =>
  readdirSync(join(source, name), { recursive: true }).filter((path) => path.endsWith(".ts")).map((path) => join(source, name, path)),
);

test("only verify.ts knows Node, only quicknet.ts another package, and no module uses what a browser or Node 20 lacks", () => {
  assert.ok(modules.length > 70);
  for (const path of modules) {
    if (/verifier\/(?:verify|quicknet)\.ts$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    for (const word of [/^(?:import|export)\b[^;]*? from "(?!\.)/m, /\bBuffer\b/, /\bprocess\b\./, /\brequire\(/, /\.(?:isWellFormed|groupBy)\(/])
      assert.doesNotMatch(text, word, path);
  }
});

test("the version is that of the Python package", () => {
  const project = readFileSync(new URL("../../pyproject.toml", import.meta.url), "utf8");
  assert.equal(own.version, /^version = "(.+)"$/m.exec(project)[1]);
});

test("the package is packed, and used as its README says", () => {
  const place = mkdtempSync(join(tmpdir(), "fairshoe-package-"));
  const run = (/** @type {string[]} */ words, cwd = place) => execFileSync(process.execPath, words, { cwd, encoding: "utf8" });
  try {
    const copy = join(place, "source");
    cpSync(source, copy, { recursive: true, filter: (path) => !/web\/(?:node_modules|built|lib)$/.test(path) });
    symlinkSync(join(source, "node_modules"), join(copy, "node_modules"));
    run([npm, "pack", "--silent", "--pack-destination", place], copy);
    mkdirSync(join(place, "node_modules"));
    execFileSync("tar", ["-xzf", `fairshoe-${own.version}.tgz`], { cwd: place });
    cpSync(join(place, "package"), join(place, "node_modules", "fairshoe"), { recursive: true });
    writeFileSync(join(place, "package.json"), '{"type":"module"}');
    const example = /```js\n(.*?)```/s.exec(readFileSync(join(source, "README.md"), "utf8"))[1];
    writeFileSync(join(place, "example.mjs"), `${example}\nimport { sha256 } from "fairshoe/hashes.js"; console.log(sha256(new Uint8Array(0)).length);`);
    const [dealt, roll, proved, length] = run(["example.mjs"]).split("\n");
    assert.equal(dealt.split(" ").length, 2);
    assert.equal(dealt, proved);
    assert.ok(Number(roll) >= 1 && Number(roll) <= 6);
    assert.equal(length, "32");
    const single = readFileSync(join(place, "package/lib/fairshoe.global.js"), "utf8");
    assert.equal(new Function(`${single}; return fairshoe.commit("s", fairshoe.french(1)).seal().order().length;`)(), 52);
    const checks = readFileSync(join(place, "package/lib/verifier.global.js"), "utf8");
    assert.throws(() => new Function(`${checks}; verifier.checkHand(new Uint8Array(1), null);`)(), { name: "InputError" });
    const types = `import { commit, type Sealed, ShoeSeat } from "fairshoe";\nimport { Seat } from "fairshoe/player/seat.js";\nexport const sealed: Sealed = commit("s", ["a"]).seal();\nexport type Own = Seat | ShoeSeat;\n`;
    writeFileSync(join(place, "types.ts"), types);
    run([join(source, "node_modules/typescript/bin/tsc"), "--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--skipLibCheck", "types.ts"]);
    assert.match(run(["package/lib/verify.mjs", fileURLToPath(new URL("../data/logs/game-banker", import.meta.url))]), /"verdict":"pass"/);
  } finally {
    rmSync(place, { recursive: true });
  }
});
