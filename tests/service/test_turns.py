"""Commands that wait are done in one transaction: each as if it were alone, and all of them or none on the disk."""

from __future__ import annotations

import http.client
import os
import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from fairshoe.ceremony.acting.state import State
from fairshoe.cli import main
from fairshoe.client import Client, Problem
from fairshoe.service import table_store
from tests.long.serving import Serving

from .place import at
from .wire import call

pytestmark = pytest.mark.wire
LONG = {"hash": 3600, "cut": 3600}


def pay(place, token, key, amount=1, table="t1"):
    body = {"op": "buy-in", "amount": amount}
    return call(place, "POST", f"/v1/tables/{table}/chips", body, token, Idempotency_Key=f"{key:016d}")


@contextmanager
def one_batch(place, *commands):
    """Commands that all wait while the first of them waits for the database; gives their answers, to be asked for."""
    turns, pool = place.house.sequencer.transactions._turns, ThreadPoolExecutor(len(commands))
    with pool:
        with place.house.database.begin_write():
            sent = []
            for number, command in enumerate(commands, 1):
                sent.append(pool.submit(command))
                while sum(job.task.request is not None for job in turns._waiting) < number and not sent[-1].done():
                    time.sleep(0.001)
            commits = counted(place)
        yield sent, commits


def counted(place):
    found, after = [], place.house.database.after

    def count(head):
        found.append(place.house.sequencer.log.size)
        after(head)

    place.house.database.after = count
    return found


@pytest.mark.both
def test_each_is_answered_as_if_it_were_alone(place, monkeypatch):
    alice = place.casino(1)[0]
    bob = place.casino(1, name="t2")[0]
    machine = table_store.MACHINES[State]

    def fails(state, *more):
        if state.id == "t2":
            raise KeyError("a fault of the program")
        return machine.apply(state, *more)

    monkeypatch.setitem(table_store.MACHINES, State, machine._replace(apply=fails))
    commands = [
        lambda: pay(place, alice.token, 1),
        lambda: pay(place, alice.token, 2),
        lambda: pay(place, alice.token, 2),
        lambda: pay(place, alice.token, 2, 5),
        lambda: call(place, "POST", "/v1/tables/t1/bets", {"round": 1, "bets": []}, alice.token),
        lambda: pay(place, bob.token, 4, table="t2"),
        lambda: pay(place, "fs_nobody", 5),
        lambda: pay(place, alice.token, 6),
    ]
    with one_batch(place, *commands) as (sent, commits):
        answers = [each.result() for each in sent]
    assert [answer.status for answer in answers] == [200, 200, 200, 422, 409, 500, 401, 200]
    assert (answers[2].body, answers[2].headers["Idempotent-Replay"]) == (answers[1].body, "true")
    assert len(commits) < len(commands)
    assert at(alice).state["chips"]["1"] == 1003
    monkeypatch.undo()
    assert pay(place, bob.token, 4, table="t2").status == 200
    assert place.settings.database or main(["restore", "--check", "--data", str(place.directory)]) == 0
    place.assert_clean()


def test_where_the_disk_fails_none_is_done_and_each_can_be_sent_again(place):
    alice = place.casino(1)[0]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    written = (place.directory / "fairshoe.db-wal").stat().st_size
    commands = [lambda number=number: pay(place, alice.token, number) for number in range(6)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (written, before[1]))
    try:
        with one_batch(place, *commands) as (sent, _):
            assert {each.result().status for each in sent} <= {503, 507}
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert at(alice).state["chips"]["1"] == 1000
    for command in commands:
        assert "Idempotent-Replay" not in command().headers
    assert at(alice).state["chips"]["1"] == 1006
    assert main(["restore", "--check", "--data", str(place.directory)]) == 0


@pytest.mark.both
def test_whatever_waits_longest_is_done_first(place):
    alice = place.casino(1)[0]
    with one_batch(place, *(lambda amount=amount: pay(place, alice.token, amount, amount) for amount in range(1, 9))):
        pass
    amounts = [entry["amount"] for entry in place.of_kind("chips")]
    assert amounts == [1000, *range(1, 9)]


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_kill_9_in_the_middle_of_a_batch(tmp_path):
    """Many at once pay until the service is killed: whatever was answered is there once, and answered the same. A cut
    stays as it was, so that its player has no receipt of another."""
    server = Serving(tmp_path / "data")
    with server:
        seats = [
            Client(server.address, server.token).create_table("casino", table=f"t{number}", policy=LONG).sit("p", 1000)
            for number in range(4)
        ]
        seats[0].table.sit("q", 1000)
        seats[0].send("shoe")
        promise = {"hash": "ab" * 32, "shoe": "t0/1"}
        seats[0].send("hash", **promise, cut=77)
        place, answered, sent = SimpleNamespace(address=server.address, direct=False), {}, set()
        for killed in range(2):

            def work(number, killed=killed):
                seat = seats[number % len(seats)]
                for again in range(10_000):
                    key = 1_000_000 * killed + 10_000 * number + again
                    sent.add((seat, key))
                    try:
                        answered[seat, key] = pay(place, seat.token, key, table=seat.table.name).body
                    except (OSError, http.client.HTTPException):
                        return

            threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
            for thread in threads:
                thread.start()
            while sum(key >= 1_000_000 * killed for _, key in list(answered)) < 40:
                time.sleep(0.005)
            server.end()
            for thread in threads:
                thread.join()
            server.begin()
            with pytest.raises(Problem, match="you have cut; expected 77"):
                seats[0].send("hash", **promise, cut=88)
            for seat, key in sent:
                body = pay(place, seat.token, key, table=seat.table.name).body
                assert answered.setdefault((seat, key), body) == body
        for seat in seats:
            assert at(seat).state["chips"]["1"] == 1000 + sum(seat is other for other, _ in sent)
    assert main(["restore", "--check", "--data", str(tmp_path / "data")]) == 0
