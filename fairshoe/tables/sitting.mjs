// Taking a chair: by a name and chips, or by a file from another browser.

import { Seat } from "../player/seat.mjs";
import { field, make, say } from "./build.mjs";

/** @typedef {import("../player/house.mjs").House} House @typedef {import("../player/types.mjs").TableState} TableState */

/**
 * @typedef {object} Taking
 * @property {number} price what the form offers to sit down with
 * @property {(what: () => Promise<unknown>) => Promise<void>} act one thing at a time, and tells what went wrong
 * @property {(seat: Seat) => void} take the chair is taken
 * @property {(price: number) => void} costs the rules want another amount: it is asked for before it is paid
 */

/** @param {House} house @param {TableState} state @param {Taking} taking @returns {HTMLElement} */
export function sitting(house, state, { price, act, take, costs }) {
  if (state.closed) return make("p.quiet", {}, say("phase.closed"));
  if (state.seats.length >= state.chairs) return make("div.sit", {}, make("p.quiet", {}, say("sit.full")), bringing(house, act));
  const name = field(say("sit.name"), { name: "name", required: true, maxlength: 64, autocomplete: "nickname", value: localStorage.getItem("name") ?? "" });
  const amount = field(say("sit.amount"), { name: "amount", type: "number", min: 1, required: true, value: price });
  const [named, bought] = [name, amount].map((label) => /** @type {HTMLInputElement} */ (label.querySelector("input")));
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    void act(async () => {
      const called = named.value.trim();
      localStorage.setItem("name", called);
      try {
        take(await sitDown(house, state.table, called, bought.valueAsNumber));
      } catch (error) {
        const { body: { field: where, expected } = {} } = /** @type {any} */ (error);
        if (where !== "amount" || !/^\d+$/.test(expected ?? "")) throw error;
        costs(Number(expected));
      }
    });
  };
  return make("form.sit", { submit: send }, name, amount, make("button.act", {}, say("sit.do")), bringing(house, act));
}

/** My seat in a file, from another browser. @param {House} house @param {Taking["act"]} act */
function bringing(house, act) {
  const file = make("input", { type: "file", "aria-label": say("sit.file"), change: async () => {
    const [chosen] = /** @type {HTMLInputElement} */ (file).files ?? [];
    if (chosen) void act(async () => {
      await Seat.imported(house, await chosen.text());
      location.reload();
    });
  } });
  return make("details", {}, make("summary", {}, say("sit.file")), file, make("p.quiet", {}, say("sit.file.why")));
}

/** A name that is no player's id goes beside one. @param {House} house @param {string} table @param {string} name @param {number} amount */
function sitDown(house, table, name, amount) {
  const player = /^[A-Za-z0-9._:/-]{1,64}$/.test(name) ? name : `p-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  return Seat.sit(house, table, { player, amount, ...(player !== name && { name }) });
}
