// A shoe without a table over HTTP (docs/games.md): what the game's program does with the operator's token, and what a
// player does.

import { fromHex, fromUtf8, InputError, toHex, VerificationError } from "../verifier/bytes.ts";
import { newKey } from "../verifier/fairshoe.ts";
import { canonicalText } from "../verifier/json.ts";
import { isSignedBy, parseNote, parseVerifierKey } from "../verifier/note.ts";
import { openEntries } from "../verifier/proven.ts";
import { STAGES } from "../verifier/stages.ts";
import { Problem, SeedKept, WrongReceipt } from "../player/errors.ts";
import { ask, chance, jsonOf, pause } from "../player/requests.ts";
import { drandQuicknet } from "./beacon.ts";
import { hashOf } from "./committed.ts";
import { Opening } from "./opening.ts";
import type { CreatedShoe, Drawn, NewShoe, ShoeState } from "../player/built/api.ts";
import type { VerifierKey } from "../verifier/note.ts";

/** Seconds in which a change is waited for by one request, and milliseconds between two that could not wait. */
const LONG_POLL_SECONDS = 25;
const POLL_PAUSE = 500;
/** How often a checkpoint is asked for that holds what the house has said. */
const MAX_LOOKS = 5;
/** Positions that a shoe has at most. */
const MAX_POSITIONS = 100_000;

/**
 * Requests to a house, with a token or without one. Each is sent again for a minute while no answer comes, a changing
 * one is done once; but one that only reads where the house has never answered.
 */
export class Client {
  readonly address: string;
  readonly token: string | null;
  /** whether the house has answered */
  #known = false;

