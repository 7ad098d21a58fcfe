// The seat for pages of one's own: what a house serves as /modules/player.js.

export { chanceOf, GIVES, meanOf, NEUTRAL } from "./chance.ts";
export { Alarm, Elsewhere, HeardAndRefused, Problem, Unreachable } from "./errors.ts";
export { House } from "./house.ts";
export { inWorker } from "./judging.ts";
export { reasonsOf } from "./reasons.ts";
export { Seat } from "./seat.ts";
export { browserStorage, memoryStorage } from "./storage.ts";
