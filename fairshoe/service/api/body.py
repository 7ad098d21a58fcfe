"""Bodies and queries, read strictly: no duplicate keys, no absurd numbers or nesting, no unknown fields."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import Request
from marshmallow import RAISE, ValidationError, missing
from webargs.flaskparser import FlaskParser

from ...log.canonical import MAX_INTEGER
from ..errors import InvalidFields, Malformed, UnsupportedType

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
