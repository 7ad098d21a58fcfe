#!/usr/bin/env node

// verifier/verify.ts
import { createReadStream, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, join as join2 } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

// verifier/bytes.ts
var encoder = new TextEncoder();
var decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
var HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
function toHex(bytes) {
  let text2 = "";
  for (const byte of bytes) text2 += HEX[byte];
  return text2;
}
function fromHex(text2, where = "hex") {
  if (typeof text2 !== "string" || !/^(?:[0-9a-f]{2})*$/.test(text2))
    throw new InputError(`${where} is no hex`, where, "two digits 0-9 a-f for each byte, lower case");
  const bytes = new Uint8Array(text2.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text2.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
function utf8(text2) {
  if (hasUnpaired(text2)) throw new InputError("a text has an unpaired surrogate", "text", "Unicode");
  return encoder.encode(text2);
}
var hasUnpaired = (text2) => /\p{Surrogate}/u.test(text2);
function fromUtf8(bytes, where = "text") {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError(`${where} is not UTF-8`, where, "UTF-8");
  }
}
function toBase64(bytes) {
  let text2 = "";
  for (const byte of bytes) text2 += String.fromCharCode(byte);
  return btoa(text2);
}
function fromBase64(text2, where = "base64") {
  const wrong = () => new InputError(`${where} is no base64`, where, "A-Z a-z 0-9 + /, padded with =");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text2) || text2.length % 4) throw wrong();
  const bytes = Uint8Array.from(atob(text2), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text2) throw wrong();
  return bytes;
}
function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
var equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
function compare(a, b) {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
var FairshoeError = class extends Error {
  name = "FairshoeError";
  what;
  where;
  expected;
  remedy;
  /** @param where the argument, field or place */
  constructor(what, where, expected = null, remedy = "") {
    super(what);
    this.what = what;
    this.where = where;
    this.expected = expected;
    this.remedy = remedy;
  }
};
var InputError = class extends FairshoeError {
  name = "InputError";
};
var NewerError = class extends FairshoeError {
  name = "NewerError";
  /** @param newest that is known */
  constructor(where, version, newest) {
    super(`written by a newer fairshoe: ${where} is of version ${version}`, where, newest, "take a newer verifier");
  }
};

// verifier/formats.ts
var BEGINNINGS = [
  ["1f8b", "a gzip file: unpack it with gunzip"],
  ["425a68", "a bzip2 file: unpack it with bunzip2"],
  ["28b52ffd", "a zstd file: unpack it with unzstd"],
  ["fd377a585a00", "an xz file: unpack it with unxz"],
  ["377abcaf271c", "a 7z file: unpack it with 7z x"],
  ["504b0304", "a zip file: unpack it with unzip"],
  ["89504e47", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["25504446", "a PDF"],
  ["fffe", "a text in UTF-16: save it as UTF-8"],
  ["feff", "a text in UTF-16: save it as UTF-8"],
  ["7b00", "a text in UTF-16: save it as UTF-8"]
];
function formatOf(file) {
  const hex = Array.from(file.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const text2 = new TextDecoder("latin1").decode(file.subarray(0, 512)).replace("ï»¿", "");
  const [, found2 = ""] = BEGINNINGS.find(([beginning]) => hex.startsWith(beginning)) ?? [];
  if (found2) return found2;
  if (text2.startsWith("ustar", 257)) return "a tar archive: unpack it with tar xf";
  return text2.trimStart().startsWith("<") ? "a web page, perhaps an error that was saved in its place" : "";
}

// verifier/json.ts
var LONGEST = 65535;
var DEEPEST = 64;
var canonicalText = (value2) => encode(value2, 0);
function parseCanonical(line, longest = LONGEST) {
  const { value: value2, text: text2 } = objectIn(line, longest);
  if (canonicalText(value2) !== text2)
    throw new InputError("the line is not canonical", "line", "what its object encodes to");
  return value2;
}
function parseInProfile(line) {
  const { value: value2, text: text2 } = objectIn(line, LONGEST);
  for (const [token] of text2.matchAll(TOKEN)) {
    if (/^[-0-9]/.test(token) && !(/^-?[0-9]+$/.test(token) && Number.isSafeInteger(Number(token))))
      throw new InputError("a number is no integer", "value", "an integer, |n| < 2^53");
  }
  if (isDeeper(value2, DEEPEST)) throw new InputError("nested too deeply", "value", `at most ${DEEPEST} levels`);
  return value2;
}
function kindIn(line) {
  try {
    const { value: value2 } = objectIn(line, LONGEST);
    return isDeeper(value2, DEEPEST) ? void 0 : value2.kind;
  } catch {
    return void 0;
  }
}
function isDeeper(value2, levels) {
  if (value2 === null || typeof value2 !== "object") return false;
  return !levels || Object.values(value2).some((part) => isDeeper(part, levels - 1));
}
function objectIn(line, longest) {
  if (line.length > longest) throw new InputError("the line is too long", "line", `at most ${longest} bytes`);
  const text2 = fromUtf8(line, "line");
  let value2;
  try {
    value2 = JSON.parse(text2);
  } catch {
    throw new InputError("the line is no JSON", "line", "one JSON object");
  }
  if (value2 === null || typeof value2 !== "object" || Array.isArray(value2))
    throw new InputError("the line is no object", "line", "one JSON object");
  return { text: text2, value: value2 };
}
function encode(value2, depth) {
  if (typeof value2 === "string") return text(value2);
  if (typeof value2 === "number") return integer(value2);
  if (value2 === null || typeof value2 === "boolean") return String(value2);
  if (depth >= DEEPEST) throw new InputError("nested too deeply", "value", `at most ${DEEPEST} levels`);
  if (Array.isArray(value2)) return `[${value2.map((item) => encode(item, depth + 1)).join(",")}]`;
  if (typeof value2 !== "object") throw new InputError("a value has no JSON", "value", "JSON");
  const fields = value2;
  return `{${Object.keys(fields).sort().map((name) => `${fieldName(name)}:${encode(fields[name], depth + 1)}`).join(",")}}`;
}
function text(value2) {
  const written = JSON.stringify(value2);
  if (written.includes("\\ud") && hasUnpaired(value2))
    throw new InputError("a text has an unpaired surrogate", "value", "Unicode");
  return written;
}
function integer(value2) {
  if (!Number.isSafeInteger(value2)) throw new InputError("a number is no integer", "value", "an integer, |n| < 2^53");
  return String(value2);
}
function fieldName(name) {
  if (!/^[\x00-\x7f]*$/.test(name)) throw new InputError("a name is not ASCII", "value", "ASCII");
  return JSON.stringify(name);
}
var TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"[\]{}:,]+|:/g;

// verifier/forms.ts
var MOST_BET = 2 ** 40;
var MOST_CHIPS = 2 ** 51;
var MOST_BETS = 64;
var isId = (value2) => typeof value2 === "string" && /^[A-Za-z0-9._:/-]{1,64}$/.test(value2);
var isLabel = (value2) => typeof value2 === "string" && value2 !== "" && value2.length <= 64 && !/[\u0000-\u001f\u007f-\u009f]/.test(value2) && !hasUnpaired(value2) && utf8(value2).length <= 64;
var isCount = (value2) => Number.isSafeInteger(value2) && Number(value2) >= 0 && !Object.is(value2, -0);
var isHex = (value2, least, most) => typeof value2 === "string" && /^(?:[0-9a-f]{2})*$/.test(value2) && value2.length >= 2 * least && value2.length <= 2 * most;
var isHash = (value2) => isHex(value2, 32, 32);
function decimal(text2, where = "number") {
  must(/^(?:0|[1-9][0-9]{0,15})$/.test(text2) && isCount(Number(text2)), where, "a decimal, 0 to 2^53 - 1");
  return Number(text2);
}
function must(holds2, where, expected, remedy = "") {
  if (!holds2) throw new InputError(`${where} is not as it has to be`, where, expected, remedy);
}
var is = (test) => (value2) => test(value2) ? null : "";
var oneOf = (...values) => is((value2) => values.includes(value2));
var upFrom = (least, most = Number.MAX_SAFE_INTEGER) => is((n) => Number.isSafeInteger(n) && n >= least && n <= most);
var listOf = (form, least = 1, most = Infinity) => (value2) => {
  if (!Array.isArray(value2) || value2.length < least || value2.length > most) return "";
  for (const [i, item] of value2.entries()) {
    const wrong = form(item);
    if (wrong !== null) return `[${i}]${wrong}`;
  }
  return null;
};
var mapOf = (isKey, form, least = 0) => (value2) => {
  if (!isObject(value2) || Object.keys(value2).length < least) return "";
  for (const [key2, item] of Object.entries(value2)) if (!isKey(key2) || form(item) !== null) return `.${key2}`;
  return null;
};
var isField = (fields, name) => Object.hasOwn(fields, name) || Object.hasOwn(fields, `${name}?`);
var objectOf = (fields, more = false) => (value2) => {
  if (!isObject(value2)) return "";
  for (const name of Object.keys(value2)) if (!more && !isField(fields, name)) return `.${name}`;
  for (const [name, form] of Object.entries(fields)) {
    const plain = name.replace("?", "");
    const there = Object.hasOwn(value2, plain);
    const wrong = there ? form(value2[plain]) : plain === name ? "" : null;
    if (wrong !== null) return `.${plain}${wrong}`;
  }
  return null;
};
var isObject = (value2) => value2 !== null && typeof value2 === "object" && !Array.isArray(value2);
var hexOf = (least, most) => is((text2) => isHex(text2, least, most));
var ID = is(isId);
var HASH = is(isHash);
var LABEL = is(isLabel);
var COUNT = is(isCount);
var TEXT = is((value2) => typeof value2 === "string");
var SEED = hexOf(1, 128);
var WHEN = is((text2) => microseconds(text2) !== null);
var SEAT = upFrom(1);
var FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d{3})(\d{3})Z$/;
function microseconds(text2) {
  const found2 = typeof text2 === "string" ? FORM.exec(text2) : null;
  if (!found2) return null;
  const milliseconds = Date.parse(`${found2[1]}.${found2[2]}Z`);
  if (Number.isNaN(milliseconds) || milliseconds < 0 || new Date(milliseconds).toISOString().slice(0, 19) !== found2[1])
    return null;
  return milliseconds * 1e3 + Number(found2[3]);
}
var momentText = (at) => new Date(at / 1e3).toISOString();
var seconds = (count2) => count2 * 1e6;
var HOUR = seconds(3600);
var DAY = 24 * HOUR;
var MONTH = 30 * DAY;
function placeUpTo(times, at) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = low + high >> 1;
    if (times[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
var OwnTime = class {
  /** where each longer gap begins, where it ends, and how long those before it stood still */
  begins;
  ends;
  before;
  still;
  constructor() {
    this.begins = [];
    this.ends = [];
    this.before = [];
    this.still = 0;
  }
  /** @param to two neighbouring entries */
  pass(from, to) {
    if (to - from <= HOUR) return;
    this.begins.push(from);
    this.ends.push(to);
    this.before.push(this.still);
    this.still += to - from - HOUR;
  }
  /** @returns what it was then */
  at(at) {
    const place = placeUpTo(this.begins, at);
    if (place < 0) return at;
    const gap = Math.min(at, this.ends[place]) - this.begins[place];
    return at - this.before[place] - Math.max(0, gap - HOUR);
  }
};

// verifier/hashes.ts
var primes = [];
for (let n = 2n; primes.length < 80; n++) if (primes.every((p) => n % p)) primes.push(n);
function fraction(p, power2) {
  const target = p << 64n * power2;
  let low = 0n;
  let high = 1n << 70n;
  while (high - low > 1n) {
    const middle = low + high >> 1n;
    if (middle ** power2 <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}
var squareRoots = primes.slice(0, 8).map((p) => fraction(p, 2n));
var cubeRoots = primes.map((p) => fraction(p, 3n));
var K = Int32Array.from(cubeRoots.slice(0, 64), (root) => Number(root >> 32n));
var START = Int32Array.from(squareRoots, (root) => Number(root >> 32n));
var words = new Int32Array(64);
function compress(state, bytes, at) {
  for (let i = 0; i < 16; i++, at += 4)
    words[i] = bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
    const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
    words[i] = words[i - 16] + s0 + words[i - 7] + s1 | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
    const t1 = h + s1 + (e & f ^ ~e & g) + K[i] + words[i] | 0;
    const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
    const t2 = s0 + (a & b ^ a & c ^ b & c) | 0;
    h = g;
    g = f;
    f = e;
    e = d + t1 | 0;
    d = c;
    c = b;
    b = a;
    a = t1 + t2 | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
function sha256(bytes, from = START, before2 = 0) {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 128;
  const bits = 8 * (before2 + bytes.length);
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bits / 2 ** 32);
  view.setUint32(padded.length - 4, bits);
  const state = from.slice();
  for (let at = 0; at < padded.length; at += 64) compress(state, padded, at);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}
var sha256Hex = (hex) => toHex(sha256(fromHex(hex)));
var MASK = 0xffffffffffffffffn;
var rotate = (x, n) => x >> n | x << 64n - n & MASK;
function sha512(bytes) {
  const padded = new Uint8Array(128 * Math.ceil((bytes.length + 17) / 128));
  padded.set(bytes);
  padded[bytes.length] = 128;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  let state = squareRoots;
  for (let at = 0; at < padded.length; at += 128) state = compress512(state, view, at);
  const hash = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => hash.setBigUint64(8 * i, word));
  return new Uint8Array(hash.buffer);
}
function compress512(state, view, at) {
  const words2 = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
  for (let i = 16; i < 80; i++) {
    const x = words2[i - 15];
    const y = words2[i - 2];
    const s0 = rotate(x, 1n) ^ rotate(x, 8n) ^ x >> 7n;
    const s1 = rotate(y, 19n) ^ rotate(y, 61n) ^ y >> 6n;
    words2.push(words2[i - 16] + s0 + words2[i - 7] + s1 & MASK);
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; i++) {
    const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n);
    const t1 = h + s1 + (e & f ^ ~e & MASK & g) + cubeRoots[i] + words2[i];
    const s0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n);
    const t2 = s0 + (a & b ^ a & c ^ b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, d + t1 & MASK, c, b, a, t1 + t2 & MASK];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => word + state[i] & MASK);
}
var Hmac = class {
  inner;
  outer;
  /** @param key of any length */
  constructor(key2) {
    const block = new Uint8Array(64);
    block.set(key2.length > 64 ? sha256(key2) : key2);
    const after = (pad) => {
      const state = START.slice();
      compress(
        state,
        block.map((byte) => byte ^ pad),
        0
      );
      return state;
    };
    this.inner = after(54);
    this.outer = after(92);
  }
  /** @returns 32 bytes */
  of(...parts) {
    return sha256(sha256(concat(...parts), this.inner, 64), this.outer, 64);
  }
};
var extract = (salt, material) => new Hmac(salt).of(material);
function* blocks(prk, info) {
  let last = new Uint8Array(0);
  for (let counter = 1; counter <= 255; counter++) yield last = prk.of(last, info, Uint8Array.of(counter));
}
var leafHash = (entry) => sha256(concat(Uint8Array.of(0), entry));
var nodeHash = (left, right) => sha256(concat(Uint8Array.of(1), left, right));
var Tree = class _Tree {
  size;
  peaks;
  constructor() {
    this.size = 0;
    this.peaks = [];
  }
  /** @param leaf a leaf hash */
  append(leaf) {
    let node = leaf;
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2) node = nodeHash(this.peaks.pop(), node);
    this.peaks.push(node);
    this.size++;
  }
  /** @returns one that grows by itself */
  copy() {
    return Object.assign(new _Tree(), { size: this.size, peaks: [...this.peaks] });
  }
  /** @returns the tree head; of the empty tree the hash of nothing */
  root() {
    if (this.size === 0) return sha256(new Uint8Array(0));
    return this.peaks.reduceRight((right, left) => nodeHash(left, right));
  }
};
function rootOf(entries) {
  const tree = new Tree();
  for (const entry of entries) tree.append(leafHash(entry));
  return tree.root();
}
function rootsFromPath(leaf, index, size, path2) {
  if (index < 0 || index >= size) return null;
  let [node, upto] = [leaf, leaf];
  let [place, last] = [index, size - 1];
  for (const sibling of path2) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      [node, upto] = [nodeHash(sibling, node), nodeHash(sibling, upto)];
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)];
    } else node = nodeHash(node, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? [node, upto] : null;
}
var rootFromPath = (leaf, index, size, path2) => rootsFromPath(leaf, index, size, path2)?.[0] ?? null;
var half = (n) => Math.floor(n / 2);

// verifier/cards.ts
var FRENCH = {
  name: "french",
  pack: [..."cdhs"].flatMap((suit) => [..."A23456789TJQK"].map((rank2) => rank2 + suit)),
  values: { A: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, T: 10, J: 10, Q: 10, K: 10 }
};
var packsOf = ({ pack }, packs) => Array.from({ length: packs }, () => pack).flat();
var deckHash = (deck) => toHex(sha256(utf8(deck.map((label) => `${label}
`).join(""))));
function rank(label) {
  return label[0];
}
function value(label, values = FRENCH.values) {
  return values[rank(label)] ?? 0;
}
function count(labels, values) {
  let total = 0;
  let ace = false;
  for (const label of labels) {
    total += value(label, values);
    ace ||= rank(label) === "A";
  }
  const soft = ace && total + 10 <= 21;
  return { total: soft ? total + 10 : total, soft };
}
function isNatural(labels, values) {
  return labels.length === 2 && count(labels, values).total === 21;
}

// verifier/games/round.ts
var Wrong = class extends Error {
  check;
  field;
  expected;
  found;
  /** @param check which check of audit.md fails */
  constructor(check, field, expected, found2) {
    super(`${field}: ${JSON.stringify(expected)} expected, ${JSON.stringify(found2)} found`);
    this.check = check;
    this.field = field;
    this.expected = expected;
    this.found = found2;
  }
};
var Round = class {
  options;
  bets;
  dealer;
  house;
  pool;
  gifts;
  logged;
  decisions;
  pos;
  size;
  shoe;
  burns;
  values;
  cards;
  bank;
  /** offsets of cards that lie face down, and the seat that sees each: 0 for nobody */
  hidden;
  reshuffles;
  asked;
  /** void: the dealer of chinese had it dealt again (CH-24) */
  void;
  hands;
  /** chips that are not staked */
  purse;
  constructor(given) {
    this.options = given.options;
    this.bets = given.bets;
    this.dealer = given.dealer;
    this.house = given.house ?? 0;
    this.pool = given.pool;
    this.gifts = given.options.gift !== void 0;
    this.logged = given.cards;
    this.decisions = given.decisions;
    this.pos = given.pos;
    this.size = given.size;
    this.shoe = given.shoe;
    this.burns = given.burns;
    this.values = given.values ?? FRENCH.values;
    this.cards = [];
    this.bank = [];
    this.hidden = /* @__PURE__ */ new Map();
    this.reshuffles = [];
    this.asked = 0;
    this.void = false;
    this.hands = given.bets.map(newHand);
    this.purse = new Map(given.chips);
    for (const { seat, amount } of given.bets) this.pay(seat, -amount);
  }
  /** Cards that can still come: all that do not lie on the table (PO-10). */
  get drawable() {
    return this.shoe - this.cards.length;
  }
  /** @returns those that are not settled */
  get open() {
    return this.hands.filter((hand2) => !hand2.outcome);
  }
  /**
   * The next card.
   * @param to the offsets of a hand
   */
  draw(to) {
    if (this.pos >= this.size) {
      const gathered = this.drawable;
      if (gathered < 1) throw new Wrong("cards", "cards", "a card that is left", "none");
      this.reshuffles.push({ after: this.cards.length, cards: gathered });
      this.size = gathered;
      this.pos = this.burns && gathered > 1 ? 1 : 0;
    }
    const offset = this.cards.length;
    if (offset >= this.logged.length) throw new Wrong("cards", "cards", "one more card", this.logged.length);
    this.cards.push(this.logged[offset]);
    to.push(offset);
    this.pos += 1;
  }
  /**
   * The next card, face down.
   * @param seat who sees it; 0 for nobody
   */
  drawDown(to, seat) {
    this.draw(to);
    this.hidden.set(this.cards.length - 1, seat);
  }
  /** @param offsets cards that are turned up */
  show(offsets) {
    for (const offset of offsets) this.hidden.delete(offset);
  }
  /** Two circuits of one card each, the dealer last, whose second card lies face down. */
  deal() {
    for (const circuit of [1, 2]) {
      for (const hand2 of this.hands) this.draw(hand2.cards);
      if (circuit === 1) this.draw(this.bank);
      else this.drawDown(this.bank, 0);
    }
  }
  labels(offsets) {
    return offsets.map((offset) => this.cards[offset]);
  }
  valuesOf(offsets) {
    return this.labels(offsets).map((label) => value(label, this.values));
  }
  isNatural(offsets) {
    return isNatural(this.labels(offsets), this.values);
  }
  total(offsets) {
    return count(this.labels(offsets), this.values).total;
  }
  /** @param hand whether the purse has as much again beside what is staked (GE-11) */
  covers(hand2, amount = hand2.bet) {
    return (this.purse.get(hand2.seat) ?? 0) >= amount;
  }
  /** @param amount what its purse gets; of a stake below zero */
  pay(seat, amount) {
    if (!this.gifts || amount > 0) this.purse.set(seat, (this.purse.get(seat) ?? 0) + amount);
  }
  /** @param amount what the bank gets */
  bankGets(amount) {
    if (this.dealer) this.pay(this.dealer, amount);
    else if (this.gifts) this.pool += amount;
    else this.house += amount;
  }
  /**
   * Asks a seat, and takes its answer from the log; what is forced is not asked (GE-12).
   * @param moves what is legal
   */
  ask(seat, moves, ways = {}) {
    if (moves.length === 1 && !ways.always) return { seat, move: moves[0] };
    const decision = this.decisions[this.asked];
    if (!decision) throw new Wrong("decisions", `decisions[${this.asked}]`, { seat, moves }, void 0);
    const { move: move2, amount = 0, chosen = [] } = decision;
    const among = move2 === "reveal" ? ways.among ?? [] : [];
    const [least, most] = ways.amount?.[move2] ?? [0, 0];
    const fallback = ways.fallback ?? ["stand", "decline", "continue", "hit"].find((one) => moves.includes(one));
    const defaults = move2 === fallback && (move2 !== "reveal" || chosen.length === among.length);
    const must2 = (holds2, field, expected, found2) => {
      if (!holds2) throw new Wrong("decisions", `decisions[${this.asked}]${field}`, expected, found2);
    };
    must2(decision.seat === seat, ".seat", seat, decision.seat);
    must2(moves.includes(move2), ".move", moves, move2);
    must2(amount >= least && amount <= most && decision.amount !== 0, ".amount", [least, most], decision.amount);
    must2(
      move2 === "reveal" ? chosen.length > 0 && chosen.every((one) => among.includes(one)) : !decision.chosen,
      ".chosen",
      among,
      decision.chosen
    );
    must2(decision.by !== "table" || defaults, "", fallback, decision);
    this.asked += 1;
    return decision;
  }
  /**
   * Everybody's insurance, in turn, where the dealer shows an ace.
   * @param exact half the bet, or up to half of it
   */
  insure(exact) {
    if (rank(this.cards[this.bank[0]]) !== "A") return;
    for (const hand2 of this.hands) {
      const half2 = hand2.bet / 2;
      const most = exact && !this.covers(hand2, half2) ? 0 : Math.min(half2, this.purse.get(hand2.seat) ?? 0);
      if (most < 1) continue;
      const { move: move2, amount = 0 } = this.ask(hand2.seat, ["insure", "decline"], {
        amount: { insure: [exact ? half2 : 1, most] }
      });
      if (move2 !== "insure") continue;
      hand2.insured = amount;
      this.pay(hand2.seat, -amount);
    }
  }
  /** @param won insurance pays 2:1 */
  settleInsurance(won) {
    for (const hand2 of this.hands) {
      hand2.insurance = won ? 2 * hand2.insured : -hand2.insured;
      this.pay(hand2.seat, hand2.insured + hand2.insurance);
      this.bankGets(-hand2.insurance);
    }
  }
  /** Marks the naturals among the hands as dealt. */
  markNaturals() {
    for (const hand2 of this.hands) hand2.natural = this.isNatural(hand2.cards);
  }
  /** @param house whether the dealer has a natural: all else loses; a player's alone pays 3:2 */
  settleNaturals(house) {
    for (const hand2 of this.open) {
      if (house) this.settle(hand2, hand2.natural ? "push" : "lose", hand2.natural ? 0 : -hand2.bet);
      else if (hand2.natural) this.settle(hand2, "natural", hand2.bet / 2 * 3);
    }
  }
  /** @param hand one card more; over 21 it is lost at once */
  hit(hand2) {
    this.draw(hand2.cards);
    if (this.isBust(hand2)) this.settle(hand2, "bust", this.gifts ? 0 : -hand2.bet);
  }
  /** @param hand doubled: the stake for one card more, and no other */
  stakeDouble(hand2) {
    this.pay(hand2.seat, -hand2.bet);
    hand2.bet *= 2;
  }
  /**
   * Makes two hands of one; neither has its second card yet.
   * @returns the right one, which stands behind it
   */
  split(left) {
    this.pay(left.seat, -left.bet);
    const right = newHand({ seat: left.seat, amount: left.bet, box: left.box });
    this.show(left.cards);
    right.cards = left.cards.splice(1);
    left.split = right.split = true;
    this.hands.splice(this.hands.indexOf(left) + 1, 0, right);
    return right;
  }
  settle(hand2, outcome, net) {
    hand2.outcome = outcome;
    hand2.net = net;
    this.show(hand2.cards);
    this.pay(hand2.seat, (this.gifts ? 0 : hand2.bet) + net);
    this.bankGets(-net);
  }
  /** @param hand over 21 */
  isBust(hand2) {
    return this.total(hand2.cards) > 21;
  }
  /**
   * Settles the open hands against the dealer's total.
   * @param tie what equal totals are: "push", or "lose"
   */
  compare(tie) {
    const dealer = this.total(this.bank);
    for (const hand2 of this.open) {
      const own = this.total(hand2.cards);
      if (dealer > 21 || own > dealer) this.settle(hand2, "win", hand2.bet);
      else if (own === dealer && tie === "push") this.settle(hand2, "push", 0);
      else this.settle(hand2, "lose", -hand2.bet);
    }
  }
  /**
   * The dealer draws to 17.
   * @param softToo whether to a soft 17 as well
   * @param most cards
   */
  drawTo17(softToo, most = Infinity) {
    this.show(this.bank);
    for (; ; ) {
      const { total, soft } = count(this.labels(this.bank), this.values);
      if (this.bank.length >= most || total > 17 || total === 17 && !(soft && softToo)) return;
      this.draw(this.bank);
    }
  }
};
function playDealt(round, hand2, moves) {
  const on = (one) => {
    while (round.total(one.cards) < 21 && round.ask(one.seat, ["hit", "stand"]).move === "hit") round.hit(one);
  };
  const { move: move2 } = round.ask(hand2.seat, moves);
  if (move2 === "surrender") round.settle(hand2, "surrender", -hand2.bet / 2);
  if (move2 === "double") round.stakeDouble(hand2);
  if (move2 === "double" || move2 === "hit") round.hit(hand2);
  if (move2 === "hit") on(hand2);
  if (move2 !== "split") return;
  const pair = [hand2, round.split(hand2)];
  for (const one of pair) round.draw(one.cards);
  if (rank(round.cards[hand2.cards[0]]) !== "A") pair.forEach(on);
}
function newHand({ seat, amount, box }) {
  return {
    seat,
    box,
    bet: amount,
    cards: [],
    split: false,
    natural: false,
    outcome: "",
    net: 0,
    insured: 0,
    insurance: 0,
    short: 0,
    tier: 0
  };
}

