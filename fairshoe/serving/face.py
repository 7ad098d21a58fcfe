"""The WSGI application as an ASGI one: bodies are read and answers sent by the loop, threads only do the work."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any
from wsgiref.types import WSGIApplication

from . import wsgi
from .answer import Answer
from .asgi import Receive, Scope, Send
from .bounds import Bounds
from .connections import Connection, Connections, Doing
from .exchange import CLIENT, PROBLEM, ROUTE, Exchange, Observer
from .lanes import Lane
from .refusals import BROKEN, BUSY, INTERNAL, RETRY_SECONDS, Refuse
from .request_body import Gone, has_two_ends, read_body
from .request_id import HEADER, id_of, request_id
from .rest import PART, Rest

CLOSE = (b"connection", b"close")
logger = logging.getLogger("fairshoe.serving")


class Face:
    """One request at a time on each connection; many connections at once.

    `lane_of`: who answers a method and a path. `at_once`: what the loop itself answers, by the path.
    """

    def __init__(
        self,
        application: WSGIApplication,
        connections: Connections,
        lane_of: Callable[[str, str], Lane],
        bounds: Bounds,
        refuse: Refuse,
        *,
        at_once: Mapping[str, Answer] | None = None,
        observers: Sequence[Observer] = (),
    ) -> None:
        self.application = application
        self.connections = connections
        self.lane_of = lane_of
        self.bounds = bounds
        self.refuse = refuse
        self.at_once = at_once or {}
        self.observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = self.connections.of((scope["client"], scope["server"]))
        if connection is None:
            return
        request = _Request(self, scope, connection, id_of(scope["headers"]))
        request_id.set(request.id)
        try:
            answer = await request.answer(receive)
            await request.send(answer, send)
        except Gone:
            return
        except Exception:
            logger.exception("unexpected")
            self.connections.drop(connection)
        finally:
            self.connections.now(connection, Doing.REQUEST)


class _Request:
    def __init__(self, face: Face, scope: Scope, connection: Connection, id: str) -> None:
        self.id = id
        self._face = face
        self._scope = scope
        self._connection = connection
        self._began = time.monotonic()
        self._waited = 0.0
        self._environ: dict[str, Any] = {}
        self._by_application = False

    def _now(self, doing: Doing) -> None:
        self._face.connections.now(self._connection, doing)

    async def answer(self, receive: Receive) -> Answer:
        """The answer, of which a part may still have to be pulled. Raises Gone."""
        answer = await self._answer(receive)
        return answer if self._by_application else self._face.refuse.dressed(answer, self._origin())

    def _origin(self) -> str:
        origin: bytes = dict(self._scope["headers"]).get(b"origin", b"")
        return origin.decode("latin-1")

    async def _answer(self, receive: Receive) -> Answer:
        self._now(Doing.BODY)
        face, method, path = self._face, self._scope["method"], self._scope["path"]
        if has_two_ends(self._scope):
            return face.refuse(BROKEN, "It is not clear where the body ends.", expected="one of its headers alone")
        body = await read_body(self._scope, receive, face.bounds, face.refuse)
        if isinstance(body, Answer):
            return body
        if path in face.at_once and method in ("GET", "HEAD"):
            return face.at_once[path]
        lane = face.lane_of(method, path)
        if lane.full or (lane.holding and not face.connections.may_look(self._connection)):
            await asyncio.sleep(RETRY_SECONDS if lane.holding else 0)
            return face.refuse(BUSY, "Too many requests are waiting.", closing=False)
        self._now(Doing.WORK)
        self._environ = wsgi.environment(self._scope, body)
        asked = time.monotonic()
        try:
            with face.connections.looking(self._connection) if lane.holding else nullcontext():
                answer = await lane.run(lambda: self._work(lane, asked))
            self._by_application = True
            return answer
        except Exception:
            logger.exception("unexpected")
            return face.refuse(INTERNAL, "An unexpected error.")

    def _work(self, lane: Lane, asked: float) -> Answer:
        """In the lane's thread: the whole answer, or the beginning of one that is given in parts."""
        self._waited = time.monotonic() - asked
        ask = wsgi.ask if lane.in_parts else wsgi.ask_for_all
        answer = ask(self._face.application, self._environ)
        answer = answer._replace(problem=str(self._environ.get(PROBLEM, "")))
        if not lane.in_parts:
            return answer
        parts = iter(answer.parts)
        first = wsgi.pull(parts, PART)
        if len(first) < PART:
            wsgi.close(answer.parts)
            return answer._replace(parts=[first])
        return answer._replace(parts=Rest(first, parts, answer.parts, lane))

    async def send(self, answer: Answer, send: Send) -> None:
        """Send it as fast as it is taken; a client that takes nothing for too long is dropped."""
        self._now(Doing.TAKING)
        rest = answer.parts if isinstance(answer.parts, Rest) else None
        body = rest.first if rest is not None else b"".join(answer.parts)
        try:
            async with asyncio.timeout(None) as limit:
                headers = [*answer.headers, (HEADER, self.id.encode())]
                if self._face.connections.stopping and CLOSE not in headers:
                    headers.append(CLOSE)
                self._begin_part(limit)
                await send({"type": "http.response.start", "status": answer.status, "headers": headers})
                while rest is not None and not self._connection.lost:
                    self._begin_part(limit)
                    await send({"type": "http.response.body", "body": body, "more_body": True})
                    limit.reschedule(None)
                    body = await rest.pull()
                    if not body:
                        break
                self._begin_part(limit)
                await send({"type": "http.response.body", "body": body})
        except TimeoutError:
            self._face.connections.drop(self._connection)
        except Exception:
            logger.exception("unexpected, in the middle of an answer")
            self._face.connections.drop(self._connection)
        finally:
            if rest is not None:
                rest.close()
            self._tell(answer)

    def _begin_part(self, limit: asyncio.Timeout) -> None:
        limit.reschedule(asyncio.get_running_loop().time() + self._face.bounds.write_seconds)

    def _tell(self, answer: Answer) -> None:
        exchange = Exchange(
            self.id,
            self._scope["method"],
            str(self._environ.get(ROUTE, "")),
            self._scope["path"],
            str(self._environ.get(CLIENT, self._connection.address)),
            answer.status,
            time.monotonic() - self._began,
            self._waited,
            answer.problem,
        )
        for observer in self._face.observers:
            observer(exchange)
