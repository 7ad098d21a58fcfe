"""Connections to a database, SQLite in WAL mode or PostgreSQL: commits that are durable, one writer at a time; whether
it is damaged, and whether it works now."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event, func, inspect, select
from sqlalchemy.engine import Engine

from ...log.checkpoint import Checkpoint
from ..errors import DAMAGED, StorageBusy, StorageDamaged, StorageError, StorageFull
from .faults import free_bytes, translate_database_errors
from .journal import read_head
from .postgresql import beside_of, engine_of
from .schema import PROBE, entries, meta, metadata, write_meta
from .statements import driver_of

BUSY_SECONDS = 5
"""How long another process may hold the database."""
TURN_SECONDS = 15
"""How long a writer waits for those before it."""


class Database:
    """`begin_read` sees one snapshot; `begin_write` holds the write lock of all processes from its start.

    Both raise StorageError and first call `failed` with it. `path`: the file, None for a server; `where` names it.
    `after` is called with the log's head, if known, after each durable commit.
    """

    def __init__(self, url: str) -> None:
        """Raises InputError where what PostgreSQL needs is not installed."""
        self.path: Path | None = None
        if url.startswith("sqlite:"):
            self.engine = create_engine(url, hide_parameters=True)
            self.path = Path(self.engine.url.database or "")
            _prepare_sqlite(self.engine)
        else:
            self.engine = engine_of(url, BUSY_SECONDS)
            self._beside = beside_of(url)
        self._reader = self.engine.execution_options(reading=True)
        self._lightly = self.engine.execution_options(lightly=True)
        self.where = str(self.path or self.engine.url.render_as_string(hide_password=True))
        self._turn = threading.Lock()
        self.failed: Callable[[StorageError], None] = lambda _: None
        self.after: Callable[[Checkpoint | None], None] = lambda _: None

    @contextmanager
    def begin_read(self) -> Iterator[Connection]:
        try:
            with translate_database_errors(self.path), self._reader.begin() as connection:
                yield connection
        except StorageError as error:
            self._tell(error)
            raise

    @contextmanager
    def begin_write(
        self, *, lightly: bool = False, head: Callable[[], Checkpoint] | None = None
    ) -> Iterator[Connection]:
        """Begin a write. `lightly`: a power cut may lose it. `head`: what it commits, for `after`."""
        engine = self._lightly if lightly else self.engine
        try:
            with translate_database_errors(self.path), self._take_turn(), engine.begin() as connection:
                yield connection
            if not lightly:
                self.after(head and head())
        except StorageError as error:
            self._tell(error)
            raise

    @contextmanager
    def begin_autocommit(self) -> Iterator[Connection]:
        """Statements that are no transaction, wait for no writer, and may be lost; on PostgreSQL alone."""
        try:
            with translate_database_errors(None), self._beside.connect() as connection:
                yield connection
        except StorageError as error:
            self._tell(error)
            raise

    def _tell(self, error: StorageError) -> None:
        if self.path is None:
            self.close()  # where one connection is lost, so are those that nobody uses
        self.failed(error)

    @contextmanager
    def _take_turn(self) -> Iterator[None]:
        """One writer of this process at a time, which spares SQLite's polling."""
        if not self._turn.acquire(timeout=TURN_SECONDS):
            raise StorageBusy(f"others have been writing for {TURN_SECONDS} s", remedy="try again")
        try:
            yield
        finally:
            self._turn.release()

    def close(self) -> None:
        self.engine.dispose()
        if self.path is None:
            self._beside.dispose()


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
MIN_FREE_BYTES = 1 << 24
"""Bytes below which a disk is told to be nearly full."""
MIN_ROOM_AGAIN = 1 << 18
"""Bytes for which there must be room again after commands were refused: one row may find room, and a round not."""


def check_pages(database: Database) -> None:
    """Raise StorageDamaged where pages of the database are damaged. One too large for that is not looked at."""
    if database.path is None or database.path.stat().st_size > CHECKED_BYTES:
        return
    with database.begin_read() as connection:
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    if found != "ok":
        raise _damage_of(" ".join(found.replace("*** in database main ***", "").split()), database.where)


def check_whole(connection: Connection, database: Database) -> None:
    """Raise StorageDamaged if a table or an entry that the log's head covers is missing. Of a database that is too
    large for that, or not ours, only the last entry is checked."""
    where, names = database.where, inspect(connection).get_table_names()
    gone = [table.name for table in metadata.sorted_tables if table.name not in names]
    if gone:
        raise _damage_of(f"without {', '.join(gone)}" if names else "it is empty", where)
    size = read_head(connection).tree.size
    last = connection.execute(select(func.max(entries.c.seq))).scalar()
    if last != (size - 1 if size else None):
        raise _damage_of(f"the log's last entry is {last}, and its head covers {size}", where)
    if database.path is None or database.path.stat().st_size > CHECKED_BYTES:
        return
    count = connection.execute(select(func.count()).select_from(entries)).scalar_one()
    if count != size:
        raise _damage_of(f"of {size} entries {size - count} are missing", where)


def _damage_of(what: str, where: str) -> StorageDamaged:
    return StorageDamaged(f"the database is damaged: {what}", where=where, remedy=DAMAGED)


def write_probe(connection: Connection) -> None:
    """Write a value that never stood there: one that does would not reach the disk."""
    write_meta(connection, PROBE, secrets.token_bytes(8))


def check_room(connection: Connection, database: Database) -> None:
    """Write ROOM bytes, and remove them. Raises StorageError if there is no room for them."""
    if (full := _check_room(database, MIN_ROOM_AGAIN)) is not None:
        raise full
    write_meta(connection, PROBE, secrets.token_bytes(MIN_ROOM_AGAIN))
    write_probe(connection)


def trouble(database: Database) -> StorageError | None:
    """Describe what is wrong with the storage now: it cannot be read, or its disk is nearly full. None if it works."""
    try:
        with database.begin_read() as connection:
            connection.execute(select(meta.c.name).limit(1))
    except StorageError as error:
        return error
    return _check_room(database, MIN_FREE_BYTES)


def _check_room(database: Database, least: int) -> StorageError | None:
    if database.path is None:
        return None
    try:
        free = free_bytes(database.path.parent)
    except OSError as error:
        return StorageBusy(f"the data directory is gone: {error.strerror}", where=str(database.path))
    if free >= least:
        return None
    what = f"the disk is nearly full: {free // 1024} KiB are left"
    expected = f"at least {least // 1024} KiB"
    return StorageFull(what, where=str(database.path.parent), expected=expected, remedy="make room")
