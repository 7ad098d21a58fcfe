"""What stands around a proof of a hand: other checkpoints that it is held against, and cosignatures of witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairshoe.log.checkpoint import Checkpoint

from ..evidence.cosigned import Cosigned, lines_of, too_few
from ..outcome import Outcome
from .same import Same


class Around(NamedTuple):
    """`note` is the proof's checkpoint with its signatures, `head` what it says."""

    note: str
    head: Checkpoint
    same: Sequence[Same]
    cosigned: Cosigned

    @property
    def lines(self) -> Iterator[str]:
        yield from (each.line for each in self.same)
        yield from lines_of(self.note, self.cosigned)

    def outcome(self, outcome: Outcome) -> Outcome:
        """The outcome of the hand, but for a house that signed two logs of one size, and for too few cosignatures:
        these fail whatever the hand is like."""
        wrong: list[str] = []
        if not all(each.holds for each in self.same):
            wrong.append(f"the house signed two logs of {self.head.size:,} entries that differ")
        if not self.cosigned.enough:
            wrong.append(too_few(self.cosigned))
        if not wrong:
            return outcome
        more = [outcome.what] if outcome.word == "FAIL" else []
        return Outcome("FAIL", "; ".join([*wrong, *more]), False)
