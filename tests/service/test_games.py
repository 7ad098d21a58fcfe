"""All six games through the same code, by bots over HTTP, with trouble; the auditor has the last word."""

from __future__ import annotations

import random

import pytest

from fairshoe.client import Problem
from fairshoe.commands._demo import play
from fairshoe.engine.rules import RULES

from .place import at, refusal, step


@pytest.mark.parametrize("rules", sorted(RULES))
def test_bots_play_it_to_the_end(place, rules):
    seen = []
    play(place.operator, rules, 12, 3, seen.append)
    assert max(seen) == 12
    report = place.assert_clean()
    assert report.rounds == 12
    assert report.open == 0
    assert place.public.get(f"/v1/tables/{rules}")["seats"] == []


@pytest.mark.direct
@pytest.mark.parametrize("rules", sorted(RULES))
def test_players_who_do_as_they_like(place, rules):
    """Random legal choices, late ones, comings and goings, requests for a reshuffle."""
    rng = random.Random(rules)
    table = place.operator.create_table(rules, table="t1", policy={"bet": 20})
    seats = [table.sit(f"p{i}", 10_000) for i in range(min(4, table.state()["chairs"]))]
    for turn in range(300):
        seat = rng.choice(seats)
        if rng.random() < 0.06:
            place.clock.forward(31)
        elif rng.random() < 0.05:
            wander(place, table, seats, seat, turn)
        else:
            something(at(seat), rng)
    assert "round" in place.kinds()
    place.assert_clean()


def wander(place, table, seats, seat, turn):
    """Leave and have somebody else sit down, or ask for a reshuffle, where that is allowed."""
    if turn % 2:
        try_to(seat.send, "reshuffle")
    elif try_to(seat.leave) == 200:
        seats.remove(seat)
        sit(table, seats, f"q{turn}")
    while not seats:
        place.clock.forward(31)
        sit(table, seats, f"r{turn}")


def sit(table, seats, player):
    try:
        seats.append(table.sit(player, 10_000))
    except Problem as problem:
        if problem.status not in (409, 422):
            raise


def something(seat, rng):
    """One of the things that are expected; now and then one that nobody waits for."""
    forms = [form for form in seat.expects() if form["do"] in ("waiver", "bets") or not form.get("may")]
    wanted = rng.choice(forms or [None])
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
        seat.send("decisions", round=wanted["round"], step=wanted["step"], move=move["move"], **fields)
    elif wanted["do"] == "bets":
        amount = rng.randrange(wanted["low"], min(wanted["high"], 40) + 1, wanted["unit"])
        try_to(seat.send, "bets", round=wanted["round"], bets=rng.choice([[], [{"amount": amount}]]))
    elif wanted["do"] == "shoe":
        if try_to(seat.send, "shoe") != 200:
            try_to(seat.send, "chips", op="buy-in", amount=10_000)
    else:
        seat.contribute(waive=True)


def try_to(call, *args, **fields):
    """The status of the answer: done, or not at this point, or not by the rules."""
    try:
        call(*args, **fields)
    except Problem as problem:
        if problem.status not in (409, 422):
            raise
        return problem.status
    return 200


# boxes


def boxes(place):
    """Three chairs at a table of boxes whose hashes are in."""
    seats = place.sit("boxes", 3)
    seats[0].send("shoe")
    place.contribute(seats)
    return seats


def test_boxes_are_held_by_whoever_bets_first(place):
    alice, bob, carol = boxes(place)
    at(alice).bet(boxes={5: 10, 2: 10})
    assert alice.state["bets"]["in"] == [
        {"amount": 10, "box": 2, "seat": 1},
        {"amount": 10, "box": 5, "seat": 1},
    ]
    told = refusal(at(bob).bet, boxes={5: 10})
    assert (told["status"], told["type"], told["field"]) == (422, "/docs#illegal-bet", "box")
    assert "box 5 is taken" in told["detail"]
    assert "nobody has bet on" in told["expected"]
    assert "a box from 1 to 7" in refusal(bob.bet, boxes={8: 10})["expected"]
    bob.bet(boxes={7: 20})
    at(alice).bet(boxes={5: 10})
    at(carol).bet(boxes={2: 6})
    (opened,) = place.of_kind("open")
    assert [(bet["seat"], bet["box"]) for bet in opened["bets"]] == [(3, 2), (1, 5), (2, 7)]
    place.contribute([alice, bob, carol])
    place.finish([alice, bob, carol])
    place.assert_clean()


