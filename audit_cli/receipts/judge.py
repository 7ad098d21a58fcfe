"""Decides receipts while the log is audited: each part where the log comes to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from fairshoe.ceremony.book import bets_that_stand
from fairshoe.ceremony.receipts import BANK, BET, CHIPS, DECISION, ROUND, SEED, STANDS, chair_view
from fairshoe.engine.table import Bet, Table
from fairshoe.log.canonical import Entry
from fairshoe.log.times import microseconds

from ..receipts import acts
from ..walk.audit import Audit
from ..walk.shapes import KINDS, entry_faults
from ..walk.state import Shoe, TableState
from ..walk.watching import Watcher, entry_of, table_named
from .filed import filed
from .names import Act, Names
from .reading import Receipt
from .verdict import ACT, TIME, VIEW, Case, Word

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
        self.cases = filed(receipts)
        self._after: dict[int, list[Case]] = defaultdict(list)
        self._at: dict[int, list[Case]] = defaultdict(list)
        self._shoes: dict[str, list[Case]] = defaultdict(list)
        self._banks: dict[str, list[Case]] = defaultdict(list)
        self._dealing: Dealing | None = None
        for case in self.cases:
            if not case.receipt.refused:
                self._await(case)
        self._names = Names(self.cases)

    def _await(self, case: Case) -> None:
        """Where the log decides the parts of a receipt."""
        form = case.form
        if form["do"] == BET and form["state"] == STANDS:
            case.left = {ACT}
        else:
            for index in sorted({form["before"] - 1, form["before"], form["size"] - 1}):
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
        if opened is not None and book.shoe is told:
            bets = bets_that_stand(book, told, opened)
            self._dealing = Dealing(opened.number, book.table, bets, told.position, told.present, told.cards)

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        here = self._at.get(audit.index, ())
        waiting = self._shoes.get(shoe.id, ()) if shoe is not None else ()
        if not here and not waiting and not self._banks and not self._names:
            return
        entry = audit.entry or entry_of(line)
        kind = entry.get("kind")
        readable = type(kind) is str and kind in KINDS and not entry_faults(entry)
        if waiting and shoe is not None and readable:
            self._step(audit, shoe, entry, waiting)
        if self._banks and readable:
            self._bank(audit, entry)
        if self._names and readable:
            named = entry.get("table") if shoe is None else table_named(shoe.id)
            state = audit.tables.get(named) if type(named) is str else None
            if state is not None:
                self._names.look(audit.index, entry, state.book)
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
        elif at is not None and form["before"] <= index < form["size"] and _is_later(at, form, index):
            case.differs(index, "size", form["size"], f"an entry of {at}: the step was over")
        if index == form["before"] - 1:
            self._place(audit, case)
        if index == form["size"] - 1:
            case.agree(TIME, index)
            self._view(audit, case)

    def _place(self, audit: Audit, case: Case) -> None:
        """What the step was about, by the log before it: the live shoe, the open round or the bank."""
        form, index, state = case.form, audit.index, audit.tables.get(case.form["table"])
        if state is None:
            return
        opened, live = state.book.open, None if state.book.shoe is None else state.book.shoe.id
        if state.book.table.players.get(form["seat"]) == form["player"]:
            self._names.sits((form["table"], form["seat"], form["player"]), form["before"])
        if form["do"] not in OWN and "shoe" in form and form["shoe"] != live:
            case.differs(index, "shoe", form["shoe"], live)
        if form["do"] != DECISION:
            return
        if form["about"] == BANK and (opened is not None or not state.banking):
            case.differs(index, "about", BANK, "a bank that never moves" if opened is None else ROUND)
        elif form["about"] == ROUND and (opened is None or opened.number != form["round"]):
            case.differs(index, "round", form["round"], None if opened is None else opened.number)

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
        gone = "leaves" in form or shown.get("chips", 0) is None  # by the house's word, as soon as the step was done
        if sits != (None if gone else form["player"]):
            case.differs(audit.index, "player", form["player"], sits)
        acts.same(case, VIEW, audit.index, wanted, shown, "view")

    # What the log says of it later.

    def _step(self, audit: Audit, shoe: Shoe, entry: Entry, cases: Iterable[Case]) -> None:
        """An entry about a shoe."""
        kind = entry.get("kind")
        for case in cases:
            if case.word or ACT not in case.left:
                continue
            if audit.index < case.form.get("before", 0):
                acts.over(case, audit.index, entry)
                continue
            if kind in acts.ENDS:
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
        if kind not in ("bank", "open", "shoe", *acts.ENDS):
            return
        named: Any = entry.get("table") if kind == "bank" else table_named(entry.get("shoe"))
        for case in self._banks.get(named, ()) if type(named) is str else ():
            if case.word or ACT not in case.left:
                continue
            if audit.index >= case.form["before"]:
                acts.banked(case, audit.index, entry)
            else:
                acts.over(case, audit.index, entry)

    # The end.

    @property
    def strange(self) -> list[Act]:
        """What the log has in a player's name and the file, which has all of the chair, has not."""
        return self._names.found

    def decided(self) -> list[Case]:
        """All cases, once the log has ended."""
        for case in self.cases:
            if not case.word:
                case.decide(*_left(case.form, self.audit))
        return self.cases


def _is_later(at: str, form: Entry, index: int) -> bool:
    """Whether an entry from `before` on is too late to be of the step: its entries have a microsecond each."""
    return microseconds(at) > microseconds(form["at"]) + index - int(form["before"])


def _left(form: Entry, audit: Audit | None) -> tuple[Word, int | None, str]:
    """The word for a receipt that the log never came to, the entry that shows it, and why."""
    size = 0 if audit is None else audit.index + 1
    if audit is None or not audit.last_at:
        return "not yet", None, "the log has no entries that could be read"
    last, shoe = size - 1, form.get("shoe")
    if "size" not in form:
        if form["at"] > audit.last_at:
            return "not yet", None, f"the log ends with entry {last}, before it"
        return "missing", last, f"is later, and no such bets of shoe {shoe} stand in the log"
    if form["size"] > size:
        if _goes_on(form, audit):
            return "missing", last, f"is the last and later than the receipt, by which the log had {form['size']} then"
        return "not yet", None, f"the log ends with entry {last}, before it"
    if shoe is None:
        return "not yet", None, "it shows when the bank is settled"
    if shoe in audit.shoes:
        return "not yet", None, "it shows when the shoe has gone on"
    return "missing", last, f"is the last: nothing of it stands in the log about shoe {shoe}"


def _goes_on(form: Entry, audit: Audit) -> bool:
    """Whether a log with fewer entries than a receipt says has nevertheless one that came after its step."""
    if audit.index < form["before"]:
        return audit.last_at >= str(form["at"])
    return _is_later(audit.last_at, form, audit.index)


def _commitment(audit: Audit, state: TableState | None) -> str:
    """The live shoe's."""
    live = None if state is None or state.book.shoe is None else audit.shoes.get(state.book.shoe.id)
    return "" if live is None else live.commitment
