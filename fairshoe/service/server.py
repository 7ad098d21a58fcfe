"""The service on a socket: its application, the ticker, and whoever submits to witnesses."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager

from ..log.times import SECOND
from ..serving import server as serving
from ..serving.requests import Observer, Requests
from ..serving.server import listen
from .api.body import MAX_BODY
from .api.operations import Operations
from .app import create_app
from .health import Health
from .house import House
from .logs import RequestLines
from .metrics import MEDIA_TYPE, Metrics
from .ticker import Ticker
from .witnesses import Named, Witnesses
from .workers import Workers

NOTICED = 0.5
"""Seconds that a command may wait without limits being put off for it."""


class Server(serving.Server):
    """The server of a house, which it closes at the end. Port 0 takes any free one; `listening` is a socket that
    listens already."""

    def __init__(
        self,
        house: House,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        clock_is_right: bool = False,
        witnesses: Sequence[Named] = (),
        listening: socket.socket | None = None,
    ) -> None:
        sequencer, settings = house.sequencer, house.sequencer.settings
        taken = listening or listen(host, port)
        try:
            self._house = house
            self._witnesses = Witnesses(sequencer.heads, lambda size: sequencer.nodes(size).node, witnesses)
            self.workers = Workers(settings.queue)
            sequencer.tables.behind = self._behind
            self._ticker = Ticker(sequencer, self._command)
            health = Health(sequencer, house.database, lambda: self._ticker.silent)
            metrics = Metrics(sequencer, self.workers, health.checks)
            application = create_app(
                sequencer, Operations(health.checks, metrics.text, MEDIA_TYPE, settings.metrics_public)
            )
            observers: list[Observer] = [metrics, RequestLines(all=settings.log_requests)]
            super().__init__(
                Requests(application, self.workers.of, MAX_BODY, observers),
                taken,
                self._working(),
                trusted=settings.trusted_proxies,
                stop_seconds=settings.stop_seconds,
            )
            sequencer.start(clock_is_right=clock_is_right)
        except BaseException:
            taken.close()
            raise

    @asynccontextmanager
    async def _working(self) -> AsyncIterator[None]:
        self._witnesses.start()
        self._ticker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(self._ticker.stop)
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

        return asyncio.run_coroutine_threadsafe(do(), self.loop)
