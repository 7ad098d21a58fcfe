"""Reading a JSON body strictly: one object, no duplicate keys, no absurd numbers or nesting."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from ...log.canonical import MAX_INTEGER
from ..errors import Malformed

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
