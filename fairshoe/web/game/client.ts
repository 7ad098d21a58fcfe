// A shoe without a table over HTTP (docs/games.md): what the game's program does with the operator's token, and what a
// player does.

import { fromUtf8, InputError, toHex, VerificationError } from "../verifier/bytes.ts";
import { newKey } from "../verifier/fairshoe.ts";
import { canonicalText } from "../verifier/json.ts";
import { isSignedBy, parseNote, parseVerifierKey } from "../verifier/note.ts";
import { openEntries } from "../verifier/proven.ts";
import { STAGES } from "../verifier/stages.ts";
import { SeedKept, WrongReceipt } from "../player/errors.ts";
import { ask, chance, jsonOf, pause } from "../player/requests.ts";
import { hashOf } from "./committed.ts";
import { Opening } from "./opening.ts";
import type { VerifierKey } from "../verifier/note.ts";

/** A shoe as the service shows it: docs/openapi.json, ShoeState. */
export type ShoeState = Record<string, any>;

/** Seconds in which a change is waited for by one request, and milliseconds between two that could not wait. */
const LONG_POLL_SECONDS = 25;
const POLL_PAUSE = 500;
/** How often a checkpoint is asked for that holds what the house has said. */
const MAX_LOOKS = 5;

/** Requests to a house, with a token or without one. A changing one is sent again, and done once. */
export class Client {
  readonly address: string;
  readonly #token: string | null;

  /** @param address https://house.example; of another origin than the page's the house lists it in `--cors-origin` */
  constructor(address: string, token: string | null = null) {
    this.address = address.replace(/\/$/, "");
    this.#token = token;
  }

