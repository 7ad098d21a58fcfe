"""What is counted of a log, and how what two shares of it came to adds up."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from .seen import Ended, Settled, ShoeSeen


class Adding:
    """Fields that add up, named in `ADDS`: whole numbers and arrays of them, tables of such by key, sums of sums."""

    ADDS: ClassVar[tuple[str, ...]] = ()
    __slots__ = ()

    def merge(self, other: Self) -> None:
        """Add what another share of the log came to; that one is not used any more."""
        for name in self.ADDS:
            setattr(self, name, _added(getattr(self, name), getattr(other, name)))


def _added(mine: Any, theirs: Any) -> Any:
    if isinstance(mine, Adding):
        mine.merge(theirs)
    elif isinstance(mine, dict):
        for key, value in theirs.items():
            mine[key] = _added(mine[key], value) if key in mine else value
    else:
        mine = mine + theirs
    return mine


class Count(Adding):
    """Something that is counted while a log is audited; each kind takes of these what it needs."""

    __slots__ = ()

    def round(self, seen: Settled) -> None:
        """A settled round that is as the rules have it."""

    def ended(self, seen: Ended) -> None:
        """A shoe that ended, whatever became of it."""

    def shoe(self, seen: ShoeSeen) -> None:
        """A shoe of a table whose whole order is known, after it ended."""
