"""Everything that is collected from a log for the shuffle statistics: sums of integers, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairshoe.protocol.deck import Deck

from ..counting.seen import Adding, Count, Ended
from .dealt import Dealt, Openings
from .following import Following
from .layout import MOST_CARDS, Integers, Layout, layout_of
from .measured import FOUND, Judged, Measured, judged
from .positions import Positions

MOST_DECKS = 16
"""Different decks that are counted, those with the smallest hashes: the same ones however a log is cut."""
BATCH_CARDS = 1 << 16
"""Shoes are counted together until they have so many cards: that is faster, and the sums are the same."""


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests say together, at a `level` for all of them. `shoes` are those whose whole order was counted,
    `left_out` those of larger decks and beyond the sixteen that are counted, `unordered` revealed ones without an
    order."""

    level: float
    shoes: int
    left_out: int
    unordered: int
    tests: tuple[Judged, ...]

    @property
    def found(self) -> list[Judged]:
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


class Shoes(Adding):
    """The shoes of one layout: whole orders, from the first position that the shuffle made, before a cut; and the cards
    that were dealt from them."""

    ADDS = ("positions", "following", "openings", "dealt")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.positions = Positions(layout)
        self.following = Following(layout)
        self.openings, self.dealt = Openings(layout), Dealt(layout)
        self._waiting: list[Integers] = []

    def deviations(self, most: int) -> list[list[float]]:
        """Cards by position: see `Positions.deviations`."""
        self._count()
        return self.positions.deviations(most)

    @property
    def shoes(self) -> int:
        """How many were added."""
        return self.positions.shoes + len(self._waiting)

    def add(self, order: Sequence[int]) -> None:
        """A whole order, as indexes of the deck. Raises InputError."""
        self._waiting.append(self.layout.checked(order))
        if len(self._waiting) * self.layout.size >= BATCH_CARDS:
            self._count()

    def add_dealt(self, cards: Sequence[str]) -> None:
        """What was dealt from a shoe without a gap; a row with a card that the deck has not is not counted."""
        if self.layout.kind_of.keys() >= set(cards):
            kinds = [self.layout.kind_of[card] for card in cards]
            self.openings.add(kinds)
            self.dealt.add(kinds)

    def add_rows(self, rows: Integers) -> None:
        """Many orders at once, a row each, which are trusted."""
        self.positions.count(rows)
        self.following.count(rows)

    def merge(self, other: Shoes) -> None:
        """Add the shoes of another share."""
        self._count()
        other._count()
        super().merge(other)

    def tests(self) -> list[Measured]:
        """Every test of these shoes."""
        self._count()
        return [test for sums in self.ADDS for test in getattr(self, sums).tests()]

    def _count(self) -> None:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self.add_rows(np.array(waiting))


class Collected(Count):
    """Add shoes, merge shares, ask for the result: it does not depend on the order, or on how a log was cut. Of every
    shoe of a log that is revealed with its key the whole order is counted, and the cards that were dealt. `unordered`
    are revealed shoes without an order."""

    ADDS = ("shoes", "whole", "unordered")

    def __init__(self) -> None:
        self.unordered = 0
        self.shoes: dict[str, Shoes] = {}
        self.whole = 0

    def ended(self, seen: Ended) -> None:
        if seen.order is not None:
            self.add(seen.deck, seen.order)
            self.add_dealt(seen.deck, seen.row)
        else:
            self.unordered += seen.revealed

    def add(self, deck: Deck, order: Sequence[int]) -> None:
        """A whole shoe's order before any cut, as indexes of its deck. Raises InputError."""
        self.whole += 1
        shoes = self._of(deck)
        if shoes is not None:
            shoes.add(order)

    def add_dealt(self, deck: Deck, cards: Sequence[str]) -> None:
        """The cards that were dealt from a shoe without a gap, from its first round on, as labels."""
        shoes = self._of(deck)
        if shoes is not None:
            shoes.add_dealt(cards)

    def merge(self, other: Collected) -> None:
        """Add what another share of the log holds."""
        super().merge(other)
        self._drop()

    def _of(self, deck: Deck) -> Shoes | None:
        """The sums of a deck; None where it is too large, or not among those with the smallest hashes."""
        found = self.shoes.get(deck.hash)
        room = len(self.shoes) < MOST_DECKS or deck.hash < max(self.shoes)
        if found is None and len(deck) <= MOST_CARDS and room:
            found = self.shoes[deck.hash] = Shoes(layout_of(deck))
            self._drop()
        return found

    def _drop(self) -> None:
        """Of too many decks the one with the largest hash goes; whatever is left was never dropped."""
        while len(self.shoes) > MOST_DECKS:
            del self.shoes[max(self.shoes)]

    def result(self, level: float) -> Result:
        """Every test, corrected for their number: an honest log has a finding with the chance `level` at most."""
        tests = [test for _, shoes in sorted(self.shoes.items()) for test in shoes.tests()]
        counted = sum(shoes.shoes for shoes in self.shoes.values())
        return Result(level, counted, self.whole - counted, self.unordered, tuple(judged(tests, level)))
