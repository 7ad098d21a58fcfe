"""What is done with a part of a log: its tables are taken over and audited, or others followed to where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .desk import Around, Desk, Tally
from .lines import NotInParts, batches, kind_of_line, table_of_line
from .standing import unpacked
from .trees import Node, Stretch, joined
from .warm import Warming

_AT = re.compile(rb'"at":"([^"\\]{27})"')


class Span(NamedTuple):
    """Whole lines of a file: its bytes, and the number of the first one in the log."""

    path: Path
    begin: int
    end: int
    first: int

    def batches(self) -> Iterator[list[bytes]]:
        return batches(self.path, self.begin, self.end)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        return enumerate(chain.from_iterable(self.batches()), self.first)


class Part(NamedTuple):
    """A part to be audited. `before`: the lines before it from which on its tables are followed, with the `tables` as
    they were there, None for the first part. `started`: the last start before it. `marks`: the sizes
    within it whose tree somebody asks for. `alone`: the log has one table, and this part no start."""

    span: Span
    before: Span
    tables: bytes | None
    started: str
    marks: tuple[int, ...]
    alone: bool


class Taken(NamedTuple):
    """After which entry a part took a table over, and the digest of how it assumed that it stood."""

    entry: int
    digest: bytes


class Audited(NamedTuple):
    """A table over a stretch: what was counted, and how it stood at the end, packed."""

    tally: Tally
    standing: bytes


@dataclass
class Played:
    """What came of a part. `born` are tables that open in it, `taken` those that it took over, `passed_over` those that
    some entry in it is about that was another part's; `wrong` those taken over in which something was found, from there
    on or because they were not as assumed; `busy`: the starts at which a shoe was in play."""

    entries: int = 0
    first_at: str = ""
    last_at: str = ""
    ordered: int = 0
    tables: dict[bytes, Audited] = field(default_factory=dict)
    taken: dict[bytes, Taken] = field(default_factory=dict)
    born: list[bytes] = field(default_factory=list)
    passed_over: set[bytes] = field(default_factory=set)
    wrong: set[bytes] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)
    nodes: list[Node] = field(default_factory=list)
    marked: dict[int, list[Node]] = field(default_factory=dict)


def play(part: Part) -> Played:
    """Audit a part. Raises NotInParts."""
    return _Playing(part).play()


class _Playing:
    def __init__(self, part: Part) -> None:
        self.part = part
        self.played = Played()
        self.warming = None if part.tables is None else Warming(part.tables, part.started)
        self.around = Around(part.started)
        self.desks: dict[bytes, Desk] = {}

    def play(self) -> Played:
        part, played, around, desks = self.part, self.played, self.around, self.desks
        if self.warming is not None:
            for index, line in part.before.lines():
                self.warming.take(index, table_of_line(line), line)
        stretch, index = Stretch(part.span.first), part.span.first
        for lines in part.span.batches():
            for mark in part.marks:
                if index <= mark < index + len(lines):
                    before = Stretch(index)
                    before.extend(lines[: mark - index])
                    played.marked[mark] = joined(stretch.nodes, before.nodes)
            stretch.extend(lines)
            if lines and not played.first_at:
                played.first_at = _at(lines[0])
            done = self._in_a_row(index, lines) if part.alone and desks else 0
            index += done
            for line in lines[done:]:
                desk = desks.get(table_of_line(line)) or self._other(index, line)
                if desk is not None:
                    desk.index, desk.last_at, desk.started = index - 1, around.last_at, around.started
                    try:
                        desk.take(line)
                        around.last_at = desk.last_at
                    except NotInParts:
                        self._wrong(line)
                index += 1
        played.nodes, played.entries = stretch.nodes, index - part.span.first
        played.last_at, played.ordered = around.last_at, around.budget.ordered
        played.tables = {name: Audited(desk.tally(), desk.standing().packed()) for name, desk in desks.items()}
        return played

    def _in_a_row(self, index: int, lines: list[bytes]) -> int:
        """All lines are the one table's: nothing is to be asked between two of them. How many it took."""
        (desk,), around = self.desks.values(), self.around
        desk.index, desk.last_at, desk.started = index - 1, around.last_at, around.started
        try:
            for line in lines:
                desk.take(line)
        except NotInParts:
            done = desk.index - index
            around.last_at = _at(lines[done - 1]) if done else around.last_at
            self._wrong(lines[done])
            return done + 1
        around.last_at = desk.last_at
        return len(lines)

    def _wrong(self, line: bytes) -> None:
        """Something was found at a table: at one taken over perhaps for what was assumed of it."""
        name = table_of_line(line)
        if name not in self.played.taken:
            raise NotInParts
        del self.desks[name]
        self.played.wrong.add(name)
        self._passed_over(line)

    def _other(self, index: int, line: bytes) -> Desk | None:
        """An entry about no table of this part so far. Gives the desk that is to take it, if there is one now."""
        name, kind = table_of_line(line), kind_of_line(line)
        if not name:
            self._start(index, kind, line)
        elif kind == b"table":
            self.played.born.append(name)
            self.desks[name] = Desk(self.around)
            return self.desks[name]
        elif self.warming is None:
            raise NotInParts
        else:
            self._passed_over(line)
            self.played.passed_over.add(name)
            if name not in self.played.wrong and self.warming.take(index, name, line):
                standing = self.warming.give(name)
                self.played.taken[name] = Taken(index, standing.digest())
                self.desks[name] = Desk(self.around, standing)
        return None

    def _passed_over(self, line: bytes) -> None:
        """Time rises through entries of other parts too; whether the time is one is looked at there."""
        at = _at(line)
        if at <= self.around.last_at:
            raise NotInParts
        self.around.last_at = at

    def _start(self, index: int, kind: bytes, line: bytes) -> None:
        if kind != b"start":
            raise NotInParts
        desk = Desk(self.around)
        desk.last_at = self.around.last_at
        desk.index = index - 1
        desk.take(line)
        self.around.last_at = desk.last_at
        self.around.started = desk.started
        if any(desk.shoes for desk in self.desks.values()):
            self.played.busy.add(index)
        if self.warming is not None:
            self.warming.audit.started = desk.started


