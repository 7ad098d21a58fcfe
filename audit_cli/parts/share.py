"""A share of a log's tables, audited from its beginning to its end by one process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.ceremony.choices import Choices
from fairshoe.log.tree import EMPTY_ROOT, Tree

from ..findings.finding import CATALOGUE, LOG, Place
from ..findings.report import Report
from ..registry import HANDLERS, QUICK
from ..walk.audit import Audit
from ..walk.state import CARDS_AN_ENTRY, FREE_CARDS, Shoe, TableState
from ..walk.times import LogTime, Starts
from .lines import OnePass, batches, kind_of_line, table_of_line, time_of_line
from .looking import Looking


class Share(NamedTuple):
    """Share `number` (from 0) `of` so many of the tables in the first `size` bytes of a file. `marks`: the sizes whose
    tree head somebody asks for. `looks`: what looks on."""

    path: Path
    size: int
    number: int
    of: int
    marks: Sequence[int] = ()
    looks: Callable[[], Looking] | None = None

    def has(self, table: int) -> bool:
        """Whether the table that comes so many-th in the log is in the share: they are dealt out to and fro, so that
        games that come in turn are not each one worker's."""
        turn, place = divmod(table, self.of)
        return self.number == (self.of - 1 - place if turn & 1 else place)

    @property
    def hashes(self) -> bool:
        """Whether it falls to this one to hash the log: the last, which has nothing else to do where there is one
        table."""
        return self.number == self.of - 1


@dataclass
class Audited:
    """What came of a share: the `report`, in which there are notes at most, and what could not be checked; the tables
    by their place in the log, and the shoes in play, as they stood at its end; the digests that may not come twice in
    a log. `busy` says of each `start` whether a shoe of the share was in play.

    Of the log as a whole: the `digest` of its bytes, by which all shares have read the same; how many `entries`, the
    first and the last time, its own time, the starts. `tree` and the tree heads by size are known to the one that
    hashes it.
    """

    report: Report
    unchecked: Counter[tuple[str, str]]
    tables: dict[int, TableState]
    shoes: list[Shoe]
    commitments: bytes
    hashes: bytes
    busy: list[bool]
    digest: bytes
    entries: int
    first_at: str
    last_at: str
    time: LogTime
    starts: Starts
    begun: int
    tree: Tree | None
    roots: dict[int, bytes]
    looked: Looking | None


class Desk(Audit):
    """An audit of some tables of a log. Raises OnePass with the first finding that is more than a note, and where `of`
    so many shares together may ask for too many cards."""

    def __init__(self, of: int) -> None:
        super().__init__(Report(everything=True), HANDLERS, QUICK)
        self.of = of

    def find(self, code: str, place: Place = LOG, **said: Any) -> None:
        if CATALOGUE[code].severity == "fail":
            raise OnePass
        super().find(code, place, **said)

    def may_order(self, shoe: Shoe) -> bool:
        self.ordered += len(shoe.deck)
        if self.ordered * self.of > FREE_CARDS + CARDS_AN_ENTRY * self.index:
            raise OnePass
        return True

    def pass_over(self, line: bytes) -> None:
        """An entry about another share's table: whoever has that looks at it."""
        self.index += 1
        at = time_of_line(line)
        if at[:13] != self.last_at[:13]:
            self.time.pass_on(self.last_at, at)
        self.last_at = at
        if not self.index:
            self.first_at = self.last_at


def audited(share: Share) -> Audited:
    """Audit a share. Raises OnePass."""
    return _Auditing(share).audited()


class _Auditing:
    """`mine`: whether a table is in the share, by the names of all, as they come in the log."""

    def __init__(self, share: Share) -> None:
        self.share = share
        self.desk = Desk(share.of)
        self.mine: dict[bytes, bool] = {}
        self.busy: list[bool] = []
        self.tree, self.roots = Tree(), {0: EMPTY_ROOT}
        self.looked = None if share.looks is None else share.looks()
        self.take = self.desk.take if self.looked is None else partial(self.looked, self.desk)

    def audited(self) -> Audited:
        share, desk, digest = self.share, self.desk, sha256()
        for lines in batches(share.path, share.size, digest.update):
            if share.hashes:
                self._hash(lines)
            self._go(lines)
        if desk.passed or desk.unknown or len(desk.names.others):
            raise OnePass
        return Audited(
            desk.report,
            desk.unchecked,
            {place: desk.tables[name.decode()] for place, name in enumerate(self.mine) if self.mine[name]},
            list(desk.shoes.values()),
            b"".join(desk.commitments),
            b"".join(desk.hashes),
            self.busy,
            digest.digest(),
            desk.index + 1,
            desk.first_at,
            desk.last_at,
            desk.time,
            desk.starts,
            desk.begun,
            self.tree if share.hashes else None,
            self.roots,
            self.looked,
        )

    def _go(self, lines: list[bytes]) -> None:
        mine, take, pass_over = self.mine, self.take, self.desk.pass_over
        for line in lines:
            name = table_of_line(line)
            own = mine.get(name)
            if own is None:
                own = self._other(name, line)
            if own:
                take(line)
            elif name:
                pass_over(line)

    def _other(self, name: bytes, line: bytes) -> bool:
        """A line about no table so far: whether it opens one of the share. A start, which every share takes, is told
        to nobody who looks on."""
        kind = kind_of_line(line)
        if name and kind == b"table":
            self.mine[name] = self.share.has(len(self.mine))
            return self.mine[name]
        if name or kind != b"start" or b'"continues"' in line:
            raise OnePass
        desk, choices = self.desk, self.desk.report.choices
        self.busy.append(bool(desk.shoes))
        desk.report.choices = Choices()  # it is counted once, for all shares
        desk.take(line)
        desk.report.choices = choices
        return False

    def _hash(self, lines: list[bytes]) -> None:
        """The lines go into the tree."""
        tree, done = self.tree, 0
        for mark in self.share.marks:
            if tree.size <= mark <= tree.size + len(lines) - done:
                here = done + mark - tree.size
                tree.extend(lines[done:here])
                self.roots[mark], done = tree.root, here
        tree.extend(lines[done:])
