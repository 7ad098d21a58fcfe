"""The house has a chair left: by its word, in the log, and never while it could know the order of a shoe."""

from __future__ import annotations

import pytest

from audit_cli.receipts.run import decide

from .place import at, default, refusal, step


def evict(place, seat):
    return place.operator.table("t1").send("evict", seat=seat)


def out(place):
    """The cash-outs by the house's word."""
    return [(e["seat"], e["player"], e["by"]) for e in place.of_kind("chips") if "by" in e]


def test_a_chair_is_left_at_once_where_no_shoe_is_in_play(place):
    bob = place.casino(2)[1]
    state = evict(place, 2)
    assert [seat["player"] for seat in state["seats"]] == ["p1"]
    assert state["evicted"] == []
    assert out(place) == [(2, "p2", "house")]
    entry = place.entries()[-1]
    assert (entry["op"], entry["amount"], entry["leaves"]) == ("cash-out", 1000, True)
    assert refusal(bob.refresh)["status"] == 401
    report = place.assert_clean()
    assert report.choices.players["t1"]["p2"]["put out by the house"] == 1
    again = place.public.table("t1").sit("p2", 10)
    assert again.seat == 2


def test_whoever_promised_a_seed_is_struck_as_by_leaving(place):
    seats = place.casino(3)
    seats[0].send("shoe")
    at(seats[2]).contribute()
    state = evict(place, 3)
    assert state["shoe"]["struck"] == ["p3"]
    place.contribute(seats[:2])
    place.bet_and_finish(seats[:2])
    place.assert_clean()


def test_it_waits_for_the_end_of_the_shoe_that_is_being_opened(place):
    seats = place.casino(2)
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    assert at(seats[0]).state["phase"] == "seed"
    assert evict(place, 1)["evicted"] == [1]
    place.contribute(seats)
    place.bet_and_finish(seats)
    assert (out(place), at(seats[0]).state["evicted"]) == ([], [1])
    seats[1].leave()
    assert out(place) == []
    place.bet_and_finish(seats[:1])
    place.operator.table("t1").send("close")
    place.clock.forward(3700)
    state = place.public.get("/v1/tables/t1")
    assert (out(place), state["seats"], state["evicted"]) == ([(1, "p1", "house")], [], [])
    kinds = place.kinds()
    assert kinds.index("reveal") < len(kinds) - 1 - kinds[::-1].index("chips")
    place.assert_clean()


def test_it_waits_for_the_end_of_a_round_of_one_shoe_and_comes_before_the_next_commitment(place):
    seats = place.sit("boxes", 2)
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    assert at(seats[0]).state["phase"] == "bet"
    assert evict(place, 2)["evicted"] == [2]
    assert place.last() == "seeds"
    for seat in seats:
        at(seat).bet(10)
    while not out(place):
        step(next(seat for seat in seats if at(seat).next() is not None))
    assert out(place) == [(2, "p2", "house")]
    assert place.kinds()[-2:] == ["reveal", "chips"]
    place.assert_clean()


def test_whoever_must_go_plays_on_until_then_and_may_leave_before(place):
    seats = place.sealed(2)
    evict(place, 2)
    evict(place, 2)
    place.bet_and_finish(seats)
    seats[1].send("chips", op="buy-in", amount=5)
    seats[1].leave()
    assert out(place) == []
    bob = place.public.table("t1").sit("bob", 10)
    assert bob.seat == 2
    seats[0].leave()
    bob.leave()
    assert (out(place), place.public.get("/v1/tables/t1")["evicted"]) == ([], [])
    place.assert_clean()


def test_a_chair_that_owes_a_seed_is_left_once_the_table_is_closed(place):
    seats = place.casino(2)
    seats[0].send("shoe")
    for seat in seats:
        at(seat).contribute()
    at(seats[1]).contribute()
    place.clock.forward(31)
    assert at(seats[0]).state["owed"] == {"p1": ["t1/1"]}
    assert evict(place, 1)["evicted"] == [1]
    assert at(seats[1]).state["seats"][0]["player"] == "p1"
    place.operator.table("t1").send("close")
    assert out(place) == [(1, "p1", "house")]
    place.assert_clean()


