"""What a part assumes of its tables: each is followed for a shoe or more before the part takes it over.

At the first `shoe` entry that is read the table is as that entry says, and as the entries say that tell who sits where.
From there on it is followed by the audit's own handlers, whose findings nobody hears; rounds are not played again,
where what they leave behind stands in them, nor are cards put in order. All this may be wrong, and is held
against the truth before anything rests on it.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Mapping
from typing import Any

from fairshoe.ceremony import follow
from fairshoe.ceremony.book import Book
from fairshoe.engine.rules import Rules
from fairshoe.engine.table import Table
from fairshoe.log.canonical import Entry, NotCanonical, parse
from fairshoe.record.forms import account_of, table_of
from fairshoe.record.rounds import read_round

from ..findings.report import Report
from ..kinds import HANDLERS, late, reveal, round
from ..kinds import open as opens
from ..proof.priming import turn_before
from ..walk.audit import Audit
from ..walk.follow import logged_chips, logged_seat
from ..walk.state import TableState
from .lines import kind_of_line, shoe_of_line
from .standing import Standing, unpacked

ENOUGH = 24
"""So many entries of a table are followed at least, and at least to the end of a shoe."""


class Unheard(Report):
    """A report that keeps nothing."""

    def add(self, *args: Any, **said: Any) -> None:
        pass


class Tables:
    """Who sits at which table, as far as the entries that come once tell it: a few of all."""

    def __init__(self) -> None:
        self.audit = Audit(Unheard(), HANDLERS, {})

    def take(self, line: bytes) -> None:
        try:
            entry = parse(line)
            if entry["kind"] == "table":
                self.audit.take(line)
            elif entry["kind"] in _SEATING:
                name = entry["table"] if "table" in entry else table_of(entry["shoe"])[0]
                _SEATING[entry["kind"]](self.audit.tables[name].book, entry)
        except Exception:  # what cannot be followed here is found where it is audited
            pass

    @property
    def names(self) -> set[bytes]:
        return {name.encode() for name in self.audit.tables}

    def packed(self) -> bytes:
        return pickle.dumps(self.audit.tables, pickle.HIGHEST_PROTOCOL)


def _chips(book: Book, entry: Entry) -> None:
    after = logged_chips(logged_seat(book.table, entry), entry["chips"])
    who = entry["seat"], entry["player"], after
    follow.chips(book, entry["at"], entry["op"], *who, name=entry.get("name"), by=entry.get("by"))


def _late(book: Book, entry: Entry) -> None:
    follow.handed_in(book, entry["shoe"], entry["at"], entry["player"])


def _close(book: Book, entry: Entry) -> None:
    follow.closed(book, entry["at"])


def _lost(book: Book, entry: Entry) -> None:
    book.lost = True


_SEATING = {"chips": _chips, "late": _late, "close": _close, "lost": _lost}
_RARE = {b"start", b"table", *(kind.encode() for kind in _SEATING)}


class Warming:
    """Follows the tables of a log from somewhere in its middle on."""

    def __init__(self, tables: bytes, started: str) -> None:
        self.audit = Audit(Unheard(), _LIGHT, _QUICK)
        self.audit.tables = pickle.loads(tables)
        self.audit.started = started
        self._followed: Counter[bytes] = Counter()
        self._games: dict[bytes, int | None] = {}

    def take(self, index: int, name: bytes, line: bytes) -> bool:
        """The entry with this number, about a table. Whether a shoe ended with it, and the table is known well."""
        audit, kind = self.audit, kind_of_line(line)
        state = audit.tables.get(name.decode(errors="replace"))
        if state is not None and kind == b"shoe" and name not in self._games:
            self._begin(name, state, line)
        elif kind not in _RARE and not self._is_followed(name, kind, line):
            return False
        audit.index = index - 1
        audit.take(line)
        self._followed[name] += 1
        return state is not None and kind == b"reveal" and self._is_known(name, state)

    def give(self, name: bytes) -> Standing:
        """How a table stands now, and no more than its digest shows; it is not followed any further."""
        audit = self.audit
        state = audit.tables.pop(name.decode())
        return unpacked(Standing(state, [audit.shoes.pop(told.id) for told in state.book.live]).packed())

    def _is_followed(self, name: bytes, kind: bytes, line: bytes) -> bool:
        """Whether the table is, and the shoe, if the entry is about one."""
        shoe = shoe_of_line(line)
        return name in self._games and (kind == b"shoe" or not shoe or shoe in self.audit.shoes)

    def _begin(self, name: bytes, state: TableState, line: bytes) -> None:
        try:
            _prime(state.book, parse(line))
            game = state.book.table.memory.get("game")
        except (NotCanonical, AttributeError, KeyError, TypeError, ValueError):  # it is found where it is audited
            return
        self._followed[name] = 0
        self._games[name] = game

    def _is_known(self, name: bytes, state: TableState) -> bool:
        """Payments into a game, and what it gave, are known from the game's beginning on only."""
        book = state.book
        if self._followed[name] < ENOUGH or book.open is not None:
            return False
        return book.rules.bets_freely or book.table.memory.get("game") != self._games[name]


def _prime(book: Book, entry: Entry) -> None:
    """The table as its `shoe` entry says that it stands."""
    purse = {account: chips for name, chips in entry["chips"].items() if (account := account_of(name)) is not None}
    bank = account_of(entry["bank"])
    if bank is not None and purse.keys() >= {bank, *book.table.players}:
        book.table = Table(book.rules, book.table.players, purse, bank, entry["memory"])
    book.shoes = table_of(entry["shoe"])[1] - 1
    book.turn = turn_before(book, entry)


def _quick_round(audit: Audit, at: str, text: str) -> bool:
    """A round as its entry says that it ended, where the rules remember nothing else of it; else it is played."""
    read, shoe = read_round(text), audit.shoes.get(shoe_of_line(text.encode()))
    if read is None or shoe is None or shoe.table is None or shoe.table.book.open is None:
        return False
    book, told = shoe.table.book, shoe.told
    if type(book.rules).close is not Rules.close:
        return round.quick(audit, at, text)
    _, cards, decisions = read
    start = text.index('"chips":') + 8
    chips: Mapping[str, int] = json.loads(text[start : text.index("}", start) + 1])
    follow.decided(book, at, decisions)
    follow.dealt(book, told, at, logged_chips(book.table, chips), told.position + len(cards), told.present)
    return True


def _reveal(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is not None:
        follow.ended(shoe.book, shoe.told, entry["at"])
        audit.end(shoe)


def _handed_in(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(table_of(entry["shoe"])[0])
    if state is not None:
        _late(state.book, entry)


_LIGHT = {**HANDLERS, reveal.KIND: _reveal, late.KIND: _handed_in}
_QUICK = {opens.STARTS: opens.quick, round.STARTS: _quick_round}
