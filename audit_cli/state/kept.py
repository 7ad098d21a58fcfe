"""What an audit that passed so far knows of a log, as JSON, and back: all that the rest is judged by.

Not in it are the digests of commitments, seeds and ids, which stand in the log itself: see `prefix`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairshoe.ceremony.book import Book
from fairshoe.ceremony.choices import Choices
from fairshoe.protocol.deck import Deck

from ..walk.state import Shoe, TableState
from ..walk.times import LogTime, Starts
from .codec import Unknown, fields_read, fields_written, read, written
from .names import Numbers

if TYPE_CHECKING:
    from ..walk.audit import Audit

OF_AUDIT: Mapping[str, Any] = {
    "index": int,
    "known": int,
    "parsed": dict[str, int],
    "first_at": str,
    "last_at": str,
    "starts": Starts,
    "begun": int,
    "time": LogTime,
    "continuing": tuple[int, str],
    "lost": list[tuple[str, str | None]],
    "ordered": int,
    "replayed": bool,
    "unchecked": dict[tuple[str, str], int],
    "decks": dict[str, Deck],
    "parts": dict[str, tuple[int, int, list[str]]],
}
"""What is written as it is, by the audit's attribute."""
COUNTERS = ("parsed", "unchecked")
EMPTY = ("passed", "unknown")
"""In these nothing stands where nothing failed."""
OF_REPORT: Mapping[str, Any] = {"shoes": int, "rounds": int, "cards": int}
OF_CHOICES: Mapping[str, Any] = {
    "log": dict[str, int],
    "tables": dict[str, dict[str, int]],
    "players": dict[str, dict[str, dict[str, int]]],
}


def kept(audit: Audit) -> dict[str, Any]:
    """An audit between two entries. Raises Unknown where something failed: nobody goes on from there."""
    report = audit.report
    if report.failed or any(getattr(audit, name) for name in EMPTY):
        raise Unknown("an audit that found something")
    return {
        "audit": {name: written(getattr(audit, name)) for name in OF_AUDIT},
        "numbers": {table: numbers.ranges for table, numbers in audit.names.numbers.items()},
        "tables": [_table(state) for state in audit.tables.values()],
        "shoes": [_shoe(shoe) for shoe in audit.shoes.values()],
        "report": {name: written(getattr(report, name)) for name in OF_REPORT},
        "choices": {name: written(getattr(report.choices, name)) for name in OF_CHOICES},
        "notes": report.notes(),
    }


def put(form: Mapping[str, Any], audit: Audit) -> None:
    """Have a new audit know what an earlier one knew. Raises Unknown, KeyError, TypeError, ValueError for what was not
    written so."""
    for name, hint in OF_AUDIT.items():
        value = read(form["audit"][name], hint)
        setattr(audit, name, Counter(value) if name in COUNTERS else value)
    audit.names.numbers = {table: Numbers(ranges) for table, ranges in form["numbers"].items()}
    for each in form["tables"]:
        state = _table_read(each)
        audit.tables[state.id] = state
    for each in form["shoes"]:
        table = each["table"]
        shoe = Shoe(**fields_read(each, Shoe, ("table",)), table=None if table is None else audit.tables[table])
        audit.shoes[shoe.id] = shoe
    for each in form["tables"]:
        name = each["shoe"]
        audit.tables[each["book"]["id"]].book.shoe = None if name is None else audit.shoes[name].told
    for name, hint in OF_REPORT.items():
        setattr(audit.report, name, read(form["report"][name], hint))
    _put_choices(audit.report.choices, form["choices"])
    audit.report.put_notes(form["notes"])


def _table(state: TableState) -> dict[str, Any]:
    """Its shoe in play stands elsewhere as well, and is the same there."""
    shoe = state.book.shoe
    book = fields_written(state.book, ("shoe",))
    return {**fields_written(state, ("book",)), "book": book, "shoe": None if shoe is None else shoe.id}


def _table_read(form: Mapping[str, Any]) -> TableState:
    book = Book(**fields_read(form["book"], Book, ("shoe",)))
    return TableState(book, **fields_read(form, TableState, ("book",)))


def _shoe(shoe: Shoe) -> dict[str, Any]:
    return {**fields_written(shoe, ("table",)), "table": None if shoe.table is None else shoe.table.id}


def _put_choices(choices: Choices, form: Mapping[str, Any]) -> None:
    found = {name: read(form[name], hint) for name, hint in OF_CHOICES.items()}
    choices.log = Counter(found["log"])
    choices.tables = {table: Counter(counts) for table, counts in found["tables"].items()}
    choices.players = {
        table: {player: Counter(counts) for player, counts in players.items()}
        for table, players in found["players"].items()
    }
