"""A server: uvicorn on a socket, and an end that finishes what was begun."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from types import FrameType, TracebackType

import uvicorn

from ..errors import InputError
from .requests import AsgiServer

BACKLOG = 512
IDLE_SECONDS = 75
"""For the next request on a connection; a proxy must keep its own for less."""
UNREAD_SECONDS = 30
"""Seconds after which a connection is lost on which data waits and the client takes none of it, on Linux."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)


REMEDIES = {
    errno.EADDRINUSE: "another program listens there: stop it, or give another --port",
    errno.EACCES: "the system keeps this port for itself: give a --port from 1024 on",
    errno.EADDRNOTAVAIL: "give --host an address of this machine: 127.0.0.1, or 0.0.0.0 for all",
}


def listen(host: str, port: int) -> socket.socket:
    """Listen on one address of a host name, IPv4 before IPv6; port 0: any free one. Raises InputError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no name that a host can have"
        remedy = "give with --host an address of this machine: 127.0.0.1, or 0.0.0.0 for all"
        raise InputError(f"no such host: {reason}", where="--host", remedy=remedy) from None
    family, kind, protocol, _, address = min(found, key=lambda info: info[0] == socket.AF_INET6)
    taken = socket.socket(family, kind, protocol)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":  # and so has each connection that is taken
            taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_SECONDS)
        taken.bind(address)
        taken.listen(BACKLOG)
    except OSError as error:
        taken.close()
        raise InputError(
            f"cannot listen at port {port} of {host}: {(error.strerror or str(error)).lower()}",
            where="--host",
            expected="an address of this machine, and a port of it that is free",
            remedy=REMEDIES.get(error.errno or 0, "give another --host or --port"),
        ) from None
    return taken


class Server:
    """A context manager that stops it. `listening`: an open socket; `trusted`: proxies whose X-Forwarded-For counts;
    accepted requests have `stop_seconds`. `beside`: entered before the first request and left after the last."""

    def __init__(
        self,
        requests: AsgiServer,
        listening: socket.socket,
        beside: AbstractAsyncContextManager[None],
        *,
        trusted: Sequence[str] = (),
        stop_seconds: int = 20,
    ) -> None:
        host, port = listening.getsockname()[:2]
        self.address = f"http://[{host}]:{port}" if listening.family == socket.AF_INET6 else f"http://{host}:{port}"
        self.loop = asyncio.new_event_loop()
        self.requests = requests
        self._socket = listening
        self._beside = beside
        self._thread = threading.Thread(target=self._serve, name="fairshoe-server", daemon=True)
        self._signal = 0
        config = uvicorn.Config(
            requests,
            http="h11",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=bool(trusted),
            forwarded_allow_ips=list(trusted),
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=stop_seconds,
        )
        self._uvicorn = _Uvicorn(config)
        self._uvicorn.ending = requests.following.end

    def run(self, begun: Callable[[], None] = lambda: None) -> int:
        """Serve until SIGTERM or SIGINT (the second ends the process); return the exit code. `begun` is called once
        they are heard. Main thread only."""
        old = {each: signal.signal(each, self._heard) for each in SIGNALS}
        try:
            begun()
            self._serve()
        finally:
            for each, handler in old.items():
                signal.signal(each, handler)
        return 128 + self._signal if self._signal == signal.SIGINT else 0

    def _heard(self, number: int, _: FrameType | None) -> None:
        if self._signal:
            os._exit(128 + number)
        self._signal = number
        self._uvicorn.should_exit = True

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self._answer())

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
        """Take no more requests, finish those that were taken, and let go of everything."""
        self._uvicorn.should_exit = True
        self._thread.join()


class _Uvicorn(uvicorn.Server):
    """A uvicorn server that leaves signals to its caller. `ending` is called before it waits for open requests."""

    ending: Callable[[], None]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.ending()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
