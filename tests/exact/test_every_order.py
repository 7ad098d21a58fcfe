"""The engine plays every order of a small pack: what it pays is what the exact sum says, to the last digit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from fairshoe.engine.cards import Stack
from tests.exact.draws import Composition, moments
from tests.exact.games import GAMES
from tests.exact.play import play, table_of

RANKS = "A23456789T"
SEVENTEENS = "AA677TTT"
"""Naturals, soft and hard seventeens, busts."""


def orders(cards: str) -> Iterator[list[str]]:
    """Every distinct order of these ranks."""
    if not cards:
        yield []
    for card in sorted(set(cards)):
        for rest in orders(cards.replace(card, "", 1)):
            yield [card + "s", *rest]


def pack(cards: str) -> Composition:
    return tuple(cards.count(rank) for rank in RANKS)


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        *((name, SEVENTEENS) for name in GAMES if name != "chinese"),
        ("lounge", "AAAA222TTTT"),
        ("pontoon", "667778A8"),
        ("pontoon", "AAAA222TTTT"),
        ("chinese", "AA455TTTT"),
        ("chinese", "AA222333TT"),
    ],
)
def test_every_order_of_a_small_pack(name: str, cards: str) -> None:
    """Two hands always end within these cards. The last pack of chinese holds two dragons, that of pontoon eight."""
    game = GAMES[name]
    table = table_of(name)
    played = [play(name, table, Stack(order)) for order in orders(cards)]
    chances = game.chances(pack(cards))
    assert sum(chances.values()) == 1
    mean, variance = moments(chances, game.net)
    assert sum(round.net for round in played) == mean * len(played)
    assert sum(round.net**2 for round in played) == (variance + mean**2) * len(played)
    pairs = Counter((round.mine, round.theirs) for round in played if game.dealer_draws(round.mine, round.theirs))
    assert pairs == {pair: chance * len(played) for pair, chance in chances.items() if game.dealer_draws(*pair)}
    assert max(chances.values()) < Fraction(1, 2)
