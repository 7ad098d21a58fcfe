"""What follows what: neighbouring cards of a shoe, the last followed by the first, with exact means and covariances.

Everything here is a function of one table: how often a card of group a is followed by one of group b. In a ring of n
cards that table's mean and covariance follow from drawing two, three and four cards without replacement; a ring makes
them, and the result, the same wherever the shoe is cut.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.seen import Adding
from ..luck.tails import two_sided
from .layout import Integers, Layout
from .measured import TWO_SIDED, Measured, distributions, noncentrality
from .positions import FEWEST, LEAST_EXPECTED

FEWEST_CARDS = 5
Table = NDArray[np.floating[Any]]


class Neighbours(NamedTuple):
    """One shoe's table, as a vector: mean and covariance under a uniform shuffle."""

    mean: Table
    covariance: Table


class Following(Adding):
    """Tables of who follows whom: ranks, and places in the unshuffled deck; none of decks of fewer than five cards."""

    ADDS = ("shoes", "kinds", "places")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.shoes = 0
        kinds, places = len(layout.kinds), int(layout.place.max()) + 1
        self.kinds = np.zeros((kinds, kinds), np.int64)
        self.places = np.zeros((places, places), np.int64)

    def count(self, rows: Integers) -> None:
        """Add shoes: a row of cards for each."""
        self.shoes += len(rows)
        if self.layout.size >= FEWEST_CARDS:
            self.kinds += _table(self.layout.kind[rows], len(self.kinds))
            self.places += _table(self.layout.place[rows], len(self.places))

    def tests(self) -> list[Measured]:
        """Serial correlation, runs, equal neighbours, pairs."""
        layout = self.layout
        if layout.size < FEWEST_CARDS:
            return []
        tests = []
        sizes = np.bincount(layout.place)
        if len(sizes) > 1:
            tests.append(self._serial(sizes))
            down = np.tril(np.ones((len(sizes), len(sizes))), -1)
            question = "whether cards rise or fall in the order of the unshuffled deck too often"
            tests.append(self._linear("runs", question, down, self.places, sizes, "rising runs"))
        kinds = layout.kinds
        if len(kinds) > 1 and kinds.max() > 1:
            question = "whether a card is followed by one of its rank too often, or too seldom"
            same = np.eye(len(kinds))
            tests.append(self._linear("equal neighbours", question, same, self.kinds, kinds, "equal neighbours"))
            tests.append(self._pairs(kinds))
        return tests

    def _serial(self, sizes: Integers) -> Measured:
        """The correlation of a card's place in the unshuffled deck with that of the card after it."""
        values = np.arange(len(sizes)) - float((np.arange(len(sizes)) * sizes).sum()) / self.layout.size
        spread = float((values**2 * sizes).sum())
        product = np.outer(values, values) / spread
        question = "whether cards that lay together before the shuffle lie together after it"
        return self._linear("serial correlation", question, product, self.places, sizes, "correlation")

    def _linear(
        self, name: str, question: str, weights: Table, counts: Integers, sizes: Integers, unit: str
    ) -> Measured:
        test = Measured(name, self.layout.name, question, self.shoes, FEWEST)
        if self.shoes < FEWEST:
            return test
        mean, covariance = neighbours(tuple(sizes.tolist()))
        flat = weights.ravel()
        expected = float(flat @ mean)
        error = sqrt(max(0.0, float(flat @ covariance @ flat)) / self.shoes)
        value = float(flat @ counts.ravel()) / self.shoes
        z = (value - expected) / error if error else 0.0
        smallest = TWO_SIDED * error
        return test.found(
            z,
            two_sided(z),
            (value - expected, f"{unit} {value:.4g} a shoe where {expected:.4g} is expected"),
            (smallest, f"{unit} off by {smallest:.2g} a shoe from {expected:.4g}"),
        )

    def _pairs(self, sizes: Integers) -> Measured:
        """Which rank follows which: the whole table, by its own covariance."""
        mean = neighbours(tuple(sizes.tolist())).mean
        name, question = "pairs", "whether any rank follows any other too often"
        needs = max(FEWEST, ceil(LEAST_EXPECTED / float(mean[mean > 0].min())))
        test = Measured(name, self.layout.name, question, self.shoes, needs)
        if self.shoes < needs:
            return test
        inverse, freedom = _inverse(tuple(sizes.tolist()))
        off = self.kinds.ravel() - self.shoes * mean
        total = float(off @ inverse @ off) / self.shoes
        detectable = noncentrality(freedom)
        usual = float(np.median(mean[mean > 0]))
        share = sqrt(detectable / (self.shoes * usual))
        return test.found(
            total,
            float(distributions.chi2.sf(total, freedom)),
            (max(0.0, total - freedom) / self.shoes, f"chi-square {total:,.0f} where {freedom:,} is expected"),
            (share, f"one pair of ranks {share:.1%} too often or too seldom"),
        )


def _table(rows: Integers, count: int) -> Integers:
    cells = rows.astype(np.uint16) * np.uint16(count) + np.roll(rows, -1, axis=1)
    return np.bincount(cells.ravel(), minlength=count * count).reshape(count, count)


@lru_cache(maxsize=64)
def neighbours(sizes: tuple[int, ...]) -> Neighbours:
    """Mean and covariance of one shoe's table, for groups of so many cards in a ring of at least five."""
    m = np.array(sizes, float)
    n, k = float(sum(sizes)), len(sizes)
    same = np.eye(k)
    two = m[:, None] * (m[None, :] - same) / (n * (n - 1))
    left = m - same[:, None, :] - same[None, :, :]  # of each group, after one of a and one of b
    three = two[:, :, None] * left / (n - 2)
    after = left[:, :, None, :] - same[None, None, :, :]
    four = three[:, :, :, None] * after / (n - 3)
    mean = n * two.ravel()
    product = n * np.diag(two.ravel()) + n * (n - 3) * four.reshape(k * k, k * k)
    chain = n * np.einsum("abd,bc->abcd", three, same).reshape(k * k, k * k)
    return Neighbours(mean, product + chain + chain.T - np.outer(mean, mean))


@lru_cache(maxsize=64)
def _inverse(sizes: tuple[int, ...]) -> tuple[Table, int]:
    """The covariance's pseudo-inverse and rank."""
    covariance = neighbours(sizes).covariance
    inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    return inverse, int(np.linalg.matrix_rank(covariance, tol=1e-9 * float(np.abs(covariance).max()), hermitian=True))
