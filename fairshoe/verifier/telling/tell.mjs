// What the reader gives, told: which kind of file it is, whether it holds, step by step.

import { tellHand } from "./hands.mjs";
import { tellShuffle } from "./shuffles.mjs";
import { tellReceipts } from "./slips.mjs";

/** @typedef {import("./told.mjs").Told} Told @typedef {import("./told.mjs").Given} Given */

/** @param {Given} given @returns {Promise<Told>} */
export async function tell({ key = "", ...rest }) {
  const given = { ...rest, key: key.trim() };
  const { file } = given;
  if (!file?.length) return given.receipt?.length ? tellReceipts(given.receipt, given) : untold("verdict.nothing");
  try {
    return guessOf(file)(file, given);
  } catch { // what nobody foresaw is no pass
    return untold("verdict.unreadable.file");
  }
}

/** @param {string} says @returns {Told} */
const untold = (says) => ({ what: "none", verdict: "unreadable", says, values: {}, steps: [], scene: null, unseen: [] });

/** @param {Uint8Array} file @returns {(file: Uint8Array, given: Given) => Told} */
function guessOf(file) {
  const text = new TextDecoder().decode(file).trim();
  const has = (/** @type {string[]} */ ...words) => words.every((word) => text.includes(word));
  if (text.startsWith("{") && has('"checkpoint"', '"entries"', '"path"')) return tellHand;
  if (text.startsWith("{") && has('"commitment"', '"deck"', '"draws"', '"key"', '"protocol"')) return tellShuffle;
  if (has("fairshoe receipt ")) return tellReceipts;
  const isLog = text.startsWith("{") && has('"kind"', '"at"', '"v"');
  return () => untold(isLog ? "verdict.unreadable.log" : "verdict.unreadable.file");
}
