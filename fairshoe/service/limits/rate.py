"""Rates: so many requests in so much time, which may all come at once."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...errors import InputError
from ...log.times import HOUR, SECOND

WINDOWS = {"s": SECOND, "m": 60 * SECOND, "h": HOUR}
OFF = "off"
EXPECTED = "off, or a number of requests for each second, minute or hour, such as 600/m"
_RATE = re.compile(r"([1-9][0-9]{0,8})/([smh])", re.ASCII)


class Rate(NamedTuple):
    """A bucket of `many` requests that fills again evenly in `window` microseconds. Nothing is counted where `many`
    is 0."""

    many: int
    window: int

    def __str__(self) -> str:
        unit = next((name for name, window in WINDOWS.items() if window == self.window), "s")
        return f"{self.many}/{unit}" if self.many else OFF

    def take(self, free_at: int, now: int) -> tuple[int, int]:
        """One request more out of a bucket that is full at the moment `free_at`: when it is full after that, and how
        many microseconds too early it comes (0: it may). The generic cell rate algorithm, in whole microseconds."""
        full = min(max(free_at, now), now + self.window) + self.window // self.many
        return full, max(0, full - now - self.window)


NONE = Rate(0, SECOND)


def rate_of(text: str) -> Rate:
    """Raises InputError."""
    if text == OFF:
        return NONE
    found = _RATE.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no rate", expected=EXPECTED)
    return Rate(int(found[1]), WINDOWS[found[2]])
