"""Time: the log's own, in which an outage is none; the service's starts, by which limits begin anew; what was said to
be over too early, and what stands in the log much later than it was due."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairshoe.ceremony.chairs import is_overdue
from fairshoe.ceremony.choices import starts_while_due
from fairshoe.ceremony.ending import due, due_alone
from fairshoe.ceremony.policy import GRACE, LONGEST_DELAY, PATIENCE
from fairshoe.engine.moves import TABLE, Decision
from fairshoe.log.times import HOUR, SECOND, microseconds, timestamp

from ..findings.finding import Place

if TYPE_CHECKING:
    from .audit import Audit
    from .state import Shoe, TableState

LATEST = microseconds("9999-12-31T23:59:59.999999Z")


def moment(when: int) -> str:
    """The text of a moment, the last that there is at most."""
    return timestamp(min(when, LATEST))


@dataclass(slots=True)
class LogTime:
    """A log's own time, in which a gap between two entries counts an hour at most. `begins` and `lengths` are those of
    longer gaps, `lost` how much did not count before each, and before now: microseconds."""

    begins: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=lambda: [0])

    def pass_on(self, before: str, at: str) -> None:
        """The next entry is at `at`, the one before it at `before`, "" where there is none."""
        if not before:
            return
        begin = microseconds(before)
        length = microseconds(at) - begin
        if length > HOUR and (not self.begins or begin >= self.begins[-1] + self.lengths[-1]):
            self.begins.append(begin)
            self.lengths.append(length)
            self.lost.append(self.lost[-1] + length - HOUR)

    def between(self, begin: int, end: int) -> int:
        """How long it is from one moment to another, in microseconds."""
        return end - begin - self._lost_by(end) + self._lost_by(begin)

    def _lost_by(self, moment: int) -> int:
        """How much of the time up to a moment does not count."""
        i = bisect_right(self.begins, moment) - 1
        if i < 0:
            return 0
        return self.lost[i] + max(min(moment - self.begins[i], self.lengths[i]) - HOUR, 0)


@dataclass(slots=True)
class Starts:
    """The moments of `start` entries."""

    at: list[str] = field(default_factory=list)

    def add(self, at: str) -> None:
        if at > self.last:
            self.at.append(at)

    @property
    def last(self) -> str:
        """The last one, "" where there is none."""
        return self.at[-1] if self.at else ""

    def last_before(self, moment: str) -> str:
        """The last one before a moment: one that stands at the very moment came after what was decided then."""
        i = bisect_left(self.at, moment)
        return self.at[i - 1] if i else ""

    def between(self, begin: str, end: str) -> int:
        """How many there are after `begin`, up to `end`."""
        return bisect_right(self.at, end) - bisect_right(self.at, begin)


def check_late(audit: Audit, shoe: Shoe, at: str, by: int | None = None, *, entry: int | None = None) -> None:
    """Report a shoe's step that comes at `at`, more than an hour after it was due: `by`, or what the ceremony says;
    and count the starts since.

    Nothing comes so late in the hour of the shoe's last step, so that most steps need no look.
    """
    last, shoe.step = shoe.step, audit.hour(at)
    if last == shoe.step:
        return
    if by is None:
        by = due_alone(shoe.told) if shoe.book is None else due(shoe.book, shoe.told)
    if by is None:
        return
    _report_delay(audit, shoe.place, by, at, entry)
    if shoe.table is not None and audit.begun:
        since = moment(by)
        starts = audit.starts.between(since, at) + shoe.table.starts.between(since, at)
        if starts:
            audit.report.choices.add(shoe.table.id, starts_while_due(starts))


def _report_delay(audit: Audit, place: Place, by: int, at: str, entry: int | None) -> None:
    """Delays are counted in the log's own time: who is out of order for a day writes nothing, and is not late by it."""
    late = audit.time.between(by, microseconds(at))
    if late > GRACE:
        code = "step-overdue" if late > LONGEST_DELAY else "step-late"
        audit.find(code, place, entry=entry, expected=f"by {moment(by)}", found=f"{late // SECOND} s later")


def check_share(audit: Audit, state: TableState, at: str) -> None:
    """Report a pool that nobody plays for any more, and that its payers have not got by `at` (LO-04)."""
    book = state.book
    if state.sharing and book.rules.share_due(book.table) is not None and not is_overdue(book, at):
        _report_delay(audit, state.place, microseconds(state.sharing), at, None)


def check_limit(audit: Audit, place: Place, at: str, since: str, started: str, seconds: int, what: str) -> None:
    """Report a limit that is said to be over too early: it began at `since`, or with the last start, at `started`."""
    audit.report.checked("policy")
    over = microseconds(max(since, started)) + seconds * SECOND
    if microseconds(at) < over:
        audit.find("limit-early", place, field="at", expected=f"not before {moment(over)}: {what}", found=at)


def check_moments(
    audit: Audit,
    state: TableState,
    place: Place,
    at: str,
    begun: str,
    decisions: Sequence[Decision],
    moments: Sequence[str],
) -> None:
    """Report decisions of the table that came before their limit: it runs from what began the wait, at `begun`, from
    the table's decision before, or from the last start. Seats that nobody waits for need no wait. `moments` are the
    `at` of the table's decisions; `at` is that of the entry. The book stands as before it."""
    audit.report.checked("policy")
    chairs = state.book.chairs
    lapsed = {seat: chair.lapsed for seat, chair in chairs.items()}
    times, last = iter(moments), begun
    for number, decision in enumerate(decisions):
        seat = decision.actor
        if decision.by != TABLE:
            lapsed[seat] = 0
            continue
        made, field = next(times), f"decisions[{number}].at"
        if not last <= made <= at:
            audit.find("time-order", place, field=field, expected=f"{last} to {at}", found=made)
        elif lapsed.get(seat, PATIENCE) < PATIENCE:
            since = max(last, audit.starts.last_before(made), state.starts.last_before(made))
            over = microseconds(since) + state.book.policy.decision * SECOND
            if microseconds(made) < over:
                wanted = f"not before {moment(over)}: the table decides for seat {seat}"
                audit.find("limit-early", place, field=field, expected=wanted, found=made)
        last = max(last, made)
        lapsed[seat] = lapsed.get(seat, PATIENCE) + 1
