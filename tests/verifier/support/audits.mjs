// Audits many logs: a line of JSON for each file that is named, with its verdict and the first entry that fails; the
// verdict is "newer" where the log is of a later version.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { Audit } from "../../../fairshoe/verifier/audit.mjs";
import { NewerError } from "../../../fairshoe/verifier/bytes.mjs";

for (const path of process.argv.slice(2)) {
  try {
    console.log(JSON.stringify(readingOf(path)));
  } catch (error) {
    if (!(error instanceof NewerError)) throw error;
    console.log(JSON.stringify({ verdict: "newer", first: null, rounds: 0 }));
  }
}

function readingOf(path) {
  const audit = new Audit();
  const checkpoint = join(dirname(path), "checkpoint");
  if (existsSync(checkpoint)) [audit.origin] = readFileSync(checkpoint, "utf8").split("\n", 1);
  const bytes = readFileSync(path);
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    audit.take(bytes.subarray(from, end));
    from = end + 1;
  }
  audit.end();
  const failed = audit.findings.filter(({ severity }) => severity === "fail");
  const first = failed.length ? Math.min(...failed.map(({ entry }) => entry)) : null;
  return { verdict: audit.verdict, first, rounds: audit.rounds };
}
