"""What comes late, in the log's own time: a gap between two entries counts an hour at most."""

from __future__ import annotations

import pytest

from fairshoe.log.times import DAY, HOUR, SECOND
from tests.house import POLICY, Seating

from .planting import at_table, entries_in, log_open, meanwhile, notes, places, sealed_at
from .walk import full

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


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_comes_within_the_hour_is_none(step: str) -> None:
    assert notes(delayed(step, 58 * 60).house) == []


@pytest.mark.parametrize("step", STEPS)
def test_who_writes_nothing_for_three_days_is_not_late_by_it(step: str) -> None:
    """It was out of order, or nobody was there: with the first entries afterwards all goes on."""
    assert notes(delayed(step, 3 * DAY // SECOND, alone=True).house) == []


def test_an_outage_counts_for_an_hour_and_what_was_written_before_and_after_it_in_full() -> None:
    def house(before: int, after: int) -> Seating:
        table = at_table("boxes")
        shoe = table.prepare()
        log_open(table, shoe, bets := table.offers([1, 2]))
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
    table = at_table("boxes")
    shoe = table.prepare()
    log_open(table, shoe, bets := table.offers([1, 2]))
    table.open_seeds(shoe, bets)
    table.house.now += 3 * DAY
    Seating(table.house, "other", "boxes", ())
    assert notes(table.house) == []
    meanwhile(table.house, 3 * HOUR // SECOND)
    assert notes(table.house) == ["step-late"]


def test_a_shoes_age_is_that_of_the_clock() -> None:
    """An outage makes it no younger: only lateness is counted in the log's own time."""
    table = at_table()
    shoe, sealed = sealed_at(table)
    table.house.wait(POLICY["shoe"], shoe.sealed)
    table.reveal(shoe, sealed, "age")
    assert notes(table.house) == []


@pytest.mark.parametrize(("hours", "found"), [(0, []), (3, ["step-late"]), (23, ["step-late"])])
def test_a_pool_that_is_shared_out_late(hours: int, found: list[str]) -> None:
    """It is due with the entry by which the last chair was left."""
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    payers = table.rules.payers(table.table)  # type: ignore[attr-defined]
    for seat in (1, 2):
        table.leave(seat)
    meanwhile(table.house, hours * 3600)
    table.share(payers)
    assert notes(table.house) == found


def test_a_refund_or_another_share_excuses_no_share() -> None:
    """It is due since the last chair was left, or since the share before."""
    table = at_table("lounge", (1, 2, 3), gift=1000)
    table.play(1)
    payers = table.rules.payers(table.table)  # type: ignore[attr-defined]
    for seat in (1, 2, 3):
        table.leave(seat)
    meanwhile(table.house, 14 * 3600)
    table.chips("refund", 1, 10_000, player="lounge-p1", game=1, why="round")
    meanwhile(table.house, 14 * 3600)
    assert codes(table) == ["step-overdue"]
    table.share(payers)
    assert codes(table) == ["step-overdue"]


def test_each_share_is_due_with_the_one_before() -> None:
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    for seat in (1, 2):
        table.leave(seat)
    pool = table.table.purse[-1]
    meanwhile(table.house, 14 * 3600)
    table.chips("share", 1, pool // 2 + pool % 2)
    meanwhile(table.house, 14 * 3600)
    table.chips("share", 2, table.table.purse[-1])
    assert codes(table) == ["step-late", "step-late"]


def codes(table: Seating) -> list[str]:
    return [finding.code for finding in full(table.house.lines).findings]