def _at(line: bytes) -> str:
    """The time that an entry says; "" where it says none."""
    found = _AT.search(line)
    return "" if found is None else found[1].decode(errors="replace")


class Walk(NamedTuple):
    """Tables to be followed into a part, packed by name: each to where that took it over, if it stands there as that
    assumed; else to the part's end."""

    span: Span
    started: str
    tables: dict[bytes, bytes]
    taken: dict[bytes, Taken]


@dataclass
class Walked:
    """What came of it: `met` are the tables that were found as assumed, `other` those that go on; `wrong` those in
    which something was found."""

    ordered: int = 0
    met: dict[bytes, Tally] = field(default_factory=dict)
    other: dict[bytes, Audited] = field(default_factory=dict)
    wrong: set[bytes] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)


def walk(into: Walk) -> Walked:
    """Audit tables to where another part goes on with them."""
    walked, around = Walked(), Around(into.started)
    desks = {name: Desk(around, unpacked(data)) for name, data in into.tables.items()}
    for index, line in into.span.lines():
        name = table_of_line(line)
        desk = desks.get(name)
        if desk is not None:
            desk.index, desk.started = index - 1, around.started
            try:
                desk.take(line)
            except NotInParts:
                del desks[name]
                walked.wrong.add(name)
                continue
            taken = into.taken.get(name)
            if taken is not None and taken.entry == index and desk.standing().digest() == taken.digest:
                walked.met[name] = desks.pop(name).tally()
        elif not name and kind_of_line(line) == b"start":
            around.started = _at(line)
            if any(desk.shoes for desk in desks.values()):
                walked.busy.add(index)
        if not desks:
            break
    walked.ordered = around.budget.ordered
    walked.other = {name: Audited(desk.tally(), desk.standing().packed()) for name, desk in desks.items()}
    return walked
