"""chinese without house rules, `mimic` on both sides: drawing below 16, the dealer reveals everybody at once."""

from __future__ import annotations

from fractions import Fraction

from tests.exact.blackjack import is_natural
from tests.exact.draws import BUST, Composition, Label, Side

PRICE = {"ban-ban": 3, "ban-nag": 2}
DRAGON: Label = ("5-dragon", 21)
"""Five cards up to 21, whatever they total: no dragon is compared with anything."""
ACE = {2: (10, 11), 3: (1, 10)}
"""Cards in the hand → what an ace may count; 1 in a larger one."""


def total_of(hand: Composition) -> int:
    """The highest permitted total up to 21, else the lowest; every ace counts for itself."""
    low, high = ACE.get(sum(hand), (1, 1))
    others = sum(value * count for value, count in enumerate(hand[1:], 2))
    totals = [others + low * (hand[0] - more) + high * more for more in range(hand[0] + 1)]
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


CHINESE = Side(ends, label)


def net(mine: Label, theirs: Label) -> Fraction:
    """Specials first, the higher one taking its price; then the player's dragon, then the dealer's."""
    own, other = PRICE.get(mine[0], 0), PRICE.get(theirs[0], 0)
    if own or other:
        return Fraction(own if own > other else -other if other > own else 0)
    if mine == DRAGON:
        return Fraction(2)
    if theirs == DRAGON:
        return Fraction(-2)  # a hand that is bust loses to it too
    if BUST in (mine, theirs):
        return Fraction((theirs == BUST) - (mine == BUST))
    return Fraction((mine[1] > theirs[1]) - (mine[1] < theirs[1]))
