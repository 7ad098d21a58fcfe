"""One round of a log, with everything that it follows from: found by walking to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairshoe.ceremony.book import bets_that_stand
from fairshoe.engine.moves import Decision
from fairshoe.engine.table import Bet, Table
from fairshoe.errors import InputError, LogError
from fairshoe.log.canonical import Entry
from fairshoe.log.directory import read_lines
from fairshoe.record.forms import decision_of

from .audit import Audit
from .kinds import new_audit
from .report import Report
from .state import Shoe


@dataclass
class FoundRound:
    """A `round` entry, the table and bets before it, its shoe, and the shoe's end (None while in play).

    The shoe's pointer stood at `position` of a deck of `present` cards.
    """

    name: str
    number: int
    line: int
    entry: Entry
    table: Table
    bets: Sequence[Bet]
    shoe: Shoe
    position: int
    present: int
    end: Entry | None = None

    @property
    def decisions(self) -> list[Decision]:
        return [decision_of(form) for form in self.entry["decisions"]]


def find_round(log: Path, name: str) -> tuple[FoundRound, Report]:
    """Walk to the round `TABLE#NUMBER` (or `NUMBER` where the log has one table) and to its shoe's end.

    Raises InputError where there is no such round, LogError where the log cannot be read.
    """
    report = Report()
    audit = new_audit(report)
    table, mark, number = name.rpartition("#")
    if not number.isascii() or not number.isdigit() or len(number) > 15:
        raise InputError(f"{name!r} is not a round", where="--round", expected="TABLE#NUMBER, or NUMBER")
    found: FoundRound | None = None
    for line in _lines(log):
        if found is None and b'"kind":"round"' in line and b'"round":%d,' % int(number) in line:
            found = _before(audit, line, table if mark else None, int(number))
        audit.take(line)
        if found is not None and found.shoe.id not in audit.shoes:
            found.end = json.loads(line)
            break
    if not audit.known:
        raise LogError("no line is an entry of a log", where=str(log), expected="the log.jsonl of a fairshoe service")
    if found is None:
        tables = ", ".join(
            f"{state.id}#1 to #{state.book.rounds}" for state in audit.tables.values() if state.book.rounds
        )
        raise InputError(f"no round {name}", where="--round", expected=tables or "a log with rounds")
    return found, report


def _lines(log: Path) -> Iterator[bytes]:
    for line in read_lines(log):
        yield line.removesuffix(b"\n")


def _before(audit: Audit, line: bytes, table: str | None, number: int) -> FoundRound | None:
    """The round on this line, if it is the wanted one, with the state that it starts from."""
    try:
        entry = json.loads(line)
        shoe = audit.shoes[entry["shoe"]]
    except (ValueError, KeyError, TypeError):
        return None
    book, told = shoe.book, shoe.told
    if book is None or book.open is None or book.open.number != number or table not in (None, book.id):
        return None
    return FoundRound(
        f"{book.id}#{number}",
        number,
        audit.index + 1,
        entry,
        book.table,
        bets_that_stand(book, told, book.open),
        shoe,
        told.position,
        told.present,
    )
