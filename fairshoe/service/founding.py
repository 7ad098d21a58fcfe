"""The first start of a directory, told from one whose database is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..terminal.durable import settle
from .errors import Unusable
from .kept_head import KEPT, RESTORE
from .store.faults import told_of_the_store
from .vault import MASTER_FILE

MARK = "founding"
"""A file that is there while a house is founded: what stands beside it was never shown to anybody."""
JOURNALS = ("-wal", "-shm", "-journal")


@contextmanager
def founding(database: Path, kept: Path) -> Iterator[bool]:
    """Whether a house is to be founded at `database`, which the body does then; one that came to no end begins anew.

    Raises Unusable where there was a house and its database is gone, or a house stands beside the mark; OSError.
    """
    mark = database.parent / MARK
    if mark.exists():
        _check_no_house(database, kept)
        for path in (*files_of(database), kept):
            path.unlink(missing_ok=True)
    fresh = not database.exists()
    if fresh:
        if not mark.exists():
            _check_nothing_is_gone(database, kept)
        mark.touch(mode=0o600)
        settle(mark.parent)
    yield fresh
    if fresh:
        settle(mark.parent)
        mark.unlink()
        settle(mark.parent)


def files_of(database: Path) -> list[Path]:
    """The files that a database may consist of."""
    return [database, *(database.with_name(database.name + suffix) for suffix in JOURNALS)]


def _check_no_house(database: Path, kept: Path) -> None:
    """Nothing is deleted on the mark's word alone: a start that came to no end leaves no entry and no checkpoint."""
    if kept.exists():
        here = f"its newest checkpoint, {kept.name}"
    elif database.exists() and _was_opened(database):
        here = f"its database, {database.name}"
    else:
        return
    raise Unusable(
        f"it says that a house is being founded here, and there is one: {here}",
        where=str(database.parent / MARK),
        expected="no such file beside a house",
        remedy="nothing was deleted: delete this file and start again, and docs/recovery.md if that start refuses",
    )


def _was_opened(database: Path) -> bool:
    """Whether a start came to its end with this database, or entries stand in it. Raises StorageError."""
    with told_of_the_store(database), closing(sqlite3.connect(database)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        entries = "entries" in names and connection.execute("SELECT 1 FROM entries LIMIT 1").fetchone()
        opened = "meta" in names and connection.execute("SELECT 1 FROM meta WHERE name = ?", (KEPT,)).fetchone()
    return bool(entries or opened)


def _check_nothing_is_gone(database: Path, kept: Path) -> None:
    left = [path for path in (kept, database.parent / MASTER_FILE) if path.exists()]
    if left:
        raise Unusable(
            f"the database is gone: {left[0].name} of a house is here",
            where=str(database),
            expected="the database of that house, or a directory of no house",
            remedy=f"put it back; {RESTORE}",
        )
