"""The WSGI application as an ASGI one: bodies are read and answers sent by the loop, threads only do the work."""

from __future__ import annotations

import asyncio
import contextvars
import io
import re
import secrets
import sys
import time
from collections.abc import Callable, MutableMapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import WSGIApplication

from .followers import CROWDED, FOLLOW, FollowedView, FollowerHub, FollowRequest, Receive, Send

if TYPE_CHECKING:
    from flask import Flask

Result = TypeVar("Result")

# A WSGI application asked from ASGI: the environment of a request (PEP 3333), and the answer in parts.

Scope = MutableMapping[str, Any]
"""A request as ASGI has it."""
CHUNK_BYTES = 1 << 15
"""Bytes of an answer that are pulled and sent at once."""


def environment(scope: Scope, body: bytes) -> dict[str, Any]:
    """Names with `_` are left out, since they would read like those with `-`; so is Upgrade, of which there is none."""
    raw_path = scope["raw_path"]
    if not raw_path.startswith(b"/"):
        raw_path = urlsplit(raw_path).path or b"/"
    host, port = scope["server"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(raw_path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name or name in (b"content-length", b"transfer-encoding", b"upgrade"):
            continue
        key = "CONTENT_TYPE" if name == b"content-type" else f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ


class StreamedResponse:
    """The application's answer: status, headers with lower-case names, and a body that is pulled in parts."""

    def __init__(self, application: WSGIApplication, environ: dict[str, Any]) -> None:
        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None, /) -> Any:
            self.status = int(status[:3])
            self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        self._source = application(environ, start_response)
        self._parts = iter(self._source)
        self.part = b""
        self.pull()

    def pull(self) -> bool:
        """Have the next bytes in `part`; gives whether there may be more."""
        pulled = bytearray()
        for part in self._parts:
            pulled += part
            if len(pulled) >= CHUNK_BYTES:
                break
        self.part = bytes(pulled)
        return self.more

    @property
    def more(self) -> bool:
        return len(self.part) >= CHUNK_BYTES

    def turn_into(self, shown: FollowedView) -> None:
        """That nothing has changed is true no more."""
        self.status, self.part = 200, shown.body
        kept = [header for header in self.headers if header[0] not in {name for name, _ in shown.headers}]
        self.headers = [*kept, *shown.headers, (b"content-length", str(len(shown.body)).encode())]

    def close(self) -> None:
        """Let the application let go of it."""
        if (finish := getattr(self._source, "close", None)) is not None:
            finish()


# Who works.


QUEUE_WARNING_SECONDS = 0.5
"""Seconds that a request may wait before anybody is told."""


class Lane:
    """A queue of requests in order of arrival: `waiting` are not done, of which `most` may wait for a thread."""

    def __init__(self, name: str, threads: int, most: int) -> None:
        self.name = name
        self.threads = threads
        self._most = most + threads
        self._starts: dict[object, float] = {}
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"fairshoe-{name}")

    @property
    def waiting(self) -> int:
        return len(self._starts)

    def lag(self) -> int:
        """For how many microseconds the oldest request has been here that is not done, if that is worth telling."""
        seconds = max((time.monotonic() - taken for taken in list(self._starts.values())), default=0.0)
        return int(seconds * 1_000_000) if seconds > QUEUE_WARNING_SECONDS else 0

    async def run(self, job: Callable[[], Result]) -> Result:
        """Do a job when its turn has come; the caller has looked whether the lane is full."""
        mark = object()
        self._starts[mark] = time.monotonic()
        try:
            return await asyncio.wrap_future(self.submit(job))
        finally:
            del self._starts[mark]

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Do a job for a thread that is none of the loop's; it takes no place in the queue from a request."""
        return self._pool.submit(contextvars.copy_context().run, job)

    def close(self) -> None:
        """Finish what has begun; what has not is not begun."""
        self._pool.shutdown(cancel_futures=True)