def test_several_boxes_are_covered_together(place):
    alice, bob, carol = boxes(place)
    assert refusal(at(alice).bet, boxes={1: 500, 2: 500, 3: 2})["status"] == 422
    at(alice).bet(boxes={1: 500, 2: 500})
    for seat in (bob, carol):
        at(seat).bet()
    place.contribute([alice, bob, carol])
    place.finish([alice])
    place.assert_clean()


def test_no_more_bets(place):
    alice, bob, carol = boxes(place)
    table = place.operator.table("t1")
    assert "nobody has bet" in refusal(table.send, "no-more-bets")["detail"]
    assert refusal(alice.send, "no-more-bets")["status"] == 403
    at(alice).bet(10)
    at(carol).bet()
    assert table.send("no-more-bets")["phase"] == "seed"
    (opened,) = place.of_kind("open")
    assert (opened["bets"], opened["passed"], opened["late"]) == ([{"amount": 10, "seat": 1}], [3], [2])
    assert refusal(at(bob).send, "bets", round=1, bets=[{"amount": 10}])["status"] == 409
    assert refusal(table.send, "no-more-bets")["status"] == 409
    place.contribute([alice, bob, carol])
    place.finish([alice])
    place.assert_clean()


def test_only_boxes_know_no_more_bets(place):
    alice, _ = place.sealed()
    at(alice).bet(10)
    assert "do not know that" in refusal(place.operator.table("t1").send, "no-more-bets")["detail"]


# lounge


def test_lounge_bets_by_itself_and_refunds(place):
    alice, bob = place.sit("lounge", 2)
    operator = place.operator.table("t1")
    operator.send("refund", player="p2", game=1, why="round")
    assert at(bob).state["chips"] == {"1": 0, "2": 10_000, "house": 1000, "pool": 9000}
    refund = place.entries()[-1]
    assert (refund["op"], refund["player"], refund["game"], refund["why"]) == ("refund", "p2", 1, "round")
    assert refusal(operator.send, "refund", player="p2", game=1, why="round")["status"] == 409
    assert refusal(operator.send, "refund", player="p1", game=2, why="round")["status"] == 409
    assert refusal(operator.send, "refund", player="p1", game=1, why="pity")["status"] == 422
    bob.leave()
    alice.send("shoe")
    assert refusal(alice.bet, 1000)["status"] == 409
    place.contribute([alice])
    place.finish([alice])
    operator.send("refund", player="p1", game=1, why="round")
    assert at(alice).state["chips"]["1"] >= 10_000
    place.assert_clean()


def test_gifts_count_against_the_refund_of_a_game_that_is_not_played_out(place):
    alice, bob = place.sit("lounge", 2)
    while not any(at(seat).state["chips"][str(seat.seat)] for seat in (alice, bob)):
        place.make_shoe([alice, bob])
        place.finish([alice, bob])
    operator = place.operator.table("t1")
    refund = {"player": "p1", "game": 1, "why": "unfinished"}
    gifts = at(alice).state["chips"]["1"]
    assert "is still played" in refusal(operator.send, "refund", **refund)["detail"]
    operator.send("close")
    place.clock.forward(31 * 86_400)
    operator.send("refund", **refund)
    assert place.entries()[-1]["amount"] == 10_000 - gifts
    operator.send("refund", player="p2", game=1, why="round")
    assert place.entries()[-1]["amount"] == 10_000
    place.assert_clean()


def test_a_buy_in_is_refunded_to_who_has_left_too(place):
    alice, bob = place.sit("lounge", 2)
    alice.leave()
    place.operator.table("t1").send("refund", player="p1", game=1, why="round")
    assert at(bob).state["chips"] == {"2": 0, "house": 1000, "pool": 9000}
    place.assert_clean()


