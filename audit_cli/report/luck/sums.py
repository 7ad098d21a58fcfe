"""The sums that tests of luck are made of, whole numbers, and what a test says: how far off a sum is, how probable
chance makes that, and what could have been seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple, TypeVar

from fairshoe.engine.rules import Rules

from ..counting.observations import FieldSums
from .expectations import HALF, expectation, spread_of
from .tails import CAUTION_ERRORS, ResultSum, anytime_p, bounded_evidence, bounded_tail, evidence, holm, tail

Games = Mapping[str, Rules]
"""The games that were played, by the hash of their rules and options."""
UNIT_SCALE = 10**9
"""Parts of a unit in which the effect of the cards left on an expectation is counted."""
MAX_LOSS = 2.0
"""A double, or both hands of a split; no reference loses more a bet where the house banks."""


@dataclass(slots=True)
class ReferenceSums(FieldSums):
    """Rounds of the reference: how many by game and seats (fewer than none: what these cost their banker), the net in
    half units, and by how much the cards left let expect more."""

    ADDS = ("leant", "net", "rounds")

    rounds: Counter[tuple[str, int]] = field(default_factory=Counter)
    net: int = 0
    leant: int = 0

    def merge(self, other: ReferenceSums) -> None:
        """Add another's; written out, since this is done some times a shoe."""
        for played, count in other.rounds.items():
            self.rounds[played] += count
        self.net += other.net
        self.leant += other.leant

    def add(self, game: str, seats: int, net: int, leant: int) -> None:
        self.rounds[game, seats] += 1
        self.net += net
        self.leant += leant

    @property
    def hands(self) -> int:
        return sum(count * abs(seats) for (_, seats), count in self.rounds.items())


def terms(games: Games, parts: Iterable[tuple[ReferenceSums, int]]) -> ResultSum:
    """Return how far several sums, each times ±1, are together above what chance lets expect."""
    excess = 0.0
    spreads = []
    weights: Counter[str] = Counter()
    for sums, sign in parts:
        excess += sign * (sums.net / HALF - sums.leant / UNIT_SCALE)
        for (game, seats), count in sorted(sums.rounds.items()):
            weights[game] += sign * seats * count
            spreads.append((count, spread_of(games[game], abs(seats)), sign if seats > 0 else -sign))
    error = 0.0
    for game, weight in sorted(weights.items()):
        expected = expectation(games[game])
        excess -= weight * expected.mean
        error += (weight * expected.error) ** 2
    return ResultSum(excess, spreads, sqrt(error))


@dataclass(slots=True)
class PlaySums(FieldSums):
    """Settled rounds that the reference played too, with the same bets on the same cards; `above`: how much more the
    players won than it, and how much more the cards left let expect of it, in `UNIT_SCALE` parts."""

    ADDS = ("rounds", "above")

    rounds: int = 0
    above: int = 0


@dataclass(slots=True)
class Wagers(FieldSums):
    """The real bets on the reference's rounds: a martingale, since a bet is made before its cards are known.

    By game: `staked` chips; the squares of each bet (`own`), and of each round's bets `together`. `net` is bet × result
    in half units, `leant` what the cards left let expect more, `most` the highest stakes of a round.
    """

    ADDS = ("leant", "net", "own", "rounds", "staked", "together")

    rounds: int = 0
    staked: Counter[str] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)
    together: Counter[str] = field(default_factory=Counter)
    net: int = 0
    leant: int = 0
    most: dict[str, int] = field(default_factory=dict)

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
        """Add another's."""
        self.rounds += other.rounds
        self.net += other.net
        self.leant += other.leant
        for game, most in other.most.items():
            self.staked[game] += other.staked[game]
            self.own[game] += other.own[game]
            self.together[game] += other.together[game]
            self.most[game] = max(self.most.get(game, 0), most)

    def excess(self, games: Games) -> tuple[float, float]:
        """Return what the bets won more than expected, in chips, and the standard error of that expectation."""
        excess, error = self.net / HALF - self.leant / UNIT_SCALE, 0.0
        for game, staked in sorted(self.staked.items()):
            expected = expectation(games[game])
            excess -= staked * expected.mean
            error += (staked * expected.error) ** 2
        return excess, sqrt(error)

    def variance(self, games: Games) -> float:
        """Return the variance of what the bets win, the bets being given."""
        variance = 0.0
        for game, own in sorted(self.own.items()):
            expected = expectation(games[game])
            variance += own * expected.variance + (self.together[game] - own) * expected.covariance
        return variance

    def worst(self, games: Games) -> float:
        """The most that a round can have cost the bets beyond what was expected: a seat loses twice its bet at most."""
        return max((most * (MAX_LOSS + expectation(games[game]).mean) for game, most in self.most.items()), default=0.0)


