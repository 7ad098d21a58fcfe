"""A seat's book: whenever a player's program dies, the next one goes on, and nothing is lost or done twice."""

from __future__ import annotations

import gc
import json
import os
import random
import stat
from contextlib import contextmanager, suppress
from unittest.mock import patch

import pytest

import fairshoe.client.book as books
import fairshoe.client.receipts as receipts
from audit_cli.cases.receipts.run import decide
from fairshoe.client import Client, Problem, Unreachable, WrongReceipt
from fairshoe.client.book import receipts_of
from fairshoe.errors import InputError
from fairshoe.log.note import Signer
from fairshoe.service.signing import ReceiptSigner

from ..service.place import at
from .servers import Losing, place_of

BOOK = "alice.seat"


def kept(folder):
    """What the receipts in the player's file say."""
    lines = (folder / f"{BOOK}.receipts").read_text().splitlines()[1:]
    return [json.loads(json.loads(line).split("\n")[1]) for line in lines]


def has(folder, op, amount):
    return any(form.get("op") == op and form.get("amount") == amount for form in kept(folder))


def go_on(address, name, folder):
    """Whatever is left to do."""
    table = Client(address).table(name)
    book = folder / BOOK
    try:
        alice = table.resume(book)
    except InputError as error:
        if error.what == "its chair was left":
            return
        alice = table.sit("alice", 1000, book=book)
    if "you" not in alice.state:
        return
    if not (alice.state["last"] or has(folder, "cash-out", 5)):
        alice.play(1)
    for op, amount in (("buy-in", 100), ("cash-out", 5)):
        if not has(folder, op, amount):
            alice.send("chips", op=op, amount=amount)
    alice.finish()
    alice.close()


@contextmanager
def dying(step, die):
    """`die` at the step of this number: just before a line is kept, which may be after an answer, or a request sent."""
    steps = []

    def point(name):
        steps.append(name)
        if len(steps) == step:
            die()

    append, raw = books.append, Client.raw

    def appended(file, *values):
        point("a line")
        append(file, *values)

    def asked(self, method, path, *more, **fields):
        if method == "POST":
            point(path.rpartition("/")[2])
        return raw(self, method, path, *more, **fields)

    with (
        patch.object(books, "append", appended),
        patch.object(receipts, "append", appended),
        patch.object(Client, "raw", asked),
    ):
        yield steps


class Dead(BaseException):
    """The program died here."""


def die():
    raise Dead


def once_each(place, table, folder):
    """The log has each of the player's moves once, and its receipt agrees."""
    entries = place.entries()
    moves = [(e["op"], e["amount"]) for e in entries if e["kind"] == "chips" and e["table"] == table]
    assert moves[:3] == [("buy-in", 1000), ("buy-in", 100), ("cash-out", 5)]
    assert [op for op, _ in moves[3:]] == ["cash-out"]
    kinds = [entry["kind"] for entry in entries if entry.get("shoe", "").startswith(f"{table}/")]
    assert kinds == ["shoe", "seeds", "opened", "seal", "open", "round", "reveal"]
    decided = decide(receipts_of(folder / BOOK), place.directory / "audited", key=place.public.verifier())
    assert decided.outcome.good, decided.text
    assert {case.word for case in decided.cases} == {"agrees"}
    assert not decided.strange


def test_a_player_dies_at_any_step(place, tmp_path):
    """At the first of each name, and at others."""
    folder = tmp_path / "whole"
    folder.mkdir()
    place.operator.create_table("casino", table="whole")
    with dying(0, die) as steps:
        go_on(place.address, "whole", folder)
    firsts = {name: number for number, name in reversed(list(enumerate(steps, 1)))}
    assert firsts.keys() >= {"seats", "shoe", "hash", "seed", "bets", "chips", "a line"}
    numbers = {*firsts.values(), *random.Random(1).sample(range(1, len(steps)), 3)}
    for number in numbers:
        name, folder = f"t{number}", tmp_path / f"t{number}"
        folder.mkdir()
        place.operator.create_table("casino", table=name)
        with dying(number, die), suppress(Dead):
            go_on(place.address, name, folder)
        gc.collect()
        go_on(place.address, name, folder)
        place.clock.forward(2)
    place.assert_clean()
    for name in ["whole", *(f"t{number}" for number in numbers)]:
        once_each(place, name, tmp_path / name)


