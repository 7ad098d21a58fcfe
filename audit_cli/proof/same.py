"""Whether the checkpoint of a proof is of the log that somebody else saw."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.note import Verifier

from ..evidence.kept import Kept, kept_of
from .refused import refused

REMEDY = (
    "with the log, or its tiles, `fairshoe-audit consistency OLD NEW LOG --key VKEY` tells; the proof file will do for "
    "OLD or NEW"
)


class Same(NamedTuple):
    """A checkpoint of the same size as the proof's, as the reader calls it; and whether its tree head is the same."""

    name: str
    old: Checkpoint
    holds: bool

    @property
    def line(self) -> str:
        if self.holds:
            return f"Held against {self.name}: the same log, of {self.old.size:,} entries."
        return (
            f"Held against {self.name}: ANOTHER log of {self.old.size:,} entries, signed by the same key. Keep both: "
            "the two checkpoints convict the house."
        )

    @property
    def form(self) -> dict[str, Any]:
        return {"size": self.old.size, "root": self.old.root.hex(), "same": self.holds}


def held_against(head: Checkpoint, kept: Kept) -> Same:
    """Hold the proof's checkpoint against another that the house signed. Raises InputError where one of them covers
    more entries than the other, which no proof of a hand can bridge."""
    old = kept.checkpoint
    if old.size != head.size:
        what = f"it covers {old.size:,} entries, the proof's checkpoint {head.size:,}"
        raise InputError(what, where=kept.name, expected="a checkpoint of the same size", remedy=REMEDY)
    return Same(kept.name, old, old.root == head.root)


def remembered_by(files: Sequence[Path], verifier: Verifier) -> list[Kept]:
    """The checkpoints in files, directories or other proofs. Raises ProofRefused where the house did not sign one,
    InputError."""
    try:
        return [kept_of(file, verifier) for file in files]
    except VerificationError as error:
        raise refused(error) from None
