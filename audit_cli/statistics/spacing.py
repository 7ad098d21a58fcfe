"""Gaps and the coupon collector: how far it is from a card to the next of its rank, and until every rank was seen."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, comb, lgamma, sqrt
from typing import Any

import numpy as np

from .layout import Integers, Layout
from .measured import Measured
from .needs import distributions
from .power import noncentrality

GAP_BINS = 8
COUPON_BINS = 10
GAP_SHOES = 20 * GAP_BINS
MOST_CARDS = 1024
"""The exact chances of the coupon collector are computed for decks of at most so many cards."""
LEAST_EXPECTED = 5


class Spacing:
    """Of each shoe the number of gaps in each of a few ranges, their sum and that of their products; and how many
    shoes needed so many cards until every rank was seen."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.shoes = 0
        self.kinds = np.bincount(layout.kind, weights=layout.sizes).astype(np.int64)
        self.edges = gap_edges(tuple(self.kinds.tolist()))
        bins = len(self.edges) + 1
        self.gaps = np.zeros(bins, np.int64)
        self.products = np.zeros((bins, bins), np.int64)
        self.needed = np.zeros(layout.size + 1, np.int64)

    def count(self, rows: Integers) -> None:
        """Add shoes: a row of classes for each."""
        size, shoes = self.layout.size, len(rows)
        self.shoes += shoes
        at = np.argsort(self.layout.kind[rows], axis=1, kind="stable")  # kind after kind, each by position
        starts = np.concatenate(([0], np.cumsum(self.kinds)[:-1]))
        self.needed += np.bincount(at[:, starts].max(axis=1) + 1, minlength=size + 1)
        gaps = np.empty_like(at)
        gaps[:, :-1] = at[:, 1:] - at[:, :-1]
        ends = starts + self.kinds - 1
        gaps[:, ends] = at[:, starts] + size - at[:, ends]
        bins = len(self.gaps)
        which = np.repeat(np.arange(bins), np.diff((0, *self.edges, size)))[gaps - 1]
        cells = which + bins * np.arange(shoes)[:, None]
        found = np.bincount(cells.ravel(), minlength=shoes * bins).reshape(shoes, bins)
        self.gaps += found.sum(axis=0)
        self.products += found.T @ found

    def merge(self, other: Spacing) -> None:
        """Add the shoes of another part."""
        self.shoes += other.shoes
        self.gaps += other.gaps
        self.products += other.products
        self.needed += other.needed

    def tests(self) -> list[Measured]:
        """Gaps, and the coupon collector."""
        tests = []
        if self.edges:
            tests.append(self._gaps())
        if 1 < len(self.kinds) < self.layout.size <= MOST_CARDS:
            tests.append(self._coupons())
        return tests

    def _gaps(self) -> Measured:
        """Hotelling's test: the mean of the shoes' numbers of gaps, by the covariance that the shoes show."""
        name, question = "gaps", "whether it is too near, or too far, from a card to the next of its rank"
        shoes, freedom = self.shoes, len(self.edges)
        if shoes < GAP_SHOES:
            return Measured(name, self.layout.name, question, shoes, GAP_SHOES)
        expected = gap_means(tuple(self.kinds.tolist()), self.edges)
        mean = self.gaps / shoes
        spread = (self.products - np.outer(self.gaps, mean)) / (shoes - 1)
        off = (mean - expected)[:-1]
        inverse = np.linalg.pinv(spread[:-1, :-1], hermitian=True)
        total = shoes * float(off @ inverse @ off)
        worst = int(np.abs(off / np.sqrt(np.maximum(np.diag(spread)[:-1], 1e-12))).argmax())
        low, high = (0, *self.edges)[worst] + 1, self.edges[worst]
        smallest = sqrt(noncentrality(freedom) / shoes * float(spread[worst, worst])) / float(expected[worst])
        return Measured(
            name,
            self.layout.name,
            question,
            shoes,
            GAP_SHOES,
            statistic=total,
            p=float(distributions.f.sf(total * (shoes - freedom) / (freedom * (shoes - 1)), freedom, shoes - freedom)),
            effect=total / shoes,
            effect_words=f"{mean[worst]:.4g} gaps of {low} to {high} a shoe where {expected[worst]:.4g} are expected",
            smallest=smallest,
            smallest_words=f"gaps of {low} to {high} cards {smallest:.1%} too many or too few",
        )

    def _coupons(self) -> Measured:
        """A shoe gives one number, and shoes do not depend on each other: a plain chi-square."""
        name, question = "coupon collector", "whether it takes too long, or too short, until every rank was seen"
        chance = coupon_chances(tuple(self.kinds.tolist()))
        edges = _even(chance, COUPON_BINS)
        of_bin = np.add.reduceat(chance, edges)
        needs = ceil(LEAST_EXPECTED / float(of_bin.min()))
        if self.shoes < needs or len(edges) < 2:
            return Measured(name, self.layout.name, question, self.shoes, max(needs, self.shoes + (len(edges) < 2)))
        found = np.add.reduceat(self.needed, edges)
        expected = of_bin * self.shoes
        total = float(((found - expected) ** 2 / expected).sum())
        freedom = len(edges) - 1
        numbers = np.arange(len(chance))
        usual, mean = float(numbers @ chance), float(numbers @ self.needed) / self.shoes
        share = sqrt(noncentrality(freedom) / self.shoes)
        return Measured(
            name,
            self.layout.name,
            question,
            self.shoes,
            needs,
            statistic=total,
            p=float(distributions.chi2.sf(total, freedom)),
            effect=mean - usual,
            effect_words=f"every rank was seen after {mean:.3f} cards where {usual:.3f} are expected",
            smallest=share,
            smallest_words=f"chances off by {share:.1%} of themselves",
        )


