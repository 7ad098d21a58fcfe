"""Decides receipts while the log is audited: each part where the log comes to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from fairshoe.ceremony.book import bets_that_stand
from fairshoe.ceremony.receipts import BANK, BET, CHIPS, DECISION, ROUND, SEED, STANDS, chair_view
from fairshoe.engine.table import Bet, Table
from fairshoe.log.canonical import Entry

from ..receipts import acts
from ..walk.audit import Audit
from ..walk.shapes import KINDS, entry_faults
from ..walk.state import Shoe, TableState
from ..walk.watching import Watcher, entry_of, table_named
from .reading import Receipt
from .verdict import ACT, TIME, VIEW, Case, Word

ENDS = ("reveal", "void", "lost")
OWN = (SEED, CHIPS)
"""What has an entry of its own, the first of its step."""


class Dealing(NamedTuple):
    """A round before its `round` entry."""

    number: int
    table: Table
    bets: list[Bet]
    position: int
    present: int
    size: int


class Judge(Watcher):
    """`cases` are the receipts in the order of their file; once they are `decided` each has a word."""

    def __init__(self, receipts: Iterable[Receipt]) -> None:
        super().__init__()
        self.cases = [Case(receipt) for receipt in receipts]
        self._after: dict[int, list[Case]] = defaultdict(list)
        self._at: dict[int, list[Case]] = defaultdict(list)
        self._shoes: dict[str, list[Case]] = defaultdict(list)
        self._banks: dict[str, list[Case]] = defaultdict(list)
        self._dealing: Dealing | None = None
        for case in self.cases:
            if case.receipt.refused:
                case.decide("refused")
            else:
                self._await(case)
        acts.supersede(self.cases)

    def _await(self, case: Case) -> None:
        """Where the log decides the parts of a receipt."""
        form = case.form
        if form["do"] == BET and form["state"] == STANDS:
            case.left = {ACT}
        else:
            for index in {form["before"] - 1, form["before"], form["size"] - 1}:
                self._at[index].append(case)
        if form["do"] in OWN:
            return
        if form.get("about") == BANK:
            self._banks[form["table"]].append(case)
        else:
            self._shoes[form["shoe"]].append(case)

    def before(self, audit: Audit, shoe: Shoe | None) -> None:
        self._dealing = None
        if shoe is None or shoe.id not in self._shoes or shoe.book is None:
            return
        book, told, opened = shoe.book, shoe.told, shoe.book.open
        if opened is not None and book.live and book.live[0] is told:
            bets = bets_that_stand(book, told, opened)
            self._dealing = Dealing(opened.number, book.table, bets, told.position, told.present, told.cards)

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        here = self._at.get(audit.index, ())
        waiting = self._shoes.get(shoe.id, ()) if shoe is not None else ()
        if not here and not waiting and not self._banks:
            return
        entry = audit.entry or entry_of(line)
        kind = entry.get("kind")
        readable = type(kind) is str and kind in KINDS and not entry_faults(entry)
        if waiting and shoe is not None and readable:
            self._step(audit, shoe, entry, waiting)
        if self._banks and readable:
            self._bank(audit, entry)
        for case in here:
            self._passed(audit, case, entry if readable else {})

    # Where a step stands in the log.

    def _passed(self, audit: Audit, case: Case, entry: Entry) -> None:
        index, form = audit.index, case.form
        at = entry.get("at")
        if index == form["before"] and form["do"] in OWN:
            acts.own_entry(case, index, entry)
        elif at is not None and (at < form["at"] if index >= form["before"] else at >= form["at"]):
            case.differs(index, "at", form["at"], at)
        if index == form["size"] - 1:
            case.agree(TIME, index)
            self._view(audit, case)

    def _view(self, audit: Audit, case: Case) -> None:
        """What the seat saw when its step was done, but for the cards of a round."""
        form = case.form
        state = audit.tables.get(form["table"])
        shown = {name: value for name, value in form["view"].items() if (form["do"], name) != (DECISION, ROUND)}
        if state is None:
            case.decide("missing", audit.index, f"the log has no table {form['table']} then")
            return
        wanted = chair_view(state.book, form["seat"], _commitment(audit, state))
        sits = state.book.table.players.get(form["seat"])
        if sits != (None if "leaves" in form else form["player"]):
            case.differs(audit.index, "player", form["player"], sits)
        acts.same(case, VIEW, audit.index, wanted, shown, "view")

    # What the log says of it later.

    def _step(self, audit: Audit, shoe: Shoe, entry: Entry, cases: Iterable[Case]) -> None:
        """An entry about a shoe."""
        kind = entry.get("kind")
        for case in cases:
            if case.word or ACT not in case.left or audit.index < case.form.get("before", 0):
                continue
            if kind in ENDS:
                acts.ended(case, audit.index, shoe, entry)
            elif kind == "round" and self._dealing is not None:
                acts.round(case, audit.index, self._dealing, entry)
            elif kind == "open":
                acts.opened(case, audit.index, shoe, _commitment(audit, shoe.table), entry)
            elif kind == "seeds":
                acts.hashed(case, audit.index, shoe, entry)

    def _bank(self, audit: Audit, entry: Entry) -> None:
        """An entry after which the bank is not in question any more."""
        kind = entry.get("kind")
        if kind not in ("bank", "open", "shoe", *ENDS):
            return
        named: Any = entry.get("table") if kind == "bank" else table_named(entry.get("shoe"))
        for case in self._banks.get(named, ()) if type(named) is str else ():
            if not case.word and ACT in case.left and audit.index >= case.form["before"]:
                acts.banked(case, audit.index, entry)

    # The end.

    def decided(self) -> list[Case]:
        """All cases, once the log has ended."""
        for case in self.cases:
            if not case.word:
                word, remark = _left(case.form, self.audit)
                case.decide(word, None, remark)
        return self.cases


def _left(form: Entry, audit: Audit | None) -> tuple[Word, str]:
    """The word for a receipt that the log never came to, and why."""
    size = 0 if audit is None else audit.index + 1
    behind = form["size"] > size if "size" in form else audit is None or form["at"] > audit.last_at
    if audit is None or behind:
        return "not yet", f"the log ends with entry {size - 1}, before it"
    shoe = form.get("shoe")
    if shoe is None:
        return "not yet", "it shows when the bank is settled"
    if shoe in audit.shoes:
        return "not yet", "it shows when the shoe has gone on"
    return "missing", f"is not there: nothing of it stands in the log about shoe {shoe}"


def _commitment(audit: Audit, state: TableState | None) -> str:
    """The live shoe's."""
    live = None if state is None or not state.book.live else audit.shoes.get(state.book.live[0].id)
    return "" if live is None else live.commitment
