"""The API's description: OpenAPI 3.1 for programs, made of the routes and their schemas; and a page for people, with
every route and every kind of problem."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from http import HTTPStatus
from inspect import getdoc
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin, resolver
from flask import Flask, Response

from ... import __version__
from ...ceremony.acting.forms import Form
from .answers import ProblemResponse
from .context import EXPECTED, JSON, KEY, MAX_KEY_LENGTH, MIN_KEY_LENGTH, REPLAY_HEADER
from .documents import list_of_documents
from .fields import TABLE
from .problems import ALL, MEDIA_TYPE, problem
from .requests import EXAMPLES, SHOE_NAME
from .routes import Route, RouteGroup
from .schemas import Schemas, published
from .shell import shell

PUBLISHED_NAMES = {"CommitmentRequest": "Committed", "PlacesRequest": "Placed"}
ALWAYS = {400, 429, 500, 503}
"""Statuses by which any request may be refused."""
CHANGING = {*ALWAYS, 401, 404, 409, 413, 415, 422, 507}
IN_PATH: dict[str, tuple[str, Form, str | int]] = {
    "table": ("The table's id", {"type": "string", "pattern": TABLE.regex.pattern}, "t1"),
    "shoe": ("The id of a shoe without a table", {"type": "string", "pattern": SHOE_NAME.regex.pattern}, "war-1"),
    "int:seat": ("The chair", {"type": "integer", "minimum": 1, "maximum": 64}, 1),
    "int:number": ("The shoe's number at its table", {"type": "integer", "minimum": 1}, 1),
    "round": ("The round's id, TABLE#NUMBER, its # written %23", {"type": "string"}, "t1#1"),
}
"""Parts of paths: what each is, its schema, an example."""
KEY_PARAMETER: Form = {
    "in": "header",
    "name": KEY,
    "required": False,
    "description": f"A fresh random key of this request: {EXPECTED}. Sent again with the same key and body within a "
    f"day it is not done twice, and answered with the same bytes and `{REPLAY_HEADER}: true`",
    "schema": {"type": "string", "pattern": f"^[!-~]{{{MIN_KEY_LENGTH},{MAX_KEY_LENGTH}}}$"},
    "example": "0d4ce9b0a3f64d2f8f6a55f1c9e7b813",
}
IF_NONE_MATCH: Form = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of an earlier answer",
    "schema": {"type": "string"},
}
SINCE: Form = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The id of the last event that came",
    "schema": {"type": "string"},
}


def install(app: Flask, groups: Sequence[RouteGroup]) -> None:
    """Serve the groups' description; it is made once, when somebody wants to read it."""
    document = cache(lambda: described(groups))

    @app.get("/openapi.json")
    def openapi() -> Response:
        return Response(json.dumps(document(), indent=1), mimetype=JSON)

    @app.get("/docs")
    def docs() -> Response:
        return Response(shell("Documents · fairshoe", "".join(page_of(document()))), mimetype="text/html")


# For programs.


def described(groups: Sequence[RouteGroup]) -> Form:
    """The routes' OpenAPI 3.1 description."""
    spec = APISpec("fairshoe", __version__, "3.1.0", plugins=[MarshmallowPlugin(_schema_name)])
    answers = Schemas(spec)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for status in sorted({kind.status for kind in ALL}):
        spec.components.response(_refusal(status), _refused(status, answers))
    for group in groups:
        spec.tag({"name": group.name, "description": group.description})
        for route in group.all:
            path = re.sub(r"<(?:int:)?(\w+)>", r"{\1}", f"/v1{route.path}")
            operation = _operation(route, answers) | {"tags": [group.name]}
            spec.path(path, operations={route.method.lower(): operation}, parameters=_in_path(route.path))
    return spec.to_dict()


def _schema_name(schema: Any) -> str:
    """Return a schema's published name: its class's without `Request` or `Response`, or its own of PUBLISHED_NAMES."""
    name = resolver(schema)
    return PUBLISHED_NAMES.get(name, published(name))


