"""What can still be followed of an entry that is malformed, and what it is about if nothing can."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, NamedTuple

from fairshoe.log.canonical import MAX_ENTRY, Entry, encode
from fairshoe.record.versions import version_of

from ..findings.finding import LOG, Place
from .shapes import ENVELOPE, KINDS, count, identifier

_NAMES = re.compile(rb'"(kind|shoe|table)":"([A-Za-z0-9._:/-]{1,64})"')
_ROUND = re.compile(rb'"round":([1-9][0-9]{0,14})[,}]')


class About(NamedTuple):
    """What a line seems to be about."""

    kind: str
    place: Place


def about(entry: Entry, tables: Container[str]) -> About:
    """What an entry says that it is about, whatever else it says. A shoe of one of `tables` is that table's."""
    kind, shoe, table, number = (entry.get(name) for name in ("kind", "shoe", "table", "round"))
    shoe = shoe if identifier(shoe) else None
    if not identifier(table):
        table = _table_of(shoe, tables)
    return About(kind if type(kind) is str else "", _place(table, shoe, number))


def about_line(line: bytes, tables: Container[str]) -> About:
    """The same of a line that cannot be parsed."""
    names = {name.decode(): value.decode() for name, value in _NAMES.findall(line[:MAX_ENTRY])}
    number = _ROUND.search(line[:MAX_ENTRY])
    shoe = names.get("shoe")
    table = names.get("table") or _table_of(shoe, tables)
    place = _place(table, shoe, None if number is None else int(number[1]))
    return About(names.get("kind", ""), place)


def _place(table: str | None, shoe: str | None, number: Any) -> Place:
    is_round = table is not None and shoe is not None and count(number) and 0 < number < 1 << 53
    return Place(table, shoe, number if is_round else None)


def _table_of(shoe: str | None, tables: Container[str]) -> str | None:
    table = "" if shoe is None else shoe.rpartition("/")[0]
    return table if table in tables else None


def mended(entry: Entry, faults: list[str], last_at: str) -> tuple[Entry, bytes] | None:
    """An entry without what is wrong with it, and its line: fields that nobody knows, or that may be missing, are
    left out, its version is this one, and its time, if it has none, that of the entry before. None where
    it cannot be read for all that."""
    required = KINDS[entry["kind"]].required
    if any(name in required for name in faults) or ("at" in faults and not last_at):
        return None
    entry = {name: value for name, value in entry.items() if name in ENVELOPE or name not in faults}
    entry["v"] = version_of(entry["kind"], entry)
    if "at" in faults:
        entry["at"] = last_at
    try:
        return entry, encode(entry)
    except (UnicodeEncodeError, RecursionError):
        return None


NOWHERE = About("", LOG)
