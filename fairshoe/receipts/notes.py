"""Receipts as signed notes: a heading, one canonical line, and a signature by the house's key for receipts.

That key is named `<origin>/receipt`. The log's key vouches for it in a note of its own, so that whoever has the
house's key needs no other.
"""

from __future__ import annotations

import base64

from ..ceremony.receipts import HEADING, signed_text
from ..errors import InputError, VerificationError
from ..log.canonical import Entry, NotCanonical, decode
from ..log.note import Signer, Verifier, open_note, signatures_of, verifier_of

KEY_HEADING = "fairshoe receipt key"
SUFFIX = "/receipt"


def receipt_name(origin: str) -> str:
    """The name of the receipts' key of the log `origin`."""
    return f"{origin}{SUFFIX}"


def is_receipt_key(verifier: Verifier) -> bool:
    """Whether a verifier key signs receipts, by its name."""
    return verifier.name.endswith(SUFFIX)


def vouching_note(log: Signer, receipts: Verifier) -> str:
    """The note in which the log's key vouches for the receipts' key."""
    return log.sign(f"{KEY_HEADING}\n{receipts}\n")


def vouched_key(note: str, log: Verifier) -> Verifier:
    """The receipts' key that a note by the log's key vouches for. Raises VerificationError."""
    heading, _, rest = _opened(note, log).partition("\n")
    if heading != KEY_HEADING or not rest.endswith("\n") or rest.count("\n") != 1:
        raise VerificationError("not a note about a receipt key", where="receipt key", expected=KEY_HEADING)
    try:
        found = verifier_of(rest[:-1])
    except InputError as error:
        raise VerificationError(error.what, where="receipt key", expected=error.expected) from None
    if found.name != receipt_name(log.name) or rest != f"{found}\n":
        raise VerificationError("the key has another name", where="receipt key", expected=receipt_name(log.name))
    return found


def write_receipt(form: Entry, signer: Signer) -> str:
    """The receipt that says `form`."""
    return signer.sign(signed_text(form))


def read_receipt(note: str, verifier: Verifier) -> Entry:
    """What a receipt says that `verifier` signed. Raises VerificationError."""
    heading, _, rest = _opened(note, verifier).partition("\n")
    if heading != HEADING or not rest.endswith("\n") or rest.count("\n") != 1:
        raise VerificationError("another note, not a receipt", where="receipt", expected=f"{HEADING}, then one line")
    try:
        return decode(rest[:-1].encode())
    except NotCanonical as error:
        raise VerificationError(error.what, where="receipt", expected=error.expected) from None


def _opened(note: str, verifier: Verifier) -> str:
    """The text of a note with one signature, which stands there as a signer writes it. Raises VerificationError."""
    try:
        text, signatures = signatures_of(note)
        open_note(note, verifier)
    except VerificationError as error:
        raise VerificationError(error.what, where="receipt", expected=error.expected) from None
    name, identifier, signature = signatures[0]
    written = f"{text}\n— {name} {base64.b64encode(identifier + signature).decode()}\n"
    if len(signatures) != 1 or note != written:
        raise VerificationError("not as it was signed", where="receipt", expected="one signature line in base64")
    return text
