"""Routes with their documentation: a typed face on flask-smorest's blueprint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from .answers import Problem
from .parser import StrictParser
from .problems import MEDIA_TYPE

View = TypeVar("View", bound=Callable[..., Any])
PATH_TEXT = {"table": "The table's id", "round": "The round's id, TABLE#NUMBER, its # written %23"}


class _Blueprint(Blueprint):  # type: ignore[misc]
    ARGUMENTS_PARSER = StrictParser()


class _Api(Api):  # type: ignore[misc]
    """Problems are documented as what they are, and raised errors are answered elsewhere."""

    ERROR_SCHEMA = Problem

    def _register_error_handlers(self) -> None:
        pass

    def _register_responses(self) -> None:
        content = {MEDIA_TYPE: {"schema": Problem}}
        for name in ("DEFAULT_ERROR", "UNPROCESSABLE_ENTITY", "UNPROCESSABLE_CONTENT"):
            self.spec.components.response(name, {"description": "A problem", "content": content}, lazy=True)


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
        media: str = "application/json",
        token: bool = False,
    ) -> Callable[[View], View]:
        """A route that reads. `token`: one may be sent."""
        security: list[dict[str, list[str]]] = [{}, {"token": []}] if token else []
        return self._route("GET", path, query, "query", answer, 200, media, security)

    def post(
        self, path: str, body: type[Schema], answer: type[Schema], *, status: int = 200, token: bool = True
    ) -> Callable[[View], View]:
        """A route that changes something."""
        security: list[dict[str, list[str]]] = [{"token": []}] if token else []
        return self._route("POST", path, body, "json", answer, status, "application/json", security)

    def _route(
        self,
        method: str,
        path: str,
        takes: type[Schema] | None,
        location: str,
        answer: type[Schema] | None,
        status: int,
        media: str,
        security: list[dict[str, list[str]]],
    ) -> Callable[[View], View]:
        blueprint = self.blueprint
        schema: Any = answer if answer is not None else {"type": "string"}
        names = [name for name in PATH_TEXT if f"<{name}>" in path]
        parameters = [{"in": "path", "name": name, "description": PATH_TEXT[name]} for name in names]

        def decorate(view: View) -> View:
            decorated = blueprint.response(status, schema, content_type=media)(view)
            if takes is not None:
                required = any(field.required for field in takes().fields.values())
                decorated = blueprint.arguments(takes, location=location, required=required)(decorated)
            decorated = blueprint.doc(security=security)(decorated)
            blueprint.route(path, methods=[method], parameters=parameters)(decorated)
            return view

        return decorate


def install(app: Flask, groups: list[Routes], *, title: str, version: str) -> Any:
    """Register the routes and their OpenAPI 3.1 description, which is returned (an APISpec)."""
    app.config.update(API_TITLE=title, API_VERSION=version, OPENAPI_VERSION="3.1.0")
    api = _Api(app)
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for group in groups:
        api.register_blueprint(group.blueprint)
    return api.spec
