"""The log, readable by anybody at any time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response, stream_with_context

from ..errors import InvalidFields
from . import requests
from .context import sequencer
from .routes import Routes

routes = Routes("log", "The log")
LINES = "application/jsonl"
TEXT = "text/plain"


@routes.get("/log", query=requests.LogQuery, media=LINES)
def read_log(query: dict[str, Any]) -> Response:
    """The entries, one canonical JSON object a line; `from` is the number of the first one wanted."""
    source = sequencer()
    size = source.log_size()
    start = int(query.get("from_", "0"))
    if start > size:
        raise InvalidFields({"from": f"expected 0 to {size}, the log's size"})

    def lines() -> Iterator[bytes]:
        for line in source.log_lines(start, size):
            yield line + b"\n"

    headers = {"X-Log-Size": str(size)}
    return Response(stream_with_context(lines()), mimetype=LINES, headers=headers)


@routes.get("/log/checkpoint", media=TEXT)
def read_checkpoint() -> Response:
    """The log's size and tree head, signed (C2SP tlog-checkpoint)."""
    return Response(sequencer().checkpoint(), mimetype=TEXT)


@routes.get("/log/vkey", media=TEXT)
def read_verifier() -> Response:
    """The key that checkpoints are verified with (C2SP signed-note)."""
    return Response(f"{sequencer().signer.verifier}\n", mimetype=TEXT)
