"""What a caller gave, in the words of an error, and what to pass instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

BYTES_LIKE = (bytes, bytearray, memoryview)
TEXTS = (str, *BYTES_LIKE)
PASS_BYTES = 'pass bytes, such as b"…" or bytes.fromhex(text)'
PASS_TEXT = 'pass text, such as "game-42"'
PASS_INTEGER = "pass an integer, such as 6"


def given(value: object) -> str:
    """The kind of `value`: "a str", "an int", "a null"."""
    name = "null" if value is None else type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether `value` is a list, a tuple or another sequence of items: neither text nor bytes, and with an order."""
    return isinstance(value, (list, tuple)) or (isinstance(value, Sequence) and not isinstance(value, TEXTS))


def as_list(value: object, name: str, example: str) -> str:
    """How to pass `value`, the argument `name`, as a list; `example` is for what holds no items at all."""
    if isinstance(value, Mapping):
        return f"pass list({name}.items())"
    if isinstance(value, set | frozenset):
        return f"pass sorted({name}): a set has no order of its own"
    if hasattr(value, "__iter__") and not isinstance(value, TEXTS):
        return f"pass list({name})"
    return f"pass {example}"
