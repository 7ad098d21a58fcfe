"""The house's clock, which never goes back, and its outages, after which time limits begin anew."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from ..log.times import HOUR, SECOND
from .errors import StorageError, UnusableData

MAX_CLOCK_SKEW = HOUR
"""A start that is further off the last entry than this needs the operator's word, and a clock that is set further
while the house is open is not followed."""
MAX_READ_GAP = SECOND // 10
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def wall_time() -> int:
    """The machine's clock in microseconds since 1970."""
    return time.time_ns() // 1_000


def steady_time() -> int:
    """Microseconds that only ever pass, also while the machine sleeps where the system counts them."""
    return time.clock_gettime_ns(_STEADY) // 1_000


class HouseClock:
    """Steady time from the last entry's on, or the wall clock if it is later and was not set by over an hour."""

    def __init__(self, wall: Callable[[], int] = wall_time, steady: Callable[[], int] = steady_time) -> None:
        self._wall = wall
        self._steady = steady
        self._last = 0
        self._mark = steady()
        self._began = self._measure_offset()
        self._settled = 0
        self._followed = 0

    def now(self, last: int) -> int:
        """The time now, in microseconds, after an entry of the time `last`; always later than that."""
        steady = self._steady()
        if last != self._last:
            self._last, self._mark = last, steady
        if abs(off := self.off) <= MAX_CLOCK_SKEW:
            self._followed = off
        return max(last + max(1, steady - self._mark), self._began + steady + self._followed)

    @property
    def present(self) -> int:
        """The time now, after the last entry that this clock heard of."""
        return self.now(self._last)

    @property
    def off(self) -> int:
        """Microseconds by which the machine's clock was set since this clock was made: forward, or below 0 back."""
        return self._measure_offset() - self._began

    @property
    def lost(self) -> bool:
        """Whether the machine's clock is too far off to be followed."""
        return abs(self.off) > MAX_CLOCK_SKEW

    def jump(self) -> int:
        """Return by how many microseconds the clock was set, and is followed, since the last `settle`."""
        off = self.off
        return 0 if abs(off) > MAX_CLOCK_SKEW else off - self._settled

    def settle(self, jump: int) -> None:
        """Accept a jump of the clock, after all time limits were extended by it."""
        self._settled += jump

    def _measure_offset(self) -> int:
        """Return wall clock minus monotonic clock, in microseconds. Reads both within MAX_READ_GAP, else again."""
        while True:
            before = self._steady()
            wall = self._wall()
            if self._steady() - before < MAX_READ_GAP:
                return wall - before

    def check(self, last: int) -> None:
        """Raise UnusableData where a start is far off the last entry: is it the clock, or was the house closed?"""
        off = self._wall() - last
        if last and abs(off) > MAX_CLOCK_SKEW:
            side = "after" if off > 0 else "before"
            raise UnusableData(
                f"the machine's clock is {abs(off) / HOUR:.1f} hours {side} the log's last entry",
                where="clock",
                expected="at most an hour",
                remedy="set the clock; or, if it is right, start with --clock-is-right",
            )


OUTAGE_THRESHOLD = 5 * SECOND
"""Microseconds without an answered command after which limits begin anew, and without a refused one after which an
outage is over. No limit is shorter (`fairshoe.ceremony.policy`)."""
REPEAT_INTERVAL = 60 * SECOND
"""Microseconds after which standard error has the same fault again."""
logger = logging.getLogger("fairshoe.service")


class ClockChange(NamedTuple):
    """A change of the clock: what happened, in words, and by how many microseconds it was set."""

    why: str
    jump: int


