"""What the sections of luck and of busts have in common: which p-value counts, and how rows of tests are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from ...luck.readings import Corrected
from ..blocks import Cell, Column, Status
from ..facts import Profile

MOST_ROWS = 40
COARSE = 0.25
"""Where only more than so much of a bet, or of a draw's chance, would be seen, nothing is said: the published attack
takes 0.3 of a bet."""


class Reading(Corrected, Protocol):
    """One test of either kind."""

    @property
    def test(self) -> str: ...
    @property
    def z(self) -> float: ...
    @property
    def visible(self) -> float: ...
    @property
    def p_holm(self) -> float: ...
    @property
    def always_holm(self) -> float: ...


R = TypeVar("R", bound=Reading)

COLUMNS = (
    Column("z", "number"),
    Column("p", "p"),
    Column("corrected", "p"),
    Column("and looking often", "p"),
    Column("least to be seen, alone", "percent"),
    Column("result", "status"),
)
"""The last columns of either table."""


def cells(reading: Reading, profile: Profile) -> tuple[Cell, ...]:
    """What stands in these."""
    chances = (reading.p, reading.p_holm, reading.always_holm)
    return (reading.z, *chances, reading.visible, state(reading, profile))


def state(reading: Reading, profile: Profile) -> Status:
    """Too little says nothing."""
    if chance(reading, profile) < profile.share:
        return "question"
    return "unknown" if reading.visible > COARSE else "good"


def chance(reading: Reading, profile: Profile) -> float:
    """The p-value that the reader's way of looking allows, corrected for the number of tests."""
    return reading.p_holm if profile.once else reading.always_holm


def oddest(readings: Sequence[R], profile: Profile) -> R | None:
    """The least likely of those that ask, if any does."""
    first = min(readings, key=lambda each: chance(each, profile))
    return first if chance(first, profile) < profile.share else None


def shown(readings: Sequence[R]) -> list[R]:
    """The whole log's, then the least likely."""
    return sorted(readings, key=lambda each: (each.scope[0] != "log", each.p, each.scope, each.test))[:MOST_ROWS]


def caption(rows: int, count: int) -> str:
    return f"Tests: {rows} of {count:,}, the whole log, then the least likely"


def whose(reading: Reading, log: str) -> str:
    """Of whom, in words; `log`: what the whole log is called."""
    kind, name = reading.scope
    return log if kind == "log" else f"{kind} {name}"
