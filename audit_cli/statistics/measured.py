"""What one test says of the data, and what all of them say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..chance import holm
from .profile import Profile

FOUND, NOTHING, TOO_FEW = "found", "nothing found", "not enough"


@dataclass(frozen=True, slots=True)
class Measured:
    """One test. `p` is None where there are fewer than the `needs` shoes: then it says nothing.

    `effect` is the estimate of what the test looks for, `smallest` the least of it that so many shoes show with power
    0.9 at level 0.01; both in the unit that the words beside them name. `exact`: p is of a count with few values, and
    small ones come at most as often as they say.
    """

    name: str
    deck: str
    question: str
    shoes: int
    needs: int
    statistic: float | None = None
    p: float | None = None
    effect: float | None = None
    effect_words: str = ""
    smallest: float | None = None
    smallest_words: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A test among the others: its p-value after Holm's correction, and what follows from it."""

    test: Measured
    adjusted: float | None
    status: str

    @property
    def sentence(self) -> str:
        """What to think of it, in words."""
        test = self.test
        if self.status == TOO_FEW:
            return f"not enough: needs {test.needs:,} shoes, has {test.shoes:,}"
        if self.status == FOUND:
            return f"found: {test.effect_words} (p = {test.p:.2g}, {self.adjusted:.2g} after correction)"
        return f"nothing found; would have shown {test.smallest_words}"

    def as_json(self) -> dict[str, Any]:
        """All fields; numbers to six digits, which are the same on every machine."""
        fields = asdict(self.test) | {"adjusted": self.adjusted, "status": self.status, "sentence": self.sentence}
        return {name: float(f"{value:.6g}") if type(value) is float else value for name, value in fields.items()}


def judged(tests: Sequence[Measured], profile: Profile) -> list[Judged]:
    """Holm's step-down correction over all tests that have a p-value: the chance of any false finding is at most the
    profile's level, however the tests depend on each other."""
    chances = {i: test.p for i, test in enumerate(tests) if test.p is not None}
    adjusted = dict(zip(chances, holm(list(chances.values())), strict=True))
    return [_judged(test, adjusted.get(i), profile) for i, test in enumerate(tests)]


def _judged(test: Measured, adjusted: float | None, profile: Profile) -> Judged:
    if adjusted is None:
        return Judged(test, None, TOO_FEW)
    return Judged(test, adjusted, FOUND if adjusted <= profile.level else NOTHING)
