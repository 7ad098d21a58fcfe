"""A request that was done and not answered by a house that was restored since: nothing is done twice, an honest house
is not accused, and the player is told what the log has."""

from __future__ import annotations

import pytest

from audit_cli.receipts.run import decide
from fairshoe.client import ChairGone, Client, TokenGone, TokenLost, Unreachable
from fairshoe.client.book import receipts_of
from fairshoe.errors import InputError

from ..service.copies import backup, lose_database, mirror, restored
from ..service.place import at

BOOK = "alice.seat"


class Deaf(Client):
    """A connection on which no answer to a changing request comes back."""

    def with_token(self, token):
        return type(self)(self.address, token, patience=0)

    def _once(self, method, path, *more):
        data = super()._once(method, path, *more)
        if method == "POST":
            raise Unreachable("the answer was lost", dropped=True)
        return data


class Mute(Client):
    """A connection on which no changing request arrives."""

    def with_token(self, token):
        return type(self)(self.address, token, patience=0)

    def _once(self, method, path, *more):
        if method == "POST":
            raise Unreachable("nobody heard it", dropped=True)
        return super()._once(method, path, *more)


def deafen(seat):
    seat.table.client = Deaf(seat.table.client.address, seat.token, patience=0)


def restore_from(place, kept):
    log = mirror(place)
    lose_database(place)
    return restored(place, kept, log=log)


def resume(place, folder, **fields):
    return place.public.table("t1").resume(folder / BOOK, **fields)


def audited(place):
    place.audit()
    return place.directory / "audited"


def moves(place):
    return [(entry["op"], entry["amount"], entry.get("leaves", False)) for entry in place.of_kind("chips")]


def sit(place, folder, rules="casino"):
    place.operator.create_table(rules, table="t1")
    return place.public.table("t1").sit("alice", 1000, book=folder / BOOK)


def shoe_for_bets(alice):
    while at(alice).state["phase"] != "bet":
        if not alice.contribute():
            alice.send("shoe")


def unanswered(seat, act):
    deafen(seat)
    with pytest.raises(Unreachable):
        act(seat)
    seat.close()


@pytest.mark.parametrize("rules", ["casino", "boxes"])
def test_bets_that_the_log_has_were_offered(place, tmp_path, rules):
    """The shoe is lost, and with it the round; the receipt of the bets that stood is no other than that."""
    alice = sit(place, tmp_path, rules)
    shoe_for_bets(alice)
    kept = backup(place)
    unanswered(alice, lambda seat: seat.bet(20))
    restore_from(place, kept)
    again = resume(place, tmp_path)
    again.play(1)
    again.finish()
    log = audited(place)
    decided = decide(receipts_of(tmp_path / BOOK), log, key=place.public.verifier())
    assert {case.word for case in decided.cases} <= {"agrees", "not yet", "overruled"}, decided.cases


def test_a_buy_in_that_the_log_has_is_not_done_again(place, tmp_path):
    alice = sit(place, tmp_path)
    kept = backup(place)
    unanswered(alice, lambda seat: seat.send("chips", op="buy-in", amount=77))
    restore_from(place, kept)
    again = resume(place, tmp_path)
    assert again.state["chips"]["1"] == 1077
    assert moves(place) == [("buy-in", 1000, False), ("buy-in", 77, False)]


def test_a_chair_that_was_left_was_left(place, tmp_path):
    alice = sit(place, tmp_path)
    kept = backup(place)
    unanswered(alice, lambda seat: seat.leave())
    restore_from(place, kept)
    again = resume(place, tmp_path)
    assert "you" not in again.state
    again.close()
    place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)


