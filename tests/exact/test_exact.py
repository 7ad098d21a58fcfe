"""The engine's rules against exact chances; rounds in play are those of test_every_order.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import cast

import pytest

from fairshoe.cards import PACK
from fairshoe.engine.hand import Hand
from fairshoe.engine.round import Round
from fairshoe.engine.steps import draw_to_17
from tests.exact import chinese, pontoon
from tests.exact.blackjack import H17, H17_OR_FIVE, S17, casino_net, h17, h17_or_five, natural_chance, s17
from tests.exact.draws import BUST, Composition, Ends, Side, distribution, finals, moments, shoe
from tests.exact.games import GAMES, chances_of
from tests.hands import hand_of

# Chances of the first cards.


@pytest.mark.parametrize(("packs", "percent"), [(1, "4.8265"), (6, "4.7489"), (8, "4.7451")])
def test_the_chance_of_a_natural(packs: int, percent: str) -> None:
    chance = natural_chance(packs)
    assert f"{float(100 * chance):.4f}" == percent
    assert distribution(S17, shoe(packs))["natural", 21] == chance
    assert pairs(packs, lambda hand: hand.natural) == chance


def pairs(packs: int, holds: Callable[[Hand], bool]) -> Fraction:
    """The chance that the engine says so of two cards, by going through all of them."""
    ways = sum(
        packs * (packs - (first == second)) for first in PACK for second in PACK if holds(hand_of(f"{first} {second}"))
    )
    return Fraction(ways, 52 * packs * (52 * packs - 1))


# The dealer's rule, over every hand that can occur.


class DrawsMore(Exception):
    pass


class Unwilling:
    """A round that refuses to deal."""

    def deal(self, hand: Hand) -> None:
        raise DrawsMore


@pytest.mark.parametrize(("ends", "hit_soft_17", "most"), [(s17, False, 99), (h17, True, 99), (h17_or_five, True, 5)])
def test_the_dealer_stops_where_the_rule_says_so(ends: Ends, hit_soft_17: bool, most: int) -> None:
    for cards in met(ends):
        try:
            draw_to_17(cast(Round, Unwilling()), hand_with(cards), hit_soft_17=hit_soft_17, cards=most)
        except DrawsMore:
            assert cards not in finals(ends), cards
        else:
            assert ends(cards), cards


def met(ends: Ends) -> Iterator[Composition]:
    """Every hand of two cards or more on the way to a final one, and the final ones."""
    seen = set(finals(ends))
    todo = list(seen)
    while todo:
        hand = todo.pop()
        yield hand
        for value in range(10):
            if hand[value] and sum(hand) > 2:
                shorter = (*hand[:value], hand[value] - 1, *hand[value + 1 :])
                if shorter not in seen and not ends(shorter):
                    seen.add(shorter)
                    todo.append(shorter)


def hand_with(composition: Composition) -> Hand:
    return hand_of(" ".join("A23456789T"[value] for value, count in enumerate(composition) for _ in range(count)))


@pytest.mark.parametrize("side", [S17, H17, H17_OR_FIVE])
def test_the_dealers_distribution_is_one(side: Side) -> None:
    for packs in (1, 6, 8):
        chances = distribution(side, shoe(packs))
        assert sum(chances.values()) == 1
        assert side is H17_OR_FIVE or set(chances) == {("natural", 21), BUST, *(("total", n) for n in range(17, 22))}


# The return of `mimic`, exactly.


@pytest.mark.parametrize(
    ("name", "mean", "variance"),
    [
        ("casino", "-0.056756", None),
        ("boxes", "-0.056754", None),
        ("banker", "-0.058944", None),
        ("lounge", "0.411987", None),
        ("chinese", "0.000181", "1.249007"),
        ("pontoon", "-0.139170", "1.332865"),
    ],
)
def test_the_exact_return_of_mimic(name: str, mean: str, variance: str | None) -> None:
    """Of pontoon the first round after a shuffle: later ones are played only if the bank did not move, that is, given
    that no player alone had a natural."""
    chances = chances_of(name)
    assert sum(chances.values()) == 1
    found = moments(chances, GAMES[name].net)
    assert f"{float(found[0]):.6f}" == mean
    assert variance is None or f"{float(found[1]):.6f}" == variance


@pytest.mark.parametrize("name", ["casino", "boxes", "banker"])
def test_mimic_loses_by_both_busts_and_gains_by_naturals_alone(name: str) -> None:
    """Both sides draw alike, so all else cancels: an independent sum for the same expectation."""
    chances = chances_of(name)
    assert all(chances[pair] == chances[pair[::-1]] for pair in chances)
    natural = ("natural", 21)
    naturals = natural_chance(GAMES[name].packs) - chances[natural, natural]
    assert moments(chances, casino_net)[0] == naturals / 2 - chances[BUST, BUST]


def test_in_chinese_the_player_gains_by_two_dragons_alone() -> None:
    """All else is paid alike both ways, two busts are nobody's, and of two dragons the player's comes first."""
    chances = chances_of("chinese")
    assert all(chances[pair] == chances[pair[::-1]] for pair in chances)
    dragons = chances[chinese.DRAGON, chinese.DRAGON]
    assert moments(chances, chinese.net)[0] == 2 * dragons == Fraction(966269497, 5339258174250)


# Chances by hand.

BAN_BAN, BAN_NAG = ("ban-ban", 21), ("ban-nag", 21)
PAIRS = 52 * 51 * 50 * 49


def test_the_chances_of_chinese_specials_and_of_an_escape() -> None:
    """Ordered pairs of 15 points in what a special leaves: 5 and ten, 6 and 9, 7 and 8, ace and 4, ace and 5."""
    chances = chances_of("chinese")
    assert sum(chance for pair, chance in chances.items() if pair[0] == BAN_BAN) == Fraction(4 * 3, 52 * 51)
    assert sum(chance for pair, chance in chances.items() if pair[0] == BAN_NAG) == Fraction(2 * 4 * 16, 52 * 51)
    assert chances[BAN_BAN, BAN_BAN] == Fraction(4 * 3 * 2 * 1, PAIRS)
    assert chances[BAN_NAG, BAN_NAG] == Fraction(4 * 4 * 16 * 3 * 15, PAIRS)
    left_by_aces = 2 * (4 * 16 + 4 * 4 + 4 * 4 + 2 * 4 + 2 * 4)
    left_by_ace_and_ten = 2 * (4 * 15 + 4 * 4 + 4 * 4 + 3 * 4 + 3 * 4)
    assert chances[BAN_BAN, chinese.FIFTEEN] == Fraction(4 * 3 * left_by_aces, PAIRS)
    assert chances[BAN_NAG, chinese.FIFTEEN] == Fraction(2 * 4 * 16 * left_by_ace_and_ten, PAIRS)


def test_the_chances_of_pontoons_three_cards() -> None:
    chances = distribution(pontoon.PLAYER, shoe(1))
    assert sum(chances.values()) == 1
    assert chances["7-7-7", 21] == Fraction(4 * 3 * 2, 52 * 51 * 50)
    assert chances["8-7-6", 21] == Fraction(6 * 4 * 4 * 4, 52 * 51 * 50)
