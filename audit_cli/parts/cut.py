"""Where a log is cut into parts, and what each part is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from .lines import NotInParts, kind_of_line, table_of_line
from .looking import Looking
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

TABLES_A_SHARE = 16
"""So many tables for each worker, at least, and whole tables are given out instead of stretches of time."""
MOST_SHARES = 8
"""For each share all lines are looked at: with more workers that would cost more than to follow tables."""
SHOES_A_TABLE = 64
"""So many shoes of each table for each worker, and following tables costs next to nothing."""


class Starts(NamedTuple):
    """The `start` entries of a log: the numbers of their lines, and their times."""

    numbers: list[int]
    times: list[str]

    def before(self, number: int) -> str:
        """The time of the last one before an entry."""
        return next((at for at, start in zip(self.times[::-1], self.numbers[::-1], strict=True) if start < number), "")


class Cut(NamedTuple):
    """A log in parts: stretches of it, or `shares` of its tables from its beginning to its end. `size`: how many
    entries it has. `tables` and `starts` are those of the whole log."""

    parts: list[Part]
    shares: bool
    size: int
    tables: list[bytes]
    starts: Starts


class Surveyed(NamedTuple):
    """A log's file, looked over: its `pieces`, the number of the `firsts` line of each and how many there are in all;
    the `marks` at which somebody asks for its tree."""

    path: Path
    pieces: Sequence[Piece]
    firsts: Sequence[int]
    tables: list[bytes]
    starts: Starts
    marks: Sequence[int]

    def stretches(self, count: int) -> Iterator[tuple[int, Span, tuple[int, ...]]]:
        """So many stretches of about as many pieces: its first piece, the stretch, the marks within it."""
        pieces, firsts = self.pieces, self.firsts
        for first, last in pairwise([len(pieces) * number // count for number in range(count + 1)]):
            span = Span(self.path, pieces[first].begin, pieces[last - 1].end, firsts[first])
            yield first, span, tuple(mark for mark in self.marks if span.first < mark < firsts[last])


def cut(
    path: Path,
    pieces: Sequence[Piece],
    workers: int,
    marks: Sequence[int],
    looks: Callable[[], Looking] | None = None,
) -> Cut:
    """Cut a log that was surveyed; where something `looks` on, by table. Raises NotInParts."""
    pieces = [piece for piece in pieces if piece.lines]
    firsts = [0, *accumulate(piece.lines for piece in pieces)]
    rare = [line for piece in pieces for _, line in piece.rare]
    tables = [table_of_line(line) for line in rare if kind_of_line(line) == b"table"]
    log = Surveyed(path, pieces, firsts, tables, _starts(pieces, firsts), marks)
    shoes: Counter[bytes] = Counter(dict.fromkeys(tables, 0))
    for piece in pieces:
        shoes.update(piece.shoes)
    if not 0 < len(tables) <= MOST_TABLES or not shoes.total():
        raise NotInParts
    if len(log.starts.numbers) > MOST_STARTS or len(rare) > MOST_RARE:
        raise NotInParts
    shares = _shares(shoes, workers) if pieces[-1].end <= workers * LARGEST else []
    if looks is not None:
        shares = _shared(shoes, min(workers, len(tables), len(pieces)))
        if len(shares) == 1:
            raise NotInParts
    parts = _by_table(log, shares, looks) if shares else _by_time(log, workers, shoes.total() / len(tables))
    return Cut(parts, bool(shares), firsts[-1], tables, log.starts)


def _shares(shoes: Mapping[bytes, int], workers: int) -> list[set[bytes]]:
    """A share of the tables for each worker, all with about as many shoes: the busiest table first, each to the share
    that has fewest. None where this pays less than to cut by time, or one table is too busy."""
    total = sum(shoes.values())
    if (
        workers > MOST_SHARES
        or not TABLES_A_SHARE * workers <= len(shoes)
        or total > SHOES_A_TABLE * len(shoes) * workers
    ):
        return []
    shares = _shared(shoes, workers)
    most = max(sum(shoes[name] for name in share) for share in shares)
    return shares if 4 * most * workers <= 5 * total else []


def _shared(shoes: Mapping[bytes, int], workers: int) -> list[set[bytes]]:
    """The tables, shared out as that says."""
    shares: list[set[bytes]] = [set() for _ in range(workers)]
    loads = [0] * workers
    for name in sorted(shoes, key=lambda name: (-shoes[name], name)):
        lightest = loads.index(min(loads))
        shares[lightest].add(name)
        loads[lightest] += shoes[name]
    return shares


def _by_table(log: Surveyed, shares: Sequence[set[bytes]], looks: Callable[[], Looking] | None) -> list[Part]:
    """A part a share, which sees every line; each has a stretch of its own to hash."""
    whole = Span(log.path, 0, log.pieces[-1].end, 0)
    everybody = frozenset[bytes]().union(*shares)
    parts = []
    for (_, hashed, marks), share in zip(log.stretches(len(shares)), shares, strict=True):
        parts.append(Part(whole, hashed, whole, None, "", marks, everybody - share, len(shares), looks=looks))
    return parts


def _by_time(log: Surveyed, workers: int, shoes: float) -> list[Part]:
    """A part a stretch; before it its tables are followed for a while. `shoes`: so many has a table on average."""
    pieces, starts = log.pieces, log.starts
    several = max(workers * PARTS_A_WORKER, pieces[-1].end // LARGEST)
    wanted = min(len(pieces), max(workers, min(several, int(shoes / SHOES_A_PART))))
    back = max(1, round(len(pieces) * SHOES_BEFORE / shoes))
    parts: list[Part] = []
    seating, known = Tables(), 0
    for first, span, marks in log.stretches(wanted):
        since = max(0, first - back)
        for piece in pieces[known:since]:
            for _, line in piece.rare:
                seating.take(line)
        known = since
        before = Span(log.path, pieces[since].begin, span.begin, log.firsts[since])
        tables, started = seating.packed() if first else None, starts.before(span.first)
        parts.append(Part(span, span, before, tables, started, marks))
    if len(log.tables) == 1:
        ends = [part.span.first for part in parts[1:]] + [log.firsts[-1]]
        parts = [part._replace(alone=starts.before(end) == part.started) for part, end in zip(parts, ends, strict=True)]
    return parts


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
