"""What bets come to by the reference strategy: a mean, and how far chance takes them from it."""

from __future__ import annotations

import math
from typing import NamedTuple

from fairshoe.engine.rules import rules_of

from ..luck.expectations import Expectation, expectation
from ..measures.results import Game, Results, Sums


class Expected(NamedTuple):
    """Of the players' net result, in the tables' smallest unit; `share` is the mean of a unit bet."""

    mean: float
    deviation: float
    share: float

    def z(self, net: float) -> float:
        """How many standard deviations a result lies above the mean."""
        return (net - self.mean) / self.deviation if self.deviation else 0.0


def expected(results: Results, game: Game, sums: Sums) -> Expected:
    """Of these bets at this game: their spread follows from what was bet, not from a fixed share of it."""
    found = _of(results, game)
    spread = found.variance * sums.squares + found.covariance * (sums.shared - sums.squares)
    unsure = (found.error * sums.staked) ** 2
    return Expected(found.mean * sums.staked - sums.short, math.sqrt(max(0.0, spread) + unsure), found.mean)


def _of(results: Results, game: Game) -> Expectation:
    return expectation(rules_of(game.rules, results.options[game]))
