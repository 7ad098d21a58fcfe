"""What is done with a part of a log: its tables are taken over and audited, or others followed to where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .desk import Around, Budget, Desk, Tally
from .lines import NotInParts, batches, check_time, kind_of_line, table_of_line, time_of_line
from .looking import Looking
from .standing import unpacked
from .trees import Node, Stretch, joined
from .warm import Warming


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
    """A part to be audited: `span`, of which it hashes the lines `hashed` and looks at their times. `before`: the lines
    before it from which on its tables are followed, with the `tables` as they were there, None where it begins with the
    log. `started`: the last start before it. `marks`: the sizes within `hashed` whose tree somebody asks for.

    `others`: the tables that are another share's, of so many `shares`. `alone`: there is one table, and no start.
    `looks`: what looks on, where the part has whole tables.
    """

    span: Span
    hashed: Span
    before: Span
    tables: bytes | None
    started: str
    marks: tuple[int, ...]
    others: frozenset[bytes] = frozenset()
    shares: int = 1
    alone: bool = False
    looks: Callable[[], Looking] | None = None

    def batches(self) -> Iterator[tuple[bool, list[bytes]]]:
        """All lines, and whether they are to be hashed."""
        path, begin, end, _ = self.span
        for hashed, start, stop in (
            (False, begin, self.hashed.begin),
            (True, self.hashed.begin, self.hashed.end),
            (False, self.hashed.end, end),
        ):
            for lines in batches(path, start, stop):
                yield hashed, lines


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
    first_at: bytes = b""
    last_at: bytes = b""
    ordered: int = 0
    tables: dict[bytes, Audited] = field(default_factory=dict)
    taken: dict[bytes, Taken] = field(default_factory=dict)
    born: list[bytes] = field(default_factory=list)
    passed_over: set[bytes] = field(default_factory=set)
    wrong: set[bytes] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)
    looked: Looking | None = None
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
        self.around = Around(part.started, Budget(part.shares))
        self.desks: dict[bytes, Desk] = {}
        self.stretch = Stretch(part.hashed.first)
        self.played.looked = None if part.looks is None else part.looks()
        self.take: Callable[[Desk, bytes], None] = self.played.looked or Desk.take

    def play(self) -> Played:
        part, played, desks = self.part, self.played, self.desks
        if self.warming is not None:
            for index, line in part.before.lines():
                self.warming.take(index, table_of_line(line), line)
        index = part.span.first
        for hashed, lines in part.batches():
            if hashed:
                self._hash(lines)
            (self._in_a_row if part.alone and desks else self._in_turn)(index, lines)
            index += len(lines)
        played.nodes, played.entries = self.stretch.nodes, index - part.span.first
        played.ordered = self.around.budget.ordered
        played.tables = {name: Audited(desk.tally(), desk.standing().packed()) for name, desk in desks.items()}
        return played

    def _hash(self, lines: list[bytes]) -> None:
        played, index = self.played, self.stretch.end
        if lines and not played.first_at:
            played.first_at = time_of_line(lines[0])
        played.last_at = check_time(lines, played.last_at)
        for mark in self.part.marks:
            if index <= mark < index + len(lines):
                before = Stretch(index)
                before.extend(lines[: mark - index])
                played.marked[mark] = joined(self.stretch.nodes, before.nodes)
        self.stretch.extend(lines)

    def _in_turn(self, index: int, lines: list[bytes]) -> None:
        desks, others, take = self.desks, self.part.others, self.take
        for index, line in enumerate(lines, index):  # noqa: B020 - the number of this line
            name = table_of_line(line)
            desk = desks.get(name)
            if desk is None:
                if name in others:
                    continue
                desk = self._other(index, name, line)
                if desk is None:
                    continue
            desk.index = index - 1
            try:
                take(desk, line)
            except NotInParts:
                self._wrong(name)

    def _in_a_row(self, index: int, lines: list[bytes]) -> None:
        """All lines are the one table's: nothing is to be asked between two of them."""
        ((name, desk),) = self.desks.items()
        desk.index = index - 1
        try:
            for line in lines:
                desk.take(line)
        except NotInParts:
            self._wrong(name)
            self._in_turn(desk.index + 1, lines[desk.index + 1 - index :])

    def _wrong(self, name: bytes) -> None:
        """Something was found at a table: at one taken over perhaps for what was assumed of it."""
        if name not in self.played.taken:
            raise NotInParts
        del self.desks[name]
        self.played.wrong.add(name)

    def _other(self, index: int, name: bytes, line: bytes) -> Desk | None:
        """An entry about no table of this part so far. Gives the desk that is to take it, if there is one now."""
        kind = kind_of_line(line)
        if not name:
            self._start(index, kind, line)
        elif kind == b"table":
            self.played.born.append(name)
            self.desks[name] = Desk(self.around)
            return self.desks[name]
        elif self.warming is None:
            raise NotInParts
        else:
            self.played.passed_over.add(name)
            if name not in self.played.wrong and self.warming.take(index, name, line):
                standing = self.warming.give(name)
                self.played.taken[name] = Taken(index, standing.digest())
                self.desks[name] = Desk(self.around, standing)
        return None

    def _start(self, index: int, kind: bytes, line: bytes) -> None:
        if kind != b"start":
            raise NotInParts
        desk = Desk(self.around)
        desk.index = index - 1
        desk.take(line)
        self.around.started = desk.started
        for each in self.desks.values():
            each.started = desk.started
        if any(desk.shoes for desk in self.desks.values()):
            self.played.busy.add(index)
        if self.warming is not None:
            self.warming.audit.started = desk.started


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
            desk.index = index - 1
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
            around.started = time_of_line(line).decode(errors="replace")
            for each in desks.values():
                each.started = around.started
            if any(desk.shoes for desk in desks.values()):
                walked.busy.add(index)
        if not desks:
            break
    walked.ordered = around.budget.ordered
    walked.other = {name: Audited(desk.tally(), desk.standing().packed()) for name, desk in desks.items()}
    return walked
