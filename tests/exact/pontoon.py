"""pontoon, `mimic` on both sides: drawing below 17, a player with five cards or more too."""

from __future__ import annotations

from fractions import Fraction

from tests.exact.blackjack import label as plain
from tests.exact.blackjack import s17, total_of
from tests.exact.draws import BUST, Composition, Label, Side

THREE_CARDS: dict[Composition, str] = {(0, 0, 0, 0, 0, 0, 3, 0, 0, 0): "7-7-7", (0, 0, 0, 0, 0, 1, 1, 1, 0, 0): "8-7-6"}
BONUS = {"natural": 2, "7-7-7": 3, "8-7-6": 2} | {f"{cards} cards": 2 ** (cards - 4) for cards in range(5, 22)}
"""What a result pays at once."""


def label(hand: Composition) -> Label:
    """A player's. A tier is kept by whoever draws on and is bust: 22 then, else 21, for none is compared."""
    total, _ = total_of(hand)
    tier = sum(hand) - (total > 21)
    if tier >= 5:
        return f"{tier} cards", 22 if total > 21 else 21
    return (THREE_CARDS[hand], total) if hand in THREE_CARDS else plain(hand)


PLAYER = Side(s17, label)
DEALER = Side(s17, plain)


def net(mine: Label, theirs: Label) -> Fraction:
    """Naturals cost and pay double, a bonus is final, ties lose."""
    if theirs[0] == "natural":
        return Fraction(-1 if mine[0] == "natural" else -2)
    if mine[0] in BONUS:
        return Fraction(BONUS[mine[0]])
    return Fraction(1 if mine != BUST and (theirs == BUST or mine[1] > theirs[1]) else -1)
