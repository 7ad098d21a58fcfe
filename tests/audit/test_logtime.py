"""The log's own time, in which an outage is none, and the service's starts."""

from __future__ import annotations

import json

from audit_cli.walk.times import LogTime, Starts
from fairshoe.log.times import DAY, HOUR, SECOND, microseconds, timestamp
from tests.audit.planting import at_table
from tests.audit.walk import full

BEGIN = microseconds("2026-01-01T00:00:00.000000Z")


def after(*gaps: int) -> LogTime:
    """The time of a log whose entries are so far apart."""
    time, moment = LogTime(), BEGIN
    time.pass_on("", timestamp(moment))
    for gap in gaps:
        time.pass_on(timestamp(moment), timestamp(moment + gap))
        moment += gap
    return time


def test_a_gap_counts_an_hour_at_most() -> None:
    time = after(HOUR, 3 * DAY, 10 * SECOND)
    assert time.between(BEGIN, BEGIN + HOUR) == HOUR
    assert time.between(BEGIN, BEGIN + HOUR + 3 * DAY) == 2 * HOUR
    assert time.between(BEGIN, BEGIN + HOUR + 3 * DAY + 10 * SECOND) == 2 * HOUR + 10 * SECOND


def test_what_is_due_in_a_gap_is_due_in_its_first_hour_or_at_its_end() -> None:
    time = after(DAY)
    assert time.between(BEGIN + HOUR // 2, BEGIN + DAY) == HOUR // 2
    assert time.between(BEGIN + 2 * HOUR, BEGIN + DAY) == 0


def test_many_entries_have_no_gap() -> None:
    assert after(*[HOUR] * 48).between(BEGIN, BEGIN + 2 * DAY) == 2 * DAY


def test_times_that_fall_make_no_gap() -> None:
    assert after(2 * HOUR, -HOUR, 2 * HOUR).between(BEGIN, BEGIN + 3 * HOUR) == 2 * HOUR


def test_starts() -> None:
    starts = Starts()
    assert (starts.last, starts.last_before("2026")) == ("", "")
    for at in ("2026-01-01", "2026-01-03", "2026-01-02"):
        starts.add(at)
    assert starts.last == "2026-01-03"
    assert starts.last_before("2026-01-03") == "2026-01-01"
    assert starts.last_before("2026-01-04") == "2026-01-03"
    assert starts.between("2026-01-01", "2026-01-03") == 1


def test_an_outage_is_none_whatever_entry_ends_it() -> None:
    """`chips` has a field before its time, and is read otherwise than most entries."""
    table = at_table("boxes")
    shoe = table.prepare()
    table.house.now += 3 * DAY
    table.chips("buy-in", 1, 100)
    assert json.loads(table.house.lines[-1])["kind"] == "chips"
    table.house.now += 30 * SECOND
    table.void(shoe, "idle")
    assert [finding.code for finding in full(table.house.lines).findings] == ["shoe-void"]
