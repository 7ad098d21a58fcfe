"""The log as tiles at the service's root (c2sp.org/tlog-tiles), for clients that know nothing of fairshoe."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

from ...log.tiles import Bundle, named
from ..errors import NotFound
from .context import sequencer

BYTES = "application/octet-stream"
FOR_EVER = "public, max-age=31536000, immutable"
"""What a tile of one width is never changes."""


def install(app: Flask) -> None:
    @app.get("/checkpoint")
    def checkpoint() -> Response:
        headers = {"Cache-Control": "no-cache"}
        return Response(sequencer().checkpoint(), headers=headers, content_type="text/plain; charset=utf-8")

    def tile(name: str) -> Response:
        asked = named(f"tile/{name}")
        data = None if asked is None else sequencer().tile(asked)
        if data is None:
            raise NotFound("the log has no such tile", where="path", expected="a tile of the checkpoint's tree")
        headers = {"Cache-Control": FOR_EVER}
        if isinstance(asked, Bundle):
            headers["Vary"] = "Accept-Encoding"
            if request.accept_encodings["gzip"]:
                data, headers["Content-Encoding"] = gzip.compress(data, mtime=0), "gzip"
        return Response(data, headers=headers, content_type=BYTES)

    app.add_url_rule("/tile/<path:name>", view_func=tile, merge_slashes=False)