ROUTE = "fairshoe.route"
"""Key of a request's environment for the route."""
PROBLEM = "fairshoe.problem"
"""Key for the name of the problem."""
BUSY = "fairshoe.busy"
"""Key that is set if too many requests wait already: the application is to say so, and to do nothing else."""
FAILED = "fairshoe.failed"
"""Key for an error raised while an answer's first bytes were made: the application is to say so."""
HEADER = b"x-request-id"
_SENSIBLE = re.compile(rb"[A-Za-z0-9._-]{8,64}")

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being worked on, for what is logged meanwhile."""


class Exchange(NamedTuple):
    """One request and its answer, for metrics and the access log."""

    id: str  # the request's id
    method: str  # of HTTP
    route: str  # "" if no route matched
    path: str  # as it was asked for
    address: str  # the client's
    status: int  # of HTTP
    seconds: float  # until the answer; a wait for a change does not count
    waited: float  # seconds in the queue
    problem: str  # kind of the refusal, "" if it was answered


Observer = Callable[[Exchange], None]


def serves(app: Flask) -> Callable[[dict[str, Any]], bool]:
    """Return a function that tells whether an application has a route for the address and method of an environment."""
    return lambda environ: app.url_map.bind_to_environ(environ).test()


class AsgiServer:
    """Of `application`, as uvicorn has them answered. `lane_of` says who answers a method and a path; None: the loop
    itself. Of a body no more than `most` bytes are read, and one more: the application refuses it then. Whoever follows
    something does so by `following`. `exists` tells whether the application serves the address of an environment; if it
    does not, no client is asked for its body."""

    def __init__(
        self,
        application: WSGIApplication,
        lane_of: Callable[[str, str], Lane | None],
        most: int,
        following: FollowerHub,
        observers: Sequence[Observer] = (),
        exists: Callable[[dict[str, Any]], bool] = lambda _: True,
    ) -> None:
        self.application = application
        self._exists = exists
        self.following = following
        self._lane_of = lane_of
        self._most = most
        self._observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        id, began = _id_of(scope), time.monotonic()
        request_id.set(id)
        refused = self._refused_body(scope)
        body = await _body(receive, self._most) if refused is None else refused
        if body is None:
            return
        closes = refused is not None or _has_two_lengths(scope)
        more = [(HEADER, id.encode()), *([(b"connection", b"close")] if closes else [])]
        environ = environment(scope, body)
        lane, asked, waited = self._lane_of(scope["method"], scope["path"]), time.monotonic(), 0.0
        if lane is not None and (lane.waiting >= lane._most):
            environ[BUSY], lane = True, None

        def work() -> StreamedResponse:
            nonlocal waited
            waited = time.monotonic() - asked
            try:
                return StreamedResponse(self.application, environ)
            except Exception as error:
                return StreamedResponse(self.application, environment(scope, body) | {FAILED: error})

        answer = await _run(lane, work)
        wish: FollowRequest | None = environ.get(FOLLOW) if refused is None else None
        if wish is not None and (crowd := self.following.full_limit(wish)):
            answer.close()
            environ, wish = environment(scope, body) | {CROWDED: crowd}, None
            answer = await _run(lane, work)
        taken = 0.0 if wish is None else time.monotonic() - began
        try:
            if wish is not None and wish.seconds is None:
                await _start(answer, more, send)
                await send({"type": "http.response.body", "body": answer.part, "more_body": True})
                await self.following.stream(wish, receive, send)
                return
            if wish is not None and (shown := await self.following.wait(wish, receive)) is not None:
                answer.turn_into(shown)
            await _start(answer, more, send)
            await _send(answer, lane, receive, send)
        finally:
            answer.close()
            self._tell(scope, environ, answer.status, (id, taken or time.monotonic() - began, waited))

    def _refused_body(self, scope: Scope) -> bytes | None:
        """Return a body for a client that waits to be asked (RFC 9110, 10.1.1): empty for no such address, too long for
        a long one; None: read it."""
        headers = dict(scope["headers"])
        if scope["http_version"] != "1.1" or headers.get(b"expect", b"").lower() != b"100-continue":
            return None
        if not self._exists(environment(scope, b"")):
            return b""
        return bytes(self._most + 1) if int(headers.get(b"content-length", 0)) > self._most else None

    def _tell(self, scope: Scope, environ: dict[str, Any], status: int, taken: tuple[str, float, float]) -> None:
        id, seconds, waited = taken
        route, problem, address = environ.get(ROUTE, ""), environ.get(PROBLEM, ""), environ["REMOTE_ADDR"]
        told = Exchange(id, scope["method"], route, scope["path"], address, status, seconds, waited, problem)
        for observer in self._observers:
            observer(told)


async def _start(answer: StreamedResponse, more: list[tuple[bytes, bytes]], send: Send) -> None:
    await send({"type": "http.response.start", "status": answer.status, "headers": [*answer.headers, *more]})


async def _send(answer: StreamedResponse, lane: Lane | None, receive: Receive, send: Send) -> None:
    """The body, as fast as it is taken; what nobody is there for any more is not pulled."""
    gone = asyncio.ensure_future(receive()) if answer.more else None
    try:
        while gone is not None and answer.more and not gone.done():
            await send({"type": "http.response.body", "body": answer.part, "more_body": True})
            await _run(lane, answer.pull)
        await send({"type": "http.response.body", "body": answer.part, "more_body": False})
    finally:
        if gone is not None:
            gone.cancel()


async def _run(lane: Lane | None, job: Callable[[], Result]) -> Result:
    return job() if lane is None else await lane.run(job)


def _has_two_lengths(scope: Scope) -> bool:
    """Whether a request has both lengths; its connection is then closed, since a proxy may differ (RFC 9112, 6.1)."""
    return {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}


async def _body(receive: Receive, most: int) -> bytes | None:
    """A request's body, or so much of it that it is too large; None where the client has hung up."""
    body, more = b"", True
    while more and len(body) <= most:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body, more = body + message["body"], message["more_body"]
    return body[: most + 1]


def _id_of(scope: Scope) -> str:
    """Return the client's where it sends a sensible one, else a fresh one."""
    given = [value for name, value in scope["headers"] if name == HEADER]
    return given[0].decode() if len(given) == 1 and _SENSIBLE.fullmatch(given[0]) else secrets.token_hex(8)
