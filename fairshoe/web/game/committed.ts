// The first half of a shoe's life: commit, pledge, contribute, seal. Between two calls publish what docs/embedding.md says.

import { fromHex, InputError, toHex } from "../verifier/bytes.ts";
import { checkDraws, commitment, newKey, transcript } from "../verifier/fairshoe.ts";
import { isCount, isHash, isId, must } from "../verifier/forms.ts";
import { sha256 } from "../verifier/hashes.ts";
import { beaconOf, drandQuicknet } from "./beacon.ts";
import { OTHER_SHOE, RuleError, Sealed } from "./sealed.ts";
import type { CheckSignature } from "../verifier/proof.ts";
import type { BeaconRound } from "./beacon.ts";

type Beacon = readonly [chain: string, round: number, randomness: string];

const NEXT_SHOE = "contribute to the next shoe";
const MAX_CONTRIBUTORS = 64;

/** The hash of a seed, as a player pledges it: SHA-256 in hex. */
export const hashOf = (seed: Uint8Array): string => toHex(sha256(seed));

/** What `keep` writes of a shoe before its seal, and the shoe of it. */
export let stateOf: (shoe: Committed) => Record<string, any>;
export let committedOf: (state: Record<string, any>) => Committed;

/** A shoe that is committed to and still takes contributions. */
export class Committed {
  readonly commitment: string;
  readonly shoe: string;
  readonly deck: readonly string[];
  readonly draws: Readonly<Record<string, number>>;
  /** the beacon's round that `commit` named */
  readonly promised: BeaconRound | null;
  #key: Uint8Array;
  #cut: number | null = null;
  #beacon: Beacon | null = null;
  #hashes: Map<string, string> = new Map();
  #struck: Set<string> = new Set();
  #opened: Map<string, Uint8Array> = new Map();
  #sealed = false;