// verifier/games/banker.ts
var banker = {
  name: "banker",
  deck: FRENCH,
  many: false,
  even: true,
  cover: 1,
  options: { packs: [1, 8], minimum: [2], maximum: ["minimum"] },
  chairs: () => [1, 1],
  draws: () => ({}),
  play(round) {
    round.deal();
    round.insure(true);
    round.markNaturals();
    const house = round.isNatural(round.bank);
    round.settleInsurance(house);
    round.settleNaturals(house);
    for (const hand2 of round.open) playDealt(round, hand2, firstMoves(round, hand2));
    for (const hand2 of round.open) {
      if (hand2.split && round.isNatural(hand2.cards)) round.settle(hand2, "natural", hand2.bet);
    }
    if (round.open.length) round.drawTo17(true);
    round.compare("push");
  }
};
function firstMoves(round, hand2) {
  const [left, right] = round.valuesOf(hand2.cards);
  const total = round.total(hand2.cards);
  const moves = ["hit", "stand", "surrender"];
  if (!round.covers(hand2)) return moves;
  if (total >= 9 && total <= 11) moves.push("double");
  if (left === right) moves.push("split");
  return moves;
}

// verifier/games/boxes.ts
var boxes = {
  name: "boxes",
  deck: FRENCH,
  many: false,
  even: true,
  cover: 1,
  boxes: 7,
  options: { packs: [4, 8], minimum: [2], maximum: ["minimum"] },
  chairs: () => [1, 7],
  draws: () => ({}),
  play(round) {
    round.deal();
    round.insure(true);
    round.markNaturals();
    for (const hand2 of [...round.hands]) {
      const [left, right] = round.valuesOf(hand2.cards);
      const more = round.covers(hand2) ? ["double", ...left === right ? ["split"] : []] : [];
      if (!hand2.natural) playDealt(round, hand2, ["hit", "stand", ...more]);
    }
    const house = round.isNatural(round.bank);
    round.settleInsurance(house);
    round.settleNaturals(house);
    if (round.open.length) round.drawTo17(false);
    round.compare("push");
  }
};

// verifier/games/casino.ts
var casino = {
  name: "casino",
  deck: FRENCH,
  many: true,
  even: true,
  cover: 1,
  cuts: "turn",
  options: { packs: [3, 8], minimum: [2], maximum: ["minimum"], insert: (options2) => [60, 26 * options2.packs - 16] },
  chairs: () => [1, 7],
  draws: (options2) => ({ cut: 52 * options2.packs, insert: 16 }),
  play(round) {
    round.deal();
    round.insure(false);
    round.markNaturals();
    const house = round.isNatural(round.bank);
    round.settleInsurance(house);
    round.settleNaturals(house);
    for (const hand2 of round.open)
      playFirst(
        round,
        hand2,
        round.covers(hand2),
        (one) => round.hit(one),
        () => {
        }
      );
    if (round.open.length) round.drawTo17(false);
    round.compare("push");
  }
};
function playFirst(round, hand2, covered2, hit, stop) {
  const [left, right] = round.labels(hand2.cards).map(rank);
  const total = round.total(hand2.cards);
  const moves = round.drawable ? ["hit", "stand"] : ["stand"];
  if (covered2 && round.drawable && total >= 9 && total <= 11) moves.push("double");
  if (covered2 && round.drawable > 1 && left === right) moves.push("split");
  const { move: move2 } = round.ask(hand2.seat, moves);
  if (move2 === "split") {
    const pair = [hand2, round.split(hand2)];
    for (const [i, one] of pair.entries()) {
      round.draw(one.cards);
      if (left !== "A") playOn(round, one, 2 - i, hit, stop);
    }
    return;
  }
  if (move2 === "double") {
    round.stakeDouble(hand2);
    round.drawDown(hand2.cards, 0);
  }
  if (move2 !== "hit") return stop(hand2);
  hit(hand2);
  playOn(round, hand2, 1, hit, stop);
}
function playOn(round, hand2, needed2, hit, stop) {
  while (!hand2.outcome) {
    const moves = round.drawable >= needed2 ? ["hit", "stand"] : ["stand"];
    if (round.ask(hand2.seat, moves).move === "stand") return stop(hand2);
    hit(hand2);
  }
}

// verifier/games/chinese.ts
var chinese = {
  name: "chinese",
  deck: FRENCH,
  many: false,
  even: false,
  cover: 3,
  // CH-05
  bank: "rotates",
  cuts: "right",
  options: {
    packs: [1, 2],
    minimum: [1],
    maximum: ["minimum"],
    rotation: ["three_rounds", "three_wins", "fixed"],
    first_dealer: [1, 64],
    direction: ["clockwise", "anticlockwise"],
    escape: [true, false],
    free_hand: [true, false],
    five_dragon_21_triple: [true, false],
    twenty_one_double: [true, false]
  },
  chairs: (options2) => [1, options2.packs * 10],
  draws: (options2) => ({ cut: 52 * options2.packs }),
  total: chineseTotal,
  play(round) {
    for (let circuit = 0; circuit < 2; circuit++) {
      round.drawDown(round.bank, round.dealer);
      for (const { cards, seat } of round.hands) round.drawDown(cards, seat);
    }
    specials(round);
    if (round.options.free_hand) freeHands(round);
    if (round.void) return;
    for (const hand2 of round.open) turnOf(round, hand2);
    if (round.open.length) dealerTurn(round);
  }
};
function chineseTotal(labels) {
  const totals = permitted(labels);
  const fit = totals.filter((total) => total <= 21);
  return fit.length ? Math.max(...fit) : Math.min(...totals);
}
function permitted(labels) {
  const ace = labels.length === 2 ? [11, 10] : labels.length === 3 ? [1, 10] : [1];
  let totals = [0];
  for (const label of labels) {
    const values = label[0] === "A" ? ace : [value(label)];
    totals = totals.flatMap((total) => values.map((one) => total + one));
  }
  return totals;
}
function specialOf(labels) {
  const aces = labels.filter((label) => label[0] === "A").length;
  if (aces === 2) return "ban-ban";
  if (aces === 1 && labels.some((label) => value(label) === 10)) return "ban-nag";
  return permitted(labels).includes(15) ? "15" : "";
}
function specials(round) {
  const house = specialOf(round.labels(round.bank));
  const worth = { "ban-ban": 3, "ban-nag": 2 };
  const escapes = (name) => round.options.escape && name === "15";
  const theirs = worth[house] ?? 0;
  for (const hand2 of round.hands) {
    const own = specialOf(round.labels(hand2.cards));
    const mine = worth[own] ?? 0;
    if (!mine && !theirs) continue;
    if (mine === theirs) round.settle(hand2, "push", 0);
    else if (mine ? escapes(house) : escapes(own)) round.settle(hand2, "escape", 0);
    else if (mine > theirs) round.settle(hand2, own, mine * hand2.bet);
    else round.settle(hand2, "lose", -theirs * hand2.bet);
    if (theirs || escapes(house) && mine) round.show(round.bank);
  }
}
function freeHands(round) {
  const stops = (cards, seat) => specialOf(round.labels(cards)) === "15" && round.ask(seat, ["continue", "stop"], { always: true }).move === "stop";
  for (const hand2 of round.open) if (stops(hand2.cards, hand2.seat)) round.settle(hand2, "free hand", 0);
  if (!round.open.length || !stops(round.bank, round.dealer)) return;
  round.void = true;
  for (const hand2 of round.open) round.settle(hand2, "void", 0);
}
function turnOf(round, hand2) {
  for (; ; ) {
    const total = chineseTotal(round.labels(hand2.cards));
    if (hand2.cards.length === 5 && total <= 21) {
      return round.settle(hand2, "5-dragon", (total === 21 && round.options.five_dragon_21_triple ? 3 : 2) * hand2.bet);
    }
    const moves = total < 16 ? ["hit"] : total <= 20 ? ["hit", "stand"] : ["stand"];
    if (round.ask(hand2.seat, moves, { always: true }).move === "stand") return;
    round.drawDown(hand2.cards, hand2.seat);
  }
}
function dealerTurn(round) {
  const { options: options2 } = round;
  round.show(round.bank);
  while (round.open.length) {
    const total = chineseTotal(round.labels(round.bank));
    const seats = round.open.map(({ seat }) => seat).sort((a, b) => a - b);
    if (round.bank.length === 5 && total <= 21) {
      const times = total === 21 && options2.five_dragon_21_triple ? 3 : 2;
      for (const hand2 of round.open) round.settle(hand2, "lose", -times * hand2.bet);
    } else if (total >= 21) {
      for (const hand2 of round.open) revealHand(round, hand2, total);
    } else {
      const answer = total < 16 ? { move: "hit", chosen: [] } : round.ask(round.dealer, ["reveal", "hit"], { among: seats, always: true, fallback: "reveal" });
      if (answer.move === "hit") round.draw(round.bank);
      else for (const hand2 of round.open) if (answer.chosen?.includes(hand2.seat)) revealHand(round, hand2, total);
    }
  }
}
function revealHand(round, hand2, dealer) {
  const own = chineseTotal(round.labels(hand2.cards));
  const times = (total) => (total === 21 && round.options.twenty_one_double ? 2 : 1) * hand2.bet;
  if (own > 21) round.settle(hand2, dealer > 21 ? "push" : "bust", dealer > 21 ? 0 : -times(dealer));
  else if (dealer > 21 || own > dealer) round.settle(hand2, "win", times(own));
  else if (own === dealer) round.settle(hand2, "push", 0);
  else round.settle(hand2, "lose", -times(dealer));
}

// verifier/games/lounge.ts
var MOST_CARDS = 5;
var lounge = {
  name: "lounge",
  deck: FRENCH,
  many: false,
  even: false,
  cover: 0,
  pool: true,
  options: { packs: [6, 8], gift: [1, 9e3], fewest: [1, 61] },
  defaults: { fewest: 1 },
  chairs: () => [1, 61],
  draws: () => ({}),
  play(round) {
    const { bank } = round;
    for (const { cards } of round.hands) {
      round.draw(cards);
      round.draw(cards);
    }
    round.draw(bank);
    round.drawDown(bank, 0);
    round.markNaturals();
    for (const hand2 of round.hands) if (!hand2.natural) playGift(round, hand2);
    if (round.open.some((hand2) => !hand2.natural)) round.drawTo17(true, MOST_CARDS);
    const house = round.isNatural(bank);
    const total = round.total(bank);
    for (const hand2 of round.open) {
      const won = hand2.natural || total > 21 || round.total(hand2.cards) > total;
      const paid = house || !won ? 0 : Math.min(hand2.bet, round.pool);
      hand2.short = house || !won ? 0 : hand2.bet - paid;
      round.settle(hand2, house || !won ? "lose" : hand2.natural ? "natural" : "win", paid);
    }
  }
};
function playGift(round, hand2) {
  while (!hand2.outcome && hand2.cards.length < MOST_CARDS) {
    const fresh = hand2.cards.length === 2 && round.total(hand2.cards) <= 11;
    const { move: move2 } = round.ask(hand2.seat, fresh ? ["hit", "stand", "double"] : ["hit", "stand"]);
    if (move2 === "stand") return;
    if (move2 === "double") round.stakeDouble(hand2);
    round.hit(hand2);
    if (move2 === "double") return;
  }
}

// verifier/games/pontoon.ts
var pontoon = {
  name: "pontoon",
  deck: FRENCH,
  many: true,
  even: false,
  cover: 2,
  // PO-38
  bank: "changes",
  cuts: "anybody",
  burns: true,
  options: { packs: [1, 1], minimum: [1], maximum: ["minimum"], participants: [2, 14] },
  chairs: (options2) => [1, options2.participants],
  draws: () => ({ cut: 52 }),
  play(round) {
    const { bank, dealer } = round;
    for (const { cards, seat } of round.hands) round.drawDown(cards, seat);
    round.drawDown(bank, dealer);
    for (const { cards } of round.hands) round.draw(cards);
    round.draw(bank);
    round.markNaturals();
    const house = round.isNatural(bank);
    for (const hand2 of round.hands) {
      if (house) round.settle(hand2, "lose", hand2.natural ? -hand2.bet : -2 * hand2.bet);
      else if (hand2.natural) round.settle(hand2, "natural", 2 * hand2.bet);
    }
    const stop = (hand2) => {
      if (hand2.tier)
        round.settle(hand2, `${hand2.tier} cards`, 2 ** (hand2.tier - 4) * hand2.bet);
      else if (round.isBust(hand2)) round.settle(hand2, "bust", -hand2.bet);
    };
    const hit = (hand2) => {
      round.draw(hand2.cards);
      const name = specialName(round, hand2);
      if (name)
        round.settle(hand2, name, (name === "7-7-7" ? 3 : 2) * hand2.bet);
      else if (round.isBust(hand2)) stop(hand2);
      else if (hand2.cards.length >= 5) hand2.tier = hand2.cards.length;
    };
    for (const hand2 of round.open) playFirst(round, hand2, true, hit, stop);
    if (round.open.length) round.show(bank);
    while (round.open.length && round.total(bank) <= 21) {
      if (round.ask(dealer, round.drawable ? ["hit", "stand"] : ["stand"]).move === "stand") break;
      round.draw(bank);
    }
    round.compare("lose");
  }
};
function specialName(round, hand2) {
  const ranks = round.labels(hand2.cards).map(rank).sort().join("-");
  return ranks === "7-7-7" ? ranks : ranks === "6-7-8" ? "8-7-6" : "";
}

// verifier/games.ts
var GAMES = { banker, boxes, casino, chinese, lounge, pontoon };
var MOST_PACKS = 8;
function deckNamed(name) {
  const [, of, packs] = typeof name === "string" && /^([a-z]+):([1-9][0-9]*)$/.exec(name) || [];
  const game = Object.values(GAMES).find(({ deck }) => deck.name === of);
  return game ? { deck: game.deck, packs: Number(packs) } : null;
}
function cardsNamed(name) {
  const found2 = deckNamed(name);
  return found2 && found2.packs <= MOST_PACKS ? packsOf(found2.deck, found2.packs) : null;
}
function wrongOption(game, options2) {
  const { defaults = {} } = game;
  for (const name of Object.keys(options2)) if (!Object.hasOwn(game.options, name)) return name;
  return Object.keys(game.options).find((name) => {
    const later = Object.hasOwn(defaults, name);
    if (later && !Object.hasOwn(options2, name)) return false;
    return !fits(game.options[name], options2[name], options2) || later && options2[name] === defaults[name];
  });
}
function fits(rule, value2, options2) {
  const range = typeof rule === "function" ? rule(options2) : rule[0] === "minimum" ? [options2.minimum] : rule;
  if (typeof range[0] !== "number") return range.includes(value2);
  return Number.isInteger(value2) && Number(value2) >= range[0] && Number(value2) <= (range[1] ?? MOST_BET);
}

// verifier/note.ts
var ED25519 = 1;
var asSaved = (file) => `${new TextDecoder().decode(file).replaceAll("\r\n", "\n").replace(/(?<!\n)\n+$/, "")}
`;
function parseVerifierKey(text2) {
  const where = "verifier key";
  const [name, id, ...rest] = text2.trim().split("+");
  must(isKeyName(name) && rest.length > 0, where, "name+id+base64");
  const body = fromBase64(rest.join("+"), where);
  must(/^[0-9a-f]{8}$/.test(id), where, "an id of 8 hex digits");
  must(body.length === 33 && body[0] === ED25519, where, "an Ed25519 key that signs notes, and not a witness's");
  must(equal(keyId(name, body), fromHex(id)), where, "the id that follows from name and key", "it was changed");
  must(isPublicKey(body.subarray(1)), where, "a point of full order", "nobody can have made this key to sign with");
  return { name, id: fromHex(id), key: body.subarray(1) };
}
var keyId = (name, body) => sha256(concat(utf8(`${name}
`), body)).subarray(0, 4);
var isKeyName = (name) => name !== "" && !/[\s+\u0085]/.test(name);
function parseNote(note) {
  const whole = typeof note === "string" ? note : fromUtf8(note, "note");
  const end = whole.lastIndexOf("\n\n");
  must(end >= 0 && whole.endsWith("\n") && end + 2 < whole.length, "note", "a text, an empty line, signatures, LF");
  must(!/[\u0000-\u0009\u000b-\u001f]/.test(whole), "note", "no control character but LF");
  const lines = whole.slice(end + 2, -1).split("\n");
  return { text: whole.slice(0, end + 1), signatures: lines.map(parseSignature) };
}
function parseSignature(line) {
  const [dash, name, encoded, ...rest] = line.split(" ");
  must(
    dash === "—" && encoded !== void 0 && rest.length === 0 && isKeyName(name),
    "signature line",
    "— name base64"
  );
  const bytes = fromBase64(encoded, "signature line");
  must(bytes.length > 4, "signature line", "a key id and a signature");
  return { line, name, id: bytes.subarray(0, 4), bytes: bytes.subarray(4) };
}
function isSignedBy({ text: text2, signatures }, key2) {
  const own = signatures.filter(({ name, id }) => name === key2.name && equal(id, key2.id));
  return own.length > 0 && own.every(({ bytes }) => verifyEd25519(key2.key, utf8(text2), bytes));
}
function parseCheckpoint({ text: text2 }) {
  const [origin, size, root, ...rest] = text2.slice(0, -1).split("\n");
  must(origin !== "" && root !== void 0, "checkpoint", "origin, size, tree head");
  must(
    rest.every((line) => line !== ""),
    "checkpoint",
    "no empty line"
  );
  const head = fromBase64(root, "checkpoint's tree head");
  must(head.length === 32, "checkpoint's tree head", "32 bytes");
  return { origin, size: decimal(size, "checkpoint's size"), root: head };
}
function openCheckpoint(note, key2) {
  const parsed = parseNote(note);
  const checkpoint = parseCheckpoint(parsed);
  must(checkpoint.origin === key2.name, "checkpoint's origin", key2.name, "another log's checkpoint, or another key");
  if (!isSignedBy(parsed, key2))
    throw new InputError(
      "the checkpoint is not signed by this key",
      "checkpoint",
      `${key2.name}+${toHex(key2.id)}+${toBase64(concat(Uint8Array.of(ED25519), key2.key))}`
    );
  return checkpoint;
}
var P = 2n ** 255n - 19n;
var ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
var mod = (x) => (x % P + P) % P;
function power(base, exponent) {
  let result = 1n;
  for (let square = base; exponent > 0n; exponent >>= 1n, square = square * square % P)
    if (exponent & 1n) result = result * square % P;
  return result;
}
var D = mod(-121665n * power(121666n, P - 2n));
var TWICE_D = mod(2n * D);
var ROOT = power(2n, (P - 1n) / 4n);
var NEUTRAL = [0n, 1n, 1n, 0n];
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = (y1 - x1) * (y2 - x2) % P;
  const b = (y1 + x1) * (y2 + x2) % P;
  const c = TWICE_D * (t1 * t2 % P) % P;
  const d = 2n * z1 * z2 % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [e * f % P, g * h % P, f * g % P, e * h % P];
}
var number = (bytes) => bytes.reduceRight((value2, byte) => value2 << 8n | BigInt(byte), 0n);
function decode(bytes) {
  const value2 = number(bytes);
  const sign = value2 >> 255n;
  const y = value2 & 2n ** 255n - 1n;
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * power(v, 3n) * power(mod(u * power(v, 7n)), (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}
function encodePoint([x, y, z]) {
  const inverse = power(mod(z), P - 2n);
  return littleEndian(mod(y * inverse) | (mod(x * inverse) & 1n) << 255n);
}
var littleEndian = (value2) => Uint8Array.from({ length: 32 }, (_, i) => Number(value2 >> BigInt(8 * i) & 255n));
function isSmall(point) {
  for (let i = 0; i < 3; i++) point = add(point, point);
  return mod(point[0]) === 0n;
}
var BASE = decode(Uint8Array.from({ length: 32 }, (_, i) => i ? 102 : 88));
function isPublicKey(key2) {
  const point = key2.length === 32 ? decode(key2) : null;
  return point !== null && !isSmall(point);
}
var MAX_ANSWERS = 1e3;
var answers = /* @__PURE__ */ new Map();
function verifyEd25519(key2, message, signature) {
  if (key2.length !== 32 || signature.length !== 64) return false;
  const hash = sha512(concat(signature.subarray(0, 32), key2, message));
  const question = toHex(concat(key2, signature, hash));
  const answer = answers.get(question) ?? holds(key2, signature, hash);
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(question, answer);
  return answer;
}
function holds(key2, signature, hash) {
  const point = decode(key2);
  if (!point || isSmall(point)) return false;
  const r = signature.subarray(0, 32);
  const s = number(signature.subarray(32));
  if (s >= ORDER) return false;
  const k = number(hash) % ORDER;
  const minus = [P - point[0], point[1], 1n, P - point[3]];
  const both = add(BASE, minus);
  let sum = NEUTRAL;
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum);
    const [ofS, ofK] = [s >> bit & 1n, k >> bit & 1n];
    if (ofS | ofK) sum = add(sum, ofS ? ofK ? both : BASE : minus);
  }
  return equal(encodePoint(sum), r);
}

