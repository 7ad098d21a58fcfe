// The hands that the player's page of this house keeps in this browser, each with the address at which it is checked.

import { icon, lookOf, make, moment, numeral, plainText, say, section } from "./build.ts";
import { servedBy } from "./giving.ts";

/** Hands that are listed, the newest. */
const MAX_LISTED = 20;

type KeptHand = {
  hand: { id: string; at: string; net: number; mark: "open" | "bound" | "pass" | "fail" | "unsure" };
  /** who the player was in it */
  place: { player: string };
};

/** @returns the newest first; none on a page from a disk, or if the player's page (player/storage.ts) kept none */
export function readKeptHands(): Promise<KeptHand[]> {
  return new Promise<KeptHand[]>((done) => {
    if (!servedBy()) return done([]);
    const opening = indexedDB.open("fairshoe");
    opening.onupgradeneeded = () => opening.transaction?.abort(); // there is no database, and this page makes none
    opening.onerror = () => done([]);
    opening.onsuccess = () => {
      const name = `${location.origin} hand `;
      const asked = opening.result.transaction("kept").objectStore("kept");
      const found = asked.getAll(IDBKeyRange.bound(name, `${name}\uffff`));
      found.onsuccess = () => {
        opening.result.close();
        done(found.result.sort((a, b) => (a.hand.at < b.hand.at ? 1 : -1)));
      };
    };
  }).catch(() => []); // a browser that keeps nothing
}

export function keptSection(hands: KeptHand[]): HTMLElement[] {
  if (!hands.length) return [];
  const list = make("ul.hands-of-log", ...hands.slice(0, MAX_LISTED).map(({ hand }) => make("li", linkOf(hand))));
  return [section("kept", list)];
}

const linkOf = ({ id, at, net, mark }: KeptHand["hand"]) =>
  make(
    "a",
    { class: `row ${mark}`, href: `/v1/rounds/${encodeURIComponent(id)}/verify` },
    icon(mark),
    make("span.hidden", say(mark === "open" ? "status.open" : `told.${mark}`)),
    make("span", make("b", plainText(id)), " ", make("small", at && moment(at))),
    make("span", { class: lookOf(net) }, numeral(net, true)),
  );
