"""What anybody pays who answers durably: `python -m tests.load.bare DATABASE` serves a Flask route with one durable
insert, into a file of SQLite or at an address of PostgreSQL, under the server that the house has."""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from flask import Flask, Response, request

from fairshoe.serving.followers import FollowedView, FollowerHub
from fairshoe.serving.requests import AsgiServer, Lane
from fairshoe.serving.server import Server, listen

THREADS, QUEUE = 32, 1024


def connected(database: str) -> Any:
    """To PostgreSQL, or SQLite, with durable commits of each statement."""
    if database.startswith("postgresql"):
        return psycopg.connect(database.replace("+psycopg", ""), autocommit=True)
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def application(database: str) -> Flask:
    app, kept, turn = Flask("bare"), threading.local(), threading.Lock()
    mark, bytes_of = ("%s", "bytea") if database.startswith("postgresql") else ("?", "BLOB")
    first = connected(database)
    first.execute(f"CREATE TABLE rows (body {bytes_of})")
    first.close()

    @app.post("/bare")
    def insert() -> Response:
        if not hasattr(kept, "connection"):
            kept.connection = connected(database)
        with turn:  # spares SQLite's polling; a house of one log has one writer, too
            kept.connection.execute(f"INSERT INTO rows (body) VALUES ({mark})", (request.get_data(),))
        return Response('{"done": true}', mimetype="application/json")

    return app


@asynccontextmanager
async def nothing() -> AsyncIterator[None]:
    yield


async def nobody(_: str, __: Sequence[str | None]) -> Mapping[str | None, FollowedView]:
    return {}


def main(database: str) -> int:
    lane = Lane("commands", THREADS, QUEUE)
    requests = AsgiServer(application(database), lambda *_: lane, 1 << 16, FollowerHub(nobody, 0, 0))
    server = Server(requests, listen("127.0.0.1", 0), nothing())
    return server.run(lambda: print(f"listens on {server.address}", flush=True))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
