"""The ceremony over HTTP: what is logged when, who may do what, and what the auditor says of it."""

from __future__ import annotations

from hashlib import sha256

from .place import at

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


# Chairs.


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
