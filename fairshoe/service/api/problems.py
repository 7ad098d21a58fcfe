"""Refusals as problems (RFC 9457, `application/problem+json`): every kind that there is, and how each is answered."""

from __future__ import annotations

import json
import logging
from typing import Any, NamedTuple

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from ...errors import FairshoeError, IllegalBet, IllegalDecision, InputError, RuleError
from ...serving.requests import PROBLEM
from .. import errors

MEDIA_TYPE = "application/problem+json"
logger = logging.getLogger("fairshoe.service")


class ProblemKind(NamedTuple):
    """A kind of problem: its name, its HTTP status, its title."""

    name: str
    status: int
    title: str


INTERNAL = ProblemKind("internal", 500, "The service failed")
TOO_LARGE = ProblemKind("request-entity-too-large", 413, "Request Entity Too Large")

KINDS: tuple[tuple[type[FairshoeError], ProblemKind], ...] = (
    (errors.Unauthorized, ProblemKind("unauthorized", 401, "A token is needed")),
    (errors.Forbidden, ProblemKind("forbidden", 403, "This token does not allow it")),
    (errors.NotFound, ProblemKind("not-found", 404, "There is no such thing")),
    (errors.AlreadyClaimed, ProblemKind("already-claimed", 409, "This value was used before")),
    (errors.Malformed, ProblemKind("malformed-body", 400, "The body is not JSON as it should be")),
    (errors.MalformedKey, ProblemKind("malformed-idempotency-key", 400, "The Idempotency-Key is not one")),
    (errors.KeyReused, ProblemKind("idempotency-key-reused", 422, "The Idempotency-Key was another request's")),
    (errors.Busy, ProblemKind("busy", 503, "The service is busy")),
    (errors.RateLimited, ProblemKind("too-many-requests", 429, "Too many requests")),
    (errors.StorageFull, ProblemKind("storage-full", 507, "There is no room left to write")),
    (errors.StorageDamaged, ProblemKind("storage-damaged", 500, "What is stored here is damaged")),
    (errors.StorageError, ProblemKind("storage-busy", 503, "Nothing can be read or written now")),
    (errors.UnsupportedType, ProblemKind("unsupported-type", 415, "The body is not of type JSON")),
    (errors.InvalidFields, ProblemKind("invalid-fields", 422, "Fields are missing, unknown or wrong")),
    (InputError, ProblemKind("invalid-value", 422, "A value is not possible here")),
    (IllegalBet, ProblemKind("illegal-bet", 422, "The rules do not allow this bet")),
    (IllegalDecision, ProblemKind("illegal-decision", 422, "The rules do not allow this move")),
    (RuleError, ProblemKind("not-now", 409, "Not at this point")),
)
NO_SUCH_METHOD = ProblemKind("method-not-allowed", 405, "Method Not Allowed")
ALL = (*(kind for _, kind in KINDS), NO_SUCH_METHOD, TOO_LARGE, INTERNAL)
RETRY_SECONDS = 5
"""Seconds after which a request that could not be answered now may be sent again."""


def kind_of(error: FairshoeError) -> ProblemKind:
    return next((kind for cls, kind in KINDS if isinstance(error, cls)), INTERNAL)


def problem(kind: ProblemKind, detail: str, **more: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "type": f"/docs#{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
    }
    return body | {name: value for name, value in more.items() if value not in ("", None)}


def problem_of(error: FairshoeError) -> dict[str, Any]:
    """`field` names the field concerned, `expected` what would have been right, `remedy` what to do."""
    kind = kind_of(error)
    if kind is INTERNAL:
        return problem(INTERNAL, "The service cannot do this now; its operator finds the cause in its log.")
    if isinstance(error, errors.StorageError):
        return problem(kind, error.what, fault=error.fault, remedy="send it again, with the same Idempotency-Key")
    body = problem(
        kind,
        str(error),
        fault=error.fault,
        field=error.where,
        expected=error.expected,
        remedy=error.remedy,
    )
    if isinstance(error, errors.InvalidFields):
        body["errors"] = [{"field": field, "what": what} for field, what in error.fields.items()]
    return body | dict(getattr(error, "more", {}))


def respond(body: dict[str, Any]) -> Response:
    request.environ[PROBLEM] = body["type"].rpartition("#")[2]
    response = Response(json.dumps(body), body["status"], mimetype=MEDIA_TYPE)
    if response.status_code == 401:
        known = "Authorization" in request.headers
        response.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"' if known else "Bearer"
    if response.status_code == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def install(app: Flask) -> None:
    """Let every error of the application be answered by one problem."""

    @app.errorhandler(FairshoeError)
    def refused(error: FairshoeError) -> Response:
        if kind_of(error) is INTERNAL:
            logger.error("%s", error)
        response = respond(problem_of(error))
        if isinstance(error, errors.RateLimited):
            response.headers["Retry-After"] = str(error.seconds)
        if isinstance(error, errors.Busy):
            response.headers["Retry-After"] = "1"
        return response

    app.register_error_handler(HTTPException, refuse)

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        logger.error("unexpected", exc_info=error)
        return respond(problem(INTERNAL, "An unexpected error. Send the request again with the same Idempotency-Key."))


def refuse(error: HTTPException) -> Response:
    """Answer what HTTP itself refuses, by a problem."""
    response = respond(_http_problem(error))
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _http_problem(error: HTTPException) -> dict[str, Any]:
    status = error.code or 500
    name = error.name.lower().replace(" ", "-")
    expected = ", ".join(getattr(error, "valid_methods", None) or [])
    if status == 413:
        expected = "a body of at most 64 KiB"
    return problem(ProblemKind(name, status, error.name), error.description or error.name, expected=expected)
