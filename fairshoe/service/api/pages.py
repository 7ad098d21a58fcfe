"""The index, the description for programs, and a documentation page that needs nothing from elsewhere."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask, Response

from ... import __version__
from .context import answer, sequencer
from .reference import reference


def install(app: Flask, spec: Any) -> None:
    document = spec.to_dict()
    document["openapi"] = "3.1.0"
    for operations in document["paths"].values():
        for operation in operations.values():
            if "responses" in operation:
                operation["responses"] = dict(sorted(operation["responses"].items()))
    text = json.dumps(document, indent=1)
    page = "".join(reference(document))

    @app.get("/")
    def index() -> Response:
        return answer(
            {
                "service": f"fairshoe {__version__}",
                "log": sequencer().signer.verifier.name,
                "documentation": "/docs",
                "openapi": "/openapi.json",
                "tables": "/v1/tables",
            }
        )

    @app.get("/openapi.json")
    def openapi() -> Response:
        return Response(text, mimetype="application/json")

    @app.get("/docs")
    def docs() -> Response:
        return Response(page, mimetype="text/html")