def test_it_survives_a_restart(place):
    seats = place.sealed(2)
    evict(place, 1)
    place.restart()
    seats = [place.again(seat) for seat in seats]
    assert place.public.get("/v1/tables/t1")["evicted"] == [1]
    seats[1].leave()
    place.operator.table("t1").send("close")
    place.clock.forward(3700)
    place.public.get("/v1/tables/t1")
    assert out(place) == [(1, "p1", "house")]
    place.assert_clean()


@pytest.mark.parametrize("rules", ["chinese", "pontoon"])
def test_a_banker_is_put_out_once_the_table_is_closed(place, rules):
    seats = place.sit(rules, 3)
    state = seats[0].state
    while state["bank"] == "house" or state["shoe"] is not None:
        step(next(seat for seat in seats if at(seat).next() is not None))
        state = place.public.get("/v1/tables/t1")
    bank = int(state["bank"])
    assert evict(place, bank)["evicted"] == [bank]
    assert out(place) == []
    place.operator.table("t1").send("close")
    assert [seat for seat, _, _ in out(place)] == [bank]
    place.assert_clean()


def test_nobody_is_put_out_from_a_game_of_lounge_that_has_begun(place):
    seats = place.sit("lounge", 2)
    while seats[0].state["rounds"] < 1 or place.public.get("/v1/tables/t1")["shoe"] is not None:
        step(next(seat for seat in seats if at(seat).next() is not None))
    assert evict(place, 1)["evicted"] == [1]
    assert out(place) == []
    place.assert_clean()


def test_whoever_was_put_out_comes_back_as_old_as_before(place):
    """Else the house could have a seat of its own open last, and void each shoe that it dislikes."""
    bob = place.casino(2)[1]
    evict(place, 1)
    alice = place.public.table("t1").sit("p1", 1000)
    alice.send("shoe")
    alice.contribute()
    at(bob).contribute()
    assert at(bob).state["shoe"]["opens"] == ["p2", "p1"]
    place.contribute([bob, alice])
    place.assert_clean()


def test_only_the_operator_and_only_a_taken_chair(place):
    alice = place.casino(1)[0]
    assert refusal(alice.send, "evict", seat=1)["status"] == 403
    assert refusal(evict, place, 2)["status"] == 409
    assert refusal(evict, place, 0)["status"] == 422


def test_being_put_out_is_no_act_in_the_players_name(place, tmp_path):
    """Whose receipts are all there misses none for it."""
    place.operator.create_table("casino", table="t1").sit("p1", 100, receipts=tmp_path / "p1")
    evict(place, 1)
    place.assert_clean()
    decided = decide(tmp_path / "p1", place.directory / "audited", key=place.public.verifier())
    assert decided.outcome.good, decided.text
    assert "without a receipt" not in decided.text


def test_whose_time_to_go_has_come_is_nobody(place):
    _, bob = place.sealed(2)
    evict(place, 2)
    place.operator.table("t1").send("close")
    place.clock.forward(3700)
    assert refusal(bob.send, "chips", op="cash-out", amount=5)["status"] == 401
    assert out(place)[-1] == (2, "p2", "house")


def test_a_receipt_of_the_decision_after_which_a_player_is_put_out_agrees_with_the_log(place, tmp_path):
    table = place.operator.create_table("boxes", table="t1")
    alice, bob = (table.sit(name, 1000, receipts=tmp_path / name) for name in ("alice", "bob"))
    while (last := place.turn([alice, bob])) is None:
        step(next(seat for seat in (alice, bob) if at(seat).next() is not None))
    evict(place, 1)
    evict(place, 2)
    while "you" in (ended := default(last)):
        last = place.turn([alice, bob])
    assert ended["receipt"]
    report = place.audit()
    assert not report.failed, report.findings
    for name in ("alice", "bob"):
        decided = decide(tmp_path / name, place.directory / "audited", key=place.public.verifier())
        assert decided.outcome.good, decided.text
