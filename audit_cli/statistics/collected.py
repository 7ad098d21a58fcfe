"""Everything that is collected from a log for the shuffle statistics: sums of integers, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Whole orders of one layout; a deck's orders count from the first position that the shuffle made, before a cut."""

    ADDS = ("positions", "following")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.positions = Positions(layout)
        self.following = Following(layout)
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
        """Every test of whole orders."""
        self._count()
        return [*self.positions.tests(), *self.following.tests()]

    def _count(self) -> None:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self.add_rows(np.array(waiting))


class FromTable(Adding):
    """The sums over what was dealt from one deck's shoes."""

    ADDS = ("openings", "dealt")

    def __init__(self, layout: Layout) -> None:
        self.openings, self.dealt = Openings(layout), Dealt(layout)

    def add(self, kinds: Sequence[int]) -> None:
        """The kinds of the cards that were dealt from a shoe without a gap."""
        self.openings.add(kinds)
        self.dealt.add(kinds)

    def tests(self) -> list[Measured]:
        return [*self.openings.tests(), *self.dealt.tests()]


class Collected(Count):
    """Add shoes, merge shares, ask for the result: it does not depend on the order, or on how a log was cut. Of every
    shoe of a log that is revealed with its key the whole order is counted, and the cards that were dealt. `unordered`
    are revealed shoes without an order."""

    ADDS = ("shoes", "dealt", "whole", "unordered")

    def __init__(self) -> None:
        self.unordered = 0
        self.shoes: dict[str, Shoes] = {}
        self.dealt: dict[str, FromTable] = {}
        self.whole = 0

    def ended(self, seen: Ended) -> None:
        if seen.order is not None:
            self.add(seen.deck, seen.order)
            self.add_dealt(seen.deck, seen.row)
        else:
            self.unordered += seen.revealed

    def add(self, deck: Deck, order: Sequence[int]) -> None:
        """A whole shoe's order before any cut, as indexes of its deck. Raises InputError."""
        if _is_counted(deck, self.shoes):
            if deck.hash not in self.shoes:
                self.shoes[deck.hash] = Shoes(layout_of(deck))
            self.shoes[deck.hash].add(order)
            _drop(self.shoes)
        self.whole += 1

    def add_dealt(self, deck: Deck, cards: Sequence[str]) -> None:
        """The cards that were dealt from a shoe without a gap, from its first round on, as labels. A row with a card
        that the deck has not is not counted."""
        if not _is_counted(deck, self.dealt):
            return
        layout = layout_of(deck)
        if not layout.kind_of.keys() >= set(cards):
            return
        if deck.hash not in self.dealt:
            self.dealt[deck.hash] = FromTable(layout)
        self.dealt[deck.hash].add([layout.kind_of[card] for card in cards])
        _drop(self.dealt)

    def merge(self, other: Collected) -> None:
        """Add what another share of the log holds."""
        super().merge(other)
        _drop(self.shoes)
        _drop(self.dealt)

    def result(self, level: float) -> Result:
        """Every test, corrected for their number: an honest log has a finding with the chance `level` at most."""
        tests = [test for _, shoes in sorted(self.shoes.items()) for test in shoes.tests()]
        tests += [test for _, dealt in sorted(self.dealt.items()) for test in dealt.tests()]
        counted = sum(shoes.shoes for shoes in self.shoes.values())
        return Result(level, counted, self.whole - counted, self.unordered, tuple(judged(tests, level)))


def _is_counted(deck: Deck, decks: Mapping[str, object]) -> bool:
    """Whether a deck is small enough, and among those with the smallest hashes, so far."""
    return len(deck) <= MOST_CARDS and (deck.hash in decks or len(decks) < MOST_DECKS or deck.hash < max(decks))


def _drop(decks: dict[str, Any]) -> None:
    """Of too many decks the one with the largest key goes; whatever is left was never dropped."""
    while len(decks) > MOST_DECKS:
        del decks[max(decks)]
