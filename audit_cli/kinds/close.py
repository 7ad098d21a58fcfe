"""`close`: the operator closes a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import identifier, shape

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "close"
SHAPE = shape(table=identifier)
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(entry["table"])
    if state is None:
        return
    if state.book.closed:
        audit.find("table-closed", state.place, expected="a table is closed once", found=state.id)
    audit.count(state, None, entry)
    take(state.book, state.book.shoe, entry)
