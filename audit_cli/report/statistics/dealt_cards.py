"""Tests of the dealt cards: the first cards of a shoe, and every dealt card against what was left.

Only the first four cards of a shoe's first round are counted by position: every game deals two cards to each of at
least two hands before anything depends on a card. That a later position is reached says something of the cards before.

All cards are counted against what was left, wherever the dealing stopped: given the cards before it, a card is of kind
t with the chance left_t / left. The differences between what came and that chance are a martingale: their sum has mean
zero and a variance that adds up along the way, whatever decided when the dealing stops, as long as nobody who decided
it knew the next cards.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from ..counting.observations import FieldSums
from .measurement import TWO_SIDED, Measurement, special
from .positions import MAX_CARDS, MIN_SHOES, Layout, table_test

DEALT_ALWAYS = 4
FEWEST_CARDS = 500
BLOCK = 4096
"""Cards that are counted together; sums of so many products are exact in floating point."""
FINE, COARSE = 1 << 32, 1 << 20
"""Chances are rounded to whole parts of these, so that their sums, and those of their products, are integers."""


class FirstCards(FieldSums):
    """`counts[position, kind]` of the first cards of `shoes` shoes of one deck; all other cards are the last row."""

    ADDS = ("shoes", "counts")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.shoes = 0
        self.kinds = layout.kinds
        self.counts = np.zeros((DEALT_ALWAYS, len(self.kinds)), np.int64)

    def add(self, kinds: Sequence[int]) -> None:
        """The kinds of the first four cards of a shoe, or more of them."""
        if not DEALT_ALWAYS <= len(kinds) <= self.layout.size:
            return
        self.shoes += 1
        for i in range(DEALT_ALWAYS):
            self.counts[i, kinds[i]] += 1

    def tests(self) -> list[Measurement]:
        """Return the very first card, and the first four."""
        if len(self.kinds) < 2 or self.layout.size <= DEALT_ALWAYS:
            return []
        first = "whether the first card that is dealt after the seal is of some ranks too often"
        four = "whether one of the first four cards that are dealt is of some ranks too often"
        return [
            self._test("first card after the seal", 1, first),
            self._test("first cards dealt", DEALT_ALWAYS, four),
        ]

    def _test(self, name: str, count: int, question: str) -> Measurement:
        """Return the cards at so many positions, and the rest of the shoe as one band."""
        bands = np.array([1] * count + [self.layout.size - count])
        counts = self.counts[:count]
        rest = self.kinds * self.shoes - counts.sum(axis=0)
        table = np.vstack((counts, rest))
        return table_test(name, self.layout, bands, table, self.kinds, self.shoes, question)


class DealtCounts(FieldSums):
    """How many cards of each kind `came`; the sums of their `chances`, in parts of 2^32, and of the products of these,
    in parts of 2^40."""

    ADDS = ("shoes", "came", "chances", "products")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.kinds = layout.kinds
        count = len(self.kinds)
        self.shoes = 0
        self.came = np.zeros(count, np.int64)
        self.chances = np.zeros(count, object)
        self.products = np.zeros((count, count), object)
        self._waiting = array("H")
        self._lengths: list[int] = []

    def add(self, kinds: Sequence[int]) -> None:
        """The kinds of all cards that were dealt from a shoe without a gap, in order; more than it has are not
        counted."""
        if not 0 < len(kinds) <= self.layout.size:
            return
        self._waiting.extend(kinds)
        self._lengths.append(len(kinds))
        if len(self._waiting) > BLOCK - MAX_CARDS:
            self.count()

    def merge(self, other: DealtCounts) -> None:
        """Add another's."""
        other.count()
        super().merge(other)

    def count(self) -> None:
        """Count what waits to be counted together."""
        if not self._lengths:
            return
        kind = np.array(self._waiting)
        lengths = np.array(self._lengths)
        self._waiting, self._lengths = array("H"), []
        starts = np.cumsum(lengths) - lengths
        shoe = np.repeat(np.arange(len(lengths)), lengths)
        came = np.zeros((len(kind), len(self.kinds)), np.int64)
        came[np.arange(len(kind)), kind] = 1
        before = np.cumsum(came, axis=0) - came
        left = self.kinds - (before - before[starts][shoe])
        all_of_deck = np.logical_and.reduceat(left[np.arange(len(kind)), kind] > 0, starts)
        counted = all_of_deck[shoe]
        chance = (left / (self.layout.size - (np.arange(len(kind)) - starts[shoe]))[:, None])[counted]
        coarse = np.rint(chance * COARSE)
        self.shoes += int(all_of_deck.sum())
        self.came += came[counted].sum(axis=0)
        self.chances += np.rint(chance * FINE).astype(np.int64).sum(axis=0).astype(object)
        self.products += (coarse.T @ coarse).astype(np.int64).astype(object)

    def tests(self) -> list[Measurement]:
        """Return the one test."""
        self.count()
        if len(self.kinds) < 2:
            return []
        name, question = "dealt against left", "whether cards of some rank are dealt more often than what is left gives"
        cards = int(self.came.sum())
        if self.shoes < MIN_SHOES or cards < FEWEST_CARDS:
            each = max(1.0, cards / max(1, self.shoes))
            needs = max(MIN_SHOES, round(FEWEST_CARDS / each), self.shoes + 1)
            return [Measurement(name, self.layout.name, question, self.shoes, needs)]
        test = Measurement(name, self.layout.name, question, self.shoes, MIN_SHOES)
        expected = (self.chances / FINE).astype(float)
        spread = np.diag(expected) - (self.products / COARSE**2).astype(float)
        off = self.came - expected
        inverse = np.linalg.pinv(spread, rcond=1e-9, hermitian=True)
        total = float(off @ inverse @ off)
        freedom = len(self.kinds) - 1
        error = np.sqrt(np.diag(spread))
        worst = int(np.abs(off / np.maximum(error, 1e-9)).argmax())
        share = float(off[worst] / expected[worst])
        smallest = TWO_SIDED * float(error[worst]) / float(expected[worst])
        kind, came = self.layout.kind_name(worst), self.came[worst]
        found = test._replace(
            statistic=total,
            p=float(special.chdtrc(freedom, total)),
            effect=share,
            effect_words=f"of {cards:,} cards dealt {came:,} are {kind}, where {expected[worst]:,.0f} are expected",
            smallest=smallest,
            smallest_words=f"{kind} {smallest:.1%} too often or too seldom among the cards dealt",
        )
        return [found]
