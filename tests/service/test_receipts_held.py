"""Receipts of honest houses and of lying ones that are played against, over HTTP, as they were given."""

from __future__ import annotations

from contextlib import contextmanager
from unittest.mock import patch

import pytest

from audit_cli.receipts.run import decide
from fairshoe.ceremony.acting import bets, machine

from .place import at


def sit(place, folder, *players, rules="casino", **more):
    table = place.operator.create_table(rules, table="t1", **more)
    return table, [table.sit(player, 10_000, receipts=folder / player) for player in players]


def held(place, file):
    assert not place.audit().failed
    return decide(file, place.directory / "audited", key=place.public.verifier())


def words(decided):
    return {(case.form["do"], case.word) for case in decided.cases}


def test_who_waives_bets_leaves_comes_back_and_does_not_bet_convicts_nobody(place, tmp_path):
    table, seats = sit(place, tmp_path, "alice", "bob")
    place.make_shoe(seats)
    carol = table.sit("carol", 500, receipts=tmp_path / "carol")
    at(carol).send("waiver")
    carol.bet(10)
    carol.leave()
    carol = table.sit("carol", 500, receipts=tmp_path / "carol")
    for seat in seats:
        at(seat).bet(10)
    place.finish(seats)
    decided = held(place, tmp_path / "carol")
    assert {word for _, word in words(decided)} == {"agrees"}, decided.text
    assert decided.outcome.word == "PASS"
    assert [case.form["number"] for case in decided.cases] == [1, 2, 3, 4, 1], "whoever sits down begins anew"


@contextmanager
def deaf(*steps):
    """The house does not do what is due."""
    with patch.object(machine, "STEPS", tuple(step for step in machine.STEPS if step not in steps)):
        yield


@pytest.mark.parametrize("rules", ["casino", "pontoon"])
@pytest.mark.parametrize("leaves", [True, False])
def test_a_bet_that_the_house_signs_and_ignores_for_an_hour(place, tmp_path, rules, leaves):
    """It knows the cards, and waits until the shoe ends as if nobody had bet, or whoever bet goes."""
    _, seats = sit(place, tmp_path, "alice", "bob", "carol", rules=rules)
    place.make_shoe(seats)
    if rules == "pontoon":
        seats[0].send("shoe")  # the first one found the banker
        place.turn(seats).decide("accept")
        place.contribute(seats)
    bettor = next(seat for seat in seats if at(seat).expects("bets"))
    with deaf(bets.open_when_ready):
        bettor.bet(4)
        for _ in range(13 if leaves else 62):
            place.clock.forward(60)
            place.public.table("t1").state()
        at(bettor).leave()
    decided = held(place, tmp_path / bettor.player)
    assert decided.outcome.word == "FAIL", decided.text
    (case,) = [case for case in decided.cases if case.word == "differs"]
    assert (case.form["do"], case.field) == ("bet", "at")
    assert "had to open" in case.line


def test_a_bet_that_is_waited_with_as_long_as_the_limits_say_convicts_nobody(place, tmp_path):
    """Others are waited for; then whoever bet leaves."""
    _, (alice, bob) = sit(place, tmp_path, "alice", "bob")
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    place.clock.forward(25)
    at(alice).leave()
    at(bob).bet(10)
    place.finish([bob])
    assert held(place, tmp_path / "alice").outcome.word == "PASS"
    at(bob).bet(20)
    assert held(place, tmp_path / "bob").outcome.good


def test_an_eviction_and_a_void_shoe_convict_nobody(place, tmp_path):
    _, (alice, bob) = sit(place, tmp_path, "alice", "bob")
    alice.send("shoe")
    at(alice).contribute()
    place.operator.table("t1").send("evict", seat=alice.seat)
    at(bob).contribute()
    place.clock.forward(61)
    at(bob).send("shoe")
    for name in ("alice", "bob"):
        decided = held(place, tmp_path / name)
        assert decided.outcome.good, decided.text
    assert "the seat was left before" in {case.remark for case in held(place, tmp_path / "alice").cases}
