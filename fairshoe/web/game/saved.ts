// A live shoe over a restart: encrypted for storage, and back at the very next card. What Python keeps is resumed here,
// and the other way round: a header, a nonce of 12 bytes, and AES-256-GCM of a JSON object, the header authenticated.

import { concat, fromUtf8, InputError, utf8 } from "../verifier/bytes.ts";
import { must } from "../verifier/forms.ts";
import { readProof } from "../verifier/proof.ts";
import { Committed, committedOf, stateOf } from "./committed.ts";
import { recordOf, Sealed, sealedOf } from "./sealed.ts";

const HEADER = utf8("fairshoe/1 kept 1\n");
const NONCE_BYTES = 12;

/**
 * The present state of a shoe, encrypted. Store it before anything that follows from it is shown: a state from before a
 * draw deals the same cards again.
 * @param secret 32 bytes of `newKey()`, stored apart from what is kept
 * @throws RuleError the shoe was sealed since: keep what `seal` returned
 */
export async function keep(shoe: Committed | Sealed, secret: Uint8Array): Promise<Uint8Array> {
  const state =
    shoe instanceof Sealed ? { revealed: shoe.revealed, proof: JSON.stringify(recordOf(shoe)) } : stateOf(shoe);
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const text = bytesOf(utf8(JSON.stringify(state)));
  const box = await crypto.subtle.encrypt(cipher(iv), await keyOf(secret), text);
  return concat(HEADER, iv, new Uint8Array(box));
}

/**
 * The shoe that `keep` kept, of the class that it had.
 * @throws InputError another secret, changed data, or a shoe with a second dealer
 */
export async function resume(data: Uint8Array, secret: Uint8Array): Promise<Committed | Sealed> {
  const key = await keyOf(secret);
  must(data instanceof Uint8Array, "data", "the bytes that `keep` returned");
  const [start, end] = [HEADER.length, HEADER.length + NONCE_BYTES];
  let text = "";
  try {
    if (HEADER.some((byte, i) => data[i] !== byte)) throw new Error("another header");
    const plain = await crypto.subtle.decrypt(cipher(data.slice(start, end)), key, bytesOf(data.slice(end)));
    text = fromUtf8(new Uint8Array(plain));
  } catch {
    throw new InputError(
      "not a shoe that was kept with this secret",
      "data",
      "the bytes that `keep` returned, unchanged, and the secret that it was given",
    );
  }
  const state = JSON.parse(text);
  must(!state.placer, "data", "a shoe without a second dealer");
  if (!("proof" in state)) {
    must(Array.isArray(state.hashes), "data", "a shoe that this version of fairshoe kept");
    return committedOf(state);
  }
  const sealed = sealedOf(readProof(state.proof));
  if (state.revealed) sealed.reveal();
  return sealed;
}

/** WebCrypto's types want bytes that no other thread shares. */
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

const cipher = (iv: Uint8Array) => ({ name: "AES-GCM", iv: bytesOf(iv), additionalData: bytesOf(HEADER) });

function keyOf(secret: Uint8Array): Promise<CryptoKey> {
  must(secret instanceof Uint8Array && secret.length === 32, "secret", "32 bytes", "newKey() makes one");
  must(crypto.subtle !== undefined, "crypto.subtle", "a page by https, from this machine or from a file");
  return crypto.subtle.importKey("raw", bytesOf(secret), "AES-GCM", false, ["encrypt", "decrypt"]);
}
