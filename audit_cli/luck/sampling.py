"""What a strategy's rounds come to, by simulation: the same for the same rules, strategy and number of rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from fairshoe.cards import named_deck
from fairshoe.engine.rules import Rules

from .composition import Left
from .fingerprint import rules_digest
from .reference import Reference, game_of, seats_bank, shuffled

FITTED = 100_000
"""With fewer rounds what the cards left add is lost in the noise, and taken to be nothing."""
MOST_SEATS = 7
"""More seats are simulated only where somebody asks for them."""


class Sample(NamedTuple):
    """Rounds of a strategy with `seats` seats: how often each sum of so many seats' nets came, in half units, counted
    over all neighbours round the table; the sum and the squares of a round's net; what one more of a value among the
    cards left adds to a seat's net, in units.

    Neighbours of a full table stand for a table with fewer seats: cards that nobody has seen are dealt in no order, so
    that no hand's chances depend on who else draws.
    """

    rounds: int
    seats: int
    sums: dict[int, Counter[int]]
    net: int
    squares: int
    slopes: Sequence[float]


def usual_seats(rules: Rules) -> int:
    """So many seats are simulated: a full table, or a part of it."""
    return min(MOST_SEATS, rules.chairs[1] - seats_bank(rules))


def sample(rules: Rules, strategy: str | None, rounds: int, seats: int | None = None) -> Sample:
    """Play `rounds` rounds, each of a deck in a new order; where a shoe serves many, from any place in it.

    Where `seats` are given only the sum of all of them is counted.
    """
    game = game_of(rules)
    reference = Reference(game, strategy)
    many = usual_seats(game) if seats is None else seats
    deck = list(named_deck(game.deck))
    seed = f"fairshoe luck {rules_digest(game)} {strategy} {many}"
    places = 0 if game.one_round else max(game.cards - (76 if game.packs > 2 else 6), 1)
    counts = range(1, many + 1) if seats is None else (many,)
    sums: dict[int, Counter[int]] = {count: Counter() for count in counts}
    net = squares = 0
    fit = Fit()
    for number in range(rounds):
        order = shuffled(deck, f"{seed} {number}".encode())
        place = 0
        if places:
            place = number % places
            left = Left(order, game.deck)
            left.go(place)
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
        if places and rounds >= FITTED:
            fit.add(left.leanings(), total / 2 / many)
    return Sample(rounds, many, sums, net, squares, fit.slopes() if places and rounds >= FITTED else (0.0,) * 10)


class Fit:
    """A least-squares fit of a net to nine leanings; the tenth follows from the others."""

    def __init__(self) -> None:
        self.count = 0
        self.products = [[0.0] * 11 for _ in range(10)]

    def add(self, leanings: Sequence[float], net: float) -> None:
        row = [1.0, *leanings[:9], net]
        for i in range(10):
            first, products = row[i], self.products[i]
            for j in range(i, 11):
                products[j] += first * row[j]

    def slopes(self) -> list[float]:
        """What each leaning adds to the net."""
        rows: list[list[float]] = [
            [self.products[min(i, j)][max(i, j)] for j in range(10)] + [self.products[i][10]] for i in range(10)
        ]
        return [*solved(rows)[1:], 0.0]


def solved(rows: list[list[Any]]) -> list[float]:
    """The solution of linear equations, each with its right side last, by elimination with pivots; 0 where there is
    none."""
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-12:
            return [0.0] * size
        for row in range(size):
            if row != i:
                factor = rows[row][i] / rows[i][i]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]
