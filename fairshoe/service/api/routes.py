"""Routes with what is said of them in the API's description, a typed face on flask-smorest's blueprint; bodies and
queries, read strictly: no duplicate keys, no absurd numbers or nesting, no unknown fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from flask import Request
from flask_smorest import Blueprint  # type: ignore[import-untyped]
from marshmallow import RAISE, Schema, ValidationError, missing
from webargs.flaskparser import FlaskParser

from ...log.canonical import MAX_INTEGER
from ..errors import InvalidFields, Malformed, UnsupportedType
from ..tokens import SEAT
from .context import AGAIN, EXPECTED, FEWEST, JSON, KEY, MOST, View, admitted
from .problems import name_of
from .requests import EXAMPLES, TABLE_PATTERN, Taken

MAX_BODY = 64 * 1024
MAX_DEPTH = 16
_DIGITS = 17


def parse_body(data: bytes) -> Any:
    """The JSON value of a body. Raises Malformed."""
    try:
        value = _decoder.decode(data.decode())
    except UnicodeDecodeError:
        raise Malformed("not UTF-8", where="body", expected="JSON in UTF-8") from None
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
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
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


class StrictParser(FlaskParser):
    """Unknown fields are refused everywhere, and a body must be JSON by name and by content."""

    def __init__(self) -> None:
        super().__init__()
        self.DEFAULT_UNKNOWN_BY_LOCATION = {"json": RAISE, "query": RAISE}

    def load_json(self, req: Request, schema: Any) -> Any:
        data = req.get_data()
        if not data:
            return missing
        if not req.is_json:
            raise UnsupportedType(
                req.mimetype or "no content type", where="Content-Type", expected="Content-Type: application/json"
            )
        return parse_body(data)

    def load_querystring(self, req: Request, schema: Any) -> Any:
        for name, values in req.args.lists():
            if len(values) > 1:
                raise InvalidFields({name[:64]: "given more than once"})
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> NoReturn:
        by_location = error.messages if isinstance(error.messages, dict) else {"body": error.messages}
        fields: dict[str, str] = {}
        for messages in by_location.values():
            _flatten(messages, "", fields)
        raise InvalidFields(fields)


def _flatten(messages: Any, path: str, fields: dict[str, str]) -> None:
    if isinstance(messages, dict):
        for name, inner in messages.items():
            part = f"[{name}]" if isinstance(name, int) else f".{name}" if path else str(name)
            own = path if name in ("_schema", "value", "key") else path + part
            _flatten(inner, own, fields)
    else:
        fields[path[:200] or "body"] = " ".join(map(str, messages))


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
