"""Exact chances by counting orders of cards without replacement. Knows nothing of the engine.

A hand is a composition: how many cards it has of each value, aces first, ten-values last. A player who
draws by a fixed rule and a dealer who does the same make two compositions; the shoe's cards being in
random order, their joint chance depends only on how many cards of each value they take together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import perm, prod

Composition = tuple[int, ...]
Stops = Callable[[int, bool, int], bool]
"""Whether a hand of this total, softness and number of cards draws no more."""

PACK: Composition = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
EMPTY: Composition = (0,) * 10


def shoe(packs: int) -> Composition:
    return tuple(packs * count for count in PACK)


def total_of(hand: Composition) -> tuple[int, bool]:
    """The total, and whether an ace counts 11 in it."""
    low = sum(value * count for value, count in enumerate(hand, 1))
    soft = hand[0] > 0 and low + 10 <= 21
    return low + 10 * soft, soft


def s17(total: int, soft: bool, cards: int) -> bool:
    return total >= 17


def h17(total: int, soft: bool, cards: int) -> bool:
    return total > 17 or (total == 17 and not soft)


def h17_or_five(total: int, soft: bool, cards: int) -> bool:
    return h17(total, soft, cards) or cards == 5


@cache
def finals(stops: Stops) -> Mapping[Composition, int]:
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
            cards = sum(hand)
            total, soft = total_of(hand)
            if cards >= 2 and (total > 21 or stops(total, soft, cards)):
                ended[hand] = orders
            else:
                growing[hand] = orders
    return ended


def is_natural(hand: Composition) -> bool:
    return sum(hand) == 2 and hand[0] == hand[9] == 1


def natural_chance(packs: int) -> Fraction:
    """Ace and ten-value, in either order."""
    return Fraction(2 * 4 * packs * 16 * packs, 52 * packs * (52 * packs - 1))


def insurance_chance(packs: int) -> Fraction:
    """A ten-value in the hole of a full shoe, an ace being up and nothing else seen."""
    return Fraction(16 * packs, 52 * packs - 1)


def pair_of_rank_chance(packs: int) -> Fraction:
    return Fraction(4 * packs - 1, 52 * packs - 1)


def pair_of_value_chance(packs: int) -> Fraction:
    return Fraction(sum(count * (count - 1) for count in shoe(packs)), 52 * packs * (52 * packs - 1))


Label = tuple[str, int]


def label(hand: Composition) -> Label:
    """What a settlement compares: natural, bust, or a total."""
    total, _ = total_of(hand)
    return ("natural", 21) if is_natural(hand) else ("bust", 22) if total > 21 else ("total", total)


def dealer_finals(stops: Stops, packs: int) -> dict[Label, Fraction]:
    """The distribution of one hand drawn by this rule from a full shoe."""
    cards = shoe(packs)
    chances: dict[Label, Fraction] = defaultdict(Fraction)
    for hand, orders in finals(stops).items():
        ways = orders * prod(map(perm, cards, hand))
        chances[label(hand)] += Fraction(ways, perm(sum(cards), sum(hand)))
    return dict(chances)


def joint(player: Stops, dealer: Stops, packs: int) -> dict[tuple[Label, Label], Fraction]:
    """The chance of every pair of results of two hands from one full shoe.

    Each hand is drawn to its end whatever the other holds. Where the rules stop earlier (a natural, a
    bust) the result is already settled, and the cards that are not drawn change nothing.
    """
    cards = shoe(packs)
    size = sum(cards)
    theirs = [
        ([(value, taken) for value, taken in enumerate(hand) if taken], orders, (label(hand), sum(hand)))
        for hand, orders in finals(dealer).items()
        if label(hand)[0] != "bust"
    ]
    chances: dict[tuple[Label, Label], Fraction] = defaultdict(Fraction)
    for mine, orders in finals(player).items():
        if label(mine)[0] == "bust":
            continue
        drawn = sum(mine)
        drawings = orders * prod(map(perm, cards, mine))
        if not drawings:
            continue
        rows = [_falling(count - taken) for count, taken in zip(cards, mine, strict=True)]
        sums: dict[tuple[Label, int], int] = defaultdict(int)
        for hand, ways, key in theirs:
            for value, taken in hand:
                ways *= rows[value][taken]
            sums[key] += ways
        for (result, count), ways in sums.items():
            chances[label(mine), result] += Fraction(drawings * ways, perm(size, drawn + count))
    _fill_busts(chances, dealer_finals(player, packs), dealer_finals(dealer, packs))
    return dict(chances)


@cache
def _falling(count: int) -> list[int]:
    """In how many orders 0, 1, 2, … of `count` cards can be drawn; no hand takes more than 21."""
    return [perm(count, taken) for taken in range(22)]


def _fill_busts(
    chances: dict[tuple[Label, Label], Fraction], mine: Mapping[Label, Fraction], theirs: Mapping[Label, Fraction]
) -> None:
    """What a hand's own distribution leaves over is the chance that the other hand is bust."""
    bust = ("bust", 22)
    for result in set(mine) - {bust}:
        chances[result, bust] = mine[result] - sum(chances[result, other] for other in set(theirs) - {bust})
    for result in set(theirs) - {bust}:
        chances[bust, result] = theirs[result] - sum(chances[other, result] for other in set(mine) - {bust})
    chances[bust, bust] = mine[bust] - sum(chances[bust, other] for other in set(theirs) - {bust})


def casino_net(mine: Label, theirs: Label) -> Fraction:
    """Per unit, with naturals at 3:2 and pushed ties (casino, banker, boxes)."""
    if "natural" in (mine[0], theirs[0]):
        return Fraction(0) if mine == theirs else Fraction(3, 2) if mine[0] == "natural" else Fraction(-1)
    if mine[0] == "bust":
        return Fraction(-1)
    if theirs[0] == "bust":
        return Fraction(1)
    return Fraction((mine[1] > theirs[1]) - (mine[1] < theirs[1]))


def lounge_net(mine: Label, theirs: Label) -> Fraction:
    """Gifts won: ties lose, a natural wins one, a dealer's natural takes all."""
    if theirs[0] == "natural" or mine[0] == "bust":
        return Fraction(0)
    return Fraction(mine[0] == "natural" or theirs[0] == "bust" or mine[1] > theirs[1])


Net = Callable[[Label, Label], Fraction]


def moments(chances: Mapping[tuple[Label, Label], Fraction], net: Net) -> tuple[Fraction, Fraction]:
    """Expectation and variance of one hand's net, per unit bet."""
    mean = sum((chance * net(*pair) for pair, chance in chances.items()), Fraction())
    square = sum((chance * net(*pair) ** 2 for pair, chance in chances.items()), Fraction())
    return mean, square - mean**2
