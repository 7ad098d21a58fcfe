"""What the statistics take from theory: against every order of a small deck, and against scipy."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
import scipy

from audit_cli.report.statistics.measurement import (
    FOUND,
    NOTHING,
    ONE_SIDED,
    TOO_FEW,
    Measurement,
    correct_holm,
    noncentrality,
    one_in,
)
from audit_cli.report.statistics.positions import Positions, layout_of, variance
from fairshoe.cards import french
from fairshoe.errors import InputError
from fairshoe.protocol.deck import Deck, deck_of
from tests.statistics.shuffled import shuffled

DECKS = [(2, 2, 1), (1, 1, 1, 1, 1), (3, 2), (1, 2, 3)]


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
    distinct = Counter(permutations([kind for kind, count in enumerate(sizes) for _ in range(count)]))
    tables = [np.zeros((len(bands), len(sizes))) for _ in distinct]
    for table, order in zip(tables, distinct, strict=True):
        np.add.at(table, (band, list(order)), 1)
    for shoes in (1, 2):
        found = [chi_square(sum(each), bands, kinds, shoes) for each in product(tables, repeat=shoes)]
        freedom = (len(bands) - 1) * (len(sizes) - 1)
        assert np.mean(found) == pytest.approx(freedom)
        assert np.var(found) == pytest.approx(variance(bands, kinds, shoes))


@pytest.mark.parametrize("deck", [french(1), deck_of(["a", "b", "c"])])
def test_p_is_uniform_and_the_uncorrected_chi_square_cries_wolf(deck: Deck) -> None:
    layout = layout_of(deck)
    with_it, without = [], []
    for seed in range(400):
        positions = Positions(layout)
        positions.count(shuffled(seed, 60, layout.size))
        test = positions.tests()[0]
        assert test.statistic is not None
        assert test.p is not None
        with_it.append(test.p)
        freedom = (layout.size - 1) * (len(layout.labels) - 1)
        without.append(float(scipy.stats.chi2.sf(test.statistic * layout.size / (layout.size - 1), freedom)))
    assert scipy.stats.kstest(with_it, "uniform").pvalue > 0.01
    assert scipy.stats.kstest(without, "uniform").pvalue < 1e-6


def test_power_is_what_it_says() -> None:
    chi2, ncx2, norm = scipy.stats.chi2, scipy.stats.ncx2, scipy.stats.norm
    assert norm.sf(norm.isf(0.01) - ONE_SIDED) == pytest.approx(0.9)
    for freedom in (1, 12, 144, 1_999, 2_000, 15_861):
        assert ncx2.sf(chi2.isf(0.01, freedom), freedom, noncentrality(freedom)) == pytest.approx(0.9, abs=0.01)


def measured(p: float | None) -> Measurement:
    return Measurement("a test", "french:1", "whether", 50, 30 if p is not None else 90, p=p, smallest_words="a bias")


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    tests = correct_holm([measured(p) for p in (0.04, 0.01, None, 0.03, 0.005)], 0.05)
    assert [each.adjusted for each in tests] == [
        pytest.approx(p) if p else None for p in (0.06, 0.03, None, 0.06, 0.02)
    ]
    assert [each.status for each in tests] == [NOTHING, FOUND, TOO_FEW, NOTHING, FOUND]
    assert correct_holm([measured(0.006), measured(0.5)], 0.01)[0].status == NOTHING
    _, _, few, nothing, _ = tests
    assert few.sentence.endswith("90 shoes, has 50")
    assert nothing.sentence.startswith("nothing found; ")
    assert json.loads(json.dumps(few.as_json()))["p"] is None


def test_shares_in_words() -> None:
    found = [one_in(share) for share in (1.2, 0.5, 0.1, 0.0004)]
    assert found == ["every shoe", "50% of the shoes", "1 of 10 shoes", "1 of 2,500 shoes"]


@pytest.mark.parametrize(
    "order", [[0, 1, 2], [0, 1, 2, 3, 5], [0, 1, 2, 3, 3], [0, 1, 2, 3, -1], [0, 1, 2, 3, 70_000], list("abcde")]
)
def test_what_is_no_order_of_the_deck_is_refused(order: list[int]) -> None:
    with pytest.raises(InputError, match="order: "):
        layout_of(deck_of(["a", "b", "c", "d", "e"])).checked(order)
