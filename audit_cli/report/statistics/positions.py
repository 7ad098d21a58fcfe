"""How the cards of a deck are counted, by label and by rank; and card by position: how often each class of cards lay at
each position, over many shoes.

Positions of one shoe are drawn without replacement. For a table of bands of positions (sizes b, in all n) by classes
(sizes m) one shoe's counts have the expectation bm/n and the covariance (B − bbᵀ/n) ⊗ (M − mmᵀ/n) / (n − 1); so
Pearson's sum is n/(n − 1) times a chi-square of (bands − 1)(classes − 1) degrees of freedom, and it is multiplied by
(n − 1)/n.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, log, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairshoe.cards import PACK, RANKS, name_of
from fairshoe.errors import InputError
from fairshoe.protocol.deck import Deck

from ..counting.observations import FieldSums
from .measurement import LEVEL, POWER, Measurement, find_root, noncentrality, one_in, special

Integers: TypeAlias = NDArray[np.integer[Any]]

MAX_CARDS = 512
"""Larger decks are not counted."""
MAX_KINDS = 16
MIN_SHOES = 30
"""Shoes below which nothing is said where the distribution is approximate."""
LEAST_EXPECTED = 5
MIN_SPARSE_DF = 1000
"""Degrees of freedom from which on a sum over many sparse cells serves as well."""


@dataclass(frozen=True, eq=False)
class Layout:
    """A deck of `size` cards, which are numbered as they lay before the shuffle. For each card: `label`, the number of
    its label among `labels`; `kind`, which of at most 16 kinds it is of, the rank of a French pack, else the label,
    else a part of the labels. `kind_of`: of each label."""

    name: str
    size: int
    labels: tuple[str, ...]
    label: Integers
    kind: Integers
    kind_of: dict[str, int] = field(repr=False)

    @property
    def kinds(self) -> Integers:
        """The number of cards of each kind."""
        return np.bincount(self.kind)

    def kind_name(self, kind: int) -> str:
        """A kind in words: `rank A`, the label where it has one, else the first and the last."""
        labels = [label for label in self.labels if self.kind_of[label] == kind]
        if len(labels) == 1:
            return labels[0]
        ranks = {label[0] for label in labels}
        return f"rank {ranks.pop()}" if len(ranks) == 1 else f"cards {labels[0]} to {labels[-1]}"

    def checked(self, order: Sequence[int]) -> Integers:
        """An order of the deck's indexes. Raises InputError where it is none."""
        if len(order) != self.size:
            raise InputError(f"{len(order)} cards", where="order", expected=f"all {self.size} of the deck")
        try:
            found = np.frombuffer(array("H", order), np.uint16)
        except (TypeError, OverflowError):
            found = np.zeros(0, np.uint16)
        seen = np.bincount(found, minlength=self.size)
        if len(seen) != self.size or seen.min() != 1:
            raise InputError("not an order of the deck", where="order", expected="each index of the deck once")
        return found


@lru_cache(maxsize=64)
def layout_of(deck: Deck) -> Layout:
    """Return the way a deck is counted."""
    size, labels = len(deck), tuple(dict.fromkeys(deck))
    number = {label: i for i, label in enumerate(labels)}
    kinds = _kinds(labels)
    label = np.array([number[each] for each in deck])
    return Layout(
        name=name_of(deck) or f"{size:,} cards {deck.hash[:8]}",
        size=size,
        labels=labels,
        label=label,
        kind=kinds[label].astype(np.uint8),
        kind_of=dict(zip(labels, kinds.tolist(), strict=True)),
    )


def _kinds(labels: tuple[str, ...]) -> Integers:
    if not set(labels) <= set(PACK):
        return _parts(len(labels))
    ranks = sorted({RANKS.index(each[0]) for each in labels})
    return np.array([ranks.index(RANKS.index(each[0])) for each in labels])


def _parts(count: int) -> Integers:
    """Number `count` things in a row, each by itself, or by its part if there are more than 16."""
    numbers = np.arange(count)
    return numbers if count <= MAX_KINDS else numbers * MAX_KINDS // count


class Positions(FieldSums):
    """The table of one layout: `counts[position, card]` over `shoes` shoes."""

    ADDS = ("shoes", "counts")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.shoes = 0
        self.counts = np.zeros((layout.size, layout.size), np.int64)

    def count(self, rows: Integers) -> None:
        """Add shoes: a row of cards for each."""
        cells = np.arange(self.layout.size) * np.int64(self.layout.size) + rows
        self.counts += np.bincount(cells.ravel(), minlength=self.counts.size).reshape(self.counts.shape)
        self.shoes += len(rows)

    def by(self, group: Integers) -> tuple[Integers, Integers]:
        """Return the table by a division of the cards into classes, and how many cards each has."""
        belongs = np.zeros((len(group), int(group.max()) + 1))
        belongs[np.arange(len(group)), group] = 1
        return (self.counts @ belongs).astype(np.int64), np.bincount(group)

    def tests(self) -> list[Measurement]:
        """Label by position, kind by position, the card stuck in its place."""
        layout = self.layout
        ones = np.ones(layout.size, np.int64)
        counts, sizes = self.by(layout.label)
        tests = []
        if len(sizes) > 1:
            tests.append(table_test("label by position", layout, ones, counts, sizes, self.shoes))
            tests.append(stuck_test(layout, counts, sizes, self.shoes))
        kinds, kind_sizes = self.by(layout.kind)
        if 1 < len(kind_sizes) < len(sizes):
            tests.append(table_test("rank by position", layout, ones, kinds, kind_sizes, self.shoes))
        return tests