  /** @param address https://house.example; of another origin than the page's the house lists it in `--cors-origin` */
  constructor(address: string, token: string | null = null) {
    this.address = address.replace(/\/$/, "");
    this.token = token;
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
   * Commit to a shoe (the operator); its `tokens` has each player's who brought no `token_sha256`.
   * @param players ids, or as the route takes them
   * @param fields deck or labels, and the others of the route
   */
  async createShoe(
    players: readonly (string | NewShoe["roster"][number])[],
    fields: Omit<NewShoe, "roster">,
  ): Promise<RemoteShoe> {
    const roster = players.map((player) => (typeof player === "string" ? { player } : player));
    return new RemoteShoe(this, await this.post("/v1/shoes", { roster, ...fields }));
  }

  /** A shoe as this client's token sees it. */
  async shoe(name: string): Promise<RemoteShoe> {
    return new RemoteShoe(this, await this.get(pathOf(name)));
  }

  async #ask(path: string, more: Parameters<typeof ask>[1] = {}) {
    const answer = await ask(this.address + path, { ...more, token: this.token, patient: this.#known });
    this.#known = true;
    return answer;
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

  constructor(client: Client, state: ShoeState & Partial<Pick<CreatedShoe, "tokens">>) {
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

  /** Look at the shoe until nothing is awaited of its second dealer. */
  async waitForPlacer(): Promise<ShoeState> {
    while (this.state.placer?.awaited) await this.wait();
    return this.state;
  }

  /**
   * Draw the next cards: in public, or hidden, to one player or to nobody; and tell named draws. Sent again with the
   * same `pos` after a crash, it gives the same cards. A second dealer is waited for.
   */
  async draw(
    count: number = 0,
    {
      pos = this.state.pos,
      to,
      hidden,
      draws,
    }: { pos?: number; to?: string; hidden?: boolean; draws?: readonly string[] } = {},
  ): Promise<Drawn> {
    const fields = { pos, count: count || undefined, to, hidden, draws };
    let drawn: Drawn;
    while ((drawn = await this.post("draw", fields)).awaited) {
      await this.refresh();
      await this.waitForPlacer();
    }
    this.state = { ...this.state, pos: Math.max(this.state.pos, pos + count) };
    return drawn;
  }

  /**
   * Gather all cards but those at positions that were drawn, and shuffle them anew; positions go on. Sent again with the
   * same `pos` after a crash it changes nothing.
   */
  async reshuffle(out: readonly number[] = [], { pos = this.state.pos }: { pos?: number } = {}): Promise<ShoeState> {
    return (this.state = await this.post("reshuffle", { pos, out }));
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

/** A card of one's own: where it was drawn, and the opening that shows it. */
export interface HandCard {
  pos: number;
  label: string;
  opening: Opening;
}

interface Joining {
  /** the one of an earlier visit */
  seed?: Uint8Array;
  /** the house's verifier key, else the first that it shows */
  key?: string;
  /** `localStorage`: seed, key, commitment and receipts survive a reload there */
  storage?: Pick<Storage, "getItem" | "setItem">;
}

/** A player's part. */
export class ShoeSeat {
  readonly shoe: RemoteShoe;
  readonly player: string;
  /** fresh for each shoe: without `storage` store it, and give it again after a reload */
  readonly seed: Uint8Array;
  readonly commitment: string;
  /** the house's note about the key that signs them, then its answers: what `fairshoe-audit receipt` takes */
  receipts: string[];
  /** the house's verifier key */
  readonly key: string;
  readonly #receiptKey: VerifierKey;
  readonly #storage: Joining["storage"];
  /** places of own cards, by position, as far as the signed log was asked */
  readonly #own: Map<number, number> = new Map();

  private constructor(shoe: RemoteShoe, player: string, { seed, key, storage }: Joining, house: string, note: string) {
    [this.shoe, this.player, this.receipts, this.#storage] = [shoe, player, [note], storage];
    const kept = this.#stored();
    this.seed = seed ?? (kept.seed ? fromHex(kept.seed) : newKey());
    [this.key, this.commitment] = [key ?? kept.key ?? house, kept.commitment ?? shoe.state.commitment];
    this.#receiptKey = vouchedKey(note, parseVerifierKey(this.key));
    this.#store();
  }

  /** @param client with the player's token */
  static async join(client: Client, name: string, joining: Joining = {}): Promise<ShoeSeat> {
    const shoe = await client.shoe(name);
    const { you } = shoe.state;
    if (!you) throw new InputError("the token is no player's of this shoe", "token", "a token of `tokens`");
    const [house, note] = [await client.text("/v1/log/vkey"), await client.text("/v1/log/receipts")];
    return new ShoeSeat(shoe, you.player, joining, house.trim(), note);
  }

  get #place(): string {
    return `fairshoe ${this.shoe.client.address} ${this.shoe.name} ${this.shoe.client.token}`;
  }

  #stored(): { seed?: string; key?: string; commitment?: string; receipts?: string[] } {
    return JSON.parse(this.#storage?.getItem(this.#place) ?? "{}");
  }

  /** Store what a reload would lose, beside the receipts of another tab. */
  #store() {
    const { key, commitment } = this;
    this.receipts = [...new Set([...(this.#stored().receipts ?? []), ...this.receipts])];
    const kept = { seed: toHex(this.seed), key, commitment, receipts: this.receipts };
    this.#storage?.setItem(this.#place, JSON.stringify(kept));
  }

  /**
   * Send what is waited for: the hash, with the cut of who may cut, or the seed. A hash that comes too late is none.
   * @returns whether there was any
   * @throws SeedKept where the signed log does not show that the seed may be opened, or a beacon's round is out too
   * early by this machine's clock
   */
  async contribute(cut?: number): Promise<boolean> {
    const { you, beacon, policy, roster } = await this.shoe.refresh();
    const expects = you?.expects;
    if (expects === "hash") {
      checkBeacon(beacon?.round, policy.seed * roster.length);
      try {
        await this.#send("hash", { hash: hashOf(this.seed), ...(cut !== undefined && { cut }) });
      } catch (error) {
        const late = error instanceof Problem && error.status === 409;
        if (!late || (await this.shoe.refresh()).you?.expects === expects) throw error;
      }
    }
    if (expects === "seed") {
      const { hashes, opens, round } = await this.#signed();
      checkBeacon(round);
      if (!Object.hasOwn(hashes, this.player) || hashes[this.player] !== hashOf(this.seed))
        throw kept(`the log has no hash of this seed for shoe ${this.shoe.name}`);
      if (opens[0] !== this.player) throw kept(`it is not ${this.player}'s turn in shoe ${this.shoe.name}`);
      await this.#send("seed", { seed: toHex(this.seed) });
    }
    return Boolean(expects);
  }

  /** Contribute until the shoe is sealed, or over. */
  async playUntilSealed(cut?: number): Promise<ShoeState> {
    while (["placer", "hash", "seed", "beacon"].includes(this.shoe.state.stage))
      if (this.shoe.state.placer?.awaited || !(await this.contribute(cut))) await this.shoe.wait();
    return this.shoe.state;
  }

  /**
   * The own hidden cards that no reshuffle gathered, each shown to be the one that the signed log bound, with a second
   * dealer at the place that it gave.
   * @throws VerificationError
   */
  async hand(): Promise<HandCard[]> {
    const known = (await this.#positions()).length;
    const { gathered } = this.shoe.state;
    const { cards } = await this.shoe.client.get(`${pathOf(this.shoe.name)}/hand`);
    const openings: Opening[] = cards.map((form: unknown) => new Opening(form));
    const own = await this.#positions();
    if (canonicalText(this.shoe.state.gathered) !== canonicalText(gathered)) return this.hand();
    const other = new VerificationError("other cards than were drawn", "hand", own);
    if (openings.length < known || own.length < openings.length) throw other;
    if (!openings.length && !gathered.length) return [];
    const { orders, placed } = await this.#signed();
    const signed = orders.slice(1, gathered.length + 1);
    if (canonicalText(signed) !== canonicalText(gathered))
      throw new VerificationError("other reshuffles than the log has", "gathered", signed);
    const places = await this.#places(own.slice(0, openings.length));
    for (const [i, opening] of openings.entries()) {
      const order = orders.findLast(({ pos }) => pos <= own[i]);
      opening.verify(order?.root ?? "");
      if (opening.pos !== (places[i] ?? -1) - (placed ? 0 : (order?.pos ?? 0))) throw other;
    }
    return openings.map((opening, i) => ({ pos: own[i], label: opening.label, opening }));
  }

  /**
   * Show own hidden cards; gives them, labels by position, each as its opening shows it.
   * @throws VerificationError where the house says that another card was shown
   */
  async show(...pos: number[]): Promise<Record<string, string>> {
    await this.shoe.waitForPlacer();
    const own = new Map((await this.hand()).map((card) => [card.pos, card.label]));
    await this.#send("show", { pos });
    const { shown } = this.shoe.state;
    const wrong = pos.find((each) => shown[each] !== own.get(each));
    if (wrong !== undefined)
      throw new VerificationError(`card ${wrong} is shown as ${shown[wrong]}`, "shown", own.get(wrong));
    return Object.fromEntries(pos.map((each) => [each, shown[each]]));
  }

  /**
   * The positions of the own hidden cards that a reshuffle gathered, as the house says now: they are no longer in the
   * hand, and the same labels may be dealt again.
   */
  async gathered(): Promise<number[]> {
    const own = await this.#positions();
    return this.#drawn().filter((pos) => !own.includes(pos));
  }

  /** The positions of the own hidden cards that were not gathered, as the house says now. */
  async #positions(): Promise<number[]> {
    const last = (await this.shoe.refresh()).gathered.at(-1);
    return this.#drawn().filter((pos) => !last || pos >= last.pos || last.out.includes(pos));
  }

  /** The positions of all cards that were drawn for this player. */
  #drawn(): number[] {
    const mine = this.shoe.state.drawn.filter(({ to }) => to === this.player);
    const count = mine.reduce((sum, { hidden = 0 }) => sum + Math.max(0, hidden), 0);
    if (!(count <= MAX_POSITIONS)) throw new VerificationError(`${count} cards`, "drawn", `at most ${MAX_POSITIONS}`);
    return mine.flatMap(({ pos, hidden = 0 }) => Array.from({ length: hidden }, (_, i) => pos + i));
  }

  /**
   * Where cards lie that the signed log has as drawn for this player: with a second dealer its places, else the
   * positions; nothing of other cards, which a house may have shown to somebody else too.
   */
  async #places(positions: number[]): Promise<(number | undefined)[]> {
    const found = this.#own;
    for (const position of positions) {
      if (found.has(position)) continue;
      const drawn = (await this.#entries(position)).find(({ kind }) => kind === "drawn");
      if (drawn?.to === this.player && drawn.shoe === this.shoe.name)
        for (let i = 0; i < drawn.hidden; i++) found.set(drawn.pos + i, drawn.placed?.places[i] ?? drawn.pos + i);
    }
    return positions.map((position) => found.get(position));
  }

  /** Send, and keep the receipt, which must say just that. */
  async #send(what: string, fields: object) {
    const { shoe, player } = this;
    shoe.state = await shoe.post(what, fields);
    const { receipt, now } = shoe.state;
    if (typeof receipt !== "string") throw new WrongReceipt("receipt", `the house gave no receipt of the ${what}`);
    this.receipts.push(receipt);
    this.#store();
    const said = canonicalText({ v: 1, shoe: shoe.name, player, at: now, do: what, ...fields });
    if (textOf(receipt, this.#receiptKey) !== `fairshoe receipt v1\n${said}\n`)
      throw new WrongReceipt("receipt", `the receipt does not say that ${said} was sent`, {}, receipt);
  }

  async #entries(pos?: number): Promise<Record<string, any>[]> {
    return openEntries(await this.proof(pos), this.key).entries.map(({ entry }) => entry);
  }

  /**
   * The proof of a card for `checkHand`, or of the shoe, under the newest checkpoint, which has all that the last state
   * told of.
   * @throws Problem where there is no such checkpoint yet
   */
  async proof(pos?: number): Promise<Uint8Array> {
    const { name, client, state } = this.shoe;
    const path = `${pathOf(name)}/proof${pos === undefined ? "" : `?pos=${pos}`}`;
    for (let look = 1; ; look++) {
      const file = await client.bytes(path);
      if (openEntries(file, this.key).checkpoint.size >= state.log) return file;
      const detail = `no checkpoint holds yet what the house says of shoe ${name}`;
      if (look === MAX_LOOKS) throw new Problem(0, { detail });
      await pause(POLL_PAUSE);
    }
  }

  /** The shoe as the signed log has it. */
  async #signed() {
    const entries = await this.#entries();
    let stage = "idle";
    let [opens, hashed, placed]: [string[], Record<string, string>, boolean] = [[], {}, false];
    let round: number | undefined;
    /** the roots that bind the cards, each from a position on, and which cards stayed out */
    const orders: { pos: number; out: number[]; root: string }[] = [];
    for (const entry of entries) {
      const { kind, shoe, commitment, roster, hashes, player, pos, out, cards_root, placer } = entry;
      if (kind === "deck" || kind === "placed") continue;
      const next = STAGES["no table"][stage]?.[kind];
      if (!next || shoe !== this.shoe.name) throw kept(`the entries about shoe ${this.shoe.name} cannot be followed`);
      if (kind === "shoe" && commitment !== this.commitment) throw kept(`the log has another commitment for ${shoe}`);
      if (kind === "shoe") [opens, placed, round] = [[...roster].reverse(), placer !== undefined, entry.beacon_round];
      if (kind === "seeds") [hashed, opens] = [hashes, opens.filter((who) => Object.hasOwn(hashes, who))];
      if (kind === "opened" || kind === "lapse") opens = opens.filter((who) => who !== player);
      if (kind === "seal" || kind === "gathered") orders.push({ pos: pos ?? 0, out: out ?? [], root: cards_root });
      stage = next;
    }
    return { hashes: hashed, opens: stage === "seed" ? opens : [], orders, placed, round };
  }
}

/** A house whose clock is slow could know the order, and then say that it heard no seed. */
function checkBeacon(round: number | undefined, limits = 0) {
  if (round !== undefined && drandQuicknet(round).time <= Date.now() / 1000 + limits)
    throw kept(`round ${round} is out by this machine's clock, or before the time limits are over`);
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
