"""PostgreSQL: how connections to it are made, and what a transaction says when it begins."""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, create_engine, event, make_url
from sqlalchemy.engine import Engine
from sqlalchemy.pool import ConnectionPoolEntry

from ...errors import missing
from .statements import driver_of

if TYPE_CHECKING:
    import psycopg

WRITER = 0x66616972
"""The advisory lock of whoever writes, until its transaction is over."""
TERMINATE_LEADER = f"""SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objid = {WRITER} AND granted
    AND datname = current_database() AND usename = current_user AND wait_event = 'ClientRead'
    AND greatest(query_start, state_change) < clock_timestamp() - interval '1 second'"""
"""Has the server hang up on who writes and has said nothing for a second, so that others may write. The server's own
idle_in_transaction_session_timeout does not count after a pipeline of psycopg, nor within one."""
REFUSING = 0x72656675
"""The advisory lock that every process holds, shared, while its commands are refused."""
OTHERS_REFUSE = f"""SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = {REFUSING} AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1"""
CONNECT_SECONDS = 5
PING_SECONDS = 0.5
"""Seconds between two tries to reach a server that a start waits for."""
CONNECTIONS = 40
"""Maximum number of connections of each kind in a process: one for each thread that may need one."""
logger = logging.getLogger("fairshoe.service")


def engine_of(url: str, busy_seconds: int) -> Engine:
    """Raises InputError where psycopg is not installed."""
    _check_driver()
    engine = _engine(url, lock_timeout=1000 * busy_seconds)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        """Begin a transaction: a reader sees one snapshot; a writer locks, then sees what was committed before."""
        options, say = connection.get_execution_options(), driver_of(connection).execute
        if options.get("reading", False):
            say("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", prepare=False)
        else:
            lightly = "SET LOCAL synchronous_commit = off;" if options.get("lightly", False) else ""
            say(f"BEGIN; {lightly} SELECT pg_advisory_xact_lock({WRITER})", prepare=False)

    return engine


def beside_of(url: str) -> Engine:
    """One whose statements wait for nobody, and are not waited for: of what may be lost."""
    return _engine(url, synchronous_commit="off")


def _engine(url: str, **settings: int | str) -> Engine:
    """A pool that keeps no connection which was lost; prepared statements go around what SQLAlchemy does about that."""
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=CONNECTIONS,
        pool_reset_on_return=None,
        connect_args=_connecting(**settings),
    )

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.autocommit = True  # we say BEGIN ourselves

    @event.listens_for(engine, "reset")
    def reset(connection: Any, record: ConnectionPoolEntry, _: Any) -> None:
        if connection.closed:
            record.invalidate()  # or what is done at its return would fail, and its place be taken for good
        elif connection.pgconn.transaction_status:  # else it is idle
            connection.rollback()

    return engine


def session_at(engine: Engine, silent_seconds: float) -> psycopg.Connection[Any]:
    """A connection of its own, which the server ends where nothing is said for so long."""
    import psycopg

    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    settings = _connecting(idle_session_timeout=int(1000 * silent_seconds))
    return psycopg.connect(url, autocommit=True, **settings)


def _connecting(**settings: int | str) -> dict[str, Any]:
    """Return the arguments of a connection; `settings` are the server's for its whole life."""
    return {
        "application_name": f"fairshoe {os.getpid()}",
        "client_encoding": "utf8",
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": 1000 * CONNECT_SECONDS,
        "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
    }


def _check_driver() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise missing("postgres", "--database", "psycopg") from None


def wait_for_server(url: str) -> None:
    """Wait until the server takes connections, and log once what is waited for. Return where it refuses this one: the
    first real connection says why. Raises InputError if psycopg is not installed."""
    _check_driver()
    from psycopg import pq
    from psycopg.conninfo import make_conninfo

    known, said = make_url(url), None
    asked = known.set(drivername="postgresql").render_as_string(hide_password=False)
    address = make_conninfo(asked, connect_timeout=CONNECT_SECONDS).encode()
    waiting = {pq.Ping.REJECT: "it is starting up or shutting down", pq.Ping.NO_RESPONSE: "nothing answers there"}
    while (why := waiting.get(pq.Ping(pq.PGconn.ping(address)))) is not None:
        if why != said:
            said, where = why, known.render_as_string(hide_password=True)
            logger.warning("waiting for the database %s: %s", where, why)
        time.sleep(PING_SECONDS)


def warn_of_unsafe(connection: Connection) -> None:
    """Say so where the server does not wait for its disk."""
    for name in ("fsync", "synchronous_commit"):
        if driver_of(connection).execute(f"SHOW {name}").fetchone() == ("off",):
            logger.warning("the database has %s off: what was answered may be lost with the power", name)
