// The order of a shoe's entries (log.md): by purpose and stage, which may follow, and the stage after it.

export const SOLE = "shoe (sole player)";
export const FIRST_BANK = "bank (first)";

export type Course = "one round" | "many rounds" | "first banker" | "no table";

export const STAGES: Record<Course, Record<string, Record<string, string>>> = {
  "one round": {
    idle: { shoe: "hash", [SOLE]: "bet", bank: "idle" },
    hash: { seeds: "bet", void: "idle", lost: "idle", bank: "hash" },
    bet: { open: "seed", void: "idle", lost: "idle", bank: "bet" },
    seed: { opened: "seed", lapse: "seed", seal: "round", void: "idle", lost: "idle" },
    round: { reshuffle: "round", round: "over", lost: "idle" },
    over: { reveal: "idle", lost: "idle", bank: "over" },
  },
  "many rounds": {
    idle: { shoe: "hash", [SOLE]: "seed", bank: "idle" },
    hash: { seeds: "seed", void: "idle", lost: "idle", bank: "hash" },
    seed: { opened: "seed", lapse: "seed", seal: "bet", void: "idle", lost: "idle", bank: "seed" },
    bet: { open: "round", reveal: "idle", lost: "idle", bank: "bet" },
    round: { reshuffle: "round", round: "bet", lost: "idle" },
  },
  "first banker": {
    idle: { shoe: "hash" },
    hash: { seeds: "seed", void: "idle", lost: "idle" },
    seed: { opened: "seed", lapse: "seed", seal: "draw", void: "idle", lost: "idle" },
    draw: { [FIRST_BANK]: "over", lost: "idle" },
    over: { reveal: "idle", lost: "idle" },
  },
  "no table": {
    idle: { shoe: "hash" },
    hash: { seeds: "seed", seal: "draw", void: "idle", lost: "idle" },
    seed: { opened: "seed", lapse: "seed", seal: "draw", void: "idle", lost: "idle" },
    draw: { drawn: "draw", shown: "draw", gathered: "draw", reveal: "idle", lost: "idle" },
  },
};
