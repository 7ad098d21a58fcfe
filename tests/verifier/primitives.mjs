// Hashes, keys, signatures, JSON and the tree against published vectors, and against what Node itself has.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import test from "node:test";

import { compare, equal, fromBase64, fromHex, fromUtf8, InputError, toBase64, toHex, utf8 } from "../../fairshoe/web/verifier/bytes.ts";
import { canonicalText, parseCanonical, parseJson } from "../../fairshoe/web/verifier/json.ts";
import { isPublicKey, verifyEd25519 } from "../../fairshoe/web/verifier/note.ts";
import { Hmac, leafHash, nodeHash, rootFromPath, rootOf, sha256, sha512, Tree } from "../../fairshoe/web/verifier/hashes.ts";
import { pathTo, rootOver } from "./support/proving.mjs";

/** Bytes that look random and are the same in every run. */
function bytesOf(seed, length) {
  const hash = crypto.createHash("shake256", { outputLength: length });
  return new Uint8Array(hash.update(String(seed)).digest());
}

test("SHA-256 and SHA-512 agree with Node at every length around their blocks", () => {
  for (let length = 0; length < 300; length++) {
    const message = bytesOf(length, length);
    assert.equal(toHex(sha256(message)), crypto.createHash("sha256").update(message).digest("hex"));
    assert.equal(toHex(sha512(message)), crypto.createHash("sha512").update(message).digest("hex"));
  }
});

test("HMAC agrees with Node for keys and messages around a block", () => {
  for (const length of [0, 1, 32, 55, 56, 63, 64, 65, 128, 200]) {
    const [key, message] = [bytesOf(`key ${length}`, length), bytesOf(`message ${length}`, length)];
    assert.equal(toHex(new Hmac(key).of(message)), crypto.createHmac("sha256", key).update(message).digest("hex"));
  }
});

// RFC 8032 section 7.1, test 3: key, message, signature.
const RFC8032 = [
  "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
  "af82",
  "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
].map((hex) => fromHex(hex));

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;

const littleEndian = (value, length = 32) =>
  Uint8Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
const numberOf = (bytes) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

test("Ed25519 accepts a signature of RFC 8032, and refuses it with any bit changed", () => {
  const [key, message, signature] = RFC8032;
  assert.ok(verifyEd25519(key, message, signature));
  for (let bit = 0; bit < 512; bit += 3) {
    const other = signature.slice();
    other[bit >> 3] ^= 1 << (bit & 7);
    assert.ok(!verifyEd25519(key, message, other), `signature bit ${bit}`);
  }
  for (let bit = 0; bit < 256; bit += 5) {
    const other = key.slice();
    other[bit >> 3] ^= 1 << (bit & 7);
    assert.ok(!verifyEd25519(other, message, signature), `key bit ${bit}`);
  }
  assert.ok(!verifyEd25519(key, Uint8Array.of(0xaf), signature));
  for (const length of [0, 63, 65])
    assert.ok(!verifyEd25519(key, message, signature.slice(0, length)) || length === 65);
  assert.ok(!verifyEd25519(key, message, Uint8Array.of(...signature, 0)));
  assert.ok(!verifyEd25519(key.subarray(1), message, signature));
});

test("Ed25519 refuses an s that is not below the order", () => {
  const [key, message, signature] = RFC8032;
  for (let more = numberOf(signature.subarray(32)) + ORDER; more < 2n ** 256n; more += 3n * ORDER)
    assert.ok(!verifyEd25519(key, message, Uint8Array.of(...signature.subarray(0, 32), ...littleEndian(more))));
});

