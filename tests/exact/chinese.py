"""chinese without house rules, `mimic` on both sides: drawing below 16, the dealer reveals everybody at once.

A ban-ban or ban-nag of either side settles the round by the first two cards of both; else both hands are drawn.
"""

from __future__ import annotations

from fractions import Fraction

from tests.exact.blackjack import is_natural
from tests.exact.draws import BUST, Composition, Label, Side

PRICE = {"ban-ban": 3, "ban-nag": 2}
DRAGON: Label = ("5-dragon", 21)
"""Five cards up to 21, whatever they total: no dragon is compared with anything."""
FIFTEEN: Label = ("15 points", 15)
"""Two cards that escape from a special."""
ACE = {2: (10, 11), 3: (1, 10)}
"""Cards in the hand → what an ace may count; 1 in a larger one."""


def totals_of(hand: Composition) -> list[int]:
    """The permitted totals; every ace counts for itself."""
    low, high = ACE.get(sum(hand), (1, 1))
    others = sum(value * count for value, count in enumerate(hand[1:], 2))
    return [others + low * (hand[0] - more) + high * more for more in range(hand[0] + 1)]


def total_of(hand: Composition) -> int:
    """The highest permitted total up to 21, else the lowest."""
    totals = totals_of(hand)
    return max((total for total in totals if total <= 21), default=min(totals))


def ends(hand: Composition) -> bool:
    return total_of(hand) >= 16 or sum(hand) == 5


def label(hand: Composition) -> Label:
    total = total_of(hand)
    if sum(hand) == 2 and hand[0] == 2:
        return "ban-ban", total
    if is_natural(hand):
        return "ban-nag", total
    return BUST if total > 21 else DRAGON if sum(hand) == 5 else ("total", total)


def opening(hand: Composition) -> Label:
    """What the first two cards are before anybody draws."""
    if sum(hand) > 2:
        return "drawn", 0
    found = label(hand)
    return found if found[0] in PRICE else FIFTEEN if 15 in totals_of(hand) else ("two cards", 0)


CHINESE = Side(ends, label)
OPENING = Side(lambda hand: True, opening)


def net(mine: Label, theirs: Label) -> Fraction:
    """Specials first, the higher one taking its price, unless the other side has 15 points; then the
    player's dragon, then the dealer's."""
    own, other = PRICE.get(mine[0], 0), PRICE.get(theirs[0], 0)
    if own or other:
        if FIFTEEN in (mine, theirs):
            return Fraction(0)
        return Fraction(own if own > other else -other if other > own else 0)
    if mine == DRAGON:
        return Fraction(2)
    if theirs == DRAGON:
        return Fraction(-2)  # a hand that is bust loses to it too
    if BUST in (mine, theirs):
        return Fraction((theirs == BUST) - (mine == BUST))
    return Fraction((mine[1] > theirs[1]) - (mine[1] < theirs[1]))
