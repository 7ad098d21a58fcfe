"""A seat's receipts: kept as they come, checked by the answer, and held against the house's log."""

from __future__ import annotations

import copy
import json
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from fairshoe.client import WrongReceipt
from fairshoe.client.receipts import ReceiptFile
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import Signer
from fairshoe.service.signing import ReceiptSigner

from ..service.place import at
from .test_book import kept

OTHERS = Signer("somebody/receipt", b"s" * 32)


@contextmanager
def signing(change):
    """The house signs each receipt as `change` makes it of what it says."""
    honest = ReceiptSigner.sign
    with patch.object(ReceiptSigner, "sign", lambda self, form: honest(self, change(copy.deepcopy(form)))):
        yield


def changed(do, **fields):
    """Other fields in the receipts of one kind; None leaves a field out."""

    def change(form):
        if form["do"] != do:
            return form
        return {name: value for name, value in (form | fields).items() if value is not None}

    return change


@pytest.fixture
def two(place, tmp_path):
    """Two seats that keep receipts."""
    table = place.operator.create_table("casino", table="t1")
    return [table.sit(name, 1000, receipts=tmp_path / f"{name}.seat.receipts") for name in ("alice", "bob")]


@pytest.mark.parametrize(
    ("do", "fields", "words"),
    [
        ("hash", {"at": "2999-01-01T00:00:00.000000Z"}, "dated 2999"),
        ("hash", {"cut": 17}, "another cut"),
        ("hash", {"hash": "00" * 32}, "another hash"),
        ("hash", {"shoe": None}, "it is no receipt: shoe"),
        ("hash", {"view": None}, "it is no receipt: view"),
        ("hash", {"view": {"bank": "house"}}, "other chips than the answer"),
        ("hash", {"number": 7}, "number 7, and does not follow number 1"),
        ("hash", {"before": "00" * 32}, "does not follow"),
        ("chips", {"leaves": True}, "another leaves"),
        ("chips", {"to": 2}, "another to"),
        ("chips", {"op": "buy-in"}, "another op"),
        ("chips", {"amount": 6}, "another amount"),
        ("chips", {"seat": 1}, "another seat"),
        ("chips", {"player": "alice"}, "another player"),
    ],
)
def test_a_receipt_that_says_otherwise_than_was_sent_is_raised(place, two, do, fields, words):
    alice, bob = two
    alice.send("shoe")
    at(bob)
    act = bob.contribute if do == "hash" else lambda: bob.send("chips", op="cash-out", amount=5)
    with signing(changed(do, **fields)), pytest.raises(WrongReceipt, match=words) as caught:
        act()
    assert caught.value.fault == "house"
    assert caught.value.note in map(json.loads, bob._keeper._path.read_text().splitlines()), "it is the evidence"


def test_no_receipt_and_one_of_another_key_are_raised(place, two, monkeypatch):
    alice, _ = two
    with patch.object(ReceiptSigner, "sign", lambda *_: None), pytest.raises(WrongReceipt, match="gave no receipt"):
        alice.send("chips", op="cash-out", amount=5)
    monkeypatch.setattr(place.house.sequencer.receipts, "_signer", OTHERS)
    with pytest.raises(WrongReceipt, match="no signature"):
        alice.send("chips", op="cash-out", amount=5)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("offered", [None, 2, 0])
def test_a_bet_that_the_house_made_is_raised(place, two, tmp_path, offered, again):
    """Where the seat offered another, none, or nothing; after a restart of the client too."""

    def forged(form):
        if form["do"] == "bet" and form["state"] == "stands" and form["seat"] == 1:
            form["bets"] = [{"amount": 500, "seat": 1}]
            others = [bet for bet in form["view"]["bets"] if bet["seat"] != 1]
            form["view"] |= {"bets": [*form["bets"], *others], "late": [], "passed": []}
        return form

    alice, bob = two
    place.make_shoe(two)
    if offered is not None:
        at(alice).bet(*([offered] if offered else []))
    if again:
        alice._keeper = ReceiptFile(alice._keeper._path, place.public)
    at(bob)
    bob._keeper = None
    bob.bet(10)
    place.clock.forward(61)
    with signing(forged), pytest.raises(WrongReceipt, match="other bets stand"):
        alice.refresh()


def test_no_receipt_is_wanted_of_a_void_round_that_a_seat_had_no_part_in(place, tmp_path):
    """Bob bet on round 1 and missed the next shoe, which comes to nothing after its bets."""
    table = place.operator.create_table("chinese", table="t1")
    seats = [table.sit(name, 1000, receipts=tmp_path / name) for name in ("alice", "bob", "carl")]
    while sum(at(seat).step(stake=10, ends=seat.state["last"] is not None) for seat in seats):
        pass
    alice, bob, carl = seats
    alice.send("shoe")
    for seat in (alice, carl):
        at(seat).contribute()
    place.clock.forward(61)
    at(carl).bet(10)
    place.clock.forward(61)
    bob.refresh()
    assert (bob.state["rounds"], bob.state["last"]["round"], place.last()) == (2, 1, ("void", "seed"))


def test_the_file_goes_on_where_it_was(place, two, tmp_path):
    alice, _ = two
    file = alice._keeper._path
    whole = file.read_bytes()
    file.write_bytes(whole + b'"fairshoe rec')
    alice._keeper = ReceiptFile(file, place.public)
    alice.send("chips", op="cash-out", amount=5)
    assert file.read_bytes().startswith(whole)
    assert [form["op"] for form in kept(tmp_path)] == ["buy-in", "cash-out"]


def test_a_file_of_something_else_is_left_alone(place, tmp_path):
    (tmp_path / "other").write_text(json.dumps("another note") + "\n")
    (tmp_path / "letter").write_text("Dear house,")
    for name in ("other", "letter"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(InputError, match="another house"):
            ReceiptFile(tmp_path / name, place.public)
        assert (tmp_path / name).read_bytes() == before
    (tmp_path / "begun").write_text(json.dumps(place.public.receipt_key())[:50])
    ReceiptFile(tmp_path / "begun", place.public)
    assert json.loads((tmp_path / "begun").read_text()) == place.public.receipt_key()
    with pytest.raises(VerificationError):
        ReceiptFile(tmp_path / "new", place.public, str(Signer("house", b"k" * 32).verifier))
    assert not (tmp_path / "new").exists()
