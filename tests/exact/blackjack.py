"""The ordinary count of a hand, the rules by which the house draws, and the chances of the first cards."""

from __future__ import annotations

from fractions import Fraction

from tests.exact.draws import BUST, Composition, Label, Side


def total_of(hand: Composition) -> tuple[int, bool]:
    """The total, and whether an ace counts 11 in it."""
    low = sum(value * count for value, count in enumerate(hand, 1))
    soft = hand[0] > 0 and low + 10 <= 21
    return low + 10 * soft, soft


def s17(hand: Composition) -> bool:
    return total_of(hand)[0] >= 17


def h17(hand: Composition) -> bool:
    total, soft = total_of(hand)
    return total > 17 or (total == 17 and not soft)


def h17_or_five(hand: Composition) -> bool:
    return h17(hand) or sum(hand) == 5


def is_natural(hand: Composition) -> bool:
    return sum(hand) == 2 and hand[0] == hand[9] == 1


def label(hand: Composition) -> Label:
    """Natural, bust, or a total."""
    total, _ = total_of(hand)
    return ("natural", 21) if is_natural(hand) else BUST if total > 21 else ("total", total)


S17 = Side(s17, label)
H17 = Side(h17, label)
H17_OR_FIVE = Side(h17_or_five, label)


def natural_chance(packs: int) -> Fraction:
    """Ace and ten-value, in either order."""
    return Fraction(2 * 4 * packs * 16 * packs, 52 * packs * (52 * packs - 1))


def casino_net(mine: Label, theirs: Label) -> Fraction:
    """Per unit, with naturals at 3:2 and pushed ties (casino, banker, boxes)."""
    if "natural" in (mine[0], theirs[0]):
        return Fraction(0) if mine == theirs else Fraction(3, 2) if mine[0] == "natural" else Fraction(-1)
    if mine == BUST:
        return Fraction(-1)
    if theirs == BUST:
        return Fraction(1)
    return Fraction((mine[1] > theirs[1]) - (mine[1] < theirs[1]))


def lounge_net(mine: Label, theirs: Label) -> Fraction:
    """Gifts won: ties lose, a natural wins one, a dealer's natural takes all."""
    if theirs[0] == "natural" or mine == BUST:
        return Fraction(0)
    return Fraction(mine[0] == "natural" or theirs == BUST or mine[1] > theirs[1])