// verifier/placing.ts
var PLACING = "fairshoe/2 placing";
function isPlacerKey(text2) {
  try {
    const { name, id, key: key2 } = parseVerifierKey(String(text2));
    return isId(name) && text2 === `${name}+${toHex(id)}+${toBase64(concat(Uint8Array.of(1), key2))}`;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return false;
  }
}
var placerName = (key2) => key2.slice(0, key2.indexOf("+"));
var isPlayer = (placer) => placer === "player";
var Chain = class {
  about;
  key;
  steps;
  head;
  /**
   * @param of a log's shoe
   * @param placer as the shoe names it
   */
  constructor({ origin, shoe, commitment }, placer) {
    this.about = `${origin} ${shoe}
${placer.commitment}`;
    this.key = placer.key;
    this.steps = 0;
    this.head = sha256(
      utf8(
        `fairshoe placing v1
log ${origin}
shoe ${shoe}
commitment ${commitment}
placer ${placerName(placer.key)} ${placer.commitment}
`
      )
    );
  }
  /** @param since of what happened before it, in hex; "": nothing */
  step(line, since) {
    this.head = sha256(concat(this.head, utf8(`${since && `since ${since}
`}${line}
`)));
    this.steps += 1;
  }
  /** @returns how far it is: the lines that a note and a question have */
  get stand() {
    return `${this.about}
${this.steps}
${toHex(this.head)}
`;
  }
  /**
   * @param key the placer's, in hex, after the end
   * @returns the text that the placer signs
   */
  note(key2) {
    return `fairshoe placing v1
${this.stand}${key2 ? `key ${key2}
` : ""}`;
  }
  /**
   * @param signature in base64
   * @param key the placer's, in hex, after the end
   * @returns whether it is the placer's, under its note as it stands now
   */
  isSigned(signature, key2) {
    try {
      return isSignedBy(
        parseNote(`${this.note(key2)}
— ${placerName(this.key)} ${signature}
`),
        parseVerifierKey(this.key)
      );
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return false;
    }
  }
};
var sinceOf = (parts) => parts.length ? toHex(sha256(utf8(parts.map((part) => `${part}
`).join("")))) : "";

// verifier/shapes.ts
var LATER = {
  "table.placer": 2,
  "chips.placer": 2,
  "shoe.placer": 2,
  "seal.placed": 2,
  "reshuffle.cards_root": 2,
  "round.placed": 2,
  "bank.placed": 2,
  "placed": 2,
  "table.lounge.fewest": 2
};
function versionOf(entry) {
  const brought = Object.keys(LATER).filter((path2) => {
    const [kind, ...names] = path2.split(".");
    if (entry.kind !== kind) return false;
    if (kind !== "table" || !(names[0] in GAMES)) return has(entry, names);
    return entry.rules === names[0] && has(entry.options, names.slice(1));
  });
  return Math.max(1, ...brought.map((path2) => LATER[path2]));
}
function has(value2, [name, ...names]) {
  if (name === void 0) return true;
  if (Array.isArray(value2)) return value2.some((item) => has(item, [name, ...names]));
  return isObject(value2) && Object.hasOwn(value2, name) && has(value2[name], names);
}
function newerThan(v, where, newest = Math.max(1, ...Object.values(LATER))) {
  return typeof v === "number" && Number.isSafeInteger(v) && v > newest ? new NewerError(where, v, newest) : null;
}
var isDisplayName = (text2) => typeof text2 === "string" && /^[^\p{C}\p{Z}](?:(?:[^\p{C}\p{Z}]|[ \u200c\u200d])*[^\p{C}\p{Z}])?$/u.test(text2) && [...text2].length <= 64;
var WHOLE = is(Number.isSafeInteger);
var isAccount = (name) => /^(?:house|pool|[1-9][0-9]{0,2})$/.test(name);
var ACCOUNTS = mapOf(isAccount, WHOLE);
var SOME_ACCOUNTS = mapOf(isAccount, WHOLE, 1);
var YES = oneOf(true);
var SEATS = (value2) => {
  const wrong = listOf(SEAT)(value2);
  return wrong ?? (value2.every((n, i) => !i || value2[i - 1] < n) ? null : "");
};
var POLICY = objectOf({
  hash: upFrom(5, 3600),
  seed: upFrom(5, 3600),
  cut: upFrom(5, 3600),
  bet: upFrom(5, 3600),
  decision: upFrom(5, 3600),
  shoe: upFrom(86400, 2592e3)
});
var BET = objectOf({ "seat": SEAT, "amount": SEAT, "box?": SEAT });
var CUT = objectOf({ at: COUNT, by: ID });
var DECISION = objectOf({
  "seat": SEAT,
  "move": TEXT,
  "amount?": SEAT,
  "chosen?": SEATS,
  "by?": oneOf("table"),
  "at?": WHEN
});
var DECIDED = (value2) => DECISION(value2) ?? (value2.by === void 0 === (value2.at === void 0) ? null : ".at");
var DECISIONS = (least) => listOf(DECIDED, least);
var TABLES = (value2) => listOf(ID)(value2) ?? (new Set(value2).size === value2.length ? null : "");
var PLACER = is(isPlacerKey);
var PLACED = objectOf({ places: listOf(COUNT), signature: TEXT });
var KINDS = {
  table: {
    "table": ID,
    "rules": is((name) => Object.hasOwn(GAMES, name)),
    "options": is(isObject),
    "policy": POLICY,
    "placer?": is((key2) => isPlayer(key2) || isPlacerKey(key2))
  },
  chips: {
    "table": ID,
    "op": oneOf("buy-in", "cash-out", "transfer", "refund", "share"),
    "seat": SEAT,
    "player": ID,
    "amount": COUNT,
    "chips": ACCOUNTS,
    "to?": SEAT,
    "leaves?": YES,
    "name?": is(isDisplayName),
    "game?": SEAT,
    "by?": oneOf("house"),
    "placer?": PLACER,
    "why?": oneOf("round", "unfinished")
  },
  deck: { deck: HASH, part: SEAT, parts: SEAT, labels: listOf(LABEL) },
  shoe: {
    "shoe": ID,
    "deck": is((deck) => isHash(deck) || deckNamed(deck) !== null),
    "cards": SEAT,
    "commitment": HASH,
    "roster": listOf(ID, 0),
    "draws": mapOf(isId, upFrom(1, 2 ** 32)),
    "bank?": is((name) => typeof name === "string" && isAccount(name)),
    "chips?": SOME_ACCOUNTS,
    "memory?": mapOf((name) => /^[a-z]+$/.test(name), WHOLE, 1),
    "paid?": SEATS,
    "cutter?": ID,
    "purpose?": oneOf("bank"),
    "owes?": SEATS,
    "waits?": SEATS,
    "away?": SEATS,
    "policy?": POLICY,
    "beacon?": objectOf({ chain: hexOf(1, 64), round: COUNT }),
    "placer?": objectOf({ commitment: HASH, key: PLACER })
  },
  seeds: { "shoe": ID, "hashes": mapOf(isId, HASH, 1), "cut?": CUT, "unheard?": listOf(ID) },
  open: {
    "shoe": ID,
    "round": SEAT,
    "bets": listOf(BET, 0),
    "waived?": SEATS,
    "passed?": SEATS,
    "late?": SEATS,
    "unfunded?": listOf(SEAT),
    "uncovered?": listOf(BET)
  },
  opened: { "shoe": ID, "player": ID, "seed": SEED, "cut?": CUT },
  lapse: { shoe: ID, player: ID },
  late: { shoe: ID, player: ID, seed: SEED },
  seal: {
    "shoe": ID,
    "burn?": LABEL,
    "cards_root?": HASH,
    "placed?": PLACED,
    "beacon?": objectOf({
      "chain": hexOf(1, 64),
      "round": COUNT,
      "randomness": hexOf(1, 64),
      "signature?": hexOf(1, 1024)
    })
  },
  round: {
    "shoe": ID,
    "round": SEAT,
    "pos": COUNT,
    "cards": listOf(LABEL),
    "dealer": objectOf({ cards: listOf(COUNT), total: COUNT }),
    "decisions": DECISIONS(0),
    "chips": ACCOUNTS,
    "reshuffled?": listOf(COUNT),
    "placed?": PLACED,
    "hands": listOf(
      objectOf({
        "seat": SEAT,
        "bet": SEAT,
        "cards": listOf(COUNT),
        "total": COUNT,
        "outcome": TEXT,
        "net": WHOLE,
        "box?": SEAT,
        "insured?": SEAT,
        "insurance?": WHOLE,
        "short?": SEAT
      }),
      0
    )
  },
  reshuffle: {
    "shoe": ID,
    "round": SEAT,
    "k": SEAT,
    "after": COUNT,
    "cards": SEAT,
    "deck": HASH,
    "cut?": COUNT,
    "burn?": LABEL,
    "cards_root?": HASH
  },
  bank: {
    "table": ID,
    "why": oneOf("first", "rotation", "change", "gift", "sale"),
    "to": SEAT,
    "decisions?": DECISIONS(1),
    "price?": SEAT,
    "chips?": SOME_ACCOUNTS,
    "shoe?": ID,
    "cards?": listOf(LABEL),
    "placed?": PLACED
  },
  reveal: { shoe: ID, key: HASH, draws: mapOf(isId, COUNT), end: COUNT, why: oneOf("worn", "bank", "age", "left") },
  void: {
    "shoe": ID,
    "key": HASH,
    "why": oneOf("reshuffle", "close", "bank", "idle", "age", "seed"),
    "by?": ID,
    "round?": SEAT
  },
  lost: { "shoe": ID, "key?": HASH, "round?": SEAT },
  placed: { shoe: ID, key: HASH, steps: SEAT, signature: TEXT },
  close: { table: ID },
  start: {
    "tables?": TABLES,
    "continues?": is((text2) => typeof text2 === "string" && text2.length <= 4096),
    "lost?": listOf(objectOf({ "shoe": ID, "key?": HASH })),
    "copy?": COUNT,
    "unknown?": YES
  }
};
var isKind = (kind) => typeof kind === "string" && Object.hasOwn(KINDS, kind);
function wrongShape(entry) {
  const { v, kind, at, ...fields } = entry;
  if (!isKind(kind)) return { field: "kind", known: false };
  if (microseconds(at) === null) return { field: "at", known: false };
  const forms = KINDS[kind];
  const known = Object.keys(fields).filter((name) => isField(forms, name));
  const wrong = objectOf(forms)(Object.fromEntries(known.map((name) => [name, fields[name]])));
  if (wrong !== null) return { field: wrong.slice(1), known: false };
  const extra = Object.keys(fields).find((name) => !known.includes(name));
  return extra ? { field: extra, known: true } : v === versionOf(entry) ? null : { field: "v", known: true };
}

// verifier/stages.ts
var SOLE = "shoe (sole player)";
var FIRST_BANK = "bank (first)";
var STAGES = {
  "one round": {
    idle: { shoe: "hash", [SOLE]: "bet", bank: "idle" },
    hash: { seeds: "bet", void: "idle", lost: "idle", bank: "hash" },
    bet: { open: "seed", void: "idle", lost: "idle", bank: "bet" },
    seed: { opened: "seed", lapse: "seed", seal: "round", void: "idle", lost: "idle" },
    round: { reshuffle: "round", round: "over", lost: "idle" },
    over: { reveal: "idle", lost: "idle", bank: "over" }
  },
  "many rounds": {
    idle: { shoe: "hash", [SOLE]: "seed", bank: "idle" },
    hash: { seeds: "seed", void: "idle", lost: "idle", bank: "hash" },
    seed: { opened: "seed", lapse: "seed", seal: "bet", void: "idle", lost: "idle", bank: "seed" },
    bet: { open: "round", reveal: "idle", lost: "idle", bank: "bet" },
    round: { reshuffle: "round", round: "bet", lost: "idle" }
  },
  "first banker": {
    idle: { shoe: "hash" },
    hash: { seeds: "seed", void: "idle", lost: "idle" },
    seed: { opened: "seed", lapse: "seed", seal: "draw", void: "idle", lost: "idle" },
    draw: { [FIRST_BANK]: "over", lost: "idle" },
    over: { reveal: "idle", lost: "idle" }
  },
  "no table": {
    idle: { shoe: "hash" },
    hash: { seeds: "seed", seal: "over", void: "idle", lost: "idle" },
    seed: { opened: "seed", lapse: "seed", seal: "over", void: "idle", lost: "idle" },
    over: { reveal: "idle", lost: "idle" }
  }
};

// verifier/state.ts
var ABSENT = 2;
var payerKey = ({ game, seat, player }) => `${game}/${seat}/${player}`;
var Chair = class {
  seat;
  player;
  since;
  taken;
  chips;
  /** limits let pass in a row */
  missed;
  /** sat down after a void for a seed, and no seal since */
  fresh;
  /** when the player did something last */
  acted;
  /** the verifier key of a player who places */
  placer;
  /** @param since number of the entry, for the order of opening */
  constructor(seat, player, since, missed = 0) {
    this.seat = seat;
    this.player = player;
    this.since = since;
    this.taken = since;
    this.chips = 0;
    this.missed = missed;
    this.fresh = false;
    this.acted = 0;
    this.placer = "";
  }
  /** Whether nobody waits for it. */
  get absent() {
    return this.missed >= ABSENT;
  }
  /** @param at the player did something: whoever was not waited for is back */
  acts(at) {
    this.missed = 0;
    this.acted = at;
  }
};
var Table = class {
  id;
  game;
  options;
  policy;
  /** its placer's verifier key, "player", or "" */
  placer;
  chairs;
  house;
  pool;
  bank;
  memory;
  shoes;
  rounds;
  /** committed to, and neither revealed nor void */
  shoe;
  /** when the service started for this table and not for all */
  starts;
  /** when the bank came in question last: the table's beginning, its latest round, or bank entry */
  settled;
  /** the seeds that players owe, by shoe: their hashes */
  debts;
  /** lapses in a row */
  lapses;
  seedVoid;
  /** the seats that asked for a reshuffle since the last seal */
  asked;
  /** put out by the house: the place in the order of opening */
  evicted;
  /** casino: the seat whose turn it was to cut */
  turn;
  /** when it was closed; 0: it is open */
  closed;
  /** whether a shoe of it was */
  lost;
  /** lounge: since when the next payer is to get a part of a pool that nobody plays for */
  abandonedAt;
  /** lounge: who paid, and has a claim left, by game, seat and player */
  payers;
  /** lounge: who plays in this game, by seat; nobody else takes the chair of one who left */
  joined;
  constructor(entry, at) {
    this.id = entry.table;
    this.game = GAMES[entry.rules];
    this.options = { ...this.game.defaults, ...entry.options };
    this.policy = entry.policy;
    this.placer = entry.placer ?? "";
    this.chairs = /* @__PURE__ */ new Map();
    this.house = 0;
    this.pool = 0;
    this.bank = this.game.pool ? "pool" : "house";
    this.memory = this.game.pool ? { game: 0 } : {};
    this.shoes = 0;
    this.rounds = 0;
    this.shoe = void 0;
    this.starts = [];
    this.settled = at;
    this.debts = /* @__PURE__ */ new Map();
    this.lapses = /* @__PURE__ */ new Map();
    this.seedVoid = false;
    this.asked = /* @__PURE__ */ new Set();
    this.evicted = /* @__PURE__ */ new Map();
    this.turn = 0;
    this.closed = 0;
    this.lost = false;
    this.abandonedAt = 0;
    this.payers = /* @__PURE__ */ new Map();
    this.joined = /* @__PURE__ */ new Map();
  }
  /** Whether whoever sits here is the placer (log.md, "A player who places"). */
  get playerPlaces() {
    return isPlayer(this.placer);
  }
  /** @returns the verifier key of who places the next shoe, "" where nobody does */
  get placerKey() {
    return this.playerPlaces ? this.seated[0]?.placer ?? "" : this.placer;
  }
  /** @returns the first chair's number, and the last one's */
  get seats() {
    const [least, most] = this.game.chairs(this.options);
    return [least, this.playerPlaces ? least : most];
  }
  /** Whether a lounge game has begun and is not over. */
  get running() {
    return this.memory.started === 1 && this.pool > 0;
  }
  /** Whether a lounge game has been paid for and is not over. */
  get paidFor() {
    return this.joined.size > 0 && this.pool > 0;
  }
  /** @param chair whether it has a part in a game that it would lose with the chair (LO-04, LO-07) */
  playsFor(chair) {
    const payer = this.payer(this.memory.game, chair.seat, chair.player);
    const getsAll = this.running && chair.absent && this.sharers.length === 1;
    return this.paidFor && payer !== void 0 && !payer.refunded && !getsAll;
  }
  /** Whether the first deal of a lounge game waits for more players (LO-08). */
  get tooFew() {
    return !this.memory.started && this.paid.filter((seat) => this.chairs.has(seat)).length < this.options.fewest;
  }
  /**
   * @param at whether by then a closed table has had all its time for a game: it is not played on, and its pool is
   * refunded and not shared out any more
   */
  gameLapsed(at) {
    return this.closed > 0 && at > this.closed + MONTH;
  }
  /** @returns the seats that play in the game, or did before they were left */
  get paid() {
    return [...this.joined.keys()].sort((a, b) => a - b);
  }
  /** @returns of this game who have not got their share, by seat */
  get sharers() {
    return [...this.payers.values()].filter(({ game, shared }) => game === this.memory.game && !shared).sort((a, b) => a.seat - b.seat);
  }
  /** Whether every chair of the running game was left, so that its pool is to be shared (LO-04). */
  get abandoned() {
    return this.sharers.length > 0 && this.pool > 0 && !this.paid.some((seat) => this.chairs.has(seat));
  }
  payer(game, seat, player) {
    return this.payers.get(payerKey({ game, seat, player }));
  }
  /** @returns by seat */
  get seated() {
    return [...this.chairs.values()].sort((a, b) => a.seat - b.seat);
  }
  chairOf(player) {
    return [...this.chairs.values()].find((chair) => chair.player === player);
  }
  banks(chair) {
    return String(chair.seat) === this.bank;
  }
  /** The dealer's seat, or 0 where the house deals. */
  get dealer() {
    return /^[0-9]+$/.test(this.bank) ? Number(this.bank) : 0;
  }
  /** The lowest legal bet. */
  get lowest() {
    const { minimum } = this.options;
    return this.game.even && minimum % 2 ? minimum + 1 : minimum;
  }
  /** @param chair whether its chips are as much as the lowest bet can cost who bets it, or who banks */
  covers(chair) {
    return chair.chips >= this.lowest * this.game.cover;
  }
  /**
   * @param chair whether its lowest bet alone would be legal; in the lounge, whether it has joined a game that may be
   * dealt
   */
  couldBet(chair) {
    if (this.game.pool) return this.joined.get(chair.seat) === chair && !this.tooFew;
    if (this.banks(chair) || !this.covers(chair) || chair.chips > MOST_CHIPS) return false;
    const banker2 = this.chairs.get(this.dealer);
    if (!this.game.bank) return Math.abs(this.house) <= MOST_CHIPS;
    return banker2 !== void 0 && this.covers(banker2) && banker2.chips <= MOST_CHIPS;
  }
  /** Whether a first banker has to be found (PO-04, PO-38). */
  get bankless() {
    const banker2 = this.chairs.get(this.dealer);
    return this.game.bank === "changes" && this.chairs.size > 1 && !this.chairs.has(this.memory.entitled) && !(banker2 && this.covers(banker2));
  }
  /** @returns in acting order: clockwise from the dealer's left (GE-09) */
  acting(chairs) {
    const { dealer } = this;
    const back = this.options.direction === "anticlockwise";
    const turns = chairs.filter((chair) => chair.seat !== dealer).sort((a, b) => back ? b.seat - a.seat : a.seat - b.seat);
    const after = turns.filter((chair) => dealer && (back ? chair.seat < dealer : chair.seat > dealer));
    return [...after, ...turns.filter((chair) => !after.includes(chair))];
  }
  /** @returns every account */
  accounts() {
    const all = { house: this.house };
    if (this.game.pool) all.pool = this.pool;
    for (const chair of this.chairs.values()) all[chair.seat] = chair.chips;
    return all;
  }
  /** @param accounts what the log says they hold */
  adopt(accounts) {
    for (const [name, chips2] of Object.entries(accounts)) {
      if (name === "house") this.house = chips2;
      else if (name === "pool") this.pool = chips2;
      else {
        const chair = this.chairs.get(Number(name));
        if (chair) chair.chips = chips2;
      }
    }
  }
};
var LONGEST_LIMITS = { hash: 3600, seed: 3600, cut: 3600, bet: 3600, decision: 3600, shoe: 2592e3 };
var Shoe = class {
  id;
  table;
  entry;
  at;
  deck;
  size;
  commitment;
  roster;
  draws;
  /** what the key gives for them */
  drawn;
  cutter;
  /** the seat whose turn it is to cut */
  turn;
  first;
  policy;
  beacon;
  randomness;
  /** the chairs as they were taken at the commitment */
  chairs;
  banker;
  hashes;
  seeds;
  struck;
  waived;
  /** where somebody cut; else it is cut at the draw, if at all */
  cut;
  stepAt;
  sealedAt;
  sealed;
  burn;
  root;
  pos;
  deckSize;
  betting;
  dealt;
  bettingSince;
  bankMoved;
  /** the table was closed before its opening: it can only be void */
  closed;
  placer;
  /** the trees that end with its last entry before the seal, and with its newest */
  stands;
  /** the places that its placer gave */
  rows;
  /** those of the present deck */
  taken;
  /** the entry from which on the placer's chain cannot be followed */
  astray;
  /** of a proof of one hand: rounds were dealt from it that are not in the file */
  beyond;
  /** the entry that ends it could not be read */
  endUnread;
  course;
  stage;
  constructor(entry, index, at, table) {
    this.id = entry.shoe;
    this.table = table;
    this.entry = index;
    this.at = at;
    this.deck = entry.deck;
    this.size = entry.cards;
    this.commitment = entry.commitment;
    this.roster = entry.roster.slice(0, 64);
    this.draws = entry.draws;
    this.drawn = {};
    this.cutter = entry.cutter;
    this.turn = 0;
    this.first = entry.purpose === "bank";
    this.policy = table?.policy ?? entry.policy ?? LONGEST_LIMITS;
    this.beacon = entry.beacon;
    this.randomness = null;
    this.chairs = new Map(table?.chairs);
    this.banker = table?.chairs.get(table.dealer);
    this.hashes = /* @__PURE__ */ new Map();
    this.seeds = /* @__PURE__ */ new Map();
    this.struck = /* @__PURE__ */ new Set();
    this.waived = /* @__PURE__ */ new Set();
    this.cut = void 0;
    this.stepAt = at;
    this.sealedAt = 0;
    this.sealed = 0;
    this.burn = void 0;
    this.root = void 0;
    this.pos = 0;
    this.deckSize = this.size;
    this.betting = void 0;
    this.dealt = [];
    this.bettingSince = 0;
    this.bankMoved = false;
    this.closed = false;
    this.placer = null;
    const none = { size: 0, root: "" };
    this.stands = { unsealed: none, newest: none };
    this.rows = [];
    this.taken = /* @__PURE__ */ new Set();
    this.astray = null;
    this.beyond = false;
    this.endUnread = false;
    this.course = !table ? "no table" : this.first ? "first banker" : table.game.many ? "many rounds" : "one round";
    this.stage = this.begin();
  }
  /** @returns the entries that may follow, and the stage after each */
  get next() {
    return STAGES[this.course][this.stage] ?? {};
  }
  /** Goes on to the stage after an entry that stands in the log. */
  follow(entry) {
    this.stage = this.next[entry] ?? this.stage;
  }
  /** Goes to the stage after the commitment, when the chairs are known. */
  begin() {
    return this.stage = STAGES[this.course].idle[this.sole ? SOLE : "shoe"];
  }
  /** Whether its player is its placer, and sends neither hash nor seed. */
  get playerPlaces() {
    return this.table?.playerPlaces === true;
  }
  /** Whether one player alone makes its order, without a hash first. */
  get sole() {
    return this.playerPlaces || !!this.table && !this.table.game.many && this.roster.length === 1 && this.chairs.size === 1;
  }
  /** @returns contributors whose seeds are still to be opened */
  get waiting() {
    if (this.playerPlaces) return [];
    const contributors = this.sole ? this.roster : [...this.hashes.keys()];
    return contributors.filter((player) => !this.seeds.has(player) && !this.struck.has(player));
  }
  /** @returns who is dealt to where a first banker is found (PO-04) */
  get dealtTo() {
    const { table, roster, chairs } = this;
    return (table?.seated ?? []).filter(
      (chair) => roster.includes(chair.player) && chairs.get(chair.seat) === chair && table?.covers(chair)
    );
  }
  /** Whether its `seeds` stand; of a sole player, its `open`. */
  get begun() {
    return this.opening || this.stage === "bet" && !this.sole;
  }
  /** Whether the seeds are being opened, or are open: from now on the house could know the order. */
  get opening() {
    return this.stage !== "hash" && (this.stage !== "bet" || this.course !== "one round");
  }
  /** @param chair whether it has a seed in the shoe (or a hash, while they are not all open) */
  hasPart(chair) {
    if (this.struck.has(chair.player)) return false;
    const own = this.sole ? this.roster[0] === chair.player : this.hashes.has(chair.player);
    return own && this.chairs.get(chair.seat) === chair;
  }
};