def test_the_pool_of_a_game_that_all_have_left_is_shared(place):
    seats = place.sit("lounge", 3)
    place.make_shoe(seats)
    place.finish(seats)
    pool = place.public.get("/v1/tables/t1")["chips"]["pool"]
    for seat in seats:
        seat.leave()
    shares = place.entries()[-3:]
    assert [(entry["op"], entry["player"]) for entry in shares] == [("share", f"p{i}") for i in (1, 2, 3)]
    assert sum(entry["amount"] for entry in shares) == pool
    assert shares[0]["amount"] - pool // 3 == pool % 3
    assert place.public.get("/v1/tables/t1")["chips"]["pool"] == 0
    place.public.table("t1").sit("p9", 10_000)
    place.assert_clean()


def test_nobody_joins_a_game_that_has_begun_and_a_game_begins_when_the_pool_is_used_up(place):
    (alice,) = place.sit("lounge", 1, options={"gift": 9_000})
    table = place.public.table("t1")
    place.make_shoe([alice])
    place.finish([alice])
    if at(alice).state["chips"]["pool"]:
        assert refusal(table.sit, "bob", 10_000)["status"] == 422
    while at(alice).state["chips"]["pool"]:
        place.make_shoe([alice])
        place.finish([alice])
    assert not alice.expects("shoe")
    assert refusal(alice.send, "shoe")["status"] in (409, 422)
    table.sit("bob", 10_000)
    assert at(alice).state["chips"]["pool"] == 9_000
    place.assert_clean()


# pontoon


def test_pontoon_finds_a_banker_before_the_first_round(place):
    seats = place.sit("pontoon", 3, 100)
    place.make_shoe(seats)
    assert place.of_kind("shoe")[0]["purpose"] == "bank"
    assert place.kinds()[4:] == ["shoe", "seeds", "opened", "opened", "opened", "seal", "bank", "reveal"]
    (bank,) = place.of_kind("bank")
    assert bank["why"] == "first"
    assert bank["cards"][-1] in ("Js", "Jc")
    assert place.last() == ("reveal", "worn")
    seats[0].send("shoe")
    dealer = next(seat for seat in seats if seat.seat == bank["to"])
    assert at(dealer).next()["about"] == "bank"
    assert dealer.state["phase"] == "bank"
    assert dealer.next()["round"] == 0
    dealer.decide("accept")
    place.contribute(seats)
    assert len(place.of_kind("seal")[-1]["burn"]) == 2
    assert len(at(dealer).state["shoe"]["burned"]) == 1
    assert refusal(dealer.bet, 1)["status"] == 409
    for op in ("cash-out", "buy-in"):
        assert refusal(dealer.send, "chips", op=op, amount=1)["status"] == 409
    assert refusal(dealer.leave)["status"] == 409
    place.assert_clean()


def test_nobody_leaves_and_no_chips_move_while_the_first_banker_is_found(place):
    seats = place.sit("pontoon", 3, 100)
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    for seat in seats:
        assert "the first banker" in refusal(seat.leave)["detail"]
        assert at(seat).expects("chips") == []
    assert refusal(place.public.table("t1").sit, "p9", 100)["status"] == 409
    place.contribute(seats)
    seats[0].leave()
    place.assert_clean()


def test_a_sale_of_the_bank(place):
    seats = place.sit("pontoon", 2, 100)
    place.make_shoe(seats)
    seats[0].send("shoe")
    first = place.turn(seats)
    other = next(seat for seat in seats if seat is not first)
    first.decide("sell", amount=7, chosen=[other.seat])
    assert at(other).next()["about"] == "bank"
    other.decide("agree", amount=7)
    sale = place.of_kind("bank")[-1]
    assert (sale["why"], sale["price"], sale["to"]) == ("sale", 7, other.seat)
    assert at(first).state["chips"][str(first.seat)] == 107
    place.contribute(seats)
    assert at(first).state["bank"] == str(other.seat)
    place.assert_clean()