# What a test says.

Scope = tuple[str, str]
"""The owner of a result: ("log", ""), ("table", its id) or ("player", the player's)."""
LOG: Scope = ("log", "")
SHARES = {"log": 2, "table": 4, "player": 4}
"""Of the level half is for the log's tests, a quarter each for those of tables and of players: names and empty tables
cost nothing, and must not drown the log's own."""
DETECTABLE_ERRORS = 3.0902 + 1.2816
"""Standard errors that a test at level 0.001 detects nine times in ten."""


def in_order(scope: Scope) -> tuple[int, str]:
    """Return the log first, then tables, then players."""
    kind, name = scope
    return ("log", "table", "player").index(kind), name


class LuckReading(NamedTuple):
    """One test. The bets' test counts in chips, the others in units of the bet."""

    scope: Scope  # whose result
    test: str  # the test's name
    rounds: int  # number of rounds
    hands: int  # number of hands; chips bet in the bets' test
    excess: float  # beyond what was expected, in the house's favour (a seat's test: in the player's)
    error: float  # standard error of the excess
    z: float  # excess in standard errors
    p: float  # probability by chance for one look at a time chosen before
    always: float  # the same for somebody who looks as often as they like
    visible: float  # least advantage a hand (bets: a chip bet) that so many show nine times in ten
    p_holm: float = 1.0  # p, corrected for the number of tests
    always_holm: float = 1.0  # always, corrected for the number of tests


class BustReading(NamedTuple):
    """One bust test, for either direction."""

    scope: Scope  # whose result
    test: str  # the test's name
    rounds: int  # number of rounds
    draws: int  # cards drawn that could have gone either way
    busts: int  # draws that bust
    expected: float  # busts to be expected
    z: float  # busts beyond that, in standard errors
    p: float  # probability by chance for one look at a time chosen before
    always: float  # the same for somebody who looks as often as they like
    visible: float  # least change of a draw's chance that so many show nine times in ten, at level 0.001
    p_holm: float = 1.0  # p, corrected for the number of tests
    always_holm: float = 1.0  # always, corrected for the number of tests


def _reading(
    scope: Scope, test: str, found: ResultSum, sums: Sequence[ReferenceSums], p: float, always: float
) -> LuckReading:
    error = sqrt(found.variance)
    rounds, hands = sum(each.rounds.total() for each in sums), sum(each.hands for each in sums)
    z = found.excess / error if error else 0.0
    return LuckReading(
        scope, test, rounds, hands, found.excess, error, z, p, always, DETECTABLE_ERRORS * error / max(hands, 1)
    )


def read_one(scope: Scope, test: str, found: ResultSum, sums: Sequence[ReferenceSums]) -> LuckReading:
    """Test whether the excess is too high."""
    return _reading(scope, test, found, sums, tail(found), anytime_p(evidence(found)))


def read_both(scope: Scope, test: str, found: ResultSum, sums: Sequence[ReferenceSums]) -> LuckReading:
    """Test whether the excess is too far off, either way."""
    p = min(1.0, 2 * min(tail(found), tail(found.negated())))
    return _reading(scope, test, found, sums, p, anytime_p(evidence(found), evidence(found.negated())))


def read_bets(scope: Scope, games: Games, wagers: Wagers) -> LuckReading:
    """Test whether the real bets lost too much; p is a bound, since a few high bets may be most of the sum."""
    won, doubt = wagers.excess(games)
    excess, variance, most = -won, wagers.variance(games), wagers.worst(games)
    error = sqrt(variance + doubt * doubt)
    careful = excess - CAUTION_ERRORS * doubt
    staked = max(sum(wagers.staked.values()), 1)
    return LuckReading(
        scope,
        "bets",
        wagers.rounds,
        staked,
        excess,
        error,
        excess / error if error else 0.0,
        bounded_tail(careful, variance, most),
        anytime_p(bounded_evidence(careful, variance, most)),
        DETECTABLE_ERRORS * error / staked,
    )


R = TypeVar("R", LuckReading, BustReading)


def with_holm(readings: Sequence[R]) -> list[R]:
    """Corrected for the number of tests of each kind of scope, either kind of p value by itself; in their order."""
    corrected = list(readings)
    for kind, share in SHARES.items():
        numbers = [number for number, reading in enumerate(readings) if reading.scope[0] == kind]
        once = holm([readings[number].p for number in numbers])
        always = holm([readings[number].always for number in numbers])
        for number, p, often in zip(numbers, once, always, strict=True):
            once_holm, always_holm = min(1.0, share * p), min(1.0, share * often)
            corrected[number] = readings[number]._replace(p_holm=once_holm, always_holm=always_holm)
    return corrected