// verifier/shuffle.ts
function transcript({
  shoe,
  deck,
  commitment,
  seeds = [],
  beacon = null,
  hash = deckHash(deck),
  placer = null
}) {
  const lines = [
    placer ? "fairshoe/2" : "fairshoe/1",
    `shoe ${shoe}`,
    `deck ${deck.length} ${hash}`,
    `commitment ${commitment}`
  ];
  if (placer) lines.push(`placer ${placer.join(" ")}`);
  for (const [who, seed] of seeds) lines.push(`seed ${who} ${toHex(seed)}`);
  if (beacon) lines.push(`beacon ${beacon.join(" ")}`);
  return lines.map((line) => `${line}
`).join("");
}
var reshuffled = (before2, k, deck) => `${before2}reshuffle ${k} ${deck.length} ${deckHash(deck)}
`;
function* stream(key2, transcript2, salt, suffix = "") {
  const prk = new Hmac(extract(utf8(salt), key2));
  const hash = sha256(utf8(transcript2));
  for (let chunk = 0; ; chunk++) yield* blocks(prk, concat(hash, utf8(`${suffix}chunk ${chunk}
`)));
}
var Words = class {
  blocks;
  block;
  at;
  /** How many words were discarded. */
  rejected;
  constructor(key2, transcript2, salt, suffix = "") {
    this.blocks = stream(key2, transcript2, salt, suffix);
    this.block = new DataView(new ArrayBuffer(0));
    this.at = 0;
    this.rejected = 0;
  }
  /** @returns the next word, 32 bits */
  next() {
    if (this.at === this.block.byteLength) {
      this.block = new DataView(this.blocks.next().value.buffer);
      this.at = 0;
    }
    this.at += 4;
    return this.block.getUint32(this.at - 4);
  }
  /**
   * @param m 1 to 2^32
   * @returns 0 … m − 1, each equally likely
   */
  uniform(m) {
    const limit = 2 ** 32 - 2 ** 32 % m;
    for (; ; ) {
      const word = this.next();
      if (word < limit) return word % m;
      this.rejected++;
    }
  }
};
var Shuffle = class {
  words;
  cards;
  cut;
  done;
  /**
   * @param n cards
   * @param cut 0 … n − 1
   */
  constructor(key2, transcript2, n, cut = 0, salt = "fairshoe/1 shuffle") {
    this.words = new Words(key2, transcript2, salt);
    this.cards = Uint32Array.from({ length: n }, (_, i) => i);
    this.cut = cut;
    this.done = 0;
  }
  /**
   * @param position in the dealt order
   * @returns the card there: its index in the deck before the shuffle
   */
  at(position) {
    const { cards } = this;
    const place = (position + this.cut) % cards.length;
    for (; this.done <= place && this.done < cards.length - 1; this.done++) {
      const other = this.done + this.words.uniform(cards.length - this.done);
      [cards[this.done], cards[other]] = [cards[other], cards[this.done]];
    }
    return cards[place];
  }
  /**
   * @param count at most n
   * @returns the first cards in the dealt order
   */
  first(count2) {
    return Array.from({ length: count2 }, (_, position) => this.at(position));
  }
};
var drawNamed = (key2, transcript2, name, below2) => new Words(key2, transcript2, "fairshoe/1 draw", `draw ${name}
`).uniform(below2);
function brokenSeries(names) {
  const series = /* @__PURE__ */ new Map();
  for (const name of names) {
    const found2 = /^(.*)\/([0-9]+)$/.exec(name);
    if (found2) series.set(found2[1], [...series.get(found2[1]) ?? [], found2[2]]);
  }
  for (const [prefix, numbers] of series)
    for (const number2 of numbers)
      if (String(Number(number2)) !== number2 || Number(number2) >= numbers.length) return `${prefix}/${number2}`;
  return null;
}
function* salts(key2, transcript2, salt = "fairshoe/1 opening") {
  for (const block of stream(key2, transcript2, salt)) {
    yield block.subarray(0, 16);
    yield block.subarray(16);
  }
  throw new RangeError("a stream has no end");
}
function cardsRoot(key2, transcript2, order) {
  const salt = salts(key2, transcript2);
  return rootOf(order.map((label) => leafOf(salt.next().value, label)));
}
var leafOf = (salt, label, number2) => concat(salt, Uint8Array.from(number2 === void 0 ? [] : [number2 >> 8, number2 & 255]), utf8(label));
function placedRoot(key2, transcript2, deck, shuffle) {
  const salt = salts(key2, transcript2, "fairshoe/2 opening");
  return rootOf(deck.map((_, pos) => leafOf(salt.next().value, deck[shuffle.at(pos)], shuffle.at(pos))));
}

// verifier/steps/placed.ts
var MISSING = -1;
var NAMED = ["shoe", "seeds", "opened", "lapse", "open", "seal", "round", "bank", "reveal", "void", "lost"];
function stand(audit) {
  const { kind, shoe: id } = audit.entry;
  const shoe = audit.shoes.get(id) ?? audit.unplaced.get(id)?.shoe;
  if (!shoe?.placer || !NAMED.includes(kind)) return;
  shoe.stands.newest = { size: audit.index + 1, root: audit.root };
  if (!shoe.sealed) shoe.stands.unsealed = shoe.stands.newest;
}
var told = ({ size, root }) => [String(size), root];
function transcriptOf(audit, shoe) {
  const { labels: deck, hash } = deckOf(audit, shoe);
  const seeds = shoe.roster.filter((player) => shoe.seeds.has(player)).map((player) => [player, fromHex(shoe.seeds.get(player) ?? "")]);
  const placer = shoe.placer && [placerName(shoe.placer.key), shoe.placer.commitment];
  return transcript({ shoe: shoe.id, deck, commitment: shoe.commitment, seeds, beacon: shoe.randomness, hash, placer });
}
var Asking = class {
  audit;
  shoe;
  chain;
  placed;
  next;
  rows;
  parts;
  text;
  round;
  /**
   * @param placer its own
   * @param deals a round, or a first banker's draw; else the card that is burned with a seal
   */
  constructor(audit, shoe, placer, entry, deals = true) {
    this.audit = audit;
    this.shoe = shoe;
    this.chain = placer.chain;
    this.placed = entry.placed ?? { places: [], signature: "" };
    this.next = this.placed.places.values();
    this.rows = [];
    this.parts = [];
    this.text = transcriptOf(audit, shoe);
    this.round = entry.round ?? 0;
    const begun2 = this.chain.steps > 0;
    if (!begun2) this.parts.push(...told(shoe.stands.unsealed));
    this.shuffle(shoe.size, this.text, shoe.root, !begun2);
    if (deals) this.parts.push(...told(shoe.stands.newest));
  }
  /** @returns what happened since the last step */
  since() {
    return sinceOf(this.parts.splice(0));
  }
  /**
   * @param root that binds the cards
   * @param steps whether it is a step
   */
  shuffle(size, text2, root, steps = true) {
    this.rows.push({ text: text2, size, start: 0, many: 0, given: [], entry: this.audit.index, round: this.round });
    if (!steps) return;
    this.shoe.taken.clear();
    this.chain.step(`shuffle ${size} ${toHex(sha256(utf8(text2)))} ${root}`, this.since());
  }
  card(place) {
    const row = this.rows.at(-1);
    if (!row.many) row.start = place;
    row.many += 1;
    const given = this.next.next().value ?? MISSING;
    if (given !== MISSING) row.given.push(given);
    if (this.shoe.taken.has(given) || given >= row.size)
      this.audit.fail("cards", "placed.places", "each place of the deck once", given);
    if (given !== MISSING) this.shoe.taken.add(given);
    this.chain.step(`card ${place} ${given}`, this.since());
  }
  /**
   * Follows a round as it is played.
   * @param reshuffles as the log has them
   */
  watch(round, { decisions }, reshuffles) {
    const { draw, ask } = round;
    round.draw = (to) => {
      const { length } = round.reshuffles;
      try {
        draw.call(round, to);
      } finally {
        if (round.reshuffles.length > length) this.reshuffled(round, reshuffles);
      }
      this.card(round.pos - 1);
    };
    round.ask = (seat, moves, ways) => {
      const { asked } = round;
      const decision = ask.call(round, seat, moves, ways);
      if (round.asked > asked) this.parts.push(canonicalText(decisions[asked]));
      return decision;
    };
  }
  reshuffled(round, reshuffles) {
    const lines = reshuffles.slice(0, round.reshuffles.length).map(({ k, cards, deck }) => `reshuffle ${k} ${cards} ${deck}
`);
    this.shuffle(round.size, this.text + lines.join(""), reshuffles[round.reshuffles.length - 1]?.cards_root);
    if (round.burns && round.size > 1) this.card(0);
  }
  /**
   * Holds what the entry shows against the steps.
   * @param played whether it could be followed to its end
   */
  judge(played) {
    const {
      audit,
      shoe,
      chain,
      placed: { places, signature }
    } = this;
    shoe.rows.push(...this.rows);
    if (shoe.astray !== null) return;
    const cards = this.rows.reduce((sum, { many }) => sum + many, 0);
    if (!played) {
      shoe.astray = audit.index;
    } else if (places.length !== cards) {
      audit.fail("cards", "placed", cards, places.length);
      shoe.astray = audit.index;
    } else if (audit.origin && !chain.isSigned(signature)) {
      audit.fail("cards", "placed.signature", toHex(chain.head), signature);
      shoe.astray = audit.index;
    }
  }
};
function isWhole({ placer, rows, dealt, burn }) {
  const burned = dealt.flatMap(({ reshuffles }) => reshuffles).filter((one) => one.burn !== void 0).length;
  const cards = dealt.reduce((sum, one) => sum + one.cards.length, burned + (burn === void 0 ? 0 : 1));
  return !placer || rows.reduce((sum, { given }) => sum + given.length, 0) >= cards;
}
function placeIn({ rows }, text2, place) {
  const row = rows.find((one) => one.text === text2 && one.start <= place && place < one.start + one.many);
  return row?.given[place - row.start];
}
function placedStep(audit, { shoe: id, key: key2, steps, signature }) {
  const over2 = audit.unplaced.get(id);
  if (!over2?.shoe.placer) return audit.fail("order", "shoe", "the placer's key of a shoe that is over, once", id);
  const { shoe } = over2;
  if (!shoe.playerPlaces) audit.mustNotDelay(over2.at, MONTH);
  const { chain, commitment } = over2.shoe.placer;
  if (audit.same("commitment", "key", commitment, sha256Hex(key2))) {
    if (shoe.astray === null && !shoe.beyond) {
      chain.step("end", sinceOf(told(shoe.stands.newest)));
      if (steps !== chain.steps) audit.fail(shoe.sealed ? "cards" : "completeness", "steps", chain.steps, steps);
      else if (audit.origin && !chain.isSigned(signature, key2))
        audit.fail("cards", "signature", toHex(chain.head), signature);
    }
    placesFit(audit, shoe, key2);
  }
  audit.unplaced.delete(id);
}
function placesFit(audit, shoe, key2) {
  const orders = /* @__PURE__ */ new Map();
  for (const { text: text2, size, start, given, entry, round } of shoe.rows) {
    if (shoe.astray !== null && entry >= shoe.astray) return;
    if (!orders.has(text2) && !audit.mayOrder(shoe.size)) return;
    const order = orders.get(text2) ?? new Shuffle(fromHex(key2), text2, size, 0, PLACING);
    orders.set(text2, order);
    given.forEach((found2, i) => {
      const wanted = start + i < size ? order.at(start + i) : null;
      if (wanted === found2) return;
      if (shoe.playerPlaces)
        audit.beside.add(`fault of a player: the places of shoe ${shoe.id} are not those of the player's key`);
      audit.fail("cards", `placed.places[${i}]`, wanted, found2, {
        entry,
        round,
        ...shoe.playerPlaces && { severity: "note" }
      });
    });
  }
}

// verifier/steps/rounds.ts
function reshuffleStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe?.betting) return;
  audit.same("order", "round", shoe.betting.round, entry.round);
  audit.present("shuffle", "cards_root", shoe.placer !== null, entry.cards_root);
  shoe.betting.reshuffles.push({ ...entry, entry: audit.index });
}
function roundStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe?.table || !shoe.betting) return;
  const { table, betting } = shoe;
  audit.rounds += 1;
  audit.same("order", "round", betting.round, entry.round);
  if (!audit.partial || !table.game.many) audit.same("cards", "pos", shoe.pos, entry.pos);
  audit.inTime(shoe, { decisions: entry.decisions.length });
  const round = begun(audit, shoe, entry);
  shoe.betting = void 0;
  shoe.follow("round");
  if (!round.bets.length) return audit.fail("order", "kind", "a bet that remains", "round");
  const { pos } = round;
  const asking = shoe.placer ? new Asking(audit, shoe, shoe.placer, entry) : null;
  asking?.watch(round, entry, betting.reshuffles);
  let played = false;
  try {
    table.game.play(round);
    played = round.asked === entry.decisions.length;
    compareRound(audit, table, round, entry);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    audit.fail(error.check, error.field, error.expected, error.found);
    audit.same("chips", "chips", chipsSaid(table, entry), entry.chips);
  }
  if (asking) asking.judge(played);
  else if (entry.placed) audit.fail("cards", "placed", null, entry.placed);
  sameReshuffles(audit, shoe, betting, round, entry);
  decisionsWaited(audit, table, entry, Math.max(betting.at, shoe.sealedAt));
  table.adopt(entry.chips);
  shoe.dealt.push({
    entry: audit.index,
    round: entry.round,
    pos,
    cards: entry.cards,
    reshuffles: betting.reshuffles.slice(0, round.reshuffles.length)
  });
  [shoe.pos, shoe.deckSize] = [round.pos, round.size];
  [table.settled, shoe.bettingSince, shoe.stepAt] = [audit.at, audit.at, audit.at];
  remember(table, round, entry);
}
function begun(audit, shoe, { pos, cards, decisions, chips: chips2, hands }) {
  const table = shoe.table;
  const { game } = table;
  if (audit.partial) before(table, chips2, hands);
  const { options: options2, dealer, house, pool, chairs } = table;
  return new Round({
    options: options2,
    dealer,
    house,
    pool,
    cards,
    decisions,
    size: shoe.deckSize,
    shoe: shoe.size,
    burns: game.burns === true,
    values: game.deck.values,
    bets: standingBets(shoe),
    pos: audit.partial && game.many ? pos : shoe.pos,
    chips: new Map([...chairs.values()].map((chair) => [chair.seat, chair.chips]))
  });
}
function before(table, chips2, hands) {
  table.adopt(chips2);
  const bank = table.chairs.get(table.dealer);
  for (const { seat, net, insurance = 0 } of hands) {
    const chair = table.chairs.get(seat);
    if (chair) chair.chips -= net + insurance;
    if (bank) bank.chips += net + insurance;
    else if (table.game.pool) table.pool += net;
    else table.house += net + insurance;
  }
}
var CHECKS = {
  bet: "decisions",
  seat: "cards",
  box: "cards",
  cards: "cards",
  total: "cards",
  insured: "decisions"
};
function compareRound(audit, table, round, entry) {
  audit.same("cards", "cards", round.cards, entry.cards);
  if (round.asked < entry.decisions.length)
    audit.fail("decisions", `decisions[${round.asked}]`, null, entry.decisions[round.asked]);
  const total = (cards) => totalOf(table, round, cards);
  audit.same("dealer", "dealer.cards", round.bank, entry.dealer.cards);
  audit.same("cards", "dealer.total", total(round.bank), entry.dealer.total);
  audit.same("cards", "hands", round.hands.length, entry.hands.length);
  for (const [i, hand2] of round.hands.entries()) {
    const { seat, bet, cards, outcome, net } = hand2;
    const insurance = hand2.insured ? { insured: hand2.insured, insurance: hand2.insurance } : {};
    const expected = { bet, seat, cards, total: total(cards), outcome, net, ...insurance };
    if (hand2.box !== void 0) expected.box = hand2.box;
    if (hand2.short) expected.short = hand2.short;
    const found2 = entry.hands[i] ?? {};
    for (const name of /* @__PURE__ */ new Set([...Object.keys(expected), ...Object.keys(found2)])) {
      audit.same(CHECKS[name] ?? "settlement", `hands[${i}].${name}`, expected[name], found2[name]);
    }
  }
  audit.same("chips", "chips", chipsIn(table, round), entry.chips);
}
function totalOf({ game }, round, cards) {
  return game.total ? game.total(round.labels(cards)) : round.total(cards);
}
function chipsIn({ bank, dealer }, { purse, hands, pool, house }) {
  const chips2 = { [bank]: dealer ? purse.get(dealer) ?? 0 : bank === "pool" ? pool : house };
  for (const { seat } of hands) chips2[seat] = purse.get(seat) ?? 0;
  return chips2;
}
function chipsSaid(table, { hands }) {
  const chips2 = {};
  const accounts = table.accounts();
  let won = 0;
  for (const { seat, net, insurance = 0 } of hands) {
    chips2[seat] = (chips2[seat] ?? accounts[seat] ?? 0) + net + insurance;
    won += net + insurance;
  }
  chips2[table.bank] = (accounts[table.bank] ?? 0) - won;
  return chips2;
}
function sameReshuffles(audit, shoe, betting, round, entry) {
  const burns = shoe.table?.game.burns === true;
  const after = round.reshuffles.map((one) => one.after);
  audit.same("shuffle", "reshuffled", after.length ? after : void 0, entry.reshuffled);
  audit.same("shuffle", "reshuffled", after.length, betting.reshuffles.length);
  for (const [i, made] of round.reshuffles.entries()) {
    const one = betting.reshuffles[i];
    if (!one) return;
    const where = { entry: one.entry };
    for (const name of ["after", "cards"]) audit.same("shuffle", name, made[name], one[name], where);
    audit.present("shuffle", "cut", burns, one.cut, where);
    audit.present("shuffle", "burn", burns && one.cards > 1, one.burn, where);
  }
}
function decisionsWaited(audit, table, { at, decisions }, since) {
  const end = microseconds(at) ?? 0;
  for (const [i, decision] of decisions.entries()) {
    const chair = table.chairs.get(decision.seat);
    const decided2 = microseconds(decision.at);
    if (decided2 === null) {
      chair?.acts(audit.at);
      continue;
    }
    const field = `decisions[${i}].at`;
    if (decided2 < since || decided2 > end) audit.fail("order", field, [momentText(since), at], decision.at);
    const least = Math.max(since, audit.startedAt(table, decided2)) + seconds(table.policy.decision);
    if (!chair?.absent && decided2 < least) audit.fail("policy", field, `not before ${momentText(least)}`, decision.at);
    since = Math.max(since, decided2);
    if (chair) chair.missed += 1;
  }
}
function remember(table, round, entry) {
  const { game, memory, options: options2 } = table;
  if (game.pool) {
    memory.started = 1;
    for (const { seat, net } of entry.hands) {
      const payer = table.payer(memory.game, seat, table.chairs.get(seat)?.player ?? "");
      if (payer) payer.won += net;
    }
  }
  const won = entry.hands.reduce((sum, hand2) => sum - hand2.net, 0);
  if (game.bank === "rotates" && !round.void) {
    if (options2.rotation === "three_rounds" || options2.rotation === "three_wins" && won > 0)
      memory.held = (memory.held ?? 0) + 1;
  }
  if (game.bank !== "changes") return;
  const natural = round.hands.find((hand2) => hand2.outcome === "natural");
  if (natural) memory.entitled = natural.seat;
}

// verifier/steps/bank.ts
function bankDue(table) {
  if (table.game.bank === "changes") return table.memory.entitled;
  return table.game.bank === "rotates" ? rotation(table) : void 0;
}
function rotation(table) {
  const { options: options2, memory, dealer, bank } = table;
  const holder = table.chairs.get(dealer);
  if (bank !== "house" && holder && table.covers(holder) && ((memory.held ?? 0) < 3 || options2.rotation === "fixed"))
    return void 0;
  const back = options2.direction === "anticlockwise";
  const left = dealer || memory.after;
  const from = left ?? options2.first_dealer;
  const distance = ({ seat }) => {
    const steps = back ? from - seat : seat - from;
    return steps < 0 || steps === 0 && left !== void 0 ? steps + 1e3 : steps;
  };
  return table.seated.filter((chair) => chair.seat !== dealer && table.covers(chair)).sort((a, b) => distance(a) - distance(b))[0]?.seat;
}
var BANK_FIELDS = {
  first: ["shoe", "cards"],
  rotation: [],
  change: ["decisions"],
  gift: ["decisions"],
  sale: ["decisions", "price", "chips"]
};
function bankStep(audit, entry) {
  const table = audit.table(entry.table);
  if (!table) return;
  const { why, to } = entry;
  const { shoe } = table;
  const unasked = table.chairs.size < 2;
  for (const name of ["shoe", "cards", "decisions", "price", "chips"])
    audit.present("syntax", name, BANK_FIELDS[why].includes(name) && !(unasked && name === "decisions"), entry[name]);
  if (why === "first") {
    if (!shoe || shoe.id !== entry.shoe) return audit.fail("order", "why", "a first banker's shoe that is sealed", why);
    return audit.inOrder(shoe, FIRST_BANK) ? found(audit, table, shoe, entry) : void 0;
  }
  if (shoe && audit.inOrder(shoe) && !shoe.dealt.length && table.bank !== "house")
    audit.fail("order", "kind", "a round, or the end of the shoe", "bank");
  const due = bankDue(table);
  if (why === "rotation") {
    if (table.game.bank !== "rotates") audit.fail("policy", "why", "a bank that rotates", why);
    audit.same("policy", "to", due, to);
    table.memory = { held: 0 };
  } else if (due === void 0 || table.game.bank !== "changes")
    audit.fail("policy", "why", "a seat that may have the bank", why);
  else decided(audit, table, due, entry);
  if (!table.chairs.has(to)) audit.fail("policy", "to", "a chair that is taken", to);
  delete table.memory.entitled;
  table.bank = String(to);
  table.settled = audit.at;
  if (!shoe) return;
  shoe.bankMoved = true;
  if (shoe.sealed) shoe.stepAt = audit.at;
}
function found(audit, table, shoe, entry) {
  const { cards = [], to } = entry;
  const seats = shoe.dealtTo.map(({ seat }) => seat);
  audit.inTime(shoe);
  const [lowest, ...others] = seats;
  const order = [...others, lowest];
  const jack = cards.findIndex((card) => card === "Js" || card === "Jc");
  const played = audit.same("cards", "cards", cards.length - 1, jack);
  if (shoe.placer) {
    const asking = new Asking(audit, shoe, shoe.placer, entry);
    for (const place of cards.keys()) asking.card(place);
    asking.judge(played);
  } else if (entry.placed) audit.fail("cards", "placed", null, entry.placed);
  audit.same("policy", "to", order[(cards.length - 1) % order.length], to);
  shoe.follow(FIRST_BANK);
  shoe.dealt.push({ entry: audit.index, pos: 0, cards, reshuffles: [] });
  shoe.pos = cards.length;
  [table.memory.entitled, table.bank] = [to, String(to)];
  [table.settled, shoe.stepAt] = [audit.at, audit.at];
}
function decided(audit, table, entitled, entry) {
  const { why, to, price } = entry;
  const decisions = entry.decisions ?? [];
  const [offer, answer] = decisions;
  const refused = answer?.move === "refuse";
  const before2 = table.accounts();
  const partner = offer?.chosen?.[0];
  const expected = table.chairs.size < 2 ? [] : [{ seat: entitled, move: offer?.move }];
  if (expected.length && (offer?.move === "give" || offer?.move === "sell")) {
    const other = table.chairs.get(partner);
    if (!other || partner === entitled)
      audit.fail("decisions", "decisions[0].chosen", "another chair that is taken", partner);
    expected[0].chosen = [partner];
    expected.push({ seat: partner, move: refused ? "refuse" : "agree" });
    if (offer.move === "sell") {
      expected[0].amount = offer.amount ?? 1;
      if (!refused) expected[1].amount = expected[0].amount;
      const most = highestPrice(table, before2[entitled] ?? 0, other?.chips ?? 0);
      if (!offer.amount || offer.amount > most) audit.fail("decisions", "decisions[0].amount", most, offer.amount);
    }
  } else if (expected.length) expected[0].move = "accept";
  audit.same(
    "decisions",
    "decisions",
    expected,
    decisions.map(({ by, at, ...choice }) => choice)
  );
  for (const { move: move2, by } of decisions)
    if (by && move2 !== "accept" && move2 !== "refuse")
      audit.fail("decisions", "decisions", "what the table decides by itself", move2);
  const name = expected.length < 2 || refused ? "change" : offer.move === "sell" ? "sale" : "gift";
  audit.same("policy", "why", name, why);
  audit.same("policy", "to", name === "change" ? entitled : partner, to);
  if (name === "sale") {
    audit.same("policy", "price", offer.amount, price);
    const [seller, buyer] = [table.chairs.get(entitled), table.chairs.get(partner)];
    if (seller && buyer) [seller.chips, buyer.chips] = [seller.chips + offer.amount, buyer.chips - offer.amount];
    sameAccounts(audit, table, { ...entry, chips: entry.chips ?? {} }, before2, []);
  }
  if (table.shoe && table.game.many)
    audit.mustNotDelay(table.settled + seconds(decisions.length * table.policy.decision));
  decisionsWaited(audit, table, { ...entry, decisions }, table.settled);
}
var highestPrice = ({ lowest, game }, seller, buyer) => Math.min(buyer - lowest * game.cover, MOST_CHIPS - seller);

