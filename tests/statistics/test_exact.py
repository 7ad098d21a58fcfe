"""What the statistics take from theory, against every order of a small deck."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest

from audit_cli.statistics.collected import Shoes
from audit_cli.statistics.following import neighbours
from audit_cli.statistics.layout import layout_of
from audit_cli.statistics.positions import variance
from fairshoe.protocol.deck import Deck

DECKS = [(2, 2, 1), (1, 1, 1, 1, 1), (3, 2), (1, 2, 3)]


def orders_of(sizes: tuple[int, ...]) -> np.ndarray:
    """Every order of a deck of so many cards of each kind, each as often as its cards can be exchanged."""
    cards = [kind for kind, count in enumerate(sizes) for _ in range(count)]
    return np.array(list(permutations(cards)))


def chi_square(counts: np.ndarray, bands: np.ndarray, sizes: np.ndarray, shoes: int) -> float:
    size = int(bands.sum())
    expected = np.outer(bands, sizes) * shoes / size
    return float(((counts - expected) ** 2 / expected).sum()) * (size - 1) / size


@pytest.mark.parametrize("sizes", DECKS)
@pytest.mark.parametrize("parts", [1, 2])
def test_corrected_chi_square_has_the_stated_mean_and_variance(sizes: tuple[int, ...], parts: int) -> None:
    size, kinds = sum(sizes), np.array(sizes)
    band = np.arange(size) // parts
    bands = np.bincount(band)
    distinct = Counter(map(tuple, orders_of(sizes).tolist()))
    tables = [np.zeros((len(bands), len(sizes))) for _ in distinct]
    for table, order in zip(tables, distinct, strict=True):
        np.add.at(table, (band, list(order)), 1)
    for shoes in (1, 2):
        found = [chi_square(sum(each), bands, kinds, shoes) for each in product(tables, repeat=shoes)]
        freedom = (len(bands) - 1) * (len(sizes) - 1)
        assert np.mean(found) == pytest.approx(freedom)
        assert np.var(found) == pytest.approx(variance(bands, kinds, shoes))


@pytest.mark.parametrize("sizes", DECKS)
def test_neighbours_have_the_stated_means_and_covariances(sizes: tuple[int, ...]) -> None:
    orders, count = orders_of(sizes), len(sizes)
    cells = orders * count + np.roll(orders, -1, axis=1)
    tables = np.array([np.bincount(row, minlength=count * count) for row in cells])
    mean, covariance = neighbours(sizes)
    assert mean == pytest.approx(tables.mean(axis=0))
    assert covariance == pytest.approx(np.cov(tables.T, bias=True), abs=1e-9)


def test_deviations_are_those_of_each_cell() -> None:
    """The standard deviation of a cell over every order of a small deck, written out."""
    deck = Deck(["a", "a", "b", "b", "c"])
    shoes = Shoes(layout_of(deck))
    orders = list(permutations(range(5)))
    for order in orders:
        shoes.add(order)
    assert max(abs(value) for row in shoes.deviations(5) for value in row) < 1e-9

    chosen = orders[:7]
    some = Shoes(layout_of(deck))
    for order in chosen:
        some.add(order)
    for row, label in zip(some.deviations(5), "abc", strict=True):
        for place, value in enumerate(row):
            counts = [float(deck[order[place]] == label) for order in orders]
            mean = sum(counts) / len(counts)
            variance = sum((count - mean) ** 2 for count in counts) / len(counts)
            here = sum(deck[order[place]] == label for order in chosen)
            assert value == pytest.approx((here - 7 * mean) / (7 * variance) ** 0.5)
