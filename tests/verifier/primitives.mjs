// Hashes, keys, signatures, JSON and the tree against published vectors, and against what Node itself has.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import test from "node:test";

import {
  compare,
  equal,
  fromBase64,
  fromHex,
  fromUtf8,
  toBase64,
  toHex,
  utf8,
} from "../../fairshoe/verifier/bytes.mjs";
import { canonicalText, encodeCanonical, parseCanonical } from "../../fairshoe/verifier/canonical.mjs";
import { isPublicKey, verifyEd25519 } from "../../fairshoe/verifier/ed25519.mjs";
import { InputError } from "../../fairshoe/verifier/errors.mjs";
import { extract, hkdf, hmac } from "../../fairshoe/verifier/hkdf.mjs";
import { parseJson } from "../../fairshoe/verifier/json.mjs";
import { Sha256, sha256 } from "../../fairshoe/verifier/sha256.mjs";
import { sha512 } from "../../fairshoe/verifier/sha512.mjs";
import { Tree, isConsistent, leafHash, nodeHash, rootFromPath, rootOf } from "../../fairshoe/verifier/tree.mjs";

/** Bytes that look random and are the same in every run. */
function bytesOf(seed, length) {
  const hash = crypto.createHash("shake256", { outputLength: length });
  return new Uint8Array(hash.update(String(seed)).digest());
}

// FIPS 180-4, NIST's examples.
const NIST = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
];

test("SHA-256 gives NIST's hashes", () => {
  for (const [message, hash] of NIST) assert.equal(toHex(sha256(utf8(message))), hash);
});

test("SHA-256 and SHA-512 agree with Node at every length around their blocks", () => {
  for (let length = 0; length < 300; length++) {
    const message = bytesOf(length, length);
    assert.equal(toHex(sha256(message)), crypto.createHash("sha256").update(message).digest("hex"));
    assert.equal(toHex(sha512(message)), crypto.createHash("sha512").update(message).digest("hex"));
  }
});

test("SHA-256 in pieces is SHA-256 of the whole, and a copy leaves the first alone", () => {
  const message = bytesOf("pieces", 400);
  for (const cut of [0, 1, 55, 63, 64, 65, 127, 128, 200, 400]) {
    const first = new Sha256().update(message.subarray(0, cut));
    const second = first.copy().update(message.subarray(cut));
    assert.deepEqual(second.digest(), sha256(message));
    assert.deepEqual(first.digest(), sha256(message.subarray(0, cut)));
  }
});

