"""An entry's `at`: microseconds to text and back; as text, later is greater."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshoe.log.times import DAY, HOUR, SECOND, is_moment, microseconds, timestamp

LAST = microseconds("9999-12-31T23:59:59.999999Z")
moments = st.integers(0, LAST)


@given(moments, moments)
def test_there_and_back_in_order(one: int, other: int) -> None:
    texts = timestamp(one), timestamp(other)
    assert all(map(is_moment, texts))
    assert tuple(map(microseconds, texts)) == (one, other)
    assert (texts[0] < texts[1]) == (one < other)


@given(moments)
def test_the_standard_library_reads_the_same(moment: int) -> None:
    since = datetime.fromisoformat(timestamp(moment)) - datetime(1970, 1, 1, tzinfo=UTC)
    assert since == timedelta(microseconds=moment)


def test_the_text_has_one_length() -> None:
    assert timestamp(0) == "1970-01-01T00:00:00.000000Z"
    assert timestamp(DAY + HOUR + SECOND + 1) == "1970-01-02T01:00:01.000001Z"
    assert {len(timestamp(moment)) for moment in (0, 10, SECOND, LAST)} == {27}


DAYS = ["2026-02-29", "2026-13-01", "2026-01-32", "1969-12-31", "0026-01-01", "٢٠٢٦-01-01"]
HOURS = ["24:00:00.000000Z", "00:60:00.000000Z", "23:59:60.000000Z", "00:00:00Z", "00:00:00.000Z", "00:00:00.0000000Z"]
HOURS += ["00:00:00.000000", "00:00:00.000000+00:00", "00:00:00.000000z", "00:00:00.000000Z\n"]
OTHERS = ["", "2026-01-01", "2026-01-01t00:00:00.000000Z", "2026-01-01 00:00:00.000000Z", None, 1, [timestamp(0)]]


@pytest.mark.parametrize(
    "text", [*(f"{day}T00:00:00.000000Z" for day in DAYS), *(f"2026-01-01T{hour}" for hour in HOURS), *OTHERS]
)
def test_what_is_no_moment(text: object) -> None:
    assert not is_moment(text)
