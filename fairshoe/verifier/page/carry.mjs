// A check to take along: as a link, or as this page with the file in it.
import { button, byId, make } from "./build.mjs";
import { carried, folded } from "./giving.mjs";
import { packed } from "./link.mjs";
import { say } from "./wording.mjs";

const LONGEST_LINK = 65536;
const asOpened = document.documentElement.outerHTML; // before the script changes anything in it

/** @param {() => void} another @param {(() => HTMLElement | null) | null} failed the step to look at @returns {HTMLElement} */
export const actsOf = (another, failed) =>
  make("div", { class: "acts" },
    failed && button(say("act.failed"), () => failed()?.focus(), "main"),
    button(say("act.copy.link"), () => void copyLink()),
    button(say("act.print"), () => print()),
    button(say("act.save"), save),
    button(say("act.another"), another),
    make("p", { id: "note", role: "status" }));

function save() {
  const slot = asOpened.indexOf('id="filled">') + 'id="filled">'.length;
  const page = `<!doctype html>\n${asOpened.slice(0, slot)}${folded()}${asOpened.slice(asOpened.indexOf("<", slot))}`;
  const file = new Blob([page.replace(/\s*<\/body><\/html>$/, "</body></html>\n")], { type: "text/html" });
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: "verify.html" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

async function copyLink() {
  const link = await linkTo().catch(() => "");
  const note = byId("note");
  if (!link || link.length > LONGEST_LINK) return note.replaceChildren(say("act.long"));
  const copied = await Promise.resolve(navigator.clipboard?.writeText(link).then(() => true)).catch(() => false);
  if (copied) return note.replaceChildren(say("act.copied"));
  const shown = make("input", { readonly: true, value: link, "aria-label": say("act.link") });
  note.replaceChildren(say("act.copy"), shown);
  return shown.select();
}

/** @returns {Promise<string>} the address of this check with all that was given; "" where nothing was */
async function linkTo() {
  const all = carried();
  if (!all) return "";
  const { proof, receipt, key, commitment, seed, round } = all;
  const part = (/** @type {string} */ name, /** @type {string} */ value) => (value ? `&${name}=${encodeURIComponent(value)}` : "");
  const slips = receipt ? await packed(receipt) : "";
  return `${location.href.split("#")[0]}#h=${await packed(proof)}${part("k", key)}${part("r", round)}${part("s", slips)}${part("c", commitment)}${part("o", seed)}`;
}
