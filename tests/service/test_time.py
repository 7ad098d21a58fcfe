"""Time limits: what is late is decided by default and marked so. The clocks are the tests' own."""

from __future__ import annotations

import pytest

from fairshoe.log.times import SECOND, microseconds
from fairshoe.service.clock import HouseClock
from fairshoe.service.errors import UnusableData

from .place import START, at, refusal


@pytest.mark.wire
def test_the_ticker_needs_nobody_to_ask(place):
    place.playing(1)
    rounds = place.kinds().count("round")
    while place.kinds().count("round") == rounds:
        place.clock.forward(31)
        next(iter(place.public.log()))
    place.assert_clean()


def test_the_limits_of_a_table_are_bounded(place):
    for limit, seconds in (("shoe", 86_399), ("shoe", 2_592_001), ("bet", 4), ("decision", 3_601), ("hash", 0)):
        told = refusal(place.operator.create_table, "casino", policy={limit: seconds})
        assert (told["status"], told["errors"][0]["field"]) == (422, f"policy.{limit}")
    table = place.operator.create_table("casino", policy={"bet": 5, "shoe": 2_592_000})
    policy = {"hash": 30, "seed": 30, "cut": 30, "bet": 5, "decision": 30, "shoe": 2_592_000}
    assert table.state()["policy"] == place.entries()[-1]["policy"] == policy


def test_times_rise_and_limits_run_though_the_wall_clock_goes_back(place):
    seats = place.sealed()
    place.clock.set_wall(-3 * 3_600)
    turn = place.deal_until_asked(seats)
    place.clock.forward(29)
    assert at(turn).next()
    place.clock.forward(2)
    place.finish(seats)
    assert place.of_kind("round")[-1]["decisions"][0]["by"] == "table"
    times = [microseconds(entry["at"]) for entry in place.entries()]
    assert times == sorted(set(times))
    assert times[-1] < START + 40 * SECOND
    place.assert_clean()


@pytest.mark.parametrize("hours", [48, -2])
def test_a_jump_of_the_wall_clock_by_more_than_an_hour_is_not_followed(place, hours):
    seats, turn = place.playing()
    wanted = turn.next()
    place.clock.set_wall(hours * 3_600)
    place.clock.forward(29)
    assert at(turn).next() == wanted
    place.clock.forward(2)
    place.finish(seats)
    assert place.of_kind("round")[-1]["decisions"][0]["by"] == "table"
    place.clock.set_wall(-hours * 3_600)
    place.bet_and_finish(seats)
    assert "start" not in place.kinds()
    assert microseconds(place.entries()[-1]["at"]) < START + 40 * SECOND
    place.assert_clean()


@pytest.mark.parametrize("minutes", [59, -59])
def test_a_smaller_jump_is_followed_and_limits_begin_anew(place, minutes):
    seats, turn = place.playing()
    place.clock.forward(29)
    wanted = at(turn).next()
    place.clock.set_wall(60 * minutes)
    place.house.sequencer.transactions.beat()
    assert place.kinds()[-1] == "start"
    assert microseconds(place.entries()[-1]["at"]) >= place.clock.wall
    place.clock.forward(29)
    assert at(turn).next() == wanted
    place.finish(seats)
    assert all("by" not in move for move in place.of_kind("round")[-1]["decisions"])
    place.clock.set_wall(-60 * minutes)
    place.house.sequencer.transactions.beat()
    place.bet_and_finish(seats)
    assert place.kinds().count("start") == 2
    place.assert_clean()


def test_a_clock_that_is_corrected_by_a_little_restarts_no_limit(place):
    seats, _ = place.playing()
    for seconds in (4, -4, 4):
        place.clock.set_wall(seconds)
        at(seats[0])
    place.finish(seats)
    assert "start" not in place.kinds()


@pytest.mark.parametrize("seconds", [7_200, -7_200])
def test_a_clock_that_is_off_at_a_start_needs_the_operators_word(place, seconds):
    seats, _ = place.playing()
    place.stop()
    place.clock.set_wall(seconds)
    with pytest.raises(UnusableData, match=r"2\.0 hours"):
        place.start()
    place.start(clock_is_right=True)
    seats = [place.again(seat) for seat in seats]
    assert place.kinds()[-1] == "start"
    place.finish(seats)
    place.bet_and_finish(seats)
    place.assert_clean()


def test_the_clock_never_stands_still():
    now = [1_000]
    clock = HouseClock(lambda: 0, lambda: now[0])
    assert clock.now(50) == 51
    now[0] += 10
    assert clock.now(50) == 60
    assert clock.now(60) == 61
    assert clock.present == 61
    clock.check(0)


@pytest.mark.both
@pytest.mark.parametrize("lapses", [2, 3])
def test_a_player_who_lets_so_many_limits_pass_is_put_out_by_the_table(place, lapses):
    alice, bob = place.sit("casino", 2, lapses=lapses)
    assert place.public.get("/v1/tables/t1")["lapses"] == lapses
    place.make_shoe([alice, bob])
    for _ in range(lapses):
        assert len(at(alice).state["seats"]) == 2
        alice.bet(10)
        place.clock.forward(61)
        place.finish([alice])
    assert [entry.get("late") for entry in place.of_kind("open")] == [[2]] * lapses
    alice.leave()
    place.clock.forward(3_600)  # in which nobody bet
    assert place.public.get("/v1/tables/t1")["seats"] == []
    out = place.of_kind("chips")[-1]
    assert (out["player"], out["by"], out["lapsed"], out["v"]) == ("p2", "house", True, 2)
    assert refusal(bob.refresh)["status"] == 401
    assert place.of_kind("table")[0]["lapses"] == lapses
    counted = place.assert_clean().choices.as_json()["players"]["t1"]["p2"]
    assert counted["put out after lapsed limits"] == 1


def test_a_player_who_is_back_is_not_put_out(place):
    alice, bob = place.sit("casino", 2, lapses=2)
    place.make_shoe([alice, bob])
    for _ in range(2):
        alice.bet(10)
        place.clock.forward(61)
        place.finish([alice])
    at(bob).send("here")
    alice.leave()
    place.clock.forward(3_600)
    assert [each["player"] for each in at(bob).state["seats"]] == ["p2"]
    place.assert_clean()
