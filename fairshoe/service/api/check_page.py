"""The page that checks a hand in a browser: empty at /verify, with the hand in it at the hand's own address."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256

from flask import Flask, Response, request

from ...page import filled, page, policy
from .context import sequencer

HTML = "text/html"
ADDRESS = "/verify"
LEVEL = 6


def install(app: Flask) -> None:
    @app.get(ADDRESS)
    def verify() -> Response:
        response = _answer(_empty(_takes_gzip()))
        response.set_etag(sha256(response.get_data()).hexdigest()[:32])
        response.make_conditional(request)
        return response


def page_with(proof: str) -> Response:
    """The page with a proof file and the house's key in it."""
    text = filled(proof.encode(), str(sequencer().signer.verifier)).encode()
    return _answer(gzip.compress(text, LEVEL, mtime=0) if _takes_gzip() else text)


def _takes_gzip() -> bool:
    return bool(request.accept_encodings["gzip"])


@cache
def _empty(zipped: bool) -> bytes:
    text = page().encode()
    return gzip.compress(text, mtime=0) if zipped else text


def _answer(data: bytes) -> Response:
    headers = {"Content-Security-Policy": f"{policy()}; frame-ancestors 'none'", "Vary": "Accept-Encoding"}
    if _takes_gzip():
        headers["Content-Encoding"] = "gzip"
    return Response(data, mimetype=HTML, headers=headers)
