// What can be wrong. Each error says what, where, what was expected, and what to do.

export class FairshoeError extends Error {
  /** @param {string} what @param {string} where the argument, field or place @param {unknown} [expected] @param {string} [remedy] */
  constructor(what, where, expected = null, remedy = "") {
    super(what);
    this.name = new.target.name;
    this.what = what;
    this.where = where;
    this.expected = expected;
    this.remedy = remedy;
  }
}

/** Malformed: it breaks a limit or is of another form. Nothing is verified. */
export class InputError extends FairshoeError {}

/** Of a version that is not known here: nothing is said of it. */
export class NewerError extends FairshoeError {
  /** @param {string} where @param {number} version @param {number} newest that is known */
  constructor(where, version, newest) {
    super(`written by a newer fairshoe: ${where} is of version ${version}`, where, newest, "take a newer verifier");
  }
}

/** Well-formed, and does not hold. */
export class VerificationError extends FairshoeError {}

/** A step of docs/protocol.md section 10 that does not hold. */
export class StepFailed extends VerificationError {
  /** @param {number} step @param {string} what @param {string} where @param {unknown} expected @param {string} remedy */
  constructor(step, what, where, expected, remedy) {
    super(what, where, expected, remedy);
    this.step = step;
  }
}
