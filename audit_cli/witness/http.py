"""A witness over HTTP (c2sp.org/tlog-witness): `POST /add-checkpoint`, `GET /<origin hash>/checkpoint`."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, request
from waitress.server import create_server  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException

from fairshoe.errors import InputError

from .memory import origin_hash
from .refused import CONFLICT, Refused
from .submission import MOST_BODY, submission_of
from .witness import Witness

TEXT = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"
THREADS = 8
logger = logging.getLogger("fairshoe.witness")


def create_app(witness: Witness) -> Flask:
    """The witness as a WSGI application."""
    app = Flask("audit_cli.witness", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY

    @app.post("/add-checkpoint")
    def add_checkpoint() -> Response:
        return _text(witness.submit(submission_of(request.get_data())))

    @app.get("/<origin>/checkpoint")
    def checkpoint(origin: str) -> Response:
        for log in witness.memory.logs.values():
            if log.note is not None and origin_hash(log.verifier.name) == origin:
                return _text(log.note)
        return _text("nothing was cosigned of such a log\n", 404)

    @app.get("/")
    def key() -> Response:
        return _text(f"{witness.cosigner.key}\n")

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        if error.convicts:
            logger.error("%s; evidence: %s", error.what, error.evidence)
        if error.status == CONFLICT:
            return Response(f"{error.size}\n", error.status, content_type=SIZE)
        return _text(f"{error}\n", error.status)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        response = _text(f"{error.description or error.name}\n", error.code or 500)
        for name, value in error.get_headers():
            if name == "Allow":
                response.headers[name] = value
        return response

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        logger.error("unexpected", exc_info=error)
        return _text("the witness cannot do this now\n", 500)

    return app


def _text(text: str, status: int = 200) -> Response:
    return Response(text, status, content_type=TEXT)


def listening(witness: Witness, host: str, port: int) -> Any:
    """A waitress server on a socket; port 0 takes any free one. `run()` serves. Raises InputError."""
    try:
        return create_server(
            create_app(witness),
            host=host,
            port=port,
            threads=THREADS,
            ident="fairshoe-witness",
            max_request_body_size=MOST_BODY,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot listen: {reason}", where="--serve", expected="HOST:PORT of this machine") from None
