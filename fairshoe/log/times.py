"""An entry's `at`: RFC 3339 in UTC with microseconds, and back. As text, later is greater."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import lru_cache

EPOCH = datetime(1970, 1, 1)
"""In UTC, as everything here."""
SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
_HOUR = re.compile(r"[1-9]\d{3}-[01]\d-[0-3]\dT(?:[01]\d|2[0-3])", re.ASCII)
is_within_hour = re.compile(r":[0-5]\d:[0-5]\d\.\d{6}Z", re.ASCII).fullmatch
"""The rest of a moment behind its hour, which has 13 characters."""


def timestamp(moment: int) -> str:
    """Microseconds since 1970 as the text of an `at`."""
    return (EPOCH + timedelta(microseconds=moment)).isoformat(timespec="microseconds") + "Z"


def microseconds(at: str) -> int:
    """The text of an `at` as microseconds since 1970."""
    hour, minute, second = int(at[11:13]), int(at[14:16]), int(at[17:19])
    return _midnight(at[:10]) + ((hour * 60 + minute) * 60 + second) * SECOND + int(at[20:26])


def is_moment(value: object) -> bool:
    """Whether a value is the text of an `at`, on a day that the calendar has."""
    return type(value) is str and is_within_hour(value, 13) is not None and _is_hour(value[:13])


@lru_cache(maxsize=64)
def _is_hour(text: str) -> bool:
    return _HOUR.fullmatch(text) is not None and _midnight(text[:10]) >= 0


@lru_cache(maxsize=64)
def _midnight(day: str) -> int:
    """The beginning of a day in microseconds, -1 where the calendar has no such day."""
    try:
        return (date.fromisoformat(day) - EPOCH.date()).days * DAY
    except ValueError:
        return -1
