"""Routes under /v1: each is declared once, and is served and described by what it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple

from flask import Flask, Response
from marshmallow import Schema

from ..tokens import SEAT
from .context import View, admitted
from .reading import read_body, read_query


class Told(NamedTuple):
    """What is said of an operation's answers: `refused` by which statuses, beside those that any may be refused by;
    `headers` and their meaning; `tagged`: with an ETag, and 304 where nothing has changed."""

    refused: tuple[int, ...] = ()
    headers: Mapping[str, str] = {}
    tagged: bool = False


NOTHING_MORE = Told()


class Route(NamedTuple):
    """The view's name is the operation's id, its docstring what is said of it. `takes` is the body of a request that
    changes something, the query of another; `answer` a schema, or a media type where it is no JSON. A request that
    changes something is for callers of the `roles`, without any for everybody; others may bring a token or not."""

    view: Callable[..., Response]
    method: str
    path: str
    takes: type[Schema] | None
    answer: type[Schema] | str
    status: int = 200
    roles: tuple[str, ...] = ()
    token: bool = False
    told: Told = NOTHING_MORE

    @property
    def changing(self) -> bool:
        return self.method != "GET"


class Routes:
    """A group of routes."""

    def __init__(self, name: str, description: str) -> None:
        self.name = name
        self.description = description
        self.all: list[Route] = []

    def get(
        self,
        path: str,
        answer: type[Schema] | str,
        query: type[Schema] | None = None,
        *,
        token: bool = False,
        told: Told = NOTHING_MORE,
    ) -> Callable[[View], View]:
        """A route that reads."""

        def decorate(view: View) -> View:
            self.all.append(Route(view, "GET", path, query, answer, token=token, told=told))
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
        """A route that changes something."""

        def decorate(view: View) -> View:
            self.all.append(Route(view, method, path, body, answer, status, roles, told=told))
            return view

        return decorate

    def serve(self, app: Flask) -> None:
        for route in self.all:
            app.add_url_rule(f"/v1{route.path}", route.view.__name__, _served(route), methods=[route.method])


def _served(route: Route) -> Callable[..., Response]:
    takes, read = route.takes, read_body if route.changing else read_query

    @wraps(route.view)
    def view(**path: Any) -> Response:
        return route.view(**path) if takes is None else route.view(read(takes), **path)

    return admitted(view, route.roles) if route.changing else view
