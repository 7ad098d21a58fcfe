"""How probable chance alone makes a count or an excess: normal tails, the tail of a sum, evidence that holds at every
look; and when several tests together say something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import erfc, exp, expm1, inf, log, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

TILTS = tuple(2.0 ** (-half / 2) for half in range(26))
"""The bets against chance that evidence is mixed of, equally: from 1 to 1/5,800 per unit of a result."""
SADDLE_POINT_FROM = 2.5
"""From so many standard errors on a tail is found by its saddle point."""
CAUTION_ERRORS = 3.0
"""Evidence takes the expectation at so many of its standard errors to chance's side."""
MAX_TILT = 60.0
"""No tilt is steeper: what needs more is at the end of what can occur."""
MAX_EXPONENT = 700.0
"""exp() of more overflows."""
HALF_STEP = 0.5
"""Results are whole half units: what is at least so much is more than half a step below it."""


# A normal result, and many tests.


def two_sided(z: float) -> float:
    """Return the chance that a normal result lies so far from its mean, on either side."""
    return erfc(abs(z) / sqrt(2))


def above(z: float) -> float:
    """Return the chance that a normal result lies so far above its mean."""
    return erfc(z / sqrt(2)) / 2


def within(level: float) -> float:
    """Return how many standard deviations to either side hold all but a share `level`."""
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


def smallest_shift(deviation: float, level: float) -> float:
    """Return the least shift of a mean with this deviation that is found nine times in ten at that level, two-sided."""
    return (within(level) + NormalDist().inv_cdf(0.9)) * deviation


# Sums of results, and evidence.


class Distribution:
    """The distribution of a result about its own mean. `counts`: value → how often it came."""

    def __init__(self, counts: Mapping[float, int]) -> None:
        total = sum(counts.values())
        mean = sum(value * count for value, count in counts.items()) / total
        self.points = [(value - mean, count / total) for value, count in sorted(counts.items())]
        self.low, self.high = self.points[0][0], self.points[-1][0]

    def moment(self, power: int) -> float:
        """Return the central moment of this power."""
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
            weight = chance * exp(max(tilt * value - top, -MAX_EXPONENT))
            zero += weight
            weight *= value
            one += weight
            two += weight * value
        one /= zero
        return top + log(zero), one, two / zero - one * one


class ResultSum(NamedTuple):
    """A sum of independent results about their means: `spreads` how many of which, each times ±1; `error` is the
    standard error of what its mean was taken to be."""

    excess: float
    spreads: Sequence[tuple[int, Distribution, int]]
    error: float = 0.0

    @property
    def variance(self) -> float:
        return sum(count * spread.variance for count, spread, _ in self.spreads) + self.error**2

    @property
    def third(self) -> float:
        return sum(sign * count * spread.third for count, spread, sign in self.spreads)

    def negated(self) -> ResultSum:
        """Return the sum with the other sign."""
        return ResultSum(-self.excess, [(count, spread, -sign) for count, spread, sign in self.spreads], self.error)


def skewed_tail(z: float, skewness: float) -> float:
    """Return the chance that a sum which is a little skewed lies so far above its mean (Edgeworth's first term)."""
    density = exp(-z * z / 2) / sqrt(2 * pi)
    return min(max(above(z) + density * skewness / 6 * (z * z - 1), 0.0), 1.0)


def tail(terms: ResultSum) -> float:
    """Return the chance of an excess as large as this one, for somebody who looks once (Lugannani and Rice far out)."""
    variance = terms.variance
    if not variance:
        return 1.0
    terms = terms._replace(excess=terms.excess - HALF_STEP / 2)
    z = terms.excess / sqrt(variance)
    return skewed_tail(z, terms.third / variance**1.5) if z < SADDLE_POINT_FROM else _saddle(terms, z / sqrt(variance))


def _saddle(terms: ResultSum, tilt: float) -> float:
    low, high = 0.0, MAX_TILT
    for _ in range(100):
        value, slope, bend = _cumulant(terms, tilt)
        off = slope - terms.excess
        low, high = (low, tilt) if off > 0 else (tilt, high)
        step = tilt - off / bend if bend > 0 else inf
        step = step if low < step < high else (low + high) / 2
        if abs(step - tilt) <= 1e-10 * tilt or MAX_TILT - tilt < 1e-6:
            break
        tilt = step
    depth = tilt * terms.excess - value
    if depth <= 0:
        return 0.5
    w, u = sqrt(2 * depth), tilt * sqrt(bend)
    bound = exp(-depth)
    if not u > 1e-9:
        return bound
    found = above(w) + exp(-depth) / sqrt(2 * pi) * (1 / u - 1 / w)
    return min(found, bound) if found > 0 else bound


def _cumulant(terms: ResultSum, tilt: float) -> tuple[float, float, float]:
    square = terms.error**2
    value, slope, bend = tilt * tilt * square / 2, tilt * square, square
    for count, spread, sign in terms.spreads:
        zero, one, two = spread.tilted(sign * tilt)
        value += count * zero
        slope += count * sign * one
        bend += count * two
    return value, slope, bend


@lru_cache(maxsize=1 << 16)
def cumulants(spread: Distribution, sign: int) -> tuple[float, ...]:
    """log E exp(tilt · result) at every one of `TILTS`."""
    return tuple(spread.tilted(sign * tilt)[0] for tilt in TILTS)


def evidence(terms: ResultSum) -> float:
    """log of what somebody has who bet 1 that chance alone does not explain the excess, in games fair to chance.

    It is a mixture of martingales, so the chance that it is ever above log x, however often one looks, is at most 1/x
    (Ville's inequality).
    """
    excess = terms.excess - CAUTION_ERRORS * terms.error
    grown = [tilt * excess for tilt in TILTS]
    for count, spread, sign in terms.spreads:
        grown = [had - count * lost for had, lost in zip(grown, cumulants(spread, sign), strict=True)]
    return log_mean(grown)


def log_mean(logs: Sequence[float]) -> float:
    """log of the mean of what these are the logarithms of."""
    top = max(logs)
    return top + log(sum(exp(max(each - top, -MAX_EXPONENT)) for each in logs) / len(logs))


def bounded_evidence(excess: float, variance: float, most: float) -> float:
    """The same for a martingale of which only the variance is known, and that no step adds `most` to (Bennett)."""
    if not (variance > 0 and most > 0):
        return 0.0
    return log_mean([_bennett(excess, variance, most, 4 * tilt / most) for tilt in TILTS])


def bounded_tail(excess: float, variance: float, most: float) -> float:
    """An upper bound of the chance of its excess, for somebody who looks once (Bennett's inequality)."""
    if not (variance > 0 and most > 0 and excess > 0):
        return 1.0
    tilt = log(1 + excess * most / variance) / most
    return min(1.0, exp(-_bennett(excess, variance, most, tilt)))


def _bennett(excess: float, variance: float, most: float, tilt: float) -> float:
    grown = tilt * most
    return tilt * excess - variance * (expm1(grown) - grown) / most**2


def anytime_p(*logs: float) -> float:
    """A p value that holds however often one looks, of evidence of equal weight: 1 / evidence."""
    return min(1.0, exp(-min(max(log_mean(logs), 0.0), MAX_EXPONENT)))
