"""What was really dealt: the first cards of a shoe, as the log has them.

Only the first four cards of a shoe's first round are counted: every game deals two cards to each of at least two hands
before anything depends on a card. That a later position is reached says something of the cards before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .layout import Layout
from .measured import Measured
from .positions import table_test

DEALT_ALWAYS = 4


class Openings:
    """`counts[position, kind]` of the first cards of `shoes` shoes of one deck; all other cards are the last row."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.shoes = 0
        self.kinds = np.bincount(layout.kind, weights=layout.sizes).astype(np.int64)
        self.counts = np.zeros((DEALT_ALWAYS, len(self.kinds)), np.int64)

    def add(self, classes: Sequence[int]) -> None:
        """The classes of the first four cards of a shoe, or more of them."""
        if not DEALT_ALWAYS <= len(classes) <= self.layout.size:
            return
        self.shoes += 1
        for i in range(DEALT_ALWAYS):
            self.counts[i, self.layout.kind[classes[i]]] += 1

    def merge(self, other: Openings) -> None:
        """Add the shoes of another part."""
        self.shoes += other.shoes
        self.counts += other.counts

    def tests(self) -> list[Measured]:
        """The very first card, and the first four."""
        if len(self.kinds) < 2 or self.layout.size <= DEALT_ALWAYS:
            return []
        first = "whether the first card that is dealt after the seal is of some ranks too often"
        four = "whether one of the first four cards that are dealt is of some ranks too often"
        return [
            self._test("first card after the seal", 1, first),
            self._test("first cards dealt", DEALT_ALWAYS, four),
        ]

    def _test(self, name: str, count: int, question: str) -> Measured:
        """The cards at so many positions, and the rest of the shoe as one band."""
        bands = np.array([1] * count + [self.layout.size - count])
        counts = self.counts[:count]
        rest = self.kinds * self.shoes - counts.sum(axis=0)
        table = np.vstack((counts, rest))
        return table_test(name, self.layout, bands, table, self.kinds, self.shoes, question)
