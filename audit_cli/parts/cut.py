"""Where a log is cut into parts, and what each part is told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from .lines import NotInParts, kind_of_line, table_of_line
from .play import Part, Span
from .survey import Piece
from .warm import Tables

SHOES_BEFORE = 2
"""A part follows its tables from so many shoes before it on, on average."""
SHOES_A_PART = 24
"""Of each table, on average, before more parts than needed are made: following tables costs what it costs."""
PARTS_A_WORKER = 4
"""So that all are done at about the same time."""


LARGEST = 1 << 30
"""So many bytes a part, or there are more: the next worker takes over from a lost one, and the bar moves."""
MOST_TABLES, MOST_STARTS, MOST_RARE = 1 << 13, 1 << 10, 1 << 20
"""Of a log with more, which no house writes, a part would cost more than its share."""


class Starts(NamedTuple):
    """The `start` entries of a log: the numbers of their lines, and their times."""

    numbers: list[int]
    times: list[str]

    def before(self, number: int) -> str:
        """The time of the last one before an entry."""
        return next((at for at, start in zip(self.times[::-1], self.numbers[::-1], strict=True) if start < number), "")


class Cut(NamedTuple):
    """A log in parts. `size`: how many entries it has. `tables` and `starts` are those of the whole log."""

    parts: list[Part]
    size: int
    tables: list[bytes]
    starts: Starts


def cut(path: Path, pieces: Sequence[Piece], workers: int, marks: Sequence[int]) -> Cut:
    """Cut a log that was surveyed. Raises NotInParts."""
    pieces = [piece for piece in pieces if piece.lines]
    firsts = [0, *accumulate(piece.lines for piece in pieces)]
    starts = _starts(pieces, firsts)
    rare = [line for piece in pieces for _, line in piece.rare]
    tables = [table_of_line(line) for line in rare if kind_of_line(line) == b"table"]
    shoes = sum(piece.shoes for piece in pieces)
    if not 0 < len(tables) <= MOST_TABLES or not shoes or len(starts.numbers) > MOST_STARTS or len(rare) > MOST_RARE:
        raise NotInParts
    several = max(workers * PARTS_A_WORKER, pieces[-1].end // LARGEST)
    able = int(shoes / len(tables) / SHOES_A_PART)
    wanted = min(len(pieces), max(workers, min(several, able)))
    cuts = [len(pieces) * number // wanted for number in range(wanted + 1)]
    back = max(1, round(len(pieces) * SHOES_BEFORE * len(tables) / shoes))
    parts: list[Part] = []
    seating, known = Tables(), 0
    for first, last in pairwise(cuts):
        since = max(0, first - back)
        for piece in pieces[known:since]:
            for _, line in piece.rare:
                seating.take(line)
        known = since
        span = Span(path, pieces[first].begin, pieces[last - 1].end, firsts[first])
        before = Span(path, pieces[since].begin, span.begin, firsts[since])
        within = tuple(mark for mark in marks if span.first < mark < firsts[last])
        tables_then, started = seating.packed() if first else None, starts.before(span.first)
        alone = len(tables) == 1 and starts.before(firsts[last]) == started
        parts.append(Part(span, before, tables_then, started, within, alone))
    return Cut(parts, firsts[-1], tables, starts)


def _starts(pieces: Sequence[Piece], firsts: Sequence[int]) -> Starts:
    starts = Starts([], [])
    for piece, first in zip(pieces, firsts, strict=False):
        for number, line in piece.rare:
            kind = kind_of_line(line)
            if kind == b"deck" or (kind == b"start" and b'"continues"' in line):
                raise NotInParts
            if kind == b"start":
                starts.numbers.append(first + number)
                starts.times.append(line[7:34].decode(errors="replace"))
    return starts
