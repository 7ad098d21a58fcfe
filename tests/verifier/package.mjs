// The package, used as its README says; and that its modules run in a browser too.
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

test("the package is used as its README says", () => {
  const place = mkdtempSync(join(tmpdir(), "fairshoe-package-"));
  try {
    mkdirSync(join(place, "node_modules"));
    cpSync(source, join(place, "node_modules", "fairshoe"), { recursive: true });
    writeFileSync(join(place, "package.json"), '{"type":"module"}');
    const example = /```js\n(.*?)```/s.exec(readFileSync(join(source, "README.md"), "utf8"))[1];
    writeFileSync(join(place, "example.mjs"), `${example}\nimport { sha256 } from "fairshoe/hashes.mjs"; console.log(sha256(new Uint8Array(0)).length);`);
    const [dealt, roll, again, proved, length] = execFileSync(process.execPath, ["example.mjs"], { cwd: place, encoding: "utf8" }).split("\n");
    assert.equal(dealt.split(" ").length, 5);
    assert.equal(dealt, proved);
    assert.equal(roll, again);
    assert.ok(Number(roll) >= 1 && Number(roll) <= 6);
    assert.equal(length, "32");
  } finally {
    rmSync(place, { recursive: true });
  }
});