// verifier/steps/commitments.ts
function placesOf(table, left, first) {
  const { seated: seated2, debts } = table;
  const here = seated2.filter((chair) => !left.includes(chair));
  const plays = (chair) => first ? table.covers(chair) : table.couldBet(chair);
  const owing = ({ player }) => (debts.get(player)?.shoes.size ?? 0) > 0;
  const fresh = (chair) => chair.fresh && !table.banks(chair);
  const settled2 = here.filter(({ player }) => !debts.has(player));
  const handedIn = here.filter((chair) => !owing(chair));
  const roster = [settled2.filter((chair) => !fresh(chair)), settled2].find((chairs) => chairs.some(plays)) ?? (handedIn.length ? handedIn : here);
  const places = { roster, owes: [], waits: [], away: [] };
  for (const chair of seated2) {
    if (!roster.includes(chair)) places[debts.has(chair.player) ? "owes" : fresh(chair) ? "waits" : "away"].push(chair);
  }
  return places;
}
function cuttersOf(table, known) {
  const { game, seated: seated2, turn } = table;
  if (game.cuts === "right") return table.acting(seated2).slice(-1);
  if (game.cuts !== "turn") return [];
  return known ? [seated2.find(({ seat }) => seat > turn) ?? seated2[0]] : seated2;
}
function nextToOpen(shoe) {
  const { table, waiting } = shoe;
  if (!table) return [...shoe.roster].reverse().find((player) => waiting.includes(player));
  const since = (player) => table.chairOf(player)?.since ?? -1;
  return waiting.sort((a, b) => since(b) - since(a))[0];
}
var MOST_LABELS = 65536;
var NOBODY = "";
function deckStep(audit, { deck, part, parts, labels }) {
  const begun2 = audit.decks.get(deck) ?? { parts: 0, of: parts, labels: [], hash: "" };
  audit.same("order", "part", begun2.parts + 1, part);
  audit.same("order", "parts", begun2.of, parts);
  begun2.parts = part;
  if (begun2.labels.length + labels.length > MOST_LABELS)
    return audit.fail("commitment", "labels", MOST_LABELS, begun2.labels.length + labels.length);
  begun2.labels.push(...labels);
  audit.decks.set(deck, begun2);
  if (part === parts) audit.same("commitment", "deck", begun2.hash = deckHash(begun2.labels), deck);
}
function shoeStep(audit, entry) {
  const { shoe: id, commitment } = entry;
  const [, of, number2] = /^(.*)\/([1-9][0-9]*)$/.exec(id) ?? [];
  const table = audit.tables.get(of);
  if (audit.shoeIds.has(id)) return audit.fail("completeness", "shoe", "a shoe of a new id", id);
  audit.shoeIds.add(id);
  if (!table && entry.bank !== void 0) {
    audit.missing("table", of ?? id);
    audit.unknown.add(id);
    return;
  }
  audit.claim("commitment", "commitment", commitment);
  const shoe = new Shoe(entry, audit.index, audit.at, table);
  audit.shoes.set(id, shoe);
  placerOf(audit, shoe, entry);
  sizeOf(audit, shoe);
  for (const name of ["bank", "chips"]) audit.present("syntax", name, Boolean(table), entry[name]);
  audit.present("syntax", "policy", !table, entry.policy);
  if (table) return atTable(audit, table, shoe, entry, Number(number2));
  for (const name of ["memory", "paid", "purpose", "owes", "waits", "away"])
    audit.present("syntax", name, false, entry[name]);
  const broken = brokenSeries(Object.keys(entry.draws));
  if (broken) audit.fail("commitment", `draws.${broken}`, "series without gaps", entry.draws);
  if (entry.draws.cut !== void 0) audit.same("commitment", "draws.cut", entry.cards, entry.draws.cut);
  if (new Set(entry.roster).size !== entry.roster.length || entry.roster.length > 64)
    audit.fail("commitment", "roster", "each once, at most 64", entry.roster);
  if (entry.cutter !== void 0 && !entry.roster.includes(entry.cutter))
    audit.fail("commitment", "cutter", entry.roster, entry.cutter);
}
function placerOf(audit, shoe, { placer, roster }) {
  const brought = audit.partial && shoe.playerPlaces && placer && placerName(placer.key) === roster[0];
  audit.same("commitment", "placer", brought ? placer.key : shoe.table?.placerKey || void 0, placer?.key);
  if (!placer) return;
  audit.claim("commitment", "placer", placer.commitment);
  shoe.placer = {
    ...placer,
    chain: new Chain({ origin: audit.origin, shoe: shoe.id, commitment: shoe.commitment }, placer)
  };
}
function sizeOf(audit, shoe) {
  const deck = audit.decks.get(shoe.deck);
  const labels = cardsNamed(shoe.deck) ?? (deck?.parts === deck?.of ? deck?.labels : void 0);
  if (!labels) return audit.fail("commitment", "deck", "a deck that is known", shoe.deck);
  audit.same("commitment", "cards", labels.length, shoe.size);
}
function deckOf(audit, { deck }) {
  const known = audit.decks.get(deck);
  const labels = cardsNamed(deck);
  if (known || !labels) return known ?? { labels: [], hash: "" };
  const made = { parts: 1, of: 1, labels, hash: deckHash(labels) };
  audit.decks.set(deck, made);
  return made;
}
function atTable(audit, table, shoe, entry, number2) {
  const { game, options: options2 } = table;
  if (!audit.partial) {
    audit.same("completeness", "shoe", table.shoes + 1, number2);
    const goesOn = table.running && !table.gameLapsed(audit.at);
    if (table.closed && !goesOn) audit.fail("policy", "kind", "no shoe after the table was closed", "shoe");
    if (table.shoe) {
      audit.fail("order", "kind", "the end of this shoe", "shoe", { shoe: table.shoe.id });
      audit.shoes.delete(table.shoe.id);
    }
    if (bankDue(table) !== void 0) audit.fail("policy", "bank", "a bank entry that is due", "shoe");
  }
  table.shoes = number2;
  table.shoe = shoe;
  audit.same("commitment", "deck", `${game.deck.name}:${options2.packs}`, entry.deck);
  audit.same("commitment", "draws", shoe.first ? { cut: shoe.size } : game.draws(options2), entry.draws);
  if (entry.beacon) audit.fail("commitment", "beacon", null, entry.beacon);
  if (audit.partial) seatRoster(audit, table, shoe, entry);
  else stands(audit, table, entry);
  cutterFits(audit, table, shoe, entry);
}
function stands(audit, table, entry) {
  audit.same("commitment", "purpose", table.bankless ? "bank" : void 0, entry.purpose);
  audit.same("commitment", "bank", table.bank, entry.bank);
  if (!audit.same("commitment", "chips", table.accounts(), entry.chips)) table.adopt(entry.chips ?? {});
  if (!audit.same("commitment", "memory", unlessEmpty(table.memory), entry.memory)) table.memory = { ...entry.memory };
  audit.same("commitment", "paid", unlessEmpty(table.paid), entry.paid);
  table.bank = entry.bank ?? table.bank;
  const { owes = [], waits = [], away = [] } = entry;
  const mayBeAway = (seat) => [table.chairs.get(seat)].filter((chair) => chair?.absent && !table.banks(chair));
  for (const seat of away)
    if (!mayBeAway(seat).length) audit.fail("contributions", "away", "chairs that let two limits pass", seat);
  const places = placesOf(table, [...owes, ...waits, ...away].flatMap(mayBeAway), entry.purpose === "bank");
  audit.same(
    "contributions",
    "roster",
    places.roster.map(({ player }) => player),
    entry.roster
  );
  for (const name of ["owes", "waits", "away"])
    audit.same("contributions", name, unlessEmpty(places[name].map(({ seat }) => seat)), entry[name]);
  if (!entry.roster.length) audit.fail("contributions", "roster", "somebody", []);
}
var unlessEmpty = (value2) => Object.keys(value2).length ? value2 : void 0;
function cutterFits(audit, table, shoe, { cutter }) {
  const cutters = shoe.first || shoe.playerPlaces ? [] : cuttersOf(table, !audit.partial || table.shoes === 1);
  const names = cutters.map(({ player }) => shoe.roster.includes(player) ? player : void 0);
  if (!(names.length ? names : [void 0]).includes(cutter))
    audit.fail("commitment", "cutter", names[0] ?? null, cutter);
  shoe.turn = cutters[0]?.seat ?? 0;
}
function seatRoster(audit, table, shoe, { bank = "house", chips: chips2 = {}, memory = {}, paid = [], roster, owes = [], waits = [], away = [] }) {
  const out = [...owes, ...waits, ...away];
  const seats = Object.keys(chips2).map(Number).filter(Boolean).sort((a, b) => a - b);
  const players = roster.values();
  for (const seat of seats) {
    const player = out.includes(seat) ? NOBODY : players.next().value ?? NOBODY;
    table.chairs.set(seat, new Chair(seat, player, audit.index, ABSENT));
  }
  const fits2 = new Set(out).size === out.length && out.every((seat) => seats.includes(seat)) && seats.length - out.length === roster.length;
  if (!fits2) audit.fail("contributions", "roster", "a chair for each player", roster);
  if ([...waits, ...away].some((seat) => String(seat) === bank))
    audit.fail("contributions", "away", "no chair that banks", bank);
  [table.bank, table.memory] = [bank, memory];
  table.adopt(chips2);
  table.joined = new Map([...table.chairs].filter(([seat]) => paid.includes(seat)));
  shoe.chairs = new Map(table.chairs);
  shoe.begin();
}

// verifier/steps/shoes.ts
function dueOf(shoe, {
  over: over2 = false,
  decisions
} = {}) {
  const { table, policy, betting } = shoe;
  const many = table?.game.many;
  if (shoe.sealed) {
    if (betting && decisions !== void 0)
      return Math.max(betting.at, shoe.sealedAt) + seconds(decisions * policy.decision);
    if (over2 || shoe.stage === "draw") return shoe.stepAt;
    const age = Math.max(shoe.stepAt, shoe.sealedAt + seconds(policy.shoe));
    return many && !betting ? Math.min(age, shoe.bettingSince + seconds(policy.bet) + HOUR) : age;
  }
  if (shoe.stage === "hash" && shoe.roster.length)
    return shoe.at + seconds(table ? Math.max(policy.hash, policy.cut) : policy.shoe);
  if (shoe.stage === "bet") return shoe.stepAt + seconds(policy.bet);
  return shoe.stepAt + seconds(shoe.waiting.length ? policy.seed : 0);
}
function longestOf({ placer, playerPlaces, stage, seeds, waiting }) {
  const opened = stage === "seed" && (playerPlaces || seeds.size) && !waiting.length;
  const waits = stage === "round" || stage === "draw" || opened;
  return !placer || !waits ? DAY : playerPlaces ? Infinity : MONTH;
}
var MOST_DEBTS = 128;
function seedsStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe) return;
  const { table } = shoe;
  audit.inTime(shoe);
  const awaited = shoe.cutter !== void 0 && Object.hasOwn(entry.hashes, shoe.cutter) && !table?.chairOf(shoe.cutter)?.absent;
  for (const [player, hash] of Object.entries(entry.hashes)) {
    const invited = shoe.roster.includes(player) && !shoe.struck.has(player) && (!table || audit.partial || table.chairOf(player));
    if (!invited) audit.fail("contributions", `hashes.${player}`, "somebody of the roster who sits", player);
    audit.claim("seed", `hashes.${player}`, hash);
    shoe.hashes.set(player, hash);
    table?.chairOf(player)?.acts(audit.at);
  }
  cutBy(audit, shoe, entry.cut, shoe.hashes);
  shoe.stepAt = audit.at;
  shoe.follow("seeds");
  silent(audit, shoe, entry);
  if (awaited && !shoe.cut) audit.mustHaveWaited(shoe.at, seconds(shoe.policy.cut), "cut");
}
function silent(audit, { table, roster, hashes, struck, policy, at }, { unheard = [] }) {
  const others = roster.filter(
    (player) => !hashes.has(player) && !struck.has(player) && (!table || table.chairOf(player))
  );
  const waitedFor = others.filter(
    (player) => audit.partial ? unheard.includes(player) : !table?.chairOf(player)?.absent
  );
  audit.same("contributions", "unheard", waitedFor, unheard);
  if (waitedFor.length) audit.mustHaveWaited(at, seconds(policy.hash), "unheard");
  for (const player of others) {
    const chair = table?.chairOf(player);
    if (chair) chair.missed += 1;
  }
}
function cutBy(audit, shoe, cut, contributors) {
  if (!cut) return;
  const { table, size } = shoe;
  const anybody = !table || table.game.cuts === "anybody";
  const least = anybody ? 0 : 1;
  const chair = table?.chairOf(cut.by);
  const may = shoe.draws.cut !== void 0 && !shoe.first && shoe.roster.includes(cut.by) && contributors.has(cut.by);
  const named2 = shoe.cutter ? shoe.cutter === cut.by : anybody;
  if (!may || !named2 || chair && table?.game.cuts === "anybody" && table.banks(chair))
    audit.fail("contributions", "cut.by", shoe.cutter ?? null, cut.by);
  if (cut.at < least || cut.at >= size) audit.fail("contributions", "cut.at", [least, size - 1], cut.at);
  shoe.cut = cut;
}
function openedStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe) return;
  const { player, seed, cut } = entry;
  inTurn(audit, shoe, player);
  audit.inTime(shoe);
  if (shoe.sole) {
    audit.claim("seed", "seed", sha256Hex(seed));
    cutBy(audit, shoe, cut, /* @__PURE__ */ new Set([player]));
  } else if (cut) audit.fail("contributions", "cut", null, cut);
  if (shoe.hashes.has(player)) audit.same("contributions", "seed", shoe.hashes.get(player), sha256Hex(seed));
  shoe.seeds.set(player, seed);
  shoe.stepAt = audit.at;
  shoe.table?.lapses.delete(player);
  shoe.table?.chairOf(player)?.acts(audit.at);
}
function inTurn(audit, shoe, player) {
  if (!shoe.waiting.includes(player)) audit.fail("contributions", "player", shoe.waiting, player);
  else if (!audit.partial) audit.same("contributions", "player", nextToOpen(shoe), player);
}
function lapseStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe) return;
  const { player } = entry;
  const { table } = shoe;
  if (shoe.seeds.size || shoe.waiting.length < 2)
    audit.fail("contributions", "kind", "nobody's seed open, and somebody else who remains", "lapse");
  inTurn(audit, shoe, player);
  audit.mustHaveWaited(shoe.stepAt, seconds(shoe.policy.seed), "player");
  audit.inTime(shoe);
  shoe.struck.add(player);
  shoe.stepAt = audit.at;
  if (!table) return;
  const chair = table.chairOf(player);
  if (chair) chair.missed += 1;
  const run = table.lapses.get(player) ?? { runs: 0, shoes: /* @__PURE__ */ new Map() };
  run.runs += 1;
  run.shoes.set(shoe.id, shoe.hashes.get(player) ?? "");
  table.lapses.set(player, run);
  if (run.runs < 2) return;
  owe(table, player, shoe.id, shoe.hashes.get(player) ?? "");
}
function owe(table, player, shoe, hash) {
  const debt = table.debts.get(player) ?? { shoes: /* @__PURE__ */ new Map(), last: "" };
  debt.shoes.set(shoe, hash);
  debt.last = shoe;
  table.debts.set(player, debt);
  if (table.debts.size > MOST_DEBTS) for (const oldest of table.debts.keys()) return void table.debts.delete(oldest);
}
function lateStep(audit, entry) {
  const { shoe, player, seed } = entry;
  const table = audit.tables.get(shoe.slice(0, shoe.lastIndexOf("/")));
  const debt = table?.debts.get(player);
  const hash = debt?.shoes.get(shoe);
  if (!table || !debt || !hash) return audit.fail("contributions", "shoe", "a seed that is owed", shoe);
  audit.same("contributions", "seed", hash, sha256Hex(seed));
  debt.shoes.delete(shoe);
  table.lapses.delete(player);
  const chair = table.chairOf(player);
  if (!chair) return;
  const { missed } = chair;
  chair.acts(audit.at);
  if (table.shoe?.betting && table.shoe.sealed) chair.missed = missed;
  chair.since = audit.index;
}
function sealStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  if (!shoe) return;
  const { table, stage, playerPlaces, seeds, waiting } = shoe;
  const contributed = stage === "hash" ? !shoe.roster.length : !waiting.length && (seeds.size || playerPlaces || !table);
  if (!contributed) return audit.fail("order", "kind", "a shoe whose seeds are open", "seal");
  if (table && !table.game.many && !standingBets(shoe).length)
    audit.fail("order", "kind", "a bet that remains", "seal");
  audit.inTime(shoe);
  sealBeacon(audit, shoe, entry.beacon);
  const burns = table?.game.burns === true && !shoe.first;
  audit.present("shuffle", "burn", burns, entry.burn);
  [shoe.burn, shoe.root] = [entry.burn, entry.cards_root];
  if (shoe.placer) audit.present("shuffle", "cards_root", true, shoe.root);
  if (burns && shoe.placer) {
    const asking = new Asking(audit, shoe, shoe.placer, entry, false);
    asking.card(0);
    asking.judge(true);
  } else if (entry.placed) audit.fail("cards", "placed", null, entry.placed);
  shoe.pos = burns ? 1 : 0;
  [shoe.sealed, shoe.sealedAt, shoe.stepAt, shoe.bettingSince] = [audit.index, audit.at, audit.at, audit.at];
  shoe.follow("seal");
  if (!table) return;
  table.asked.clear();
  table.turn = shoe.turn;
  settled(table, shoe.id);
}
function settled(table, shoe) {
  table.seedVoid = false;
  for (const chair of table.chairs.values()) chair.fresh = false;
  for (const [player, debt] of table.debts) if (!debt.shoes.size && debt.last !== shoe) table.debts.delete(player);
}
function standingBets({ table, betting, struck }) {
  const stands2 = (seat) => {
    const player = table?.chairs.get(seat)?.player;
    return table?.game.many || player !== void 0 && !struck.has(player);
  };
  return betting?.bets.filter(({ seat }) => stands2(seat)) ?? [];
}
function sealBeacon(audit, shoe, beacon) {
  const { chain, round, randomness, signature } = beacon ?? {};
  audit.same("contributions", "beacon", shoe.beacon, beacon && { chain, round });
  if (signature !== void 0) audit.same("contributions", "beacon.randomness", sha256Hex(signature), randomness);
  if (beacon) shoe.randomness = [chain, round, randomness];
}

