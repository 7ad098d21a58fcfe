// The checks for pages of one's own: what a house serves as /modules/verifier.js.

export { Audit } from "./audit.ts";
export { checkForeign } from "./foreign/check.ts";
export { checkHand } from "./hand.ts";
export * from "./fairshoe.ts";
