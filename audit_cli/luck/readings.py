"""What a test of luck says: how far off a sum is, how probable chance makes that, and what could have been seen."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple, TypeVar

from .sums import Games, Sums, Wagers
from .tails import SURE, Terms, at_every_look, bounded_evidence, bounded_tail, evidence, holm, tail

Scope = tuple[str, str]
"""Whose result: ("log", ""), ("table", its id) or ("player", the player's)."""
LOG: Scope = ("log", "")
SHARES = {"log": 2, "table": 4, "player": 4}
"""Of the level half is for the log's tests, a quarter each for those of tables and of players: names and empty tables
cost nothing, and must not drown the log's own."""
SEEN = 3.0902 + 1.2816
"""So many standard errors are seen at the level 0.001 nine times in ten."""


def in_order(scope: Scope) -> tuple[int, str]:
    """The log first, then tables, then players."""
    kind, name = scope
    return ("log", "table", "player").index(kind), name


class Reading(NamedTuple):
    """One test. `excess` is in units of the bet (of `bets`: in chips), in the house's favour (of `seat`: the player's);
    `z` its standard errors.

    `p`: how probable chance makes it, for somebody who looks once, at a time chosen before; `always`: for somebody who
    looks as often as they like. `p_holm` and `always_holm` are corrected for the number of tests. `visible`: the least
    advantage a hand, in units of the bet (of `bets`: for each chip bet), that this amount shows nine times in ten.
    """

    scope: Scope
    test: str
    rounds: int
    hands: int
    excess: float
    error: float
    z: float
    p: float
    always: float
    visible: float
    p_holm: float = 1.0
    always_holm: float = 1.0


class BustReading(NamedTuple):
    """One bust test. `draws` that could have gone either way, of which `busts` bust and `expected` were to be expected;
    `z` in standard errors. `p`, `always`, and `…_holm` as those of a `Reading`, for either direction. `visible`: the
    least change of a draw's chance that this amount shows nine times in ten, at the level 0.001; `power`: the same
    after other numbers of rounds like these."""

    scope: Scope
    test: str
    rounds: int
    draws: int
    busts: int
    expected: float
    z: float
    p: float
    always: float
    visible: float
    power: Sequence[tuple[int, float]]
    p_holm: float = 1.0
    always_holm: float = 1.0


def _reading(scope: Scope, test: str, found: Terms, sums: Sequence[Sums], p: float, always: float) -> Reading:
    error = sqrt(found.variance)
    rounds, hands = sum(each.rounds.total() for each in sums), sum(each.hands for each in sums)
    z = found.excess / error if error else 0.0
    return Reading(scope, test, rounds, hands, found.excess, error, z, p, always, SEEN * error / max(hands, 1))


def read_one(scope: Scope, test: str, found: Terms, sums: Sequence[Sums]) -> Reading:
    """Whether the excess is too high."""
    return _reading(scope, test, found, sums, tail(found), at_every_look(evidence(found)))


def read_both(scope: Scope, test: str, found: Terms, sums: Sequence[Sums]) -> Reading:
    """Whether it is too far off, either way."""
    p = min(1.0, 2 * min(tail(found), tail(found.turned())))
    return _reading(scope, test, found, sums, p, at_every_look(evidence(found), evidence(found.turned())))


def read_bets(scope: Scope, games: Games, wagers: Wagers) -> Reading:
    """Whether the real bets lost too much; p is a bound, since a few high bets may be most of the sum."""
    won, doubt = wagers.excess(games)
    excess, variance, most = -won, wagers.variance(games), wagers.worst(games)
    error = sqrt(variance + doubt * doubt)
    careful = excess - SURE * doubt
    staked = max(sum(wagers.staked.values()), 1)
    return Reading(
        scope,
        "bets",
        wagers.rounds,
        staked,
        excess,
        error,
        excess / error if error else 0.0,
        bounded_tail(careful, variance, most),
        at_every_look(bounded_evidence(careful, variance, most)),
        SEEN * error / staked,
    )


R = TypeVar("R", Reading, BustReading)


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
