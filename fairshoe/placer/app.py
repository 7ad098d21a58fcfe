"""A placer's three calls over HTTP, and its server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from socket import socket
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from ..errors import FairshoeError, InputError, RuleError, VerificationError
from ..log.note import Verifier, open_note
from ..protocol.placer_chain import MAX_STEPS, QUESTION, SHOE, origin_of, shoe_of
from ..protocol.text import parse_decimal
from ..serving.followers import FollowedView, FollowerHub
from ..serving.requests import BUSY, AsgiServer, Lane, serves
from ..serving.server import Server
from ..serving.server import listen as listen
from .store import RestoredShoe, Store, UnknownShoe, text_of

MAX_BODY = 32_768
QUEUE = 256
"""Requests that may wait."""


def create_app(store: Store, key: Verifier, logs: Sequence[Verifier]) -> Flask:
    """`key` is the placer's own; it answers what one of `logs` has signed, each known by its name, the log's origin."""
    app = Flask("fairshoe.placer", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    known = {log.name: log for log in logs}

    def signed(field: str, kind: str) -> tuple[str, str]:
        """Return the note in the body's one field and its text, signed by the log that it names."""
        body = request.get_json()
        if not isinstance(body, dict) or list(body) != [field] or not isinstance(body[field], str):
            raise InputError("not the body of this call", where="body", expected=f'{{"{field}": a signed note}}')
        note = str(body[field])
        try:
            text = text_of(note)
        except VerificationError as error:
            raise InputError(error.what, where=field, expected=error.expected) from None
        origin, _ = origin_of(text, kind)
        if origin not in known:
            raise VerificationError(f"no log {origin[:80]!r} is served here", where=field, expected="one of --log")
        return note, open_note(note, known[origin])

    @app.before_request
    def busy() -> Response | None:
        if BUSY not in request.environ:
            return None
        answer = _problem(503, "too many requests wait already")
        answer.headers["Retry-After"] = "1"
        return answer

    @app.after_request
    def always(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    @app.post("/shoes")
    def commit() -> Response:
        _, text = signed("shoe", SHOE)
        return jsonify(commitment=store.commit(*shoe_of(text)), key=str(key))

    @app.post("/shoes/<placer>")
    def ask(placer: str) -> Response:
        note, text = signed("question", QUESTION)
        given, answer = store.ask(placer, text, note)
        return jsonify(given=given, note=answer)

    @app.get("/shoes/<placer>")
    def newest(placer: str) -> Response:
        start = parse_decimal(request.args.get("from", "0"), "from", high=MAX_STEPS)
        note, questions, given = store.newest(placer, start)
        return jsonify(note=note, questions=questions, given=given)

    @app.errorhandler(FairshoeError)
    def refused(error: FairshoeError) -> Response:
        if isinstance(error, UnknownShoe):
            return _problem(404, str(error))
        if isinstance(error, RuleError):
            placer = (request.view_args or {}).get("placer")
            more = {} if placer is None else {"note": store.newest(placer)[0]}
            return _problem(410 if isinstance(error, RestoredShoe) else 409, str(error), **more)
        return _problem(403 if isinstance(error, VerificationError) else 400, str(error))

    @app.errorhandler(HTTPException)
    def no_call(error: HTTPException) -> Response:
        return _problem(error.code or 500, error.description or error.name)

    return app


def _problem(status: int, detail: str, **more: Any) -> Response:
    """RFC 9457."""
    answer = jsonify(type="about:blank", status=status, detail=detail, **more)
    answer.status_code, answer.mimetype = status, "application/problem+json"
    return answer


def server(store: Store, key: Verifier, logs: Sequence[Verifier], listening: socket) -> Server:
    """Return the server of a placer, which closes the store at its end."""
    lane = Lane("placer", 1, QUEUE)

    @asynccontextmanager
    async def beside() -> AsyncIterator[None]:
        try:
            yield
        finally:
            lane.close()
            store.close()

    async def nothing(_: str, __: Sequence[str | None]) -> Mapping[str | None, FollowedView]:
        return {}

    app, following = create_app(store, key, logs), FollowerHub(nothing, 0, 0)
    asked = AsgiServer(app, lambda *_: lane, MAX_BODY, following, exists=serves(app))
    return Server(asked, listening, beside())
