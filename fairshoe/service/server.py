"""The service on a socket: its application, the ticker, and whoever submits to witnesses."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from types import TracebackType

from ..log.times import SECOND
from ..serving import server as serving
from ..serving.answer import Answer
from ..serving.connections import Connections
from ..serving.face import Face
from ..serving.refusals import Refuse
from ..serving.sockets import listen
from .api.headers import dress_for
from .api.operations import Operations
from .api.problems import tell
from .app import create_app
from .bounds import Bounds, bounds_of
from .health import Health
from .house import House
from .logs import RequestLines
from .metrics import MEDIA_TYPE, Metrics
from .ticker import Ticker
from .witnesses import Named, Witnesses
from .workers import Workers

ALIVE = Answer(
    200,
    [(b"content-type", b"text/plain"), (b"content-length", b"6"), (b"cache-control", b"no-store")],
    [b"alive\n"],
)

NOTICED = 0.5
"""Seconds that a command may wait without limits being put off for it."""


class Server:
    """A context manager that stops it. Port 0 takes any free one; `listening` is a socket that listens already."""

    def __init__(
        self,
        house: House,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        clock_is_right: bool = False,
        witnesses: Sequence[Named] = (),
        bounds: Bounds | None = None,
        listening: socket.socket | None = None,
    ) -> None:
        self._house = house
        taken = listening or listen(host, port)
        try:
            face = self._prepare(bounds or bounds_of(house.sequencer.settings), witnesses)
            house.sequencer.start(clock_is_right=clock_is_right)
        except BaseException:
            taken.close()
            raise
        self._server = serving.Server(face, taken, beside=self._beside(), close=self._close)
        self.address = self._server.address

    def _prepare(self, bounds: Bounds, witnesses: Sequence[Named]) -> Face:
        sequencer, settings = self._house.sequencer, self._house.sequencer.settings
        self._witnesses = Witnesses(sequencer.heads, lambda size: sequencer.nodes(size).node, witnesses)
        self.connections = Connections(bounds)
        self.workers = Workers(bounds)
        sequencer.tables.behind = self._behind
        self._ticker = Ticker(sequencer, self._command)
        health = Health(sequencer, self._house.database, lambda: self._ticker.silent)
        metrics = Metrics(sequencer, self.connections, self.workers, health.checks)
        lines = RequestLines(all=settings.log_requests)
        return Face(
            create_app(sequencer, Operations(health.checks, metrics.text, MEDIA_TYPE, settings.metrics_public)),
            self.connections,
            self.workers.of,
            bounds,
            Refuse(tell, dress_for(settings.cors_origins)),
            at_once={"/healthz": ALIVE},
            observers=[metrics, lines],
        )

    def run(self, begun: Callable[[], None] = lambda: None) -> int:
        """Serve until SIGTERM or SIGINT; gives the exit code. `begun` is called once they are heard, and clients
        answered. Only in the main thread."""
        return self._server.run(begun)

    @asynccontextmanager
    async def _beside(self) -> AsyncIterator[None]:
        self._witnesses.start()
        self._ticker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(self._ticker.stop)

    def _close(self) -> None:
        self._witnesses.stop()
        self.workers.close()
        self._house.close()

    def _behind(self) -> int:
        """For how many microseconds the oldest command has waited, if that is worth telling."""
        seconds = self.workers.commands.behind
        return int(seconds * SECOND) if seconds > NOTICED else 0

    def _command(self, job: Callable[[], None]) -> Future[None]:
        """Have a job done on the way that every command takes, by the loop and the commands' threads."""

        async def do() -> None:
            await asyncio.wrap_future(self.workers.commands.submit(job))

        return asyncio.run_coroutine_threadsafe(do(), self._server.loop)

    def __enter__(self) -> Server:
        self._server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take no more requests, finish those that were taken, within `stop_seconds`, and let go of everything."""
        self._server.stop()
