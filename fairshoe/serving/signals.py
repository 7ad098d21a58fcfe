"""Ending on a signal: the first one lets what was accepted be finished, the second one does not."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import FrameType

ENDED = 0
LOOK = 0.25
"""Seconds: a signal that comes just before the main thread waits is heard when it looks again."""


def until_told(begin: Callable[[Callable[[], None]], None], stop: Callable[[], None]) -> int:
    """Begin, wait for SIGTERM or SIGINT, or that it has ended by itself, then stop; gives the exit code.

    `begin` gets what is to be called at the end. Only in the main thread."""
    told: SimpleQueue[int] = SimpleQueue()
    seen: list[int] = []

    def heard(number: int, _: FrameType | None) -> None:
        if seen:
            os._exit(128 + number)
        seen.append(number)
        told.put(number)

    old = {each: signal.signal(each, heard) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        begin(lambda: told.put(ENDED))
        number = _heard(told)
        stop()
    finally:
        for each, handler in old.items():
            signal.signal(each, handler)
    return 128 + number if number == signal.SIGINT else 0


def _heard(told: SimpleQueue[int]) -> int:
    while True:
        try:
            return told.get(timeout=LOOK)
        except Empty:
            continue