def test_a_chair_without_a_token(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    kept = backup(place)
    with pytest.raises(Unreachable):
        Deaf(place.address, patience=0).table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    restore_from(place, kept)
    for _ in range(2):
        with pytest.raises(TokenLost, match=r"alice's buy-in was done, 1000 chips: entry 1 of the log.*token=TOKEN"):
            resume(place, tmp_path)
    token = place.operator.post("/v1/tables/t1/seats/1/token")["token"]
    again = resume(place, tmp_path, token=token)
    again.play(1)
    again.close()
    resume(place, tmp_path).finish()
    assert moves(place)[0] == ("buy-in", 1000, False)
    assert len(moves(place)) == 2
    place.assert_clean()


def test_put_out(place, tmp_path):
    alice = sit(place, tmp_path)
    place.operator.post("/v1/tables/t1/evict", {"seat": 1})
    with pytest.raises(ChairGone, match="the house has put alice out, 1000 chips: entry 2 of the log") as caught:
        alice.play(1)
    assert (caught.value.status, caught.value.entry, caught.value.chips) == (401, 2, 1000)
    alice.close()
    with pytest.raises(InputError, match=r"its chair was left.*sit down anew"):
        resume(place, tmp_path)
    again = place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    token = place.operator.post("/v1/tables/t1/seats/1/token")["token"]
    with pytest.raises(TokenGone, match=r"the operator has made another one.*table.resume\(book, token=TOKEN\)"):
        again.refresh()
    again.close()
    with pytest.raises(TokenGone):
        resume(place, tmp_path)
    resume(place, tmp_path, token=token).finish()
    place.assert_clean()


def test_a_token_of_somebody_else(place, tmp_path):
    sit(place, tmp_path).close()
    bob = place.public.table("t1").sit("bob", 1000)
    with pytest.raises(InputError, match="this token is bob's; expected alice's"):
        resume(place, tmp_path, token=bob.token)
    resume(place, tmp_path).finish()


def test_a_seat_that_plays_on_while_the_house_is_restored(place, tmp_path):
    """Nothing crashed on this side: the same call again says what the log has."""
    alice = sit(place, tmp_path)
    shoe_for_bets(alice)
    alice.send("chips", op="buy-in", amount=77)
    kept = backup(place)
    deafen(alice)
    with pytest.raises(Unreachable):
        alice.send("chips", op="cash-out", amount=77)
    number = len(place.entries()) - 1
    restore_from(place, kept)
    alice.table.client = Client(place.address, alice.token, patience=0)
    alice.send("chips", op="cash-out", amount=77)
    assert alice.found == [f"alice's cash-out was done, 77 chips: entry {number} of the log"]
    alice.play(1)
    alice.finish()
    assert [op for op, *_ in moves(place)] == ["buy-in", "buy-in", "cash-out", "cash-out"]
    place.assert_clean()


def test_bets_without_an_answer_count_as_offered(place, tmp_path):
    alice = sit(place, tmp_path)
    shoe_for_bets(alice)
    kept = backup(place)
    deafen(alice)
    with pytest.raises(Unreachable):
        alice.bet(20)
    restore_from(place, kept)
    alice.table.client = Client(place.address, alice.token, patience=0)
    alice._heads._client = alice._openings._client = alice.table.client
    alice._openings._followed = None  # the service has another port now
    alice.play(1)
    alice.finish()


def test_a_cash_out_that_the_log_has_not_is_done_when_it_is_asked_for(place, tmp_path):
    alice = sit(place, tmp_path)
    kept = backup(place)
    alice.table.client = Mute(place.address, alice.token, patience=0)
    with pytest.raises(Unreachable):
        alice.send("chips", op="cash-out", amount=9)
    restore_from(place, kept)
    alice.table.client = Client(place.address, alice.token, patience=0)
    alice.send("chips", op="cash-out", amount=9)
    assert alice.found == ["the log has no cash-out of this request"]
    assert moves(place)[1:] == [("cash-out", 9, False)]
    place.assert_clean()


def test_a_chair_that_was_not_taken_is_taken_now(place, tmp_path):
    place.operator.create_table("casino", table="t1")
    kept = backup(place)
    with pytest.raises(Unreachable):
        Mute(place.address, patience=0).table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    restore_from(place, kept)
    resume(place, tmp_path).finish()


def test_a_request_for_a_chair_of_long_ago(place, tmp_path, monkeypatch):
    """Where it was done its token is lost; where it was not, the book is free, for `sit` too."""
    place.operator.create_table("casino", table="t1")
    with pytest.raises(Unreachable):
        Mute(place.address, patience=0).table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    monkeypatch.setattr("fairshoe.client.requests.KEPT", -1)
    copy = (tmp_path / BOOK).read_bytes()
    with pytest.raises(InputError, match=r"its request for a chair was not done.*sit down anew"):
        resume(place, tmp_path)
    (tmp_path / BOOK).write_bytes(copy)
    alice = place.public.table("t1").sit("alice", 1000, book=tmp_path / BOOK)
    assert alice.refresh()["you"]["player"] == "alice"
