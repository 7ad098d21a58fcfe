"""A witness on a socket."""

from __future__ import annotations

from fairshoe.errors import InputError
from fairshoe.serving.bounds import Bounds
from fairshoe.serving.connections import Connections
from fairshoe.serving.face import Face
from fairshoe.serving.lanes import Lane
from fairshoe.serving.refusals import Kind, Refuse
from fairshoe.serving.server import Server
from fairshoe.serving.sockets import listen

from .http import TEXT, create_app
from .submission import MOST_BODY
from .witness import Witness

THREADS = 8
MOST_WAITING = 128
OPTION = "--serve"


def listening(witness: Witness, host: str, port: int) -> Server:
    """A server that listens already; port 0 takes any free one. `run()` serves. Raises InputError."""
    try:
        taken = listen(host, port, OPTION)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot listen: {reason}", where=OPTION, expected="HOST:PORT of this machine") from None
    bounds = Bounds(body_bytes=MOST_BODY)
    lane = Lane("witness", THREADS, MOST_WAITING)
    face = Face(create_app(witness), Connections(bounds), lambda *_: lane, bounds, Refuse(_tell))
    return Server(face, taken, close=lane.close)


def _tell(_: Kind, detail: str, expected: str) -> tuple[str, bytes]:
    more = f" (expected: {expected})" if expected else ""
    return TEXT, f"{detail}{more}\n".encode()
