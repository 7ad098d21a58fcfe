"""The built scripts of a table's page, and of the player and the verifier for pages of one's own, under one path."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from flask import Flask, Response, request

from ...page import BUILT
from ..errors import NotFound

ADDRESS = "/modules"
DIRECTORY = BUILT / "tables"
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".map": "application/json"}
POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
"""For a script that a worker begins with: it may import others of this house, and asks nobody for anything."""


class ServedFile(NamedTuple):
    """A file as it is served: its media type, its bytes, the same by gzip, its ETag."""

    media_type: str
    data: bytes
    packed: bytes
    tag: str


@cache
def files() -> dict[str, ServedFile]:
    """Every file that is served, by its name."""
    return {path.name: _served(path) for path in sorted(DIRECTORY.iterdir()) if path.suffix in MEDIA_TYPES}


def _served(path: Path) -> ServedFile:
    data = path.read_bytes()
    return ServedFile(MEDIA_TYPES[path.suffix], data, gzip.compress(data, mtime=0), sha256(data).hexdigest()[:32])


def install(app: Flask) -> None:
    def module(name: str) -> Response:
        served = files().get(name)
        if served is None:
            raise NotFound("there is no such module", where="path", expected=f"below {ADDRESS}/")
        packed = request.accept_encodings["gzip"] > 0
        response = Response(served.packed if packed else served.data, mimetype=served.media_type)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Security-Policy"] = POLICY
        response.vary.add("Accept-Encoding")
        response.set_etag(served.tag, weak=True)
        response.make_conditional(request)
        return response

    app.add_url_rule(f"{ADDRESS}/<path:name>", view_func=module)
