"""What anybody pays who answers durably: `python -m tests.load.bare DATABASE` serves a Flask route with one durable
insert, under the server that the house has."""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from flask import Flask, Response, request

from fairshoe.serving.following import Following, Shown
from fairshoe.serving.requests import Lane, Requests
from fairshoe.serving.server import Server, listen

THREADS, QUEUE = 32, 1024


def application(path: str) -> Flask:
    app, kept, turn = Flask("bare"), threading.local(), threading.Lock()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB)")

    @app.post("/bare")
    def insert() -> Response:
        if not hasattr(kept, "connection"):
            kept.connection = sqlite3.connect(path, isolation_level=None)
            kept.connection.execute("PRAGMA synchronous = FULL")
        with turn:  # spares SQLite's polling
            kept.connection.execute("INSERT INTO rows (body) VALUES (?)", (request.get_data(),))
        return Response('{"done": true}', mimetype="application/json")

    return app


@asynccontextmanager
async def nothing() -> AsyncIterator[None]:
    yield


async def nobody(_: str, __: Sequence[str | None]) -> Mapping[str | None, Shown]:
    return {}


def main(path: str) -> int:
    lane = Lane("commands", THREADS, QUEUE)
    requests = Requests(application(path), lambda *_: lane, 1 << 16, Following(nobody, 0, 0))
    server = Server(requests, listen("127.0.0.1", 0), nothing())
    return server.run(lambda: print(f"listens on {server.address}", flush=True))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
