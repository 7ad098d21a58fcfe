"""The walk through a log: one pass, entry by entry, failing closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairshoe.ceremony.choices import counted, still_owed
from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import MAX_ENTRY, Entry, NotCanonical, check_canonical, encode, parse
from fairshoe.log.times import is_moment
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import Deck

from .bounds import CARDS_AN_ENTRY, FREE_CARDS
from .differ import Difference, differences
from .findings import LOG, Place
from .lateness import check_late, check_share
from .report import Report
from .shapes import KINDS, entry_faults
from .state import Shoe, TableState

Handler = Callable[["Audit", Entry, bytes], None]
Quick = Callable[["Audit", str, str], bool]
"""Takes a time and the whole line as text; says whether it dealt with the line, having found nothing wrong
in its form. What it leaves is parsed and goes to the handler of its kind."""


class Audit:
    """Takes the entries of a log in order and reports what does not hold.

    A handler checks one kind of entry, which is canonical and has its shape, and then has `follow` change the
    table's book. After a finding the book follows what the log says, so that one change is not reported
    again at every later entry. `parts` are decks of which entries are missing yet.
    """

    def __init__(self, report: Report, handlers: Mapping[str, Handler], quick: Mapping[str, Quick]) -> None:
        self.report = report
        self.handlers = handlers
        self.quick = quick
        self.index = -1
        self.known = 0
        self.last_at = ""
        self.started = ""
        self.ordered = 0
        self.replayed = False
        self.tables: dict[str, TableState] = {}
        self.shoes: dict[str, Shoe] = {}
        self.ended: set[str] = set()
        self.commitments: set[bytes] = set()
        self.hashes: set[bytes] = set()
        self.decks: dict[str, Deck] = {}
        self.parts: dict[str, tuple[int, int, list[str]]] = {}

    def take(self, line: bytes) -> None:
        """Check the next entry: its bytes without the LF."""
        self.index += 1
        try:
            text = line.decode()
            quick = self.quick.get(text[36:43])
            if quick is not None and len(line) <= MAX_ENTRY and is_moment(at := text[7:34]) and quick(self, at, text):
                if at <= self.last_at:
                    self.clock(at)
                self.last_at = at
                self.known += 1
                return
        except UnicodeDecodeError:
            pass
        except Exception as error:  # a hostile log must not stop the audit: fail closed
            self.find("entry-inexplicable", found=f"{type(error).__name__}: {error}")
            return
        try:
            entry = parse(line)
        except NotCanonical as error:
            self.find("entry-not-canonical", expected=error.expected, found=error.what)
            return
        try:
            self._check(entry, line)
        except Exception as error:  # the same
            self.find("entry-inexplicable", found=f"{type(error).__name__}: {error}")

    def _check(self, entry: Entry, line: bytes) -> None:
        kind: Any = entry.get("kind")
        handler = self.handlers.get(kind) if type(kind) is str else None
        if handler is None:
            self.find("kind-unknown", field="kind", expected=sorted(KINDS), found=kind)
            return
        self.known += 1
        at: Any = entry.get("at")
        if not is_moment(at) or type(entry.get("v")) is not int:
            self.bad_fields(entry)
            return
        if entry["v"] != 1:
            self.find("version-unknown", field="v", expected=1, found=entry["v"])
            return
        self.clock(at)
        if self.shaped(entry, line):
            handler(self, entry, line)

    def clock(self, at: str) -> None:
        """Time rises from entry to entry."""
        if at <= self.last_at:
            self.find("time-order", field="at", expected=f"after {self.last_at}", found=at)
        self.last_at = at

    def finish(self) -> None:
        """Close the books at the log's end."""
        if self.known > 1:
            self.report.checked("order")
        for shoe in self.shoes.values():
            self.report.open += 1
            if shoe.table is not None:
                shoe.table.book.started = self.started
            try:
                check_late(self, shoe, self.last_at, entry=shoe.index)
            except Exception as error:  # the same as for an entry
                found = f"{type(error).__name__}: {error}"
                self.find("entry-inexplicable", shoe.place, entry=shoe.index, found=found)
        for state in self.tables.values():
            self.report.choices.add(state.id, still_owed(state.book, self.last_at))
            check_share(self, state)

    # What handlers use.

    def find(
        self,
        code: str,
        place: Place = LOG,
        *,
        entry: int | None = None,
        field: str | None = None,
        expected: Any = None,
        found: Any = None,
    ) -> None:
        where = self.index if entry is None else entry
        self.report.add(code, place, entry=where, field=field, expected=expected, found=found)

    def bad_fields(self, entry: Entry) -> bool:
        """Report the fields of an entry that do not have their shape."""
        faults = entry_faults(entry)
        for name in faults:
            self.find("field-invalid", field=name, found=entry.get(name))
        return bool(faults)

    def shaped(self, entry: Entry, line: bytes) -> bool:
        """Whether the entry is canonical and has its shape; what is not is reported."""
        self.report.checked("syntax")
        try:
            check_canonical(entry, line)
        except NotCanonical as error:
            self.find("entry-not-canonical", expected=error.expected, found=error.what)
            return False
        return not self.bad_fields(entry)

    def compare(
        self, expected: Entry, entry: Entry, line: bytes, codes: Callable[[Difference], str], place: Place
    ) -> bool:
        """Compare the rebuilt entry with the logged one as canonical bytes; report each difference."""
        if encode(expected) == line:
            return True
        found = False
        for difference in differences(expected, entry):
            found = True
            path, wanted, stands = difference
            self.find(codes(difference), place, field=path, expected=wanted, found=stands)
        if not found:
            self.find("entry-not-canonical", place, expected="the same entry in canonical form")
        return False

    def refused(self, code: str, error: FairshoeError, place: Place = LOG, found: Any = None) -> None:
        """Report what the engine or the protocol refused."""
        self.find(code, place, field=error.where or None, expected=error.expected or None, found=found or error.what)

    def wrong_step(self, place: Place, expected: str, found: Any) -> None:
        self.find("step-out-of-order", place, expected=expected, found=found)

    def shoe(self, entry: Entry) -> Shoe | None:
        """The shoe in play that an entry is about; else the finding is reported."""
        shoe = self.shoes.get(entry["shoe"])
        if shoe is None:
            code = "step-out-of-order" if entry["shoe"] in self.ended else "shoe-unknown"
            place = Place(shoe=entry["shoe"])
            self.find(code, place, field="shoe", expected="a shoe in play", found=entry["shoe"])
        elif shoe.table is not None:
            shoe.table.book.started = self.started
        return shoe

    def table(self, name: str) -> TableState | None:
        """A table that is open; else the finding is reported."""
        state = self.tables.get(name)
        if state is None:
            self.find("table-unknown", Place(name), field="table", expected="a table with a `table` entry", found=name)
        else:
            state.book.started = self.started
        return state

    def count(self, state: TableState | None, shoe: Shoe | None, entry: Mapping[str, Any]) -> None:
        """Count what an entry shows to have been chosen, before its book follows it."""
        book = None if state is None else state.book
        self.report.choices.add(book.id if book else None, counted(book, shoe.told if shoe else None, entry))

    def end(self, shoe: Shoe) -> None:
        """A shoe is revealed, void or lost."""
        del self.shoes[shoe.id]
        self.ended.add(shoe.id)
        self.report.shoes += 1

    def key_fits(self, shoe: Shoe, key: str) -> bool:
        """Whether a key, in hex, is the one that the shoe was committed with; else the finding is reported."""
        self.report.checked("commitment")
        digest = commitment_of(bytes.fromhex(key))
        if digest != shoe.commitment:
            found = f"hashes to {digest}"
            self.find("key-mismatch", shoe.place, field="key", expected=shoe.commitment, found=found)
        return digest == shoe.commitment

    def is_new(self, values: set[bytes], value: bytes) -> bool:
        """Whether `value` was not seen before in this log."""
        if value in values:
            return False
        values.add(value)
        return True

    def may_order(self, shoe: Shoe) -> bool:
        """Whether the cards of a shoe may be put in order; a log that asks for too many is reported."""
        self.ordered += len(shoe.deck)
        if self.ordered <= FREE_CARDS + CARDS_AN_ENTRY * self.index:
            return True
        self.find("bound-exceeded", shoe.place, expected="fewer cards in shoes than that", found=self.ordered)
        return False
