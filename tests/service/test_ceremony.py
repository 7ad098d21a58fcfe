"""The ceremony over HTTP: what is logged when, who may do what, and what the auditor says of it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from .place import at, refusal


def test_two_players_make_a_shoe_play_and_see_the_key(place):
    alice, bob = place.casino()
    alice.send("shoe")
    shoe = at(bob).state["shoe"]
    assert shoe["roster"] == ["p1", "p2"]
    assert shoe["cutter"] == "p1"
    assert bob.state["phase"] == "hash"
    assert alice.next() == {"do": "hash", "cut": [1, 311]}
    assert bob.next() == {"do": "hash"}
    alice.contribute(cut=100)
    assert place.kinds()[-1] == "shoe"
    assert at(bob).state["shoe"]["hashes"] is None
    bob.contribute()
    seeds = place.entries()[-1]
    assert seeds["kind"] == "seeds"
    assert seeds["cut"] == {"at": 100, "by": "p1"}
    bob.contribute()
    assert place.kinds()[-1] == "seeds"
    at(alice).contribute()
    seal = place.entries()[-1]
    assert seal["kind"] == "seal"
    assert {who: sha256(bytes.fromhex(seed)).hexdigest() for who, seed in seal["seeds"].items()} == seeds["hashes"]
    assert "cut" not in seal
    place.deal_until_asked([alice, bob])
    place.finish([alice, bob])
    place.operator.table("t1").send("close")
    reveal = place.entries()[-1]
    assert (reveal["kind"], reveal["why"]) == ("reveal", "closing")
    assert sha256(bytes.fromhex(reveal["key"])).hexdigest() == shoe["commitment"]
    report = place.assert_clean()
    assert (report.shoes, report.open) == (1, 0)


def test_a_sole_contributor_sends_seed_and_cut_at_once(place):
    (alice,) = place.casino(1)
    alice.send("shoe")
    assert alice.next() == {"do": "seed", "cut": [1, 311]}
    alice.contribute(cut=7)
    seal = place.entries()[-1]
    assert seal["cut"] == {"at": 7, "by": "p1"}
    assert "seeds" not in place.kinds()
    place.assert_clean()


def test_nobody_cuts_so_the_named_draw_does(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.send("hash", hash="a" * 64)
    bob.contribute() or at(bob).contribute()
    assert place.kinds()[-1] == "shoe"
    place.clock.forward(31)
    at(bob).contribute()
    assert place.kinds()[-1] == "seeds"
    assert "cut" not in place.entries()[-1]


def test_who_sits_down_in_the_middle_of_a_shoe_waives(place):
    seats = place.sealed()
    carol = place.public.table("t1").sit("carol", 500)
    assert carol.next() == {"do": "waiver"}
    told = refusal(carol.bet, 10)
    assert told["status"] == 409
    assert "waiver" in told["remedy"]
    carol.send("waiver")
    place.deal_until_asked([*seats, carol])
    opened = [entry for entry in place.entries() if entry["kind"] == "open"][-1]
    assert opened["waived"] == [3]
    place.finish([*seats, carol])
    place.assert_clean()


def test_who_has_a_seed_has_nothing_to_waive(place):
    alice, _ = place.sealed()
    assert refusal(alice.send, "waiver")["status"] == 409


def test_a_shoe_is_played_until_the_insert_card_and_the_next_one_is_cut_by_the_next_seat(place):
    seats = place.sealed(options={"packs": 3})
    while at(seats[0]).state["shoe"] is not None:
        for seat in seats:
            at(seat).bet(10)
        place.finish(seats)
    assert place.entries()[-1]["why"] == "worn"
    place.make_shoe(seats)
    assert at(seats[0]).state["shoe"]["shoe"] == "t1/2"
    assert seats[0].state["shoe"]["cutter"] == "p2"
    place.assert_clean()


def test_a_reshuffle_on_request_ends_with_the_seal(place):
    alice, bob = place.casino()
    alice.send("shoe")
    first = at(bob).state["shoe"]["commitment"]
    bob.send("reshuffle")
    void, shoe = place.entries()[-2:]
    assert (void["kind"], void["why"], void["by"]) == ("void", "reshuffle", "p2")
    assert sha256(bytes.fromhex(void["key"])).hexdigest() == first
    assert shoe["shoe"] == "t1/2"
    for _ in range(2):
        at(alice).contribute()
        at(bob).contribute()
    assert at(alice).state["shoe"]["sealed"]
    assert refusal(bob.send, "reshuffle")["status"] == 409
    place.assert_clean()


def test_a_seed_is_used_once_in_a_log(place):
    alice, bob = place.casino()
    alice.send("shoe")
    digest = sha256(b"once").hexdigest()
    alice.send("hash", hash=digest, cut=5)
    assert "used before" in refusal(bob.send, "hash", hash=digest)["detail"]
    assert at(bob).state["shoe"]["hashed"] == ["p1"]
    assert alice.send("hash", hash=digest)["shoe"]["hashed"] == ["p1"]
    assert refusal(alice.send, "hash", hash="b" * 64)["status"] == 409


def test_only_the_seed_that_was_hashed_opens(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    assert refusal(alice.send, "seed", seed="00")["status"] == 409
    at(bob).contribute()
    told = refusal(alice.send, "seed", seed="00")
    assert (told["status"], told["field"]) == (422, "seed")
    at(alice).contribute()
    at(bob).contribute()
    assert refusal(alice.send, "seed", seed="00")["status"] == 409


def test_who_promised_a_seed_stays_until_it_is_open(place):
    alice, bob = place.casino()
    alice.send("shoe")
    alice.contribute()
    assert refusal(alice.leave)["status"] == 409
    at(bob).contribute()
    at(alice).contribute()
    alice.leave()
    at(bob).contribute()
    place.assert_clean()


def test_a_round_opens_when_everybody_has_bet_or_passed(place):
    alice, bob = place.sealed()
    at(alice).bet(10)
    assert place.kinds()[-1] == "seal"
    alice.bet(20)
    at(bob).bet()
    opened = next(entry for entry in place.entries() if entry["kind"] == "open")
    assert opened["bets"] == [{"amount": 20, "seat": 1}]
    assert refusal(bob.bet, 10)["status"] == 409


def test_passes_alone_open_nothing(place):
    alice, bob = place.sealed()
    for _ in range(2):
        at(alice).bet()
        at(bob).bet()
    assert place.kinds()[-1] == "seal"
    bob.bet(10)
    assert "open" in place.kinds()
    place.finish([alice, bob])
    place.assert_clean()


def test_no_chips_move_while_a_round_is_open(place):
    (alice, bob), _ = place.playing()
    for call in (
        lambda: alice.send("chips", op="buy-in", amount=10),
        lambda: bob.send("chips", op="cash-out", amount=10),
        lambda: alice.send("chips", op="transfer", amount=10, to=2),
        bob.leave,
        lambda: place.public.table("t1").sit("carol", 10),
        lambda: place.operator.table("t1").send("refund", seat=1),
    ):
        assert refusal(call)["status"] == 409
    place.finish([alice, bob])
    alice.send("chips", op="transfer", amount=10, to=2)
    place.assert_clean()


def test_chips_that_cover_a_bet_stay(place):
    alice, bob = place.sealed(chips=20)
    at(alice).bet(20)
    assert refusal(alice.send, "chips", op="cash-out", amount=1)["status"] == 409
    alice.leave()
    assert at(bob).state["bets"]["in"] == []
    place.assert_clean()


def test_closing_waits_for_the_round(place):
    seats, _ = place.playing()
    place.operator.table("t1").send("close")
    assert place.kinds()[-1] == "open"
    place.finish(seats)
    assert [entry.get("why") for entry in place.entries()[-1:]] == ["closing"]
    assert at(seats[0]).state["phase"] == "closed"
    assert refusal(seats[0].send, "shoe")["status"] == 409
    assert refusal(place.public.table("t1").sit, "carol", 10)["status"] == 409
    seats[0].leave()
    place.assert_clean()


def test_closing_voids_a_shoe_that_is_not_sealed(place):
    seats = place.casino()
    seats[0].send("shoe")
    place.operator.table("t1").send("close")
    assert place.entries()[-1]["why"] == "closing"
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
