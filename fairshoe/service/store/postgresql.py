"""PostgreSQL: how connections to it are made, and what a transaction says when it begins."""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import Engine

from ...errors import missing
from .prepared import driver_of

SCHEME = "postgresql+psycopg"
WRITER = 0x66616972
"""The advisory lock of whoever writes, until its transaction is over."""
STILL_SECONDS = 2
"""After which the server hangs up on who stopped in the middle of a transaction, so that others may write."""
CONNECT_SECONDS = 5
CONNECTIONS = 64
logger = logging.getLogger("fairshoe.service")


def engine_of(url: str, busy_seconds: int) -> Engine:
    """Raises InputError where psycopg is not installed."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise missing("postgres", "--database", "psycopg") from None
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=8,
        max_overflow=CONNECTIONS - 8,
        connect_args=connecting(
            lock_timeout=1000 * busy_seconds, idle_in_transaction_session_timeout=1000 * STILL_SECONDS
        ),
    )

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        """READ COMMITTED: what is read after the lock is what was committed by whoever had it before."""
        options, say = connection.get_execution_options(), driver_of(connection).execute
        if not options.get("reading", False):
            lightly = "SET LOCAL synchronous_commit = off;" if options.get("lightly", False) else ""
            say(f"{lightly} SELECT pg_advisory_xact_lock({WRITER})")

    return engine


def connecting(**settings: int | str) -> dict[str, Any]:
    """What a connection is made with; `settings` are the server's for its whole life."""
    return {
        "application_name": "fairshoe",
        "client_encoding": "utf8",
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": 1000 * CONNECT_SECONDS,
        "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
    }


def reader_of(engine: Engine) -> Engine:
    """One that sees one moment in each transaction, and changes nothing."""
    return engine.execution_options(reading=True, isolation_level="REPEATABLE READ", postgresql_readonly=True)


def warn_of_unsafe(connection: Connection) -> None:
    """Say so where the server does not wait for its disk."""
    for name in ("fsync", "synchronous_commit"):
        if driver_of(connection).execute(f"SHOW {name}").fetchone() == ("off",):
            logger.warning("the database has %s off: what was answered may be lost with the power", name)