def table_test(
    name: str, layout: Layout, bands: Integers, counts: Integers, sizes: Integers, shoes: int, question: str = ""
) -> Measurement:
    """Whether a table of positions by classes is that of a uniform shuffle; the p-value has the exact mean and
    variance of the statistic, also where cells are sparse."""
    size = layout.size
    freedom = (len(bands) - 1) * (len(sizes) - 1)
    question = question or f"whether any {name.split()[0]} comes more often at some positions than at others"
    expected = np.outer(bands, sizes) / size
    needs = max(MIN_SHOES, 0 if freedom >= MIN_SPARSE_DF else ceil(LEAST_EXPECTED / float(expected.min())))
    test = Measurement(name, layout.name, question, shoes, needs)
    if shoes < needs:
        return test
    with_shoes = expected * shoes
    total = float(((counts - with_shoes) ** 2 / with_shoes).sum()) * (size - 1) / size
    z = (total - freedom) / sqrt(variance(bands, sizes, shoes))
    p = float(special.chdtrc(freedom, max(0.0, freedom + z * sqrt(2 * freedom))))
    detectable = noncentrality(freedom)
    share = _share(bands, sizes, shoes, detectable)
    off = (total - freedom) / shoes
    return test._replace(
        statistic=total,
        p=p,
        effect=max(0.0, off),
        effect_words=f"chi-square {total:,.0f} where {freedom:,} is expected, {off:+.3g} a shoe",
        smallest=detectable / shoes,
        smallest_words=f"{detectable / shoes:.2g} of chi-square a shoe, as where one card is put in one place in "
        f"{one_in(share)}",
    )


def variance(bands: Integers, sizes: Integers, shoes: int) -> float:
    """The variance of the corrected chi-square, exact: pairs of shoes are uncorrelated, and one shoe by itself has
    the variance of a table with fixed margins (Dawson 1954)."""
    size = int(bands.sum())
    freedom = (len(bands) - 1) * (len(sizes) - 1)
    alone = 0.0
    if size > 3:
        (v, w), (x, y) = (_spread(part, size) for part in (bands, sizes))
        alone = 2 * size / (size - 3) * (v - w) * (x - y) + size**2 / (size - 1) * w * y
    return 2 * freedom * (1 - 1 / shoes) + ((size - 1) / size) ** 2 * alone / shoes


def _spread(part: Integers, size: int) -> tuple[float, float]:
    count = len(part)
    return (
        (size - count) * (count - 1) / (size - 1),
        (size * float((1 / part).sum()) - count**2) / (size - 2),
    )


def _share(bands: Integers, sizes: Integers, shoes: int, detectable: float) -> float:
    """Return the share of shoes with one card put in one place that gives such a chi-square."""
    size = int(bands.sum())
    each = (size / int(bands.min()) - 1) * (size / int(sizes.min()) - 1) / (size - 1)
    return sqrt(detectable / (shoes * each))


def stuck_test(layout: Layout, counts: Integers, sizes: Integers, shoes: int) -> Measurement:
    """Whether one card lies at one position too often: the most unlikely cell, by the binomial distribution, among
    all cells."""
    name, question = "card stuck in its place", "whether one card lies at one position too often"
    chance = np.outer(np.ones(layout.size), sizes) / layout.size
    cells = chance.size
    needs = max(2, ceil(log(LEVEL / cells) / log(float(chance.max()))))
    test = Measurement(name, layout.name, question, shoes, needs, exact=True)
    if shoes < needs:
        return test
    tails = special.bdtrc(counts - 1, shoes, chance)
    worst = np.unravel_index(int(tails.argmin()), tails.shape)
    found, share = int(counts[worst]), float(chance[worst])
    smallest = _smallest_share(shoes, float(chance.min()), cells)
    place, label = int(worst[0]), layout.labels[int(worst[1])]
    return test._replace(
        statistic=float(found),
        p=float(-np.expm1(cells * np.log1p(-min(float(tails[worst]), 1 - 1e-16)))),
        effect=(found / shoes - share) / (1 - share),
        effect_words=f"{label} at position {place} in {found:,} of {shoes:,} shoes, where {shoes * share:,.1f} are "
        "expected",
        smallest=smallest,
        smallest_words=f"a card stuck in its place in {one_in(smallest)}",
    )


def _smallest_share(shoes: int, chance: float, cells: int) -> float:
    """Return the share of shoes that are made so, by the lottery of the rest, which the test finds with its power."""
    level = LEVEL / cells
    least = bisect(range(shoes + 1), False, key=lambda count: bool(special.bdtrc(count, shoes, chance) <= level))

    def misses(share: float) -> float:
        return float(special.bdtrc(least, shoes, chance + share * (1 - chance))) - POWER

    return 1.0 if misses(1.0) <= 0 else find_root(misses, 1.0)
