"""Nobody loses a hand to a limit because the service did not answer."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import pytest

from fairshoe.log.times import SECOND

from .place import at, wait_for

pytestmark = pytest.mark.wire


@contextmanager
def no_threads(place):
    """Every thread that could answer a command is kept, and the ticker waits for one; gives what lets them go."""
    lane, release = place.server.workers.commands, threading.Event()
    kept_all = threading.Barrier(lane.threads + 1)
    kept = [lane.submit(lambda: (kept_all.wait(), release.wait())) for _ in range(lane.threads)]
    kept_all.wait()
    wait_for(lane._pool._work_queue.qsize)
    try:
        yield release.set
    finally:
        release.set()
        for each in kept:
            each.result()


@contextmanager
def a_disk_that_hangs(place):
    """A transaction that is not over, for which the ticker waits."""
    release, begun = threading.Event(), threading.Event()

    def hang():
        with place.house.database.begin_write():
            begun.set()
            release.wait()

    thread = threading.Thread(target=hang)
    thread.start()
    begun.wait()
    waiting = place.house.sequencer.transactions._turns._waiting
    wait_for(lambda: [job for job in waiting if job.task.request is None])
    try:
        yield release.set
    finally:
        release.set()
        thread.join()


def decide_meanwhile(place, turn, kept, *, steady):
    """A decision is sent while nothing is answered; the limit passes, and `steady` seconds that are not answered."""
    wanted = turn.next()
    with kept(place) as release:
        sending = threading.Thread(target=turn.decide, kwargs=wanted["default"])
        sending.start()
        place.clock.leave_unanswered(steady, passed=31)
        release()
        sending.join()


def by_table(place, seats):
    place.finish(seats)
    decisions = place.of_kind("round")[-1]["decisions"]
    return [move.get("by") for move in decisions]


@pytest.mark.both
@pytest.mark.parametrize(("kept", "steady"), [(no_threads, 31), (a_disk_that_hangs, 6)])
def test_who_was_locked_out_decides_when_it_goes_on(place, kept, steady):
    """Threads are free again, or the disk works."""
    seats, turn = place.playing()
    decide_meanwhile(place, turn, kept, steady=steady)
    assert place.kinds().count("start") == 1
    assert "table" not in by_table(place, seats)
    place.assert_clean()


def test_limits_of_every_table_begin_anew_after_an_outage(place):
    place.casino(name="t1")
    others = place.casino(name="t2")
    others[0].send("shoe")
    before = at(others[0]).state["deadlines"]["hash"]
    with no_threads(place) as release:
        place.clock.leave_unanswered(5, passed=20)
        release()
    place.house.sequencer.transactions.beat()
    assert at(others[0]).state["deadlines"]["hash"] > before
    place.assert_clean()


def test_a_command_that_waits_is_heard_before_a_limit_that_ran_out_since_it_came(place):
    seats, turn = place.playing()
    turn.next()
    place.house.sequencer.tables.behind = lambda: 2 * SECOND
    place.clock.forward(31)
    assert place.house.sequencer.transactions.overdue_tables() == []
    turn.decide(**turn.next()["default"])
    place.house.sequencer.tables.behind = lambda: 0
    assert "table" not in by_table(place, seats)
    place.assert_clean()


def test_a_machine_that_stands_still_after_the_look_for_outages_decides_nothing(place, monkeypatch):
    seats, turn = place.playing()
    wanted, transactions = turn.next(), place.house.sequencer.transactions
    advance = transactions.tables.advance

    def stand_still(*given):
        place.clock.leave_unanswered(31, passed=31)
        return advance(*given)

    with monkeypatch.context() as patched:
        patched.setattr(transactions.tables, "advance", stand_still)
        transactions.catch_up(turn.table.name)
    turn.decide(**wanted["default"])
    assert "start" in place.kinds()
    assert "table" not in by_table(place, seats)
    place.assert_clean()


def test_who_does_no_commands_has_no_outage_to_tell_of_when_it_leads(place, monkeypatch):
    outages = place.house.sequencer.transactions.outages
    monkeypatch.setattr("fairshoe.service.leadership.Leadership.is_leader", False)
    outages.begin()
    place.clock.leave_unanswered(60)
    place.house.sequencer.transactions.beat()
    assert outages.take_change() is None
