"""Time limits: what is late is decided by default and marked so. The clock is the tests' own."""

from __future__ import annotations

from .place import at, refusal


def test_a_late_decision_is_the_tables(place):
    seats, turn = place.playing()
    place.clock.forward(29)
    assert at(turn).next()["do"] == "decisions"
    step = turn.next()["step"]
    place.clock.forward(2)
    assert refusal(turn.send, "decisions", step=step, move="hit")["status"] == 409
    place.finish(seats)
    entry = [entry for entry in place.entries() if entry["kind"] == "round"][-1]
    assert entry["decisions"][0]["by"] == "table"
    place.assert_clean()


def test_a_round_plays_itself_to_its_end_when_nobody_is_there(place):
    seats, _ = place.playing(3)
    for _ in range(12):
        place.clock.forward(31)
        place.public.get("/v1/tables/t1")
    assert place.kinds()[-1] == "round"
    assert all(decision["by"] == "table" for decision in place.entries()[-1]["decisions"])
    place.assert_clean()
    assert at(seats[0]).state["phase"] == "bet"


def test_the_ticker_needs_nobody_to_ask(place):
    _, _ = place.playing(1)
    while place.kinds()[-1] != "round":
        place.clock.forward(31)
        next(iter(place.public.log()))
    place.assert_clean()


def test_who_sends_no_hash_in_time_contributes_none(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    place.clock.forward(31)
    assert refusal(bob.send, "hash", hash="a" * 64)["status"] == 409
    assert place.entries()[-1]["hashes"].keys() == {"p1"}
    at(alice).contribute()
    assert place.entries()[-1]["seeds"].keys() == {"p1"}
    assert at(bob).next() == {"do": "waiver"}
    place.assert_clean()


def test_nobody_contributes_and_the_auditor_says_so(place):
    seats = place.casino()
    seats[0].send("shoe")
    place.clock.forward(31)
    at(seats[0])
    assert place.kinds()[-2:] == ["seeds", "seal"]
    assert [finding.code for finding in place.assert_clean().findings] == ["entropy-house-only"]


def test_a_cut_may_take_longer_than_a_hash(place):
    alice, bob = place.casino(policy={"hash": 10, "cut": 20})
    alice.send("shoe")
    alice.send("hash", hash="a" * 64)
    place.clock.forward(11)
    assert at(alice).next() == {"do": "hash", "cut": [1, 311]}
    assert refusal(bob.send, "hash", hash="b" * 64)["status"] == 409
    assert place.kinds()[-1] == "shoe"
    alice.send("hash", hash="a" * 64, cut=9)
    assert place.entries()[-1]["cut"] == {"at": 9, "by": "p1"}


def test_a_seed_that_is_not_opened_voids_the_shoe_and_sits_out_the_next_roster(place):
    alice, bob, carol = place.casino(3)
    alice.send("shoe")
    for seat in (alice, bob, carol):
        at(seat).contribute()
    at(alice).contribute()
    place.clock.forward(31)
    at(alice)
    void = place.entries()[-1]
    assert (void["kind"], void["why"], void["by"]) == ("void", "seed", "p2")
    assert alice.state["shoe"] is None
    assert alice.send("shoe")["shoe"]["roster"] == ["p1", "p3"]
    at(carol).send("reshuffle")
    assert at(alice).state["shoe"]["roster"] == ["p1", "p2", "p3"]
    report = place.assert_clean()
    assert {finding.code for finding in report.findings} == {"shoe-void"}


def test_a_sole_contributor_who_is_silent_plays_with_a_waiver(place):
    (alice,) = place.casino(1)
    alice.send("shoe")
    place.clock.forward(31)
    assert at(alice).next() == {"do": "waiver"}
    assert place.entries()[-1]["cut"].keys() == {"at"}
    place.assert_clean()


def test_bets_close_some_time_after_the_first(place):
    alice, bob = place.sealed()
    place.clock.forward(3600)
    at(alice).bet(10)
    place.clock.forward(59)
    assert at(bob).state["phase"] == "bet"
    place.clock.forward(2)
    assert refusal(bob.bet, 10)["status"] == 409
    assert next(e for e in place.entries() if e["kind"] == "open")["bets"] == [{"amount": 10, "seat": 1}]
    place.finish([alice, bob])
    place.assert_clean()


def test_an_old_shoe_is_revealed(place):
    alice, _ = place.sealed(policy={"shoe": 100})
    place.clock.forward(101)
    assert at(alice).state["shoe"] is None
    assert (place.entries()[-1]["kind"], place.entries()[-1]["why"]) == ("reveal", "age")
    place.assert_clean()


def test_an_old_shoe_waits_for_its_round(place):
    seats, turn = place.playing(policy={"shoe": 100, "decision": 1000})
    place.clock.forward(101)
    at(turn)
    assert place.kinds()[-1] == "open"
    place.finish(seats)
    assert [entry["kind"] for entry in place.entries()[-2:]] == ["round", "reveal"]
    assert place.entries()[-1]["why"] == "age"
    place.assert_clean()


def test_an_old_shoe_that_was_never_sealed_is_void(place):
    table = place.operator.create_table("boxes", table="t1", policy={"shoe": 100})
    seats = [table.sit("p1", 100), table.sit("p2", 100)]
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    assert at(seats[0]).state["phase"] == "bet"
    place.clock.forward(101)
    assert at(seats[0]).state["shoe"] is None
    assert (place.entries()[-1]["kind"], place.entries()[-1]["why"]) == ("void", "age")
    place.assert_clean()


def test_deadlines_are_shown(place):
    (alice, _), turn = place.playing()
    assert at(turn).state["deadlines"].keys() == {"decision"}
    assert alice.state["at"] < turn.state["deadlines"]["decision"]


def test_times_rise_even_if_the_clock_stands_or_goes_back(place):
    seats = place.sealed()
    place.clock.forward(-3600)
    place.deal_until_asked(seats)
    place.finish(seats)
    times = [entry["at"] for entry in place.entries()]
    assert times == sorted(set(times))
    place.assert_clean()
