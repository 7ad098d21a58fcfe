"""What a reference strategy's round comes to by chance: from the data file, or simulated where a game is not in it.

The file is keyed by the hash of rules and options that a `table` entry has, of the game with the options that change
no round's result per unit at one value (`reference.SAME`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple

from fairshoe.engine.rules import Rules

from .fingerprint import rules_digest
from .reference import game_of, reference_of
from .sampling import Sample, sample, usual_seats
from .spread import Spread

FILE = "expectations.json"
UNKNOWN_HANDS = 60_000
"""So many hands of a game that is not in the file are simulated."""
HALF = 2
DIGITS = 7
MOMENTS = ("mean", "error", "variance", "covariance")


class Expectation(NamedTuple):
    """One seat's round in units of its bet: `mean` with its standard `error`, `variance`, the `covariance` of two seats
    of a round, and what the cards that are left add to the mean (`slopes`, by `composition.Left.leanings`).

    `error` is 0 where the mean is exact. `sums`: how often the nets of so many seats of one round came to each sum, in
    half units.
    """

    rounds: int
    mean: float
    error: float
    variance: float
    covariance: float
    slopes: Sequence[float]
    sums: Mapping[int, Mapping[int, int]]

    def variance_of(self, seats: int) -> float:
        """Of the sum of so many seats of one round, which all play against the same dealer."""
        return seats * self.variance + seats * (seats - 1) * self.covariance


def expectation(rules: Rules, strategy: str | None = None) -> Expectation:
    """Of a strategy in a game, without one of the reference that the house-luck test plays."""
    game = game_of(rules)
    return _expectation(game, strategy or reference_of(game))


@cache
def _expectation(game: Rules, strategy: str) -> Expectation:
    kept = _kept().get((rules_digest(game), strategy))
    return made(sample(game, strategy, UNKNOWN_HANDS // usual_seats(game))) if kept is None else read(kept)


@cache
def spread_of(game: Rules, seats: int) -> Spread:
    """How the sum of so many seats of one round of the reference spreads; of a `game_of` some rules."""
    known = expectation(game).sums.get(seats)
    if known is None:
        known = sample(game, reference_of(game), UNKNOWN_HANDS // seats, seats).sums[seats]
    return Spread({net / HALF: count for net, count in known.items()})


def made(found: Sample) -> Expectation:
    """The moments of a sample."""
    mean, variance = _moments(found.sums[1])
    covariance = 0.0
    if found.seats > 1:
        covariance = (_moments(found.sums[2])[1] - 2 * variance) / 2
    rounds, whole = found.rounds, found.net / found.rounds
    error = sqrt((found.squares / rounds - whole * whole) / rounds) / HALF / found.seats
    return Expectation(rounds, mean, error, variance, covariance, tuple(found.slopes), found.sums)


def _moments(counts: Mapping[int, int]) -> tuple[float, float]:
    total = sum(counts.values())
    mean = sum(net * count for net, count in counts.items()) / total / HALF
    return mean, sum(net * net * count for net, count in counts.items()) / total / HALF**2 - mean * mean


@cache
def _kept() -> dict[tuple[str, str], dict[str, Any]]:
    kept = json.loads(files(__package__).joinpath(FILE).read_text(encoding="ascii"))
    return {(entry["digest"], entry["strategy"]): entry for entry in kept}


def read(entry: Mapping[str, Any]) -> Expectation:
    """An entry of the file."""
    sums = {int(seats): {int(net): count for net, count in found.items()} for seats, found in entry["sums"].items()}
    mean, error, variance, covariance = (entry[name] for name in MOMENTS)
    return Expectation(entry["rounds"], mean, error, variance, covariance, entry["slopes"], sums)


def form(game: Rules, strategy: str, found: Expectation) -> dict[str, Any]:
    """An entry of the file; of strategies that the tests do not play only the sums of one seat."""
    sums = found.sums if strategy == reference_of(game) else {1: found.sums[1]}
    return {
        "rules": game.name,
        "options": game.options,
        "digest": rules_digest(game),
        "strategy": strategy,
        "rounds": found.rounds,
        **{name: round(getattr(found, name), DIGITS) for name in MOMENTS},
        "slopes": [round(slope, DIGITS) for slope in found.slopes],
        "sums": {str(seats): {str(net): count for net, count in sorted(each.items())} for seats, each in sums.items()},
    }
