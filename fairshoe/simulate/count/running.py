"""A plan played, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor

from .plan import Plan
from .tally import Tally


def simulate(plan: Plan, *, jobs: int = 1, progress: Callable[[int], None] = lambda played: None) -> Tally:
    """Play a plan in `jobs` processes; `progress` hears how many rounds are played."""
    total = Tally()
    for tally in _tallies(plan, jobs):
        total.add(tally)
        progress(total.played)
    return total


def _tallies(plan: Plan, jobs: int) -> Iterable[Tally]:
    if jobs == 1:
        for block, rounds in plan.blocks():
            yield plan.play(block, rounds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(plan.play, *zip(*plan.blocks(), strict=True))