@pytest.mark.wire
def test_a_player_is_killed_again_and_again(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    status, killed = 9, 0
    while status == 9:
        child = os.fork()
        if child == 0:
            with dying(11 + killed % 5, lambda: os._exit(9)), suppress(BaseException):
                go_on(place.address, "t1", tmp_path)
                os._exit(0)
            os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        killed += status == 9
    assert (status, killed > 1) == (0, True)
    place.assert_clean()
    once_each(place, "t1", tmp_path)


def sit(place, book, name="alice", rules="casino", **fields):
    place.operator.create_table(rules, table="t1")
    return place.public.table("t1").sit(name, 1000, book=book, **fields)


def test_the_seed_is_in_it_before_the_hash_goes_out(place, tmp_path):
    alice = sit(place, tmp_path / BOOK)
    alice.send("shoe")
    alice.table.client = Client("http://127.0.0.1:1", alice.token, patience=0)
    with pytest.raises(Unreachable, match="`resume`"):
        alice.contribute(cut=77)
    alice.close()
    again = place.public.table("t1").resume(tmp_path / BOOK)
    assert again.state["shoe"]["hashed"] == ["alice"], "what was not answered was sent again"
    again.contribute()
    seeds = [line for line in map(json.loads, (tmp_path / BOOK).read_text().splitlines()) if "seed" in line]
    assert [each["seed"] for each in seeds] == [entry["seed"] for entry in place.of_kind("opened")]
    assert place.of_kind("seeds")[0]["cut"]["at"] == 77
    assert again.checkpoint
    again.close()
    assert place.public.table("t1").resume(tmp_path / BOOK).checkpoint == again.checkpoint
    place.assert_clean()


def test_a_seed_that_is_owed_is_handed_in_from_it(place, tmp_path):
    alice = sit(place, tmp_path / BOOK)
    bob = place.public.table("t1").sit("bob", 1000)
    alice.send("shoe")
    at(alice).contribute()
    at(bob).contribute()
    at(bob).contribute()
    alice.close()
    place.clock.forward(31)
    assert place.public.table("t1").state()["owed"] == {"alice": ["t1/1"]}
    again = place.public.table("t1").resume(tmp_path / BOOK)
    assert again.state["owed"] == {}
    assert place.last() == "late"
    place.assert_clean()


def test_a_seed_that_is_not_known_is_told_before_anything_is_sent(place, tmp_path):
    """A line that was not written to its end is cut off."""
    alice, book = sit(place, tmp_path / BOOK), tmp_path / BOOK
    alice.send("shoe")
    alice.contribute()
    alice.close()
    lines = book.read_text().splitlines(keepends=True)
    book.write_text("".join(line for line in lines if '"seed"' not in line))
    for file in (book, receipts_of(book)):
        file.write_bytes(file.read_bytes() + b'{"shoe":"t1/1","se')
    again = place.public.table("t1").resume(book)
    before = len(place.entries())
    with pytest.raises(Problem, match="shoe t1/1"):
        again.contribute()
    assert len(place.entries()) == before
    again.send("chips", op="buy-in", amount=5)
    for file in (book, receipts_of(book)):
        assert all(map(json.loads, file.read_text().splitlines()))


def test_a_seed_is_not_forgotten_for_another_commitment_that_the_house_shows_once(place, tmp_path):
    """The log has the hash of the first; a seed for the other is made, and opened for nothing."""
    alice = sit(place, tmp_path / BOOK)
    bob = place.public.table("t1").sit("bob", 1000)
    alice.send("shoe")
    at(alice).contribute()
    live = alice.state["shoe"]
    lie = {"do": "hash", "shoe": live["shoe"]}
    alice.state = alice.state | {"shoe": live | {"commitment": "cd" * 32}}
    alice.state["you"] = alice.state["you"] | {"expects": [lie]}
    with pytest.raises(Problem, match="409"):
        alice.contribute()
    at(bob).contribute()
    at(bob).contribute()
    alice.close()
    again = place.public.table("t1").resume(tmp_path / BOOK)
    assert len(again.book.seeds.values()) == 2
    again.contribute()
    assert place.last() == "seal"
    assert again.state["owed"] == {}


def test_a_book_has_one_chair_until_it_is_left_and_one_program_at_a_time(place, tmp_path):
    """Nobody else may read it."""
    book, table = tmp_path / BOOK, place.public.table("t1")
    alice = sit(place, book, seat=3)
    assert stat.S_IMODE(book.stat().st_mode) == 0o600
    assert alice.token in book.read_text()
    assert alice.token not in receipts_of(book).read_text()
    with pytest.raises(InputError, match="another program plays"):
        table.resume(book)
    alice.close()
    with pytest.raises(InputError, match="alice's at table t1"):
        table.sit("bob", 1000, book=book)
    other = place.operator.create_table("casino", table="t2")
    with pytest.raises(InputError, match="of table t1"):
        other.resume(book)
    with pytest.raises(Problem, match="chair 3 is taken"):
        table.sit("bob", 1000, 3, book=tmp_path / "second")
    assert table.sit("bob", 1000, book=tmp_path / "second").seat != 3, "what was refused leaves the book free"
    table.resume(book).leave()
    gc.collect()
    with pytest.raises(InputError, match="its chair was left"):
        table.resume(book)
    assert other.sit("bob", 1000, book=book).player == "bob"


def test_a_book_that_is_none_is_left_alone(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    for text in ("Dear house,", "Dear house,\n", '{"seed":"00"}\n', "[]\n", '{"book":1,"table":"t1","player":"a"}\n'):
        (tmp_path / BOOK).write_text(text)
        for take in (
            lambda: place.public.table("t1").resume(tmp_path / BOOK),
            lambda: place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK),
        ):
            with pytest.raises(InputError, match="not a seat's book"):
                take()
        assert (tmp_path / BOOK).read_text() == text
    with pytest.raises(InputError, match="no such book"):
        place.public.table("t1").resume(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
    assert place.of_kind("chips") == []


def test_a_wrong_receipt_of_the_buy_in_does_not_cost_the_seat(place, tmp_path, monkeypatch):
    place.operator.create_table("casino", table="t1")
    monkeypatch.setattr(ReceiptSigner, "_signer", Signer("somebody/receipt", b"s" * 32), raising=False)
    honest = ReceiptSigner.sign
    monkeypatch.setattr(ReceiptSigner, "sign", lambda self, form: honest(self, form | {"amount": 7}))
    with pytest.raises(WrongReceipt, match="another amount") as caught:
        place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    monkeypatch.undo()
    assert caught.value.seat.refresh()["you"]["player"] == "alice"
    caught.value.seat.close()
    assert place.public.table("t1").resume(tmp_path / BOOK).token == caught.value.seat.token


@pytest.mark.wire
def test_the_same_call_again_is_the_same_request(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    with Losing(place_of(place.address)) as way:
        alice = Client(way.address).table("t1").sit("alice", 1000, receipts=tmp_path / "alice")
        alice.table.client._patience = 0
        with pytest.raises(Unreachable, match="done once"):
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
