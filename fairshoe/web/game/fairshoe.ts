// fairshoe for games of one's own: a live shoe, what is checked of it, and a house's shoes over HTTP. fairshoe/web/README.md.

export * from "../verifier/fairshoe.ts";
export { Problem, SeedKept, Unreachable, WrongReceipt } from "../player/errors.ts";
export { drandQuicknet } from "./beacon.ts";
export { Client, RemoteShoe, ShoeSeat } from "./client.ts";
export { commit, Committed, hashOf } from "./committed.ts";
export { Opening } from "./opening.ts";
export { checkList, checkRaffle, Entries, verifyTicket } from "./raffle.ts";
export { keep, resume } from "./saved.ts";
export { RuleError, Sealed } from "./sealed.ts";
