"""The walk through a log: one pass, entry by entry, failing closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import Entry, NotCanonical, check_canonical, encode, parse
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import Deck

from .differ import Difference, differences
from .report import Report
from .shapes import KINDS, entry_faults, moment
from .state import Shoe, TableState

Handler = Callable[["Audit", Entry, bytes], None]
Quick = Callable[["Audit", str, str], bool]
"""Takes a time and the whole line as text; says whether it dealt with the line, having found nothing wrong
in its form. What it leaves is parsed and goes to the handler of its kind."""


class Audit:
    """Takes the entries of a log in order and reports what does not hold.

    A handler checks one kind of entry, which is canonical and has its shape. After a finding the state
    follows what the log says, so that one change is not reported again at every later entry.
    """

    def __init__(self, report: Report, handlers: Mapping[str, Handler], quick: Mapping[str, Quick]) -> None:
        self.report = report
        self.handlers = handlers
        self.quick = quick
        self.index = -1
        self.known = 0
        self.last_at = ""
        self.tables: dict[str, TableState] = {}
        self.shoes: dict[str, Shoe] = {}
        self.ended: set[str] = set()
        self.commitments: set[bytes] = set()
        self.seeds: set[bytes] = set()
        self.decks: dict[str, Deck] = {}
        self.parts: dict[str, list[Entry]] = {}

    def take(self, line: bytes) -> None:
        """Check the next entry: its bytes without the LF."""
        self.index += 1
        try:
            text = line.decode()
            quick = self.quick.get(text[33:40])
            if quick is not None and moment(text[7:31]) and quick(self, text[7:31], text):
                self.known += 1
                return
        except UnicodeDecodeError:
            pass
        try:
            entry = parse(line)
        except NotCanonical as error:
            self.find("entry-not-canonical", expected=error.expected, found=error.what)
            return
        try:
            self._check(entry, line)
        except Exception as error:  # a hostile log must not stop the audit: fail closed
            self.find("entry-inexplicable", found=f"{type(error).__name__}: {error}")

    def _check(self, entry: Entry, line: bytes) -> None:
        kind: Any = entry.get("kind")
        handler = self.handlers.get(kind) if type(kind) is str else None
        if handler is None:
            self.find("kind-unknown", field="kind", expected=sorted(KINDS), found=kind)
            return
        self.known += 1
        at: Any = entry.get("at")
        if not moment(at) or type(entry.get("v")) is not int:
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
        for shoe in self.shoes.values():
            self.report.open += 1
            if shoe.table is not None and overdue(shoe, self.last_at):
                self.find("reveal-overdue", entry=shoe.index, round=shoe.table.id, found=shoe.id)

    # What handlers use.

    def find(
        self,
        code: str,
        *,
        entry: int | None = None,
        round: str | None = None,
        field: str | None = None,
        expected: Any = None,
        found: Any = None,
    ) -> None:
        where = self.index if entry is None else entry
        self.report.add(code, entry=where, round=round, field=field, expected=expected, found=found)

    def bad_fields(self, entry: Entry) -> bool:
        """Report the fields of an entry that do not have their shape."""
        faults = entry_faults(entry)
        for name in faults:
            self.find("field-invalid", field=name, found=entry.get(name))
        return bool(faults)

    def shaped(self, entry: Entry, line: bytes) -> bool:
        """Whether the entry is canonical and has its shape; what is not is reported."""
        try:
            check_canonical(entry, line)
        except NotCanonical as error:
            self.find("entry-not-canonical", expected=error.expected, found=error.what)
            return False
        return not self.bad_fields(entry)

    def compare(
        self,
        expected: Entry,
        entry: Entry,
        line: bytes,
        codes: Callable[[Difference], str],
        round: str | None = None,
    ) -> bool:
        """Compare the rebuilt entry with the logged one as canonical bytes; report each difference."""
        if encode(expected) == line:
            return True
        found = False
        for difference in differences(expected, entry):
            found = True
            path, wanted, stands = difference
            self.find(codes(difference), round=round, field=path, expected=wanted, found=stands)
        if not found:
            self.find("entry-not-canonical", round=round, expected="the same entry in canonical form")
        return False

    def refused(self, code: str, error: FairshoeError, round: str | None = None, found: Any = None) -> None:
        """Report what the engine or the protocol refused."""
        self.find(
            code, round=round, field=error.where or None, expected=error.expected or None, found=found or error.what
        )

    def shoe(self, entry: Entry) -> Shoe | None:
        """The shoe in play that an entry is about; else the finding is reported."""
        shoe = self.shoes.get(entry["shoe"])
        if shoe is None:
            code = "step-out-of-order" if entry["shoe"] in self.ended else "shoe-unknown"
            self.find(code, field="shoe", expected="a shoe in play", found=entry["shoe"])
        return shoe

    def table(self, entry: Entry) -> TableState | None:
        state = self.tables.get(entry["table"])
        if state is None:
            self.find("table-unknown", field="table", expected=sorted(self.tables)[:8], found=entry["table"])
        return state

    def end(self, shoe: Shoe) -> None:
        """A shoe is revealed or void."""
        del self.shoes[shoe.id]
        self.ended.add(shoe.id)
        self.report.shoes += 1
        if shoe.table is not None:
            shoe.table.live.remove(shoe)

    def key_fits(self, shoe: Shoe, key: str) -> bool:
        """Whether a key, in hex, is the one that the shoe was committed with; else the finding is reported."""
        digest = commitment_of(bytes.fromhex(key))
        if digest != shoe.commitment:
            place = shoe.table.id if shoe.table else None
            self.find("key-mismatch", round=place, field="key", expected=shoe.commitment, found=f"hashes to {digest}")
        return digest == shoe.commitment

    def unique(self, digests: set[bytes], value: bytes) -> bool:
        """Whether `value` was not seen before in this log."""
        if value in digests:
            return False
        digests.add(value)
        return True


def overdue(shoe: Shoe, now: str) -> bool:
    """Whether a table's shoe should have been revealed by `now`: twice its policy's time."""
    if shoe.table is None:
        return False
    limit = shoe.table.policy.get("shoe", 0)
    return seconds_between(shoe.at, now) > 2 * limit if limit else False


def aged(state: TableState, since: str, now: str) -> bool:
    """Whether the policy's time for a shoe is up, to a second; without such a time it never is.

    The entries of one step are logged a millisecond apart, and so a little later than they were decided.
    """
    limit = state.policy.get("shoe", 0)
    return limit > 0 and seconds_between(since, now) >= limit - 1


def seconds_between(earlier: str, later: str) -> float:
    """Seconds between two moments of a log."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
