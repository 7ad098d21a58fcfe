"""Bodies and queries, read strictly: no duplicate keys, no absurd numbers or nesting, no unknown fields."""

from __future__ import annotations

import json
from typing import Any, NoReturn, cast

from flask import request
from marshmallow import Schema, ValidationError

from ...log.canonical import MAX_INTEGER
from ..errors import InvalidFields, Malformed, UnsupportedType

MAX_BODY = 64 * 1024
MAX_DEPTH = 16
_DIGITS = 17


def read_body(schema: type[Schema]) -> dict[str, Any]:
    """The fields of the request's body. Raises UnsupportedType, Malformed, InvalidFields."""
    data = request.get_data()
    if data and not request.is_json:
        raise UnsupportedType(
            request.mimetype or "no content type", where="Content-Type", expected="Content-Type: application/json"
        )
    return _loaded(schema, parse_body(data) if data else {})


def read_query(schema: type[Schema]) -> dict[str, Any]:
    """The fields of the request's query. Raises InvalidFields."""
    for name, values in request.args.lists():
        if len(values) > 1:
            raise InvalidFields({name[:64]: "given more than once"})
    return _loaded(schema, request.args.to_dict())


def _loaded(schema: type[Schema], value: Any) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], schema().load(value))
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
