"""Exact chances by counting orders of cards without replacement. Knows no game, and nothing of the engine.

A hand is a composition: how many cards it has of each value, aces first, ten-values last. A player who
draws by a fixed rule and a dealer who does the same make two compositions; the cards being in random
order, their joint chance depends only on how many cards of each value they take together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import perm, prod
from typing import NamedTuple

Composition = tuple[int, ...]
Ends = Callable[[Composition], bool]
"""Whether a hand of two cards or more draws no more. It must say so of every hand that is bust."""
Label = tuple[str, int]
"""What a settlement compares: a name, and the total, 22 for all that are too many."""

PACK: Composition = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
EMPTY: Composition = (0,) * 10
BUST: Label = ("bust", 22)


class Side(NamedTuple):
    """How a hand is drawn, and what it is called in the end."""

    ends: Ends
    label: Callable[[Composition], Label]


def shoe(packs: int) -> Composition:
    return tuple(packs * count for count in PACK)


@cache
def finals(ends: Ends) -> Mapping[Composition, int]:
    """Every composition in which a hand may end, and in how many orders of values it is drawn."""
    ended: dict[Composition, int] = {}
    growing = {EMPTY: 1}
    while growing:
        longer: dict[Composition, int] = defaultdict(int)
        for hand, orders in growing.items():
            for value in range(10):
                grown = (*hand[:value], hand[value] + 1, *hand[value + 1 :])
                longer[grown] += orders
        growing = {}
        for hand, orders in longer.items():
            (ended if sum(hand) >= 2 and ends(hand) else growing)[hand] = orders
    return ended


def distribution(side: Side, cards: Composition) -> dict[Label, Fraction]:
    """The chance of every result of one hand drawn from these cards."""
    chances: dict[Label, Fraction] = defaultdict(Fraction)
    for hand, orders in finals(side.ends).items():
        if ways := orders * prod(map(perm, cards, hand)):
            chances[side.label(hand)] += Fraction(ways, perm(sum(cards), sum(hand)))
    return dict(chances)


Joint = Mapping[tuple[Label, Label], Fraction]
"""The player's result and the dealer's → their chance."""


def joint(player: Side, dealer: Side, cards: Composition) -> Joint:
    """The chance of every pair of results of two hands from these cards.

    Each hand is drawn to its end whatever the other holds. Where the rules stop earlier (a natural, a
    bust) the result is already settled, and the cards that are not drawn change nothing.
    """
    size = sum(cards)
    steps: dict[tuple[int, int, int], int] = {}
    theirs: dict[tuple[Label, int], list[tuple[int, int]]] = defaultdict(list)
    for hand, orders in finals(dealer.ends).items():
        if (called := dealer.label(hand)) != BUST:
            place = 0
            for value, taken in enumerate(hand):
                if taken:  # hands that begin alike share their first steps
                    place = steps.setdefault((place, value, taken), len(steps) + 1)
            theirs[called, sum(hand)].append((place, orders))
    drawn: dict[tuple[Label, Label, int], int] = defaultdict(int)
    for mine, orders in finals(player.ends).items():
        result = player.label(mine)
        drawings = orders * prod(map(perm, cards, mine))
        if result == BUST or not drawings:
            continue
        rows = [_falling(count - taken) for count, taken in zip(cards, mine, strict=True)]
        ways_to = [1]
        for place, value, taken in steps:
            ways_to.append(ways_to[place] * rows[value][taken])
        for (other, count), hands in theirs.items():
            ways = sum([orders * ways_to[place] for place, orders in hands])
            drawn[result, other, sum(mine) + count] += drawings * ways
    chances: dict[tuple[Label, Label], Fraction] = defaultdict(Fraction)
    for (result, other, count), ways in drawn.items():
        if ways:
            chances[result, other] += Fraction(ways, perm(size, count))
    _fill_busts(chances, distribution(player, cards), distribution(dealer, cards))
    return {pair: chance for pair, chance in chances.items() if chance}


@cache
def _falling(count: int) -> list[int]:
    """In how many orders 0, 1, 2, … of `count` cards can be drawn; no hand takes more than 21."""
    return [perm(count, taken) for taken in range(22)]


def _fill_busts(
    chances: dict[tuple[Label, Label], Fraction], mine: Mapping[Label, Fraction], theirs: Mapping[Label, Fraction]
) -> None:
    """What a hand's own distribution leaves over is the chance that the other hand is bust."""
    for result in set(mine) - {BUST}:
        chances[result, BUST] = mine[result] - sum(chances[result, other] for other in set(theirs) - {BUST})
    for result in set(theirs) - {BUST}:
        chances[BUST, result] = theirs[result] - sum(chances[other, result] for other in set(mine) - {BUST})
    if BUST in mine:
        chances[BUST, BUST] = mine[BUST] - sum(chances[BUST, other] for other in set(theirs) - {BUST})


Net = Callable[[Label, Label], Fraction]
"""What a player's result gains against a dealer's, per unit bet."""


def moments(chances: Joint, net: Net) -> tuple[Fraction, Fraction]:
    """Expectation and variance of one hand's net, per unit bet."""
    mean = sum((chance * net(*pair) for pair, chance in chances.items()), Fraction())
    square = sum((chance * net(*pair) ** 2 for pair, chance in chances.items()), Fraction())
    return mean, square - mean**2
