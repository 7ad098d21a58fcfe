"""An honest house is not accused: what a seat cannot know it does not raise."""

from __future__ import annotations

import pytest

from audit_cli.receipts.run import decide
from fairshoe.client import Client, Problem, Seat, Table, Unreachable
from fairshoe.client.receipts import Keeper
from fairshoe.engine.rules import RULES

from ..service.place import at
from .careless import run

TURNS = 250


@pytest.mark.parametrize("rules", sorted(RULES))
def test_careless_players_see_no_alarm(tmp_path, rules):
    players, _, report, decided = run(rules, tmp_path, TURNS, 7)
    assert players.alarms == []
    assert not report.failed, report.findings
    for each in decided.values():
        assert each.outcome.good, each.text


class Deaf(Client):
    """A connection on which the answers to so many changing requests are lost."""

    deaf = 0

    def with_token(self, token):
        return type(self)(self.address, token, patience=0)

    def _once(self, method, *more):
        data = super()._once(method, *more)
        if method == "POST" and self.deaf:
            self.deaf -= 1
            raise Unreachable("the answer was lost", dropped=True)
        return data


@pytest.fixture
def two(place, tmp_path):
    """Two seats that keep receipts; the first one's connection is Deaf."""
    place.operator.create_table("casino", table="t1")
    table = Table(Deaf(place.address, patience=0), "t1")
    return [table.sit(name, 1000, receipts=tmp_path / name) for name in ("alice", "bob")]


def unheard(seat, what, **fields):
    seat.table.client.deaf = 1
    with pytest.raises(Unreachable):
        seat.send(what, **fields)


def test_chips_of_a_request_that_was_not_answered_are_no_fault(two):
    alice, _ = two
    unheard(alice, "chips", op="cash-out", amount=100)
    assert alice.refresh()["chips"]["1"] == 900
    alice.send("chips", op="buy-in", amount=7)
    assert alice.state["chips"]["1"] == 907


def test_bets_that_stand_before_the_answer_to_them_is_heard_are_no_fault(place, two):
    alice, bob = two
    place.make_shoe(two)
    at(bob).bet(10)
    unheard(at(alice), "bets", round=1, bets=[{"amount": 10}])
    assert alice.refresh()["rounds"] == 1
    alice.settle()
    assert '"stands"' in alice._watching.keeper._past(alice._watching.place).stands


def test_an_answer_that_is_older_than_what_was_seen_is_no_fault(place, two):
    alice, bob = two
    unheard(alice, "shoe")
    bob.send("chips", op="transfer", amount=30, to=1)
    assert alice.refresh()["chips"]["1"] == 1030
    alice.settle()
    assert alice.state["chips"]["1"] == 1030


def test_an_old_table_is_no_fault(two, monkeypatch):
    alice, _ = two
    before = alice.table.state()
    alice.send("chips", op="cash-out", amount=100)
    with monkeypatch.context() as late:
        late.setattr(Table, "state", lambda _: before)
        alice.refresh()
    assert alice.refresh()["chips"]["1"] == 900


def test_a_request_that_is_refused_when_it_comes_again_may_have_been_done_before(two, monkeypatch):
    alice, _ = two
    unheard(alice, "chips", op="cash-out", amount=100)

    def forgotten(self, request):
        raise Problem(409, {"detail": "the house was restored, and does not know the key"})

    with monkeypatch.context() as restored:
        restored.setattr(Table, "ask", forgotten)
        alice.settle()
    assert alice.refresh()["chips"]["1"] == 900
    alice.send("chips", op="cash-out", amount=1)


def unseen_round(place, folder):
    """A round of two, of which alice was shown no receipt: the table, both seats, and what keeps alice's receipts."""
    table = place.operator.create_table("boxes", table="t1")
    alice, bob = (table.sit(name, 1000, receipts=folder / name) for name in ("alice", "bob"))
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    keeper, alice._watching.keeper = alice._watching.keeper, None
    at(bob).bet(10)
    place.contribute([alice, bob])
    place.finish([alice, bob])
    return table, alice, bob, keeper


def test_a_round_that_was_missed_is_not_held_back(place, tmp_path):
    """Its receipt is shown no more where another round is open in which the seat has no part."""
    _, alice, bob, keeper = unseen_round(place, tmp_path)
    at(bob).send("shoe")
    place.contribute([bob])
    place.clock.forward(31)
    at(bob).bet(10)
    assert bob.state["rounds"] == 2
    alice._watching.keeper = keeper
    assert "receipt" not in at(alice).state["you"]


def test_who_left_without_a_look_and_came_back_knows_no_bets(place, tmp_path):
    table, alice, _, keeper = unseen_round(place, tmp_path)
    alice._watching.keeper = keeper
    alice.leave()
    again = table.sit("alice", 500, seat=1, receipts=tmp_path / "alice")
    assert again.refresh()["you"]["receipt"]


def test_a_file_that_lacks_the_newest_receipts_is_gone_on_with(place, two, tmp_path):
    alice, bob = two
    place.make_shoe(two)
    at(alice).bet(10)
    older = (tmp_path / "alice").read_bytes()
    at(alice).bet(20)
    (tmp_path / "alice").write_bytes(older)
    again = Seat(
        Table(Client(place.address, alice.token), "t1"),
        {"seat": 1, "token": alice.token, "state": {}} | {"player": "alice"},
        keeper=Keeper(tmp_path / "alice", place.public),
    )
    again.refresh()
    at(bob).bet(10)
    assert '"amount":20' in again.refresh()["you"]["receipt"]


def test_a_box_that_was_given_up_by_its_own_chair_is_nobodys(place, tmp_path):
    """Who had bet on it before has given way, and is not asked again."""
    table = place.operator.create_table("boxes", table="t1")
    alice, bob, cleo = (table.sit(name, 1000, receipts=tmp_path / name) for name in ("alice", "bob", "cleo"))
    place.make_shoe([alice, bob, cleo])
    at(alice).bet(10, boxes={2: 10})
    at(bob).bet(20)
    at(bob).bet()
    at(cleo).bet(10)
    assert alice.refresh()["rounds"] == 1
    place.contribute([alice, bob, cleo])
    place.finish([alice, bob, cleo])
    report = place.audit()
    assert not report.failed, report.findings
    decided = decide(tmp_path / "alice", place.directory / "audited", key=place.public.verifier())
    assert decided.outcome.good, decided.text
