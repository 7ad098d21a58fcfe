"""Time limits: what is late is decided by default and marked so. The clocks are the tests' own."""

from __future__ import annotations

import pytest

from fairshoe.log.times import SECOND, microseconds
from fairshoe.service.clock import Clock
from fairshoe.service.errors import Unusable

from .place import START, at, refusal

pytestmark = pytest.mark.direct
DAY = 86_400

# Decisions.


def test_a_late_decision_is_the_tables(place):
    seats, turn = place.playing()
    place.clock.forward(29)
    assert at(turn).next()["do"] == "decisions"
    wanted = turn.next()
    place.clock.forward(2)
    assert refusal(turn.send, "decisions", round=wanted["round"], step=wanted["step"], move="hit")["status"] == 409
    place.finish(seats)
    entry = place.of_kind("round")[-1]
    assert entry["decisions"][wanted["step"]]["by"] == "table"
    place.assert_clean()


def test_a_round_plays_itself_to_its_end_when_nobody_is_there(place):
    seats, _ = place.playing(3)
    for _ in range(12):
        place.clock.forward(31)
        place.public.get("/v1/tables/t1")
    entry = place.of_kind("round")[-1]
    assert all(decision["by"] == "table" for decision in entry["decisions"])
    assert at(seats[0]).state["phase"] == "bet"
    place.assert_clean()


def test_the_ticker_needs_nobody_to_ask(place):
    place.playing(1)
    while place.kinds()[-1] != "round":
        place.clock.forward(31)
        next(iter(place.public.log()))
    place.assert_clean()


def test_after_two_lapsed_limits_nobody_waits_for_a_seat_until_it_acts(place):
    alice, bob = place.sealed()
    for _ in range(2):
        at(alice).bet(10)
        place.clock.forward(61)
        place.finish([alice])
    assert [entry["late"] for entry in place.of_kind("open")] == [[2], [2]]
    at(alice).bet(10)
    place.finish([alice])
    assert len(place.of_kind("open")) == 3
    assert bob.refresh()["phase"] == "bet"
    bob.bet()
    alice.refresh()
    alice.bet(10)
    place.finish([alice])
    assert place.of_kind("open")[-1].get("passed") == [2]
    at(alice).bet(10)
    assert len(place.of_kind("open")) == 4
    place.clock.forward(61)
    at(alice)
    assert place.of_kind("open")[-1]["late"] == [2]
    place.finish([alice])
    place.assert_clean()


def test_an_absent_seat_is_left_out_of_a_roster_and_comes_back_when_it_acts(place):
    alice, bob = place.casino()
    for number in (1, 2):
        alice.send("shoe")
        alice.contribute()
        place.clock.forward(31)
        place.contribute([alice])
        at(alice)
        assert place.of_kind("seeds")[-1]["hashes"].keys() == {"p1"}
        place.clock.forward(3_600)
        assert at(alice).state["shoe"] is None, number
    alice.send("shoe")
    assert (place.entries()[-1]["roster"], place.entries()[-1]["away"]) == (["p1"], [2])
    assert not at(bob).contribute()
    assert bob.expects("here") == [{"do": "here", "may": True}]
    bob.send("here")
    assert bob.expects("here") == []
    alice.send("reshuffle")
    assert (place.entries()[-1]["roster"], place.entries()[-1].get("away")) == (["p1", "p2"], None)
    place.contribute([alice, bob])
    place.bet_and_finish([alice, bob])
    place.assert_clean()


def test_who_asks_for_a_shoe_is_not_away(place):
    alice, bob = place.casino()
    for _ in range(2):
        alice.send("shoe")
        place.clock.forward(31)
        assert at(alice).state["shoe"] is None
    assert place.last() == ("void", "idle")
    bob.send("shoe")
    assert place.entries()[-1]["kind"] == "shoe"
    place.assert_clean()


# Contributions.


