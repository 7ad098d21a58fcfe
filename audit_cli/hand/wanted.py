"""Which rounds are asked for: one by its name, or all of a player and a time."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.log.times import EPOCH, timestamp

MOST_DIGITS = 15
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)


class Wanted(NamedTuple):
    """`number` and perhaps `table` of one round; or all of `player` from `since` to `until`, texts of an `at`.
    What is not said is None or ""."""

    number: int | None = None
    table: str | None = None
    player: str | None = None
    since: str = ""
    until: str = ""


def round_named(name: str) -> Wanted:
    """The round `TABLE#NUMBER`, or `NUMBER` where the log has one table. Raises InputError."""
    table, mark, number = name.rpartition("#")
    if not number.isascii() or not number.isdigit() or len(number) > MOST_DIGITS:
        raise InputError(f"{name!r} is not a round", where="--round", expected="TABLE#NUMBER, or NUMBER")
    return Wanted(int(number), table if mark else None)


def beginning(text: str | None) -> str:
    """The `at` of the moment that `--since` says; of a date its first. "" where nothing is said. Raises InputError."""
    return "" if text is None else timestamp(_moment(text, "--since"))


def ending(text: str | None) -> str:
    """The `at` of the moment that `--until` says; of a date its last. "" where nothing is said. Raises InputError."""
    if text is None:
        return ""
    whole_day = timedelta(days=1) // timedelta(microseconds=1) - 1 if _DATE.fullmatch(text) else 0
    return timestamp(_moment(text, "--until") + whole_day)


def _moment(text: str, where: str) -> int:
    """Microseconds since 1970."""
    try:
        if _DATE.fullmatch(text):
            day = date.fromisoformat(text)
            when = datetime(day.year, day.month, day.day, tzinfo=UTC)
        elif _TIME.fullmatch(text):
            when = datetime.fromisoformat(text.upper())
        else:
            raise _no_time(text, where)
        if not 1000 <= when.astimezone(UTC).year <= 9998:
            raise _no_time(text, where)
    except (ValueError, OverflowError):
        raise _no_time(text, where) from None
    return (when - EPOCH) // timedelta(microseconds=1)


def _no_time(text: str, where: str) -> InputError:
    expected = "a date such as 2026-01-31, or a time with its zone such as 2026-01-31T18:00:00Z"
    return InputError(f"{text[:80]!r} is not a time", where=where, expected=expected)