// verifier/steps/tables.ts
var BUY_IN = 1e4;
var TO_POOL = 9e3;
var GAMES_KEPT = 16;
var MOST_PAYERS = 1024;
function tableStep(audit, entry) {
  const { table, rules, options: options2, placer } = entry;
  if (audit.tables.has(table)) return audit.fail("order", "table", "a table of a new name", table);
  const wrong = wrongOption(GAMES[rules], options2);
  if (wrong) audit.fail("policy", `options.${wrong}`, GAMES[rules].options[wrong], options2[wrong]);
  if (isPlayer(placer) && (GAMES[rules].bank || options2.fewest > 1))
    audit.fail("policy", "placer", "a placer of a table that one player cannot play at", placer);
  if (!wrong) audit.tables.set(table, new Table(entry, audit.at));
  else audit.unknown.add(table);
}
function closeStep(audit, entry) {
  const table = audit.table(entry.table);
  if (table?.closed) audit.fail("order", "kind", "a table that is open", "close");
  if (!table) return;
  table.closed = audit.at;
  const { shoe } = table;
  if (shoe) shoe.closed = !shoe.opening && !table.running;
}
var MOVE_FIELDS = {
  "buy-in": [[], ["name", "placer"]],
  "cash-out": [[], ["leaves", "by"]],
  "transfer": [["to"], []],
  "refund": [["game", "why"], []],
  "share": [[], []]
};
function chipsStep(audit, entry) {
  const table = audit.table(entry.table);
  if (!table) return;
  const { abandoned } = table;
  chips(audit, table, entry);
  if (table.abandoned && !abandoned) table.abandonedAt = audit.at;
}
function chips(audit, table, entry) {
  const { op, seat, player } = entry;
  for (const name of ["to", "leaves", "name", "game", "by", "placer", "why"]) {
    const [needed2, allowed] = MOVE_FIELDS[op].map((names) => names.includes(name));
    if (entry[name] !== void 0 ? !needed2 && !allowed : needed2)
      audit.fail("syntax", name, needed2 ? "a value" : null, entry[name]);
  }
  if (entry.by && !entry.leaves) audit.fail("chips", "by", null, entry.by);
  if (audit.partial) return seated(audit, table, entry);
  if (op === "refund" || op === "share") return payBack(audit, table, entry);
  const chair = op === "buy-in" ? sitDown(audit, table, entry) : table.chairs.get(seat);
  if (!chair) return audit.fail("chips", "seat", "a chair that is taken", seat);
  if (chair.player !== player) return audit.fail("chips", "player", chair.player, player);
  mayMove(audit, table, chair, entry);
  move(audit, table, chair, entry);
  if (entry.by !== "house") chair.acts(audit.at);
}
function seated(audit, table, { op, seat, player, chips: chips2 }) {
  const chair = table.chairs.get(seat);
  if (op !== "buy-in")
    must(chair !== void 0 && [player, ""].includes(chair.player), "entries", "no chips that the hand does not need");
  if (chair) leave(table, chair, false);
  if (op === "buy-in") table.chairs.set(seat, new Chair(seat, player, audit.index, ABSENT));
  table.adopt(chips2);
}
function sitDown(audit, table, { seat, player, placer }) {
  const [least, most] = table.seats;
  if (seat < least || seat > most) return void audit.fail("chips", "seat", [least, most], seat);
  const there = table.chairs.get(seat);
  const name = table.playerPlaces && !there ? player : void 0;
  audit.same("commitment", "placer", name, placer && placerName(placer));
  if (there) return there;
  if (table.closed) audit.fail("policy", "kind", "no buy-in after the table was closed", "buy-in");
  const elsewhere = table.chairOf(player);
  if (elsewhere) audit.fail("chips", "seat", elsewhere.seat, seat);
  if (table.running && table.joined.has(seat))
    audit.fail("chips", "seat", "a chair that nobody left in this game", seat);
  const chair = new Chair(seat, player, audit.index);
  chair.since = table.evicted.get(player) ?? audit.index;
  table.evicted.delete(player);
  chair.placer = placer ?? "";
  chair.fresh = table.seedVoid && !table.game.pool;
  table.chairs.set(seat, chair);
  return chair;
}
function move(audit, table, chair, entry) {
  const { op, seat, amount, to, leaves } = entry;
  const before2 = table.accounts();
  if (amount < 1 && !leaves) audit.fail("chips", "amount", "1 or more", amount);
  if (op === "buy-in") {
    if (table.game.pool) join(audit, table, chair, amount);
    else chair.chips += amount;
  } else {
    if (leaves ? amount !== chair.chips : amount > chair.chips) audit.fail("chips", "amount", chair.chips, amount);
    chair.chips -= amount;
    if (op === "transfer") {
      const other = table.chairs.get(to);
      if (!other || other === chair) audit.fail("chips", "to", "another chair that is taken", to);
      else other.chips += amount;
    }
  }
  sameAccounts(audit, table, entry, before2, [String(seat)]);
  if (leaves) leave(table, chair, entry.by === "house");
}
function sameAccounts(audit, table, entry, before2, always) {
  const changed = {};
  for (const [name, chips2] of Object.entries(table.accounts()))
    if (before2[name] !== chips2 || always.includes(name)) changed[name] = chips2;
  for (const name of always) changed[name] ??= 0;
  for (const [name, chips2] of Object.entries(changed)) {
    const most = Math.max(MOST_CHIPS, Math.abs(before2[name] ?? 0));
    if (Math.abs(chips2) > most) audit.fail("chips", `chips.${name}`, most, chips2);
  }
  if (!audit.same("chips", "chips", changed, entry.chips)) table.adopt(entry.chips);
}
function join(audit, table, chair, amount) {
  if (amount !== BUY_IN) audit.fail("chips", "amount", BUY_IN, amount);
  const { memory } = table;
  const over2 = table.pool <= 0;
  if (table.closed) audit.fail("chips", "op", "no buy-in at a closed table", "buy-in");
  if (over2) {
    table.memory = { game: memory.game + 1 };
    table.joined.clear();
    for (const [key2, { game }] of table.payers) if (game <= table.memory.game - GAMES_KEPT) table.payers.delete(key2);
  } else if (memory.started || table.joined.has(chair.seat) || table.abandoned)
    audit.fail("chips", "op", "one buy-in a game, before its first deal", "buy-in");
  if (table.shoe && !table.shoe.sealed)
    audit.fail("chips", "op", "no buy-in while a shoe of the game is being made", "buy-in");
  table.joined.set(chair.seat, chair);
  const payer = {
    game: table.memory.game,
    seat: chair.seat,
    player: chair.player,
    won: 0,
    refunded: false,
    shared: false
  };
  if (table.payers.size < MOST_PAYERS) table.payers.set(payerKey(payer), payer);
  table.pool += TO_POOL;
  table.house += BUY_IN - TO_POOL;
}
function payBack(audit, table, entry) {
  const { op, seat, player, amount } = entry;
  const share = op === "share";
  if (!table.game.pool) return audit.fail("chips", "op", "a move of this game", op);
  const payer = table.payer(share ? table.memory.game : entry.game, seat, player);
  const sharing = payer?.shared && payer.game === table.memory.game && table.abandoned;
  if (!payer || (share ? payer.shared : payer.refunded || sharing))
    return audit.fail("chips", "player", "somebody who paid and was not paid back", player);
  const before2 = table.accounts();
  const chair = table.chairs.get(seat)?.player === player ? table.chairs.get(seat) : void 0;
  const due = share ? shareOf(audit, table, payer) : refundOf(audit, table, payer, entry.why);
  if (amount !== due) audit.fail("chips", "amount", due, amount);
  if (chair) chair.chips += due;
  if (share)
    payer.shared = true;
  else payer.refunded = true;
  if (payer.refunded && (payer.game !== table.memory.game || !table.running)) table.payers.delete(payerKey(payer));
  sameAccounts(audit, table, entry, before2, [String(seat)]);
}
function shareOf(audit, table, payer) {
  const { sharers } = table;
  const [first] = sharers;
  if (first !== payer) audit.fail("chips", "seat", first.seat, payer.seat);
  if (!table.abandoned || table.shoe?.betting) audit.fail("chips", "op", "a game that everybody has left", "share");
  if (!table.gameLapsed(audit.at)) audit.mustNotDelay(table.abandonedAt);
  const due = Math.floor(table.pool / sharers.length) + (first === payer ? table.pool % sharers.length : 0);
  table.pool -= due;
  table.joined.delete(payer.seat);
  table.abandonedAt = audit.at;
  return due;
}
function refundOf(audit, table, payer, why) {
  const running = payer.game === table.memory.game;
  if (table.shoe?.begun) audit.fail("chips", "op", "no refund from the seeds of a shoe to its end", "refund");
  const unbegun = running && table.closed > 0 && table.pool > 0 && !table.memory.started;
  const unfinished = table.lost || unbegun || table.gameLapsed(audit.at);
  if (why === "unfinished" && !unfinished) audit.fail("chips", "why", "a game that is not played out", why);
  const due = BUY_IN - (why === "unfinished" ? payer.won : 0);
  if (!running || table.memory.started || payer.shared) table.house -= due;
  else {
    table.pool -= TO_POOL;
    table.house -= BUY_IN - TO_POOL;
    table.joined.delete(payer.seat);
  }
  return due;
}
function leave(table, chair, evicted) {
  table.chairs.delete(chair.seat);
  table.evicted.delete(chair.player);
  if (evicted) table.evicted.set(chair.player, chair.since);
  const { shoe } = table;
  if (shoe && !shoe.opening && shoe.roster.includes(chair.player)) shoe.struck.add(chair.player);
  const entitled = table.memory.entitled === chair.seat;
  if (entitled) delete table.memory.entitled;
  if (!table.banks(chair) && !entitled) return;
  table.bank = "house";
  if (table.game.bank === "rotates") table.memory = { after: chair.seat };
}
function mayMove(audit, table, chair, entry) {
  const { op, amount, leaves, by } = entry;
  const no = (expected) => audit.fail("chips", leaves ? "leaves" : "op", expected, op);
  const out = op !== "buy-in";
  const other = table.chairs.get(entry.to);
  const { shoe } = table;
  if (out && chair.chips < 0) no("nothing from a chair below zero");
  if (shoe?.betting) {
    const bets = standingBets(shoe).some(({ seat }) => seat === chair.seat);
    if (op !== "cash-out" || bets || table.banks(chair))
      no("no chips move between an open and its round, but of chairs without a bet");
  }
  if (shoe?.first && shoe.opening) no("no chips move from the seeds to the end of a first banker's shoe");
  if (shoe?.stage === "seed" && leaves && shoe.waiting.includes(chair.player))
    no("a contributor leaves when the own seed is open");
  if (shoe?.opening) {
    if (table.banks(chair) || other && table.banks(other)) no("a chair that banks neither leaves nor moves chips");
  } else if (shoe && out && !leaves && table.banks(chair) && table.covers(chair) && chair.chips - amount < table.lowest * table.game.cover) {
    no("a banking chair keeps what covers the lowest bet");
  }
  if (!leaves) return;
  if (table.debts.get(chair.player)?.shoes.size && !table.closed) no("a chair whose player owes a seed is not left");
  if (!by) return;
  if (shoe?.begun) no("nobody is put out between seeds and the end of the shoe");
  if (table.playsFor(chair)) no("nobody is put out of a game that has been paid for");
  if (!table.closed && table.banks(chair)) no("nobody is put out who banks");
}
function startStep(audit, entry) {
  for (const id of entry.tables ?? []) audit.table(id)?.starts.push(audit.at);
  if (!entry.tables) audit.starts.push(audit.at);
  else if (entry.continues !== void 0) audit.fail("syntax", "tables", void 0, entry.tables);
  for (const name of ["lost", "copy", "unknown"]) {
    if (entry[name] !== void 0 && entry.continues === void 0) audit.fail("syntax", name, void 0, entry[name]);
  }
  for (const name of ["copy", "unknown"]) {
    if (entry[name] === void 0) continue;
    audit.fail("completeness", name, null, entry[name]);
  }
  if (entry.continues === void 0) return;
  if (audit.index === 0) audit.continues = entry.continues;
  else if (audit.continues !== entry.continues) audit.fail("order", "continues", audit.continues, entry.continues);
  audit.fail("completeness", "continues", "a log of its own", "one that comes in the place of another");
  for (const { shoe, key: key2 } of entry.lost ?? []) {
    if (audit.shoeIds.has(shoe)) audit.fail("completeness", "lost", "each shoe once", shoe);
    audit.shoeIds.add(shoe);
    audit.fail("completeness", "lost", null, { shoe, key: key2 });
  }
}

// verifier/steps/betting.ts
function openStep(audit, entry) {
  const shoe = audit.shoeInOrder(entry);
  const table = shoe?.table;
  if (!table) return;
  const { many } = table.game;
  if (!audit.partial) {
    audit.same("completeness", "round", table.rounds + 1, entry.round);
    if (many) mayGoOn(audit, table, shoe);
  }
  if (!many && (shoe.bankMoved || table.game.bank && !table.dealer))
    audit.fail("policy", "kind", "a new shoe: the bank left", "open");
  if (many && audit.at >= shoe.sealedAt + seconds(table.policy.shoe))
    audit.fail("policy", "kind", "a reveal: age", "open");
  table.rounds = entry.round;
  audit.inTime(shoe);
  bounded(audit, table, entry.bets);
  if (table.game.pool) gifts(audit, table, shoe, entry);
  else {
    named(audit, table, shoe, entry);
    legal(audit, table, entry);
    covered(audit, table, entry);
  }
  shoe.betting = { entry: audit.index, at: audit.at, round: entry.round, bets: entry.bets, reshuffles: [] };
  shoe.stepAt = audit.at;
  shoe.follow("open");
}
function bounded(audit, table, bets) {
  if (!bets.length || bets.length > MOST_BETS) audit.fail("decisions", "bets", `1 to ${MOST_BETS}`, bets.length);
  const accounts = audit.partial ? {} : table.accounts();
  for (const name of /* @__PURE__ */ new Set([table.bank, ...bets.map(({ seat }) => String(seat))])) {
    if (Math.abs(accounts[name] ?? 0) > MOST_CHIPS)
      audit.fail("decisions", "bets", `an account of at most ${MOST_CHIPS} chips`, accounts[name]);
  }
}
function mayGoOn(audit, table, shoe) {
  const dealt = shoe.dealt.at(-1);
  const no = (why, entry = audit.index) => audit.fail("policy", "kind", `a reveal: ${why}`, "open", { entry });
  if (dealt?.reshuffles.length || shoe.pos >= shoe.deckSize) no("worn", dealt?.entry);
  else if (bankDue(table) !== void 0 || shoe.bankMoved) no("bank");
}
function named(audit, table, shoe, entry) {
  const { bets, waived = [], passed = [], late = [], unfunded = [], uncovered = [] } = entry;
  const said = [...bets, ...uncovered].map((bet) => bet.seat);
  const part = (chair) => chair !== void 0 && shoe.hasPart(chair);
  const parts = table.seated.filter((chair) => (part(chair) || shoe.waived.has(chair)) && !table.banks(chair));
  const since = audit.partial && table.game.many;
  const chipsOf = (seat) => `the chips by which seat ${seat} was taken`;
  for (const seat of /* @__PURE__ */ new Set([...said, ...passed, ...late, ...unfunded])) {
    const chair = table.chairs.get(seat);
    must(chair !== void 0 || !since || said.includes(seat) && !waived.includes(seat), "entries", chipsOf(seat));
    const lists = [said, passed, late, unfunded].filter((list) => list.includes(seat)).length;
    if (!chair) audit.fail("contributions", "bets", "chairs that are taken", seat);
    else if (table.banks(chair)) audit.fail("decisions", "bets", "no bet of who banks", seat);
    else if (lists > 1) audit.fail("decisions", "passed", "each seat in one list", seat);
    else if (!said.includes(seat) && !part(chair) && !shoe.waived.has(chair)) {
      must(!since || shoe.chairs.get(seat) !== chair, "entries", chipsOf(seat));
      if (!since) audit.fail("contributions", "passed", "a part in the shoe", seat);
    }
  }
  const without = new Set(said.filter((seat) => !part(table.chairs.get(seat))));
  for (const seat of without) {
    const chair = table.chairs.get(seat);
    const may = table.game.many && !shoe.playerPlaces && chair && shoe.chairs.get(seat) !== chair && !table.debts.has(chair.player);
    must(Boolean(may) || !since || !waived.includes(seat), "entries", chipsOf(seat));
    if (!may || !waived.includes(seat)) audit.fail("contributions", "bets", "a seed in the shoe, or a waiver", seat);
  }
  for (const seat of waived) {
    const chair = table.chairs.get(seat);
    must(without.has(seat) || !since || !said.includes(seat), "entries", chipsOf(seat));
    if (!without.has(seat)) audit.fail("contributions", "waived", "bets without a seed", seat);
    if (chair) shoe.waived.add(chair);
  }
  const poor = audit.partial ? [...new Set(unfunded)].sort((a, b) => a - b) : parts.filter((chair) => !table.couldBet(chair)).map(({ seat }) => seat);
  audit.same("decisions", "unfunded", poor, unfunded);
  if (!audit.partial) {
    const missing = parts.find(({ seat }) => ![...said, ...passed, ...late, ...unfunded].includes(seat));
    if (missing) audit.fail("decisions", "late", "every seat that could bet", missing.seat);
  }
  betsWaited(audit, table, shoe, entry);
}
function betsWaited(audit, table, shoe, entry) {
  const since = table.game.many ? shoe.bettingSince : shoe.stepAt;
  const lacksRounds = audit.partial && table.game.many;
  for (const seat of entry.late ?? []) {
    const chair = table.chairs.get(seat);
    const awaited = !table.game.boxes && !chair?.absent && !lacksRounds;
    if (awaited) audit.mustHaveWaited(since, seconds(table.policy.bet), "late");
    if (chair && audit.at >= Math.max(since, audit.started) + seconds(table.policy.bet)) chair.missed += 1;
  }
  const acted = [...entry.bets, ...entry.uncovered ?? []].map((bet) => bet.seat);
  for (const seat of [...acted, ...entry.passed ?? []]) {
    table.chairs.get(seat)?.acts(audit.at);
  }
}
function legal(audit, table, { bets, uncovered = [] }) {
  const { game, options: options2 } = table;
  const { boxes: boxes2 } = game;
  for (const [name, list] of [
    ["bets", bets],
    ["uncovered", uncovered]
  ]) {
    const order = boxes2 ? list.map((bet) => bet.box ?? bet.seat).sort((a, b) => a - b) : table.acting(table.seated).map((chair) => chair.seat).filter((seat) => list.some((bet) => bet.seat === seat));
    audit.same(
      "decisions",
      name,
      order,
      list.map((bet) => boxes2 ? bet.box ?? bet.seat : bet.seat)
    );
    for (const [i, { seat, amount, box }] of list.entries()) {
      if (amount < options2.minimum || amount > options2.maximum || game.even && amount % 2)
        audit.fail("decisions", `${name}[${i}].amount`, [options2.minimum, options2.maximum], amount);
      if (box !== void 0 && (!boxes2 || box === seat || box > boxes2))
        audit.fail("decisions", `${name}[${i}].box`, null, box);
    }
  }
  if (boxes2 && new Set(bets.map((bet) => bet.box ?? bet.seat)).size < bets.length)
    audit.fail("decisions", "bets", "one bet a box", bets);
}
function covered(audit, table, { bets, uncovered = [] }) {
  const { cover } = table.game;
  if (audit.partial) return;
  const dealer = table.chairs.get(table.dealer);
  const staked = /* @__PURE__ */ new Map();
  let all = 0;
  const turns = table.acting(table.seated).map((chair) => chair.seat);
  const offered = [...bets, ...uncovered].sort((a, b) => turns.indexOf(a.seat) - turns.indexOf(b.seat));
  for (const bet of offered) {
    const { seat, amount } = bet;
    const own = (staked.get(seat) ?? 0) + amount;
    const holds2 = (table.chairs.get(seat)?.chips ?? 0) >= cover * own && (!table.dealer || (dealer?.chips ?? 0) >= cover * (all + amount));
    if (holds2 !== bets.includes(bet))
      audit.fail("decisions", holds2 ? "uncovered" : "bets", holds2 ? "a bet that counts" : "no bet without cover", bet);
    if (bets.includes(bet)) {
      staked.set(seat, own);
      all += amount;
    }
  }
}
function gifts(audit, table, shoe, entry) {
  const joined = table.seated.filter((chair) => table.couldBet(chair) && shoe.hasPart(chair));
  const dealt = audit.partial ? joined.filter(({ seat }) => entry.bets.some((bet) => bet.seat === seat)) : joined;
  audit.same(
    "decisions",
    "bets",
    dealt.map(({ seat }) => ({ amount: table.options.gift, seat })),
    entry.bets
  );
  for (const name of ["waived", "passed", "late", "unfunded", "uncovered"])
    audit.same("decisions", name, void 0, entry[name]);
}

// verifier/bound.ts
var MOST_HASHES = 16;
function isOpening(form) {
  const { pos, n, label, number: number2 = 0, salt, path: path2, ...rest } = form ?? {};
  const whole = [pos, n, number2].every((value2) => Number.isInteger(value2) && value2 >= 0 && value2 <= 65536);
  return whole && !Object.keys(rest).length && typeof label === "string" && !hasUnpaired(label) && isHex(salt, 16, 16) && Array.isArray(path2) && path2.length <= MOST_HASHES && path2.every((one) => isHex(one, 32, 32));
}
function readOpenings(text2) {
  const found2 = /* @__PURE__ */ new Map();
  for (const line of text2.split("\n").filter(Boolean)) {
    const form = readOpening(line);
    if (!form) throw new InputError("openings that are none", "--openings", '{"shoe": …, "opening": …} on each line');
    found2.set(form.shoe, [...found2.get(form.shoe) ?? [], form.opening]);
  }
  return found2;
}
function readOpening(line) {
  try {
    const { shoe, opening } = parseInProfile(utf8(line));
    return typeof shoe === "string" && isOpening(opening) ? { shoe, opening } : null;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return null;
  }
}
var Binding = class {
  root;
  deck;
  numbered;
  /** by their places */
  known;
  /** the places of the deck's cards by their numbers */
  places;
  /**
   * @param root that the house signed, in hex
   * @param deck the labels of the deck that is present
   * @param numbered of a shoe with a placer
   */
  constructor(root, deck, numbered = true) {
    this.root = fromHex(root);
    this.deck = deck;
    this.numbered = numbered;
    this.known = /* @__PURE__ */ new Map();
    this.places = /* @__PURE__ */ new Map();
  }
  /** Whether the house signed this card at this place. */
  binds({ pos, n, label, number: number2, salt, path: path2 }) {
    if (n !== this.deck.length || number2 !== void 0 !== this.numbered || (number2 ?? 0) > 65535) return false;
    const head = rootFromPath(
      leafHash(leafOf(fromHex(salt), label, number2)),
      pos,
      n,
      path2.map((each) => fromHex(each))
    );
    return head !== null && equal(head, this.root);
  }
  /**
   * Take a card that is bound.
   * @param shown its label as it was shown
   * @returns what is wrong with it, "" if nothing is
   */
  hold(opening, shown = opening.label) {
    const { pos, number: number2, label } = opening;
    this.known.set(pos, opening);
    if (number2 === void 0)
      return label === shown ? "" : `the card at place ${pos} is ${label}, and ${shown} was shown`;
    const before2 = this.places.get(number2) ?? pos;
    this.places.set(number2, before2);
    if (this.deck[number2] !== label) return `it bound ${label} as card ${number2} of the deck, which is another one`;
    if (before2 !== pos) return `it bound card ${number2} of the deck at places ${before2} and ${pos}`;
    return label === shown ? "" : `the card at place ${pos} is ${label}, and ${shown} was shown`;
  }
};

