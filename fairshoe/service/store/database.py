"""Connections: SQLite in WAL mode with durable commits, and one writer at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import Engine

BUSY_SECONDS = 30


class Database:
    """`reading` sees one snapshot; `writing` is a transaction that holds the write lock from its start."""

    def __init__(self, url: str) -> None:
        self.engine = create_engine(url)
        self._turn = threading.Lock()
        if self.engine.dialect.name == "sqlite":
            _prepare_sqlite(self.engine)
        self._reader = self.engine.execution_options(reading=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._reader.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self._turn, self.engine.begin() as connection:  # the lock only spares SQLite's polling
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        connection.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
