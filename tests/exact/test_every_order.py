"""The engine plays every order of a small pack: what it pays is what the exact sum says, to the last digit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

from fairshoe.engine.cards import Stack
from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.round import run_round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.strategies import mimic
from fairshoe.engine.table import POOL, Bet, Table
from tests.exact.draws import Composition, Label, moments
from tests.exact.games import GAMES
from tests.hands import seated

RANKS = "A23456789T"
SEVENTEENS = "AA677TTT"
"""Naturals, soft and hard seventeens, busts."""


def table_of(name: str) -> Table:
    """A player in chair 1 who bets, and where the bank is a chair, the dealer in chair 2."""
    if rules_of(name).chairs[0] == 2:
        return seated(name, (1, 2), bank=2)
    return seated(name).after({POOL: 10**9})


class Played(NamedTuple):
    """A round: what the hands came to, one that was not played out as it was by then, and the player's net per unit."""

    mine: Label
    theirs: Label
    net: Fraction


def play(name: str, table: Table, cards: Stack) -> Played:
    bet = table.rules.minimum
    round = run_round(table, cards, [Bet(1, bet, 1)], mimic)
    results = GAMES[name].results(composition(round.hands[0]), composition(round.dealer))
    return Played(*results, Fraction(round.hands[0].net, bet))


def composition(hand: Hand) -> Composition:
    counts = Counter(VALUE[card] for card in hand.cards)
    return tuple(counts[value] for value in range(1, 11))


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
