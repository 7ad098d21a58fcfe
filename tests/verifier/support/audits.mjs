// Audits many logs as verify.mjs does: a line of JSON for each file that is named, with its exit code, its verdict ("newer":
// the log is of a later version, "none": it is no log) and the first entry that fails.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { InputError, NewerError } from "../../../fairshoe/web/verifier/bytes.ts";
import { LogReader } from "../../../fairshoe/web/verifier/log.ts";
import { asSaved } from "../../../fairshoe/web/verifier/note.ts";
import { checkQuicknet } from "../../../fairshoe/web/verifier/quicknet.ts";
import { pairing } from "../../../fairshoe/web/verifier/steps/beacons.ts";

pairing.check = checkQuicknet;

for (const path of process.argv.slice(2)) console.log(JSON.stringify(readingOf(path)));

function readingOf(path) {
  const beside = (name) => existsSync(join(dirname(path), name)) ? asSaved(readFileSync(join(dirname(path), name))) : "";
  try {
    const log = new LogReader({ checkpoint: beside("checkpoint"), vkey: beside("log.vkey") }, "", beside("notes.jsonl"), beside("openings.jsonl") || null);
    log.push(new Uint8Array(readFileSync(path)));
    const { code, findings, verdict } = log.end();
    const entries = findings.filter(({ severity, entry }) => severity === "fail" && entry !== null).map(({ entry }) => entry);
    return { code, verdict: verdict.verdict, first: entries.length ? Math.min(...entries) : null };
  } catch (error) {
    if (error instanceof NewerError) return { code: 2, verdict: "newer", first: null };
    if (error instanceof InputError) return { code: 2, verdict: "none", first: null };
    throw error;
  }
}
