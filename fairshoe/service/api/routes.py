"""Routes under /v1: each is declared once, and is served and described by what it says of itself. Bodies and queries
are read strictly: no duplicate keys, no absurd numbers or nesting, no unknown fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import Any, NamedTuple, NoReturn, TypedDict, Unpack, cast

from flask import Flask, Response, request
from marshmallow import Schema, ValidationError

from ...ceremony.acting.lone_shoe import ROW
from ...log.canonical import MAX_INTEGER
from ...terminal.formats import BOM, format_of
from ..errors import InvalidFields, Malformed, UnsupportedType
from ..table_store import no_table
from ..tokens import SEAT
from .context import View, check_caller, require_role


class ResponseSpec(NamedTuple):
    """The description of an operation's answers: `refused` by which statuses, beside those that any may be refused by;
    `headers` and their meaning; `tagged`: with an ETag, and 304 where nothing has changed; `followed`: events."""

    refused: tuple[int, ...] = ()
    headers: Mapping[str, str] = {}
    tagged: bool = False
    followed: bool = False


DEFAULT_SPEC = ResponseSpec()


class Route(NamedTuple):
    """A route of the API."""

    view: Callable[..., Response]  # its name is the operation's id, its docstring the operation's description
    method: str  # of HTTP
    path: str  # below /v1
    takes: type[Schema] | None  # the body of a changing request, the query of another
    answer: type | str  # a schema, or a media type if the answer is no JSON
    status: int = 200  # of an answer that succeeds
    roles: tuple[str, ...] = ()  # whose tokens may send it; without any everybody may
    token: bool = False  # another request may bring a token
    response_spec: ResponseSpec = DEFAULT_SPEC  # what else the API's description says of the answers

    @property
    def changing(self) -> bool:
        return self.method != "GET"


class RouteOptions(TypedDict, total=False):
    """What a route may say of itself beyond its path, and what it takes and answers: see `Route`."""

    status: int
    roles: tuple[str, ...]
    token: bool
    response_spec: ResponseSpec


class RouteGroup:
    """A group of routes."""

    def __init__(self, name: str, description: str) -> None:
        self.name = name
        self.description = description
        self.all: list[Route] = []

    def get(
        self, path: str, answer: type | str, query: type[Schema] | None = None, **more: Unpack[RouteOptions]
    ) -> Callable[[View], View]:
        """A route that reads; with `roles` their tokens alone may."""
        return self._add("GET", path, query, answer, more)

    def post(
        self, path: str, body: type[Schema], answer: type, *, method: str = "POST", **more: Unpack[RouteOptions]
    ) -> Callable[[View], View]:
        """A route that changes something; a seat's token may, or those of `roles`."""
        return self._add(method, path, body, answer, {"roles": (SEAT,), **more})

    def _add(
        self, method: str, path: str, takes: type[Schema] | None, answer: type | str, more: RouteOptions
    ) -> Callable[[View], View]:
        def decorate(view: View) -> View:
            self.all.append(Route(view, method, path, takes, answer, **more))
            return view

        return decorate

    def serve(self, app: Flask) -> None:
        for route in self.all:
            app.add_url_rule(f"/v1{route.path}", route.view.__name__, _served(route), methods=[route.method])


def _served(route: Route) -> Callable[..., Response]:
    takes, read = route.takes, read_body if route.changing else read_query

    @wraps(route.view)
    def view(**path: Any) -> Response:
        for name, before in (("table", ""), ("shoe", ROW)):
            if "\0" in path.get(name, ""):  # which PostgreSQL does not even look for
                raise no_table(before + path[name])
        if route.roles and not route.changing:
            check_caller(*route.roles)
        return route.view(**path) if takes is None else route.view(read(takes), **path)

    return require_role(view, route.roles) if route.changing else view


# Bodies and queries.

MAX_BODY = 64 * 1024
MAX_DEPTH = 16
_DIGITS = 17
PLAIN = "identity"
"""The content coding that changes nothing."""


def read_body(schema: type[Schema]) -> dict[str, Any]:
    """The fields of the request's body. Raises UnsupportedType, Malformed, InvalidFields."""
    data = request.get_data()
    if data and not request.is_json:
        raise UnsupportedType(
            request.mimetype or "no content type", where="Content-Type", expected="Content-Type: application/json"
        )
    coding = request.headers.get("Content-Encoding", PLAIN)
    if data and coding.lower() != PLAIN:
        raise UnsupportedType(
            f"packed by {coding[:32]}", where="Content-Encoding", expected="a body that is not packed"
        )
    return _loaded(schema, parse_body(data) if data else {})


def read_query(schema: type[Schema]) -> dict[str, Any]:
    """The fields of the request's query. Raises InvalidFields."""
    for name, values in request.args.lists():
        if len(values) > 1:
            raise InvalidFields({name[:64]: "given more than once"})
    return _loaded(schema, request.args.to_dict())


@cache
def _made(schema: type[Schema]) -> Schema:
    return schema()


def _loaded(schema: type[Schema], value: Any) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], _made(schema).load(value))
    except ValidationError as error:
        fields: dict[str, str] = {}
        _flatten(error.messages, "", fields)
        raise InvalidFields(fields) from None


def _flatten(messages: Any, path: str, fields: dict[str, str]) -> None:
    if isinstance(messages, dict):
        for name, inner in messages.items():
            part = f"[{name}]" if isinstance(name, int) else f".{name}" if path else str(name)
            own = path if name in ("_schema", "value", "key") else path + part
            _flatten(inner, own, fields)
    else:
        fields[path[:200] or "body"] = " ".join(map(str, messages))


def parse_body(data: bytes) -> Any:
    """The JSON value of a body. Raises Malformed."""
    try:
        if data.startswith(BOM):
            raise Malformed("a byte order mark before it", where="body", expected="JSON without one")
        value = _decoder.decode(data.decode())
    except UnicodeDecodeError:
        form = format_of(data)
        what = "not UTF-8" if form is None else f"not UTF-8, but {form.what}"
        raise Malformed(what, where="body", expected="JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        raise Malformed(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}", where="body", expected="JSON"
        ) from None
    except RecursionError:
        raise _too_deep() from None
    if _depth(value) > MAX_DEPTH:
        raise _too_deep()
    return value


def _too_deep() -> Malformed:
    return Malformed("nested too deep", where="body", expected=f"at most {MAX_DEPTH} levels")


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level and depth <= MAX_DEPTH:
        inner = (item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list))
        level = [part for parts in inner for part in parts]
        depth += 1
    return depth


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed("a key stands twice", where=twice[:64], expected="each key once")
    return result


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS or abs(number := int(digits)) > MAX_INTEGER:
        raise Malformed("an absurd number", where="body", expected="integers up to 2^53 - 1")
    return number


def _fraction(text: str) -> float:
    if len(text) > 64 or (number := float(text)) in (float("inf"), float("-inf")):
        raise Malformed("an absurd number", where="body", expected="integers up to 2^53 - 1")
    return number


def _constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON", where="body", expected="JSON")


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)
