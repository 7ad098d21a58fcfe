"""Processor time of processes and of all that they started, by /proc; quantiles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def family(roots: Iterable[int]) -> set[int]:
    """These processes and their descendants."""
    parents = {int(each.name): int(_stat(each)[1]) for each in Path("/proc").iterdir() if each.name.isdigit()}
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def processor(roots: Iterable[int]) -> float:
    """Seconds of the processor that they have taken, with their children that have ended."""
    stats = [_stat(Path("/proc") / str(pid)) for pid in family(roots)]
    return sum(int(ticks) for stat in stats for ticks in stat[11:15]) / TICKS


def _stat(process: Path) -> list[str]:
    """Fields from the state on; zeros where it has ended meanwhile."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
