"""What is refused before the application sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .answer import Answer, Headers


class Kind(NamedTuple):
    """A kind of problem: its name, its HTTP status, its title."""

    name: str
    status: int
    title: str


BROKEN = Kind("bad-request", 400, "Not HTTP as it should be")
TIMEOUT = Kind("request-timeout", 408, "The request did not come in time")
TOO_LARGE = Kind("request-entity-too-large", 413, "Request Entity Too Large")
TOO_MANY_CONNECTIONS = Kind("too-many-connections", 429, "Too many connections")
BUSY = Kind("busy", 503, "The service is busy")
INTERNAL = Kind("internal", 500, "The service failed")
RETRY_SECONDS = 1

Tell = Callable[[Kind, str, str], tuple[str, bytes]]
"""How a client is told: of a kind, what is wrong and what was expected make a media type and a body."""

Dress = Callable[[str], Headers]
"""What every answer to a page of an origin has, in lower-case names; the origin is empty where there is none."""


class Refuse:
    """Makes refusals that are told in one way."""

    def __init__(self, tell: Tell, dress: Dress = lambda _: []) -> None:
        self._tell = tell
        self._dress = dress

    def dressed(self, answer: Answer, origin: str = "") -> Answer:
        """An answer that the application did not give, with what it lacks of those of the application."""
        names = {name for name, _ in answer.headers}
        more = [each for each in self._dress(origin) if each[0] not in names]
        return answer._replace(headers=[*answer.headers, *more])

    def __call__(self, kind: Kind, detail: str, *, expected: str = "", closing: bool = True) -> Answer:
        """The refusal as an answer; `closing` where nothing more is read from whoever is refused."""
        media, body = self._tell(kind, detail, expected)
        headers = [
            (b"content-type", media.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        if kind.status in (429, 503):
            headers.append((b"retry-after", str(RETRY_SECONDS).encode()))
        if closing:
            headers.append((b"connection", b"close"))
        return Answer(kind.status, headers, [body], kind.name)
