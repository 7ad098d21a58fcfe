"""Sources of a round's cards: a shoe, a log, a test's list."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from ..errors import RuleError
from ..protocol.shoe import Sealed


class CardSource(Protocol):
    """A shoe with one read pointer (GE-05)."""

    @property
    def position(self) -> int:
        """Position of the next card in the dealt order of the present deck."""

    @property
    def left(self) -> int:
        """Number of cards of the present deck that are not yet drawn."""

    @property
    def present(self) -> int:
        """Number of cards in the present deck, drawn ones included."""

    @property
    def size(self) -> int:
        """Number of cards in the whole deck of this shoe."""

    def draw(self) -> str:
        """Take the next card. IndexError when none is left."""

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        """Gather all cards but those dealt in this round; shuffle; cut and burn where told (PO-08)."""


class Stack:
    """A whole deck in a known order: a simulation's, or a test's. It cannot be reshuffled."""

    def __init__(self, order: Sequence[str], *, position: int = 0) -> None:
        self.order = order
        self.size = self.present = len(order)
        self._rest = rest = deque(order[position:])
        self.draw = rest.popleft

    @property
    def position(self) -> int:
        return self.present - len(self._rest)

    @property
    def left(self) -> int:
        return len(self._rest)

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        raise RuleError("a known order is exhausted", where="cards")


class CardsMissing(RuleError):
    """The round needs a card that was not given."""


class LoggedCards:
    """The cards that one round is said to have dealt; nobody need know the shoe's order.

    They begin at `position` of a deck of `present` cards, of `size` in all. `reshuffles`: (cards used, cut, burn) of
    each.
    """

    def __init__(self, cards: Sequence[str], *, position: int, present: int, size: int) -> None:
        self.size = size
        self.present = present
        self.reshuffles: tuple[tuple[int, bool, bool], ...] = ()
        self.cards = cards
        self._rest = rest = list(cards if len(cards) <= present - position else cards[: present - position])
        rest.reverse()
        self._total = given = len(rest)
        self._end = position + given
        self.draw = rest.pop

    @property
    def position(self) -> int:
        return self._end - len(self._rest)

    @property
    def left(self) -> int:
        return self.present - self.position

    @property
    def used(self) -> int:
        """Number of cards taken."""
        return self._total - len(self._rest)

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        used = self.used
        self.reshuffles += ((used, cut, burn),)
        self.present = self.size - used
        if self.present < 1:
            raise RuleError("nothing to gather", where="cards")
        position = 1 if burn and self.present > 1 else 0
        self._rest = rest = list(self.cards[used : used + self.present - position])
        rest.reverse()
        self._total = used + len(rest)
        self._end = position + len(rest)
        self.draw = rest.pop


class ShoeCards:
    """One round's cards from a sealed shoe. Make a new one for every round: it remembers what lies on the table."""

    __slots__ = ("burned", "on_table", "shoe")

    def __init__(self, shoe: Sealed) -> None:
        self.shoe = shoe
        self.on_table: list[int] = []
        self.burned: list[str] = []

    @property
    def position(self) -> int:
        return self.shoe.position

    @property
    def left(self) -> int:
        return self.shoe.left

    @property
    def present(self) -> int:
        return len(self.shoe)

    @property
    def size(self) -> int:
        return len(self.shoe.deck)

    def draw(self) -> str:
        shoe = self.shoe
        if shoe.position == len(shoe.gathered):
            raise IndexError
        index = shoe.draw_index()
        self.on_table.append(index)
        return shoe.deck[index]

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        on_table = set(self.on_table)
        shoe = self.shoe
        shoe.reshuffle([i for i in range(len(shoe.deck)) if i not in on_table], cut=cut)
        if burn and shoe.left > 1:
            self.burned.append(shoe.draw())
