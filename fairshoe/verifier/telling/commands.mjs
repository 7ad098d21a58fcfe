// How a step is done by hand: commands for a shell, with the real values. What stands in a command is hex, base64 or an
// id, so that nothing in it needs more quotes.

import { toBase64, toHex, utf8 } from "../bytes.mjs";
import { textHash } from "./told.mjs";

/** @param {Uint8Array} bytes */
const decoded = (bytes) => `printf %s ${toBase64(bytes)} | base64 -d`;

/** @param {string} hex */
export const hashCommand = (hex) => `printf %s ${hex} | xxd -r -p | sha256sum`;

/** @param {string} line an entry of the log */
export const leafCommand = (line) => `(printf '\\000'; ${decoded(utf8(line))}) | sha256sum`;

/** @param {string} text the transcript */
export const textCommand = (text) => `printf '${text.replaceAll("\n", "\\n")}' | sha256sum`;

/** @param {string} key hex @param {string} text the transcript @param {number} words how many, of the first chunk */
export function wordsCommand(key, text, words) {
  const opt = Object.entries({ digest: "SHA256", hexkey: key, hexsalt: toHex(utf8("fairshoe/1 shuffle")), hexinfo: textHash(text) + toHex(utf8("chunk 0\n")) });
  return `openssl kdf -binary -keylen ${4 * Math.min(2040, Math.max(1, words))} ${opt.map((pair) => `-kdfopt ${pair.join(":")}`).join(" ")} HKDF | xxd -p -c 4`;
}

/** @param {string} text what is signed @param {Uint8Array} signature @param {Uint8Array} key */
export const signatureCommand = (text, signature, key) => `${decoded(utf8(text))} > checkpoint.txt
${decoded(signature)} > signature.bin
printf %s 302a300506032b6570032100${toHex(key)} | xxd -r -p > house.der
openssl pkeyutl -verify -pubin -keyform DER -inkey house.der -rawin -in checkpoint.txt -sigfile signature.bin`;
