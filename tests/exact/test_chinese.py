"""chinese by `mimic` on both sides, exactly; what the engine makes of it stands in test_exact and test_every_order."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.exact.chinese import CHINESE, DRAGON, FIFTEEN, net, opening, total_of
from tests.exact.draws import BUST, Label, distribution, moments, shoe
from tests.exact.games import chances_of
from tests.exact.test_every_order import pack

BAN_BAN, BAN_NAG = ("ban-ban", 21), ("ban-nag", 21)


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("A9", 20),
        ("AA", 21),
        ("A4", 15),
        ("AA9", 20),
        ("A55", 20),
        ("A2T", 13),
        ("A9T", 20),
        ("A234", 10),
        ("AAAA2", 6),
    ],
)
def test_the_count_is_that_of_CH_11(cards: str, total: int) -> None:
    assert total_of(pack(cards)) == total


@pytest.mark.parametrize(
    ("result", "percent"),
    [
        (BAN_BAN, "0.4525"),
        (BAN_NAG, "4.8265"),
        (DRAGON, "1.3531"),
        (BUST, "19.9061"),
        (("total", 16), "13.6037"),
        (("total", 17), "13.2710"),
        (("total", 18), "12.3981"),
        (("total", 19), "12.1173"),
        (("total", 20), "16.1417"),
        (("total", 21), "5.9299"),
    ],
)
def test_the_chance_of_every_result(result: Label, percent: str) -> None:
    assert f"{float(100 * distribution(CHINESE, shoe(1))[result]):.4f}" == percent


def test_the_chances_of_the_specials_by_hand() -> None:
    chances = chances_of("chinese")
    assert sum(chance for pair, chance in chances.items() if pair[0] == BAN_BAN) == Fraction(4 * 3, 52 * 51)
    assert sum(chance for pair, chance in chances.items() if pair[0] == BAN_NAG) == Fraction(2 * 4 * 16, 52 * 51)
    assert chances[BAN_BAN, BAN_BAN] == Fraction(4 * 3 * 2 * 1, 52 * 51 * 50 * 49)
    assert chances[BAN_NAG, BAN_NAG] == Fraction(4 * 4 * 16 * 3 * 15, 52 * 51 * 50 * 49)


@pytest.mark.parametrize("cards", ["5T", "69", "78", "A4", "A5"])
def test_the_fifteens_are_those_of_CH_20(cards: str) -> None:
    assert opening(pack(cards)) == FIFTEEN


@pytest.mark.parametrize("cards", ["AA", "AT", "A6", "A3", "77", "4T", "6T"])
def test_and_no_others(cards: str) -> None:
    assert opening(pack(cards)) != FIFTEEN


def test_the_chances_of_an_escape_by_hand() -> None:
    """Ordered pairs of 15 points in what a special leaves: 5 and ten, 6 and 9, 7 and 8, ace and 4, ace and 5."""
    chances = chances_of("chinese")
    assert chances[BAN_BAN, FIFTEEN] == Fraction(
        4 * 3 * 2 * (4 * 16 + 4 * 4 + 4 * 4 + 2 * 4 + 2 * 4), 52 * 51 * 50 * 49
    )
    assert chances[BAN_NAG, FIFTEEN] == Fraction(
        2 * 4 * 16 * 2 * (4 * 15 + 4 * 4 + 4 * 4 + 3 * 4 + 3 * 4), 52 * 51 * 50 * 49
    )
    for special in (BAN_BAN, BAN_NAG):
        assert net(special, FIFTEEN) == net(FIFTEEN, special) == 0


def test_the_player_gains_by_two_dragons_alone() -> None:
    """All else is paid alike both ways, two busts are nobody's, and of two dragons the player's comes first."""
    chances = chances_of("chinese")
    assert sum(chances.values()) == 1
    assert all(chances[pair] == chances[pair[::-1]] for pair in chances)
    mean, variance = moments(chances, net)
    assert mean == 2 * chances[DRAGON, DRAGON] == Fraction(966269497, 5339258174250)
    assert (f"{float(mean):.6f}", f"{float(variance):.6f}") == ("0.000181", "1.249007")
