"""Connections: SQLite in WAL mode with durable commits, and one writer at a time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import Engine

from ..errors import StorageBusy, StorageError
from .faults import told_of_the_store

logger = logging.getLogger("fairshoe.service")
BUSY_SECONDS = 5
"""How long another process may hold the database."""
TURN_SECONDS = 15
"""How long a writer waits for those before it."""


class Database:
    """`reading` sees one snapshot; `writing` is a transaction that holds the write lock from its start.

    Both raise StorageError where the disk or the database fails; it says so if something was changed then. `path` is
    the file, None where it is none; `failing_since` is when writing began to fail, in seconds of time.monotonic, until
    it `works` again, else None. `after` is called after each commit, before whoever wrote goes on.
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
        options = connection.get_execution_options()
        if options.get("reading", False):
            connection.exec_driver_sql("BEGIN")
            return
        connection.exec_driver_sql(f"PRAGMA synchronous = {'NORMAL' if options.get('lightly', False) else 'FULL'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
