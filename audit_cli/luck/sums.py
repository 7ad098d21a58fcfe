"""Sums that do not depend on the order in which they were made: whole numbers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt

from fairshoe.engine.rules import Rules

from ..counting.seen import Adding
from .expectations import HALF, expectation, spread_of
from .tails import Terms

Games = Mapping[str, Rules]
"""The games that were played, by the hash of their rules and options."""
FINE = 10**9
"""What the cards left add to an expectation is counted in this part of a unit."""


class Sums(Adding):
    """Rounds of the reference: how many by game and seats (fewer than none: what these cost their banker), the net in
    half units, and by how much the cards left let expect more."""

    ADDS = __slots__ = ("leant", "net", "rounds")

    def __init__(self) -> None:
        self.rounds: Counter[tuple[str, int]] = Counter()
        self.net = 0
        self.leant = 0

    def add(self, game: str, seats: int, net: int, leant: int) -> None:
        self.rounds[game, seats] += 1
        self.net += net
        self.leant += leant

    @property
    def hands(self) -> int:
        return sum(count * abs(seats) for (_, seats), count in self.rounds.items())


def terms(games: Games, parts: Iterable[tuple[Sums, int]]) -> Terms:
    """What several sums, each times ±1, are together more than chance lets expect."""
    excess = 0.0
    spreads = []
    weights: Counter[str] = Counter()
    for sums, sign in parts:
        excess += sign * (sums.net / HALF - sums.leant / FINE)
        for (game, seats), count in sorted(sums.rounds.items()):
            weights[game] += sign * seats * count
            spreads.append((count, spread_of(games[game], abs(seats)), sign if seats > 0 else -sign))
    error = 0.0
    for game, weight in sorted(weights.items()):
        expected = expectation(games[game])
        excess -= weight * expected.mean
        error += (weight * expected.error) ** 2
    return Terms(excess, spreads, sqrt(error))


class Wagers(Adding):
    """The real bets on the reference's rounds: a martingale, since a bet is made before its cards are known.

    By game: `staked` chips; the squares of each bet (`own`), and of each round's bets `together`. `net` is bet × result
    in half units, `leant` what the cards left let expect more, `most` the highest stakes of a round.
    """

    ADDS = ("leant", "net", "own", "rounds", "staked", "together")
    __slots__ = (*ADDS, "most")

    def __init__(self) -> None:
        self.rounds = 0
        self.staked: Counter[str] = Counter()
        self.own: Counter[str] = Counter()
        self.together: Counter[str] = Counter()
        self.net = 0
        self.leant = 0
        self.most: dict[str, int] = {}

    def add(self, game: str, bets: list[int], nets: list[int], leant: int) -> None:
        staked = sum(bets)
        self.rounds += 1
        self.staked[game] += staked
        self.own[game] += sum(bet * bet for bet in bets)
        self.together[game] += staked * staked
        self.net += sum(bet * net for bet, net in zip(bets, nets, strict=True))
        self.leant += staked * leant
        self.most[game] = max(self.most.get(game, 0), staked)

    def merge(self, other: Wagers) -> None:
        """Add what another share of the log came to."""
        super().merge(other)
        for game, most in other.most.items():
            self.most[game] = max(self.most.get(game, 0), most)

    def excess(self, games: Games) -> tuple[float, float]:
        """What the bets won more than expected, in chips, and the standard error of that expectation."""
        excess, error = self.net / HALF - self.leant / FINE, 0.0
        for game, staked in sorted(self.staked.items()):
            expected = expectation(games[game])
            excess -= staked * expected.mean
            error += (staked * expected.error) ** 2
        return excess, sqrt(error)

    def variance(self, games: Games) -> float:
        """Of what they win, where the bets are given."""
        variance = 0.0
        for game, own in sorted(self.own.items()):
            expected = expectation(games[game])
            variance += own * expected.variance + (self.together[game] - own) * expected.covariance
        return variance

    def worst(self, games: Games) -> float:
        """The most that a round can have cost the bets beyond what was expected: a seat loses twice its bet at most."""
        return max((most * (LOSS + expectation(games[game]).mean) for game, most in self.most.items()), default=0.0)


LOSS = 2.0
"""A double, or both hands of a split; no reference loses more a bet where the house banks."""
