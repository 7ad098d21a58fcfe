"""The API's description: OpenAPI 3.1 for programs, and the same as a page for people, without a script."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from flask import Flask, Response
from flask_smorest import Api  # type: ignore[import-untyped]

from ... import __version__
from .answers import Problem
from .context import JSON
from .pages import STYLE
from .problems import ALL, MEDIA_TYPE, name_of, problem
from .routes import REQUEST_ID, Routes, header
from .shapes import OneOf

Form = dict[str, Any]
RETRY = header("Retry-After", "Seconds to wait before it is sent again", "integer")
HEADERS = {401: header("WWW-Authenticate", "`Bearer`, RFC 6750"), 429: RETRY, 503: RETRY}
METHODS = ("get", "post", "delete")


def install(app: Flask, groups: Sequence[Routes]) -> None:
    """Serve the groups' description; it is made once, when somebody wants to read it."""
    document = cache(lambda: described(groups))
    text = cache(lambda: json.dumps(document(), indent=1))
    page = cache(lambda: "".join(page_of(document())))

    @app.get("/openapi.json")
    def openapi() -> Response:
        return Response(text(), mimetype=JSON)

    @app.get("/docs")
    def docs() -> Response:
        return Response(page(), mimetype="text/html")


# For programs.


class _Api(Api):  # type: ignore[misc]
    """Each refusal is documented where it may come, none as a default; raised errors are answered elsewhere."""

    ERROR_SCHEMA = Problem
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        pass

    def _register_pagination_header(self) -> None:
        pass

    def _register_responses(self) -> None:
        for status in sorted({kind.status for kind in ALL}):
            kinds = [kind for kind in ALL if kind.status == status]
            examples = {kind.name: {"value": problem(kind, f"{kind.title}.")} for kind in kinds}
            answer = {
                "description": "; ".join(f"`{kind.name}`: {kind.title}" for kind in kinds),
                "headers": REQUEST_ID | HEADERS.get(status, {}),
                "content": {MEDIA_TYPE: {"schema": Problem, "examples": examples}},
            }
            self.spec.components.response(name_of(status), answer)


def described(groups: Sequence[Routes]) -> Form:
    """The routes' OpenAPI 3.1 description."""
    app = Flask(__name__, static_folder=None)
    app.config.update(API_TITLE="fairshoe", API_VERSION=__version__, OPENAPI_VERSION="3.1.0")
    api = _Api(app)
    api.ma_plugin.converter.add_attribute_function(_one_of)
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for group in groups:
        api.register_blueprint(group.blueprint)
    document: Form = api.spec.to_dict()
    for operations in document["paths"].values():
        for operation in operations.values():
            if "responses" in operation:
                operation["responses"] = dict(sorted(operation["responses"].items()))
    return document


def _one_of(converter: Any, field: Any, **_: Any) -> Form:
    """OneOf as OpenAPI has it."""
    if not isinstance(field, OneOf):
        return {}
    forms = {word: converter.resolve_nested_schema(schema) for word, schema in field.schemas.items()}
    mapping = {word: form["$ref"] for word, form in forms.items()}
    return {"oneOf": list(forms.values()), "discriminator": {"propertyName": field.by, "mapping": mapping}}


# For people.


def page_of(document: Form) -> Iterator[str]:
    """The page, a piece at a time."""
    title = escape(document["info"]["title"])
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
    yield f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style><h1>{title}</h1>'
    yield "<p>JSON in, JSON out. Send a token as <code>Authorization: Bearer TOKEN</code>, and with every changing "
    yield "request an <code>Idempotency-Key</code>. The description for programs is "
    yield '<a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p><h2>Routes</h2>'
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield from _operation(path, method, item[method], item.get("parameters", []), document)
    yield "<h2>Bodies and answers</h2>"
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema:
            yield f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{escape(schema.get("description", ""))}</p>'
            yield from _fields(schema)
    yield "<h2>Problems</h2><p>Whatever is refused is answered with <code>application/problem+json</code> (RFC 9457) "
    yield "and changes nothing.</p><table><tr><th>type<th>status<th>meaning"
    for kind in sorted(ALL, key=lambda kind: kind.status):
        yield f'<tr id="{kind.name}"><td><code>{kind.name}</code><td>{kind.status}<td>{escape(kind.title)}'
    yield "</table></html>"


def _operation(path: str, method: str, operation: Form, shared: list[Form], document: Form) -> Iterator[str]:
    id = escape(operation["operationId"])
    yield f'<h3 id="{id}">{method.upper()} <code>{escape(path)}</code></h3>'
    text = " ".join(filter(None, (operation.get("summary"), operation.get("description"))))
    yield f"<p>{escape(text)}</p>"
    need = "Needs a token. " if operation["security"] == [{"token": []}] else ""
    yield f"<p>{need}<code>operationId</code>: <code>{id}</code></p>"
    parameters = [*shared, *operation.get("parameters", [])]
    if parameters:
        yield "<table><tr><th>parameter<th>in<th>meaning"
        for each in parameters:
            yield f"<tr><td><code>{escape(each['name'])}</code><td>{each['in']}<td>{escape(each['description'])}"
        yield "</table>"
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        example = json.dumps(body["example"], ensure_ascii=False)
        yield f"<p>Body: {_type(body['schema'], media)}</p><pre>{escape(example)}</pre>"
    for status, answer in operation["responses"].items():
        if status < "400":
            contents = answer.get("content", {})
            types = ", ".join(_type(body["schema"], media) for media, body in contents.items()) or "nothing"
            headers = ", ".join(f"<code>{escape(name)}</code>" for name in answer.get("headers", {}))
            yield f"<p>Answer {status}: {types}; {headers}</p>"
    refusals = [status for status in operation["responses"] if status >= "400"]
    yield f'<p>Refused: <a href="#Problem">Problem</a> {", ".join(refusals)}</p>'


def _fields(schema: Form) -> Iterator[str]:
    required = schema.get("required", [])
    yield "<table><tr><th>field<th>type<th>meaning"
    for name, field in schema["properties"].items():
        optional = "" if name in required else " (optional)"
        yield f"<tr><td><code>{escape(name)}</code><td>{_type(field)}{optional}"
        yield f"<td>{escape(field.get('description', ''))}"
    yield "</table>"


def _type(field: Form, otherwise: str = "any") -> str:
    """A field's type in a few words, linked where it is another schema."""
    for several in ("oneOf", "anyOf", "allOf"):
        if several in field:
            return " or ".join(_type(option) for option in field[several])
    if name := field.get("$ref", "").rpartition("/")[2]:
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    if "enum" in field:
        return ", ".join(f"<code>{escape(str(word))}</code>" for word in field["enum"])
    if otherwise != "any":
        return f"<code>{escape(otherwise)}</code>"
    kinds = field.get("type", otherwise)
    kinds = " or ".join(kinds) if isinstance(kinds, list) else kinds
    inner = field.get("items") or field.get("additionalProperties")
    return f"{escape(kinds)} of {_type(inner)}" if inner else escape(kinds)
