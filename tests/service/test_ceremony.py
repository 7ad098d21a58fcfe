"""The ceremony over HTTP: what is logged when, who may do what, and what the auditor says of it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from .place import at, own, refusal

# Contributing.


def test_two_players_make_a_shoe_play_and_see_the_key(place):
    alice, bob = place.casino()
    alice.send("shoe")
    shoe = at(bob).state["shoe"]
    assert shoe["roster"] == ["p1", "p2"]
    assert shoe["cutter"] == "p1"
    assert bob.state["phase"] == "hash"
    assert alice.next() == {"do": "hash", "shoe": "t1/1", "cut": [1, 311]}
    assert bob.next() == {"do": "hash", "shoe": "t1/1"}
    alice.contribute(cut=100)
    assert place.kinds()[-1] == "shoe"
    assert at(bob).state["shoe"]["hashes"] is None
    bob.contribute()
    seeds = place.entries()[-1]
    assert seeds["kind"] == "seeds"
    assert seeds["cut"] == {"at": 100, "by": "p1"}
    assert at(alice).state["shoe"]["opens"] == ["p2", "p1"]
    assert alice.next() is None
    bob.contribute()
    at(alice).contribute()
    *opened, seal = place.entries()[-3:]
    assert [(entry["kind"], entry["player"]) for entry in opened] == [("opened", "p2"), ("opened", "p1")]
    assert {o["player"]: sha256(bytes.fromhex(o["seed"])).hexdigest() for o in opened} == seeds["hashes"]
    assert seal["kind"] == "seal"
    assert not {"cut", "seeds"} & seal.keys()
    place.deal_until_asked([alice, bob])
    place.finish([alice, bob])
    alice.leave()
    assert place.kinds()[-1] == "chips"
    bob.leave()
    reveal = place.entries()[-1]
    assert (reveal["kind"], reveal["why"]) == ("reveal", "left")
    assert sha256(bytes.fromhex(reveal["key"])).hexdigest() == shoe["commitment"]
    report = place.assert_clean()
    assert report.shoes == 1
    assert report.open == 0


@pytest.mark.parametrize("rules", ["banker", "boxes"])
def test_the_sole_player_of_a_shoe_of_one_round_bets_first(place, rules):
    (alice,) = place.sit(rules, 1)
    alice.send("shoe")
    assert alice.state["phase"] == "bet"
    assert refusal(alice.send, "seed", seed="00")["status"] == 409
    assert refusal(alice.send, "hash", hash="a" * 64)["status"] == 409
    alice.bet(10)
    assert alice.state["phase"] == "seed"
    assert alice.next() == {"do": "seed", "shoe": "t1/1"}
    assert place.kinds()[2:] == ["shoe", "open"]
    alice.contribute()
    place.finish([alice])
    assert place.kinds()[2:] == ["shoe", "open", "opened", "seal", "round", "reveal"]
    (opened,) = place.of_kind("opened")
    assert opened["player"] == "p1"
    place.assert_clean()


def test_in_pontoon_anybody_but_the_dealer_cuts_and_nobody_waits_for_it(place):
    seats = place.sit("pontoon", 3, 100)
    place.make_shoe(seats)
    while at(seats[0]).state["phase"] == "idle":
        seats[0].send("shoe")
    while (turn := place.turn(seats)) is not None:
        turn.decide("accept")
    assert at(seats[0]).state["phase"] == "hash"
    dealer = int(seats[0].state["bank"])
    assert "cut" not in at(seats[dealer - 1]).next()
    others = [seat for seat in seats if seat.seat != dealer]
    assert all(at(seat).next()["cut"] == [0, 51] for seat in others)
    for seat in seats:
        seat.send("hash", hash=own(seat, "t1/2").hash)
    assert place.kinds()[-1] == "seeds"
    place.contribute(seats)
    assert "cut" not in place.of_kind("seeds")[-1].keys() | place.of_kind("seal")[-1].keys()


def test_a_seed_of_a_void_shoe_is_used_too(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.send("hash", hash=sha256(b"once").hexdigest(), cut=5)
    bob.send("reshuffle")
    assert "used before" in refusal(alice.send, "hash", hash=sha256(b"once").hexdigest())["detail"]
    (carol,) = place.sit("banker", 1, name="t2")
    carol.send("shoe")
    carol.bet(10)
    assert "used before" in refusal(carol.send, "seed", seed=b"once".hex())["detail"]
    place.assert_clean()


def test_only_the_seed_that_was_hashed_opens(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    assert refusal(alice.send, "seed", seed="00")["status"] == 409
    at(bob).contribute()
    told = refusal(bob.send, "seed", seed="00")
    assert (told["status"], told["field"]) == (422, "seed")
    told = refusal(alice.send, "seed", seed=own(alice, "t1/1").seed.hex())
    assert told["status"] == 409
    assert "p2 opens first" in told["detail"]
    at(bob).contribute()
    at(alice).contribute()
    assert refusal(alice.send, "seed", seed="00")["status"] == 409


# Chairs.


def test_who_promised_a_seed_stays_until_it_is_open(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    at(bob).contribute()
    for seat in (alice, bob):
        told = refusal(seat.leave)
        assert told["status"] == 409
        assert "its seed is not opened" in told["detail"]
        assert "leave" not in at(seat).expects("chips")[0]["ops"]
    bob.contribute()
    bob.leave()
    assert at(alice).state["phase"] == "seed"
    alice.contribute()
    assert at(alice).state["phase"] == "bet"
    place.bet_and_finish([alice])
    place.assert_clean()


def test_who_sits_down_in_the_middle_of_a_shoe_waives(place):
    seats = place.sealed()
    carol = place.public.table("t1").sit("carol", 500)
    assert carol.next() is None
    assert carol.expects("waiver") == [{"do": "waiver", "may": True}]
    assert not carol.contribute()
    told = refusal(carol.bet, 10)
    assert told["status"] == 409
    assert "waiver" in told["remedy"]
    assert carol.contribute(waive=True)
    place.deal_until_asked([*seats, carol])
    assert place.of_kind("open")[0]["waived"] == [3]
    place.finish([*seats, carol])
    place.bet_and_finish([*seats, carol])
    place.assert_clean()


def test_a_left_chair_is_free_and_its_token_worth_nothing(place):
    alice, _ = place.casino()
    assert "you" not in alice.leave()
    assert refusal(alice.refresh)["status"] == 401
    assert place.public.table("t1").sit("carol", 10).seat == 1
    assert refusal(alice.refresh)["status"] == 401


def test_a_player_has_a_name_for_people(place):
    table = place.operator.create_table("casino", table="t1")
    for player, name in (("p1", "Āñá 李 🂡"), ("p2", "x" * 64)):
        table.sit(player, 10, name=name)
        assert place.entries()[-1]["name"] == name
    table.sit("p3", 10)
    assert "name" not in place.entries()[-1]
    for name in ("", "x" * 65, "a\nb", "a\u0085b", 7):
        assert refusal(table.sit, "p4", 10, name=name)["status"] == 422
    place.assert_clean()


# Reshuffles on request.


def test_a_chair_has_one_reshuffle_between_two_seals(place):
    alice, bob = place.casino()
    alice.send("shoe")
    at(bob).send("reshuffle")
    assert bob.expects("reshuffle") == []
    assert "since the last seal" in refusal(bob.send, "reshuffle")["detail"]
    bob.leave()
    carol = place.public.table("t1").sit("carol", 100, 2)
    assert carol.expects("reshuffle") == []
    assert refusal(carol.send, "reshuffle")["status"] == 409
    at(alice).send("reshuffle")
    place.contribute([alice, carol])
    alice.leave()
    carol.leave()
    table = place.public.table("t1")
    again = [table.sit("dora", 100), table.sit("emil", 100)]
    again[0].send("shoe")
    assert at(again[1]).send("reshuffle")["shoe"]["shoe"] == "t1/5"
    place.assert_clean()


# Bets.


# Chips.


def test_no_chips_move_while_a_round_is_open(place):
    (alice, bob), _ = place.playing()
    for call in (
        lambda: alice.send("chips", op="buy-in", amount=10),
        lambda: bob.send("chips", op="cash-out", amount=10),
        lambda: alice.send("chips", op="transfer", amount=10, to=2),
        bob.leave,
        lambda: place.public.table("t1").sit("carol", 10),
        lambda: place.operator.table("t1").send("refund", player="p1", game=1, why="round"),
    ):
        assert refusal(call)["status"] == 409
    assert at(alice).expects("chips") == []
    place.finish([alice, bob])
    alice.send("chips", op="transfer", amount=10, to=2)
    place.assert_clean()


# The end.


def test_a_shoe_is_played_until_the_insert_card_and_the_next_one_is_cut_by_the_next_seat(place):
    seats = place.sealed(options={"packs": 3})
    while at(seats[0]).state["shoe"] is not None:
        place.bet_and_finish(seats)
    assert place.last() == ("reveal", "worn")
    place.make_shoe(seats)
    assert at(seats[0]).state["shoe"]["shoe"] == "t1/2"
    assert seats[0].state["shoe"]["cutter"] == "p2"
    place.assert_clean()


def test_closing_in_the_opening_waits_for_the_seal(place):
    seats = place.casino()
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    place.operator.table("t1").send("close")
    assert at(seats[1]).state["phase"] == "seed"
    place.contribute(seats)
    assert place.kinds()[-1] == "seal"
    place.bet_and_finish(seats)
    place.assert_clean()
