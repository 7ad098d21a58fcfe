"""Comparison of entries with rebuilt ones: where they differ, and what comes too early or too late."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from fairshoe.ceremony.chairs import is_overdue
from fairshoe.ceremony.choices import START_WHILE_DUE, count_wait
from fairshoe.ceremony.ending import due_time, waits_for_places
from fairshoe.ceremony.policy import LATENESS_THRESHOLD, MAX_DELAY, MAX_LAPSED_LIMITS, MAX_WAIT
from fairshoe.ceremony.stages import entries_at
from fairshoe.engine.moves import TABLE, Decision
from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.times import SECOND, microseconds

from ..findings.field_names import subject_of
from ..findings.finding import LOG, Place
from ..findings.report import Report
from .state import AuditedShoe, AuditedTable, LogTime, Starts, moment


class FieldDifference(NamedTuple):
    """A field's path such as `hands[0].net`, and both values (None where it is absent)."""

    path: str
    expected: Any
    found: Any


def differences(expected: Any, found: Any, path: str = "") -> Iterator[FieldDifference]:
    """Compare JSON values strictly: True is not 1."""
    if type(expected) is not type(found):
        yield FieldDifference(path, expected, found)
    elif isinstance(expected, dict):
        for key in sorted(expected.keys() | found.keys()):
            inner = f"{path}.{key}" if path else str(key)
            if key in expected and key in found:
                yield from differences(expected[key], found[key], inner)
            else:
                yield FieldDifference(inner, expected.get(key), found.get(key))
    elif isinstance(expected, list):
        if len(expected) != len(found):
            yield FieldDifference(path, expected, found)
        else:
            for i, (a, b) in enumerate(zip(expected, found, strict=True)):
                yield from differences(a, b, f"{path}[{i}]")
    elif expected != found:
        yield FieldDifference(path, expected, found)


def round_differences(expected: Entry, found: Entry) -> Iterator[FieldDifference]:
    """Yield where a `round` differs; hands out of place are compared with those of their own seat."""
    wanted, stands = expected["hands"], found["hands"]
    pairs = _same_seats(wanted, stands)
    seats, logged = [hand["seat"] for hand in wanted], [hand["seat"] for hand in stands]
    if seats == logged or (len(seats) == len(logged) and len(pairs) < len(logged)):
        yield from differences(expected, found)
        return
    yield from differences(expected | {"hands": []}, found | {"hands": []})
    if len(seats) != len(logged):
        yield FieldDifference("hands", wanted, stands)
    else:
        for i, (seat, other) in enumerate(zip(seats, logged, strict=True)):
            yield from differences(seat, other, f"hands[{i}].seat")
    for i, j in pairs:
        yield from differences(wanted[i], stands[j], f"hands[{j}]")


def _same_seats(wanted: Sequence[Entry], stands: Sequence[Entry]) -> list[tuple[int, int]]:
    """Return the places of the hands of each seat that has as many of them in both."""
    places: tuple[dict[int, list[int]], dict[int, list[int]]] = defaultdict(list), defaultdict(list)
    for hands, of in zip((wanted, stands), places, strict=True):
        for i, hand in enumerate(hands):
            of[hand["seat"]].append(i)
    mine, theirs = places
    return [
        pair
        for seat, at in mine.items()
        if len(at) == len(theirs.get(seat, ()))
        for pair in zip(at, theirs[seat], strict=True)
    ]


