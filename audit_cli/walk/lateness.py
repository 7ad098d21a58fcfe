"""Limits: what was said to be over too early, and what stands in the log much later than it was due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.ceremony.alone import due_alone
from fairshoe.ceremony.chairs import is_overdue
from fairshoe.ceremony.ending import delay, due
from fairshoe.ceremony.policy import LONGEST_DELAY
from fairshoe.log.times import SECOND, microseconds, timestamp

from ..findings.finding import Place
from .state import Shoe, TableState

if TYPE_CHECKING:
    from .audit import Audit


LATEST = microseconds("9999-12-31T23:59:59.999999Z")


def moment(when: int) -> str:
    """The text of a moment, the last that there is at most."""
    return timestamp(min(when, LATEST))


def check_late(audit: Audit, shoe: Shoe, at: str, by: int | None = None, *, entry: int | None = None) -> None:
    """Report a shoe's step that comes at `at`, more than an hour after it was due: `by`, or what the ceremony says.

    Nothing comes so late in the hour of the shoe's last step, so that most steps need no look.
    """
    if at[:13] == shoe.step:
        return
    shoe.step = at[:13]
    if by is None:
        by = due_alone(shoe.told) if shoe.book is None else due(shoe.book, shoe.told)
    _report_delay(audit, shoe.place, by, at, entry)


def _report_delay(audit: Audit, place: Place, by: int | None, at: str, entry: int | None) -> None:
    late = delay(by, at)
    if late and by is not None:
        code = "step-overdue" if late > LONGEST_DELAY else "step-late"
        audit.find(code, place, entry=entry, expected=f"by {moment(by)}", found=f"{late // SECOND} s later")


def check_share(audit: Audit, state: TableState) -> None:
    """Report a pool that nobody plays for any more, and that its payers have not got by the log's end (LO-04)."""
    book = state.book
    if book.rules.share_due(book.table) is not None and not is_overdue(book, audit.last_at):
        _report_delay(audit, state.place, microseconds(book.at), audit.last_at, None)


def check_limit(audit: Audit, place: Place, at: str, since: str, seconds: int, what: str) -> None:
    """Report a limit that is said to be over too early: it began at `since`, or with the last start."""
    check_passed(audit, place, at, max(since, audit.started), seconds, what)


def check_passed(audit: Audit, place: Place, at: str, since: str, seconds: int, what: str) -> None:
    """The same of several limits in a row, some of which may have been over before a start."""
    audit.report.checked("policy")
    over = microseconds(since) + seconds * SECOND
    if microseconds(at) < over:
        audit.find("limit-early", place, field="at", expected=f"not before {moment(over)}: {what}", found=at)
