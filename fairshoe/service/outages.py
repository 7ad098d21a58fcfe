"""When the house was not answering, or its machine's clock was set: limits that run begin anew then."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import NamedTuple

from ..log.times import SECOND
from .clock import Clock, steady_time

NOTICED = 5 * SECOND
"""What is shorter costs nobody a limit."""
logger = logging.getLogger("fairshoe.service")


class Noticed(NamedTuple):
    """What happened, in words, and by how many microseconds the clock that is followed was set."""

    why: str
    jump: int


class Outages:
    """Looked at wherever a limit could decide something; `beat` says that commands are being answered."""

    def __init__(self, clock: Clock, steady: Callable[[], int] = steady_time) -> None:
        self.clock = clock
        self._steady = steady
        self._lock = threading.Lock()
        self._beat: int | None = None
        self.counted = 0
        self.turn = threading.Lock()
        """Of whoever logs that limits begin anew."""

    def begin(self) -> None:
        """From here on somebody beats."""
        with self._lock:
            self._beat = self._steady()

    def end(self) -> None:
        with self._lock:
            self._beat = None

    def beat(self) -> None:
        """A command was just answered. Nothing where that was due for so long that it must be noticed first."""
        with self._lock:
            if self._beat is not None and self._steady() - self._beat < NOTICED:
                self._beat = self._steady()

    @property
    def age(self) -> float:
        """Seconds since the last beat; 0 where nobody beats."""
        with self._lock:
            return 0.0 if self._beat is None else (self._steady() - self._beat) / SECOND

    def noticed(self) -> Noticed | None:
        """What happened since anybody last asked and said that it is `over`; None for nothing."""
        jump = self.clock.jump()
        if (silent := self.age) >= NOTICED / SECOND:
            return Noticed(f"no command was answered for {silent:.0f} seconds", jump)
        if abs(jump) >= NOTICED:
            side = "forward" if jump > 0 else "back"
            return Noticed(f"the machine's clock was set {side} by {abs(jump) / SECOND:.0f} seconds", jump)
        return None

    def over(self, noticed: Noticed) -> None:
        """It is in the log that limits begin anew."""
        self.clock.settle(noticed.jump)
        self.counted += 1
        logger.warning("%s: limits begin anew", noticed.why)
        with self._lock:
            if self._beat is not None:
                self._beat = self._steady()
