"""When a client sends a request again, and the key by which the service does it once."""

from __future__ import annotations

import secrets

from ..connection import Unreachable
from .errors import Problem

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds."""
BUSY = (429, 503)
GATEWAY_ERRORS = (502, 503, 504)


def new_key() -> str:
    """A fresh key of a request, by which the service does it once: 32 characters."""
    return secrets.token_urlsafe(24)


def wait_before(error: Problem | Unreachable, number: int, *, reads: bool, known: bool) -> float | None:
    """Return the seconds until a request is sent again after its `number`th error, None: it is not.

    A reading request: once if dropped; with a `known` service as often as it is. A keyed one: until an answer comes.
    Both when the service says, and while nobody listens at a known one.
    """
    growing = min(FIRST_PAUSE * 2.0 ** min(number - 1, 16), LONGEST_PAUSE)
    if isinstance(error, Problem):
        if reads:
            return error.retry_after if error.status in BUSY else None
        return max(growing, error.retry_after or 0.0) if error.status in (*GATEWAY_ERRORS, *BUSY) else None
    if error.unsent:
        return growing if known else None
    if reads:
        return None if not error.dropped else 0.0 if number == 1 else growing if known else None
    return growing if error.dropped or error.timed_out else None
