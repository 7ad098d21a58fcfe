"""The index, the description for programs, and a documentation page that needs nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from flask import Flask, Response

from ... import __version__
from .context import answer, sequencer
from .problems import KINDS

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
code,pre{font:14px/1.4 ui-monospace,monospace;background:#f3f3f0;border-radius:4px}code{padding:0 .3em}
pre{padding:.8rem;overflow:auto}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;
padding:.25rem .8rem .25rem 0;border-bottom:1px solid #ddd}h3{margin-top:2rem}.m{color:#0a5;font-weight:600}
@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}code,pre{background:#262626}td,th{border-color:#444}}
"""


def install(app: Flask, spec: Any) -> None:
    document = spec.to_dict()
    document["openapi"] = "3.1.0"
    text = json.dumps(document, indent=1)
    page = "".join(_page(document))

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


def _page(document: dict[str, Any]) -> Iterator[str]:
    title = escape(document["info"]["title"])
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
    yield f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style><h1>{title}</h1>'
    yield "<p>JSON in, JSON out. Send a token as <code>Authorization: Bearer TOKEN</code>. The description for "
    yield 'programs is <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p><h2>Routes</h2>'
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method in ("get", "post"):
                yield from _operation(path, method, operation, document)
    yield "<h2>Answers</h2>"
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema:
            yield f'<h3 id="{escape(name)}">{escape(name)}</h3>'
            yield from _fields(schema)
    yield "<h2>Problems</h2><p>Whatever is refused is answered with <code>application/problem+json</code> (RFC 9457) "
    yield "and changes nothing.</p><table><tr><th>type<th>status<th>meaning"
    for _, kind in KINDS:
        yield f'<tr id="{kind.name}"><td><code>{kind.name}</code><td>{kind.status}<td>{escape(kind.title)}'
    yield "</table></html>"


def _operation(path: str, method: str, operation: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    yield f'<h3><span class="m">{method.upper()}</span> <code>{escape(path)}</code></h3>'
    yield f"<p>{escape(operation.get('summary', ''))}</p>"
    if operation.get("security") == [{"token": []}]:
        yield "<p>Needs a token.</p>"
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "query":
            yield f"<p><code>?{escape(parameter['name'])}=</code> {escape(parameter.get('description', ''))}</p>"
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None:
        schema = content["schema"]
        yield from _fields(_resolve(schema, document))
    for status, response in operation["responses"].items():
        for media, body in response.get("content", {}).items() if status.isdigit() and status < "300" else ():
            name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
            answer = f'<a href="#{escape(name)}">{escape(name)}</a>' if name else f"<code>{escape(media)}</code>"
            yield f"<p>Answer {status}: {answer}</p>"


def _resolve(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document["components"]["schemas"].get(name, schema)
    return found


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    properties = schema.get("properties", {})
    if not properties:
        return
    required = schema.get("required", [])
    yield "<table><tr><th>field<th>type<th>meaning"
    for name, field in properties.items():
        optional = "" if name in required else " (optional)"
        yield f"<tr><td><code>{escape(name)}</code><td>{_type(field)}{optional}"
        yield f"<td>{escape(field.get('description', ''))}"
    yield "</table>"


def _type(field: dict[str, Any]) -> str:
    """A field's type in a few words, linked where it is another schema."""
    for option in field.get("anyOf", field.get("allOf", ())):
        if option.get("type") != "null":
            return _type(option)
    if name := field.get("$ref", "").rpartition("/")[2]:
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    kinds = field.get("type", "any")
    if isinstance(kinds, list):
        kinds = " or ".join(kinds)
    return f"array of {_type(field['items'])}" if "items" in field else escape(kinds)
