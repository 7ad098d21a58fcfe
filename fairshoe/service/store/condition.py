"""How the storage is: whether it is damaged, and whether it works now."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, func, inspect, select, update

from ..errors import StorageBusy, StorageDamaged, StorageError, StorageFull
from .database import DAMAGED, Database, free_bytes
from .journal import read_head
from .schema import entries, meta, metadata

CHECKED_BYTES = 1 << 29
"""A database of up to this size is checked for damaged pages when it is opened: 0.3 s, or 6 s from a slow disk."""
LEAST_FREE = 1 << 24
"""Bytes below which a disk is told to be nearly full."""
ROOM = 1 << 18
"""Bytes that a disk which was full must have again: one row may find room, and a round not."""


def check_pages(database: Database) -> None:
    """Raise StorageDamaged where pages of the database are damaged. One too large for that is not looked at."""
    if database.path is None or database.path.stat().st_size > CHECKED_BYTES:
        return
    with database.reading() as connection:
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    if found != "ok":
        raise _damaged(" ".join(found.replace("*** in database main ***", "").split()), database.path)


def check_whole(connection: Connection, path: Path) -> None:
    """Raise StorageDamaged where a table is gone, or there are not as many entries as the log's head covers. In a
    database that is too large for that only the last entry is looked at."""
    names = inspect(connection).get_table_names()
    gone = [table.name for table in metadata.sorted_tables if table.name not in names]
    if gone:
        raise _damaged(f"without {', '.join(gone)}" if names else "it is empty", path)
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


def try_again(database: Database) -> None:
    """Where writing failed, write a row as it is. Raises StorageError while that still fails, or there is no more room
    than for this row."""
    if database.failing_since is not None:
        if (full := _without_room(database, ROOM)) is not None:
            raise full
        with database.writing() as connection:
            connection.execute(update(meta).where(meta.c.name == "version").values(value=meta.c.value))
        database.works()


def trouble(database: Database) -> StorageError | None:
    """What is wrong with the storage now, None where it works: it cannot be read; it could not be written last time,
    and cannot now; or its disk is nearly full."""
    try:
        with database.reading() as connection:
            connection.execute(select(meta.c.name).limit(1))
        try_again(database)
    except StorageError as error:
        return error
    try:
        return _without_room(database, LEAST_FREE)
    except OSError as error:
        return StorageBusy(f"the data directory is gone: {error.strerror}", where=str(database.path))


def _without_room(database: Database, least: int) -> StorageFull | None:
    if database.path is None:
        return None
    free = free_bytes(database.path.parent)
    if free >= least:
        return None
    what = f"the disk is nearly full: {free // 1024} KiB are left"
    expected = f"at least {least // 1024} KiB"
    return StorageFull(what, where=str(database.path.parent), expected=expected, remedy="make room")
