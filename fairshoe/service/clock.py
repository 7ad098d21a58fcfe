"""The house's time: it never stands still and never goes back, whatever the machine's clock does."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..log.times import HOUR
from .errors import Unusable

MOST_OFF = HOUR
"""A start that is further off the last entry than this needs the operator's word."""


def wall_time() -> int:
    """The machine's clock in microseconds since 1970."""
    return time.time_ns() // 1_000


def steady_time() -> int:
    """Microseconds that only ever pass."""
    return time.monotonic_ns() // 1_000


class Clock:
    """Steady time from the last entry's on, or the wall clock where that is later."""

    def __init__(self, wall: Callable[[], int] = wall_time, steady: Callable[[], int] = steady_time) -> None:
        self._wall = wall
        self._steady = steady
        self._last = 0
        self._mark = steady()

    def now(self, last: int) -> int:
        """The time now, in microseconds, after an entry of the time `last`; always later than that."""
        if last != self._last:
            self._last, self._mark = last, self._steady()
        return max(last + max(1, self._steady() - self._mark), self._wall())

    @property
    def present(self) -> int:
        """The time now, after the last entry that this clock heard of."""
        return self.now(self._last)

    def check(self, last: int) -> None:
        """Raise Unusable where a start is far off the last entry: is it the clock, or was the house closed?"""
        off = self._wall() - last
        if last and abs(off) > MOST_OFF:
            side = "after" if off > 0 else "before"
            raise Unusable(
                f"the machine's clock is {abs(off) / HOUR:.1f} hours {side} the log's last entry",
                where="clock",
                expected="at most an hour",
                remedy="set the clock; or, if it is right, start with --clock-is-right",
            )
