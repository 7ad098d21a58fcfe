"""A server: uvicorn with a face, in a thread of its own, and its end."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from types import TracebackType

import uvicorn

from .bounds import Bounds
from .face import Face
from .protocol import protocol_of
from .signals import until_told
from .sockets import address_of

logger = logging.getLogger("fairshoe.serving")


class Server:
    """A context manager that stops it. `listening` is a socket that listens already.

    `beside` is entered by the loop before the first request and left after the last one; `close` is called at the end,
    however that came.
    """

    def __init__(
        self,
        face: Face,
        listening: socket.socket,
        *,
        beside: AbstractAsyncContextManager[object] | None = None,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.address = address_of(listening)
        self.loop = asyncio.new_event_loop()
        self._connections = face.connections
        self._socket = listening
        self._beside = beside or nullcontext()
        self._close = close
        self._uvicorn = uvicorn.Server(_config(face, protocol_of(face.connections, face.refuse), face.bounds))
        self._thread = threading.Thread(target=self._serve, name="fairshoe-server", daemon=True)
        self._ended: Callable[[], None] = lambda: None
        self._failed = False

    def run(self, begun: Callable[[], None] = lambda: None) -> int:
        """Serve until SIGTERM or SIGINT; gives the exit code. `begun` is called once they are heard, and clients
        answered. Only in the main thread."""

        def begin(ended: Callable[[], None]) -> None:
            self._ended = ended
            self._thread.start()
            begun()

        return until_told(begin, self.stop) or int(self._failed)

    def _serve(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
                runner.run(self._answer())
        except Exception:
            self._failed = True
            logger.exception("the server ended")
        finally:
            self._close()
            self._ended()

    async def _answer(self) -> None:
        async with self._beside:
            await self._uvicorn.serve([self._socket])

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take no more requests, finish those that were taken, within `stop_seconds`, and let go of everything."""
        self._uvicorn.should_exit = True
        with suppress(RuntimeError):  # it has ended by itself
            self.loop.call_soon_threadsafe(self._connections.stop)
        self._thread.join()


def _config(face: Face, protocol: type[asyncio.Protocol], bounds: Bounds) -> uvicorn.Config:
    return uvicorn.Config(
        face,
        loop="asyncio",
        http=protocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=bounds.idle_seconds,
        timeout_graceful_shutdown=bounds.stop_seconds,
    )
