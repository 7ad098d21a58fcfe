"""The distribution of a round's result by chance, as its cumulant function: what tails and evidence are made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import exp, log

MOST = 700.0
"""exp() of more overflows."""


class Spread:
    """A result about its own mean. `counts`: value → how often it came."""

    def __init__(self, counts: Mapping[float, int]) -> None:
        total = sum(counts.values())
        mean = sum(value * count for value, count in counts.items()) / total
        self.points = [(value - mean, count / total) for value, count in sorted(counts.items())]
        self.low, self.high = self.points[0][0], self.points[-1][0]

    def moment(self, power: int) -> float:
        """The central moment of this power."""
        return sum(chance * value**power for value, chance in self.points)

    @cached_property
    def variance(self) -> float:
        return self.moment(2)

    @cached_property
    def third(self) -> float:
        return self.moment(3)

    def tilted(self, tilt: float) -> tuple[float, float, float]:
        """log E exp(tilt · result), and its first two derivatives."""
        top = max(tilt * self.low, tilt * self.high)
        zero = one = two = 0.0
        for value, chance in self.points:
            weight = chance * exp(max(tilt * value - top, -MOST))
            zero += weight
            weight *= value
            one += weight
            two += weight * value
        one /= zero
        return top + log(zero), one, two / zero - one * one
