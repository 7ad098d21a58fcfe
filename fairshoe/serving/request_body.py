"""A request's body: all of it, or a refusal."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from .answer import Answer
from .asgi import Receive, Scope
from .bounds import Bounds
from .refusals import TIMEOUT, TOO_LARGE, Refuse

MOST_READ = 16
"""Times as much is read of a body that is too large, so that whoever sends it reads the answer; beyond that nobody
waits."""


class Gone(Exception):
    """The client has hung up."""


def has_two_ends(scope: Scope) -> bool:
    """Whether others may find another end of the request than we do (RFC 9112, 6.1)."""
    names = {name for name, _ in scope["headers"]}
    return b"transfer-encoding" in names and (b"content-length" in names or scope["http_version"] == "1.0")


async def read_body(scope: Scope, receive: Receive, bounds: Bounds, refuse: Refuse) -> bytes | Answer:
    """The body within its time, or what refuses it. Raises Gone."""
    headers = dict(scope["headers"])
    declared = _declared(headers.get(b"content-length", b""))
    expects = headers.get(b"expect", b"").lower() == b"100-continue"
    most, seconds = bounds.body_bytes, bounds.body_seconds
    expected = f"a body of at most {most // 1024} KiB"
    too_large = refuse(TOO_LARGE, HTTPStatus.REQUEST_ENTITY_TOO_LARGE.description, expected=expected)
    if declared > (most if expects else most * MOST_READ):
        return too_large
    try:
        async with asyncio.timeout(seconds):
            body = await _read(receive, most)
    except TimeoutError:
        return refuse(TIMEOUT, f"The body was not there after {seconds:g} seconds.")
    return too_large if body is None else body


async def _read(receive: Receive, most: int) -> bytes | None:
    """None for one that is too large."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if size > most * MOST_READ:
            return None
        if size <= most:
            parts.append(part)
    return b"".join(parts) if size <= most else None


def _declared(text: bytes) -> int:
    return int(text) if text.isdigit() else 0
