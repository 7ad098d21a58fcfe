"""The signed heads of a log that are at hand when it is restored: the log must reach the newest of them to go on."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...errors import InputError, VerificationError
from ...log.checkpoint import Checkpoint, open_checkpoint
from ...log.directory import VERIFIER, read_text
from ...log.note import Verifier, verifier_of


class Known(NamedTuple):
    """A head with the note that says it. `own`: the house kept it as its newest, beside the database."""

    head: Checkpoint
    note: str
    own: bool = False


def known_head(path: Path, verifier: Verifier, *, own: bool = False) -> Known | None:
    """The head in a file, None where there is no such file. Raises InputError where the house did not sign it."""
    note = read_text(path)
    if note is None:
        return None
    try:
        return Known(open_checkpoint(note, verifier), note, own)
    except VerificationError as error:
        raise InputError(error.what, where=str(path), expected=f"a checkpoint signed by {verifier}") from None


def verifier_beside(*places: Path) -> Verifier:
    """The log's verifier key from a backup or a copy of the log. Raises InputError."""
    for place in places:
        text = read_text(place / VERIFIER) if place.is_dir() else None
        if text is not None:
            return verifier_of(text)
    expected = f"{VERIFIER} in the backup, or a copy of the log with one"
    raise InputError("nothing says what the house's key is", where="the backup", expected=expected)
