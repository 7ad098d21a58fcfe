"""Tampering as a house would that holds the signing key: every leaf of an entry, every way to move entries."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from fairshoe.cards import PACK
from fairshoe.log.times import microseconds, timestamp

Path = tuple[str | int, ...]
Entry = dict[str, Any]

WHY = "worn bank age left reshuffle close idle seed first change sale round unfinished"
OTHERS = {
    "kind": ["open", "reveal", "void", "lost", "lapse", "late", "start", "close"],
    "op": ["buy-in", "cash-out", "transfer", "refund", "share"],
    "why": WHY.split(),
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
            yield from (value[:-4] + "Z", "2030-01-01T00:00:00.000000Z", "2020-01-01T00:00:00.000000Z")
        elif len(value) >= 16 and set(value) <= set("0123456789abcdef"):
            yield value[:-1] + ("0" if value[-1] != "0" else "1")
            yield value[2:] + value[:2]
        else:
            yield value + "x"
    elif isinstance(value, list):
        if value:
            yield value[:-1]
            yield [*value, copy.deepcopy(value[-1])]
            if type(value[-1]) is int:
                yield [*value, value[-1] + 1]
        if len(value) > 1 and value[0] != value[1]:
            yield [value[1], value[0], *value[2:]]
    elif isinstance(value, dict):
        yield from changed_members(value)


def changed_members(value: Entry) -> Iterator[Entry]:
    """One member less, one with another name, one more; the table said to have decided."""
    for key in value:
        rest = {k: v for k, v in value.items() if k != key}
        yield rest
        yield {**rest, key + "x": value[key]}
    for key in list(value)[:1]:
        yield {**value, "9": value[key]}
    if "move" in value and "by" not in value:
        yield {**value, "by": "table"}


def put(entry: Entry, path: Path, value: Any) -> Entry:
    """A copy of the entry with another value at the path."""
    again = copy.deepcopy(entry)
    at: Any = again
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return again


def moments(at: str, before: str, after: str) -> Iterator[str]:
    """Other times: a microsecond off, just after the entry before, just before the one after."""
    now = microseconds(at)
    for moment in (now - 1, now + 1, microseconds(before) + 1, microseconds(after) - 1):
        if moment != now:
            yield timestamp(moment)


def regrouped(entry: Entry) -> Iterator[tuple[str, Entry]]:
    """An `open` with a seat under another heading: late, passed."""
    for one, other in (("late", "passed"), ("passed", "late")):
        for seat in entry.get(one, ()):
            both = {one: [s for s in entry[one] if s != seat], other: sorted([*entry.get(other, ()), seat])}
            rest = {key: value for key, value in entry.items() if key not in both}
            yield f"{one} to {other}", rest | {key: value for key, value in both.items() if value}


def tamperings(
    entry: Entry, donors: Mapping[str, Any] | None = None, neighbours: tuple[str, str] | None = None
) -> Iterator[tuple[str, Entry]]:
    """Every tampering with one entry: the field and the entry afterwards. `donors`: fields that other entries of the
    kind have, and this one gets. `neighbours`: the times of the entries before and after."""
    for path, value in leaves(entry):
        for other in changed(path, value):
            yield field(path), put(entry, path, other)
    for key in entry:
        yield f"-{key}", {k: v for k, v in entry.items() if k != key}
    for key, value in (donors or {}).items():
        if key not in entry:
            yield f"+{key}", entry | {key: value}
    yield "+note", entry | {"note": "x"}
    for moment in moments(entry["at"], *neighbours) if neighbours else ():
        yield "at", entry | {"at": moment}
    yield from regrouped(entry)