test("Ed25519 refuses keys of small order and points that are not canonical", () => {
  const neutral = littleEndian(1n);
  const eighth = fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
  const small = [neutral, littleEndian(P - 1n), littleEndian(0n), littleEndian(1n << 255n), eighth];
  for (const key of [...small, littleEndian(P), littleEndian(P + 1n), littleEndian(1n + (1n << 255n))]) {
    assert.ok(!isPublicKey(key), toHex(key));
    assert.ok(!verifyEd25519(key, utf8("anything"), Uint8Array.of(...neutral, ...new Uint8Array(32))), toHex(key));
  }
  assert.ok(!isPublicKey(littleEndian(2n))); // no point has this y
  const low = Array.from({ length: 19 }, (_, y) => BigInt(y)).filter((y) => isPublicKey(littleEndian(y)));
  assert.ok(low.length > 3);
  for (const y of low) assert.ok(!isPublicKey(littleEndian(P + y)), `${y}`); // the same point, written otherwise
  assert.ok(isPublicKey(RFC8032[0]));
});

// "Taming the many EdDSAs": where implementations differ. Only what the equation without cofactor accepts, of keys
// that are not of small order.
const TAMING = [
  [
    "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000",
    false,
  ],
  [
    "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
    false,
  ],
  [
    "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
    true,
  ],
  [
    "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
    "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
    "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
    true,
  ],
  [
    "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
    "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
    "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
    false,
  ],
  [
    "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
    "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
    "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
    false,
  ],
  [
    "fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607",
    false,
  ],
];

test("Ed25519 decides the cases where implementations differ", () => {
  for (const [message, key, signature, holds] of TAMING)
    assert.equal(verifyEd25519(fromHex(key), fromHex(message), fromHex(signature)), holds, signature);
});

test("Ed25519 agrees with Node on fresh signatures, whole and changed", () => {
  for (let i = 0; i < 40; i++) {
    const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), bytesOf(`key ${i}`, 32)]);
    const secret = crypto.createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
    const open = crypto.createPublicKey(secret);
    const key = new Uint8Array(open.export({ format: "der", type: "spki" }).subarray(12));
    const message = bytesOf(`message ${i}`, 7 * i);
    const signature = new Uint8Array(crypto.sign(null, message, secret));
    assert.ok(verifyEd25519(key, message, signature));
    signature[(11 * i) % 64] ^= 1 << (i % 8);
    assert.equal(verifyEd25519(key, message, signature), crypto.verify(null, message, open, signature));
  }
});

test("bytes, and the one way to write them", () => {
  assert.equal(toBase64(bytesOf(1, 50)), Buffer.from(bytesOf(1, 50)).toString("base64"));
  for (const text of ["AA", "AA=", "AB==", "AAB=", "A===", "AA==AA==", "AA==\n", " AA==", "AA-_", "á==="])
    assert.throws(() => fromBase64(text), InputError, text);
  for (const text of ["0", "0G", "AB", "ab\n", " ab", "٣٣"]) assert.throws(() => fromHex(text), InputError, text);
  for (const hex of ["ff", "c080", "eda080", "f4908080", "e282"])
    assert.throws(() => fromUtf8(fromHex(hex)), InputError);
  assert.equal(fromUtf8(fromHex("efbbbf61")), "\ufeffa");
  assert.throws(() => utf8("\ud800"), InputError);
  assert.ok(equal(fromHex("0102"), fromHex("0102")) && !equal(fromHex("0102"), fromHex("010203")));
  assert.ok(compare(fromHex("01"), fromHex("0100")) < 0 && compare(fromHex("02"), fromHex("01ff")) > 0);
});

