"""What the cards that are left say of the next round: how many of each value, against a full deck."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fairshoe.cards import named_deck
from fairshoe.engine.hand import VALUE

ENOUGH = 26
"""With fewer cards left than this a round soon ends in another deck, so that what is left says less."""


class Left:
    """The cards of an order that are not dealt, by value, from its beginning on; `deck` names all of them."""

    def __init__(self, order: Sequence[str], deck: str) -> None:
        self.order = order
        self.position = 0
        self.size = len(order)
        self._deck = _of_deck(deck)
        self.counts = list(self._deck)

    def go(self, position: int) -> None:
        """The cards before `position` are dealt."""
        if position < self.position:
            self.counts, self.position = list(self._deck), 0
        counts = self.counts
        for label in self.order[self.position : position]:
            counts[VALUE[label] - 1] -= 1
        self.position = position

    def leanings(self) -> list[float]:
        """By how much more of each value is left than in a full deck, as parts of all that is left."""
        left = self.size - self.position
        if not self.position or not left:
            return [0.0] * 10
        damped = min(1.0, left / ENOUGH)
        return [
            damped * (count / left - whole / self.size) for count, whole in zip(self.counts, self._deck, strict=True)
        ]


@cache
def _of_deck(name: str) -> tuple[int, ...]:
    return tuple(counted(list(named_deck(name))))


def counted(cards: Sequence[str]) -> list[int]:
    """How many cards there are of each value, aces first, ten-values last."""
    counts = [0] * 10
    for label in cards:
        counts[VALUE[label] - 1] += 1
    return counts