class Outages:
    """Whether commands are answered: time limits, `start` entries, /readyz and standard error go by this alone.

    `beat` reports an answered command. `refused` is the fault for which storage refuses them, here or in another
    process. A refusal ends when a `start` is logged: after 5 s, or before an expired limit could decide."""

    def __init__(self, clock: HouseClock, steady: Callable[[], int] = steady_time) -> None:
        self.clock = clock
        self._steady = steady
        self._lock = threading.Lock()
        self._beat: int | None = None
        self.refused: StorageError | None = None
        self._first_refusal = self._last_refusal = self._last_refusal_here = self._last_start = -OUTAGE_THRESHOLD
        self._warned_at: dict[str, int] = {}
        self.count = 0

    def begin(self) -> None:
        """From here on somebody beats."""
        with self._lock:
            self._beat = self._steady()

    def refuse(self, error: StorageError, *, here: bool = True) -> None:
        """The storage has refused a command of this process, or one of another process within two seconds."""
        now = self._steady()
        if not here and now - self._last_start < 2 * SECOND:
            return  # perhaps that was before the `start`
        with self._lock:
            if self.refused is None:
                self._first_refusal = now
            if here:
                self._last_refusal_here = now
            if here or self.refused is None:
                self.refused = error
            self._last_refusal = now
        self.log_fault(error)

    @property
    def is_refusing(self) -> bool:
        """Whether a command of this process was refused within the last second."""
        return self.refused is not None and self._steady() - self._last_refusal_here < SECOND

    def log_fault(self, error: StorageError) -> None:
        """Log a fault of the storage: once a minute while it lasts, however often something fails for it."""
        now, text = self._steady(), str(error)
        with self._lock:
            if now - self._warned_at.get(text, -REPEAT_INTERVAL) < REPEAT_INTERVAL:
                return
            self._warned_at[text] = now
        logger.error("%s", error)

    def follow(self) -> None:
        """End a refusal after 5 s without another one, if another process executes the commands."""
        if self.refused is not None and self._steady() - self._last_refusal >= OUTAGE_THRESHOLD:
            logger.warning("%s, and are taken again", self._describe_refusal())
            self.begin_anew()
        self.begin()

    def end(self) -> None:
        with self._lock:
            self._beat = None

    def beat(self) -> None:
        """A command was just answered. Nothing where that was due for so long that it must be noticed first."""
        with self._lock:
            if self._beat is not None and self._steady() - self._beat < OUTAGE_THRESHOLD:
                self._beat = self._steady()

    @property
    def age(self) -> float:
        """Seconds since the last beat; 0 where nobody beats."""
        with self._lock:
            return 0.0 if self._beat is None else (self._steady() - self._beat) / SECOND

    def take_change(self, limit_ran_out: Callable[[], bool] = lambda: False) -> ClockChange | None:
        """Return what happened since the last `start` for which limits have to begin anew, None for nothing."""
        jump, now = self.clock.jump(), self._steady()
        if self.refused is not None:
            may_have_run_out = now - self._last_start >= OUTAGE_THRESHOLD - SECOND
            if now - self._last_refusal >= OUTAGE_THRESHOLD or (may_have_run_out and limit_ran_out()):
                return ClockChange(self._describe_refusal(), jump)
        if (silent := self.age) >= OUTAGE_THRESHOLD / SECOND:
            return ClockChange(f"no command was answered for {silent:.0f} seconds", jump)
        if abs(jump) >= OUTAGE_THRESHOLD:
            side = "forward" if jump > 0 else "back"
            return ClockChange(f"the machine's clock was set {side} by {abs(jump) / SECOND:.0f} seconds", jump)
        return None

    def acknowledge(self, noticed: ClockChange) -> None:
        """It is in the log that limits begin anew."""
        self.clock.settle(noticed.jump)
        self.count += 1
        logger.warning("%s: limits begin anew", noticed.why)
        self.begin_anew()

    def begin_anew(self) -> None:
        """A `start` is logged."""
        with self._lock:
            self.refused, self._last_start = None, self._steady()
            self._warned_at.clear()
            if self._beat is not None:
                self._beat = self._steady()

    def _describe_refusal(self) -> str:
        return f"commands were refused for {(self._last_refusal - self._first_refusal) / SECOND:.0f} seconds"