def test_a_reshuffle_in_the_middle_of_a_deal_is_shown_when_it_happens(place):
    """PO-08: the burned card and where the reshuffle came are public; the log has them before the round's end."""
    seats = place.sit("pontoon", 7, 100_000)
    shown = None
    while shown is None:
        for seat in seats:
            wanted = at(seat).next()
            if wanted is None:
                continue
            names = [move["move"] for move in wanted.get("moves", ())]
            if wanted["do"] == "decisions" and "hit" in names:
                seat.decide("hit")
            else:
                step(seat)
            state = place.public.get("/v1/tables/t1")
            if state["round"] and state["round"].get("reshuffled"):
                shown = state
                break  # whoever acts next may end the round
    number = shown["round"]["round"]
    assert number not in [entry["round"] for entry in place.of_kind("reshuffle")]
    before = shown["shoe"]["burned"]
    view = shown["round"]["view"]
    lying = sum(len(hand["cards"]) for hand in [view["dealer"], *view["hands"]])
    (after,) = shown["round"]["reshuffled"]
    assert 0 < after < lying
    place.finish(seats)
    (entry,) = (entry for entry in place.of_kind("reshuffle") if entry["round"] == number)
    assert entry["after"] == after
    assert shown["round"]["burned"] == [entry["burn"]]
    assert before == [place.of_kind("seal")[-1]["burn"]]
    assert place.of_kind("round")[-1]["reshuffled"] == [after]
    assert place.last() == ("reveal", "worn")
    place.assert_clean()


# chinese


def test_a_dealer_who_leaves_takes_the_unsealed_shoe_along(place):
    seats = place.sit("chinese", 3)
    seats[0].send("shoe")
    dealer = next(seat for seat in seats if str(seat.seat) == seats[0].state["bank"])
    dealer.leave()
    assert [entry["kind"] for entry in place.entries()[-2:]] == ["chips", "void"]
    assert place.last() == ("void", "bank")
    rest = [seat for seat in seats if seat is not dealer]
    rest[0].send("shoe")
    assert rest[0].state["bank"] == str(dealer.seat % 3 + 1)
    place.contribute(rest)
    place.bet_and_finish([seat for seat in rest if str(seat.seat) != rest[0].state["bank"]])
    place.assert_clean()


def test_where_no_dealer_can_cover_a_shoe_is_refused_with_what_to_do(place):
    """CH-05: the lowest bet may cost three times itself."""
    seats = place.sit("chinese", 2, 29, options={"minimum": 10})
    told = refusal(seats[0].send, "shoe")
    assert (told["status"], told["remedy"]) == (409, "buy in, or leave")
    assert "covers the lowest bet" in told["detail"]
    assert refusal(place.operator.table("t1").send, "shoe")["status"] == 409
    for seat in seats:
        assert at(seat).expects("shoe") == []
        assert {"buy-in", "leave"} <= set(seat.expects("chips")[0]["ops"])
    seats[0].send("chips", op="buy-in", amount=1)
    told = refusal(seats[0].send, "shoe")
    assert "nobody could bet on it" in told["detail"]
    assert told["remedy"] == "buy in, or leave"
    seats[1].send("chips", op="buy-in", amount=1)
    assert seats[1].next() == {"do": "shoe"}
    place.make_shoe(seats)
    assert at(seats[0]).state["bank"] == "1"
    place.bet_and_finish(seats[1:])
    place.assert_clean()


def test_where_nobody_can_bet_a_shoe_is_refused(place):
    for rules in ("casino", "boxes", "banker"):
        (alice,) = place.sit(rules, 1, 1, name=rules)
        assert refusal(alice.send, "shoe")["remedy"] == "buy in, or leave"
        assert alice.refresh()["you"]["expects"] == alice.expects("chips")
        alice.send("chips", op="buy-in", amount=1)
        assert alice.next() == {"do": "shoe"}


def test_bets_that_find_no_cover_are_listed(place):
    seats = place.sit("chinese", 3, 100, options={"maximum": 30})
    place.make_shoe(seats)
    dealer = int(at(seats[0]).state["bank"])
    first, second = (seats[chair % 3] for chair in (dealer, dealer + 1))
    at(first).bet(30)
    at(second).bet(10)
    (opened,) = place.of_kind("open")
    assert [bet["seat"] for bet in opened["bets"]] == [first.seat]
    assert opened["uncovered"] == [{"amount": 10, "seat": second.seat}]
    place.contribute(seats)
    place.finish(seats)
    place.assert_clean()


def test_no_chair_commits_ahead_of_its_bank(place):
    seats = place.sit("chinese", 2)
    place.make_shoe(seats)
    assert refusal(at(seats[0]).send, "shoe")["status"] == 409
