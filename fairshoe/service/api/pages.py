"""The index for people and for programs, the description for programs, and a documentation page: each needs nothing
from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from flask import Flask, Response, request

from ... import __version__
from .check_page import ADDRESS, HTML
from .context import answer, sequencer
from .front import Front, front
from .listing import PAGE
from .reference import reference


def install(app: Flask, describe: Callable[[], dict[str, Any]]) -> None:
    """`describe` gives the OpenAPI description; it is asked once, when somebody wants to read it."""
    described = cache(describe)
    text = cache(lambda: json.dumps(described(), indent=1))
    page = cache(lambda: "".join(reference(described())))

    @app.get("/")
    def index() -> Response:
        response = Response("".join(front(_seen())), mimetype=HTML) if _by_a_person() else answer(_index())
        response.vary.add("Accept")
        return response

    @app.get("/openapi.json")
    def openapi() -> Response:
        return Response(text(), mimetype="application/json")

    @app.get("/docs")
    def docs() -> Response:
        return Response(page(), mimetype=HTML)


def _by_a_person() -> bool:
    """Whether HTML is liked better than JSON, as by browsers: who takes anything gets what programs read."""
    liked = request.accept_mimetypes
    return bool(liked["text/html"] > liked["application/json"])


def _index() -> dict[str, Any]:
    return {
        "service": f"fairshoe {__version__}",
        "log": sequencer().signer.verifier.name,
        "documentation": "/docs",
        "openapi": "/openapi.json",
        "tables": "/v1/tables",
        "verify": ADDRESS,
    }


def _seen() -> Front:
    source = sequencer()
    head, upto = source.heads.dated()
    tables = source.all_tables("", PAGE + 1)
    return Front(__version__, str(source.signer.verifier), head, upto, tables[:PAGE], len(tables) > PAGE)
