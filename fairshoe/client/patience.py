"""How long a request is made again: until it is answered, within a bound."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from .errors import Problem, Unreachable

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds."""
BUSY = (429, 503)
AWAY = (502, 503, 504)

T = TypeVar("T")


def persist(attempt: Callable[[], T], pause: Callable[[Problem | Unreachable, int], float | None], seconds: float) -> T:
    """What an attempt gives. After its `number`th error (from 1) it is made again when the `pause` is over, seconds or
    None to give up; once whatever the time, then for so many seconds."""
    end, number = time.monotonic() + seconds, 0
    while True:
        number += 1
        try:
            return attempt()
        except (Problem, Unreachable) as error:
            wait = pause(error, number)
            if wait is None or wait > seconds or (number > 1 and time.monotonic() + wait > end):
                raise
        time.sleep(wait)


def is_unsure(error: Problem | Unreachable) -> bool:
    """Whether what was asked for may have been done all the same: a disk may be full after the log was written."""
    return not error.unsent if isinstance(error, Unreachable) else error.status >= 500


def before_reading(error: Problem | Unreachable, number: int, known: bool) -> float | None:
    """Once more where the connection was dropped; when the service says, if it is busy; while it starts again."""
    if isinstance(error, Problem):
        return error.retry_after if error.status in BUSY else None
    if error.unsent and known:
        return _growing(number)
    return 0.0 if error.dropped and number == 1 else None


def before_repeating(error: Problem | Unreachable, number: int, known: bool) -> float | None:
    """A request with a key is done once however often it is sent. `known`: the service has answered before, so that
    it may be starting again where nobody listens now."""
    growing = _growing(number)
    if isinstance(error, Problem):
        return max(growing, error.retry_after or 0.0) if error.status in (*AWAY, *BUSY) else None
    return growing if error.dropped or error.late or (error.unsent and known) else None


def _growing(number: int) -> float:
    return min(FIRST_PAUSE * 2.0 ** min(number - 1, 16), LONGEST_PAUSE)
