"""A changing request whose answer is lost is sent again by its key, and done once."""

from __future__ import annotations

import json

import pytest

from audit_cli.receipts.run import decide
from fairshoe.client import Client, Problem, Unreachable

from ..service.place import at
from .servers import Losing, place_of, reply, scripted

pytestmark = pytest.mark.wire


def keys_in(heard):
    lines = [line for head in heard for line in head.split(b"\r\n") if line.lower().startswith(b"idempotency-key: ")]
    return [line.partition(b": ")[2].decode() for line in lines]


def test_a_changing_request_is_sent_again_with_the_same_key():
    with scripted(b"", b"", reply(b'{"table":"t1"}')) as (address, heard):
        assert Client(address).post("/v1/tables") == {"table": "t1"}
        first, *others = keys_in(heard)
        assert others == [first, first]
        assert 16 <= len(first) <= 128
        Client(address).post("/v1/tables")
        assert keys_in(heard)[-1] != first, "another request, another key"
        Client(address).post("/v1/tables", key="k" * 16)
        assert keys_in(heard)[-1] == "k" * 16


def test_it_is_sent_again_within_a_bound():
    with scripted(b"") as (address, heard):
        with pytest.raises(Unreachable, match="the connection was dropped"):
            Client(address, patience=0).post("/v1/tables")
        assert len(heard) == 1
        with pytest.raises(Unreachable, match="the connection was dropped"):
            Client(address, patience=0.3).post("/v1/tables")
        assert 3 <= len(heard) <= 4


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("status", ["503 Service Unavailable", "429 Too Many Requests"])
def test_a_service_that_is_busy_is_asked_again_when_it_says(method, status):
    busy = reply(b'{"detail":"busy"}', status, Retry_After="0", Connection="close")
    with scripted(busy, busy, reply(b'{"tables":[]}')) as (address, heard):
        assert getattr(Client(address), method)("/v1/tables") == {"tables": []}
        assert len(heard) == 3
    with scripted(reply(b'{"detail":"busy"}', status, Retry_After="3600")) as (address, heard):
        with pytest.raises(Problem, match="busy") as caught:
            getattr(Client(address), method)("/v1/tables")
        assert caught.value.retry_after == 3600
        assert len(heard) == 1, "that is longer than it waits"


@pytest.mark.parametrize("status", ["409 Conflict", "500 Internal", "507 Full"])
def test_what_is_refused_is_not_sent_again(status):
    with scripted(reply(b'{"detail":"no"}', status, Retry_After="0")) as (address, heard):
        with pytest.raises(Problem, match="no"):
            Client(address).post("/v1/tables")
        assert len(heard) == 1


def test_nobody_waits_for_a_service_that_was_never_there():
    with pytest.raises(Unreachable, match="cannot connect") as caught:
        Client("http://127.0.0.1:1").post("/v1/tables")
    assert caught.value.unsent


def test_two_players_whose_answers_are_all_lost_once(place, tmp_path):
    """Every step of a hand, and every move of chips: in the log once, with its receipt."""
    place.operator.create_table("casino", table="t1")
    with Losing(place_of(place.address)) as way:
        table = Client(way.address).table("t1")
        alice, bob = (table.sit(name, 1000, receipts=tmp_path / name) for name in ("alice", "bob"))
        alice.send("shoe")
        place.contribute([alice, bob])
        place.deal_until_asked([alice, bob])
        place.finish([alice, bob])
        at(alice).send("chips", op="buy-in", amount=100)
        alice.send("chips", op="transfer", amount=30, to=2)
        at(bob).send("chips", op="cash-out", amount=7)
        for seat in (alice, bob):
            at(seat).leave()
        assert {path.rpartition("/")[2] for path in way.lost} == {
            *("seats", "shoe", "hash", "seed", "bets", "decisions", "chips")
        }
        assert set(way.keys.values()) == {2} | ({way.keys[None]} if None in way.keys else set())
    moves = [(entry["op"], entry["player"], entry.get("leaves", False)) for entry in place.of_kind("chips")]
    assert moves == [
        ("buy-in", "alice", False),
        ("buy-in", "bob", False),
        ("buy-in", "alice", False),
        ("transfer", "alice", False),
        ("cash-out", "bob", False),
        ("cash-out", "alice", True),
        ("cash-out", "bob", True),
    ]
    place.assert_clean()
    for name in ("alice", "bob"):
        decided = decide(tmp_path / name, place.directory / "audited", key=place.public.verifier())
        assert decided.outcome.good, decided.text


def test_the_same_call_again_is_the_same_request(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    with Losing(place_of(place.address)) as way:
        alice = Client(way.address).table("t1").sit("alice", 1000, receipts=tmp_path / "alice")
        alice.table.client._patience = 0
        with pytest.raises(Unreachable, match="the same call on this seat sends it again, and it is done once"):
            alice.send("chips", op="buy-in", amount=100)
        alice.send("chips", op="buy-in", amount=100)
        assert alice.state["chips"]["1"] == 1100
        with pytest.raises(Unreachable):
            alice.send("chips", op="buy-in", amount=50)
        with pytest.raises(Unreachable):
            alice.send("chips", op="cash-out", amount=9)
        alice.send("chips", op="cash-out", amount=9)
        assert alice.state["chips"]["1"] == 1141, "what was not answered is done first"
    assert [entry["amount"] for entry in place.of_kind("chips")] == [1000, 100, 50, 9]
    assert len((tmp_path / "alice").read_text().splitlines()) == 5
    assert json.loads((tmp_path / "alice").read_text().splitlines()[-1]) == alice.state["receipt"]


def test_a_request_that_was_refused_is_forgotten(place):
    alice = place.casino(1)[0]
    with pytest.raises(Problem, match="409"):
        alice.send("chips", op="cash-out", amount=5000)
    alice.send("chips", op="cash-out", amount=5)
    assert alice.state["chips"]["1"] == 995
