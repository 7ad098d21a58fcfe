"""A player's loop: what is expected is done, the others are waited for, and the chair is left."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairshoe.client import Client, Problem, Unreachable, client, service

from ..service.place import at
from .servers import scripted


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(client, "POLL_PAUSE", 0.01)
    monkeypatch.setattr(service, "POLL_PAUSE", 0.01)


def test_stakes_and_decisions_are_the_players(place):
    (alice,) = place.casino(1)
    asked = []

    def choose(seat, wanted):
        moves = {move["move"] for move in wanted["moves"]}
        asked.append("stand" if "stand" in moves else "decline")
        return {"move": asked[-1]}

    assert alice.play(5, choose, 20) == 5
    assert {bet["amount"] for entry in place.of_kind("open") for bet in entry["bets"]} == {20}
    moves = [decision["move"] for entry in place.of_kind("round") for decision in entry["decisions"]]
    assert moves == asked
    assert alice.play(2) == 7
    at(alice).step(stake=0)
    assert place.of_kind("open")[-1]["round"] == 7, "a stake of nothing passes"
    place.assert_clean()


@pytest.mark.wire
def test_two_players_play_and_leave(place):
    """Who was slower looks again."""
    alice, bob = place.casino(2)
    at(bob)
    alice.send("shoe")
    assert bob.next()["do"] == "shoe", "as far as bob knows"
    with pytest.raises(Problem, match="409"):
        bob.step()
    with ThreadPoolExecutor() as pool:
        assert list(pool.map(lambda seat: seat.play(4), (alice, bob))) == [4, 4]
        list(pool.map(lambda seat: seat.finish(), (alice, bob)))
    assert place.public.table("t1").state()["seats"] == []
    assert {entry["why"] for entry in place.of_kind("reveal")} == {"left"}
    place.assert_clean()


def test_whoever_was_away_says_that_they_are_back(place):
    alice, bob = place.sealed(2)
    for _ in range(2):
        at(alice).bet(10)
        place.clock.forward(61)
        place.finish([alice])
    assert at(bob).expects("here")
    bob.step(stake=0)
    assert at(bob).step(stake=0) or bob.state["bets"]["passed"]
    assert not at(bob).expects("here")


def test_a_table_on_which_nothing_happens_is_left_to_its_caller(place, monkeypatch):
    alice, _ = place.casino(2)
    alice.send("shoe")
    at(alice).contribute()
    monkeypatch.setattr(client, "PLAY_TIMEOUT", 0)
    with pytest.raises(Problem, match="for 0 s"):
        alice.play(1)


@pytest.mark.wire
def test_a_player_goes_on_while_the_service_starts_again(place, tmp_path):
    alice = place.operator.create_table("casino", table="t1").sit("alice", 1000, book=tmp_path / "alice")
    alice.play(1)
    alice.table.client._patience = 0
    place.stop()
    with pytest.raises(Unreachable, match="`resume`, sends it again"):
        alice.bet(10)
    alice.close()
    place.start()
    again = place.public.table("t1").resume(tmp_path / "alice")
    last = again.play(1)  # where the bet that was sent again was a natural, a round more
    assert last in (2, 3)
    assert [len(entry["bets"]) for entry in place.of_kind("open")] == [1] * last
    again.finish()
    place.assert_clean()


@pytest.mark.wire
def test_who_waits_hears_of_a_change_and_never_pauses(place, monkeypatch):
    alice, bob = place.casino(2)
    alice.wait()
    paused = []
    monkeypatch.setattr(service.time, "sleep", lambda _: paused.append(threading.current_thread().name))
    for number in range(1, 4):
        with ThreadPoolExecutor(thread_name_prefix="waiter") as pool:
            waiting = pool.submit(alice.wait)
            bob.send("chips", op="buy-in", amount=5)
            assert waiting.result()["chips"]["2"] == 1000 + 5 * number
    monkeypatch.setattr(service, "LONG_POLL_SECONDS", 1)
    before = alice.state
    assert alice.wait() is before
    assert [name for name in paused if name.startswith(("waiter", "MainThread"))] == []  # not one of another test


def answer(status, body=b"", *headers):
    """The bytes of an answer."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


STATE = b'{"log": 1, "at": "", "phase": "idle"}'


@pytest.mark.parametrize(
    "eaten", [b"", answer("504 Gateway Timeout"), answer("429 Too Many Requests"), answer("200 OK", b"<p>Welcome")]
)
def test_where_no_request_may_wait_the_table_is_looked_at(eaten):
    with scripted(eaten, answer("200 OK", STATE)) as (address, heard):
        table = Client(address).table("t1")
        for _ in range(3):
            assert table.newer()["phase"] == "idle"
    asked = [head.split()[1] for head in heard]
    assert asked == [b"/v1/tables/t1?wait=25", *[b"/v1/tables/t1"] * 3]


def test_whoever_answers_at_once_is_not_asked_at_once_again(monkeypatch):
    paused, here = [], threading.get_ident()  # a thread of an earlier test may go on
    monkeypatch.setattr(service.time, "sleep", lambda s: paused.append(s) if threading.get_ident() == here else None)
    first, later = answer("200 OK", STATE, 'ETag: W/"1"'), answer("304 Not Modified", b"", 'ETag: W/"1"')
    with scripted(first, later) as (address, heard):
        table = Client(address, timeout=5).table("t1")
        assert table.newer()["log"] == 1
        assert paused == []
        assert (table.newer(), table.newer()) == (None, None)
    assert paused == [service.POLL_PAUSE] * 2
    assert b'If-None-Match: W/"1"' in heard[2]
    assert heard[0].split()[1] == b"/v1/tables/t1?wait=2"
