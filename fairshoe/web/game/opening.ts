// One card, shown to be the one that a root bound, before the key is out (docs/protocol.md section 9).

import { fromHex, equal, VerificationError } from "../verifier/bytes.ts";
import { isOpening, rootOfOpening } from "../verifier/bound.ts";
import { isHash, must } from "../verifier/forms.ts";
import type { Opening as OpeningForm } from "../verifier/bound.ts";

export class Opening {
  /** as the API and `toJSON` have it */
  readonly form: OpeningForm;

  /** @throws VerificationError where it is none */
  constructor(form: unknown) {
    if (!isOpening(form))
      throw new VerificationError("no opening of a card", "opening", "an opening: docs/protocol.md, section 9");
    this.form = form as OpeningForm;
  }

  /** @throws VerificationError */
  static fromJSON(text: string): Opening {
    let form: unknown = null;
    try {
      form = JSON.parse(text);
    } catch {} // then it is no opening
    return new Opening(form);
  }

  /** in the dealt order, from 0 */
  get pos(): number {
    return this.form.pos;
  }

  get label(): string {
    return this.form.label;
  }

  toJSON(): OpeningForm {
    return this.form;
  }

  /**
   * @param root that was published after the seal, 64 hex digits
   * @throws VerificationError where it binds another card there
   */
  verify(root: string): void {
    must(isHash(root), "root", "64 hex digits");
    const found = rootOfOpening(this.form);
    if (!found || !equal(found, fromHex(root)))
      throw new VerificationError(`the root binds another card at position ${this.pos}`, "opening", root);
  }
}
