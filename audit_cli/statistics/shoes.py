"""The sums over the whole orders of one deck's shoes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .directed import directed_tests
from .following import Following
from .layout import Integers, Layout
from .measured import Measured
from .positions import Positions
from .repeats import orders
from .spacing import Spacing

BATCH_CARDS = 1 << 16
"""Shoes are counted together until they have so many cards: that is faster, and the sums are the same."""


class Shoes:
    """Whole orders of one layout; a deck's orders count from the first position that the shuffle made, before a cut."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.positions = Positions(layout)
        self.following = Following(layout)
        self.spacing = Spacing(layout)
        self.repeats = orders(layout)
        self._waiting: list[Integers] = []

    def deviations(self, most: int) -> list[list[float]]:
        """Cards by position: see `Positions.deviations`."""
        self._count()
        return self.positions.deviations(most)

    @property
    def shoes(self) -> int:
        """How many were added."""
        return self.positions.shoes + len(self._waiting)

    def add(self, order: Sequence[int] | Sequence[str]) -> None:
        """A whole order: indexes of the deck where cards are told apart, else labels. Raises InputError."""
        self._waiting.append(self.layout.classes(order))
        if len(self._waiting) * self.layout.size >= BATCH_CARDS:
            self._count()

    def add_rows(self, rows: Integers) -> None:
        """Many orders at once, a row of classes each, which are trusted."""
        for sums in (self.positions, self.following, self.spacing):
            sums.count(rows)
        shown = rows if self.layout.label is None else self.layout.label.astype(np.uint16)[rows]
        for row in shown.astype(np.uint16):
            self.repeats.add(row.tobytes())

    def merge(self, other: Shoes) -> None:
        """Add the shoes of another part."""
        self._count()
        other._count()
        self.positions.merge(other.positions)
        self.following.merge(other.following)
        self.spacing.merge(other.spacing)
        self.repeats.merge(other.repeats)

    def tests(self) -> list[Measured]:
        """Every test of whole orders."""
        self._count()
        return [
            *self.positions.tests(),
            *directed_tests(self.positions),
            *self.following.tests(),
            *self.spacing.tests(),
            self.repeats.test(),
        ]

    def _count(self) -> None:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self.add_rows(np.array(waiting))
