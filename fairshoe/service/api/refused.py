"""Every way to be refused, by HTTP status, for the description of the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .answers import Problem
from .problems import INTERNAL, KINDS, MEDIA_TYPE, TOO_LARGE, Kind, problem

NO_SUCH_METHOD = Kind("method-not-allowed", 405, "Method Not Allowed")
NO_SUCH_RANGE = Kind("requested-range-not-satisfiable", 416, "Requested Range Not Satisfiable")
ALL = (*(kind for _, kind in KINDS), NO_SUCH_METHOD, NO_SUCH_RANGE, TOO_LARGE, INTERNAL)

ALWAYS = (400, 429, 500, 503)
"""What any request may be answered with."""
CHANGING = (*ALWAYS, 401, 404, 409, 413, 415, 422, 507)

REQUEST_ID = {
    "X-Request-Id": {"description": "The request's id, as it stands in the service's log", "schema": {"type": "string"}}
}
_RETRY = {"Retry-After": {"description": "Seconds to wait before it is sent again", "schema": {"type": "integer"}}}
_WHO = {"WWW-Authenticate": {"description": "`Bearer`, RFC 6750", "schema": {"type": "string"}}}
HEADERS = {401: _WHO, 429: _RETRY, 503: _RETRY}


def name_of(status: int) -> str:
    return f"Problem{status}"


def refused(statuses: Iterable[int]) -> dict[int, str]:
    """The answers of an operation that may be refused so, by their names."""
    return {status: name_of(status) for status in sorted(statuses)}


def install(spec: Any) -> None:
    """Describe an answer for each status."""
    for status in sorted({kind.status for kind in ALL}):
        kinds = [kind for kind in ALL if kind.status == status]
        examples = {kind.name: {"value": problem(kind, f"{kind.title}.")} for kind in kinds}
        answer = {
            "description": "; ".join(f"`{kind.name}`: {kind.title}" for kind in kinds),
            "headers": REQUEST_ID | HEADERS.get(status, {}),
            "content": {MEDIA_TYPE: {"schema": Problem, "examples": examples}},
        }
        spec.components.response(name_of(status), answer)
