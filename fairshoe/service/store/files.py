"""Database files that no service has open: read as one snapshot, copied whole, also from and to a server, written to
alone; and who is at work in
a data directory: services share it, a restore or a new master key has it for itself."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, create_engine, insert, inspect, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from ...errors import InputError
from ..errors import DAMAGED, StorageDamaged
from .database import BUSY_SECONDS, Database
from .faults import storage_error, translate_database_errors
from .schema import meta, metadata

ROWS = 1_000
"""Number of rows copied at a time."""
JOURNALS = ("-wal", "-shm", "-journal")


def remove(database: Path) -> None:
    """All the files that a database may consist of. Raises OSError."""
    for path in (database, *(database.with_name(database.name + suffix) for suffix in JOURNALS)):
        path.unlink(missing_ok=True)


def copy_database(source: Path | Database, target: Path) -> None:
    """Copy a database, a file or a server's, as of one moment into one file on the disk. Raises StorageError,
    OSError."""
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if isinstance(source, Database):
        with source.begin_read() as old, change_exclusively(target) as new:
            metadata.create_all(new)
            _copy_rows(old, new)
        return
    with (
        translate_database_errors(source),
        closing(_connect_read_only(source)) as old,
        translate_database_errors(target),
        closing(sqlite3.connect(target, isolation_level=None)) as new,
    ):
        old.backup(new)
    _settle_file(target)


def copy_to_server(source: Path, url: str) -> None:
    """Copy a database file into an empty server database, whole or not at all. Raises InputError, StorageError."""
    database = Database(url)
    try:
        with snapshot(source) as old, database.begin_write() as new:
            if inspect(new).has_table(meta.name):
                raise InputError("there is a house in it", where=database.where, expected="an empty database")
            metadata.create_all(new)
            _copy_rows(old, new)
    finally:
        database.close()


def _copy_rows(old: Connection, new: Connection) -> None:
    for table in metadata.sorted_tables:
        rows = old.execution_options(yield_per=ROWS).execute(select(table))
        for part in rows.mappings().partitions():
            new.execute(insert(table), [dict(row) for row in part])


@contextmanager
def snapshot(path: Path) -> Iterator[Connection]:
    """Read a database as it is at one moment. Raises InputError, StorageError."""
    if not path.is_file():
        raise InputError("no database here", where=str(path), expected="a data directory, or a backup of one")
    engine = create_engine("sqlite://", creator=lambda: _connect_read_only(path), poolclass=NullPool)
    with translate_database_errors(path), engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        try:
            yield connection
        except OperationalError as error:
            if storage_error(error.orig, path) is not None:
                raise
            raise StorageDamaged(f"the database is damaged ({error.orig})", where=str(path), remedy=DAMAGED) from error


@contextmanager
def change_exclusively(path: Path) -> Iterator[Connection]:
    """Change a database in one transaction; afterwards it is one file, on the disk. Raises StorageError, OSError."""
    database = Database(f"sqlite:///{path}")
    try:
        with database.begin_write() as connection:
            connection.exec_driver_sql("PRAGMA secure_delete = ON")
            yield connection
    finally:
        database.close()
    _settle_file(path)


def _settle_file(path: Path) -> None:
    """Have a database in one file, on the disk."""
    with translate_database_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _connect_read_only(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)


RUNNING_FILE = "running"
"""Each service here holds a shared lock on it for its whole life; what stands in it means nothing."""


class DirectoryLock:
    """A lock on a data directory, until it is closed or its process ends; `alone`: nobody else has one. A context
    manager that closes it. Where the system has no locks everybody gets one."""

    _handle: int | None = None

    def __init__(self, directory: Path, *, alone: bool = False) -> None:
        """Raises InputError where others are at work, OSError."""
        self._directory = directory
        self._handle = os.open(directory / RUNNING_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._lock(alone=alone)
        except InputError:
            self.close()
            raise

    def _lock(self, *, alone: bool) -> None:
        if self._handle is None or sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                "a service runs on this directory" if alone else "`fairshoe restore` or `keys` is at work here",
                where=str(self._directory),
                remedy="stop it first" if alone else "start again when it is done",
            ) from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be at work alone for a while. Raises InputError where others are."""
        self._lock(alone=True)
        try:
            yield
        finally:
            self._lock(alone=False)

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    __del__ = close

    def __enter__(self) -> DirectoryLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def require_stopped(*directories: Path) -> Iterator[None]:
    """No service runs in any of these directories, nor begins to. Raises InputError, OSError."""
    with ExitStack() as held:
        for directory in {each.resolve() for each in directories}:
            if (directory / RUNNING_FILE).is_file():
                held.enter_context(DirectoryLock(directory, alone=True))
        yield
