"""Tampering as a house would that holds the signing key: every leaf of an entry, every way to move entries."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from fairshoe.cards import PACK

Path = tuple[str | int, ...]

OTHERS = {
    "kind": ["open", "reveal", "void"],
    "op": ["cash-out", "transfer", "refund"],
    "why": ["closing", "age", "worn", "seed", "reshuffle", "change", "first"],
    "outcome": ["win", "lose", "push", "bust", "natural"],
    "move": ["stand", "hit", "double", "split", "accept"],
    "by": ["table"],
    "rules": ["boxes", "casino"],
    "deck": ["french:5"],
    "rotation": ["fixed", "three_wins"],
    "direction": ["anticlockwise"],
}


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every scalar, and every list and object, with its path."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))


def field(path: Path) -> str:
    """`hands.*.net`: a path without its indexes."""
    return ".".join("*" if isinstance(step, int) else step for step in path)


def changed(path: Path, value: Any) -> Iterator[Any]:
    """Other values that could stand there."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value + 2, value * 2 + 6)
    elif isinstance(value, str):
        yield from (other for other in OTHERS.get(name, ()) if other != value)
        if value in PACK:
            yield from (card for card in ("Ac", "5d", "Kh", "7s") if card[0] != value[0])
        elif name == "at":
            yield value[:-2] + ("1Z" if value[-2] != "1" else "2Z")
            yield "2030-01-01T00:00:00.000Z"
            yield "2020-01-01T00:00:00.000Z"
        elif len(value) >= 16 and set(value) <= set("0123456789abcdef"):
            yield value[:-1] + ("0" if value[-1] != "0" else "1")
            yield value[2:] + value[:2]
        else:
            yield value + "x"
    elif isinstance(value, list):
        if value:
            yield value[:-1]
            yield [*value, copy.deepcopy(value[-1])]
        if len(value) > 1 and value[0] != value[1]:
            yield [value[1], value[0], *value[2:]]
    elif isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}


def put(entry: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of the entry with another value at the path."""
    again = copy.deepcopy(entry)
    at: Any = again
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return again


def tamperings(entry: dict[str, Any], donors: Mapping[str, Any] | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tampering with one entry: the field and the entry afterwards.

    `donors`: fields that other entries of the kind have; those that this one lacks are added.
    """
    for path, value in leaves(entry):
        for other in changed(path, value):
            yield field(path), put(entry, path, other)
    for key in entry:
        yield f"-{key}", {k: v for k, v in entry.items() if k != key}
    for key, value in (donors or {}).items():
        if key not in entry:
            yield f"+{key}", entry | {key: value}
    yield "+note", entry | {"note": "x"}