def _operation(route: Route, forms: Schemas) -> Form:
    told, parameters = route.response_spec, [KEY_PARAMETER] if route.changing else list[Form]()
    refused = {*(CHANGING if route.changing else ALWAYS), *told.refused}
    refused |= {401, 403} if route.roles or route.token else set()
    headers = {"X-Request-Id": "The request's id, as it stands in the service's log", **told.headers}
    answers: Form = {}
    operation: Form = {"operationId": route.view.__name__, "summary": " ".join((getdoc(route.view) or "").split())}
    if route.changing:
        headers[REPLAY_HEADER] = "`true`: answered before, and not done again"
        body = {"schema": route.takes, "example": EXAMPLES.get(route.takes, {}) if route.takes else {}}
        required = route.takes is not None and any(field.required for field in route.takes().fields.values())
        operation["requestBody"] = {"content": {JSON: body}, "required": required}
    elif route.takes is not None:
        refused.add(422)
        parameters.append({"in": "query", "schema": route.takes})
    if told.tagged:
        headers["ETag"] = "What `If-None-Match` takes"
        parameters.append(IF_NONE_MATCH)
        answers["304"] = {"description": "Nothing has changed since that ETag", "headers": _headers(headers)}
    if told.followed:
        parameters.append(SINCE)
    answers[str(route.status)] = {
        "description": HTTPStatus(route.status).phrase,
        "headers": _headers(headers),
        "content": _content(route.answer, forms),
    }
    answers |= {str(status): _refusal(status) for status in refused}
    security: list[Form] = [{"token": []}] if route.roles else [{}, {"token": []}] if route.token else []
    return operation | {"parameters": parameters, "responses": dict(sorted(answers.items())), "security": security}


def _content(answer: Any, forms: Schemas) -> Form:
    if not isinstance(answer, str):
        return {JSON: {"schema": forms.ref(answer)}}
    return {answer: {"schema": {"type": "string"} | ({} if answer.startswith("text/") else {"format": "binary"})}}


def _headers(told: dict[str, str]) -> Form:
    return {
        name: {"description": what, "schema": {"type": "integer" if name in NUMBERS else "string"}}
        for name, what in told.items()
    }


NUMBERS = ("Retry-After", "X-Log-Size")


def _refusal(status: int) -> str:
    """The name of the answer that refuses by this status."""
    return f"Problem{status}"


def _refused(status: int, forms: Schemas) -> Form:
    kinds = [kind for kind in ALL if kind.status == status]
    examples = {kind.name: {"value": problem(kind, f"{kind.title}.")} for kind in kinds}
    headers = {"X-Request-Id": "The request's id, as it stands in the service's log"}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "`Bearer`, RFC 6750"
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers["Retry-After"] = "Seconds to wait before it is sent again"
    return {
        "description": "; ".join(f"`{kind.name}`: {kind.title}" for kind in kinds),
        "headers": _headers(headers),
        "content": {MEDIA_TYPE: {"schema": forms.ref(ProblemResponse), "examples": examples}},
    }


def _in_path(path: str) -> list[Form]:
    return [
        {"in": "path", "name": name.removeprefix("int:"), "description": what, "schema": schema, "example": example}
        for name, (what, schema, example) in IN_PATH.items()
        if f"<{name}>" in path
    ]


# For people.


def page_of(document: Form) -> Iterator[str]:
    """The documents, every route and every kind of problem, a piece at a time."""
    yield f"<h1>Documents</h1>{list_of_documents()}<h1>The API</h1>"
    yield "<p>JSON in, JSON out. Send a token as <code>Authorization: Bearer TOKEN</code>, and with every changing "
    yield "request an <code>Idempotency-Key</code>. Every field of every body and answer is described in "
    yield '<a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), which any viewer of such files shows.</p>'
    yield "<h2>Routes</h2><table><thead><tr><th>route<th>who<th>what</thead>"
    for path, item in document["paths"].items():
        for method in ("get", "post", "delete"):
            if method in item:
                told = item[method]
                need = (
                    "token"
                    if told["security"] == [{"token": []}]
                    else "token, if you have one"
                    if told["security"]
                    else "anybody"
                )
                yield f'<tr id="{escape(told["operationId"])}"><td>{method.upper()} <code>{escape(path)}</code>'
                summary = re.sub("`(.+?)`", r"<code>\1</code>", escape(told["summary"]))
                yield f"<td>{need}<td>{summary}"
    yield "</table><h2>Problems</h2><p>Whatever is refused is answered with <code>application/problem+json</code> "
    yield "(RFC 9457) and changes nothing.</p><table><tr><th>type<th>status<th>meaning"
    for kind in sorted(ALL, key=lambda kind: kind.status):
        yield f'<tr id="{kind.name}"><td><code>{kind.name}</code><td>{kind.status}<td>{escape(kind.title)}'
    yield "</table>"
