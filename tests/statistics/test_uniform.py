"""p-values of honest shoes are uniform; a chi-square that forgets that positions are drawn without replacement is not.

`python -m tests.long.shuffles` does the same with a thousand logs.
"""

from __future__ import annotations

import pytest
from scipy.stats import chi2, kstest

from audit_cli.statistics.layout import layout_of
from audit_cli.statistics.positions import Positions
from fairshoe.cards import french
from fairshoe.protocol.deck import deck_of
from tests.long.shuffles import of_logs, of_sets, rows_of
from tests.statistics.shuffled import shuffled


def test_honest_sets_of_shoes() -> None:
    rows, count, alarms = rows_of(of_sets(50, 170))
    assert count == 50
    assert len(rows) >= 15
    assert alarms <= 2
    for row in rows:
        assert row.uniformity > 0.01 / len(rows), str(row)


def test_honest_logs() -> None:
    rows, count, alarms = rows_of(of_logs(4, 80))
    assert (count, alarms) == (4, 0)
    assert {row.name for row in rows} >= {"french:1 label by position", "french:6 rank by position"}


@pytest.mark.parametrize("deck", [french(1), deck_of(["a", "b", "c", "d"] * 2), deck_of(["a", "b", "c"])])
def test_the_uncorrected_chi_square_cries_wolf(deck: object) -> None:
    layout = layout_of(deck_of(deck))  # type: ignore[arg-type]
    with_it, without = [], []
    for seed in range(400):
        positions = Positions(layout)
        positions.count(shuffled(seed, 60, layout.size))
        test = positions.tests()[0]
        assert test.statistic is not None
        assert test.p is not None
        with_it.append(test.p)
        freedom = (layout.size - 1) * (len(layout.labels) - 1)
        without.append(float(chi2.sf(test.statistic * layout.size / (layout.size - 1), freedom)))
    assert kstest(with_it, "uniform").pvalue > 0.01
    assert kstest(without, "uniform").pvalue < 1e-6
    assert sum(p <= 0.05 for p in with_it) <= 32
    assert sum(p <= 0.05 for p in without) >= 36