// verifier/steps/ends.ts
function cardsOf(audit, shoe, entry) {
  const { labels: deck } = deckOf(audit, shoe);
  if (deck.length !== shoe.size) return;
  if ((shoe.table || shoe.root !== void 0) && !audit.mayOrder(deck.length)) return;
  const key2 = fromHex(entry.key);
  let text2 = transcriptOf(audit, shoe);
  for (const [name, bound] of Object.entries(shoe.draws)) {
    shoe.drawn[name] = drawNamed(key2, text2, name, bound);
    audit.same("shuffle", `draws.${name}`, shoe.drawn[name], entry.draws[name]);
  }
  const cut = shoe.cut?.at ?? shoe.drawn.cut ?? 0;
  if (cut >= deck.length || !shoe.table && shoe.root === void 0 || !isWhole(shoe)) return;
  let shuffle = new Shuffle(key2, text2, deck.length, cut);
  let indexes = deck.map((_, i) => i);
  const at = (pos) => {
    const place = shoe.placer ? placeIn(shoe, text2, pos) ?? indexes.length : pos;
    return place < indexes.length ? indexes[shuffle.at(place)] : -1;
  };
  if (shoe.burn !== void 0) audit.same("shuffle", "burn", deck[at(0)], shoe.burn, { entry: shoe.sealed });
  if (shoe.placer) audit.same("shuffle", "cards_root", toHex(placedRoot(key2, text2, deck, shuffle)), shoe.root);
  else if (shoe.root !== void 0)
    audit.same(
      "shuffle",
      "cards_root",
      toHex(
        cardsRoot(
          key2,
          text2,
          deck.map((_, pos) => deck[at(pos)])
        )
      ),
      shoe.root
    );
  let k = 0;
  for (const dealt of shoe.dealt) {
    const table = /* @__PURE__ */ new Set();
    let { pos } = dealt;
    let gathered = 0;
    for (let i = 0; i <= dealt.cards.length; i++) {
      for (; dealt.reshuffles[gathered]?.after === i; gathered++) {
        const one = dealt.reshuffles[gathered];
        indexes = deck.map((_, card2) => card2).filter((card2) => !table.has(card2));
        if (!indexes.length)
          return audit.fail("shuffle", "cards", "cards that do not lie on the table", 0, { entry: one.entry });
        const hash = deckHash(indexes.map((card2) => deck[card2]));
        const where = { entry: one.entry, round: dealt.round };
        audit.same("shuffle", "deck", hash, one.deck, where);
        k += 1;
        audit.same("shuffle", "k", k, one.k, where);
        text2 = reshuffled(
          text2,
          k,
          indexes.map((card2) => deck[card2])
        );
        if (one.cut !== void 0)
          audit.same("shuffle", "cut", drawNamed(key2, text2, "cut", indexes.length), one.cut, where);
        shuffle = new Shuffle(key2, text2, indexes.length, one.cut ?? 0);
        if (shoe.placer)
          audit.same(
            "shuffle",
            "cards_root",
            toHex(
              placedRoot(
                key2,
                text2,
                indexes.map((card2) => deck[card2]),
                shuffle
              )
            ),
            one.cards_root,
            where
          );
        pos = one.burn === void 0 ? 0 : 1;
        if (one.burn !== void 0) audit.same("shuffle", "burn", deck[at(0)], one.burn, where);
      }
      if (i === dealt.cards.length) break;
      const card = pos < indexes.length ? at(pos) : -1;
      audit.same("cards", `cards[${i}]`, deck[card] ?? null, dealt.cards[i], {
        entry: dealt.entry,
        round: dealt.round
      });
      table.add(card);
      pos += 1;
    }
  }
}
function keyFits(audit, shoe, key2) {
  return audit.same("commitment", "key", shoe.commitment, sha256Hex(key2));
}
function labelsFit(audit, shoe) {
  const { labels: deck } = deckOf(audit, shoe);
  const known = new Set(deck);
  const without = (gone) => {
    const left2 = new Map([...known].map((label) => [label, 0]));
    for (const label of deck) left2.set(label, (left2.get(label) ?? 0) + 1);
    for (const label of gone) if (label !== void 0) left2.set(label, (left2.get(label) ?? 0) - 1);
    return left2;
  };
  let left = without([shoe.burn]);
  for (const { entry, round, cards, reshuffles } of shoe.dealt) {
    cards.forEach((card, i) => {
      const made = reshuffles.find(({ after }) => after === i);
      if (made) left = without([...cards.slice(0, i), made.burn]);
      const rest = (left.get(card) ?? 0) - 1;
      left.set(card, rest);
      if (known.has(card) && rest < 0)
        audit.fail("cards", `cards[${i}]`, "no more of them than the deck has", card, { entry, round, shoe: shoe.id });
    });
  }
}
function checkBound(audit, shoe) {
  const burned = shoe.burn === void 0 ? [] : [{ label: shoe.burn, field: "burn", entry: shoe.sealed, round: void 0 }];
  const cards = [
    ...burned,
    ...shoe.dealt.flatMap(
      ({ entry, round, cards: labels }) => labels.map((label, i) => ({ label, field: `cards[${i}]`, entry, round }))
    )
  ];
  const places = shoe.placer ? shoe.rows.filter(({ text: text2 }) => text2 === shoe.rows[0].text).flatMap(({ given }) => given) : [...burned.keys(), ...positionsOf(shoe)];
  const dealt = new Map(places.slice(0, cards.length).map((place, i) => [place, cards[i]]));
  const binding = new Binding(shoe.root ?? "", deckOf(audit, shoe).labels, shoe.placer !== null);
  for (const opening of audit.openings.get(shoe.id) ?? []) {
    if (!binding.binds(opening)) continue;
    const card = dealt.get(opening.pos);
    const wrong = binding.hold(opening, card?.label);
    if (wrong)
      audit.fail("cards", card?.field ?? "cards_root", "the card that it bound", wrong, {
        entry: card?.entry ?? shoe.sealed,
        round: card?.round,
        shoe: shoe.id
      });
  }
  const bound = new Map(
    [...dealt].filter(([place]) => binding.known.has(place)).map(([place, { round }]) => [place, round])
  );
  return { bound, left: cards.length - bound.size };
}
function positionsOf({ dealt }) {
  const last = dealt.findIndex(({ reshuffles }) => reshuffles.length);
  return dealt.slice(0, last + 1 || void 0).flatMap(({ pos, cards, reshuffles }) => cards.slice(0, reshuffles[0]?.after).map((_, i) => pos + i));
}
function over(audit, shoe) {
  const { table } = shoe;
  audit.shoes.delete(shoe.id);
  audit.ended += 1;
  if (shoe.placer) audit.unplaced.set(shoe.id, { shoe, at: audit.at });
  if (!table) return;
  if (table.shoe === shoe) table.shoe = void 0;
  const banker2 = table.chairs.get(table.dealer);
  if (shoe.sealed && !shoe.first && table.game.bank === "changes" && banker2 && !table.covers(banker2))
    table.bank = "house";
}
function revealStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  const { table } = shoe;
  if (shoe.stage !== "draw") audit.inOrder(shoe);
  audit.same("shuffle", "draws", Object.keys(shoe.draws).sort(), Object.keys(entry.draws));
  if (shoe.sealed && keyFits(audit, shoe, entry.key)) cardsOf(audit, shoe, entry);
  if (table && !(audit.partial && table.game.many)) {
    audit.same("cards", "end", shoe.pos, entry.end);
    const why = whyEnded(audit, table, shoe, entry);
    audit.inTime(shoe, { over: why === "worn" || why === "bank" });
    if (why !== entry.why) audit.fail("policy", "why", why ?? "no end yet", entry.why);
  } else if (!table) {
    if (shoe.sealed) audit.unshown += 1;
    if (entry.end > shoe.size) audit.fail("cards", "end", shoe.size, entry.end);
    audit.inTime(shoe);
    const old = audit.at >= shoe.sealedAt + seconds(shoe.policy.shoe);
    if (entry.why !== "worn" && !(entry.why === "age" && old)) audit.fail("policy", "why", "worn", entry.why);
  }
  shoe.beyond = audit.partial && shoe.pos !== entry.end;
  over(audit, shoe);
}
function whyEnded(audit, table, shoe, entry) {
  if (shoe.stage === "draw") return void 0;
  const { insert } = table.options;
  const behind = insert === void 0 ? 0 : insert + (shoe.drawn.insert ?? entry.draws.insert);
  if (behind) {
    shoe.dealt.forEach(({ pos }, i) => {
      const last = shoe.dealt[i - 1];
      if (last && pos >= shoe.size - behind)
        audit.fail("policy", "kind", "a reveal: worn", "open", { entry: last.entry, round: last.round });
    });
  }
  if (isWorn(shoe, behind)) return "worn";
  if (shoe.bankMoved || table.bankless) return "bank";
  if (audit.at >= shoe.sealedAt + seconds(table.policy.shoe)) return "age";
  const parts = table.seated.filter((chair) => (shoe.hasPart(chair) || shoe.waived.has(chair)) && !table.banks(chair));
  const idle = Math.max(shoe.bettingSince, audit.started) + HOUR <= audit.at;
  const gone = table.closed && parts.every((chair) => Math.max(chair.acted, audit.started, table.closed) + HOUR <= audit.at);
  return !parts.length || idle || gone ? "left" : void 0;
}
function isWorn(shoe, behind) {
  return shoe.stage === "over" || shoe.course === "one round" || (shoe.dealt.at(-1)?.reshuffles.length ?? 0) > 0 || shoe.pos >= shoe.deckSize - behind;
}
function isOver({ table, stage, dealt, bankMoved }) {
  return table !== void 0 && (stage === "over" || dealt.length > 0 && (bankMoved || table.bankless));
}
function voidStep(audit, entry) {
  const shoe = audit.shoe(entry);
  if (!shoe) return;
  const { table, betting } = shoe;
  const { why, by } = entry;
  const lacks = audit.partial && by === void 0 && shoe.hashes.size > 0 && !table?.game.many && standingBets(shoe).length > 0;
  must(!lacks, "entries", "the lapses that make the shoe void");
  audit.inTime(shoe);
  keyFits(audit, shoe, entry.key);
  audit.inOrder(shoe);
  audit.same("order", "round", betting?.round, entry.round);
  if (why !== "seed" && why !== "reshuffle") audit.same("policy", "by", void 0, by);
  if (!audit.partial || why === "seed") WHY[why](audit, shoe, entry);
  if (why !== "seed" && shoe.opening)
    audit.fail("policy", "why", "no void after the opening began but for a seed", why);
  if (table && (why === "idle" || why === "age")) settled(table, shoe.id);
  if (table && why === "seed") table.seedVoid = true;
  over(audit, shoe);
}
var WHY = {
  seed(audit, shoe, { by }) {
    const { table, betting, waiting } = shoe;
    if (by === void 0) {
      if (!table || table.game.many || !betting || standingBets(shoe).length || !shoe.struck.size)
        audit.fail("policy", "by", "whose seed is missing", null);
      return;
    }
    if (!shoe.opening) audit.fail("policy", "why", "a shoe that is being opened", "seed");
    if (!shoe.seeds.size && waiting.length > 1) audit.fail("policy", "why", "a lapse", "seed");
    const next = audit.partial && table ? waiting : [nextToOpen(shoe)];
    if (!next.includes(by)) audit.fail("contributions", "by", next, by);
    audit.mustHaveWaited(shoe.stepAt, seconds(shoe.policy.seed), "by");
    const hash = shoe.hashes.get(by);
    if (table && hash) owe(table, by, shoe.id, hash);
    const chair = table?.chairOf(by);
    if (chair) chair.missed += 1;
  },
  reshuffle(audit, { table }, { by }) {
    const chair = table?.chairOf(by);
    if (!table || !chair) return audit.fail("policy", "by", "somebody who sits", by);
    if (table.asked.has(chair.seat) && table.chairs.size > 1)
      audit.fail("policy", "by", "each chair once between two seals", by);
    if (table.chairs.size > 1) table.asked.add(chair.seat);
    chair.acts(audit.at);
  },
  close(audit, { table }) {
    if (!table?.closed) audit.fail("policy", "why", "a table that was closed", "close");
  },
  bank(audit, shoe) {
    const { table, banker: banker2 } = shoe;
    if (!table || table.chairs.get(table.dealer) === banker2)
      audit.fail("policy", "why", "another bank than at the commitment", "bank");
  },
  idle(audit, shoe) {
    const { table, sole, hashes, policy } = shoe;
    const who = hashes.size ? [...hashes.keys()] : shoe.roster;
    const here = who.filter((player) => !shoe.struck.has(player)).flatMap((player) => table?.chairOf(player) ?? []);
    const deserted = table && (!here.length || shoe.first && !shoe.dealtTo.length);
    if (!hashes.size && !sole) {
      const passed = audit.at >= Math.max(shoe.at, audit.started) + seconds(policy.hash);
      if (!deserted && (!table || here.some((chair) => !chair.absent)))
        audit.mustHaveWaited(shoe.at, seconds(policy.hash), "why");
      if (passed) for (const chair of here) chair.missed += 1;
    } else if (deserted) return;
    else if (!table || table.game.many) audit.fail("policy", "why", "nobody who sits", "idle");
    else audit.mustHaveWaited(shoe.stepAt, seconds(policy.bet), "why");
  },
  age(audit, shoe) {
    if (audit.at < shoe.at + seconds(shoe.policy.shoe)) audit.fail("policy", "why", "no end yet", "age");
  }
};
function lostStep(audit, entry) {
  const shoe = audit.shoe(entry);
  audit.fail("completeness", "kind", "the end of the shoe", "lost");
  if (!shoe) return;
  if (entry.key !== void 0) keyFits(audit, shoe, entry.key);
  if (shoe.table) shoe.table.lost = true;
  audit.same("order", "round", shoe.betting?.round, entry.round);
  over(audit, shoe);
}

