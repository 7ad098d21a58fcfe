// The hands that the player's page of this house keeps in this browser, each with the address at which it is checked.

import { icon, lookOf, make, moment, numeral, plainText, say, section } from "./build.ts";
import { servedBy } from "./giving.ts";
import type { Pledge } from "./giving.ts";

/** Hands that are listed, the newest. */
const MAX_LISTED = 20;

export type KeptHand = {
  hand: { id: string; at: string; net: number; mark: "open" | "bound" | "pass" | "fail" | "unsure" };
  /** who the player was in it */
  place: { player: string };
};

/** What the player's page (player/book.ts) keeps in this browser: hands, the newest first, and seeds. */
export type Kept = { hands: KeptHand[]; seeds: Pledge[] };
export const NOTHING_KEPT: Kept = { hands: [], seeds: [] };

/** @returns nothing on a page from a disk, or if the player's page kept nothing */
export function readKept(): Promise<Kept> {
  return new Promise<Kept>((done) => {
    if (!servedBy()) return done(NOTHING_KEPT);
    const opening = indexedDB.open("fairshoe");
    opening.onupgradeneeded = () => opening.transaction?.abort(); // there is no database, and this page makes none
    opening.onerror = () => done(NOTHING_KEPT);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("kept");
      const [hands, seeds] = ["hand", "seed"].map((what) => {
        const name = `${location.origin} ${what} `;
        return reading.objectStore("kept").getAll(IDBKeyRange.bound(name, `${name}\uffff`));
      });
      reading.oncomplete = () => {
        opening.result.close();
        const newest = hands.result.sort((a, b) => (a.hand.at < b.hand.at ? 1 : -1));
        done({ hands: newest, seeds: seeds.result });
      };
    };
  }).catch(() => NOTHING_KEPT); // a browser that keeps nothing
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
