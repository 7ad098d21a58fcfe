"""All six games through the same code, by bots over HTTP, with trouble; the auditor has the last word."""

from __future__ import annotations

import random

import pytest

from fairshoe.client import Problem
from fairshoe.commands._demo.game import play
from fairshoe.engine.rules import RULES

from .place import at, refusal


@pytest.mark.parametrize("rules", sorted(RULES))
def test_bots_play_it_to_the_end(place, rules):
    seen = []
    play(place.operator, rules, 12, 3, seen.append)
    assert max(seen) == 12
    report = place.assert_clean()
    assert (report.rounds, report.open) == (12, 0)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_players_who_do_as_they_like(place, rules):
    """Random legal choices, late ones, comings and goings, requests for a reshuffle."""
    rng = random.Random(rules)
    table = place.operator.create_table(rules, table="t1", policy={"bet": 20})
    seats = [table.sit(f"p{i}", 10_000) for i in range(min(4, table.state()["chairs"]))]
    for turn in range(260):
        seat = rng.choice(seats)
        if rng.random() < 0.06:
            place.clock.forward(31)
        elif rng.random() < 0.05:
            wander(place, table, seats, seat, turn)
        else:
            something(at(seat), rng)
    assert table.state()["rounds"]
    place.assert_clean()


def wander(place, table, seats, seat, turn):
    """Leave and have somebody else sit down, or ask for a reshuffle, where that is allowed."""
    try:
        if turn % 2:
            seat.send("reshuffle")
        else:
            seat.leave()
            seats.remove(seat)
            seats.append(table.sit(f"q{turn}", 10_000))
    except Problem as problem:
        if problem.status not in (409, 422):
            raise
    if not seats:
        seats.append(table.sit(f"r{turn}", 10_000))


def something(seat, rng):
    wanted = rng.choice(seat.state["you"]["expects"] or [None])
    if wanted is None:
        return
    if wanted["do"] == "decisions":
        move = rng.choice(wanted["moves"])
        fields = {}
        if "high" in move:
            fields["amount"] = rng.randint(move["low"], move["high"])
        if "among" in move:
            many = rng.randint(move["fewest"], move["most"])
            fields["chosen"] = sorted(rng.sample(move["among"], many))
        seat.send("decisions", step=wanted["step"], move=move["move"], **fields)
    elif wanted["do"] == "bets":
        amount = rng.randrange(wanted["low"], min(wanted["high"], 40) + 1, wanted["unit"])
        try_to(seat.send, "bets", round=wanted["round"], bets=rng.choice([[], [{"amount": amount}]]))
    elif wanted["do"] == "shoe":
        if try_to(seat.send, "shoe") == 422:
            try_to(seat.send, "chips", op="buy-in", amount=10_000)
    elif wanted["do"] == "waiver":
        seat.send("waiver")
    else:
        seat.contribute()


def try_to(call, *args, **fields):
    try:
        call(*args, **fields)
    except Problem as problem:
        if problem.status != 422:
            raise
        return 422
    return 200


def test_boxes_are_held_by_whoever_bets_first(place):
    table = place.operator.create_table("boxes", table="t1")
    alice, bob = table.sit("alice", 1000), table.sit("bob", 1000)
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    alice.send("bets", round=1, bets=[{"amount": 10, "box": 5}, {"amount": 10, "box": 2}])
    assert at(alice).state["bets"]["in"] == [
        {"amount": 10, "box": 2, "seat": 1},
        {"amount": 10, "box": 5, "seat": 1},
    ]
    assert refusal(bob.send, "bets", round=1, bets=[{"amount": 10, "box": 5}])["status"] == 422
    assert refusal(bob.send, "bets", round=1, bets=[{"amount": 10, "box": 8}])["status"] == 422
    at(bob).send("bets", round=1, bets=[{"amount": 20, "box": 7}])
    for seat in (alice, bob):
        at(seat).contribute()
    place.finish([alice, bob])
    place.assert_clean()


def test_lounge_bets_by_itself_and_refunds(place):
    table = place.operator.create_table("lounge", table="t1")
    assert refusal(table.sit, "alice", 5000)["status"] == 422
    alice, bob = table.sit("alice", 10_000), table.sit("bob", 10_000)
    place.operator.table("t1").send("refund", seat=2)
    assert at(bob).state["chips"] == {"1": 0, "2": 10_000, "house": 1000, "pool": 9000}
    bob.leave()
    alice.send("shoe")
    assert refusal(alice.bet, 1000)["status"] == 409
    alice.contribute()
    place.finish([alice])
    assert refusal(alice.leave)["status"] == 409
    place.operator.table("t1").send("refund", seat=1)
    place.assert_clean()


def test_pontoon_finds_a_banker_before_the_first_round(place):
    table = place.operator.create_table("pontoon", table="t1")
    seats = [table.sit(f"p{i}", 100) for i in range(3)]
    place.make_shoe(seats)
    bank = place.entries()[-2]
    assert (bank["kind"], bank["why"]) == ("bank", "first")
    assert bank["cards"][-1] in ("Js", "Jc")
    assert place.kinds()[-1] == "reveal"
    place.make_shoe(seats)
    assert len(place.entries()[-1]["burn"]) == 2
    dealer = next(seat for seat in seats if seat.seat == bank["to"])
    assert refusal(at(dealer).bet, 1)["status"] == 409
    place.assert_clean()


def test_a_dealer_who_leaves_takes_the_unsealed_shoe_along(place):
    table = place.operator.create_table("chinese", table="t1")
    seats = [table.sit(f"p{i}", 1000) for i in range(3)]
    seats[0].send("shoe")
    dealer = next(seat for seat in seats if str(seat.seat) == seats[0].state["bank"])
    dealer.leave()
    assert [entry["kind"] for entry in place.entries()[-2:]] == ["void", "chips"]
    rest = [seat for seat in seats if seat is not dealer]
    rest[0].send("shoe")
    assert rest[0].state["bank"] != str(dealer.seat)
    place.assert_clean()