@lru_cache(maxsize=64)
def gap_chances(cards: int, size: int) -> Any:
    """For a rank of so many cards in a ring: the chance of each gap 1 … size."""
    gaps = np.arange(1, size + 1)
    if cards == 1:
        return (gaps == size).astype(float)
    most = size - cards + 1
    ways = np.array([_log_comb(size - gap - 1, cards - 2) if gap <= most else -np.inf for gap in gaps.tolist()])
    return np.exp(ways - _log_comb(size - 1, cards - 1))


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _expected_gaps(kinds: tuple[int, ...]) -> Any:
    size = sum(kinds)
    return np.sum([cards * gap_chances(cards, size) for cards in kinds], axis=0)


@lru_cache(maxsize=64)
def gap_edges(kinds: tuple[int, ...]) -> tuple[int, ...]:
    """The last gap of each range but the last: ranges that about as many gaps fall into."""
    if len(kinds) < 2 or max(kinds) < 2:
        return ()
    expected = _expected_gaps(kinds)
    starts = _even(expected / expected.sum(), GAP_BINS)
    return tuple(int(start) for start in starts[1:])


def gap_means(kinds: tuple[int, ...], edges: tuple[int, ...]) -> Any:
    """The expected number of gaps of a shoe in each range."""
    return np.add.reduceat(_expected_gaps(kinds), [0, *edges])


def _even(chance: Any, most: int) -> Any:
    """Where ranges of about equal chance begin."""
    below = np.cumsum(chance) - chance
    starts = np.searchsorted(below, np.arange(most) / most - 1e-12)
    starts = np.unique(np.concatenate(([0], starts[starts < len(chance)])))
    return starts[[float(part) > 1e-9 for part in np.add.reduceat(chance, starts)]] if len(starts) > 1 else starts


@lru_cache(maxsize=64)
def coupon_chances(kinds: tuple[int, ...]) -> Any:
    """The chance that every kind was seen after exactly t cards, t = 0 … n: exact, in integers.

    The sets of t cards that have all kinds are counted by the product of (1 + z)^m − 1 over the kinds.
    """
    size = sum(kinds)
    ways = [1]
    for cards in kinds:
        factor = [0, *(comb(cards, i) for i in range(1, cards + 1))]
        ways = _product(ways, factor)
    seen = [way / comb(size, t) for t, way in enumerate(ways)]
    return np.diff([0.0, *seen])


def _product(one: list[int], other: list[int]) -> list[int]:
    found = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        if a:
            for j, b in enumerate(other):
                found[i + j] += a * b
    return found
