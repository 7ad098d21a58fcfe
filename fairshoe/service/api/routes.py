"""Routes with what is said of them in the API's description: a typed face on flask-smorest's blueprint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from ..tokens import SEAT
from .body import StrictParser
from .context import AGAIN, EXPECTED, FEWEST, JSON, KEY, MOST, View, admitted
from .problems import name_of
from .requests import EXAMPLES, TABLE_PATTERN, Taken

IN_PATH: dict[str, tuple[str, dict[str, Any], str | int]] = {
    "table": ("The table's id", {"type": "string", "pattern": TABLE_PATTERN}, "t1"),
    "int:seat": ("The chair", {"type": "integer", "minimum": 1, "maximum": 64}, 1),
    "int:number": ("The shoe's number at its table", {"type": "integer", "minimum": 1}, 1),
    "round": ("The round's id, TABLE#NUMBER, its # written %23", {"type": "string"}, "t1#1"),
}
"""Parts of paths: what each is, its schema, an example."""
ALWAYS = (400, 429, 500, 503)
"""What any request may be refused with."""
CHANGING = (*ALWAYS, 401, 404, 409, 413, 415, 422, 507)
KEY_PARAMETER = {
    "in": "header",
    "name": KEY,
    "required": False,
    "description": f"A fresh random key of this request: {EXPECTED}. Sent again with the same key and body within a "
    f"day it is not done twice, and answered with the same bytes and `{AGAIN}: true`",
    "schema": {"type": "string", "pattern": f"^[!-~]{{{FEWEST},{MOST}}}$"},
    "example": "0d4ce9b0a3f64d2f8f6a55f1c9e7b813",
}


def header(name: str, description: str, type: str = "string") -> dict[str, Any]:
    """A header of an answer, as the description has it."""
    return {name: {"description": description, "schema": {"type": type}}}


REPLAYED = header(AGAIN, "`true`: answered before, and not done again")
REQUEST_ID = header("X-Request-Id", "The request's id, as it stands in the service's log")
TAG = header("ETag", "What `If-None-Match` takes")
UNLESS = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of an earlier answer",
    "schema": {"type": "string"},
}
SAME = {"description": "Nothing has changed since that ETag", "headers": REQUEST_ID | TAG}


class Told(NamedTuple):
    """What is said of an operation's answers: `refused` by which statuses, beside those that any may be refused by;
    `headers` of the answer; `also`: other answers, by status; `asks`: headers of the request."""

    refused: tuple[int, ...] = ()
    headers: Mapping[str, Any] = {}
    also: Mapping[int, Any] = {}
    asks: tuple[dict[str, Any], ...] = ()


NOTHING_MORE = Told()


class _Blueprint(Blueprint):  # type: ignore[misc]
    ARGUMENTS_PARSER = StrictParser()


class Routes:
    """A group of routes under /v1; a view's name is the operation's id, its docstring what is said of it."""

    def __init__(self, name: str, description: str) -> None:
        self.blueprint = _Blueprint(name, __name__, url_prefix="/v1", description=description)

    def get(
        self,
        path: str,
        *,
        answer: type[Schema] | None = None,
        query: type[Schema] | None = None,
        media: str = JSON,
        token: bool = False,
        told: Told = NOTHING_MORE,
    ) -> Callable[[View], View]:
        """A route that reads; without a schema its answer is no JSON. `token`: one may be sent."""
        security: list[dict[str, list[str]]] = [{}, {"token": []}] if token else []
        statuses = {*ALWAYS, *told.refused, *((401, 403) if token else ()), *((422,) if query else ())}
        doc: dict[str, Any] = {"security": security, "responses": _refused(statuses) | dict(told.also)}
        text = {"type": "string"} | ({} if media.startswith("text/") else {"format": "binary"})
        blueprint, headers = self.blueprint, REQUEST_ID | dict(told.headers)

        def decorate(view: View) -> View:
            decorated = blueprint.response(200, answer or text, content_type=media, headers=headers)(view)
            if query is not None:
                decorated = blueprint.arguments(query, location="query")(decorated)
            decorated = blueprint.doc(**doc, operationId=view.__name__)(decorated)
            blueprint.route(path, methods=["GET"], parameters=[*_in_path(path), *told.asks])(decorated)
            return view

        return decorate

    def post(
        self,
        path: str,
        body: type[Taken],
        answer: type[Schema],
        *,
        status: int = 200,
        roles: tuple[str, ...] = (SEAT,),
        method: str = "POST",
        told: Told = NOTHING_MORE,
    ) -> Callable[[View], View]:
        """A route that changes something, for callers of these roles; without any for everybody."""
        security: list[dict[str, list[str]]] = [{"token": []}] if roles else []
        statuses = {*CHANGING, *told.refused, *((403,) if roles else ())}
        doc = {"security": security, "responses": _refused(statuses), "parameters": [KEY_PARAMETER]}
        required = any(field.required for field in body().fields.values())
        blueprint, headers = self.blueprint, REQUEST_ID | REPLAYED | dict(told.headers)

        def decorate(view: View) -> View:
            decorated = blueprint.response(status, answer, content_type=JSON, headers=headers)(view)
            taking = blueprint.arguments(body, location="json", required=required, example=EXAMPLES.get(body, {}))
            decorated = blueprint.doc(**doc, operationId=view.__name__)(taking(decorated))
            blueprint.route(path, methods=[method], parameters=_in_path(path))(admitted(decorated, roles))
            return view

        return decorate


def _refused(statuses: Iterable[int]) -> dict[int, str]:
    return {status: name_of(status) for status in sorted(statuses)}


def _in_path(path: str) -> list[dict[str, Any]]:
    return [
        {
            "in": "path",
            "name": name.removeprefix("int:"),
            "description": description,
            "schema": schema,
            "example": example,
        }
        for name, (description, schema, example) in IN_PATH.items()
        if f"<{name}>" in path
    ]
