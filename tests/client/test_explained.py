"""Chips and cards that a house tells are held against what the seat knows: its receipts, and what it saw."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from fairshoe.client import Client, Seat, Table, WrongReceipt
from fairshoe.log.note import verifier_of
from fairshoe.receipts.notes import read_receipt, vouched_key, write_receipt

from ..service.place import at, default


class Telling(Client):
    """A connection on which answers are changed by `change` after the house has made them."""

    change = staticmethod(lambda answer: None)

    def _json(self, *request):
        answer = super()._json(*request)
        if "chips" in answer:
            Telling.change(answer)
        return answer


@contextmanager
def telling(change):
    honest, Telling.change = Telling.change, staticmethod(change)
    try:
        yield
    finally:
        Telling.change = staticmethod(honest)


@pytest.fixture
def told(place, tmp_path):
    """Two seats of casino, and the first one again on a connection that tells otherwise; and how to sign receipts."""
    alice, bob = place.casino(2)
    table = Table(Telling(place.address, alice.token), "t1")
    taken = {"seat": 1, "token": alice.token, "state": alice.table.state()}
    return Seat(table, taken, receipts=tmp_path / "alice"), bob


def resigned(place, answer, change):
    """The receipt of an answer, changed and signed by the house."""
    key = vouched_key(place.public.receipt_key(), verifier_of(place.public.verifier()))
    form = read_receipt(answer["receipt"], key)
    change(form)
    answer["receipt"] = write_receipt(form, place.house.sequencer.receipts._signer)


def test_chips_that_are_gone_are_raised(place, told):
    alice, _ = told

    def gone(answer):
        answer["chips"]["1"] -= 50

    with telling(gone), pytest.raises(WrongReceipt, match="says 950 chips, and the seat knows of 1000"):
        alice.refresh()


def test_chips_that_are_gone_from_the_receipt_too_are_raised(place, told):
    alice, _ = told

    def half(answer):
        answer["chips"]["1"] -= 50
        resigned(place, answer, lambda form: form["view"].update(chips=1050))

    with telling(half), pytest.raises(WrongReceipt, match="says 1050 chips, and the seat knows of 1100"):
        alice.send("chips", op="buy-in", amount=100)


def test_chips_that_nobody_can_have_given_are_raised(place, told):
    alice, _ = told

    def more(answer):
        answer["chips"]["1"] += 7

    with telling(more), pytest.raises(WrongReceipt, match="says 1007 chips"):
        alice.refresh()


def test_chips_that_somebody_else_gave_are_no_fault(place, told):
    alice, bob = told
    bob.send("chips", op="transfer", amount=30, to=1)
    assert alice.refresh()["chips"]["1"] == 1030
    bob.send("chips", op="transfer", amount=30, to=1)
    assert alice.send("chips", op="cash-out", amount=60)["chips"]["1"] == 1000


def test_what_a_round_paid_is_counted(place, told):
    alice, bob = told
    place.make_shoe([alice, bob])
    for _ in range(6):
        place.bet_and_finish([alice, bob], 20)
        assert alice.refresh()["last"]["chips"]["1"] == alice.state["chips"]["1"]
    less = alice.state["chips"]["1"]

    def lost(answer):
        answer["chips"]["1"] = less - 1

    with telling(lost), pytest.raises(WrongReceipt, match=f"says {less - 1} chips"):
        alice.refresh()


def asked(place, alice):
    """Alice alone, until she has a decision."""
    place.make_shoe([alice])
    while "stand" not in [move["move"] for move in (at(alice).next() or {}).get("moves", ())]:
        if alice.next()["do"] == "decisions":
            default(alice)
        else:
            alice.bet(10)


def other_card(form):
    cards = form["view"]["round"]["hands"][0]["cards"]
    cards[0] = next(card for card in ("Ac", "2d") if card != cards[0])


def test_a_receipt_with_another_card_than_the_answer_is_raised(place, told):
    alice, bob = told
    bob.leave()
    asked(place, alice)
    with (
        telling(lambda answer: "receipt" in answer and resigned(place, answer, other_card)),
        pytest.raises(WrongReceipt, match="another round than the answer"),
    ):
        default(alice)


def test_a_round_that_is_logged_with_another_decision_is_raised(place, told):
    alice, bob = told
    bob.leave()
    asked(place, alice)

    def otherwise(answer):
        answer["last"]["decisions"][-1]["move"] = "surrender"

    with telling(otherwise), pytest.raises(WrongReceipt, match="another decision than the round has at step"):
        alice.decide("stand")
