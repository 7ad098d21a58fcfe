"""How likely a count or a sum is by chance, and when several tests together say something."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist


def two_sided(z: float) -> float:
    """The chance that a normal result lies so far from its mean, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def above(z: float) -> float:
    """The chance that a normal result lies so far above its mean."""
    return math.erfc(z / math.sqrt(2)) / 2


def within(level: float) -> float:
    """So many standard deviations to either side hold all but a share `level`."""
    return NormalDist().inv_cdf(1 - level / 2)


def holm(chances: Sequence[float]) -> list[float]:
    """Holm's correction: the chance of any false alarm among them is at most what each is held against."""
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    adjusted = [1.0] * len(chances)
    worst = 0.0
    for rank, i in enumerate(order):
        worst = max(worst, min(1.0, (len(order) - rank) * chances[i]))
        adjusted[i] = worst
    return adjusted


def smallest_shift(deviation: float, level: float, power: float = 0.9) -> float:
    """The least shift of a mean with this standard deviation that is found with that power at that level, two-sided."""
    return (within(level) + NormalDist().inv_cdf(power)) * deviation
