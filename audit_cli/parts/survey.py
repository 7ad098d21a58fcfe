"""A look over a log's file at the speed of reading: how many lines it has where, and the few that say who sits where.

These lines come once, and tables live by them for the rest of the log; every other line is known to its part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from fairshoe.log.canonical import NotCanonical, parse

from .lines import NotInParts, border, kind_of_line

MOST_RARE = 1 << 15
"""So many lines to remember are expected of 64 MB at most, a quarter of all: else the log is one for one pass."""
_RARE = re.compile(rb'"kind":"(?:table|chips|close|late|lost|start|deck)"')
_COMMITTED = re.compile(rb'"kind":"shoe"[^\n]*"shoe":"([^"\n]*)/')


class Piece(NamedTuple):
    """A piece of the file: whole lines from byte `begin` to `end`, so many `lines`; how many `shoes` are committed to
    in it, by table. `rare` are the lines to remember, each with its number within the piece."""

    begin: int
    end: int
    lines: int
    shoes: Mapping[bytes, int]
    rare: list[tuple[int, bytes]]


def survey(path: Path, numbers: range, size: int) -> list[Piece]:
    """The pieces `numbers` of a file, each of about `size` bytes."""
    with open(path, "rb") as file:
        end = file.seek(0, 2)
        borders = [border(file, min(number * size, end)) for number in (*numbers, numbers.stop)]
        pieces, seats = [], _Seats()
        for start, stop in pairwise(borders):
            file.seek(start)
            data = file.read(stop - start)
            rare = [each for each in _rare(data) if seats.changes(each[1])]
            pieces.append(Piece(start, stop, data.count(b"\n"), Counter(_COMMITTED.findall(data)), rare))
    if sum(len(piece.rare) for piece in pieces) > MOST_RARE:
        raise NotInParts
    return pieces


class _Seats:
    """Who is known to sit where: of the entries about chips only those say something that take a chair or leave it."""

    def __init__(self) -> None:
        self._sitting: dict[tuple[str, int], str] = {}

    def changes(self, line: bytes) -> bool:
        """Whether an entry says something new; of any other kind than chips it does."""
        if kind_of_line(line) != b"chips":
            return True
        try:
            entry = parse(line)
            seat, player = (entry["table"], entry["seat"]), entry["player"]
            if entry.get("leaves"):
                self._sitting.pop(seat, None)
                return True
            if entry["op"] != "buy-in" or self._sitting.get(seat) == player:
                return False
            self._sitting[seat] = player
        except (NotCanonical, KeyError, TypeError):
            return False
        return True


def _rare(data: bytes) -> Iterator[tuple[int, bytes]]:
    number = counted = 0
    for found in _RARE.finditer(data):
        start = data.rfind(b"\n", 0, found.start()) + 1
        number += data.count(b"\n", counted, start)
        counted = start
        yield number, data[start : data.find(b"\n", start)]