test("HMAC-SHA256 of RFC 4231", () => {
  const cases = [
    ["0b".repeat(20), toHex(utf8("Hi There")), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [
      toHex(utf8("Jefe")),
      toHex(utf8("what do ya want for nothing?")),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    ["aa".repeat(20), "dd".repeat(50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
    [
      "aa".repeat(131),
      toHex(utf8("Test Using Larger Than Block-Size Key - Hash Key First")),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ];
  for (const [key, message, tag] of cases) assert.equal(toHex(hmac(fromHex(key), fromHex(message))), tag);
});

test("HKDF-SHA256 of RFC 5869", () => {
  const count = (from, to) => Uint8Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const cases = [
    [
      fromHex("0b".repeat(22)),
      count(0x00, 0x0c),
      count(0xf0, 0xf9),
      42,
      "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ],
    [
      count(0x00, 0x4f),
      count(0x60, 0xaf),
      count(0xb0, 0xff),
      82,
      "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
      "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
    ],
    [
      fromHex("0b".repeat(22)),
      new Uint8Array(0),
      new Uint8Array(0),
      42,
      "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    ],
  ];
  for (const [material, salt, info, length, prk, okm] of cases) {
    assert.equal(toHex(extract(salt, material)), prk);
    assert.equal(toHex(hkdf(material, salt, info, length)), okm);
  }
  assert.equal(hkdf(new Uint8Array(1), new Uint8Array(0), new Uint8Array(0), 8160).length, 8160);
  assert.throws(() => hkdf(new Uint8Array(1), new Uint8Array(0), new Uint8Array(0), 8161), RangeError);
});

// RFC 8032 section 7.1: key, message, signature.
const RFC8032 = [
  [
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  ],
  [
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ],
  [
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  ],
  [
    "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
    toHex(new Uint8Array(crypto.createHash("sha512").update("abc").digest())),
    "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
  ],
].map((line) => line.map((hex) => fromHex(hex)));

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;

const littleEndian = (value, length = 32) =>
  Uint8Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
const numberOf = (bytes) => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

test("Ed25519 accepts the signatures of RFC 8032", () => {
  for (const [key, message, signature] of RFC8032) assert.ok(verifyEd25519(key, message, signature));
});

test("Ed25519 refuses each of them with any bit changed", () => {
  const [key, message, signature] = RFC8032[2];
  for (let bit = 0; bit < 512; bit++) {
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
  for (const [key, message, signature] of RFC8032) {
    const s = numberOf(signature.subarray(32));
    for (let more = s + ORDER; more < 2n ** 256n; more += 3n * ORDER)
      assert.ok(!verifyEd25519(key, message, Uint8Array.of(...signature.subarray(0, 32), ...littleEndian(more))));
  }
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
  for (const [key] of RFC8032) assert.ok(isPublicKey(key));
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
    "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
    "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
    "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
    false,
  ],
  [
    "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
    "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
    "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
    false,
  ],
  [
    "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
    "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
    "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22",
    false,
  ],
  [
    "fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607",
    false,
  ],
  [
    "84b698d39be126ff55fe45079e6c8bf64a0d7db6994560b4e96b7021eb39c1a1",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f084d5b99c2a9463d9c8bd5026916996984eeec87ddf1d3be329006ace1b37b09",
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
    "{}",
    '{"a":1,"b":[true,false,null,"x",-1]}',
    '{"10":1,"9":2}',
    '{"A":1,"a":1}',
    '{"":0}',
    '{"__proto__":{"a":1}}',
    '{"a":9007199254740991}',
    '{"a":-9007199254740991}',
    '{"a":"é😀\u2028\u007f\ufeff/"}',
    '{"a":"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\"}',
    '{"a":"\\\\ud800"}',
  ];
  for (const line of whole) assert.equal(canonicalText(parseCanonical(utf8(line))), line);
  const refused = [
    "",
    "null",
    "1",
    '"x"',
    "[]",
    " {}",
    "{} ",
    "{}\n",
    '{"a": 1}',
    '{"b":1,"a":1}',
    '{"9":1,"10":2}',
    '{"a":1,"a":1}',
    '{"a":1,"a":2}',
    '{"a":1.0}',
    '{"a":1e0}',
    '{"a":-0}',
    '{"a":01}',
    '{"a":1.5}',
    '{"a":9007199254740992}',
    '{"a":9007199254740993}',
    '{"a":-9007199254740992}',
    '{"a":1e999}',
    '{"a":NaN}',
    '{"a":"\\u0061"}',
    '{"a":"\\/"}',
    '{"a":"\\u001F"}',
    '{"a":"\\u0008"}',
    '{"a":"\\u00e9"}',
    '{"a":"\\ud800"}',
    '{"a":"\\ud83d\\ude00"}',
    '{"é":1}',
    '{"\\u0061":1}',
    '{"a":1,}',
    "\ufeff{}",
    '{"a":"\u0001"}',
    `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`,
  ];
  for (const line of refused) assert.throws(() => parseCanonical(utf8(line)), InputError, line);
  for (const hex of ["7b2261223a22ff227d", "7b2261223a22eda080227d"])
    assert.throws(() => parseCanonical(fromHex(hex)), InputError);
  const long = (length) => utf8(`{"a":"${"x".repeat(length - 8)}"}`);
  assert.equal(parseCanonical(long(65535)).a.length, 65527);
  assert.throws(() => parseCanonical(long(65536)), InputError);
  for (const value of [{ a: undefined }, { a: 0.5 }, { a: 2 ** 53 }, { a: "\udc00" }, { a: () => 1 }, { a: 1n }])
    assert.throws(() => encodeCanonical(value), InputError);
});

test("JSON read strictly", () => {
  assert.deepEqual(parseJson(' {"a" : [1, -2, {"b": null}], "c":"\\u00e9\\n"}\r\n\t'), {
    a: [1, -2, { b: null }],
    c: "é\n",
  });
  assert.deepEqual(Object.keys(parseJson('{"__proto__":1}')), ["__proto__"]);
  const refused = [
    "",
    "{",
    "[1,]",
    '{"a":1,}',
    '{"a":1 "b":2}',
    "{a:1}",
    "'a'",
    "tru",
    "nul",
    "01",
    "1.0",
    "1e3",
    "-0",
    "+1",
    ".5",
    "1.",
    "9007199254740992",
    "NaN",
    '"\\x"',
    '"\n"',
    '"\\ud800"',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    "1 2",
    "\ufeff1",
    "\u00a01",
    "/**/1",
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

/** RFC 6962 as it is written, the slow way. */
const split = (n) => 2 ** Math.floor(Math.log2(n - 1));
const head = (leaves) =>
  leaves.length === 1
    ? leaves[0]
    : nodeHash(head(leaves.slice(0, split(leaves.length))), head(leaves.slice(split(leaves.length))));
function pathOf(m, leaves) {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...pathOf(m, leaves.slice(0, k)), head(leaves.slice(k))]
    : [...pathOf(m - k, leaves.slice(k)), head(leaves.slice(0, k))];
}
function consistency(m, leaves, whole = true) {
  if (m === leaves.length) return whole ? [] : [head(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...consistency(m, leaves.slice(0, k), whole), head(leaves.slice(k))]
    : [...consistency(m - k, leaves.slice(k), false), head(leaves.slice(0, k))];
}

test("every inclusion proof of small trees leads to the head; a hash too many, too few or changed does not", () => {
  for (let size = 1; size <= 20; size++) {
    const leaves = Array.from({ length: size }, (_, i) => leafHash(bytesOf(i, 5)));
    const tree = new Tree();
    for (const leaf of leaves) tree.append(leaf);
    assert.deepEqual(tree.root(), head(leaves));
    for (let index = 0; index < size; index++) {
      const path = pathOf(index, leaves);
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

test("every consistency proof of small trees holds; a hash too many, too few or changed does not", () => {
  const leaves = Array.from({ length: 18 }, (_, i) => leafHash(bytesOf(i, 5)));
  const heads = leaves.map((_, i) => head(leaves.slice(0, i + 1)));
  for (let size = 1; size <= leaves.length; size++)
    for (let before = 1; before <= size; before++) {
      const proof = consistency(before, leaves.slice(0, size));
      const [old, now] = [heads[before - 1], heads[size - 1]];
      assert.ok(isConsistent(before, old, size, now, proof), `${before} in ${size}`);
      assert.ok(!isConsistent(before, sha256(old), size, now, proof));
      assert.ok(!isConsistent(before, old, size, sha256(now), proof));
      assert.ok(!isConsistent(before, old, size, now, [...proof, now]));
      if (proof.length) assert.ok(!isConsistent(before, old, size, now, proof.slice(1)));
      if (proof.length) assert.ok(!isConsistent(before, old, size, now, proof.slice(0, -1)));
      proof.forEach((_, i) => {
        const other = proof.map((node, j) => (i === j ? sha256(node) : node));
        assert.ok(!isConsistent(before, old, size, now, other));
      });
    }
  const eight = consistency(4, leaves.slice(0, 8));
  for (const size of [9, 10, 12, 16]) assert.ok(!isConsistent(4, heads[3], size, heads[7], eight), `8 called ${size}`);
  assert.ok(isConsistent(0, rootOf([]), 5, heads[4], []));
  assert.ok(!isConsistent(0, heads[0], 5, heads[4], []));
  assert.ok(!isConsistent(6, heads[5], 5, heads[4], []));
});

test("proofs hold in trees larger than 2^32", () => {
  const leaf = leafHash(utf8("last"));
  const size = 2 ** 40 + 1;
  const left = sha256(utf8("the first 2^40"));
  assert.deepEqual(rootFromPath(leaf, size - 1, size, [left]), nodeHash(left, leaf));
  assert.ok(isConsistent(2 ** 40, left, size, nodeHash(left, leaf), [leaf]));
});
