"""The ceremony over HTTP: what is logged when, who may do what, and what the auditor says of it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from .place import at, refusal

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


def test_the_commitment_shows_the_table_as_it_stands(place):
    alice, _ = place.casino()
    alice.send("shoe")
    shoe = place.entries()[-1]
    assert shoe["chips"] == {"1": 1000, "2": 1000, "house": 0}
    assert shoe["bank"] == "house"
    assert not {"memory", "paid", "owes", "waits", "away", "policy", "purpose"} & shoe.keys()


def test_a_sole_player_of_a_shoe_of_many_rounds_sends_a_hash_first(place):
    (alice,) = place.casino(1)
    alice.send("shoe")
    assert alice.next() == {"do": "hash", "shoe": "t1/1", "cut": [1, 311]}
    alice.contribute(cut=7)
    assert place.entries()[-1]["cut"] == {"at": 7, "by": "p1"}
    alice.contribute()
    assert place.kinds()[2:] == ["shoe", "seeds", "opened", "seal"]
    place.bet_and_finish([alice])
    place.assert_clean()


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


def test_two_players_of_a_shoe_of_one_round_hash_bet_and_open(place):
    seats = place.sit("boxes", 2)
    seats[0].send("shoe")
    place.contribute(seats)
    assert at(seats[0]).state["phase"] == "bet"
    for seat in seats:
        assert refusal(seat.send, "seed", seed=seat._seed("t1/1").hex())["status"] == 409
        at(seat).bet(10, boxes=None)
    assert at(seats[0]).state["phase"] == "seed"
    place.contribute(seats)
    place.finish(seats)
    assert place.kinds()[3:] == ["shoe", "seeds", "open", "opened", "opened", "seal", "round", "reveal"]
    assert [entry["player"] for entry in place.of_kind("opened")] == ["p2", "p1"]
    place.assert_clean()


def test_the_newest_chair_opens_first_whatever_its_number(place):
    table = place.operator.create_table("casino", table="t1")
    seats = [table.sit(name, 100, chair) for name, chair in (("old", 5), ("middle", 7), ("new", 2))]
    place.make_shoe(seats)
    assert place.of_kind("shoe")[0]["roster"] == ["new", "old", "middle"]
    assert [entry["player"] for entry in place.of_kind("opened")] == ["new", "middle", "old"]
    place.assert_clean()


def test_who_leaves_and_returns_is_the_newest(place):
    alice, bob = place.casino()
    alice.leave()
    again = place.public.table("t1").sit("p1", 1000)
    assert again.seat == 1
    place.make_shoe([again, bob])
    assert [entry["player"] for entry in place.of_kind("opened")] == ["p1", "p2"]


def test_nobody_cuts_so_the_named_draw_does(place):
    alice, bob = place.casino()
    alice.send("shoe")
    digest = sha256(alice._seed("t1/1")).hexdigest()
    alice.send("hash", hash=digest)
    at(bob).contribute()
    assert place.kinds()[-1] == "shoe"
    place.clock.forward(31)
    place.contribute([alice, bob])
    seeds, seal = place.of_kind("seeds") + place.of_kind("seal")
    assert "cut" not in seeds.keys() | seal.keys(), "it stands among the reveal's draws"
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
        seat.send("hash", hash=sha256(seat._seed("t1/2")).hexdigest())
    assert place.kinds()[-1] == "seeds"
    place.contribute(seats)
    assert "cut" not in place.of_kind("seeds")[-1].keys() | place.of_kind("seal")[-1].keys()


def test_a_seed_is_used_once_in_a_log(place):
    alice, bob = place.casino()
    alice.send("shoe")
    digest = sha256(b"once").hexdigest()
    alice.send("hash", hash=digest, cut=5)
    assert "used before" in refusal(bob.send, "hash", hash=digest)["detail"]
    assert at(bob).state["shoe"]["hashed"] == ["p1"]
    assert alice.send("hash", hash=digest)["shoe"]["hashed"] == ["p1"]
    assert refusal(alice.send, "hash", hash="b" * 64)["status"] == 409


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
    told = refusal(alice.send, "seed", seed=alice._seed("t1/1").hex())
    assert told["status"] == 409
    assert "p2 opens first" in told["detail"]
    at(bob).contribute()
    at(alice).contribute()
    assert refusal(alice.send, "seed", seed="00")["status"] == 409


def test_a_client_goes_by_the_signed_log_whatever_the_state_says(place):
    """Of what it does where the log says otherwise: tests/client/test_seeds_kept.py."""
    alice, bob = place.casino()
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    at(bob).state["shoe"]["hashes"]["p2"] = "a" * 64
    assert bob.contribute()
    assert place.kinds()[-1] == "opened"
    assert int(bob.checkpoint.split("\n")[1]) >= len(place.entries()) - 1


def test_the_seeds_stand_in_the_log_as_they_are_opened(place):
    alice, bob = place.casino()
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    at(bob).contribute()
    assert at(alice).state["shoe"]["opened"] == ["p2"]
    assert place.entries()[-1]["seed"] == bob._seed("t1/1").hex()


# Chairs.


def test_who_leaves_before_the_opening_is_struck(place):
    alice, bob, carol = place.casino(3)
    alice.send("shoe")
    at(alice).contribute()
    at(carol).contribute()
    alice.leave()
    assert at(bob).state["shoe"]["struck"] == ["p1"]
    place.contribute([bob, carol])
    assert place.of_kind("seeds")[0]["hashes"].keys() == {"p2", "p3"}
    assert "cut" not in place.of_kind("seeds")[0]
    place.assert_clean()


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


def test_the_shoe_is_void_when_nobody_of_the_roster_is_left(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.leave()
    bob.leave()
    assert place.last() == ("void", "idle")
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


def test_nobody_waits_for_a_chair_that_has_not_waived(place):
    alice, bob = place.sealed()
    place.public.table("t1").sit("carol", 500)
    for seat in (alice, bob):
        at(seat).bet(10)
    (opened,) = place.of_kind("open")
    assert not {"late", "passed", "waived"} & opened.keys()


def test_who_has_a_seed_has_nothing_to_waive(place):
    alice, _ = place.sealed()
    assert alice.expects("waiver") == []
    assert "your own seed" in refusal(alice.send, "waiver")["detail"]


def test_a_waiver_that_was_used_keeps_the_shoe_in_play(place):
    alice, bob = place.sealed()
    carol, dora = (place.public.table("t1").sit(name, 500) for name in ("carol", "dora"))
    carol.send("waiver")
    assert carol.next()["do"] == "bets"
    at(alice).bet(10)
    at(bob).bet()
    at(carol).bet(10)
    place.finish([alice, carol])
    for seat in (alice, bob):
        seat.leave()
    assert place.of_kind("reveal") == []
    place.bet_and_finish([carol])
    carol.leave()
    assert place.last() == ("reveal", "left")
    dora.send("shoe")
    place.assert_clean()


def test_who_was_asked_for_a_hash_cannot_waive_it(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    place.clock.forward(31)
    at(alice).contribute()
    assert at(bob).state["phase"] == "bet"
    assert at(bob).expects("waiver") == []
    assert "at the commitment" in refusal(bob.send, "waiver")["detail"]
    assert "wait for the next shoe" in refusal(bob.bet, 10)["remedy"]


def test_there_is_no_waiver_in_a_shoe_of_one_round(place):
    seats = place.sit("boxes", 2)
    seats[0].send("shoe")
    place.contribute(seats)
    carol = place.public.table("t1").sit("carol", 500)
    assert carol.expects("waiver") == []
    assert refusal(carol.send, "waiver")["status"] == 409
    assert refusal(carol.bet, 10)["status"] == 409
    place.bet_and_finish(seats)
    assert place.last() == ("reveal", "worn")
    place.assert_clean()


def test_the_name_of_a_contributor_is_not_taken_over(place):
    alice, _ = place.sealed()
    alice.leave()
    assert refusal(place.public.table("t1").sit, "p1", 10)["status"] == 409
    assert place.public.table("t1").sit("p1b", 10).seat == 1


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


@pytest.mark.parametrize("why", ["shoe", "seats", "operator"])
def test_a_shoe_begins_only_when_somebody_at_the_table_asks(place, why):
    alice, bob = place.casino()
    if why == "shoe":
        alice.send("shoe")
        assert refusal(bob.send, "shoe")["status"] == 409
    elif why == "seats":
        alice.leave()
        bob.leave()
        assert refusal(place.operator.table("t1").send, "shoe")["status"] == 409
    else:
        assert place.operator.table("t1").send("shoe")["phase"] == "hash"


# Reshuffles on request.


def test_a_reshuffle_on_request_ends_with_the_opening(place):
    alice, bob = place.casino()
    alice.send("shoe")
    first = at(bob).state["shoe"]["commitment"]
    assert bob.expects("reshuffle") == [{"do": "reshuffle", "may": True}]
    bob.send("reshuffle")
    void, shoe = place.entries()[-2:]
    assert (void["kind"], void["why"], void["by"]) == ("void", "reshuffle", "p2")
    assert sha256(bytes.fromhex(void["key"])).hexdigest() == first
    assert shoe["shoe"] == "t1/2"
    for seat in (alice, bob):
        at(seat).contribute()
    assert at(alice).state["phase"] == "seed"
    for phase in ("seed", "bet"):
        assert at(alice).state["phase"] == phase
        assert alice.expects("reshuffle") == []
        assert refusal(alice.send, "reshuffle")["status"] == 409
        place.contribute([alice, bob])
    place.bet_and_finish([alice, bob])
    place.assert_clean()


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


def test_a_sole_player_has_as_many_reshuffles_as_wanted(place):
    for rules in ("casino", "banker"):
        (alice,) = place.sit(rules, 1, name=rules)
        alice.send("shoe")
        for number in range(2, 6):
            assert alice.expects("reshuffle")
            assert alice.send("reshuffle")["shoe"]["shoe"] == f"{rules}/{number}"
    place.assert_clean()


def test_a_request_takes_the_bets_back_where_they_come_before_the_opening(place):
    alice, bob = place.sit("boxes", 2)
    alice.send("shoe")
    place.contribute([alice, bob])
    at(alice).bet(10)
    at(bob).send("reshuffle")
    assert at(alice).state["phase"] == "hash"
    assert alice.state["bets"] is None
    assert "open" not in place.kinds()
    place.contribute([alice, bob])
    place.bet_and_finish([alice, bob])
    place.assert_clean()


# Bets.


def test_a_round_opens_when_everybody_has_bet_or_passed(place):
    alice, bob = place.sealed()
    at(alice).bet(10)
    assert place.kinds()[-1] == "seal"
    alice.bet(20)
    at(bob).bet()
    (opened,) = place.of_kind("open")
    assert opened["bets"] == [{"amount": 20, "seat": 1}]
    assert opened["passed"] == [2]
    assert refusal(bob.send, "bets", round=1, bets=[{"amount": 10}])["status"] == 409


def test_passes_alone_open_nothing(place):
    alice, bob = place.sealed()
    for _ in range(2):
        at(alice).bet()
        at(bob).bet()
    assert place.kinds()[-1] == "seal"
    assert bob.expects("bets")[0]["may"]
    bob.bet(10)
    assert "open" in place.kinds()
    place.finish([alice, bob])
    place.assert_clean()


def test_a_round_is_bet_on_by_its_number(place):
    alice, bob = place.sealed()
    at(bob).bet(10)
    at(alice).bet(10)
    place.finish([alice, bob])
    told = refusal(alice.send, "bets", round=1, bets=[{"amount": 10}])
    assert (told["status"], told["round"]) == (409, 2)


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


def test_who_has_no_bet_in_the_round_may_go(place):
    alice, bob = place.sealed()
    carol = place.public.table("t1").sit("carol", 500)
    while place.turn([alice, bob]) is None:
        at(bob).bet()
        at(alice).bet(10)
    assert at(bob).expects("chips") == [{"do": "chips", "ops": ["cash-out", "leave"], "may": True}]
    view = bob.send("chips", op="cash-out", amount=10)["round"]["view"]
    assert view == at(bob).state["round"]["view"]
    bob.leave()
    carol.leave()
    place.finish([alice])
    place.assert_clean()


def test_chips_that_cover_a_bet_stay(place):
    alice, bob = place.sealed(chips=20)
    at(alice).bet(20)
    assert refusal(alice.send, "chips", op="cash-out", amount=1)["status"] == 409
    alice.leave()
    assert at(bob).state["bets"]["in"] == []
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


def test_closing_ends_neither_the_round_nor_the_sealed_shoe(place):
    seats, _ = place.playing()
    place.operator.table("t1").send("close")
    assert place.kinds()[-1] == "close"
    assert refusal(place.operator.table("t1").send, "close")["status"] == 409
    place.finish(seats)
    assert place.kinds()[-1] == "round"
    place.bet_and_finish(seats)
    assert refusal(place.public.table("t1").sit, "carol", 10)["status"] == 409
    for seat in seats:
        seat.leave()
    assert place.last() == ("reveal", "left")
    assert place.public.get("/v1/tables/t1")["phase"] == "closed"
    assert refusal(place.operator.table("t1").send, "shoe")["status"] == 409
    place.assert_clean()


def test_closing_voids_a_shoe_that_is_not_being_opened(place):
    seats = place.casino()
    seats[0].send("shoe")
    place.operator.table("t1").send("close")
    assert [entry["kind"] for entry in place.entries()[-2:]] == ["close", "void"]
    assert place.last() == ("void", "close")
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


def test_no_bet_for_an_hour_ends_a_shoe(place):
    alice, _ = place.sealed()
    place.clock.forward(3_599)
    assert at(alice).state["phase"] == "bet"
    place.clock.forward(1)
    assert at(alice).state["shoe"] is None
    assert place.last() == ("reveal", "left")
    place.assert_clean()
