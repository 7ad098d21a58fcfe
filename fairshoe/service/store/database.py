"""Connections: SQLite in WAL mode with durable commits, one writer at a time; and what the storage refuses, told as
what it is: full, busy, not writable, damaged; whether it is damaged, and whether it works now."""

from __future__ import annotations

import errno
import logging
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event, func, inspect, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError

from ..errors import DAMAGED, StorageBusy, StorageDamaged, StorageError, StorageFull
from .journal import read_head
from .prepared import driver_of
from .schema import PROBE, entries, meta, metadata, write_meta

PRIMARY = 0xFF
"""The bits of an SQLite result code that name its kind."""
NEARLY_FULL = 1 << 18
"""An I/O error on a disk with less room than this, in bytes, is told as a full disk: it mostly is one."""
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
NOT_WRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)


@contextmanager
def told_of_the_store(path: Path | None) -> Iterator[None]:
    """Errors of the database at `path` (None: it is no file) become a StorageError that says what to do; others stay
    what they are."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        found = storage_error(error.orig if isinstance(error, DBAPIError) else error, path)
        if found is None:
            raise
        raise found from error


@contextmanager
def told_of_the_kept() -> Iterator[None]:
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
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    kind, where = code & PRIMARY, str(path or "database")
    if kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and path is not None and _nearly_full(path)):
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


def _nearly_full(path: Path) -> bool:
    with suppress(OSError):
        return free_bytes(path.parent) < NEARLY_FULL
    return False


def free_bytes(directory: Path) -> int:
    """What is left for files in a directory. Raises OSError."""
    return shutil.disk_usage(directory).free


logger = logging.getLogger("fairshoe.service")
BUSY_SECONDS = 5
"""How long another process may hold the database."""
TURN_SECONDS = 15
"""How long a writer waits for those before it."""


class Database:
    """`reading` sees one snapshot; `writing` is a transaction that holds the write lock from its start.

    Both raise StorageError where the disk or the database fails; it says so if something was changed then. `path` is
    the file, None where it is none; `failing_since` is when writing began to fail, in seconds of time.monotonic, until
    it `works` again, else None. `after` is called after each commit that is waited for, before whoever wrote goes on.
    """

    def __init__(self, url: str) -> None:
        self.engine = create_engine(url, hide_parameters=True)
        self._turn = threading.Lock()
        self.path: Path | None = None
        self.failing_since: float | None = None
        self._said, self._worked = "", False
        self.after: Callable[[], None] = lambda: None
        if self.engine.dialect.name == "sqlite":
            self.path = Path(self.engine.url.database or "")
            _prepare_sqlite(self.engine)
        self._reader = self.engine.execution_options(reading=True)
        self._lightly = self.engine.execution_options(lightly=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        try:
            with told_of_the_store(self.path), self._reader.begin() as connection:
                yield connection
        except StorageError as error:
            self._say(error)
            raise

    @contextmanager
    def writing(self, *, lightly: bool = False) -> Iterator[Connection]:
        """`lightly`: what is written may be lost when power is, and is not waited for."""
        engine = self._lightly if lightly else self.engine
        try:
            with told_of_the_store(self.path), self._alone(), engine.begin() as connection:
                yield connection
            if not lightly:
                self.after()
        except StorageError as error:
            self.failing_since = self.failing_since or time.monotonic()
            self._say(error)
            raise
        self._worked = True

    def works(self) -> None:
        """Something was really written, after writing failed."""
        if self.failing_since is not None:
            logger.warning("the storage works again")
        self.failing_since, self._said = None, ""

    def _say(self, error: StorageError) -> None:
        """Once for each trouble, not for each request; what fails at the start is told by whoever starts."""
        if self._worked and str(error) != self._said:
            self._said = str(error)
            logger.error("%s", error)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One writer of this process at a time, which spares SQLite's polling."""
        if not self._turn.acquire(timeout=TURN_SECONDS):
            raise StorageBusy(f"others have been writing for {TURN_SECONDS} s", remedy="try again")
        try:
            yield
        finally:
            self._turn.release()

    def close(self) -> None:
        self.engine.dispose()


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        connection.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA temp_store = MEMORY")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options, say = connection.get_execution_options(), driver_of(connection).execute
        if options.get("reading", False):
            say("BEGIN")
            return
        say(f"PRAGMA synchronous = {'NORMAL' if options.get('lightly', False) else 'FULL'}")
        say("BEGIN IMMEDIATE")


# How the storage is.

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
    """Where writing failed, write a value that never stood there: one that does would not reach the disk. Raises
    StorageError while that still fails, or there is no more room than for this row."""
    if database.failing_since is not None:
        if (full := _without_room(database, ROOM)) is not None:
            raise full
        with database.writing() as connection:
            write_meta(connection, PROBE, secrets.token_bytes(8))
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
