"""Collection of shoes from a log for the shuffle statistics, in bounded memory."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from fairshoe.protocol.deck import Deck, deck_of

from ..counting.observations import Count, EndedShoe, FieldSums
from .dealt_cards import DealtCounts, FirstCards
from .measurement import FOUND, Measurement, correct_holm
from .positions import MAX_CARDS, Integers, Positions, layout_of

MAX_DECKS = 16
"""Different decks that are counted, the first ones."""
BATCH_CARDS = 1 << 16
"""Shoes are counted together until they have so many cards: that is faster, and the sums are the same."""


@dataclass(frozen=True, slots=True)
class ShuffleResult:
    """The result of all shuffle tests together, at one `level`. `shoes` are those whose whole order was counted,
    `left_out` those of larger decks and beyond the sixteen that are counted, `unordered` revealed ones without an
    order."""

    level: float
    shoes: int
    left_out: int
    unordered: int
    tests: tuple[Measurement, ...]

    @property
    def found(self) -> list[Measurement]:
        """The tests that found something."""
        return [test for test in self.tests if test.status == FOUND]

    def as_json(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {
            "level": self.level,
            "shoes": self.shoes,
            "left_out": self.left_out,
            "tests": [test.as_json() for test in self.tests],
        }


class LayoutShoes(FieldSums):
    """The shoes of one layout: whole orders, from the first position that the shuffle made, before a cut; and the cards
    that were dealt from them."""

    ADDS = ("positions", "openings", "dealt")

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.layout = layout = layout_of(deck)
        self.positions = Positions(layout)
        self.openings, self.dealt = FirstCards(layout), DealtCounts(layout)
        self._waiting: list[Integers] = []

    @property
    def shoes(self) -> int:
        """The number of shoes added."""
        return self.positions.shoes + len(self._waiting)

    def add(self, order: Integers) -> None:
        """A whole order, as indexes of the deck."""
        self._waiting.append(order)
        if len(self._waiting) * self.layout.size >= BATCH_CARDS:
            self._count()

    def add_dealt(self, cards: Sequence[str]) -> None:
        """Add what was dealt from a shoe without a gap; a row with a card that the deck has not is not counted."""
        if self.layout.kind_of.keys() >= set(cards):
            kinds = [self.layout.kind_of[card] for card in cards]
            self.openings.add(kinds)
            self.dealt.add(kinds)

    def tests(self) -> list[Measurement]:
        """Every test of these shoes."""
        self._count()
        return [*self.positions.tests(), *self.openings.tests(), *self.dealt.tests()]

    def merge(self, other: LayoutShoes) -> None:
        """Add another's."""
        other._count()
        super().merge(other)

    @property
    def _parts(self) -> tuple[FieldSums, ...]:
        return self.positions, self.openings, self.dealt

    def as_form(self) -> list[Any]:
        """Return the deck and what was counted of it, for `of_form`."""
        self._count()
        self.dealt.count()
        return [self.deck, *([np.asarray(getattr(part, name)).tolist() for name in part.ADDS] for part in self._parts)]

    @classmethod
    def of_form(cls, form: Sequence[Any]) -> Self:
        """Return the shoes that `as_form` wrote. Raises InputError, ValueError."""
        shoes = cls(deck_of(form[0]))
        for part, counts in zip(shoes._parts, form[1:], strict=True):
            for name, count in zip(part.ADDS, counts, strict=True):
                zero = getattr(part, name)
                setattr(part, name, count if type(zero) is int else zero + np.array(count, zero.dtype))
        return shoes

    def _count(self) -> None:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self.positions.count(np.array(waiting))


@dataclass
class OrderCount(Count):
    """Of every shoe of a log that is revealed with its key the whole order is counted, and the cards that were dealt.
    `unordered` are revealed shoes without an order."""

    ADDS = ("unordered", "shoes", "whole")

    unordered: int = 0
    shoes: dict[str, LayoutShoes] = field(default_factory=dict)
    whole: int = 0

    def add_shoe(self, seen: EndedShoe) -> None:
        if seen.order is None:
            self.unordered += seen.revealed
            return
        self.whole += 1
        shoes = self._of(seen.deck)
        if shoes is not None:  # the audit made that order: it needs no check
            shoes.add(np.frombuffer(array("H", seen.order), np.uint16))
            shoes.add_dealt(seen.row)

    def add(self, deck: Deck, order: Sequence[int]) -> None:
        """A whole shoe's order before any cut, as indexes of its deck. Raises InputError."""
        self.whole += 1
        shoes = self._of(deck)
        if shoes is not None:
            shoes.add(shoes.layout.checked(order))

    def add_dealt(self, deck: Deck, cards: Sequence[str]) -> None:
        """The cards that were dealt from a shoe without a gap, from its first round on, as labels."""
        shoes = self._of(deck)
        if shoes is not None:
            shoes.add_dealt(cards)

    def _of(self, deck: Deck) -> LayoutShoes | None:
        """Return the sums of a deck; None where it is too large, or there are enough others."""
        found = self.shoes.get(deck.hash)
        if found is None and len(deck) <= MAX_CARDS and len(self.shoes) < MAX_DECKS:
            found = self.shoes[deck.hash] = LayoutShoes(deck)
        return found

    def result(self, level: float) -> ShuffleResult:
        """Every test, corrected for their number: an honest log has a finding with the chance `level` at most."""
        tests = [test for _, shoes in sorted(self.shoes.items()) for test in shoes.tests()]
        counted = sum(shoes.shoes for shoes in self.shoes.values())
        return ShuffleResult(level, counted, self.whole - counted, self.unordered, tuple(correct_holm(tests, level)))
