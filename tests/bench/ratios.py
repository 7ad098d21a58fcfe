"""Several things timed in turn, each as a ratio to one of them: median and spread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

REPEATS = 25


def seconds(work: Callable[[], object]) -> float:
    """Of the processor."""
    start = time.process_time()
    work()
    return time.process_time() - start


class Ratio(NamedTuple):
    """Processor seconds of one piece of work, and how many times the base's time it took, turn by turn."""

    seconds: float
    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:5.2f} ({self.low:.2f} to {self.high:.2f})"


def ratios(base: str, works: Mapping[str, Callable[[], object]], repeats: int = REPEATS) -> dict[str, Ratio]:
    """Every piece of work to `works[base]`; the spread is that of the middle half of the turns."""
    for work in works.values():
        work()
    turns = [{name: seconds(work) for name, work in works.items()} for _ in range(repeats)]
    return {name: _ratio([turn[name] for turn in turns], [turn[base] for turn in turns]) for name in works}


def _ratio(times: list[float], base: list[float]) -> Ratio:
    low, median, high = statistics.quantiles((time / other for time, other in zip(times, base, strict=True)), n=4)
    return Ratio(statistics.median(times), median, low, high)
