// The service started: limits begin anew, at the tables that are named or at all; or a log comes in another's place.

/** @typedef {import("../audit.mjs").Audit} Audit @typedef {import("../audit.mjs").Entry} Entry */

/** @param {Audit} audit @param {Entry} entry */
export function startStep(audit, entry) {
  for (const id of entry.tables ?? []) audit.table(id)?.starts.push(audit.at);
  if (!entry.tables) audit.starts.push(audit.at);
  else if (entry.continues !== undefined) audit.fail("syntax", "tables", undefined, entry.tables);
  for (const name of ["lost", "copy", "unknown"]) {
    if (entry[name] !== undefined && entry.continues === undefined) audit.fail("syntax", name, undefined, entry[name]);
  }
  for (const name of ["copy", "unknown"]) {
    if (entry[name] === undefined) continue;
    audit.fail("completeness", name, null, entry[name]);
  }
  if (entry.continues === undefined) return;
  if (audit.index === 0) audit.continues = entry.continues;
  else if (audit.continues !== entry.continues) audit.fail("order", "continues", audit.continues, entry.continues);
  audit.fail("completeness", "continues", "a log of its own", "one that comes in the place of another");
  for (const { shoe, key } of entry.lost ?? []) {
    if (audit.shoeIds.has(shoe)) audit.fail("completeness", "lost", "each shoe once", shoe);
    audit.shoeIds.add(shoe);
    audit.fail("completeness", "lost", null, { shoe, key });
  }
}
