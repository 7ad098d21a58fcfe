"""Where a logged entry differs from the rebuilt one, field by field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairshoe.log.canonical import Entry


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


def round_differences(expected: Entry, found: Entry) -> Iterator[Difference]:
    """Where a `round` differs. Hands that change places, or stand beside too many or too few, are compared with those
    of their own seat, so that what was paid to it is told in any case."""
    wanted, stands = expected["hands"], found["hands"]
    pairs = _same_seats(wanted, stands)
    seats, logged = [hand["seat"] for hand in wanted], [hand["seat"] for hand in stands]
    if seats == logged or (len(seats) == len(logged) and len(pairs) < len(logged)):
        yield from differences(expected, found)
        return
    yield from differences(expected | {"hands": []}, found | {"hands": []})
    if len(seats) != len(logged):
        yield Difference("hands", wanted, stands)
    else:
        for i, (seat, other) in enumerate(zip(seats, logged, strict=True)):
            yield from differences(seat, other, f"hands[{i}].seat")
    for i, j in pairs:
        yield from differences(wanted[i], stands[j], f"hands[{j}]")


def _same_seats(wanted: Sequence[Entry], stands: Sequence[Entry]) -> list[tuple[int, int]]:
    """The places of the hands of each seat that has as many of them in both."""
    places: tuple[dict[int, list[int]], dict[int, list[int]]] = defaultdict(list), defaultdict(list)
    for hands, of in zip((wanted, stands), places, strict=True):
        for i, hand in enumerate(hands):
            of[hand["seat"]].append(i)
    mine, theirs = places
    return [
        pair
        for seat, at in mine.items()
        if len(at) == len(theirs.get(seat, ()))
        for pair in zip(at, theirs[seat], strict=True)
    ]
