"""The log, readable by anybody at any time: its lines, an archive, and tiles (c2sp.org/tlog-tiles)."""

from __future__ import annotations

import tarfile
import time
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from flask import Flask, Response, request

from ...errors import RuleError
from ...log.checkpoint import checkpoint_of
from ...log.tiles import named
from ...log.tree import tree_head
from ..errors import InvalidFields, NotFound
from ..log_reader import LogReader
from . import requests
from .context import sequencer
from .routes import ResponseSpec, RouteGroup

routes = RouteGroup("log", "The log")
LINES = "application/jsonl"
TAR = "application/x-tar"
TEXT = "text/plain"
IMMUTABLE = "public, max-age=31536000, immutable"
"""Header for entries between two numbers, and for tiles of one width: they never change."""
NOW = "no-cache"
BLOCK = tarfile.BLOCKSIZE
TAGGED = ResponseSpec(headers={"X-Log-Size": "How many entries the log has"}, tagged=True)


@routes.get("/log", LINES, requests.LogQuery, response_spec=TAGGED)
def read_log(query: dict[str, Any]) -> Response:
    """The entries, one canonical JSON object a line: from number `from` up to but not `to`, or the log's end. With an
    ETag."""
    source = sequencer().log
    head = source.heads.present()
    size = head.size
    start = int(query.get("from_", "0"))
    stop = int(query.get("to", size))
    if start > size:
        raise InvalidFields({"from": f"expected 0 to {size}, the log's size"})
    if not start <= stop <= size:
        raise InvalidFields({"to": f"expected {start} to {size}, the log's size"})
    root = head.root if stop == size else tree_head(source.nodes(stop).node, stop)
    tag = f"{start}-{stop}-{root.hex()[:32]}"
    headers = {"ETag": f'"{tag}"', "Cache-Control": IMMUTABLE if "to" in query else NOW}
    if "to" not in query:
        headers["X-Log-Size"] = str(size)
    if request.if_none_match.contains_weak(tag):  # a proxy that packs the answer makes it a weak one
        return Response(status=304, headers=headers)
    headers["Content-Length"] = str(source.bytes_of(start, stop))
    return Response(_text(source, start, stop), mimetype=LINES, headers=headers)


def _text(source: LogReader, start: int, stop: int) -> Iterator[bytes]:
    return (line + b"\n" for line in source.lines(start, stop))


@routes.get("/log.tar", TAR)
def read_archive() -> Response:
    """The log with the newest checkpoint over it, exactly, and the key: `log.jsonl`, `checkpoint`, `log.vkey`."""
    source = sequencer().log
    note = source.checkpoint()
    size = checkpoint_of(note).size
    length = source.bytes_of(0, size)
    files = {"checkpoint": note.encode(), "log.vkey": f"{sequencer().signer.verifier}\n".encode()}
    total, parts = _archive(files, "log.jsonl", length, _text(source, 0, size))
    headers = {"Cache-Control": NOW, "Content-Length": str(total)}
    return Response(parts, mimetype=TAR, headers=headers)


def _archive(files: Mapping[str, bytes], name: str, length: int, parts: Iterator[bytes]) -> tuple[int, Iterator[bytes]]:
    """The archive's size in bytes, and its bytes: the short files, then one of `length` bytes in parts."""
    head = b"".join(_header(each, len(data)) + data + _padding(len(data)) for each, data in files.items())
    head += _header(name, length)
    tail = _padding(length) + bytes(2 * BLOCK)
    return len(head) + length + len(tail), chain([head], parts, [tail])


def _header(name: str, length: int) -> bytes:
    told = tarfile.TarInfo(name)
    told.size, told.mtime = length, int(time.time())
    return told.tobuf(tarfile.GNU_FORMAT)


def _padding(length: int) -> bytes:
    return bytes(-length % BLOCK)


@routes.get("/log/checkpoint", TEXT, requests.CheckpointQuery, response_spec=ResponseSpec((409,)))
def read_checkpoint(query: dict[str, Any]) -> Response:
    """The log's size and tree head, signed (C2SP tlog-checkpoint), with the cosignatures that there are."""
    if "witnesses" not in query:
        return Response(sequencer().log.checkpoint(), mimetype=TEXT)
    note = sequencer().heads.witnessed(int(query["witnesses"]))
    if note is None:
        remedy = "ask for fewer, or again in a moment"
        raise RuleError("no checkpoint is cosigned by so many witnesses yet", where="witnesses", remedy=remedy)
    return Response(note, mimetype=TEXT)


@routes.get("/log/receipts", TEXT)
def read_receipt_key() -> Response:
    """The key that receipts are verified with, in a note by the log's key."""
    return Response(sequencer().receipts.vouched, mimetype=TEXT)


@routes.get("/log/vkey", TEXT)
def read_verifier() -> Response:
    """The key that checkpoints are verified with (C2SP signed-note)."""
    return Response(f"{sequencer().signer.verifier}\n", mimetype=TEXT)


def install(app: Flask) -> None:
    """The log as tiles at the service's root, for clients that know nothing of fairshoe."""

    @app.get("/checkpoint")
    def checkpoint() -> Response:
        headers = {"Cache-Control": "no-cache"}
        return Response(sequencer().log.checkpoint(), headers=headers, content_type="text/plain; charset=utf-8")

    def tile(name: str) -> Response:
        asked = named(f"tile/{name}")
        data = None if asked is None else sequencer().log.tile(asked)
        if data is None:
            raise NotFound("the log has no such tile", where="path", expected="a tile of the checkpoint's tree")
        return Response(data, headers={"Cache-Control": IMMUTABLE}, content_type="application/octet-stream")

    app.add_url_rule("/tile/<path:name>", view_func=tile, merge_slashes=False)
