"""A table's state as it stands in the database, where it can be read."""

from __future__ import annotations

from sqlalchemy import Connection, select

from ..ceremony.acting.state import State, load
from ..ceremony.written import UNREADABLE
from .errors import StorageDamaged
from .store.faults import DAMAGED
from .store.schema import tables


def state_of(table: str, text: str) -> State:
    """Raises StorageDamaged where it is not what was written."""
    try:
        return load(text)
    except UNREADABLE as error:
        what = f"the state of table {table} cannot be read ({type(error).__name__})"
        raise StorageDamaged(what, where="database", remedy=DAMAGED) from None


def check_states(connection: Connection) -> None:
    """Raise StorageDamaged where a table's state cannot be read."""
    for row in connection.execute(select(tables.c.id, tables.c.state)):
        state_of(row.id, row.state)