class EntryComparison:
    """The part of an audit that says what is wrong. `entry` is being checked, if whole, at `index`. `starts`: those at
    all tables, `begun`: how many of any; `time`: the log's own."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.index = -1
        self.entry: Entry | None = None
        self.tables: dict[str, AuditedTable] = {}
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
        cause: str = "",
    ) -> None:
        where = self.index if entry is None else entry
        subject = None if field is None else self._subject(field, place, self.entry if where == self.index else None)
        self.report.add(
            code, place, entry=where, field=field, subject=subject, expected=expected, found=found, cause=cause
        )

    def _subject(self, field: str, place: Place, entry: Entry | None) -> str | None:
        state = None if place.table is None else self.tables.get(place.table)
        return subject_of(field, entry, {} if state is None else state.book.table.players)

    def compare(
        self, expected: Entry, entry: Entry, line: bytes, codes: Callable[[FieldDifference], str], place: Place
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

    def refused(
        self, code: str, error: FairshoeError, place: Place = LOG, found: Any = None, *, entry: int | None = None
    ) -> None:
        """Report what the engine or the protocol refused."""
        field, expected = error.where or None, error.expected or None
        self.find(code, place, entry=entry, field=field, expected=expected, found=found or error.what)

    def in_turn(self, shoe: AuditedShoe, entry: str, place: Place | None = None) -> bool:
        """Whether an entry may stand at its shoe's stage; else report what may."""
        told = shoe.book_shoe
        if not told.allows(entry):
            self.wrong_step(place or shoe.place, entries_at(told.course, told.stage), entry)
            return False
        return True

    def wrong_step(self, place: Place, expected: str, found: Any) -> None:
        self.find("step-out-of-order", place, expected=expected, found=found)

    def hour(self, at: str) -> str:
        """In which hour a moment lies, after how many starts: in one and the same nothing comes late."""
        return f"{at[:13]} {self.begun}" if self.begun else at[:13]

    def check_late(self, shoe: AuditedShoe, at: str, by: int | None = None, *, entry: int | None = None) -> None:
        """Report a shoe's step at `at` over an hour after it was due: `by`, or by the ceremony; and count the starts
        since. None is so late in the hour of the last step."""
        last, shoe.step = shoe.step, self.hour(at)
        if last == shoe.step:
            return
        if by is None:
            by = due_time(shoe.book, shoe.book_shoe)
        waits = waits_for_places(shoe.book, shoe.book_shoe)
        if waits and shoe.book_shoe.player_places:
            late = self.delay(by, at) > LATENESS_THRESHOLD
        else:
            late = self.report_delay(shoe.place, by, at, entry, MAX_WAIT if waits else MAX_DELAY)
        if waits and late and shoe.table is not None:
            self.report.choices.add(shoe.table.id, count_wait(shoe.book_shoe))
        if shoe.table is not None and self.begun:
            since = moment(by)
            starts = self.starts.between(since, at) + shoe.table.starts.between(since, at)
            if starts:
                self.report.choices.add_one(shoe.table.id, START_WHILE_DUE, None, starts)

    def delay(self, by: int, at: str) -> int:
        """Return how late an entry is in the log's own time, in which a day's outage of the service is none."""
        return self.time.between(by, microseconds(at))

    def report_delay(
        self,
        place: Place,
        by: int,
        at: str,
        entry: int | None = None,
        longest: int = MAX_DELAY,
        overdue: str = "step-overdue",
    ) -> bool:
        """Whether it is too late."""
        late = self.delay(by, at)
        if late > LATENESS_THRESHOLD:
            code = overdue if late > longest else "step-late"
            self.find(code, place, entry=entry, expected=f"by {moment(by)}", found=f"{late // SECOND} s later")
        return late > LATENESS_THRESHOLD

    def check_share(self, state: AuditedTable, at: str) -> None:
        """Report a pool that nobody plays for any more, and that its payers have not got by `at` (LO-04)."""
        book = state.book
        if state.sharing and book.rules.next_share_seat(book.table) is not None and not is_overdue(book, at):
            self.report_delay(state.place, microseconds(state.sharing), at)

    def check_limit(self, place: Place, at: str, since: str, started: str, seconds: int, what: str) -> None:
        """Report a limit said to be over too early: it began at `since`, or with the last start, at `started`."""
        self.report.checked("policy")
        over = microseconds(max(since, started)) + seconds * SECOND
        if microseconds(at) < over:
            self.find("limit-early", place, field="at", expected=f"not before {moment(over)}: {what}", found=at)

    def check_moments(
        self,
        state: AuditedTable,
        place: Place,
        at: str,
        begun: str,
        decisions: Sequence[Decision],
        moments: Sequence[str],
    ) -> None:
        """Report decisions by the table before their limit, which runs from `begun`, the decision before, or the last
        start, but not for absent seats. `moments`: their `at`; `at`: the entry's. The book is as before it."""
        self.report.checked("policy")
        chairs = state.book.chairs
        lapsed = {seat: chair.lapse_count for seat, chair in chairs.items()}
        times, last = iter(moments), begun
        for number, decision in enumerate(decisions):
            seat = decision.actor
            if decision.by != TABLE:
                lapsed[seat] = 0
                continue
            made, field = next(times), f"decisions[{number}].at"
            if not last <= made <= at:
                self.find("time-order", place, field=field, expected=f"{last} to {at}", found=made)
            elif lapsed.get(seat, MAX_LAPSED_LIMITS) < MAX_LAPSED_LIMITS:
                since = max(last, self.starts.last_before(made), state.starts.last_before(made))
                over = microseconds(since) + state.book.policy.decision * SECOND
                if microseconds(made) < over:
                    wanted = f"not before {moment(over)}: the table decides for seat {seat}"
                    self.find("limit-early", place, field=field, expected=wanted, found=made)
            last = max(last, made)
            lapsed[seat] = lapsed.get(seat, MAX_LAPSED_LIMITS) + 1