test("canonical JSON: what an object encodes to, and nothing else", () => {
  const whole = [
    "{}", '{"a":1,"b":[true,false,null,"x",-1]}', '{"10":1,"9":2}', '{"A":1,"a":1}', '{"":0}', '{"__proto__":{"a":1}}',
    '{"a":9007199254740991}', '{"a":-9007199254740991}', '{"a":"é😀\u2028\u007f\ufeff/"}',
    '{"a":"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\"}', '{"a":"\\\\ud800"}',
  ];
  for (const line of whole) assert.equal(canonicalText(parseCanonical(utf8(line))), line);
  const refused = [
    "", "null", "1", '"x"', "[]", " {}", "{} ", "{}\n", '{"a": 1}', '{"b":1,"a":1}', '{"9":1,"10":2}', '{"a":1,"a":1}',
    '{"a":1,"a":2}', '{"a":1.0}', '{"a":1e0}', '{"a":-0}', '{"a":01}', '{"a":1.5}', '{"a":9007199254740992}',
    '{"a":9007199254740993}', '{"a":-9007199254740992}', '{"a":1e999}', '{"a":NaN}', '{"a":"\\u0061"}', '{"a":"\\/"}',
    '{"a":"\\u001F"}', '{"a":"\\u0008"}', '{"a":"\\u00e9"}', '{"a":"\\ud800"}', '{"a":"\\ud83d\\ude00"}', '{"é":1}',
    '{"\\u0061":1}', '{"a":1,}', "\ufeff{}", '{"a":"\u0001"}',
    `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`,
  ];
  for (const line of refused) assert.throws(() => parseCanonical(utf8(line)), InputError, line);
  for (const hex of ["7b2261223a22ff227d", "7b2261223a22eda080227d"])
    assert.throws(() => parseCanonical(fromHex(hex)), InputError);
  const long = (length) => utf8(`{"a":"${"x".repeat(length - 8)}"}`);
  assert.equal(parseCanonical(long(65535)).a.length, 65527);
  assert.throws(() => parseCanonical(long(65536)), InputError);
  for (const value of [{ a: undefined }, { a: 0.5 }, { a: 2 ** 53 }, { a: "\udc00" }, { a: () => 1 }, { a: 1n }])
    assert.throws(() => canonicalText(value), InputError);
});

test("JSON read strictly", () => {
  assert.deepEqual(parseJson(' {"a" : [1, -2, {"b": null}], "c":"\\u00e9\\n"}\r\n\t'), { a: [1, -2, { b: null }], c: "é\n" });
  assert.deepEqual(Object.keys(parseJson('{"__proto__":1}')), ["__proto__"]);
  const refused = [
    "", "{", "[1,]", '{"a":1,}', '{"a":1 "b":2}', "{a:1}", "'a'", "tru", "nul", "01", "1.0", "1e3", "-0", "+1", ".5",
    "1.", "9007199254740992", "NaN", '"\\x"', '"\n"', '"\\ud800"', '{"a":1,"a":1}', '{"a":1,"\\u0061":2}', "1 2",
    "\ufeff1", "\u00a01", "/**/1",
    "[".repeat(100) + "]".repeat(100),
  ];
  for (const text of refused) assert.throws(() => parseJson(text), InputError, text);
});

// RFC 6962, the vectors of transparency-dev/merkle.
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(
  (hex) => fromHex(hex),
);

test("the tree has the published heads", () => {
  const heads = [
    [0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    [1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    [7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"],
    [8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
  ];
  for (const [size, head] of heads) assert.equal(toHex(rootOf(LEAVES.slice(0, size))), head);
});

test("every inclusion proof of small trees leads to the head; a hash too many, too few or changed does not", () => {
  for (let size = 1; size <= 20; size++) {
    const leaves = Array.from({ length: size }, (_, i) => leafHash(bytesOf(i, 5)));
    const tree = new Tree();
    for (const leaf of leaves) tree.append(leaf);
    assert.deepEqual(tree.root(), rootOver(leaves));
    for (let index = 0; index < size; index++) {
      const path = pathTo(leaves, index);
      assert.deepEqual(rootFromPath(leaves[index], index, size, path), tree.root());
      assert.equal(rootFromPath(leaves[index], index, size, [...path, leaves[0]]), null);
      if (path.length) assert.equal(rootFromPath(leaves[index], index, size, path.slice(1)), null);
      path.forEach((_, i) => {
        const other = path.map((node, j) => (i === j ? sha256(node) : node));
        assert.notDeepEqual(rootFromPath(leaves[index], index, size, other), tree.root());
      });
    }
    assert.equal(rootFromPath(leaves[0], size, size, []), null);
  }
});

test("a proof holds in trees larger than 2^32", () => {
  const leaf = leafHash(utf8("last"));
  const size = 2 ** 40 + 1;
  const left = sha256(utf8("the first 2^40"));
  assert.deepEqual(rootFromPath(leaf, size - 1, size, [left]), nodeHash(left, leaf));
});