// verifier/audit.ts
var STEPS = {
  table: tableStep,
  chips: chipsStep,
  close: closeStep,
  deck: deckStep,
  shoe: shoeStep,
  seeds: seedsStep,
  open: openStep,
  opened: openedStep,
  lapse: lapseStep,
  late: lateStep,
  seal: sealStep,
  round: roundStep,
  reshuffle: reshuffleStep,
  bank: bankStep,
  reveal: revealStep,
  void: voidStep,
  lost: lostStep,
  placed: placedStep,
  start: startStep
};
var MOST_ALIKE = 1e3;
var MOST_ORDERED = 8388608;
var Audit = class {
  /** number and time of the present entry */
  index;
  at;
  own;
  /** when the service started for every table */
  starts;
  tree;
  /** the first of those that are alike */
  findings;
  /** how many there are of each */
  alike;
  /** the log's name, where it is known: a placer's chain names it */
  origin;
  /** what binds cards of shoes in play, by the shoe */
  openings;
  /** how many cards of shoes with a placer and without a key no opening shows */
  unbound;
  /** of each shoe in play that has openings, or needs some: how many of its cards these show, and how many not */
  covered;
  /** shoes that are over and whose placer's key is to come */
  unplaced;
  /** what players did wrong that fails no log, in words */
  beside;
  /** cards that were put in order */
  ordered;
  tables;
  /** in play */
  shoes;
  /** every shoe that there was, by id */
  shoeIds;
  /** commitments, and hashes of seeds: none comes twice */
  claims;
  decks;
  /** shoes and tables that are not followed, since they are not known */
  unknown;
  /** the one checkpoint that entries of kind start may name */
  continues;
  entry;
  /** whether a line was an entry: a JSON object with a known kind */
  known;
  rounds;
  ended;
  /** shoes without a table: no entry says which of their cards were shown, so none is checked */
  unshown;
  /** rounds that could not be played again, entries that could not be read */
  unread;
  /** a proof of one hand: what only the whole log shows is not asked */
  partial;
  /** of such a proof: the head of the tree that ends with the present entry */
  upto;
  constructor() {
    this.index = -1;
    this.at = -1;
    this.own = new OwnTime();
    this.starts = [];
    this.tree = new Tree();
    this.findings = [];
    this.alike = /* @__PURE__ */ new Map();
    this.origin = "";
    this.openings = /* @__PURE__ */ new Map();
    this.unbound = 0;
    this.covered = [];
    this.unplaced = /* @__PURE__ */ new Map();
    this.beside = /* @__PURE__ */ new Set();
    this.ordered = 0;
    this.tables = /* @__PURE__ */ new Map();
    this.shoes = /* @__PURE__ */ new Map();
    this.shoeIds = /* @__PURE__ */ new Set();
    this.claims = { commitment: /* @__PURE__ */ new Set(), seed: /* @__PURE__ */ new Set() };
    this.decks = /* @__PURE__ */ new Map();
    this.unknown = /* @__PURE__ */ new Set();
    this.continues = null;
    this.entry = {};
    this.known = false;
    this.rounds = 0;
    this.ended = 0;
    this.unshown = 0;
    this.unread = 0;
    this.partial = false;
    this.upto = void 0;
  }
  /**
   * @param line without its LF
   * @throws NewerError where its version is not known: there is no verdict
   */
  take(line) {
    this.index += 1;
    this.tree.append(leafHash(line));
    const entry = this.read(line);
    if (!entry) return;
    this.follow(entry);
    stand(this);
  }
  /** @param entry whose form is right */
  follow(entry) {
    const at = microseconds(entry.at);
    if (at <= this.at) this.fail("order", "at", `after ${this.at}`, entry.at);
    else {
      if (this.at >= 0) this.own.pass(this.at, at);
      this.at = at;
    }
    try {
      STEPS[entry.kind](this, entry);
    } catch (error) {
      if (this.partial && error instanceof InputError) throw error;
      this.unread += 1;
      this.fail("syntax", "", "an entry that can be followed", String(error));
    }
  }
  /** @throws NewerError where its version is not known */
  read(line) {
    let entry;
    let readable = true;
    this.entry = {};
    try {
      entry = parseCanonical(line);
    } catch (error) {
      this.fail("syntax", "", "a canonical entry", error.message);
      try {
        entry = parseInProfile(line);
      } catch {
        readable = false;
        entry = seeming(line);
      }
    }
    this.entry = entry;
    this.known ||= isKind(readable ? entry.kind : kindIn(line));
    const newer = newerThan(entry.v, `entry ${this.index}`);
    if (newer) throw newer;
    return this.shaped(entry, this.index, readable) ? entry : null;
  }
  /** @returns whether it can be followed */
  shaped(entry, index, readable = true) {
    const wrong = wrongShape(entry);
    if (!wrong) return true;
    if (readable)
      this.fail(
        "syntax",
        wrong.field,
        "the fields of its kind",
        wrong.field.split(/[.[]/).reduce(below, entry) ?? null,
        { entry: index }
      );
    if (wrong.known) return true;
    this.unread += 1;
    const shoe = ["reveal", "void", "lost"].includes(entry.kind) && this.shoes.get(entry.shoe);
    if (shoe) shoe.endUnread = true;
    return false;
  }
  /** @param where entry null: nothing in an entry */
  fail(check, field, expected, found2, where = {}) {
    const { shoe, table, round } = this.entry;
    this.report({
      entry: where.entry === void 0 ? this.index : where.entry,
      table: table ?? this.shoes.get(shoe)?.table?.id ?? null,
      shoe: where.shoe ?? shoe ?? null,
      round: where.round ?? round ?? null,
      check,
      field,
      expected: expected ?? null,
      found: found2 ?? null,
      severity: where.severity ?? "fail"
    });
  }
  /** @param finding kept, where there are not many alike */
  report(finding) {
    const what = `${finding.severity} ${finding.check} ${finding.field.split(/[.[]/)[0]}`;
    const alike = (this.alike.get(what) ?? 0) + 1;
    this.alike.set(what, alike);
    if (alike <= MOST_ALIKE || this.partial) this.findings.push(finding);
  }
  /**
   * Compares as canonical bytes.
   * @param expected undefined: the field must not be there
   */
  same(check, field, expected, found2, where) {
    if (sameValue(expected, found2)) return true;
    this.fail(check, field, expected ?? null, found2, where);
    return false;
  }
  /**
   * A value that no log has twice. A commitment that is also a seed's hash is a note where the later entry is of
   * version 1.
   */
  claim(kind, field, value2) {
    const { commitment, seed } = this.claims;
    const own = this.claims[kind];
    const note = !own.has(value2) && this.entry.v === 1;
    if (commitment.has(value2) || seed.has(value2))
      this.fail(
        kind === "seed" ? "contributions" : "commitment",
        field,
        "a new one",
        value2,
        note ? { severity: "note" } : {}
      );
    own.add(value2);
  }
  /** @param wanted whether it must be there, or must not */
  present(check, field, wanted, found2, where) {
    if (wanted !== (found2 !== void 0)) this.fail(check, field, wanted ? "a value" : null, found2, where);
  }
  table(id) {
    const table = this.tables.get(id);
    if (!table) this.missing("table", id);
    return table;
  }
  /** @returns the shoe in play that it is about */
  shoe(entry) {
    const shoe = this.shoes.get(entry.shoe);
    if (!shoe) this.missing("shoe", entry.shoe);
    else if (shoe.closed && entry.kind !== "void" && entry.kind !== "lost")
      this.fail("policy", "kind", "a void, since the table was closed", entry.kind);
    return shoe;
  }
  /** @returns the shoe in play that an entry is about, if the entry may stand at its stage */
  shoeInOrder(entry) {
    const shoe = this.shoe(entry);
    return shoe && this.inOrder(shoe) ? shoe : void 0;
  }
  /** @returns whether the present entry, or one of that kind, may stand at the shoe's stage */
  inOrder({ next }, kind = this.entry.kind) {
    const may = Object.hasOwn(next, kind);
    if (!may) this.fail("order", "kind", Object.keys(next).join(", "), kind);
    return may;
  }
  /** @param id reported once */
  missing(field, id) {
    if (!this.unknown.has(id)) this.fail("order", field, "one that was begun, and is not over", id);
    this.unknown.add(id);
  }
  /**
   * What a limit decided must stand that much later than what began the wait, or than the last start.
   * @param wait in microseconds
   * @param field what was decided
   */
  mustHaveWaited(since, wait, field) {
    const least = Math.max(since, this.started) + wait;
    if (this.at < least) this.fail("policy", field, `not before ${momentText(least)}`, this.entry.at);
  }
  /**
   * @param table none: a shoe without one
   * @returns when its limits began anew last, before then
   */
  startedAt(table, then = Infinity) {
    const last = (starts) => starts[placeUpTo(starts, then - 1)] ?? 0;
    return Math.max(last(this.starts), last(table?.starts ?? []));
  }
  /** When the limits of the present entry's table began anew last. */
  get started() {
    const { table, shoe } = this.entry;
    return this.startedAt(this.tables.get(table) ?? this.shoes.get(shoe)?.table);
  }
  /** @returns how late it is now, in the log's own time */
  lateBy(due) {
    return this.own.at(this.at) - this.own.at(due);
  }
  /**
   * @param due when a step was due: more than an hour late is noted
   * @param longest more than this fails
   */
  mustNotDelay(due, longest = DAY) {
    const late = this.partial ? 0 : this.lateBy(due);
    if (late > HOUR)
      this.fail("completeness", "at", momentText(due), this.entry.at, late > longest ? {} : { severity: "note" });
  }
  /** @param shoe whose next step this is */
  inTime(shoe, next) {
    const longest = longestOf(shoe);
    if (longest < Infinity) this.mustNotDelay(dueOf(shoe, next), longest);
  }
  /** @returns whether so many may be put in order once more */
  mayOrder(cards) {
    this.ordered += cards;
    const may = this.ordered <= MOST_ORDERED + 256 * this.index;
    if (!may) this.fail("cards", "bound", MOST_ORDERED, this.ordered);
    return may;
  }
  /** What the end of the log shows. */
  end() {
    this.entry = {};
    for (const table of this.tables.values()) {
      const owed = table.abandoned && !table.gameLapsed(this.at) && this.lateBy(table.abandonedAt) > DAY;
      if (owed) this.fail("completeness", "share", `what the pool of ${table.id} holds for its payers`, null);
    }
    for (const shoe of this.shoes.values()) {
      if (shoe.endUnread) continue;
      labelsFit(this, shoe);
      if (shoe.placer || this.openings.has(shoe.id)) {
        const { bound, left } = checkBound(this, shoe);
        if (shoe.placer) this.unbound += left;
        this.covered.push([bound.size, left]);
      }
      const due = dueOf(shoe, { over: isOver(shoe) });
      if (this.lateBy(due) > longestOf(shoe))
        this.fail("completeness", "reveal", `the next step of ${shoe.id}`, null, { entry: shoe.entry, shoe: shoe.id });
    }
    for (const { shoe, at } of this.unplaced.values()) {
      if (!shoe.playerPlaces && this.lateBy(at) > MONTH)
        this.fail("completeness", "key", `the placer's key of ${shoe.id}`, null, { entry: shoe.entry, shoe: shoe.id });
    }
  }
  get root() {
    return this.upto ?? toHex(this.tree.root());
  }
  get verdict() {
    return this.findings.some(({ severity }) => severity === "fail") ? "fail" : "pass";
  }
};
function seeming(line) {
  const text2 = new TextDecoder().decode(line.subarray(0, 65535));
  const [, kind] = /"kind":"([a-z]+)"/.exec(text2) ?? [];
  const [, shoe] = /"shoe":"([A-Za-z0-9._:/-]{1,64})"/.exec(text2) ?? [];
  return { kind, shoe };
}
function below(value2, name) {
  return value2?.[name.replace("]", "")];
}
function sameValue(a, b) {
  return a === void 0 || b === void 0 ? a === b : canonicalText(a) === canonicalText(b);
}

// verifier/hand.ts
var LARGEST_PROOF = 1048576;
var MOST_ENTRIES = 4096;
var ONCE = ["table", "shoe", "seeds", "seal"];
var ENDS = ["reveal", "void", "lost"];
function checkHand(file, vkey, audit = new Audit()) {
  const { checkpoint, entries, round, openings: openings2 } = openEntries(file, vkey);
  must(/^[^#]+#[1-9][0-9]*$/.test(round), "round", "TABLE#NUMBER");
  const told2 = { outcome: "CANNOT SAY", round, checkpoint, entries, findings: audit.findings };
  const newer = entries.map(({ index, entry }) => newerThan(entry.v, `entry ${index}`)).find((one) => one !== null);
  if (newer) return { ...told2, newer };
  for (const { index, entry, cause } of entries) {
    if (cause) audit.fail("syntax", "", "a canonical entry", cause, { entry: index });
    else audit.shaped(entry, index);
  }
  if (audit.findings.length) return told2;
  complete(
    entries.map(({ entry }) => entry),
    round
  );
  [audit.partial, audit.origin] = [true, checkpoint.origin];
  let astray = -1;
  for (const { index, entry, upto } of entries) {
    [audit.index, audit.entry, audit.upto] = [index, entry, upto];
    audit.follow(entry);
    stand(audit);
    astray = audit.shoes.get(entry.shoe)?.astray ?? astray;
  }
  const number2 = Number(round.split("#")[1]);
  const before2 = new Set(
    entries.filter(({ entry }) => ["open", "round"].includes(entry.kind) && entry.round !== number2).map(({ index }) => index)
  );
  const concerns = ({ entry: at }) => !before2.has(at) || (at ?? 0) <= astray;
  if (openings2.length) {
    const [shoe] = audit.shoes.values();
    must(shoe !== void 0, "openings", "a shoe in play");
    audit.openings.set(shoe.id, openings2);
    const own = [...checkBound(audit, shoe).bound].filter(([, each]) => each === number2).map(([place]) => place);
    const cards = shoe.dealt.find((one) => one.round === number2)?.cards.length;
    const whole2 = own.length === cards && own.join() === openings2.map(({ pos }) => pos).join();
    must(whole2, "openings", "one for each card of the round, under the seal's root");
  }
  const findings = audit.findings.filter(concerns);
  const whole = entries.some(({ entry }) => entry.kind === "reveal") && !audit.unplaced.size;
  if (findings.every(({ severity }) => severity !== "fail"))
    return { ...told2, findings, outcome: whole ? "PASS" : "PASS so far", bound: openings2.length > 0 };
  return audit.unread > 0 ? { ...told2, findings } : { ...told2, findings, outcome: "FAIL" };
}
function openEntries(file, vkey) {
  must(file.length <= LARGEST_PROOF && file.at(-1) === 10, "file", "one canonical object and LF");
  const form = parseCanonical(file.subarray(0, -1), LARGEST_PROOF);
  const newer = newerThan(form.v, "the file", 2);
  if (newer) throw newer;
  const { openings: openings2 = [], ...rest } = form;
  must(Object.keys(rest).join() === "checkpoint,entries,kind,round,v", "file", "checkpoint, entries, kind, round, v");
  const { entries, round } = form;
  const version = "openings" in form ? 2 : 1;
  must(form.kind === "fairshoe hand proof" && form.v === version, "kind", "a hand proof of version 1 or 2");
  const open2 = Array.isArray(openings2) && openings2.every(isOpening) && openings2.length > 0 === "openings" in form;
  must(open2, "openings", "openings of cards");
  must(typeof round === "string", "round", "a text");
  must(
    Array.isArray(entries) && entries.length >= 1 && entries.length <= MOST_ENTRIES,
    "entries",
    `1 to ${MOST_ENTRIES}`
  );
  must(typeof form.checkpoint === "string", "checkpoint", "a signed note");
  const key2 = vkey === null ? null : parseVerifierKey(vkey);
  const note = parseNote(form.checkpoint);
  const [house, ...others] = note.signatures;
  must(!key2 || house.name === key2.name && equal(house.id, key2.id), "checkpoint", "the house's signature first");
  others.forEach(({ bytes, line }, i) => {
    must(
      bytes.length === 72 && (!i || compare(utf8(others[i - 1].line), utf8(line)) < 0),
      "checkpoint",
      "cosignatures in order"
    );
  });
  const checkpoint = key2 ? openCheckpoint(form.checkpoint, key2) : parseCheckpoint(note);
  let before2 = -1;
  return {
    checkpoint,
    round,
    openings: openings2,
    entries: entries.map(({ index, line, path: path2, ...rest2 }, i) => {
      const where = `entries[${i}]`;
      must(
        Number.isSafeInteger(index) && index > before2 && typeof line === "string" && Array.isArray(path2) && !Object.keys(rest2).length,
        where,
        "index, line, path"
      );
      before2 = index;
      const hashes = path2.map((hash) => fromBase64(hash, where));
      must(
        hashes.every(({ length }) => length === 32),
        where,
        "hashes of 32 bytes"
      );
      const roots = rootsFromPath(leafHash(utf8(line)), index, checkpoint.size, hashes);
      must(
        roots !== null && equal(roots[0], checkpoint.root),
        where,
        "an entry of the signed log",
        "it was changed, or is another log's"
      );
      try {
        return { index, entry: parseCanonical(utf8(line)), upto: toHex(roots?.[1] ?? new Uint8Array()) };
      } catch (error) {
        return { index, entry: {}, cause: error.message };
      }
    })
  };
}
function complete(entries, round) {
  const [table, number2] = round.split("#");
  const all = (kind) => entries.filter((entry) => entry.kind === kind);
  const need = (there, what) => must(Boolean(there), "entries", what, "one is missing, or one too many");
  const [shoe] = all("shoe");
  for (const kind of ONCE) need(all(kind).length <= 1, `one ${kind} at most`);
  const ends = ENDS.flatMap(all);
  need(all("table").length && shoe && ends.length <= 1, "a table and a shoe, and one end at most");
  need(shoe.shoe.startsWith(`${table}/`), "a shoe of the table");
  for (const entry of entries) {
    need(
      [...ONCE, ...ENDS, "open", "opened", "lapse", "reshuffle", "round", "chips", "placed"].includes(entry.kind),
      `no ${entry.kind}`
    );
    need(
      (entry.shoe ?? shoe.shoe) === shoe.shoe && (entry.table ?? table) === table,
      "entries of the table and the shoe"
    );
  }
  const at = (kind) => all(kind).filter((entry) => entry.round === Number(number2));
  const [open2] = at("open");
  const [dealt] = at("round");
  const [seal, seeds] = [all("seal")[0], all("seeds")[0]];
  need(at("open").length === 1 && at("round").length <= 1, "the round's open");
  const { many } = GAMES[all("table")[0].rules];
  const chairs = Object.keys(shoe.chips ?? {}).filter((name) => /^\d+$/.test(name));
  const places = isPlayer(all("table")[0].placer);
  const sole = places || !many && shoe.roster.length === 1 && chairs.length === 1;
  need(seeds || sole, "the seeds");
  need(seal || !many && !dealt, "the seal");
  need(dealt || ends[0]?.kind !== "reveal", "the round");
  for (const entry of [...all("open"), ...all("round"), ...all("reshuffle")]) {
    need(
      entry.round === Number(number2) || entry.round < Number(number2) && (shoe.placer || all("reshuffle").some((one) => one.round === entry.round)),
      "no other round that was not reshuffled"
    );
  }
  need(
    all("open").every((entry) => entry === open2 || all("round").some((one) => one.round === entry.round)),
    "a round for each open"
  );
  if (shoe.placer) everyRound(all("open"), all("round"), seal, Number(number2), need);
  const [placed, ...more] = all("placed");
  if (placed)
    need(
      shoe.placer && !more.length && ends[0] && entries.indexOf(ends[0]) < entries.indexOf(placed),
      "the placer's key once, after the shoe's end"
    );
  all("reshuffle").forEach((entry, i) => need(entry.k === i + 1, "every reshuffle"));
  for (const entry of all("round"))
    need(
      all("reshuffle").filter((one) => one.round === entry.round).length === (entry.reshuffled?.length ?? 0),
      "every reshuffle of a round"
    );
  const left = (player) => all("chips").some((entry) => entry.leaves && entry.player === player);
  const opened = (player) => [...all("opened"), ...all("lapse")].some((entry) => entry.player === player);
  const contributors = seeds ? Object.keys(seeds.hashes) : places ? [] : shoe.roster;
  const waiting = contributors.filter((player) => !opened(player) && !left(player));
  const [ended] = all("void");
  if (seal) need(!waiting.length, "each seed that was opened");
  if (ended?.by !== void 0 && seeds) need(all("opened").length || waiting.length < 2, "what makes the shoe void");
  for (const seat of open2.waived ?? [])
    need(
      all("chips").some((entry) => entry.op === "buy-in" && entry.seat === seat),
      `the chips by which seat ${seat} was taken`
    );
  for (const entry of all("chips")) need(needed(entry, entries, shoe, open2), "no chips that the hand does not need");
}
function everyRound(opens, rounds, seal, number2, need) {
  let position = seal?.burn === void 0 ? 0 : 1;
  opens.forEach(({ round }, i) => {
    need(round === number2 - opens.length + 1 + i, "each open of the shoe up to the round's");
    const dealt = rounds.find((one) => one.round === round);
    need(dealt || round === number2, "a round for each open");
    if (!dealt) return;
    need(position === null || dealt.pos === position, "every round before it");
    position = dealt.reshuffled ? null : dealt.pos + dealt.cards.length;
  });
}
function changesChair({ op, at, seat, player, leaves }, entries, shoe) {
  const last = entries.filter((entry) => entry.kind === "chips" && entry.seat === seat && entry.at < at).at(-1);
  const sits = last ? last.leaves ? void 0 : last.player : shoe.roster[rosterSeats(shoe).indexOf(seat)];
  return leaves === true || op === "buy-in" && sits !== player;
}
function needed(chips2, entries, shoe, open2) {
  const { op, at, seat, player, leaves } = chips2;
  if (shoe.placer) return at > shoe.at && at < open2.at && changesChair(chips2, entries, shoe);
  const { passed = [], late = [], unfunded = [], waived = [] } = open2;
  const own = entries.filter((entry) => entry.kind === "chips" && entry.player === player && entry.seat === seat);
  const since = at > shoe.at && at < open2.at && [...waived, ...passed, ...late, ...unfunded].includes(seat);
  const back = rosterSeats(shoe)[shoe.roster.indexOf(player)] === seat;
  if (op === "buy-in") return since && (!back || own.some((entry) => entry.leaves && entry.at < at));
  if (op !== "cash-out" || !leaves) return false;
  const seeds = entries.find((entry) => entry.kind === "seeds");
  const { many } = GAMES[entries.find((entry) => entry.kind === "table")?.rules];
  const contributed = seeds !== void 0 && Object.hasOwn(seeds.hashes, player) && at > seeds.at;
  return contributed && !many && at < open2.at || since && back && own.some((entry) => entry.op === "buy-in" && entry.at > at);
}
function rosterSeats({ chips: chips2 = {}, owes = [], waits = [], away = [] }) {
  const seats = Object.keys(chips2).map(Number).filter(Boolean).sort((a, b) => a - b);
  return seats.filter((seat) => ![...owes, ...waits, ...away].includes(seat));
}

// verifier/waiting.ts
var MAX_DECISIONS = 8;
var MAX_STEPS = 2 ** 31;
var SIGNED_TEXT = /"fairshoe (?:placing|question|answer receipt) v1\\n(?:[^"\\\x00-\x1f]|\\[ -~]){0,16384}"/g;
var ANSWER_RECEIPT = /^fairshoe answer receipt v1\n([^\n]*\n[^\n]*)\n(0|[1-9]\d{0,9})\n([^\n]*)\nat ([^\n]*)\n$/;
function readSignedNotes(text2) {
  const found2 = (text2.match(SIGNED_TEXT) ?? []).flatMap((one) => {
    try {
      return [JSON.parse(one)];
    } catch {
      return [];
    }
  });
  if (text2 && !found2.length) throw new InputError("no signed answer", "--notes", "a line of JSON for each answer");
  return found2;
}
function signedText(note, key2) {
  try {
    const parsed = parseNote(note);
    return key2 && isSignedBy(parsed, key2) ? parsed.text : "";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return "";
  }
}
function waitsOf(audit, house, notes2) {
  const given = notes2.filter((note) => note.startsWith("fairshoe answer receipt v1\n"));
  const receipts = given.map((note) => ANSWER_RECEIPT.exec(signedText(note, house)));
  const waiting = [...audit.shoes.values()].filter((shoe) => shoe.placer && !shoe.endUnread && longestOf(shoe) !== DAY);
  return waiting.filter((shoe) => shoe.astray !== null || !isKeptBack(audit, shoe, receipts)).map(({ table }) => `whether ${table?.id} waits for its placer`);
}
function isKeptBack(audit, shoe, receipts) {
  const chain = shoe.placer?.chain;
  const taken = /* @__PURE__ */ new Map();
  for (const [, about, steps, head, moment] of receipts.filter((receipt) => receipt !== null)) {
    const at = microseconds(moment);
    if (at === null || about !== chain?.about || Number(steps) <= chain.steps || Number(steps) > MAX_STEPS) continue;
    const [first, last] = taken.get(`${steps} ${head}`) ?? [at, at];
    taken.set(`${steps} ${head}`, [Math.min(first, at), Math.max(last, at)]);
  }
  const limits = MAX_DECISIONS * (shoe.table?.chairs.size ?? 0) * shoe.policy.decision * 1e6;
  const late = [...taken.values()].some(
    ([first, last]) => audit.own.at(Math.min(last, audit.at)) - audit.own.at(first + limits) > DAY
  );
  if (late)
    audit.fail("completeness", "round", `what the placer of ${shoe.id} has answered`, null, {
      entry: shoe.entry,
      shoe: shoe.id
    });
  return late;
}

// verifier/log.ts
var MAX_LINE = 1 << 28;
var BOM = [239, 187, 191];
var CR = 13;
var LF = 10;
var LogReader = class {
  audit;
  /** whether anybody gave openings */
  covering;
  key;
  notes;
  house;
  signed;
  signature;
  /** the first bytes of the file */
  head;
  /** what stands after the last line feed */
  rest;
  length;
  lines;
  blank;
  /** how the file was saved, in words */
  resaved;
  /** over the lines as they stand in a file that was saved so */
  saved;
  /** whether the checkpoint covers the entries, or the lines as they stand in the file */
  covers;
  /**
   * @param key the house's verifier key, known from elsewhere
   * @param notes what placers and house answered, a line each
   * @param openings what binds cards, as `fairshoe pull` keeps it; null: nobody gave any
   */
  constructor(beside = {}, key2 = "", notes2 = "", openings2 = null) {
    this.audit = new Audit();
    this.audit.openings = readOpenings(openings2 ?? "");
    this.covering = openings2 !== null;
    this.key = key2;
    this.notes = readSignedNotes(notes2);
    this.house = null;
    this.signed = null;
    this.signature = "not-checked";
    this.read(beside);
    this.head = new Uint8Array();
    this.rest = [];
    this.length = 0;
    this.lines = 0;
    this.blank = 0;
    this.resaved = [];
    this.saved = null;
    this.covers = { entries: isCovered(this.signed, new Tree()), lines: false };
  }
  fail(check, field, expected, found2, entry = null) {
    this.audit.entry = {};
    this.audit.fail(check, field, expected, found2, { entry });
  }
  /** @param beside what can be said of it before the log is read */
  read({ checkpoint, vkey }) {
    let key2 = null;
    try {
      key2 = this.key || vkey ? parseVerifierKey(this.key || vkey || "") : null;
    } catch (error) {
      this.fail("signature", "log.vkey", "a verifier key", messageOf(error));
    }
    this.house = key2;
    if (this.key) this.signature = "fail";
    this.audit.origin = key2?.name ?? "";
    if (!checkpoint) {
      if (this.key) this.fail("signature", "checkpoint", "a checkpoint beside the log", null);
      return;
    }
    try {
      this.signed = parseCheckpoint(parseNote(checkpoint));
      this.audit.origin = this.signed.origin;
      if (key2) openCheckpoint(checkpoint, key2);
      if (this.key) this.signature = "pass";
    } catch (error) {
      this.fail("signature", "checkpoint", "a checkpoint that this key signed", messageOf(error));
    }
  }
  /**
   * @param bytes the next ones of the file
   * @throws FairshoeError where there is no verdict
   */
  push(bytes) {
    if (!this.head.length) this.head = bytes.slice(0, 512);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      const tail = bytes.subarray(from, end);
      this.line(this.length ? concat(...this.rest, tail) : tail);
      [this.rest, this.length, from] = [[], 0, end + 1];
    }
    if (from === bytes.length) return;
    this.length += bytes.length - from;
    if (this.length > MAX_LINE)
      throw new InputError("no log: a line has no end", "log", `at most ${MAX_LINE} bytes a line`);
    this.rest.push(bytes.slice(from));
  }
  /** @param stands a line without its LF, as it stands in the file */
  line(stands2) {
    const line = this.asWritten(stands2, true);
    if (this.saved) {
      this.saved.append(leafHash(stands2));
      this.covers.lines ||= isCovered(this.signed, this.saved);
    }
    if (line.length) this.take(line);
    else this.blank += 1;
  }
  /**
   * @param ended whether by LF
   * @returns without what an editor puts into it; the first line shows whether one did
   */
  asWritten(line, ended) {
    const marked = !this.lines && BOM.every((byte, i) => line[i] === byte);
    if (!this.lines && marked) this.resaved.push("a byte order mark at its beginning");
    if (!this.lines && line.at(-1) === CR) this.resaved.push("line ends CR LF");
    if (!this.lines && this.resaved.length) this.saved = new Tree();
    this.lines += 1;
    return line.subarray(marked ? BOM.length : 0, line.length - (this.saved && ended && line.at(-1) === CR ? 1 : 0));
  }
  take(entry) {
    for (; this.blank; this.blank--) this.takeOne(new Uint8Array());
    this.takeOne(entry);
  }
  takeOne(entry) {
    this.audit.take(entry);
    this.covers.entries ||= isCovered(this.signed, this.audit.tree);
  }
  /** @throws FairshoeError where there is no verdict */
  end() {
    const { audit } = this;
    const rest = this.asWritten(concat(...this.rest), false);
    const whole = rest.length > 0 && isWhole2(rest);
    if (whole) this.take(rest);
    const format = formatOf(this.head) || "a file of which no line is an entry";
    if (!audit.known) throw new InputError(`no log: it is ${format}`, "log", "one entry a line");
    if (rest.length)
      this.fail("syntax", "", "a line with its LF", "a line that is cut off", audit.tree.size - (whole ? 1 : 0));
    audit.end();
    const waits = waitsOf(audit, this.house, this.notes);
    this.saidOfFile();
    this.saidOfTree();
    const { verdict, rounds, ended, unshown, findings, shoes, tree, beside, unbound, covered: covered2 } = audit;
    const sum = (i) => covered2.reduce((before2, counts) => before2 + counts[i], 0);
    const openings2 = `shoes in play: ${covered2.length}; cards that openings show to be bound: ${sum(0)}, other cards: ${sum(1)}`;
    const unchecked = [
      ...waits,
      unbound && `${unbound} cards not bound`,
      shoes.size && `${shoes.size} shoes in play: their cards`,
      unshown && `${unshown} shoes without a table: their cards`
    ].filter(Boolean);
    return {
      code: verdict === "pass" ? 0 : 1,
      findings: findings.sort((a, b) => (a.entry ?? -1) - (b.entry ?? -1)),
      verdict: {
        verdict,
        entries: tree.size,
        shoes: ended,
        rounds,
        open: shoes.size,
        unchecked,
        ...beside.size && { beside: [...beside] },
        ...this.covering && { openings: openings2 },
        signature: this.signature,
        root: toHex(tree.root())
      }
    };
  }
  /** How the file was saved; or that the house signed it like that. */
  saidOfFile() {
    const { signed, blank, audit } = this;
    const words2 = [...this.resaved, ...blank ? ["empty lines at its end"] : []].join(" and ");
    if (!words2) return;
    const missing = signed ? signed.size - audit.tree.size : 0;
    if (signed && !this.saved && missing > 0 && missing <= blank) {
      const lines = audit.tree.copy();
      for (let i = 0; i < missing; i++) lines.append(leafHash(new Uint8Array()));
      this.covers.lines = isCovered(signed, lines);
      if (this.covers.lines) this.saved = lines;
    }
    if (!this.covers.lines) return this.fail("syntax", "", "the bytes that the house wrote", words2);
    this.fail("syntax", "", "one JSON object a line, and LF", words2, this.resaved.length ? 0 : audit.tree.size);
    audit.tree = this.saved;
  }
  /** Whether the entries are those that the checkpoint covers. */
  saidOfTree() {
    const { signed, covers, audit } = this;
    if (!signed) return;
    const { size } = audit.tree;
    if (size < signed.size) this.fail("tree", "size", signed.size, size, size);
    else if (!covers.entries && !covers.lines) this.fail("tree", "root", toHex(signed.root), audit.root);
    if (size > signed.size) this.fail("tree", "size", signed.size, size, signed.size);
  }
};
function isCovered(signed, tree) {
  return signed !== null && tree.size === signed.size && equal(tree.root(), signed.root);
}
function isWhole2(line) {
  try {
    return parseInProfile(line) !== null;
  } catch {
    return false;
  }
}
var messageOf = (error) => error.message;

// verifier/verify.ts
var LARGEST_NOTE = 65536;
var LARGEST_FILE = 1 << 26;
var MAX_OPENINGS = 1 << 28;
var CHUNK = 1 << 20;
var GZIP = Buffer.from([31, 139]);
function refuse(message) {
  process.stderr.write(`verify: ${message}
`);
  process.exit(2);
}
var reason = (error) => error.message;
function read(path2, most = LARGEST_FILE) {
  const stat = existsSync(path2) ? statSync(path2) : refuse(`${path2} does not exist`);
  if (!stat.isFile() || stat.size > most) refuse(`${path2} is no regular file of at most ${most} bytes`);
  return new Uint8Array(readFileSync(path2));
}
function readText(path2) {
  const bytes = read(path2, LARGEST_NOTE);
  const format = formatOf(bytes);
  return format ? refuse(`${path2} is ${format}`) : asSaved(bytes);
}
function readUtf8(path2, most) {
  try {
    return fromUtf8(read(path2, most));
  } catch (error) {
    return refuse(`${path2}: ${reason(error)}`);
  }
}
function readKey(key2) {
  const text2 = existsSync(key2) ? readText(key2).trim() : key2;
  try {
    parseVerifierKey(text2);
    return text2;
  } catch (error) {
    return refuse(`the key cannot be read: ${reason(error)}`);
  }
}
function options(args) {
  const found2 = { path: "", key: "", notes: "", openings: null };
  for (let i = 0; i < args.length; i++) {
    if (!args[i].startsWith("--")) found2.path = found2.path ? refuse("one log or proof at a time") : args[i];
    else if (args[i] === "--notes") found2.notes = readUtf8(args[++i] ?? refuse("--notes takes a file")) || "\n";
    else if (args[i] === "--openings")
      found2.openings = readUtf8(args[++i] ?? refuse("--openings takes a file"), MAX_OPENINGS);
    else if (args[i] !== "--key") refuse(`there is no option ${args[i]}`);
    else found2.key = readKey(args[++i] ?? refuse("--key takes a value"));
  }
  if (!found2.path) refuse("usage: node verify.mjs LOG [--key VKEY] [--notes FILE] [--openings FILE]");
  if (!existsSync(found2.path)) refuse(`${found2.path} does not exist`);
  return found2;
}
function open(path2) {
  const [fd, beginning] = [openSync(path2, "r"), Buffer.alloc(2)];
  readSync(fd, beginning, 0, 2, 0);
  const file = createReadStream(path2, { fd, start: 0, highWaterMark: CHUNK });
  return beginning.equals(GZIP) ? pipeline(file, createGunzip({ chunkSize: CHUNK }), () => {
  }) : file;
}
var say = (line) => console.log(JSON.stringify(line));
function hand() {
  const bytes = read(path);
  const format = bytes[0] === 239 ? "a text with a byte order mark: save it without one" : formatOf(bytes);
  if (format) refuse(`${path} is ${format}`);
  try {
    const { outcome, round, findings, bound, newer } = checkHand(
      bytes,
      key || refuse("a proof needs --key, the house's key")
    );
    if (newer) refuse(`${path}: ${newer.message}`);
    for (const finding of findings) say(finding);
    say({ outcome, round, ...bound && { bound: "to the seal" } });
    process.exitCode = outcome.startsWith("PASS") ? 0 : 1;
  } catch (error) {
    refuse(reason(error));
  }
}
async function log() {
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const inside = ["log.jsonl", "log.jsonl.gz"].map((name) => join2(path, name));
  const file = folder === path ? inside.find((name) => existsSync(name)) : path;
  if (!file)
    return refuse(
      `${path} has no log.jsonl${existsSync(join2(path, "tile")) ? "; tiles are read by fairshoe-audit" : ""}`
    );
  if (!statSync(file).isFile()) refuse(`${file} is no regular file`);
  const beside = (name) => existsSync(join2(folder, name)) ? readText(join2(folder, name)) : "";
  const bound = join2(folder, "openings.jsonl");
  try {
    const shown = openings ?? (existsSync(bound) ? readUtf8(bound, MAX_OPENINGS) : null);
    const reader = new LogReader({ checkpoint: beside("checkpoint"), vkey: beside("log.vkey") }, key, notes, shown);
    for await (const bytes of open(file)) reader.push(bytes);
    const { code, findings, verdict } = reader.end();
    for (const finding of findings) say(finding);
    say(verdict);
    process.exitCode = code;
  } catch (error) {
    if (!(error instanceof FairshoeError) && !(error instanceof Error && "code" in error)) throw error;
    refuse(`${file}: ${reason(error)}`);
  }
}
var { path, key, notes, openings } = options(process.argv.slice(2));
if (path.endsWith(".json") && !statSync(path).isDirectory()) hand();
else await log();
