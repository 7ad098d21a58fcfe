"""What must stand in a house's database, whatever else does: told at the start where it is gone."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from sqlalchemy import Connection, func, inspect, select

from ..errors import StorageDamaged
from .condition import CHECKED_BYTES
from .faults import DAMAGED
from .journal import read_head
from .schema import entries, head, meta, seeds, tables, tokens

ALWAYS = (meta, head, entries, tables, tokens, seeds)
"""These are there since the first version: one that is missing was not left to be made."""


def check_tables(connection: Connection, path: Path) -> None:
    """Raise StorageDamaged where one of the database's tables is gone, unless it has none at all."""
    names = inspect(connection).get_table_names()
    gone = [table.name for table in ALWAYS if table.name not in names]
    if names and gone:
        raise _damaged(f"without {', '.join(gone)}", path)


def check_named(found: Collection[str], wanted: Collection[str], path: Path) -> None:
    """Raise StorageDamaged where one of the `wanted` rows is not `found` in `meta`."""
    gone = sorted(set(wanted) - set(found))
    if gone:
        raise _damaged(f"in meta {', '.join(gone)} is missing", path)


def check_entries(connection: Connection, path: Path) -> None:
    """Raise StorageDamaged where there are not as many entries as the log's head covers. In a database that is too
    large for that only the last one is looked at."""
    size = read_head(connection).tree.size
    last = connection.execute(select(func.max(entries.c.seq))).scalar()
    if last != (size - 1 if size else None):
        raise _damaged(f"the log's last entry is {last}, and its head covers {size}", path)
    if path.stat().st_size > CHECKED_BYTES:
        return
    count = connection.execute(select(func.count()).select_from(entries)).scalar_one()
    if count != size:
        raise _damaged(f"of {size} entries {size - count} are missing", path)


def _damaged(what: str, path: Path) -> StorageDamaged:
    return StorageDamaged(f"the database is damaged: {what}", where=str(path), remedy=DAMAGED)
