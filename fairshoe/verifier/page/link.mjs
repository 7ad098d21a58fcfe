// A check in a link: the file is deflated after `#`, which a browser keeps to itself.
import { fromBase64, toBase64 } from "../bytes.mjs";

const MOST_UNPACKED = 16 << 20;

/** @param {Uint8Array} bytes @returns {Promise<string>} base64url of the bytes, deflated */
export async function packed(bytes) {
  const deflated = await through(bytes, new CompressionStream("deflate-raw"));
  return toBase64(deflated).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text @returns {Promise<Uint8Array>} @throws {Error} where it is no deflated file, or too large a one */
export function unpacked(text) {
  const plain = text.replace(/-/g, "+").replace(/_/g, "/");
  return through(fromBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "=")), new DecompressionStream("deflate-raw"));
}

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream @returns {Promise<Uint8Array>} */
async function through(bytes, stream) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > MOST_UNPACKED) throw new RangeError("too large");
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