  async get(path: string): Promise<any> {
    return jsonOf(await this.#ask(path));
  }

  async post(path: string, body: object): Promise<any> {
    return jsonOf(await this.#ask(path, { method: "POST", body, key: chance() }));
  }

  async bytes(path: string): Promise<Uint8Array> {
    return (await this.#ask(path)).data;
  }

  async text(path: string): Promise<string> {
    return fromUtf8(await this.bytes(path), path);
  }

  /** @returns the state once its tag is another one, or null after a while; and the tag */
  async newer(path: string, tag: string): Promise<[state: any, tag: string]> {
    const headers: Record<string, string> = tag ? { "If-None-Match": tag } : {};
    const answer = await this.#ask(`${path}?wait=${LONG_POLL_SECONDS}`, { headers });
    return [answer.data.length ? jsonOf(answer) : null, answer.headers.get("ETag") ?? ""];
  }

  /**
   * Commit to a shoe (the operator); its `tokens` has each player's.
   * @param fields shoe, deck or labels, draws, policy, rules_hash, …
   */
  async createShoe(roster: readonly string[], fields: object): Promise<RemoteShoe> {
    const players = roster.map((player) => ({ player }));
    return new RemoteShoe(this, await this.post("/v1/shoes", { roster: players, ...fields }));
  }

  /** A shoe as this client's token sees it. */
  async shoe(name: string): Promise<RemoteShoe> {
    return new RemoteShoe(this, await this.get(pathOf(name)));
  }

  #ask(path: string, more: Parameters<typeof ask>[1] = {}) {
    return ask(this.address + path, { ...more, token: this.#token });
  }
}

const pathOf = (name: string) => `/v1/shoes/${encodeURIComponent(name)}`;

/** A shoe as it was seen last, and the operator's part: draw, show, reveal. */
export class RemoteShoe {
  readonly client: Client;
  readonly name: string;
  /** each player's, of a shoe that was created just now */
  readonly tokens: Readonly<Record<string, string>>;
  state: ShoeState;
  #tag = "";

  constructor(client: Client, state: ShoeState) {
    [this.client, this.name, this.tokens, this.state] = [client, state.shoe, state.tokens ?? {}, state];
  }

  /** Look at the shoe again. */
  async refresh(): Promise<ShoeState> {
    return (this.state = await this.client.get(pathOf(this.name)));
  }

  /** Look at the shoe again once it has changed, or after a while. */
  async wait(): Promise<ShoeState> {
    const before = this.#tag;
    const [state, tag] = await this.client.newer(pathOf(this.name), before);
    if (!state || tag === before) await pause(POLL_PAUSE);
    this.#tag = tag;
    return (this.state = state ?? this.state);
  }

  /**
   * Draw the next cards: in public, or hidden, to one player or to nobody; and tell named draws. Sent again with the
   * same `pos` after a crash, it gives the same cards.
   */
  async draw(
    count: number = 0,
    {
      pos = this.state.pos,
      to,
      hidden,
      draws,
    }: { pos?: number; to?: string; hidden?: boolean; draws?: readonly string[] } = {},
  ): Promise<ShoeState> {
    const drawn = await this.post("draw", { pos, count: count || undefined, to, hidden, draws });
    this.state = { ...this.state, pos: Math.max(this.state.pos, pos + count) };
    return drawn;
  }

  /** Show hidden cards of nobody; gives all that are shown, labels by position. */
  async show(...pos: number[]): Promise<Record<string, string>> {
    return (this.state = await this.post("show", { pos })).shown;
  }

  /** End the shoe: its key is published. */
  async reveal(): Promise<ShoeState> {
    return (this.state = await this.post("reveal", {}));
  }

  /** End a shoe to which nobody has sent a hash in time. */
  async void(): Promise<ShoeState> {
    return (this.state = await this.post("void", {}));
  }

  /** One of the routes below the shoe's. */
  post(what: string, fields: object): Promise<any> {
    return this.client.post(`${pathOf(this.name)}/${what}`, fields);
  }
}

/** What the signed log says of a shoe. */
interface SignedShoe {
  hashes: Record<string, string>;
  opens: string[];
  root: string | null;
}

/** A player's part. */
export class ShoeSeat {
  readonly shoe: RemoteShoe;
  readonly player: string;
  /** fresh for each shoe: store it, and give it again after a reload */
  readonly seed: Uint8Array;
  readonly commitment: string;
  /** the house's note about the key that signs them, then its answers: what `fairshoe-audit receipt` takes */
  readonly receipts: string[];
  readonly #key: string;
  readonly #receiptKey: VerifierKey;

  private constructor(shoe: RemoteShoe, seed: Uint8Array, key: string, note: string) {
    [this.shoe, this.seed, this.receipts, this.#key] = [shoe, seed, [note], key];
    [this.player, this.commitment] = [shoe.state.you.player, shoe.state.commitment];
    this.#receiptKey = vouchedKey(note, parseVerifierKey(key));
  }

  /**
   * @param client with the player's token
   * @param of seed: the one of an earlier visit; key: the house's verifier key, else the first that it shows
   */
  static async join(
    client: Client,
    name: string,
    { seed = newKey(), key }: { seed?: Uint8Array; key?: string } = {},
  ): Promise<ShoeSeat> {
    const shoe = await client.shoe(name);
    if (!shoe.state.you) throw new InputError("the token is no player's of this shoe", "token", "a token of `tokens`");
    const house = key ?? (await client.text("/v1/log/vkey")).trim();
    return new ShoeSeat(shoe, seed, house, await client.text("/v1/log/receipts"));
  }

  /**
   * Send what is waited for: the hash, with the cut of who may cut, or the seed.
   * @returns whether there was any
   * @throws SeedKept where the signed log does not show that the seed may be opened
   */
  async contribute(cut?: number): Promise<boolean> {
    const { expects } = (await this.shoe.refresh()).you;
    if (expects === "hash") await this.#send("hash", { hash: hashOf(this.seed), ...(cut !== undefined && { cut }) });
    if (expects === "seed") {
      const { hashes, opens } = await this.#signed();
      if (!Object.hasOwn(hashes, this.player) || hashes[this.player] !== hashOf(this.seed))
        throw kept(`the log has no hash of this seed for shoe ${this.shoe.name}`);
      if (opens[0] !== this.player) throw kept(`it is not ${this.player}'s turn in shoe ${this.shoe.name}`);
      await this.#send("seed", { seed: toHex(this.seed) });
    }
    return Boolean(expects);
  }

  /** Contribute until the shoe is sealed, or over. */
  async playUntilSealed(cut?: number): Promise<ShoeState> {
    while (["hash", "seed"].includes(this.shoe.state.stage)) if (!(await this.contribute(cut))) await this.shoe.wait();
    return this.shoe.state;
  }

  /**
   * The own hidden cards, each shown to be the one that the seal in the signed log bound.
   * @throws VerificationError
   */
  async hand(): Promise<Opening[]> {
    const known = (await this.#places()).length;
    const { cards } = await this.shoe.client.get(`${pathOf(this.shoe.name)}/hand`);
    const openings: Opening[] = cards.map((form: unknown) => new Opening(form));
    if (openings.length) {
      const { root } = await this.#signed();
      for (const opening of openings) opening.verify(root ?? "");
    }
    const places = await this.#places();
    if (openings.length < known || openings.some(({ pos }, i) => pos !== places[i]))
      throw new VerificationError("other cards than were drawn", "hand", places);
    return openings;
  }

  /** Show own hidden cards; gives all that are shown, labels by position. */
  async show(...pos: number[]): Promise<Record<string, string>> {
    await this.#send("show", { pos });
    return this.shoe.state.shown;
  }

  async #places(): Promise<number[]> {
    const { drawn } = await this.shoe.refresh();
    return drawn
      .filter(({ to }: ShoeState) => to === this.player)
      .flatMap(({ pos, hidden }: ShoeState) => Array.from({ length: hidden }, (_, i) => pos + i));
  }

  /** Send, and keep the receipt, which must say just that. */
  async #send(what: string, fields: object) {
    const { shoe, player } = this;
    shoe.state = await shoe.post(what, fields);
    const { receipt, now } = shoe.state;
    if (typeof receipt !== "string") throw new WrongReceipt("receipt", `the house gave no receipt of the ${what}`);
    this.receipts.push(receipt);
    const said = canonicalText({ v: 1, shoe: shoe.name, player, at: now, do: what, ...fields });
    if (textOf(receipt, this.#receiptKey) !== `fairshoe receipt v1\n${said}\n`)
      throw new WrongReceipt("receipt", `the receipt does not say that ${said} was sent`, {}, receipt);
  }

  /** The shoe as the newest checkpoint shows it, which has all that the last state told of. */
  async #signed(): Promise<SignedShoe> {
    const { name, client, state } = this.shoe;
    for (let look = 1; ; look++) {
      const { checkpoint, entries } = openEntries(await client.bytes(`${pathOf(name)}/proof`), this.#key);
      if (checkpoint.size >= state.log) return this.#follow(entries.map(({ entry }) => entry));
      if (look === MAX_LOOKS) throw kept(`no checkpoint holds yet what the house says of shoe ${name}`);
      await pause(POLL_PAUSE);
    }
  }

  #follow(entries: Record<string, any>[]): SignedShoe {
    let stage = "idle";
    let opens: string[] = [];
    const signed: SignedShoe = { hashes: {}, opens, root: null };
    for (const { kind, shoe, commitment, roster, hashes, player, cards_root } of entries) {
      if (kind === "deck") continue;
      const next = STAGES["no table"][stage]?.[kind];
      if (!next || shoe !== this.shoe.name) throw kept(`the entries about shoe ${this.shoe.name} cannot be followed`);
      if (kind === "shoe" && commitment !== this.commitment) throw kept(`the log has another commitment for ${shoe}`);
      if (kind === "shoe") opens = [...roster].reverse();
      if (kind === "seeds") [signed.hashes, opens] = [hashes, opens.filter((who) => Object.hasOwn(hashes, who))];
      if (kind === "opened" || kind === "lapse") opens = opens.filter((who) => who !== player);
      if (kind === "seal") signed.root = cards_root;
      stage = next;
    }
    return { ...signed, opens: stage === "seed" ? opens : [] };
  }
}

const kept = (why: string) => new SeedKept(why, "seed-too-early", {});

/** @returns the text of a note that has one signature, by that key; else "" */
function textOf(note: string, key: VerifierKey): string {
  const parsed = parseNote(note);
  return parsed.signatures.length === 1 && isSignedBy(parsed, key) ? parsed.text : "";
}

/** @returns the receipts' key that the house vouches for */
function vouchedKey(note: string, house: VerifierKey): VerifierKey {
  const [heading, key = "", ...rest] = textOf(note, house).split("\n");
  const found = heading === "fairshoe receipt key" && rest.length === 1 ? parseVerifierKey(key) : null;
  if (found?.name !== `${house.name}/receipt`)
    throw new VerificationError("the house vouches for no key of its receipts", "receipt key", `${house.name}/receipt`);
  return found;
}
