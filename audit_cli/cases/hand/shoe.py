"""One hand of a log from its shoe's beginning to its end: the lines of its table are known by their bytes, and all
others go into the tree unparsed.

What the table's book says before the shoe is taken from the `shoe` itself, as of a proof (`initial_books`); where only
a few entries of the table stand before it these are audited, too. An answer is made of all this only where nothing is
wrong: else the whole log is audited, and has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairshoe.errors import LogError
from fairshoe.log.times import is_moment
from fairshoe.log.tree import Tree
from fairshoe.record.hand_entries import ENDS, round_of

from ...verify.evidence.head import HouseEvidence
from ...verify.run import Take, TakeLines
from ...verify.sharing import MAX_ENDS, MAX_KEPT, SHOE, kind_of_line, table_of_line, time_of_line
from ...verify.walk.audit import Audit
from ...verify.walk.shapes import KINDS
from ...verify.walk.watcher import entry_of
from .initial_books import prime
from .parts import LocatedEntry, ProofEntries
from .watcher import HandWatcher

_BUY_IN = re.compile(rb'"op":"buy-in","player":"[^"]*","seat":([0-9]+),')
MAX_LINES_BEFORE = 1_000
"""Maximum number of lines before the hand's shoe that are audited from the table's beginning on."""
ALWAYS = (b"table", b"close")
"""Kinds of entry of a table that are taken wherever they stand."""
ENDINGS = [kind.encode() for kind in ENDS]


class WholeLogNeeded(Exception):
    """The hand cannot be told from its shoe's entries alone."""


class LocatedLine(NamedTuple):
    """A line with its place in the log, the one before it, its kind, and whether the hand's own table is named in
    it."""

    place: int
    before: bytes
    line: bytes
    kind: bytes
    own: bool


