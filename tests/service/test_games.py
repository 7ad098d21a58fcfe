"""All six games through the same code, by bots over HTTP, with trouble; the auditor has the last word."""

from __future__ import annotations

import pytest

from fairshoe.client import Problem
from fairshoe.commands._demo import play
from fairshoe.engine.rules import RULES

from .place import at, refusal, step


@pytest.mark.parametrize("rules", sorted(RULES))
def test_bots_play_it_to_the_end(place, rules):
    seen = []
    play(place.operator, rules, 5, 3, seen.append)
    assert max(seen) == 5
    report = place.assert_clean()
    assert report.rounds == 5
    assert report.open == 0
    assert place.public.get(f"/v1/tables/{rules}")["seats"] == []


def sit(table, seats, player):
    try:
        seats.append(table.sit(player, 10_000))
    except Problem as problem:
        if problem.status not in (409, 422):
            raise


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


def test_a_buy_in_is_refunded_to_who_has_left_too(place):
    alice, bob = place.sit("lounge", 2)
    alice.leave()
    place.operator.table("t1").send("refund", player="p1", game=1, why="round")
    assert at(bob).state["chips"] == {"2": 0, "house": 1000, "pool": 9000}
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
