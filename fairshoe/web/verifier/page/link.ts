// The address of the hand that a house served, to pass on.

import { make, say } from "./build.ts";
import { given } from "./giving.ts";

/** @returns null where this page is not what stands at that address */
export function linkSection(): HTMLElement | null {
  const { link, code } = given;
  if (!link || location.href !== link) return null;
  const field = make("input", { id: "in-link", readonly: true, value: link, focus: () => field.select() });
  const [size, path] = code.split(" ", 2);
  const [svg, modules] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  for (const [name, value] of Object.entries({
    "viewBox": `0 0 ${size} ${size}`,
    "class": "qr",
    "role": "img",
    "aria-label": say("link.code"),
  }))
    svg.setAttribute(name, value);
  modules.setAttribute("d", path);
  svg.append(modules);
  return make(
    "section.own",
    make("h2", say("link.title")),
    make("p.field", make("label", { for: "in-link" }, say("link.field")), field),
    svg,
  );
}
