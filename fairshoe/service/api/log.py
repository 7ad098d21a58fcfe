"""The log, readable by anybody at any time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response, stream_with_context

from ...errors import RuleError
from ..errors import InvalidFields
from . import requests
from .context import sequencer
from .routes import Routes

routes = Routes("log", "The log")
LINES = "application/jsonl"
TEXT = "text/plain"


@routes.get("/log", query=requests.LogQuery, media=LINES)
def read_log(query: dict[str, Any]) -> Response:
    """The entries, one canonical JSON object a line: from number `from` up to but not `to`, or the log's end."""
    source = sequencer()
    size = source.log_size()
    start = int(query.get("from_", "0"))
    stop = int(query.get("to", size))
    if start > size:
        raise InvalidFields({"from": f"expected 0 to {size}, the log's size"})
    if not start <= stop <= size:
        raise InvalidFields({"to": f"expected {start} to {size}, the log's size"})

    def lines() -> Iterator[bytes]:
        for line in source.log_lines(start, stop):
            yield line + b"\n"

    headers = {"X-Log-Size": str(size)}
    return Response(stream_with_context(lines()), mimetype=LINES, headers=headers)


@routes.get("/log/checkpoint", query=requests.CheckpointQuery, media=TEXT)
def read_checkpoint(query: dict[str, Any]) -> Response:
    """The log's size and tree head, signed (C2SP tlog-checkpoint), with the cosignatures that there are."""
    if "witnesses" not in query:
        return Response(sequencer().checkpoint(), mimetype=TEXT)
    note = sequencer().heads.witnessed(int(query["witnesses"]))
    if note is None:
        remedy = "ask for fewer, or again in a moment"
        raise RuleError("no checkpoint is cosigned by so many witnesses yet", where="witnesses", remedy=remedy)
    return Response(note, mimetype=TEXT)


@routes.get("/log/receipts", media=TEXT)
def read_receipt_key() -> Response:
    """The key that receipts are verified with, in a note by the log's key."""
    return Response(sequencer().receipts.vouched, mimetype=TEXT)


@routes.get("/log/vkey", media=TEXT)
def read_verifier() -> Response:
    """The key that checkpoints are verified with (C2SP signed-note)."""
    return Response(f"{sequencer().signer.verifier}\n", mimetype=TEXT)
