"""Expectations of the reference strategy's round: from the data file, or simulated where a game is not in it.

The file is keyed by the hash of rules and options that a `table` entry has, of the game with the options that change
no round's result per unit at one value (`reference.SAME`). A simulation is the same for the same rules and number of
rounds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple

from fairshoe.cards import named_deck
from fairshoe.engine.rules import Rules

from .reference import Reference, RemainingCards, game_of, reference_of, rules_digest, seats_bank, shuffle_order
from .tails import Distribution

FILE = "expectations.json"
UNKNOWN_HANDS = 60_000
"""Number of hands simulated of a game that is not in the file."""
HALF = 2
MOMENT_NAMES = ("mean", "error", "variance", "covariance")
MAX_SEATS = 7
"""More seats are simulated only where somebody asks for them."""


class Expectation(NamedTuple):
    """One seat's round in units of its bet: `mean` with its standard `error`, `variance`, the `covariance` of two seats
    of a round, and what the cards that are left add to the mean (`slopes`, by `composition.RemainingCards.leanings`).

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


@cache
def expectation(rules: Rules) -> Expectation:
    """Return the expectation of a game under the strategy that the house-luck test plays."""
    game = game_of(rules)
    kept = _kept().get(rules_digest(game))
    return made(sample(game, UNKNOWN_HANDS // usual_seats(game))) if kept is None else read(kept)


@cache
def spread_of(game: Rules, seats: int) -> Distribution:
    """How the sum of so many seats of one round of the reference spreads; of a `game_of` some rules."""
    known = expectation(game).sums.get(seats)
    if known is None:
        known = sample(game, UNKNOWN_HANDS // seats, seats).sums[seats]
    return Distribution({net / HALF: count for net, count in known.items()})


def made(found: Sample) -> Expectation:
    """Return the moments of a sample; that so few rounds show nothing of what the cards left add is taken to be so."""
    mean, variance = _moments(found.sums[1])
    covariance = 0.0
    if found.seats > 1:
        covariance = (_moments(found.sums[2])[1] - 2 * variance) / 2
    rounds, whole = found.rounds, found.net / found.rounds
    error = sqrt((found.squares / rounds - whole * whole) / rounds) / HALF / found.seats
    return Expectation(rounds, mean, error, variance, covariance, (0.0,) * 10, found.sums)


def _moments(counts: Mapping[int, int]) -> tuple[float, float]:
    total = sum(counts.values())
    mean = sum(net * count for net, count in counts.items()) / total / HALF
    return mean, sum(net * net * count for net, count in counts.items()) / total / HALF**2 - mean * mean


@cache
def _kept() -> dict[str, dict[str, Any]]:
    kept = json.loads(files(__package__).joinpath(FILE).read_text(encoding="ascii"))
    return {entry["digest"]: entry for entry in kept}


def read(entry: Mapping[str, Any]) -> Expectation:
    """An entry of the file."""
    sums = {int(seats): {int(net): count for net, count in found.items()} for seats, found in entry["sums"].items()}
    mean, error, variance, covariance = (entry[name] for name in MOMENT_NAMES)
    return Expectation(entry["rounds"], mean, error, variance, covariance, entry["slopes"], sums)


class Sample(NamedTuple):
    """Rounds with `seats` seats: how often each sum of so many seats' nets came, in half units, counted
    over all neighbours round the table; the sum and the squares of a round's net.

    Neighbours of a full table stand for a table with fewer seats: cards that nobody has seen are dealt in no order, so
    that no hand's chances depend on who else draws.
    """

    rounds: int
    seats: int
    sums: dict[int, Counter[int]]
    net: int
    squares: int


def usual_seats(rules: Rules) -> int:
    """Return how many seats are simulated: a full table, or a part of it."""
    return min(MAX_SEATS, rules.chairs[1] - seats_bank(rules))


def sample(
    rules: Rules,
    rounds: int,
    seats: int | None = None,
    look: Callable[[Sequence[float], float], None] | None = None,
) -> Sample:
    """Play `rounds` rounds, each of a deck in a new order; where a shoe serves many, from any place in it.

    Where `seats` are given only the sum of all of them is counted. `look` is told of each round that may begin
    anywhere in a shoe: the leanings of the cards left, and a seat's net in units.
    """
    game = game_of(rules)
    reference = Reference(game)
    many = usual_seats(game) if seats is None else seats
    deck = list(named_deck(game.deck))
    seed = f"fairshoe luck {rules_digest(game)} {reference_of(game)} {many}"
    places = 0 if game.one_round else max(game.cards - (76 if game.packs > 2 else 6), 1)
    counts = range(1, many + 1) if seats is None else (many,)
    sums: dict[int, Counter[int]] = {count: Counter() for count in counts}
    net = squares = 0
    for number in range(rounds):
        order = shuffle_order(deck, f"{seed} {number}".encode())
        place = number % places if places else 0
        nets = reference.play(order, place, many).nets
        total = sum(nets)
        net += total
        squares += total * total
        around = nets + nets
        for count, found in sums.items():
            window = sum(around[:count])
            for first in range(many):
                found[window] += 1
                window += around[first + count] - around[first] if first + count < 2 * many else 0
        if places and look is not None:
            left = RemainingCards(order, game.deck)
            left.go(place)
            look(left.leanings(), total / 2 / many)
    return Sample(rounds, many, sums, net, squares)
