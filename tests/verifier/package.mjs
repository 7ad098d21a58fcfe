// The package: built, installed, used as its README says; and that its modules run in a browser too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../fairshoe/verifier/", import.meta.url));
const own = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));

/** Every module under a directory. */
const modulesIn = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? modulesIn(path) : path.endsWith(".mjs") ? [path] : [];
  });
const imports = (path) =>
  [...readFileSync(path, "utf8").matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";|import\("([^"]+)"\)/gm)].map(
    (found) => found[1] ?? found[2],
  );

test("modules import each other and nothing else; only verify.mjs knows Node", () => {
  for (const path of modulesIn(source))
    for (const name of imports(path)) {
      if (path === join(source, "verify.mjs") && name.startsWith("node:")) continue;
      assert.match(name, /^\.\.?\//, path);
      assert.ok(statSync(join(dirname(path), name)).isFile(), `${path}: ${name}`);
    }
});

test("no module uses what a browser or Node 18 lacks", () => {
  for (const path of modulesIn(source)) {
    if (path === join(source, "verify.mjs")) continue;
    const text = readFileSync(path, "utf8");
    for (const word of [
      /\bBuffer\b/,
      /\bprocess\b\./,
      /\brequire\(/,
      /\.(?:toSorted|toReversed|toSpliced|isWellFormed|groupBy)\(/,
    ])
      assert.doesNotMatch(text, word, relative(source, path));
  }
});

test("the version is that of the Python package", () => {
  const project = readFileSync(new URL("../../pyproject.toml", import.meta.url), "utf8");
  assert.equal(own.version, /^version = "(.+)"$/m.exec(project)[1]);
});

/** npm beside the node that runs, or on the path. */
function npm(args, options) {
  const beside = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const settings = {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, npm_config_offline: "true" },
    ...options,
  };
  try {
    statSync(beside);
  } catch {
    return execFileSync("npm", args, settings);
  }
  return execFileSync(process.execPath, [beside, ...args], settings);
}

test("the package is built and used as its README says", () => {
  const place = mkdtempSync(join(tmpdir(), "fairshoe-package-"));
  try {
    const copy = join(place, "source");
    cpSync(source, copy, { recursive: true });
    const [{ filename, files }] = JSON.parse(npm(["pack", "--json", "--pack-destination", place], { cwd: copy }));
    const packed = files.map(({ path }) => path).sort();
    const expected = [...modulesIn(copy).map((path) => relative(copy, path)), "README.md", "package.json"];
    assert.deepEqual(packed, expected.sort());

    const game = join(place, "game");
    mkdirSync(game);
    writeFileSync(join(game, "package.json"), '{"type":"module"}');
    npm(["install", "--no-audit", "--no-fund", "--no-package-lock", join(place, filename)], { cwd: game });
    const example = /```js\n(.*?)```/s.exec(readFileSync(join(source, "README.md"), "utf8"))[1];
    writeFileSync(join(game, "example.mjs"), example);
    const [dealt, roll, again, proved] = execFileSync(process.execPath, ["example.mjs"], {
      cwd: game,
      encoding: "utf8",
    }).split("\n");
    assert.equal(dealt.split(" ").length, 5);
    assert.equal(dealt, proved);
    assert.equal(roll, again);
    assert.ok(Number(roll) >= 1 && Number(roll) <= 6);

    writeFileSync(
      join(game, "parts.mjs"),
      'import { sha256 } from "fairshoe/hashes.mjs"; console.log(sha256(new Uint8Array(0)).length);',
    );
    assert.equal(execFileSync(process.execPath, ["parts.mjs"], { cwd: game, encoding: "utf8" }), "32\n");
  } finally {
    rmSync(place, { recursive: true });
  }
});
