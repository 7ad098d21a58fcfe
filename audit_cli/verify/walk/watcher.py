"""Observers of an audit: which entry is about which shoe, which entries could not be followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from fairshoe.errors import InputError, NotCanonical
from fairshoe.log.canonical import Entry, parse
from fairshoe.record.forms import table_of

from ..findings.finding import Finding
from .audit import Audit
from .digest_set import digest_of
from .shapes import entry_subject, line_subject
from .state import AuditedShoe

LEAVES_OUT = frozenset(("step-out-of-order", "number-gap", "shoe-unknown", "table-unknown", "options-invalid"))
"""Findings after which something may be missing from the books."""
_TAIL = b'","v":1}'
_SHOE = b'"shoe":"'


class UnreadEntry(NamedTuple):
    """An entry that the audit could not follow, with what it says that it is about; None where that cannot be told."""

    entry: int
    kind: str
    table: str | None
    shoe: str | None


class Watcher:
    """Counts beside `verify`; a subclass defines `before_entry` and `after_entry`. `unread`: entries that could not be
    followed. `faulted`: the shoes, if any, of other entries with findings."""

    def __init__(self) -> None:
        self.audit: Audit | None = None
        self.unread: list[UnreadEntry] = []
        self.faulted: dict[int, str | None] = {}

    def __call__(self, audit: Audit, line: bytes) -> None:
        self.audit = audit
        known = audit.report.finding_count
        name = shoe_of_entry(line)
        shoe = None if name is None else audit.shoes.get(name)
        self.before_entry(audit, shoe)
        audit.take(line)
        if not audit.followed:
            self.unread.append(_unread(audit, line))
        if audit.report.finding_count > known:
            self.faulted[audit.index] = name if audit.followed else self.unread[-1].shoe
        self.after_entry(audit, shoe if shoe is not None or name is None else audit.shoes.get(name), line)

    def before_entry(self, audit: Audit, shoe: AuditedShoe | None) -> None:
        """The books stand as they were before the entry; `shoe` is the one in play that it names."""

    def after_entry(self, audit: Audit, shoe: AuditedShoe | None, line: bytes) -> None:
        """The entry was taken: `audit.followed` says whether the books follow it."""

    def gap_findings(self, findings: Iterable[Finding], table: str | None, after: int = -1) -> list[Finding]:
        """Return the findings after entry `after` since which something about a table may be missing (None: any)."""
        known = () if self.audit is None else self.audit.tables

        def mine(finding: Finding) -> bool:
            about = table_of_finding(finding)
            return finding.code in LEAVES_OUT and (table is None or about == table or about not in known)

        return [finding for finding in findings if mine(finding) and (finding.entry or 0) > after]

    def find_unread(self, table: str, *, upto: int | None = None) -> list[UnreadEntry]:
        """Entries that could not be followed and may have been about a table, before the entry `upto`."""
        some = (each for each in self.unread if upto is None or each.entry < upto)
        return [each for each in some if each.table == table or (each.table is None and each.shoe is None)]


class SharedWatcher(Watcher):
    """A watcher that counts, and whose counts of tables add up to those of the log."""

    def of_share(self) -> Self:
        """Return an empty one, for the tables of a share."""
        return type(self)()

    def add_shares(self, shares: Sequence[Self]) -> None:
        """Add what shares counted. Raises NotShareable, with nothing added."""
        raise NotImplementedError

    def as_form(self) -> dict[str, Any]:
        """Return all that it judges the rest of a log by, for `know`."""
        raise NotImplementedError

    def know(self, audit: Audit, form: Mapping[str, Any]) -> None:
        """Know what an earlier one counted, as `audit` knows what that audit knew. Raises UNREADABLE."""
        raise NotImplementedError


def observe_both(first: Watcher, second: Watcher) -> Callable[[Audit, bytes], None]:
    """Both look on; only the first notes what could not be followed."""

    def watch(audit: Audit, line: bytes) -> None:
        name = shoe_of_entry(line)
        shoe = None if name is None else audit.shoes.get(name)
        second.audit = audit
        second.before_entry(audit, shoe)
        first(audit, line)
        second.after_entry(audit, shoe if shoe is not None or name is None else audit.shoes.get(name), line)

    return watch


def shoe_of_entry(line: bytes) -> str | None:
    """Return the shoe that an entry names, whatever else is wrong with it."""
    if line.endswith(_TAIL) and line.count(_SHOE) == 1:
        name = line[line.find(_SHOE) + len(_SHOE) : -len(_TAIL)]
        if b'"' not in name and b"\\" not in name:
            return name.decode(errors="replace")
    name_of = entry_of(line).get("shoe")
    return name_of if type(name_of) is str else None


def entry_of(line: bytes) -> Entry:
    """Return the object that a line holds; an empty one where it holds none."""
    try:
        return parse(line)
    except NotCanonical:
        return {}


def _unread(audit: Audit, line: bytes) -> UnreadEntry:
    """A table or shoe that nobody knows is as good as none: the entry may have been about any."""
    kind, place = line_subject(line, audit.tables) if audit.entry is None else entry_subject(audit.entry, audit.tables)
    table, shoe = place.table, place.shoe
    if table is not None and table not in audit.tables:
        table = shoe = None
    elif table is None and kind != "shoe" and shoe is not None and digest_of(shoe) not in audit.names:
        shoe = None
    return UnreadEntry(audit.index, kind, table, shoe)


def table_named(shoe: str | None) -> str | None:
    """Return the table that a shoe's id names."""
    try:
        return None if shoe is None else table_of(shoe)[0]
    except InputError:
        return None


def table_of_finding(finding: Finding) -> str | None:
    """Return the table that a finding is about, or that its shoe's id names."""
    return finding.table or table_named(finding.shoe)
