"""An entry's `at`: RFC 3339 in UTC with microseconds, and back. As text, later is greater."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache

EPOCH = datetime(1970, 1, 1)
"""In UTC, as everything here."""
MICROSECOND = timedelta(microseconds=1)
SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
_HOUR = re.compile(r"[1-9]\d{3}-[01]\d-[0-3]\dT(?:[01]\d|2[0-3])", re.ASCII)
WITHIN_HOUR = re.compile(r":[0-5]\d:[0-5]\d\.\d{6}Z", re.ASCII)
is_within_hour = WITHIN_HOUR.fullmatch
"""The rest of a moment behind its hour, which has 13 characters."""


def timestamp(moment: int) -> str:
    """Microseconds since 1970 as the text of an `at`."""
    return (EPOCH + timedelta(microseconds=moment)).isoformat(timespec="microseconds") + "Z"


def microseconds(at: str) -> int:
    """Return the text of an `at` as microseconds since 1970."""
    return (datetime.fromisoformat(at[:26]) - EPOCH) // MICROSECOND


def is_moment(value: object) -> bool:
    """Whether a value is the text of an `at`, on a day that the calendar has."""
    return type(value) is str and is_within_hour(value, 13) is not None and is_hour(value[:13])


@lru_cache(maxsize=64)
def is_hour(text: str) -> bool:
    """Whether a text is the hour of a moment, on a day that the calendar has."""
    try:
        return _HOUR.fullmatch(text) is not None and date.fromisoformat(text[:10]) >= EPOCH.date()
    except ValueError:
        return False
