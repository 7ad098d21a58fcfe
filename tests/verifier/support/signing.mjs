// Keys and signed notes made with Node's own Ed25519, for the tests alone.
import crypto from "node:crypto";

import { concat, toBase64, toHex, utf8 } from "../../../fairshoe/web/verifier/bytes.ts";
import { sha256 } from "../../../fairshoe/web/verifier/hashes.ts";

export class Signer {
  /** A key that follows from its name; type 4 is a witness's. */
  constructor(name, type = 1, seed = name) {
    const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), sha256(utf8(seed))]);
    this.secret = crypto.createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
    const spki = crypto.createPublicKey(this.secret).export({ format: "der", type: "spki" });
    const body = concat(Uint8Array.of(type), new Uint8Array(spki.subarray(12)));
    this.name = name;
    this.id = sha256(concat(utf8(`${name}\n`), body)).subarray(0, 4);
    this.vkey = `${name}+${toHex(this.id)}+${toBase64(body)}`;
  }

  bytes(message) {
    return new Uint8Array(crypto.sign(null, message, this.secret));
  }

  line(text) {
    return this.lineOf(this.bytes(utf8(text)));
  }

  lineOf(bytes) {
    return `— ${this.name} ${toBase64(concat(this.id, bytes))}\n`;
  }

  note(text) {
    return `${text}\n${this.line(text)}`;
  }

  cosignature(text, time) {
    const stamp = new Uint8Array(8);
    new DataView(stamp.buffer).setBigUint64(0, BigInt(time));
    return this.lineOf(concat(stamp, this.bytes(utf8(`cosignature/v1\ntime ${time}\n${text}`))));
  }
}
