"""A tally held against the exact chances, row by row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from tests.exact.blackjack import insurance_chance, natural_chance, pair_of_rank_chance, pair_of_value_chance
from tests.exact.draws import BUST, Label, moments
from tests.exact.games import GAMES, chances_of
from tests.long.watch import Seen

INSURED = ("banker", "boxes", "casino")
RARE = 10
"""What is expected more rarely has no z: a count is not normal there."""


class Row(NamedTuple):
    """`error` is one standard error; 0 where there is no z."""

    name: str
    observed: float
    exact: float
    error: float

    @property
    def z(self) -> float | None:
        return (self.observed - self.exact) / self.error if self.error else None

    def __str__(self) -> str:
        digits = 1 if self.exact > 1 else 6
        observed = f"{self.observed:,.{digits if isinstance(self.observed, float) else 0}f}"
        z = "-" if self.z is None else f"{self.z:+.2f}"
        return f"  {self.name:<20} {observed:>12} {self.exact:>14,.{digits}f} {z:>7}"


def count(name: str, observed: int, chance: Fraction, trials: int) -> Row:
    expected = float(trials * chance)
    return Row(name, observed, expected, sqrt(expected * (1 - chance)) if expected >= RARE else 0)


def rows(name: str, tally: Seen, bet: int) -> Iterator[Row]:
    """Naturals, pairs, insurance, busts, the dealer's results, bonuses and the mean of `mimic` in game `name`."""
    game, chances, n = GAMES[name], chances_of(name), tally.rounds

    def chance_that(holds: Callable[[Label, Label], bool]) -> Fraction:
        return sum((chance for pair, chance in chances.items() if holds(*pair)), Fraction())

    yield count("naturals", tally.naturals, natural_chance(game.packs), n)
    yield count("pairs of rank", tally.pairs_of_rank, pair_of_rank_chance(game.packs), n)
    yield count("pairs of value", tally.pairs_of_value, pair_of_value_chance(game.packs), n)
    if name in INSURED:
        offered = tally.insurance_offered
        yield count("insurance offered", offered, Fraction(1, 13), n)
        yield count("insurance won", tally.insurance_won, insurance_chance(game.packs), offered)
    chance = chance_that(lambda mine, theirs: game.player_draws(theirs) and mine[1] > 21)
    yield count("player busts", tally.player_busts, chance, n)
    chance = chance_that(lambda mine, theirs: game.dealer_draws(mine, theirs) and theirs[1] > 21)
    yield count("dealer busts", tally.dealer_busts, chance, n)
    waited: dict[Label, Fraction] = defaultdict(Fraction)
    paid: dict[str, Fraction] = defaultdict(Fraction)
    for (mine, theirs), chance in chances.items():
        if game.dealer_draws(mine, theirs) and theirs != BUST:
            waited[theirs] += chance
        if game.net(mine, theirs) > 1 and mine[0] != "natural":
            paid[mine[0]] += chance
    for result, chance in sorted(waited.items()):
        yield count(f"dealer {result[1] if result[0] == 'total' else result[0]}", tally.dealer[result], chance, n)
    for bonus, chance in sorted(paid.items(), key=lambda item: -item[1]):
        yield count(bonus, tally.bonuses[bonus], chance, n)
    mean, variance = moments(chances, game.net)
    if name == "lounge":  # simulate counts a gift won +1, none −1
        mean, variance = 2 * mean - 1, 4 * variance
    yield Row("mean per unit", tally.net / bet / n, float(mean), sqrt(variance / n))
