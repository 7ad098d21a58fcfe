"""Results of statistical tests, one by one and together, and their significance levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from fairshoe.errors import missing

from ..luck.tails import holm


def load(name: str) -> Any:
    """A module of the extra `stats`. Raises InputError where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise missing("stats", "shuffle statistics", name.partition(".")[0]) from None


load("numpy")
special = load("scipy.special")
"""scipy.special, a third of the time to load that scipy.stats takes."""

LEVEL = 0.01
"""The level, of a single test, at which the smallest bias is stated."""
POWER = 0.9
"""The chance with which that bias would have been found at that level."""
BISECTIONS = 64
"""So many halvings find a number between two to double precision."""
ONE_SIDED = NormalDist().inv_cdf(1 - LEVEL) + NormalDist().inv_cdf(POWER)
"""Standard errors between zero and an effect that a one-sided normal test finds."""
TWO_SIDED = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(POWER)
MIN_NORMAL_DF = 2000
"""Degrees of freedom from which on chi-square is taken as normal here."""
FOUND, NOTHING, TOO_FEW = "found", "nothing found", "not enough"


class Measurement(NamedTuple):
    """One test of the shuffle."""

    name: str  # the test's name
    deck: str  # the deck's name
    question: str  # what the test looks for, in words
    shoes: int  # number of shoes counted
    needs: int  # least number of shoes that says anything
    statistic: float | None = None  # the test's statistic
    p: float | None = None  # p-value; None with fewer than the needed shoes
    effect: float | None = None  # estimate of what the test looks for, in the unit that its words name
    effect_words: str = ""  # the effect in words
    smallest: float | None = None  # least effect that so many shoes show with power 0.9 at level 0.01
    smallest_words: str = ""  # the same in words
    exact: bool = False  # p is of a count with few values: small ones come at most as often as they say
    adjusted: float | None = None  # p after Holm's correction
    status: str = TOO_FEW  # what follows from the adjusted p: FOUND, NOTHING or TOO_FEW

    @property
    def sentence(self) -> str:
        """The test's meaning, in words."""
        if self.status == TOO_FEW:
            return f"not enough: needs {self.needs:,} shoes, has {self.shoes:,}"
        if self.status == FOUND:
            return f"found: {self.effect_words} (p = {self.p:.2g}, {self.adjusted:.2g} after correction)"
        return f"nothing found; would have shown {self.smallest_words}"

    def as_json(self) -> dict[str, Any]:
        """All fields; numbers to six digits, which are the same on every machine."""
        fields = self._asdict() | {"sentence": self.sentence}
        return {name: float(f"{value:.6g}") if type(value) is float else value for name, value in fields.items()}


def correct_holm(tests: Sequence[Measurement], level: float) -> list[Measurement]:
    """Holm's step-down correction over all tests that have a p-value: the chance of any false finding is at most
    `level`, however the tests depend on each other."""
    adjusted = iter(holm([test.p for test in tests if test.p is not None]))
    corrected = [test if test.p is None else test._replace(adjusted=next(adjusted)) for test in tests]
    return [
        test if test.adjusted is None else test._replace(status=FOUND if test.adjusted <= level else NOTHING)
        for test in corrected
    ]


@cache
def noncentrality(freedom: int) -> float:
    """Return the noncentrality that a chi-square test of so many degrees of freedom finds."""
    if freedom >= MIN_NORMAL_DF:
        return ONE_SIDED * sqrt(2 * freedom) * (1 + ONE_SIDED / sqrt(2 * freedom))
    critical = special.chdtri(freedom, LEVEL)
    return find_root(lambda x: 1 - special.chndtr(critical, freedom, x) - POWER, 40 + 10 * sqrt(2 * freedom))


def find_root(rising: Callable[[float], float], high: float) -> float:
    """Return where between 0 and `high` a rising function is 0."""
    low = 0.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high


def one_in(share: float) -> str:
    """A share in words: `1 of 40 shoes`."""
    return (
        "every shoe" if share >= 1 else f"1 of {1 / share:,.0f} shoes" if share < 0.4 else f"{share:.0%} of the shoes"
    )
