"""What comes late or early, by the log's own time; frauds are in `frauds/delays.py` and `frauds/moments.py`."""

from __future__ import annotations

import json

import pytest

from audit_cli.verify.walk.state import LogTime, Starts
from fairshoe.log.times import DAY, HOUR, SECOND, microseconds, timestamp
from tests.house import Seating

from .frauds.moments import LIMITS, decided, restarted
from .planting import Entry, at_table, bets_at, encoded, entries_in, log_open, meanwhile, notes, places
from .walk import full


def codes(table: Seating) -> list[str]:
    return [finding.code for finding in full(table.house.lines).findings]


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
    fell = after(2 * HOUR, -HOUR, 2 * HOUR)
    assert fell.between(BEGIN, BEGIN + 3 * HOUR) == 2 * HOUR, "times that fall make no gap"
    time = after(DAY)
    assert time.between(BEGIN + HOUR // 2, BEGIN + DAY) == HOUR // 2, "due in its first hour"
    assert time.between(BEGIN + 2 * HOUR, BEGIN + DAY) == 0, "or at its end"


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
    assert codes(table) == ["shoe-void"]


# Late.

STEPS = ["opened", "seal", "round", "reveal"]


def delayed(step: str, seconds: int, *, alone: bool = False) -> Seating:
    """A table of which this step comes so much later; `alone`: nobody writes in the meantime."""
    table = at_table("boxes")

    def late(now: str) -> None:
        if step == now and alone:
            table.house.now += seconds * SECOND
        elif step == now:
            meanwhile(table.house, seconds)

    shoe = table.prepare()
    log_open(table, shoe, bets := table.offers([1, 2]))
    late("opened")
    table.open_seeds(shoe, bets)
    late("seal")
    sealed = table.seal(shoe)
    late("round")
    table.round(shoe, sealed, bets)
    late("reveal")
    table.reveal(shoe, sealed, "worn")
    return table


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_was_made_good_is_a_note(step: str) -> None:
    table = delayed(step, 3 * HOUR // SECOND)
    (found,) = full(table.house.lines).findings
    assert (found.code, found.severity, found.fault) == ("step-late", "note", "house")
    assert found.entry == places(entries_in(table.house), step)[0]
    assert (found.table, found.shoe, found.round) == ("boxes", "boxes/1", None)


@pytest.mark.parametrize(("seconds", "alone"), [(58 * 60, False), (3 * DAY // SECOND, True)])
@pytest.mark.parametrize("step", STEPS)
def test_what_comes_within_the_hour_or_with_the_first_entries_after_an_outage_is_none(
    step: str, seconds: int, alone: bool
) -> None:
    assert notes(delayed(step, seconds, alone=alone).house) == []


def test_an_outage_counts_for_an_hour_and_what_was_written_before_and_after_it_in_full() -> None:
    def house(before: int, after: int) -> Seating:
        table, shoe, bets = bets_at()
        table.open_seeds(shoe, bets)
        meanwhile(table.house, before)
        table.house.now += 3 * DAY
        meanwhile(table.house, after)
        table.seal(shoe)
        return table

    assert notes(house(11 * 3600, 11 * 3600).house) == ["step-late"]
    found = full(house(12 * 3600, 12 * 3600).house.lines).findings
    assert [f.code for f in found if f.severity == "fail"] == ["step-overdue"]


def test_a_step_that_is_still_missing_at_the_end_is_a_note() -> None:
    table, shoe, bets = bets_at()
    table.open_seeds(shoe, bets)
    table.house.now += 3 * DAY
    Seating(table.house, "other", "boxes", ())
    assert notes(table.house) == []
    meanwhile(table.house, 3 * HOUR // SECOND)
    assert notes(table.house) == ["step-late"]


def left_lounge(*seats: int) -> tuple[Seating, list[int]]:
    """A lounge that everybody left, and who paid for its pool."""
    table = at_table("lounge", seats, gift=1000)
    table.play(1)
    payers = table.rules.payers(table.table)  # type: ignore[attr-defined]
    for seat in seats:
        table.leave(seat)
    return table, payers


@pytest.mark.parametrize(("hours", "found"), [(0, []), (3, ["step-late"]), (23, ["step-late"])])
def test_a_pool_that_is_shared_out_late(hours: int, found: list[str]) -> None:
    """It is due with the entry by which the last chair was left."""
    table, payers = left_lounge(1, 2)
    meanwhile(table.house, hours * 3600)
    table.share(payers)
    assert notes(table.house) == found


def test_a_refund_or_another_share_excuses_no_share() -> None:
    """It is due since the last chair was left, or since the share before."""
    table, payers = left_lounge(1, 2, 3)
    meanwhile(table.house, 14 * 3600)
    table.chips("refund", 1, 10_000, player="lounge-p1", game=1, why="round")
    meanwhile(table.house, 14 * 3600)
    assert codes(table) == ["step-overdue"]
    table.share(payers)
    assert codes(table) == ["step-overdue"]


def fails(entries: list[Entry]) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.entry, f.field) for f in full(encoded(entries)).findings if f.severity == "fail"]


@pytest.mark.parametrize(
    "entries",
    [
        decided(30, 60),
        decided(30, 60, game="boxes"),
        decided(30, 60, at=60),
        decided(500, 530),
        decided(30, game="pontoon"),
        decided(30, game="pontoon", at=30),
        decided(35, 65, starts=[5]),
        decided(30, 60, at=61, starts=[60.5]),
        decided(30, 61, starts=[31]),
        decided(60, 95, starts=[10, 20, 30, 65]),
        decided(45, game="pontoon", starts=[15]),
        decided(30, game="pontoon", at=31, starts=[30.5]),
    ],
)
def test_who_waits_for_every_limit_passes(entries: list[Entry]) -> None:
    assert fails(entries) == []


@pytest.mark.parametrize("third", [60, 60.5, 80])
def test_nobody_waits_for_a_chair_that_let_two_limits_pass(third: float) -> None:
    """Nor in the same entry: the third comes at once, and the next one's limit runs from there."""
    assert fails(decided(30, 60, third, third + 30, third + 60, third + 90, game="chinese")) == []


@pytest.mark.parametrize("limit", LIMITS)
def test_a_start_at_other_tables_begins_no_limit_anew(limit: str) -> None:
    found = full(restarted(limit, "other").lines).findings
    assert [f.code for f in found] == (["shoe-void"] if limit == "idle" else [])


def test_a_start_at_other_tables_leaves_the_tables_decisions_alone() -> None:
    entries = decided(30, 60, starts=[15], tables=["another"])
    entries.insert(1, entries[0] | {"table": "another", "at": timestamp(microseconds(entries[0]["at"]) + 1)})
    assert fails(entries) == []