  static {
    stateOf = (shoe) => {
      if (shoe.#sealed) throw new RuleError("the shoe is sealed", "shoe", "keep what `seal` returned");
      return {
        key: toHex(shoe.#key),
        shoe: shoe.shoe,
        deck: shoe.deck,
        draws: shoe.draws,
        cut: shoe.#cut,
        beacon: shoe.#beacon,
        promised: shoe.promised?.number ?? null,
        seeds: shoe.seeds.map(([who, seed]) => [who, toHex(seed)]),
        hashes: [...shoe.#hashes],
        struck: [...shoe.#struck].sort(),
        placer: null,
      };
    };
    committedOf = ({ key, shoe, deck, draws, promised, cut, beacon, hashes, struck, seeds }) => {
      const found = new Committed(fromHex(key), shoe, deck, draws, promised && drandQuicknet(promised));
      [found.#cut, found.#beacon, found.#struck] = [cut, beacon, new Set(struck)];
      found.#hashes = new Map(hashes);
      found.#opened = new Map(seeds.map(([who, seed]: [string, string]) => [who, fromHex(seed)]));
      return found;
    };
  }

  /** Use `commit`. */
  constructor(
    key: Uint8Array,
    shoe: string,
    deck: readonly string[],
    draws: Readonly<Record<string, number>>,
    promised: BeaconRound | null,
  ) {
    transcript({ key, shoe, deck });
    checkDraws(draws, deck.length);
    this.#key = key.slice();
    this.commitment = commitment(key);
    this.shoe = shoe;
    this.deck = [...deck];
    this.draws = { ...draws };
    this.promised = promised;
  }

  /** where it is fixed, else null */
  get cut(): number | null {
    return this.#cut;
  }

  /** The seeds that are known so far, in roster order. */
  get seeds(): [contributor: string, seed: Uint8Array][] {
    const roster = [...(this.#hashes.size ? this.#hashes : this.#opened).keys()];
    return roster.flatMap((who) => {
      const seed = this.#opened.get(who);
      return seed ? [[who, seed]] : [];
    });
  }

  /** All hashes, in roster order: publish them before the first seed is opened. */
  get pledges(): [contributor: string, sha256: string][] {
    return [...this.#hashes];
  }

  /** Who have pledged a seed and not opened it, in the order to ask them: the newest first, who so opens blind. */
  get opens(): string[] {
    return [...this.#hashes.keys()].reverse().filter((who) => !this.#opened.has(who));
  }

  /**
   * Take the SHA-256 of a seed, 64 hex digits. If somebody pledges, everybody who contributes does, before any seed is
   * known; the order of the pledges is the roster's. The same hash again changes nothing.
   * @throws RuleError too late, another hash of the same contributor, somebody else's hash
   */
  pledge(contributor: string, sha256: string): void {
    this.#stillOpen();
    const [hashes, late] = [this.#hashes, this.#opened.size > 0];
    rule(!late || hashes.size > 0, "a seed is known that nobody hashed", "pledge", NEXT_SHOE);
    must(isId(contributor), "contributor", ID_FORM);
    must(isHash(sha256), "sha256", "64 hex digits");
    if (hashes.get(contributor) === sha256) return;
    rule(!late, "the seeds are being opened", "pledge", NEXT_SHOE);
    rule(!this.#struck.has(contributor), `${contributor} is struck from this shoe`, "pledge", NEXT_SHOE);
    rule(!hashes.has(contributor), `${contributor} has sent another hash`, "pledge", "open the seed of that one");
    rule(
      ![...hashes.values()].includes(sha256),
      "somebody else has sent this hash",
      "pledge",
      "make a seed of your own",
    );
    rule(hashes.size < MAX_CONTRIBUTORS, `${MAX_CONTRIBUTORS} contributors are all`, "pledge", "use a beacon");
    hashes.set(contributor, sha256);
  }

  /**
   * Leave out somebody who has pledged a seed and does not open it.
   * @throws RuleError once any seed is open, and where nobody would remain: then the shoe is void
   */
  strike(contributor: string): void {
    this.#stillOpen();
    must(isId(contributor), "contributor", ID_FORM);
    rule(
      this.#hashes.has(contributor),
      `no hash of ${contributor} stands`,
      "strike",
      [...this.#hashes.keys()].join(" "),
    );
    rule(!this.#opened.size, "a seed is open: who knows it decides no roster any more", "strike", OTHER_SHOE);
    rule(this.#hashes.size > 1, "nobody would remain", "strike", OTHER_SHOE);
    this.#hashes.delete(contributor);
    this.#struck.add(contributor);
  }

  /**
   * Mix in one contributor's seed, 1 to 128 bytes. Without pledges the order of the calls is the roster's order.
   * The same pledged seed again changes nothing.
   * @throws InputError it is not the one that was hashed
   * @throws RuleError no hash of this contributor stands, or another one opens first (`opens`)
   */
  contribute(contributor: string, seed: Uint8Array): void {
    this.#stillOpen();
    const others = this.seeds.filter(([who]) => this.#hashes.size === 0 || who !== contributor);
    transcript({ key: this.#key, shoe: this.shoe, deck: ["-"], seeds: [...others, [contributor, seed]] });
    if (this.#hashes.size) {
      const hash = this.#hashes.get(contributor);
      rule(hash !== undefined, `no hash of ${contributor} stands`, "contribute", NEXT_SHOE);
      if (hashOf(seed) !== hash)
        throw new InputError(
          `it hashes to ${hashOf(seed)}`,
          "seed",
          `the seed of ${hash}`,
          "hash bytes, not their hex",
        );
      if (this.#opened.has(contributor)) return;
      const [first] = this.opens;
      rule(first === contributor, `${first} opens first`, "contribute", `ask ${first} first`);
    }
    this.#opened.set(contributor, seed.slice());
  }

  /**
   * Cut at `at` (0 … n−1), before any seed is known.
   * @throws RuleError later, or another cut stands
   */
  fixCut(at: number): void {
    this.#stillOpen();
    this.#checkCut(at);
    if (this.#cut === at) return;
    rule(this.#cut === null, "the cut is fixed", "fixCut", "leave it out");
    rule(!this.#opened.size, "a seed is known: the cut comes too late", "fixCut", OTHER_SHOE);
    this.#cut = at;
  }

  /** Mix in the round of a beacon that was named at the commitment, of any beacon; nothing verifies it. */
  addBeacon(chain: string, round: number, randomness: string): void {
    this.#stillOpen();
    rule(!this.promised, "the commitment names a round", "addBeacon", "pass its signature to seal");
    rule(!this.#beacon, "a beacon's round stands", "addBeacon", "leave it out");
    transcript({ key: this.#key, shoe: this.shoe, deck: ["-"], beacon: [chain, round, randomness] });
    this.#beacon = [chain, round, randomness];
  }

  /**
   * Fix the order. Nothing is contributed afterwards.
   * @param of cut: 0 … n−1, or where `fixCut` said; signature: of the beacon's round that `commit` named, in hex, which
   * `check` verifies
   * @throws VerificationError the signature is another's
   * @throws RuleError twice; a pledged seed is not open; the cut comes after the seeds; the signature is missing
   */
  seal({ cut, signature, check }: { cut?: number; signature?: string; check?: CheckSignature } = {}): Sealed {
    this.#stillOpen();
    const [waited] = this.opens;
    rule(
      waited === undefined,
      `the seed of ${waited} is pledged and not open`,
      "seal",
      `${OTHER_SHOE}, or wait for it`,
    );
    if (cut !== undefined) {
      this.#checkCut(cut);
      rule(this.#cut === null || cut === this.#cut, "the cut is fixed", "cut", "leave it out");
      rule(
        !cut || this.#cut !== null || !this.#hashes.size,
        "the cut comes too late",
        "cut",
        "call fixCut before any seed",
      );
    }
    const beacon = this.promised ? beaconOf(this.promised, signature, check) : this.#beacon;
    must(this.promised !== null || signature === undefined, "signature", "none: `commit` named no round");
    const { shoe, deck, draws, seeds } = this;
    const sealed = new Sealed({ key: this.#key, shoe, deck, draws, seeds, beacon, cut: cut ?? this.#cut ?? 0 });
    this.#sealed = true;
    return sealed;
  }

  #checkCut(at: number) {
    must(isCount(at) && at < this.deck.length, "cut", `0 to ${this.deck.length - 1}`);
  }

  #stillOpen() {
    rule(!this.#sealed, "the shoe is sealed", "shoe", OTHER_SHOE);
  }
}

const ID_FORM = "1 to 64 of A-Z a-z 0-9 . _ : / -";

function rule(holds: boolean, what: string, where: string, remedy: string): asserts holds {
  if (!holds) throw new RuleError(what, where, remedy);
}

/**
 * Commit to a shuffle of a deck: publish `commitment`, the deck, the draws and the beacon's round before anybody bets.
 * @param shoe its id
 * @param of draws: further numbers by name, with their exclusive upper bound; key: a fresh one is made if it is left
 * out; beacon: `drandQuicknet(round)`, a round that comes out after the last bet and seed
 */
export function commit(
  shoe: string,
  deck: readonly string[],
  {
    draws = {},
    key = newKey(),
    beacon = null,
  }: { draws?: Readonly<Record<string, number>>; key?: Uint8Array; beacon?: BeaconRound | null } = {},
): Committed {
  return new Committed(key, shoe, deck, draws, beacon && drandQuicknet(beacon.number));
}
