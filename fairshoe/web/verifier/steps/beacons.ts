// The beacon of a shoe (protocol.md section 13): what stands before it, its signature, how long it is awaited.

import { HOUR, seconds } from "../forms.ts";
import { sha256Hex } from "../hashes.ts";
import { QUICKNET } from "../proof.ts";
import type { Audit, Entry } from "../audit.ts";
import type { Shoe } from "../state.ts";

const GENESIS = 1692803367;
const PERIOD = 3;
const MARGIN = 5; // seconds between the last limit of the players and the round

/** How a signature is checked: by `../quicknet.ts`, where that is loaded. The page is too small for it. */
export const pairing: { check: ((round: number, signature: string) => boolean) | null } = { check: null };

/** @returns when a shoe's round comes out, in microseconds */
const outAt = ({ beaconRound }: Shoe) => seconds(GENESIS + (beaconRound - 1) * PERIOD);

/** @returns the first round that comes out so many seconds after then, or later */
function roundAfter(at: number, delay: number): number {
  return Math.max(Math.ceil((Math.ceil(at / 1e6) + delay - GENESIS) / PERIOD), 0) + 1;
}

/** @returns how many seconds after a commitment the limits of its players are over, one after the other */
function limitsOf({ table, policy, roster }: Shoe): number {
  const { hash, cut, bet, seed } = policy;
  return Math.max(hash, cut) + (!table || table.game.many ? 0 : bet) + seed * roster.length + MARGIN;
}

/** @returns whether the round comes out after them: else nobody is named whose seed is missing by then */
export const outInTime = (shoe: Shoe) => outAt(shoe) >= shoe.at + seconds(limitsOf(shoe));

/** The round of a new shoe: at a table the one that its delay gives, or the limits of its players; not out yet. */
export function roundNamed(audit: Audit, shoe: Shoe, named: number | undefined) {
  const { table } = shoe;
  const delay = table?.beaconDelay;
  const expected = delay ? roundAfter(audit.at, Math.max(delay, limitsOf(shoe))) : undefined;
  if (table) audit.same("commitment", "beacon_round", expected, named);
  notOut(audit, shoe);
}

/** The present entry chooses something: nobody knows the round yet. */
export function notOut(audit: Audit, shoe: Shoe) {
  if (isOut(audit, shoe)) audit.fail("contributions", "at", `before round ${shoe.beaconRound}`, audit.entry.at);
}

/** Whether only the signature is missing for the seal. */
function awaitsBeacon({ beaconRound, stage, roster, waiting, seeds, playerPlaces }: Shoe): boolean {
  if (!beaconRound) return false;
  return stage === "hash" ? !roster.length : stage === "seed" && !waiting.length && (playerPlaces || seeds.size > 0);
}

/** @returns by when the signature is there; null where something else is waited for */
export const beaconDue = (shoe: Shoe): number | null => (awaitsBeacon(shoe) ? outAt(shoe) + HOUR : null);

/** Whether the round is out before the shoe is sealed: whoever knows it chooses nothing any more. */
export const isOut = (audit: Audit, shoe: Shoe) => shoe.beaconRound > 0 && !shoe.sealEntry && audit.at >= outAt(shoe);

/** A void for want of a beacon: hashes would come too late, or the signature did not come. */
export function lacksBeacon(audit: Audit, shoe: Shoe) {
  if (awaitsBeacon(shoe)) audit.mustHaveWaited(outAt(shoe), HOUR, "why");
  else if (!isOut(audit, shoe) || shoe.owesSeed) audit.fail("policy", "why", "no beacon yet", "beacon");
}

/** @param entry a seal */
export function sealBeacon(audit: Audit, shoe: Shoe, { beacon, beacon_signature: signature }: Entry) {
  const { chain, round, randomness, signature: unverified } = beacon ?? {};
  audit.same("contributions", "beacon", shoe.beacon, beacon && { chain, round });
  if (unverified !== undefined) audit.same("contributions", "beacon.randomness", sha256Hex(unverified), randomness);
  if (beacon) shoe.randomness = [chain, round, randomness];
  const { beaconRound } = shoe;
  audit.present("contributions", "beacon_signature", beaconRound > 0, signature);
  if (!beaconRound || signature === undefined) return;
  if (audit.at < outAt(shoe)) audit.fail("policy", "at", `after round ${beaconRound}`, audit.entry.at);
  if (!pairing.check) audit.beacons += 1;
  else if (!pairing.check(beaconRound, signature))
    audit.fail("contributions", "beacon_signature", `that of round ${beaconRound}`, signature);
  shoe.randomness ??= [QUICKNET, beaconRound, sha256Hex(signature)];
}
