"""Routes with their documentation: a typed face on flask-smorest's blueprint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from flask import Flask
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from ..tokens import SEAT
from . import examples, refused, sent
from .admitting import admitted
from .answers import Problem
from .fields import TABLE_PATTERN
from .parser import StrictParser
from .shapes import OneOf

JSON = "application/json"
View = TypeVar("View", bound=Callable[..., Any])
IN_PATH: dict[str, dict[str, Any]] = {
    "table": {
        "name": "table",
        "description": "The table's id",
        "schema": {"type": "string", "pattern": TABLE_PATTERN},
        "example": "t1",
    },
    "int:seat": {
        "name": "seat",
        "description": "The chair",
        "schema": {"type": "integer", "minimum": 1, "maximum": 64},
        "example": 1,
    },
    "int:number": {
        "name": "number",
        "description": "The shoe's number at its table",
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "round": {
        "name": "round",
        "description": "The round's id, TABLE#NUMBER, its # written %23",
        "schema": {"type": "string"},
        "example": "t1#1",
    },
}


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


class _Api(Api):  # type: ignore[misc]
    """Each refusal is documented where it may come, none as a default; raised errors are answered elsewhere."""

    ERROR_SCHEMA = Problem
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        pass

    def _register_pagination_header(self) -> None:
        pass

    def _register_responses(self) -> None:
        refused.install(self.spec)


class Routes:
    """A group of routes under /v1."""

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
        """A route that reads. `token`: one may be sent."""
        security: list[dict[str, list[str]]] = [{}, {"token": []}] if token else []
        statuses = {*refused.ALWAYS, *told.refused, *((401, 403) if token else ()), *((422,) if query else ())}
        doc: dict[str, Any] = {"security": security, "responses": refused.refused(statuses) | dict(told.also)}
        blueprint = self.blueprint

        def decorate(view: View) -> View:
            decorated = _answering(blueprint, view, 200, answer, media, told.headers)
            if query is not None:
                decorated = blueprint.arguments(query, location="query")(decorated)
            decorated = blueprint.doc(**doc, operationId=view.__name__)(decorated)
            blueprint.route(path, methods=["GET"], parameters=[*_in_path(path), *told.asks])(decorated)
            return view

        return decorate

    def post(
        self,
        path: str,
        body: type[Schema],
        answer: type[Schema],
        *,
        status: int = 200,
        roles: tuple[str, ...] = (SEAT,),
        method: str = "POST",
        told: Told = NOTHING_MORE,
    ) -> Callable[[View], View]:
        """A route that changes something, for callers of these roles; without any for everybody."""
        security: list[dict[str, list[str]]] = [{"token": []}] if roles else []
        statuses = {*refused.CHANGING, *told.refused, *((403,) if roles else ())}
        doc = {"security": security, "responses": refused.refused(statuses), "parameters": [sent.PARAMETER]}
        required = any(field.required for field in body().fields.values())
        example, headers = examples.BODIES[body.__name__], {**sent.REPLAYED, **told.headers}
        blueprint = self.blueprint

        def decorate(view: View) -> View:
            decorated = _answering(blueprint, view, status, answer, JSON, headers)
            taking = blueprint.arguments(body, location="json", required=required, example=example)
            decorated = blueprint.doc(**doc, operationId=view.__name__)(taking(decorated))
            blueprint.route(path, methods=[method], parameters=_in_path(path))(admitted(decorated, roles))
            return view

        return decorate


def _answering(
    blueprint: _Blueprint,
    view: View,
    status: int,
    answer: type[Schema] | None,
    media: str,
    headers: Mapping[str, Any],
) -> View:
    """The view with its good answer described; without a schema it is no JSON."""
    if answer is None:
        schema: Any = {"type": "string"} | ({} if media.startswith("text/") else {"format": "binary"})
        example: Any = examples.TEXTS.get(view.__name__)
    else:
        schema, example = answer, examples.ANSWERS[answer.__name__]
    said = {**refused.REQUEST_ID, **headers}
    described: View = blueprint.response(status, schema, content_type=media, example=example, headers=said)(view)
    return described


def _in_path(path: str) -> list[dict[str, Any]]:
    return [{"in": "path"} | form for name, form in IN_PATH.items() if f"<{name}>" in path]


def _one_of(converter: Any, field: Any, **_: Any) -> dict[str, Any]:
    """OneOf as OpenAPI has it."""
    if not isinstance(field, OneOf):
        return {}
    forms = {word: converter.resolve_nested_schema(schema) for word, schema in field.schemas.items()}
    mapping = {word: form["$ref"] for word, form in forms.items()}
    return {"oneOf": list(forms.values()), "discriminator": {"propertyName": field.by, "mapping": mapping}}


def install(app: Flask, groups: list[Routes]) -> None:
    for group in groups:
        app.register_blueprint(group.blueprint)


def described(groups: list[Routes], *, title: str, version: str) -> dict[str, Any]:
    """The routes' OpenAPI 3.1 description."""
    app = Flask(__name__, static_folder=None)
    app.config.update(API_TITLE=title, API_VERSION=version, OPENAPI_VERSION="3.1.0")
    api = _Api(app)
    api.ma_plugin.converter.add_attribute_function(_one_of)
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for group in groups:
        api.register_blueprint(group.blueprint)
    document: dict[str, Any] = api.spec.to_dict()
    document["openapi"] = "3.1.0"
    for operations in document["paths"].values():
        for operation in operations.values():
            if "responses" in operation:
                operation["responses"] = dict(sorted(operation["responses"].items()))
    return document
