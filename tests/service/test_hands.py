"""`GET /v1/tables/{id}/hands`: a player's hands, found again by the log alone."""

from __future__ import annotations

import pytest

from fairshoe.client import Problem
from fairshoe.service import log_reader

from .place import at, step
from .wire import call


def hands(place, player, table="t1", after=0):
    """All of a player's, over as many pages as there are: (round, seat)."""
    path = f"/v1/tables/{table}/hands?player={player}&after={after}"
    told = place.public.get(path)["hands"]
    assert all(place.public.raw("GET", each["proof"]) for each in told)
    return [(each["round"], each["seat"]) for each in told]


def test_a_players_hands_are_those_that_the_log_has_page_by_page(place, monkeypatch):
    seats = place.sealed()
    for number in range(3):
        for seat in seats[1 + number % 2 :]:
            seat.refresh()
            seat.bet()
        place.bet_and_finish(seats[: 1 + number % 2])
    assert len(place.of_kind("round")) == 3
    assert hands(place, "p1") == [("t1#1", 1), ("t1#2", 1), ("t1#3", 1)]
    assert hands(place, "p2") == [("t1#2", 2)]
    assert hands(place, "p3") == []
    monkeypatch.setattr(log_reader, "PAGE", 2)
    assert hands(place, "p1") == [("t1#1", 1), ("t1#2", 1)]
    assert (
        call(place, "GET", "/v1/tables/t1/hands?player=p1").headers["Link"]
        == '</v1/tables/t1/hands?player=p1&after=2>; rel="next"'
    )
    assert hands(place, "p1", after=2) == [("t1#3", 1)]


def test_who_banks_has_a_hand_and_an_open_round_is_none_yet(place):
    seats = place.sit("chinese", 2)
    place.make_shoe(seats)
    while not place.of_kind("round"):
        assert hands(place, "p1") == hands(place, "p2") == []
        for seat in seats:
            seat.refresh()
            if seat.next() and seat.step(stake=1):
                break
    assert hands(place, "p1") == [("t1#1", 1)]
    assert hands(place, "p2") == [("t1#1", 2)]


def test_chips_that_are_given_and_the_price_of_a_bank_are_told_to_both_players(place):
    seats = place.sit("pontoon", 2, 1000)
    seats[0].send("chips", op="transfer", amount=40, to=2)
    place.make_shoe(seats)
    while not any("price" in each for each in place.of_kind("bank")):
        for seat in seats:
            asked = at(seat).next() or {}
            named = {each["move"]: each for each in asked.get("moves", ())}
            if "sell" in named:
                seat.decide(move="sell", amount=100, chosen=named["sell"]["among"])
            elif "agree" in named:
                assert place.public.get("/v1/tables/t1")["asked"] == seat.state["you"]["seat"]
                seat.decide(move="agree", amount=100)
            else:
                step(seat)
    bought = place.of_kind("bank")[-1]["to"]
    paid = {bought: -100, 3 - bought: 100}
    assert moves(place, "p1") == [("transfer", -40, "p2"), ("sale", paid[1], "p2")]
    assert moves(place, "p2") == [("transfer", 40, "p1"), ("sale", paid[2], "p1")]


def test_what_a_game_of_a_pool_paid_back_is_told_and_gives_its_player_no_hands_of_another(place):
    """Bob takes the chair that alice has left."""
    table = place.operator.create_table("lounge", table="t1")
    alice = table.sit("alice", 10_000)
    alice.send("chips", op="cash-out", leave=True)
    assert moves(place, "alice") == [("share", 9_000, None)]
    bob = table.sit("bob", 10_000, seat=1)
    place.operator.table("t1").send("refund", player="alice", game=1, why="round")
    bob.play(rounds=1)
    state = place.public.get("/v1/tables/t1")
    assert state["refunds"] == [{"player": "bob", "game": state["refunds"][0]["game"], "round": 10_000}]
    assert moves(place, "alice") == [("share", 9_000, None), ("refund", 10_000, None)]
    assert (hands(place, "alice"), hands(place, "bob")) == ([], [("t1#1", 1)])


def moves(place, player):
    told = place.public.get(f"/v1/tables/t1/hands?player={player}")["moves"]
    return [(each["op"], each["amount"], each.get("other")) for each in told]


def test_a_table_that_there_is_not_has_none(place):
    with pytest.raises(Problem) as refused:
        hands(place, "p1", "nowhere")
    assert refused.value.status == 404
