"""The audit of one table over a stretch of a log, by itself: the same handlers, and nothing to do with other tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NoReturn

from ..codes import CATALOGUE
from ..findings.finding import LOG, Finding, Place
from ..findings.report import Report
from ..kinds import HANDLERS, QUICK
from ..walk.audit import Audit
from ..walk.bounds import CARDS_AN_ENTRY, FREE_CARDS
from ..walk.state import Shoe
from .digests import Digests
from .lines import NotInParts
from .standing import Standing


@dataclass
class Tally:
    """What an audit of one table counted over a stretch: its report, in which there are notes at most, the digests that
    may not come twice in a log, what could not be checked."""

    report: Report
    commitments: Digests
    hashes: Digests
    unchecked: Counter[tuple[str, str]]
    entries: int

    @property
    def notes(self) -> list[Finding]:
        return self.report.findings

    def put_away(self, file: BinaryIO) -> None:
        """What grows with the log goes to the disk."""
        self.commitments.put_away(file)
        self.hashes.put_away(file)


@dataclass
class Budget:
    """How many cards were put in order over a stretch, of all tables together: of so many `shares` of them none has
    more than its part."""

    shares: int = 1
    ordered: int = 0


@dataclass
class Around:
    """What the tables of a stretch have in common: the last start, how many cards."""

    started: str
    budget: Budget = field(default_factory=Budget)


class Desk(Audit):
    """Raises NotInParts with the first finding that is more than a note."""

    def __init__(self, around: Around, standing: Standing | None = None) -> None:
        super().__init__(Report(everything=True), HANDLERS, QUICK)
        self.around = around
        self.started = around.started
        if standing is not None:
            self.tables[standing.state.id] = standing.state
            self.shoes = {shoe.id: shoe for shoe in standing.shoes}

    def find(self, code: str, place: Place = LOG, **said: Any) -> None:
        if CATALOGUE[code].severity == "fail":
            _leave()
        super().find(code, place, **said)

    def may_order(self, shoe: Shoe) -> bool:
        budget = self.around.budget
        budget.ordered += len(shoe.deck)
        if budget.ordered * budget.shares > FREE_CARDS + CARDS_AN_ENTRY * self.index:
            _leave()
        return True

    def standing(self) -> Standing:
        (state,) = self.tables.values()
        return Standing(state, list(self.shoes.values()))

    def tally(self) -> Tally:
        if len(self.tables) > 1 or self.passed or self.unknown or self.decks or self.parts or len(self.names.others):
            _leave()
        return Tally(self.report, Digests(self.commitments), Digests(self.hashes), self.unchecked, self.known)


def _leave() -> NoReturn:
    raise NotInParts
