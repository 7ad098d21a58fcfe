"""Looking again and again costs little: a table that has not changed since is 304."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from flask import Response, request

from .context import answer
from .refused import REQUEST_ID
from .routes import Told

PASSING = ("at", "log")
"""What changes although nothing happens at the table."""
TAG = {"ETag": {"description": "What `If-None-Match` takes", "schema": {"type": "string"}}}
UNLESS = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of an earlier answer",
    "schema": {"type": "string"},
}
SAME = {"description": "Nothing has changed since that ETag", "headers": REQUEST_ID | TAG}
POLLED = Told(refused=(404,), headers=TAG, also={304: SAME}, asks=(UNLESS,))


def tagged(state: dict[str, Any]) -> Response:
    """The state of a table, or that it is still the one that the request names."""
    rest = {name: value for name, value in state.items() if name not in PASSING}
    tag = sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:32]
    known = request.if_none_match.contains_weak(tag)
    response = Response(status=304) if known else answer(state)
    response.set_etag(tag, weak=True)
    response.vary.add("Authorization")
    return response
