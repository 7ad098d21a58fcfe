"""Serving: waitress, a ticker for time limits, and problems also where HTTP itself is broken."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]
from waitress.task import ErrorTask  # type: ignore[import-untyped]

from ..errors import InputError
from .api.body import MAX_BODY
from .api.problems import MEDIA_TYPE, Kind, problem
from .app import create_app
from .house import House
from .sequencer import Sequencer
from .witnesses import Named, Witnesses

TICK = 0.25
THREADS = 8
LOOP_SECONDS = 1
MOST_BODY = 16 * MAX_BODY
"""What waitress reads before it gives up; the application refuses more than MAX_BODY."""
logger = logging.getLogger("fairshoe.service")


class _ProblemTask(ErrorTask):  # type: ignore[misc]
    """What waitress refuses before the application sees it: a broken request, a body or a header too large."""

    def execute(self) -> None:
        error = self.request.error
        title = str(error.reason)
        kind = Kind(title.lower().replace(" ", "-"), error.code, title)
        body = json.dumps(problem(kind, str(error.body))).encode()
        self.status = f"{error.code} {title}"
        self.content_length = len(body)
        self.response_headers.append(("Content-Type", MEDIA_TYPE))
        self.response_headers.append(("Connection", "close"))
        self.close_on_finish = True
        self.write(body)


class _Channel(HTTPChannel):  # type: ignore[misc]
    error_task_class = _ProblemTask


def _listen(host: str) -> str:
    """The one address that a host name stands for, IPv4 before IPv6. Raises InputError."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise InputError(
            f"no such host: {error.strerror}", where="--host", expected="an address of this machine"
        ) from None
    address = str(min(found, key=lambda info: info[0] == socket.AF_INET6)[4][0])
    return f"[{address}]" if ":" in address else address


class Ticker(threading.Thread):
    """Does what is due at every table, so that nobody has to ask."""

    def __init__(self, sequencer: Sequencer) -> None:
        super().__init__(name="fairshoe-ticker", daemon=True)
        self._sequencer = sequencer
        self._stop_now = threading.Event()

    def run(self) -> None:
        while not self._stop_now.wait(TICK):
            try:
                for table in self._sequencer.late():
                    self._catch_up(table)
            except Exception:
                logger.exception("the ticker cannot read the tables")

    def _catch_up(self, table: str) -> None:
        """One table's trouble is not another's."""
        try:
            self._sequencer.catch_up(table)
        except Exception:
            logger.exception("table %s", table)

    def stop(self) -> None:
        self._stop_now.set()
        self.join()


class Server:
    """The service on a socket; a context manager that stops it. Port 0 takes any free one."""

    def __init__(
        self,
        house: House,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        clock_is_right: bool = False,
        witnesses: Sequence[Named] = (),
    ) -> None:
        self._house = house
        self._witnesses = Witnesses(house.sequencer.heads, lambda size: house.sequencer.nodes(size).node, witnesses)
        self._stopping = threading.Event()
        self._waking = threading.Lock()
        self._ticker = Ticker(house.sequencer)
        house.sequencer.start(clock_is_right=clock_is_right)
        app: Flask = create_app(house.sequencer)
        listen = _listen(host)
        self._server: Any = create_server(
            app, host=listen, port=port, threads=THREADS, ident="fairshoe", max_request_body_size=MOST_BODY
        )
        self._server.channel_class = _Channel
        self.address = f"http://{listen}:{self._server.effective_port}"

    def run(self) -> None:
        """Serve until stopped or interrupted, then let go of everything."""
        server = self._server
        self._ticker.start()
        self._witnesses.start()
        try:
            while not self._stopping.is_set():
                server.asyncore.loop(LOOP_SECONDS, server.adj.asyncore_use_poll, server._map, 1)
        finally:
            self._ticker.stop()
            self._witnesses.stop()
            server.task_dispatcher.shutdown()
            with self._waking:  # the loop may hear of a stop before whoever stops it has let go of the trigger
                server.asyncore.close_all(server._map)
            self._house.database.close()

    def __enter__(self) -> Server:
        self._thread = threading.Thread(target=self.run, name="fairshoe-server", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End a server that runs in a thread of its own."""
        with self._waking:
            self._server.trigger.pull_trigger(self._stopping.set)  # set within the loop, which is still awake then
        self._thread.join()
