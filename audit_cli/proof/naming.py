"""The whole name of a round that is named by its number alone."""

from __future__ import annotations

from collections.abc import Iterable

from fairshoe.errors import InputError
from fairshoe.log.canonical import NotCanonical, parse
from fairshoe.record.forms import table_of

from ..findings.wording import some_of
from ..hand.wanted import round_named

_MARK = b'"kind":"open"'


def named(round: str, lines: Iterable[bytes]) -> str:
    """`TABLE#NUMBER` as it is; of a number alone the one table that has it is sought in the lines. Raises
    InputError where no table has it, or more than one."""
    wanted = round_named(round)
    if wanted.table is not None:
        return round
    names = [f"{table}#{wanted.number}" for table in _tables(wanted.number or 0, lines)]
    if len(names) == 1:
        return names[0]
    expected = some_of(names) if names else "a round of the log"
    what = f"{len(names):,} tables have such a round" if names else f"no round {wanted.number}"
    raise InputError(what, where="--round", expected=expected)


def _tables(number: int, lines: Iterable[bytes]) -> list[str]:
    """The tables that opened a round of this number."""
    mark = f'"round":{number},'.encode()
    found: dict[str, None] = {}
    for line in lines:
        if _MARK in line and mark in line:
            try:
                entry = parse(line)
                if (entry["kind"], entry["round"]) == ("open", number):
                    found[table_of(entry["shoe"])[0]] = None
            except (NotCanonical, KeyError, TypeError, AttributeError, InputError):
                continue
    return list(found)
