"""A witness as a WSGI application (c2sp.org/tlog-witness): `POST /add-checkpoint`, `GET /<origin hash>/checkpoint`."""

from __future__ import annotations

import logging

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from .memory import origin_hash
from .refused import CONFLICT, Refused
from .submission import MOST_BODY, submission_of
from .witness import Witness

TEXT = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"
logger = logging.getLogger("fairshoe.witness")


def create_app(witness: Witness) -> Flask:
    """The witness as a WSGI application."""
    app = Flask("audit_cli.witness", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY

    @app.post("/add-checkpoint")
    def add_checkpoint() -> Response:
        body = request.get_data()
        try:
            submission = submission_of(body)
        except Refused as malformed:
            witness.keep_malformed(malformed, body)
            raise
        return _text(witness.submit(submission))

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
            logger.error("the house signed two histories; evidence: %s (answered: %s)", error.evidence, error.what)
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
