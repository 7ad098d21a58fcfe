"""A checkpoint as a proof file has it: the log's own signature, then the cosignatures, in one order for everybody."""

from __future__ import annotations

from ..errors import InputError, VerificationError
from .base64 import base64_of
from .cosignature import is_cosignature
from .note import Signature, signatures_of


def cosigned_note(note: str, origin: str) -> str:
    """A note with the first signature by `origin` and the lines below it that can be cosignatures, each once, by rising
    bytes; none of them is checked. The same signatures in another order give the same note. Raises InputError."""
    try:
        text, signatures = signatures_of(note)
    except VerificationError as error:
        raise InputError(error.what, where="checkpoint", expected=error.expected) from None
    mine = next((each for each in signatures if each.name == origin and not is_cosignature(each)), None)
    if mine is None:
        raise InputError("not signed by the log itself", where="checkpoint", expected=f"a signature by {origin}")
    return f"{text}\n{_line(mine)}" + "".join(sorted({_line(each) for each in signatures if is_cosignature(each)}))


def cosigners_in(note: str) -> list[str]:
    """The names by which cosignatures stand below a note, none of them checked; one for each key. VerificationError."""
    return [name for name, _ in sorted({each[:2] for each in signatures_of(note)[1] if is_cosignature(each)})]


def _line(signature: Signature) -> str:
    return f"— {signature.name} {base64_of(signature.id + signature.bytes)}\n"
