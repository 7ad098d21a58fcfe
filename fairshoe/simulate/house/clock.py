"""A table's simulated clock."""

from __future__ import annotations

from ...log.times import SECOND, microseconds, timestamp
from .chance import Chance

START = microseconds("2026-01-01T00:00:00.000000Z")
PAUSE = 900_000
"""The longest time in microseconds between two entries where nobody is waited for."""
MINUTE = 60 * SECOND


class Clock:
    """Moments in microseconds since 1970 that rise strictly. Clock `slot` of `slots` has its own: those that leave
    the remainder `slot`, so that no two tables ever write at the same moment."""

    def __init__(self, slot: int, slots: int, chance: Chance) -> None:
        self.now = START - START % slots + slot
        self._slots = slots
        self._pauses = max(PAUSE // slots, 1)
        self._fraction = chance.fraction
        self._minute = 0
        self._text = ""

    def tick(self) -> str:
        """A little later: the text of the new moment."""
        self.now += self._slots * (1 + int(self._fraction() * self._pauses))
        past = self.now - self._minute
        if past >= MINUTE:
            past = self.now % MINUTE
            self._minute = self.now - past
            self._text = timestamp(self._minute)[:17]
        second, micro = divmod(past, SECOND)
        return f"{self._text}{second:02}.{micro:06}Z"

    def wait(self, seconds: int, since: int) -> None:
        """Until so many seconds have passed since a moment."""
        missing = since + seconds * SECOND - self.now
        if missing > 0:
            self.now += -(-missing // self._slots) * self._slots
