"""What was asked, not answered, and perhaps forgotten by the house: nothing is done twice, and no chair is lost."""

from __future__ import annotations

import pytest

from audit_cli.cases.receipts.run import decide
from fairshoe.client import Client, Problem, Unreachable
from fairshoe.errors import InputError

from ..service.copies import backup, lose_database, mirror, restored
from ..service.place import at

BOOK = "alice.seat"


class Silent(Client):
    """A connection on which no answer to a changing request comes back."""

    arrives = True

    def with_token(self, token):
        return type(self)(self.address, token, patience=0)

    def _once(self, method, path, *more):
        data = super()._once(method, path, *more) if self.arrives or method != "POST" else b""
        if method == "POST":
            raise Unreachable("the answer was lost", dropped=True)
        return data


class Mute(Silent):
    """None arrives, either."""

    arrives = False


def restore_from(place, kept):
    log = mirror(place)
    lose_database(place)
    return restored(place, kept, log=log)


def resume(place, folder, **fields):
    return place.public.table("t1").resume(folder / BOOK, **fields)


def moves(place):
    return [(entry["op"], entry["amount"]) for entry in place.of_kind("chips")]


def sit(place, folder):
    place.operator.create_table("casino", table="t1")
    return place.public.table("t1").sit("alice", 1000, book=folder / BOOK)


def unanswered(seat, what, **fields):
    seat.table.client = Silent(seat.table.client.address, seat.token, patience=0)
    with pytest.raises(Unreachable, match="`resume`, sends it again"):
        seat.send(what, **fields)
    seat.close()


@pytest.mark.parametrize("way", [Silent, Mute])
def test_chips_that_were_moved_before_a_restore_are_not_moved_again(place, tmp_path, way):
    """Neither by who resumes, nor by the same call on a seat that plays on."""
    alice = sit(place, tmp_path)
    kept = backup(place)
    alice.table.client = way(place.address, alice.token, patience=0)
    with pytest.raises(Unreachable, match="`resume`, sends it again"):
        alice.send("chips", op="buy-in", amount=77)
    restore_from(place, kept)
    done = [("buy-in", 77)] if way is Silent else []
    told = "nobody says whether the buy-in of 77 chips was done (the house was restored), and it is not sent again"
    if way is Silent:
        alice.close()
        again = resume(place, tmp_path)
        assert [each.partition(":")[0] for each in again.notes] == [told]
    else:
        again, alice.table.client = alice, Client(place.address, alice.token, patience=0)
        alice._anybody.client = Client(place.address)
        with pytest.raises(Problem, match="buy-in of 77 chips"):
            again.send("chips", op="buy-in", amount=77)
    assert moves(place)[1:] == done
    again.send("chips", op="buy-in", amount=77)
    assert moves(place)[1:] == [*done, ("buy-in", 77)]
    again.play(1)
    again.finish()
    place.assert_clean()


def test_bets_are_sent_again(place, tmp_path):
    """They are about a round, and the house takes them once for it."""
    alice = sit(place, tmp_path)
    while at(alice).state["phase"] != "bet":
        if not alice.contribute():
            alice.send("shoe")
    kept = backup(place)
    unanswered(alice, "bets", round=1, bets=[{"amount": 20}])
    restore_from(place, kept)
    again = resume(place, tmp_path)
    again.play(1)
    again.finish()


def test_a_request_of_long_ago_is_not_sent_again(place, tmp_path, monkeypatch):
    unanswered(sit(place, tmp_path), "chips", op="buy-in", amount=100)
    monkeypatch.setattr("fairshoe.client.book.MAX_RETRY_AGE", -1)
    again = resume(place, tmp_path)
    assert "too long ago" in again.notes[0]
    assert again.state["chips"]["1"] == 1100
    assert len(place.of_kind("chips")) == 2


@pytest.mark.parametrize("forgotten", ["not at all", "long ago"])
@pytest.mark.parametrize("way", [Silent, Mute])
def test_no_answer_can_lose_a_chair(place, tmp_path, monkeypatch, way, forgotten):
    """Whether it was taken the token itself tells."""
    place.operator.create_table("casino", table="t1")
    with pytest.raises(Unreachable):
        way(place.address, patience=0).table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    if forgotten == "long ago":
        monkeypatch.setattr("fairshoe.client.book.MAX_RETRY_AGE", -1)
    if forgotten == "long ago" and way is Mute:
        with pytest.raises(InputError, match="no chair"):
            resume(place, tmp_path)
        again = place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    else:
        again = resume(place, tmp_path)
    monkeypatch.undo()
    assert (again.seat, again.player) == (1, "alice")
    assert again.play(1) == 1
    again.finish()
    assert [op for op, _ in moves(place)] == ["buy-in", "cash-out"]
    place.assert_clean()


def test_a_chair_that_the_log_has_and_the_backup_has_not_is_the_tokens_once_it_is_let_in(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    kept = backup(place)
    alice = place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    alice.close()
    restore_from(place, kept)
    with pytest.raises(Problem, match="SHA-256") as caught:
        resume(place, tmp_path)
    digest = caught.value.remedy.rpartition(" ")[2]
    place.operator.post("/v1/tables/t1/seats/1/token", {"token_sha256": digest})
    again = resume(place, tmp_path)
    assert again.play(1) == 1
    again.finish()
    place.assert_clean()


def test_put_out(place, tmp_path):
    alice = sit(place, tmp_path)
    place.operator.post("/v1/tables/t1/evict", {"seat": 1})
    with pytest.raises(Problem, match=r"401.*was put out"):
        alice.play(1)
    alice.close()
    with pytest.raises(Problem, match="401"):
        resume(place, tmp_path)
    assert place.public.table("t1").sit("alice", 1000, book=tmp_path / "another").play(1) == 1


@pytest.mark.parametrize("sent", [{"cut": 88}, {}], ids=["another cut", "as the client does"])
def test_a_cut_that_a_restore_forgot_convicts_nobody(place, tmp_path, sent):
    """Its player may cut again; the log has that cut alone."""
    table = place.operator.create_table("casino", table="t1")
    alice, bob = (table.sit(player, 1000, receipts=tmp_path / player) for player in ("alice", "bob"))
    alice.send("shoe")
    kept = backup(place)
    at(alice).contribute(77)
    restore_from(place, kept)
    for seat in (alice, bob):
        seat.table.client = Client(place.address, seat.token)
    at(alice).contribute(**sent)
    at(bob).contribute()
    assert place.of_kind("seeds")[0]["cut"]["at"] != 77
    assert not place.audit().failed
    decided = decide(tmp_path / "alice", place.directory / "audited")
    assert [(case.form["do"], case.word) for case in decided.cases] == [
        ("chips", "agrees"),
        ("hash", "not decided"),
        ("hash", "agrees"),
    ]
    assert decided.outcome.word != "FAIL"
