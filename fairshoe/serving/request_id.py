"""An id for each request: the client's where it sends a sensible one, else a fresh one."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

HEADER = b"x-request-id"
_SENSIBLE = re.compile(rb"[A-Za-z0-9._-]{8,64}")

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being worked on, for what is logged meanwhile."""


def id_of(headers: list[tuple[bytes, bytes]]) -> str:
    given = [value for name, value in headers if name == HEADER]
    if len(given) == 1 and _SENSIBLE.fullmatch(given[0]):
        return given[0].decode("ascii")
    return fresh_id()


def fresh_id() -> str:
    return secrets.token_hex(8)