class ShoeAudit:
    """Given to `verify` as its `going_on`: has the entries of the hand's table judged from its shoe's beginning on, and
    from the log's beginning those that open a table or are about none, such as `start`. Raises WholeLogNeeded at the
    log's end where the round is not there, or its shoe's beginning cannot be read."""

    size = 0

    def __init__(self, name: str, watcher: HandWatcher) -> None:
        table, number = round_of(name)
        self.all_of_table = True  # also all of the table before is judged
        self._name = name
        self._table = table.encode()
        self._round = f'"round":{number},'.encode()
        self._watcher = watcher
        self._known: dict[bytes, bool] = {}  # tables by name, and whether each is the hand's
        self._kept: list[LocatedLine] = []  # since the table's last `shoe`, or its beginning
        self._dealt: list[tuple[int, bytes, bytes]] = []  # but for these, which name a shoe of the table
        self._sat: dict[tuple[bytes, bool], bytes] = {}  # last buy-in for each chair before, and last with a name
        self._place = 0
        self._last = self._hour = b""
        self._own: set[bytes] = set()  # ends of lines, by which those are known
        self._others: set[bytes] = set()  # ends of lines that nobody needs
        self._found = False
        self._shoe = b""

    def begin(self, audit: Audit, head: HouseEvidence, roots: Mapping[int, bytes], take: Take) -> TakeLines:
        self._audit = audit
        self._take_entry = take
        return self._take

    def _take(self, lines: Sequence[bytes]) -> None:
        if not lines[0][7:20] == lines[-1][7:20] == self._hour:
            self._pass_hours(lines)
        own, others, hand, before = self._own, self._others, self._round, self._last
        for place, line in enumerate(lines, self._place):
            end = line[line.rfind(SHOE) :]
            if end in own and hand not in line:
                self._dealt.append((place, before, line))
            elif end not in others:
                self._keep(place, before, line, end)
            before = line
        self._place += len(lines)
        self._last = before

    def _pass_hours(self, lines: Sequence[bytes]) -> None:
        before = self._last
        for line in lines:
            if line[7:20] != self._hour:
                self._hour = line[7:20]
                last, at = time_of_line(before), time_of_line(line)
                if is_moment(last) and is_moment(at):  # time may have passed in which nothing was logged
                    self._audit.time.pass_on(last, at)
            before = line

    def _keep(self, place: int, before: bytes, line: bytes, end: bytes) -> None:
        """Look at a line that is not known by its end; what is of another table is known by it from now on."""
        name = table_of_line(line)
        own = self._known.get(name)
        if own is False:
            _remember(self._others, end)
            return
        kind = kind_of_line(line)
        if own is None:
            self._audit.known_count += kind.decode(errors="replace") in KINDS
            if kind == b"table":  # another one is opened all the same: a `start` may name it
                own = self._known[name] = name == self._table
        each = LocatedLine(place, before, line, kind, own is True)
        if self._shoe:
            of_shoe = self._shoe in line and (kind != b"late" or self.all_of_table)
            if of_shoe or not own or kind == b"table":
                self._judge(each)
            elif self._shoe not in line:
                _remember(self._others, end)
            return
        if own and kind == b"shoe":
            if self._found:  # the end of the hand's shoe is missing
                self._judge_kept()
                self._judge(each)
                return
            self._begin_shoe()
        self._kept.append(each)
        if not own:
            return
        if kind == b"open" and self._round in line:
            self._found = True
            self._own.clear()
        elif not self._found:
            _remember(self._own, end)
        elif kind in ENDINGS:
            self._judge_kept()

    def _begin_shoe(self) -> None:
        """The table's next shoe: nobody needs the one before, unless there were few lines so far."""
        if self.all_of_table and len(self._kept) + len(self._dealt) < MAX_LINES_BEFORE:
            return
        self.all_of_table = False
        for each in self._kept:
            if not each.own or each.kind in ALWAYS:
                self._judge(each)
            elif each.kind == b"chips" and (found := _BUY_IN.search(each.line)):
                self._sat[found[1], b'"name":"' in each.line] = each.line
        self._kept, self._dealt = [], []

    def _judge_kept(self) -> None:
        """All that the hand's shoe has, up to its end. Raises WholeLogNeeded."""
        self._kept = sorted([*self._kept, *(LocatedLine(*each, kind_of_line(each[-1]), True) for each in self._dealt)])
        try:
            parts = self._parts()
            for each in self._kept:
                if not self.all_of_table and each.own:
                    prime(self._audit, parts, part_of(each), all_from_shoe=True)
                if each.kind != b"late" or self.all_of_table:
                    self._judge(each)
        except LogError:
            raise
        except Exception as error:  # what stands there is no honest entry
            raise WholeLogNeeded from error
        self._kept, self._dealt = [], []

    def _parts(self) -> ProofEntries:
        """Read the stored entries of the hand's shoe, and the last buy-ins before it for each chair."""
        own = [part_of(each) for each in self._kept if each.own]
        begins = max(number for number, part in enumerate(own) if part.entry.get("kind") == "shoe")
        parts = ProofEntries(self._name, [part for part in own[begins:] if part.entry])
        self._shoe = f'"shoe":"{parts.all[0].entry["shoe"]}"'.encode()
        sat = [entry_of(line) for line in self._sat.values()]
        parts.seats = {entry["seat"]: entry["player"] for entry in sat} | parts.seats
        for entry in sat:
            if "name" in entry:
                self._watcher.names[parts.table, entry["player"]] = entry["name"]
        return parts

    def _judge(self, each: LocatedLine) -> None:
        audit = self._audit
        audit.index = each.place - 1
        before = time_of_line(each.before)
        if is_moment(before):
            audit.last_at = before
        self._take_entry(each.line)

    def end(self, tree: Tree) -> None:
        if not self._found:
            raise WholeLogNeeded
        if not self._shoe:
            self._judge_kept()
        last = time_of_line(self._last)
        if is_moment(last):
            self._audit.last_at = last


def _remember(ends: set[bytes], end: bytes) -> None:
    """The next line that ends so is known at a glance."""
    if 1 < len(end) <= MAX_KEPT:
        if len(ends) >= MAX_ENDS:
            ends.clear()
        ends.add(end)


def part_of(each: LocatedLine) -> LocatedEntry:
    return LocatedEntry(each.place, each.line, entry_of(each.line))
