// Audits many logs: a line of JSON for each file that is named, with its verdict and the first entry that fails.
import { readFileSync } from "node:fs";

import { Audit } from "../../../fairshoe/verifier/audit.mjs";

for (const path of process.argv.slice(2)) {
  const audit = new Audit();
  const bytes = readFileSync(path);
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    audit.take(bytes.subarray(from, end));
    from = end + 1;
  }
  audit.end();
  const failed = audit.findings.filter(({ severity }) => severity === "fail");
  const first = failed.length ? Math.min(...failed.map(({ entry }) => entry)) : null;
  console.log(JSON.stringify({ verdict: audit.verdict, first, rounds: audit.rounds }));
}
