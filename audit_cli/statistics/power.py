"""From power to effect: what a test of level 0.01 finds with power 0.9."""

from __future__ import annotations

from functools import cache
from math import sqrt

from .needs import distributions, solvers
from .profile import LEVEL, POWER

ONE_SIDED = float(distributions.norm.isf(LEVEL) + distributions.norm.ppf(POWER))
"""Standard errors between zero and an effect that a one-sided normal test finds."""
TWO_SIDED = float(distributions.norm.isf(LEVEL / 2) + distributions.norm.ppf(POWER))
LARGE = 2000
"""Degrees of freedom from which on chi-square is taken as normal here."""


@cache
def noncentrality(freedom: int) -> float:
    """The noncentrality that a chi-square test of so many degrees of freedom finds."""
    if freedom >= LARGE:
        return ONE_SIDED * sqrt(2 * freedom) * (1 + ONE_SIDED / sqrt(2 * freedom))
    critical = distributions.chi2.isf(LEVEL, freedom)
    high = 40 + 10 * sqrt(2 * freedom)
    return float(solvers.brentq(lambda x: distributions.ncx2.sf(critical, freedom, x) - POWER, 1e-9, high))


def two_sided(z: float) -> float:
    """The p-value of a standard normal deviate."""
    return float(2 * distributions.norm.sf(abs(z)))


def one_sided(z: float) -> float:
    """The p-value of a standard normal deviate where only high ones count."""
    return float(distributions.norm.sf(z))


def one_in(share: float) -> str:
    """A share in words: `1 of 40 shoes`."""
    return (
        "every shoe" if share >= 1 else f"1 of {1 / share:,.0f} shoes" if share < 0.4 else f"{share:.0%} of the shoes"
    )
