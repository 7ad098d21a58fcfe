"""pontoon by `mimic` on both sides, exactly: the first round after a shuffle, one card being burned.

A card that nobody has seen changes no chance, so the burned one does not matter. Later rounds of a shoe are
another matter: they are played only if the bank did not move, that is, given that no player alone had a natural,
and so have more of them: measured over three million, 4.1 ± 0.3 % more, with a mean 0.0017 ± 0.0007 higher. No
such round is compared with anything here, in test_exact or in test_every_order; `python -m tests.long pontoon`
shows them.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.exact.draws import BUST, Label, distribution, joint, moments, shoe
from tests.exact.games import chances_of
from tests.exact.pontoon import DEALER, PLAYER, label, net
from tests.exact.test_every_order import pack


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        ("AT", ("natural", 21)),
        ("777", ("7-7-7", 21)),
        ("678", ("8-7-6", 21)),
        ("45T7", BUST),
        ("2223T", ("5 cards", 21)),
        ("22333T", ("5 cards", 22)),
        ("A22333", ("6 cards", 21)),
        ("2345T", BUST),
    ],
)
def test_what_a_players_hand_is_called(cards: str, result: Label) -> None:
    assert label(pack(cards)) == result


@pytest.mark.parametrize(
    ("name", "percent"),
    [
        ("natural", "4.826546"),
        ("7-7-7", "0.018100"),
        ("8-7-6", "0.289593"),
        ("5 cards", "1.489102"),
        ("6 cards", "0.120935"),
        ("7 cards", "0.005465"),
        ("8 cards", "0.000127"),
        ("9 cards", "0.000001"),
        ("bust", "28.160834"),
    ],
)
def test_the_chance_of_a_players_results(name: str, percent: str) -> None:
    """As if no dealer's natural came before."""
    chances = distribution(PLAYER, shoe(1))
    assert sum(chances.values()) == 1
    chance = sum((chance for result, chance in chances.items() if result[0] == name), Fraction())
    assert f"{float(100 * chance):.6f}" == percent


def test_three_cards_by_hand() -> None:
    chances = distribution(PLAYER, shoe(1))
    assert chances["7-7-7", 21] == Fraction(4 * 3 * 2, 52 * 51 * 50)
    assert chances["8-7-6", 21] == Fraction(6 * 4 * 4 * 4, 52 * 51 * 50)


def test_without_bonuses_the_bank_gains_what_both_hold_alike() -> None:
    """Both sides draw alike, so all else cancels: ties, two busts, and one bet where both have naturals."""
    chances = joint(DEALER, DEALER, shoe(1))
    mean, _ = moments(chances, net)
    assert mean == -sum(chance for (mine, theirs), chance in chances.items() if mine == theirs)
    assert f"{float(mean):.6f}" == "-0.174963"


def test_the_exact_return() -> None:
    chances = chances_of("pontoon")
    assert sum(chances.values()) == 1
    mean, variance = moments(chances, net)
    assert (f"{float(mean):.6f}", f"{float(variance):.6f}") == ("-0.139170", "1.332865")
