"""Errors of the storage by their cause: full, busy, not to be reached or written, damaged."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from ..errors import DAMAGED, StorageBusy, StorageDamaged, StorageError, StorageFull

PRIMARY = 0xFF
"""The bits of an SQLite result code that name its kind."""
NEARLY_FULL = 1 << 18
"""An I/O error on a disk with less room than this, in bytes, is told as a full disk: it mostly is one."""
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
NOT_WRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)


@contextmanager
def translate_database_errors(path: Path | None) -> Iterator[None]:
    """Translate errors of the database at `path`, if a file, into a StorageError with a remedy; others pass."""
    try:
        yield
    except Exception as error:
        found = storage_error(error.orig if isinstance(error, DBAPIError) else error, path)
        if found is None:
            raise
        raise found from error


@contextmanager
def translate_checkpoint_errors() -> Iterator[None]:
    """An OSError while the newest checkpoint is kept becomes a StorageError: what it covers cannot be answered yet."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = f"what was done is not answered before the newest checkpoint is kept: {error.strerror}"
        remedy = "make room" if full else "check the directory's owner, its mode, and how it is mounted"
        raise (StorageFull if full else StorageBusy)(what, where=str(error.filename or ""), remedy=remedy) from error


def storage_error(error: BaseException | None, path: Path | None) -> StorageError | None:
    """The fault that an error of the database's driver means, None where it is none of the storage."""
    if type(error).__module__.startswith("psycopg"):
        return _translate_postgresql(error)
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    kind, where = code & PRIMARY, str(path or "database")
    if kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and path is not None and _is_nearly_full(path)):
        return StorageFull("the disk is full", where=where, remedy="make room: nothing was changed")
    if kind in BUSY:
        return StorageBusy("another process holds the database", where=where, remedy="end it, or wait until it is done")
    if kind in NOT_WRITABLE:
        what = "the database cannot be opened" if kind == sqlite3.SQLITE_CANTOPEN else "the database cannot be written"
        return StorageBusy(what, where=where, remedy="check the directory's owner, its mode, and how it is mounted")
    if kind == sqlite3.SQLITE_IOERR:
        return StorageBusy(f"the disk fails ({error})", where=where, remedy="look into the machine's log")
    if kind == sqlite3.SQLITE_CORRUPT or _is_without_a_table(error):
        return StorageDamaged(f"the database is damaged ({error})", where=where, remedy=DAMAGED)
    if kind == sqlite3.SQLITE_NOTADB:
        return StorageDamaged(f"not a fairshoe database ({error})", where=where, remedy=DAMAGED)
    return None


def _is_without_a_table(error: BaseException | None) -> bool:
    """SQLite has no code for it: a statement of ours is refused for what a whole database has."""
    return str(error).startswith(("no such table", "no such column"))


def _is_nearly_full(path: Path) -> bool:
    with suppress(OSError):
        return free_bytes(path.parent) < NEARLY_FULL
    return False


def free_bytes(directory: Path) -> int:
    """Return the number of bytes left for files in a directory. Raises OSError."""
    return shutil.disk_usage(directory).free


# PostgreSQL, by SQLSTATE (its appendix A); a connection that is lost or cannot be made has none.

LOCKED = ("55P03", "40001", "40P01")
"""Somebody else holds what is wanted: lock_not_available, serialization_failure, deadlock_detected."""
UNREACHABLE_STATES = ("08", "57", "25P03", "53", "28", "3D", "42501")
"""It cannot be reached, is being stopped, hung up on a transaction that stood still, has no room for one more
connection, lets nobody in, has no such database, or gives no right to it."""
FAILS = ("58", "XX000")
BROKEN = ("XX001", "XX002", "42P01", "42703")
"""data_corrupted, index_corrupted; a table or a column that every house has is missing."""


def _translate_postgresql(error: BaseException | None) -> StorageError | None:
    import psycopg

    state = getattr(error, "sqlstate", None) or ""
    where, told = "database", f"database: {' '.join(str(error).split())}"  # whoever asks is told what, and not where
    if state == "53100":
        return StorageFull("the database's disk is full", where=where, remedy="make room: nothing was changed")
    if state in LOCKED:
        return StorageBusy("another process holds the database", where=where, remedy="end it, or wait until it is done")
    if state == "25006":
        remedy = "name the primary server in --database, not one that only follows it"
        return StorageBusy("the database cannot be written", where=where, remedy=remedy)
    if state in BROKEN:
        return StorageDamaged("the database is damaged", where=told, remedy=DAMAGED)
    if state.startswith(FAILS):
        return StorageBusy("the database fails", where=told, remedy="look into its log")
    if state.startswith(UNREACHABLE_STATES) or (
        not state and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    ):
        remedy = "see that it runs, that --database names its address, user and database, and its log"
        return StorageBusy("the database is away", where=told, remedy=remedy)
    return None
