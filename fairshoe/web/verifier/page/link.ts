// The address of the hand that a house served, to pass on.

import { make, say, svgElement } from "./build.ts";
import { given } from "./giving.ts";

/** @returns null where this page is not what stands at that address */
export function linkSection(): HTMLElement | null {
  const { link, code } = given;
  if (!link || location.href !== link) return null;
  const field = make("input", { id: "in-link", readonly: true, value: link, focus: () => field.select() });
  const [size, path] = code.split(" ", 2);
  const name = say("link.code");
  const svg = svgElement("svg", { "viewBox": `0 0 ${size} ${size}`, "class": "qr", "role": "img", "aria-label": name });
  svg.append(svgElement("path", { d: path }));
  return make(
    "section.own",
    make("h2", say("link.title")),
    make("p.field", make("label", { for: "in-link" }, say("link.field")), field),
    svg,
  );
}
