"""What is said of the cosignatures below a checkpoint that needs no log: in a proof of a hand, or by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairshoe.log.cosigned_note import cosigners_in
from fairshoe.log.times import SECOND, timestamp

from .cosigned import Cosigned

LATEST = 253_402_300_799
"""The last second that a time here has a name for."""


def lines_of(note: str, cosigned: Cosigned) -> Iterator[str]:
    """Whose cosignatures hold and whose do not; without a witness named, whose names stand there unchecked."""
    if not cosigned.wanted:
        yield _unchecked(cosigners_in(note))
        return
    for witness, seconds in cosigned.good:
        yield f"Cosigned by {witness.name} at {_at(seconds)}."
    for what in cosigned.missing:
        yield f"Missing: {what}."


def form_of(note: str, cosigned: Cosigned) -> dict[str, Any]:
    """The same as JSON values; `cosigners` are names that stand there, checked or not."""
    return {
        "cosigners": cosigners_in(note),
        **cosigned.wanted.parameters(),
        "cosigned": [{"witness": str(witness), "time": seconds} for witness, seconds in cosigned.good],
        "missing": cosigned.missing,
    }


def too_few(cosigned: Cosigned) -> str:
    """What is said first where fewer witnesses than wanted cosigned."""
    return f"{cosigned.expected} wanted, found {cosigned.found}"


def _unchecked(names: list[str]) -> str:
    if not names:
        return "No cosignature of a witness stands below the checkpoint."
    count = "1 cosignature stands" if len(names) == 1 else f"{len(names):,} cosignatures stand"
    return f"{count} below the checkpoint, by {', '.join(names)}; none was checked, since no --witness was named."


def _at(seconds: int) -> str:
    return f"{seconds} s after 1970" if seconds > LATEST else timestamp(seconds * SECOND)