def test_who_sends_no_hash_in_time_contributes_none(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    place.clock.forward(31)
    assert refusal(bob.send, "hash", hash="a" * 64)["status"] == 409
    assert place.entries()[-1]["hashes"].keys() == {"p1"}
    at(alice).contribute()
    assert [entry["player"] for entry in place.of_kind("opened")] == ["p1"]
    assert place.kinds()[-1] == "seal"
    assert at(bob).next() is None
    assert bob.expects("waiver") == []
    place.bet_and_finish([alice])
    place.assert_clean()


def test_a_shoe_to_which_nobody_contributes_is_void(place):
    seats = place.casino()
    seats[0].send("shoe")
    place.clock.forward(31)
    assert at(seats[0]).state["shoe"] is None
    assert place.last() == ("void", "idle")
    place.assert_clean()


def test_a_hash_that_comes_first_after_the_limit_is_too_late_for_a_shoe_that_is_void(place):
    seats = place.casino()
    seats[0].send("shoe")
    place.clock.forward(31)
    assert refusal(seats[1].send, "hash", hash="b" * 64)["status"] == 409


def test_a_cut_may_take_longer_than_a_hash(place):
    alice, bob = place.casino(policy={"hash": 10, "cut": 20})
    alice.send("shoe")
    alice.send("hash", hash="a" * 64)
    place.clock.forward(11)
    assert at(alice).next() == {"do": "hash", "shoe": "t1/1", "cut": [1, 311]}
    assert alice.state["deadlines"].keys() == {"hash", "cut", "shoe"}
    bob.send("hash", hash="b" * 64)
    assert place.kinds()[-1] == "shoe"
    alice.send("hash", hash="a" * 64, cut=9)
    assert place.entries()[-1]["cut"] == {"at": 9, "by": "p1"}
    assert place.entries()[-1]["hashes"].keys() == {"p1", "p2"}


def test_who_lets_the_first_seed_lapse_is_struck(place):
    alice, bob, carol = place.casino(3)
    alice.send("shoe")
    for seat in (alice, bob, carol):
        at(seat).contribute()
    place.clock.forward(31)
    assert at(alice).state["shoe"]["struck"] == ["p3"]
    assert place.entries()[-1]["player"] == "p3"
    assert refusal(carol.send, "seed", seed=carol._seed("t1/1").hex())["status"] == 409
    place.contribute([alice, bob])
    assert place.kinds()[-4:] == ["lapse", "opened", "opened", "seal"]
    assert at(carol).state["owed"] == {}
    assert refusal(carol.bet, 10)["status"] == 409
    assert refusal(carol.send, "waiver")["status"] == 409
    place.bet_and_finish([alice, bob])
    place.assert_clean()


def test_two_lapses_running_are_owed(place):
    alice, bob, carol = place.casino(3)
    for number in (1, 2):
        alice.send("shoe")
        for seat in (alice, bob, carol):
            at(seat).contribute()
        place.clock.forward(31)
        place.contribute([alice, bob])
        assert at(alice).state["owed"] == ({} if number == 1 else {"p3": ["t1/2"]})
        place.clock.forward(3_600)
        assert at(alice).state["shoe"] is None
    assert at(carol).next() == {"do": "seed", "shoe": "t1/2", "owed": True}
    assert alice.send("shoe")["shoe"]["roster"] == ["p1", "p2"]
    place.assert_clean()


def test_a_seed_that_is_not_opened_after_others_were_voids_the_shoe_and_is_owed(place):
    alice, bob, carol = place.casino(3)
    alice.send("shoe")
    for seat in (alice, bob, carol):
        at(seat).contribute()
    at(carol).contribute()
    place.clock.forward(31)
    at(alice)
    void = place.entries()[-1]
    assert (void["kind"], void["why"], void["by"]) == ("void", "seed", "p2")
    assert alice.state["shoe"] is None
    assert alice.state["owed"] == {"p2": ["t1/1"]}
    assert at(bob).next() == {"do": "seed", "shoe": "t1/1", "owed": True}
    assert alice.send("shoe")["shoe"]["roster"] == ["p1", "p3"]
    told = refusal(bob.leave)
    assert "has not been handed in" in told["detail"]
    bob.send("chips", op="cash-out", amount=1000)
    bob.contribute()
    assert place.entries()[-1] == {
        **place.entries()[-1],
        "kind": "late",
        "shoe": "t1/1",
        "player": "p2",
        "seed": bob._seed("t1/1").hex(),
    }
    assert at(alice).state["owed"] == {}
    at(carol).send("reshuffle")
    assert at(alice).state["shoe"]["roster"] == ["p1", "p3"]
    place.contribute([alice, carol])
    place.bet_and_finish([alice, carol])
    for seat in (alice, carol):
        seat.leave()
    bob.send("chips", op="buy-in", amount=100)
    assert bob.send("shoe")["shoe"]["roster"] == ["p2"]
    place.assert_clean()


def test_a_chair_that_never_sends_a_hash_does_not_keep_those_out_who_have_handed_a_seed_in(place):
    """One shoe that is void for want of its hash, and they contribute again; two, and nobody waits for it any more."""
    alice, bob = place.casino()
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    at(bob).contribute()
    place.clock.forward(31)
    assert at(alice).contribute()
    for roster in (["p2"], ["p1", "p2"]):
        assert at(alice).send("shoe")["shoe"]["roster"] == roster
        place.clock.forward(31)
        assert at(alice).state["shoe"] is None
        assert place.last() == ("void", "idle")
    alice.send("shoe")
    assert (place.entries()[-1]["roster"], place.entries()[-1]["away"]) == (["p1"], [2])
    place.contribute([alice])
    place.bet_and_finish([alice])
    place.assert_clean()


def test_who_owes_a_seed_contributes_where_nobody_else_could(place):
    alice, bob = place.casino()
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    at(bob).contribute()
    place.clock.forward(31)
    assert at(bob).state["owed"] == {"p1": ["t1/1"]}
    bob.leave()
    assert at(alice).send("shoe")["shoe"]["roster"] == ["p1"]
    place.contribute([alice])
    place.bet_and_finish([alice])
    place.assert_clean()


def test_a_sole_player_who_bets_and_sends_no_seed_owes_nothing(place):
    (alice,) = place.sit("banker", 1)
    alice.send("shoe")
    alice.bet(10)
    assert refusal(alice.leave)["status"] == 409
    place.clock.forward(31)
    assert at(alice).state["shoe"] is None
    void = place.entries()[-1]
    assert (void["why"], void["by"], void["round"]) == ("seed", "p1", 1)
    assert alice.state["owed"] == {}
    assert alice.state["chips"]["1"] == 1000
    alice.send("shoe")
    alice.bet(10)
    place.contribute([alice])
    place.finish([alice])
    assert place.of_kind("round")[-1]["round"] == 2
    place.assert_clean()


def test_the_bets_of_whoever_let_the_seed_lapse_go_back(place):
    alice, bob = place.sit("boxes", 2)
    alice.send("shoe")
    place.contribute([alice, bob])
    at(alice).bet(10)
    at(bob).bet(20)
    place.clock.forward(31)
    assert at(alice).state["round"]["bets"] == [{"amount": 10, "seat": 1}]
    place.contribute([alice])
    place.finish([alice])
    (entry,) = place.of_kind("round")
    assert [hand["seat"] for hand in entry["hands"]] == [1]
    assert at(bob).state["chips"]["2"] == 1000
    place.assert_clean()


def test_a_shoe_of_one_round_without_a_bet_left_is_void(place):
    alice, bob = place.sit("boxes", 2)
    alice.send("shoe")
    place.contribute([alice, bob])
    at(alice).bet()
    at(bob).bet(20)
    place.clock.forward(31)
    at(alice)
    assert [entry["kind"] for entry in place.entries()[-2:]] == ["lapse", "void"]
    void = place.entries()[-1]
    assert (void["why"], void["round"]) == ("seed", 1)
    assert "by" not in void
    place.assert_clean()


# Bets.


def test_bets_close_some_time_after_the_first(place):
    alice, bob = place.sealed()
    place.clock.forward(3_000)
    at(alice).bet(10)
    place.clock.forward(59)
    assert at(bob).state["phase"] == "bet"
    place.clock.forward(2)
    assert refusal(bob.send, "bets", round=1, bets=[{"amount": 10}])["status"] == 409
    (opened,) = place.of_kind("open")
    assert (opened["bets"], opened["late"]) == ([{"amount": 10, "seat": 1}], [2])
    place.finish([alice, bob])
    place.assert_clean()


def test_a_shoe_of_one_round_waits_for_bets_from_its_hashes_on(place):
    alice, bob = place.sit("boxes", 2)
    alice.send("shoe")
    place.contribute([alice, bob])
    place.clock.forward(50)
    at(alice).bet(10)
    place.clock.forward(11)
    assert at(bob).state["phase"] == "seed"
    assert place.entries()[-1]["late"] == [2]
    place.contribute([alice, bob])
    place.finish([alice])
    place.assert_clean()


def test_a_shoe_of_one_round_on_which_nobody_bets_is_void(place):
    alice, bob = place.sit("boxes", 2)
    alice.send("shoe")
    place.contribute([alice, bob])
    at(alice).bet()
    at(bob).bet()
    assert place.kinds()[-1] == "seeds"
    place.clock.forward(61)
    assert at(alice).state["shoe"] is None
    assert place.last() == ("void", "idle")
    place.assert_clean()


# The shoe's life.


def test_the_limits_of_a_table_are_bounded(place):
    for limit, seconds in (("shoe", 86_399), ("shoe", 2_592_001), ("bet", 4), ("decision", 3_601), ("hash", 0)):
        told = refusal(place.operator.create_table, "casino", policy={limit: seconds})
        assert (told["status"], told["errors"][0]["field"]) == (422, f"policy.{limit}")
    table = place.operator.create_table("casino", policy={"bet": 5, "shoe": 2_592_000})
    policy = {"hash": 30, "seed": 30, "cut": 30, "bet": 5, "decision": 30, "shoe": 2_592_000}
    assert table.state()["policy"] == place.entries()[-1]["policy"] == policy


def play_for(place, seats, seconds):
    """36 rounds, evenly: too few to wear a shoe of eight packs, whatever the cards."""
    for _ in range(36):
        place.clock.forward(seconds // 36)
        if at(seats[0]).state["phase"] != "bet":
            return
        place.bet_and_finish(seats, 2)


def test_an_old_shoe_is_revealed_while_it_is_played(place):
    seats = place.sealed(options={"packs": 8})
    play_for(place, seats, DAY)
    assert place.last() == ("reveal", "age")
    sealed, revealed = (place.of_kind(kind)[0]["at"] for kind in ("seal", "reveal"))
    assert DAY * SECOND <= microseconds(revealed) - microseconds(sealed) < (DAY + 1) * SECOND
    place.assert_clean()


def test_an_old_shoe_waits_for_its_round(place):
    seats = place.sealed(policy={"decision": 3_600}, options={"packs": 8})
    play_for(place, seats, DAY - 1_800)
    place.deal_until_asked(seats)
    place.clock.forward(1_800)
    assert at(seats[0]).state["phase"] == "round"
    assert place.kinds()[-1] == "open"
    place.finish(seats)
    assert [entry["kind"] for entry in place.entries()[-2:]] == ["round", "reveal"]
    assert place.last() == ("reveal", "age")
    place.assert_clean()


def test_deadlines_are_shown(place):
    alice, bob = place.casino()
    assert at(alice).state["deadlines"] == {}
    alice.send("shoe")
    alice.contribute()
    assert alice.state["deadlines"].keys() == {"hash", "shoe"}
    at(bob).contribute()
    assert bob.state["deadlines"].keys() == {"seed"}
    place.contribute([alice, bob])
    assert at(alice).state["deadlines"].keys() == {"shoe"}
    alice.bet(2)
    assert alice.state["deadlines"].keys() == {"bet", "shoe"}
    turn = place.deal_until_asked([alice, bob])
    assert turn.state["deadlines"].keys() == {"decision"}
    assert at(alice).state["at"] < turn.state["deadlines"]["decision"]


# The clock.


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


@pytest.mark.parametrize("hours", [2, -2, 48])
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


@pytest.mark.parametrize("minutes", [59, 1, -1, -59])
def test_a_smaller_jump_is_followed_and_limits_begin_anew(place, minutes):
    seats, turn = place.playing()
    place.clock.forward(29)
    wanted = at(turn).next()
    place.clock.set_wall(60 * minutes)
    place.house.sequencer.beat()
    assert place.kinds()[-1] == "start"
    assert microseconds(place.entries()[-1]["at"]) >= place.clock.wall
    place.clock.forward(29)
    assert at(turn).next() == wanted
    place.finish(seats)
    assert all("by" not in move for move in place.of_kind("round")[-1]["decisions"])
    place.clock.set_wall(-60 * minutes)
    place.house.sequencer.beat()
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
    with pytest.raises(Unusable, match=r"2\.0 hours"):
        place.start()
    place.start(clock_is_right=True)
    seats = [place.again(seat) for seat in seats]
    assert place.kinds()[-1] == "start"
    place.finish(seats)
    place.bet_and_finish(seats)
    place.assert_clean()


def test_the_clock_never_stands_still():
    now = [1_000]
    clock = Clock(lambda: 0, lambda: now[0])
    assert clock.now(50) == 51
    now[0] += 10
    assert clock.now(50) == 60
    assert clock.now(60) == 61
    assert clock.present == 61
    clock.check(0)
