"""Time in a log: what was said to be over too early, and what stands there much later than it was due."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairshoe.ceremony.chairs import is_overdue
from fairshoe.ceremony.choices import starts_while_due
from fairshoe.ceremony.ending import due, due_alone
from fairshoe.ceremony.policy import GRACE, LONGEST_DELAY, PATIENCE
from fairshoe.engine.moves import TABLE, Decision
from fairshoe.log.times import SECOND, microseconds

from ..findings.finding import LOG, Place
from ..findings.report import Report
from .clock import LogTime, Starts, moment
from .state import Shoe, TableState


class Timing:
    """The part of an audit that judges time. `starts` are the service's at all tables, `begun` how many there were of
    any; `time` is the log's own."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.starts = Starts()
        self.begun = 0
        self.time = LogTime()

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
        """Report something about the present entry, or about another one."""
        raise NotImplementedError

    def hour(self, at: str) -> str:
        """In which hour a moment lies, after how many starts: in one and the same nothing comes late."""
        return f"{at[:13]} {self.begun}" if self.begun else at[:13]

    def check_late(self, shoe: Shoe, at: str, by: int | None = None, *, entry: int | None = None) -> None:
        """Report a shoe's step that comes at `at`, more than an hour after it was due: `by`, or what the ceremony says;
        and count the starts since.

        Nothing comes so late in the hour of the shoe's last step, so that most steps need no look.
        """
        last, shoe.step = shoe.step, self.hour(at)
        if last == shoe.step:
            return
        if by is None:
            by = due_alone(shoe.told) if shoe.book is None else due(shoe.book, shoe.told)
        if by is None:
            return
        self._report_delay(shoe.place, by, at, entry)
        if shoe.table is not None and self.begun:
            since = moment(by)
            starts = self.starts.between(since, at) + shoe.table.starts.between(since, at)
            if starts:
                self.report.choices.add(shoe.table.id, starts_while_due(starts))

    def _report_delay(self, place: Place, by: int, at: str, entry: int | None) -> None:
        """In the log's own time: who is out of order for a day writes nothing, and is not late by it."""
        late = self.time.between(by, microseconds(at))
        if late > GRACE:
            code = "step-overdue" if late > LONGEST_DELAY else "step-late"
            self.find(code, place, entry=entry, expected=f"by {moment(by)}", found=f"{late // SECOND} s later")

    def check_share(self, state: TableState, at: str) -> None:
        """Report a pool that nobody plays for any more, and that its payers have not got by `at` (LO-04)."""
        book = state.book
        if state.sharing and book.rules.share_due(book.table) is not None and not is_overdue(book, at):
            self._report_delay(state.place, microseconds(state.sharing), at, None)

    def check_limit(self, place: Place, at: str, since: str, started: str, seconds: int, what: str) -> None:
        """Report a limit said to be over too early: it began at `since`, or with the last start, at `started`."""
        self.report.checked("policy")
        over = microseconds(max(since, started)) + seconds * SECOND
        if microseconds(at) < over:
            self.find("limit-early", place, field="at", expected=f"not before {moment(over)}: {what}", found=at)

    def check_moments(
        self,
        state: TableState,
        place: Place,
        at: str,
        begun: str,
        decisions: Sequence[Decision],
        moments: Sequence[str],
    ) -> None:
        """Report decisions of the table that came before their limit: it runs from what began the wait, at `begun`,
        from the table's decision before, or from the last start. Seats that nobody waits for need no wait. `moments`
        are the `at` of the table's decisions; `at` is that of the entry. The book stands as before it."""
        self.report.checked("policy")
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
                self.find("time-order", place, field=field, expected=f"{last} to {at}", found=made)
            elif lapsed.get(seat, PATIENCE) < PATIENCE:
                since = max(last, self.starts.last_before(made), state.starts.last_before(made))
                over = microseconds(since) + state.book.policy.decision * SECOND
                if microseconds(made) < over:
                    wanted = f"not before {moment(over)}: the table decides for seat {seat}"
                    self.find("limit-early", place, field=field, expected=wanted, found=made)
            last = max(last, made)
            lapsed[seat] = lapsed.get(seat, PATIENCE) + 1
