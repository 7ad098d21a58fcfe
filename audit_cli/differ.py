"""Where a logged entry differs from the rebuilt one, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Difference(NamedTuple):
    """A field's path such as `hands[0].net`, and both values (None where it is absent)."""

    path: str
    expected: Any
    found: Any


def differences(expected: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Compare JSON values strictly: True is not 1."""
    if type(expected) is not type(found):
        yield Difference(path, expected, found)
    elif isinstance(expected, dict):
        for key in sorted(expected.keys() | found.keys()):
            inner = f"{path}.{key}" if path else str(key)
            if key in expected and key in found:
                yield from differences(expected[key], found[key], inner)
            else:
                yield Difference(inner, expected.get(key), found.get(key))
    elif isinstance(expected, list):
        if len(expected) != len(found):
            yield Difference(path, expected, found)
        else:
            for i, (a, b) in enumerate(zip(expected, found, strict=True)):
                yield from differences(a, b, f"{path}[{i}]")
    elif expected != found:
        yield Difference(path, expected, found)
