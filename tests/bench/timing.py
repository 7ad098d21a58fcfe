"""Timing two things in turn, so that a machine whose speed drifts treats both alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def compared(a: Callable[[], object], b: Callable[[], object], repeats: int = 9) -> tuple[float, float, float]:
    """Median processor seconds of `a` and of `b`, and the median of their ratios pair by pair."""
    a()
    b()
    pairs = [(seconds(a), seconds(b)) for _ in range(repeats)]
    ratio = statistics.median(x / y for x, y in pairs)
    return statistics.median(x for x, _ in pairs), statistics.median(y for _, y in pairs), ratio
