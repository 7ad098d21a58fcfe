"""A witness on a socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fairshoe.serving.lanes import Lane
from fairshoe.serving.requests import Requests
from fairshoe.serving.server import Server, listen

from .http import create_app
from .submission import MOST_BODY
from .witness import Witness

THREADS = 8
MOST_WAITING = 128
OPTION = "--serve"


def listening(witness: Witness, host: str, port: int) -> Server:
    """A server that listens already; port 0 takes any free one. `run()` serves. Raises InputError."""
    taken = listen(host, port, OPTION)
    lane = Lane("witness", THREADS, MOST_WAITING)

    @asynccontextmanager
    async def open_lane() -> AsyncIterator[None]:
        yield
        lane.close()

    return Server(Requests(create_app(witness), lambda *_: lane, MOST_BODY), taken, open_lane())
