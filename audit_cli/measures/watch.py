"""All measures of a log, fed while it is audited."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from fairshoe.ceremony.book import OpenRound
from fairshoe.engine.table import Table

from ..walk.audit import Audit
from ..walk.state import Shoe
from .company import Company
from .endings import Endings
from .outcomes import Outcomes
from .pace import Pace
from .results import Results
from .seen import Round

_ROUND = b'"kind":"round"'


@dataclass
class Measures:
    """Told of every entry `before` and `after` the audit takes it; keeps nothing of one entry until the next."""

    results: Results = field(default_factory=Results)
    pace: Pace = field(default_factory=Pace)
    outcomes: Outcomes = field(default_factory=Outcomes)
    company: Company = field(default_factory=Company)
    endings: Endings = field(default_factory=Endings)
    _open: OpenRound | None = field(default=None, init=False, repr=False)
    _table: Table | None = field(default=None, init=False, repr=False)

    def before(self, audit: Audit, shoe: Shoe | None) -> None:
        """The books stand as they were: `shoe` is the one in play that the entry names."""
        book = None if shoe is None else shoe.book
        self._open, self._table = (None, None) if book is None else (book.open, book.table)

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        """The entry was taken; what the audit could not follow, and a round that is wrong, is not counted."""
        if not audit.followed:
            return
        if shoe is not None and shoe.id not in audit.shoes:
            table = "" if shoe.table is None else shoe.table.id
            self.endings.ended(table, audit.entry or json.loads(line), len(shoe.rounds))
        if self._open is None or self._table is None or _ROUND not in line or not _is_sound(audit, shoe):
            return
        entry: dict[str, Any] = audit.entry or json.loads(line)
        seen = _seen(entry, self._open, self._table, first=shoe is not None and len(shoe.rounds) == 1)
        for measure in (self.results, self.pace, self.outcomes, self.company):
            measure.round(seen)

    def merge(self, later: Measures) -> None:
        """Add what was counted of later entries, or of other tables."""
        self.results.merge(later.results)
        self.pace.merge(later.pace)
        self.outcomes.merge(later.outcomes)
        self.company.merge(later.company)
        self.endings.merge(later.endings)


def _is_sound(audit: Audit, shoe: Shoe | None) -> bool:
    """Whether the round was played again, and is as the rules have it."""
    if shoe is None or not shoe.rounds:
        return False
    dealt = shoe.rounds[-1]
    return dealt.line == audit.index and dealt.sound


def _seen(entry: dict[str, Any], opened: OpenRound, table: Table, *, first: bool) -> Round:
    dealt = {(hand["seat"], hand.get("box", hand["seat"])) for hand in entry["hands"]}
    stakes = {(bet.seat, bet.box): bet.amount for bet in opened.betting.bets if (bet.seat, bet.box) in dealt}
    name = entry["shoe"].rpartition("/")[0]
    return Round(entry["at"], opened.at, name, table.rules, entry, table.players, table.bank, stakes, first)
