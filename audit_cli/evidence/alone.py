"""A checkpoint by itself: who signed and cosigned it. Nothing is said of the log that it covers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import VerificationError
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.note import Verifier

from . import cosigned_lines
from .cosigned import Cosigned, Wanted, cosigned_by
from .kept import Kept, kept_of


class Alone(NamedTuple):
    """`wrong`: what does not hold, in words; where nothing is wrong `key` signed the checkpoint that was `kept`, and as
    many witnesses as wanted cosigned it."""

    kept: Kept
    key: Verifier
    cosigned: Cosigned
    wrong: list[str]

    @property
    def lines(self) -> Iterator[str]:
        origin, size, root = self.kept.checkpoint
        if self.wrong:
            yield from (f"FAIL: {each}" for each in self.wrong)
        else:
            yield f"PASS: {origin} signed a log of {size:,} entries with the tree head {root.hex()}"
        yield from cosigned_lines.lines_of(self.kept.note, self.cosigned)

    @property
    def form(self) -> dict[str, Any]:
        origin, size, root = self.kept.checkpoint
        return {
            "kind": "fairshoe-audit checkpoint",
            "v": 1,
            "verdict": "fail" if self.wrong else "pass",
            "origin": origin,
            "key": str(self.key),
            "size": size,
            "root": root.hex(),
            "wrong": self.wrong,
            "cosignatures": cosigned_lines.form_of(self.kept.note, self.cosigned),
        }


def check_alone(file: Path, key: Verifier, wanted: Wanted) -> Alone:
    """Check the signatures of a checkpoint's file, or of the one in a directory or a proof. Raises InputError where
    there is no checkpoint, VerificationError where it has no signatures at all."""
    kept = kept_of(file, None)
    cosigned = cosigned_by(kept.note, wanted)
    wrong: list[str] = []
    try:
        signed = open_checkpoint(kept.note, key)
        if signed.origin != key.name:
            wrong.append(f"the checkpoint is of {signed.origin}, not of {key.name}")
    except VerificationError as error:
        wrong.append(error.what)
    if not cosigned.enough:
        wrong.append(cosigned_lines.too_few(cosigned))
    return Alone(kept, key, cosigned, wrong)
