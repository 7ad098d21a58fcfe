"""Which rounds are asked for: one by its name, or all of a player and a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.log.times import DAY, EPOCH, timestamp

from ..findings.wording import some_of

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


def check_one(wanted: Wanted, tables: Sequence[str]) -> None:
    """Raise InputError where more than one table has the round that is wanted."""
    if len(tables) > 1:
        names = some_of([f"{table}#{wanted.number}" for table in tables])
        raise InputError(f"{len(tables):,} tables have such a round", where="--round", expected=names)


def beginning(text: str | None) -> str:
    """The `at` of the moment that `--since` says; of a date its first. "" where nothing is said. Raises InputError."""
    return "" if text is None else timestamp(_moment(text, "--since"))


def ending(text: str | None) -> str:
    """The `at` of the moment that `--until` says; of a date its last. "" where nothing is said. Raises InputError."""
    if text is None:
        return ""
    return timestamp(_moment(text, "--until") + (DAY - 1 if _DATE.fullmatch(text) else 0))


def _moment(text: str, where: str) -> int:
    """Microseconds since 1970."""
    whole = f"{text}T00:00:00Z" if _DATE.fullmatch(text) else text.upper()
    try:
        when = datetime.fromisoformat(whole).astimezone(UTC) if _TIME.fullmatch(whole) else None
    except (ValueError, OverflowError):
        when = None
    if when is None or not 1000 <= when.year <= 9998:
        expected = "a date such as 2026-01-31, or a time with its zone such as 2026-01-31T18:00:00Z"
        raise InputError(f"{text[:80]!r} is not a time", where=where, expected=expected)
    return (when - EPOCH) // timedelta(microseconds=1)
