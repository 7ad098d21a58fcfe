"""From parts to the whole: each must end as the next one assumed; then what they counted is that of one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from fairshoe.ceremony.choices import starts as counted_starts
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import EMPTY_ROOT, Tree

from ..findings.report import Report
from ..kinds import new_audit
from ..walk.audit import Audit
from ..walk.bounds import CARDS_AN_ENTRY, FREE_CARDS
from .cut import Cut
from .desk import Tally
from .lines import NotInParts
from .looking import Looking
from .play import Played, Walk, Walked
from .standing import unpacked
from .trees import Node, joined, tree_of


class Whole(NamedTuple):
    """A log audited in parts: its tree, the tree heads at sizes that were asked for; how many parts there were, how
    many tables they took over as they stood, and how many as they did not, so that these were audited again."""

    audit: Audit
    tree: Tree
    roots: dict[int, bytes]
    parts: int
    met: int
    again: int
    looked: Sequence[Looking]


class Chain:
    """Goes through the parts of a log in order, from what is known to be true to what was assumed.

    `tables` are those of the last part that are true at its end, `strays` the other tables that there are, packed:
    those that no part had rightly taken over. `tallies` are those of all stretches that count.
    """

    def __init__(self, cut: Cut, played: Sequence[Played], walk: Callable[[Walk], Walked]) -> None:
        self.cut = cut
        self.played = played
        self.walk = walk
        self.tallies: list[Tally] = []
        self.busy: set[int] = set()
        self.ordered = 0
        self.met = self.again = 0
        self.strays: dict[bytes, bytes] = {}
        self.tables: set[bytes] = set()

    def follow(self, walked: Sequence[Walked | None]) -> None:
        """`walked`: how the tables of each part were followed into the next. Raises NotInParts."""
        self._count(0, set(self.played[0].tables))
        for number in range(1, len(self.played)):
            into = walk_into(self.cut, self.played, number, self.strays)
            self._join(number, walked[number - 1], None if into is None else self.walk(into))
        self._check_size()

    def _check_size(self) -> None:
        """Each entry was audited, and once."""
        if sum(tally.entries for tally in self.tallies) + len(self.cut.starts.numbers) != self.cut.size:
            raise NotInParts

    def gather(self) -> None:
        """Each part had tables of its own, from the log's beginning to its end. Raises NotInParts."""
        for played in self.played:
            self._add(played, set(played.tables))
            self.strays |= {name: each.standing for name, each in played.tables.items()}
        self._check_size()

    def _join(self, number: int, walked: Walked | None, strayed: Walked | None) -> None:
        before, played = self.played[number - 1], self.played[number]
        known = self.tables | self.strays.keys()
        if played.passed_over - known or known.intersection(played.born):
            raise NotInParts
        doubtful = len(self.tables) < len(before.tables) + len(before.wrong)
        met: set[bytes] = set()
        strays = {name: before.tables[name].standing for name in self.tables} | self.strays
        for found, names in ((walked, self.tables), (strayed, set(self.strays))):
            if found is None:
                continue
            if found.wrong & names or (found is walked and doubtful and found.busy):
                raise NotInParts
            self.ordered += found.ordered
            self.busy |= found.busy
            self.tallies += [found.met[name] for name in found.met if name in names]
            self.tallies += [found.other[name].tally for name in found.other if name in names]
            strays |= {name: found.other[name].standing for name in found.other if name in names}
            met |= found.met.keys() & names
        self.strays = {name: data for name, data in strays.items() if name not in met}
        self.met += len(met)
        self.again += len(played.taken.keys() - met)
        if met & played.wrong or (played.busy and played.taken.keys() - met):
            raise NotInParts
        self._count(number, met | set(played.born))

    def _count(self, number: int, names: set[bytes]) -> None:
        """A part of which these tables are as it says."""
        played = self.played[number]
        self.tables = names
        self._add(played, names)
        if number and self.ordered > FREE_CARDS + CARDS_AN_ENTRY * self.cut.parts[number].span.first:
            raise NotInParts

    def _add(self, played: Played, names: set[bytes]) -> None:
        self.tallies += [played.tables[name].tally for name in sorted(names)]
        self.busy |= played.busy
        self.ordered += played.ordered


def walk_into(cut: Cut, played: Sequence[Played], number: int, tables: Mapping[bytes, bytes]) -> Walk | None:
    """How tables, packed, are to be followed into a part; None where no entry in it is about them."""
    span, part = cut.parts[number].span, played[number]
    started = cut.starts.before(span.first)
    starts = cut.starts.before(span.first + part.entries) != started
    wanted = {name: data for name, data in tables.items() if starts or name in part.passed_over}
    taken = {name: part.taken[name] for name in wanted if name in part.taken}
    return Walk(span, started, wanted, taken) if wanted else None


def whole(chain: Chain, report: Report, marks: Sequence[int], signed: Checkpoint | None) -> Whole:
    """The audit at the end of the log, as one pass leaves it. Raises NotInParts, with the report as it was, where
    digests come twice, or the log is not just what was `signed`."""
    tree, roots = _trees(chain, marks)
    if signed is not None and (tree.size, tree.root) != (signed.size, signed.root):
        raise NotInParts
    audit = new_audit(report)
    for tally in chain.tallies:
        for digests, seen in ((tally.commitments, audit.commitments), (tally.hashes, audit.hashes)):
            if not all(map(seen.add, digests)):
                raise NotInParts
    last = chain.played[-1]
    standings = chain.strays | {name: last.tables[name].standing for name in chain.tables}
    known = [unpacked(standings[name]) for name in chain.cut.tables]
    for standing in known:
        audit.tables[standing.state.id] = standing.state
    for shoe in sorted((shoe for standing in known for shoe in standing.shoes), key=attrgetter("index")):
        audit.shoes[shoe.id] = shoe
    for tally in chain.tallies:
        report.count(tally.report)
        audit.unchecked.update(tally.unchecked)
    for number in chain.cut.starts.numbers:
        report.choices.add(None, counted_starts(number in chain.busy))
    notes = [note for tally in chain.tallies for note in tally.notes]
    for _, found in groupby(sorted(notes, key=attrgetter("entry")), attrgetter("entry")):
        report.held += found
        report.settle()
    audit.first_at, audit.last_at = chain.played[0].first_at.decode(), last.last_at.decode()
    audit.started = chain.cut.starts.before(chain.cut.size)
    audit.known, audit.index = chain.cut.size, chain.cut.size - 1
    looked = [each.looked for each in chain.played if each.looked is not None]
    return Whole(audit, tree, roots, len(chain.played), chain.met, chain.again, looked)


def _trees(chain: Chain, marks: Sequence[int]) -> tuple[Tree, dict[int, bytes]]:
    """The tree, and the tree heads at `marks`; time rises over each cut. Raises NotInParts."""
    nodes: list[Node] = []
    roots, last_at = {0: EMPTY_ROOT}, b""
    for part, played in zip(chain.cut.parts, chain.played, strict=True):
        if played.first_at <= last_at:
            raise NotInParts
        last_at = played.last_at
        if part.hashed.first in marks:
            roots[part.hashed.first] = tree_of(nodes).root
        for size, more in played.marked.items():
            roots[size] = tree_of(joined(nodes, more)).root
        nodes = joined(nodes, played.nodes)
    tree = tree_of(nodes)
    if tree.size in marks:
        roots[tree.size] = tree.root
    return tree, roots
