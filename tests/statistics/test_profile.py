"""Holm's correction, and the words of a result."""

from __future__ import annotations

import json

import pytest

from audit_cli.statistics.measured import (
    FOUND,
    NOTHING,
    ONE_SIDED,
    TOO_FEW,
    Measured,
    judged,
    noncentrality,
    one_in,
)


def measured(p: float | None) -> Measured:
    return Measured("a test", "french:1", "whether", 50, 30 if p is not None else 90, p=p, smallest_words="a bias")


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    tests = judged([measured(p) for p in (0.04, 0.01, None, 0.03, 0.005)], 0.05)
    assert [each.adjusted for each in tests] == [
        pytest.approx(p) if p else None for p in (0.06, 0.03, None, 0.06, 0.02)
    ]
    assert [each.status for each in tests] == [NOTHING, FOUND, TOO_FEW, NOTHING, FOUND]


def test_a_stricter_profile_finds_less() -> None:
    tests = judged([measured(0.004), measured(0.5)], 0.01)
    assert [each.status for each in tests] == [FOUND, NOTHING]
    assert judged([measured(0.006), measured(0.5)], 0.01)[0].status == NOTHING


def test_each_status_has_its_sentence() -> None:
    few, nothing = judged([measured(None), measured(0.5)], 0.01)
    assert few.sentence == "not enough: needs 90 shoes, has 50"
    assert nothing.sentence == "nothing found; would have shown a bias"
    assert json.loads(json.dumps(few.as_json()))["p"] is None


def test_power_is_what_it_says() -> None:
    from scipy.stats import chi2, ncx2, norm

    assert norm.sf(norm.isf(0.01) - ONE_SIDED) == pytest.approx(0.9)
    for freedom in (1, 12, 144, 1_999, 2_000, 15_861):
        assert ncx2.sf(chi2.isf(0.01, freedom), freedom, noncentrality(freedom)) == pytest.approx(0.9, abs=0.01)


def test_shares_in_words() -> None:
    assert [one_in(share) for share in (1.2, 0.5, 0.1, 0.0004)] == [
        "every shoe",
        "50% of the shoes",
        "1 of 10 shoes",
        "1 of 2,500 shoes",
    ]
