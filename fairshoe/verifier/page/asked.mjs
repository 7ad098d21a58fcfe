// Whether what was told is of the round that a link, or the page, names.

/** @typedef {import("../telling/told.mjs").Told} Told */

/** @param {Told} told @param {string} wanted TABLE#NUMBER; "" where none is named @returns {Told} */
export function ofRound(told, wanted) {
  const { what, verdict, values, steps: [first, ...steps] } = told;
  const found = String(values.round ?? "");
  if (!wanted || found === wanted || what === "log" || what === "none" || verdict === "fail") return told;
  /** @type {import("../telling/told.mjs").Fault} */
  const fault = { expected: wanted, found, where: "round", cause: "cause.other-round", whose: "reader" };
  return { ...told, verdict: "fail", says: "verdict.other-round", values: { ...values, wanted }, scene: null, steps: [{ ...first, status: "fail", fault }, ...steps] };
}
