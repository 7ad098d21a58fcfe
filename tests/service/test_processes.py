"""Several processes of one house on a real PostgreSQL: one leads, and the others hand commands on to it."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress

import pytest

from audit_cli.verify.run import verify
from fairshoe.cli import main
from fairshoe.client import Client, Problem, RemoteTable, Seat
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import Tree
from fairshoe.service.api.context import body_of
from fairshoe.service.errors import StorageBusy
from fairshoe.service.forwarding import CommandForwarder, ForwardedCommand
from fairshoe.service.replies import Reply, SentRequest
from fairshoe.service.signing import KEPT_FILE
from fairshoe.service.store.database import Database
from fairshoe.service.store.forwarded import make_shared
from fairshoe.service.store.postgresql import CONNECTIONS
from fairshoe.service.store.statements import driver_of, pipeline
from fairshoe.service.vault import MASTER_FILE, Vault
from tests.long.serving import Serving
from tests.postgresql import USER

pytestmark = pytest.mark.wire

SECONDS = 120
"""After which nobody waits any more for something to happen."""


@contextmanager
def several(tmp_path, postgresql, count):
    """So many processes, the first of which leads; the last is on another machine, as far as directories tell."""
    url = postgresql.database()
    with ExitStack() as stack:
        first = stack.enter_context(Serving(tmp_path / "here", "--database", url))
        (tmp_path / "there").mkdir(mode=0o700)
        for name in (MASTER_FILE, KEPT_FILE):
            shutil.copy(tmp_path / "here" / name, tmp_path / "there")
        places = ["here"] * (count - 2) + ["there"]
        yield [first, *(stack.enter_context(Serving(tmp_path / place, "--database", url)) for place in places)]


def at(seat, server):
    """The same seat at another process."""
    table = RemoteTable(Client(server.address, seat.token), seat.table.name)
    return Seat(table, seat.book, table.state())


def assert_clean(server, folder):
    assert main(["pull", server.address, str(folder)]) == 0
    report = verify(folder)
    assert not report.failed
    return report


def test_a_start_waits_for_the_database(tmp_path, postgresql, capfd):
    serving = Serving(tmp_path, "--database", postgresql.database())
    postgresql.end(signal.SIGINT)
    with ThreadPoolExecutor(1) as pool:
        try:
            started, said, end = pool.submit(serving.begin), "", time.monotonic() + SECONDS
            while "waiting for the database" not in said and time.monotonic() < end:
                time.sleep(0.05)
                said += capfd.readouterr().err
            assert "nothing answers there" in said
            assert not started.done()
        finally:
            postgresql.begin()
        started.result()
    Client(serving.address, serving.token).create_table("casino")
    assert serving.end(signal.SIGTERM) == 0


@pytest.mark.parametrize(("right", "wrong"), [("?host=", "_none?host="), (f"//{USER}@", "//nobody@")])
def test_a_start_that_the_database_refuses_ends_at_once(tmp_path, postgresql, capsys, right, wrong):
    url = postgresql.database().replace(right, wrong)
    assert main(["serve", "--database", url, "--data", str(tmp_path), "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert "does not exist" in said
    assert "waiting" not in said


def test_commands_are_handed_on_and_another_leads_after_a_kill(tmp_path, postgresql):
    with several(tmp_path, postgresql, 3) as (first, second, third):
        table = Client(second.address, first.token).create_table("casino", table="t1")
        alice = Client(second.address).table("t1").sit("alice", 1000, book=tmp_path / "alice")
        bob = Client(third.address).table("t1").sit("bob", 1000)
        over = threading.Event()

        def play():
            while not over.is_set():
                with suppress(Problem):  # alice was first
                    if not bob.step():
                        bob.wait()

        playing = threading.Thread(target=play)
        playing.start()
        try:
            assert alice.play(2) >= 2
            first.end(signal.SIGKILL)
            alice.play(2)
            first.begin()
            second.end(signal.SIGKILL)
            rounds = at(alice, third).play(2)
        finally:
            over.set()
            playing.join(SECONDS)
        assert not playing.is_alive()
        assert rounds >= 6
        assert table.name == "t1"
        report = assert_clean(third, tmp_path / "log")
        assert report.rounds >= 6


def test_a_leader_that_stopped_is_replaced_and_refused_when_it_wakes(tmp_path, postgresql):
    with several(tmp_path, postgresql, 2) as (first, second):
        Client(first.address, first.token).create_table("casino", table="t1")
        alice = Client(first.address).table("t1").sit("alice", 1000)
        first.process.send_signal(signal.SIGSTOP)
        try:
            there = at(alice, second)
            there.send("chips", op="buy-in", amount=5)
        finally:
            first.process.send_signal(signal.SIGCONT)
        assert alice.send("chips", op="buy-in", amount=7)["chips"]["1"] == 1012
        assert there.refresh()["chips"]["1"] == 1012
        assert_clean(first, tmp_path / "log")


@pytest.mark.parametrize("within", [True, False])
def test_who_stops_while_it_writes_keeps_nobody_from_writing(tmp_path, postgresql, within):
    """Within statements that go together, or after them."""
    url = postgresql.database()
    with Serving(tmp_path, "--database", url) as server:
        database = Database(url)

        def stop():
            with database.begin_write() as connection, ExitStack() as together:
                together.enter_context(pipeline(connection))
                driver_of(connection).execute("SELECT 1")
                if not within:
                    together.close()
                Client(server.address, server.token).create_table("casino", table="t1")

        with pytest.raises(StorageBusy):
            stop()
        database.close()
        assert Client(server.address).table("t1").state()["phase"] == "idle"


@pytest.mark.parametrize("way", ["begin_read", "begin_write", "begin_autocommit"])
def test_connections_that_were_lost_take_nobodys_place(postgresql, way):
    database = Database(postgresql.database())
    for _ in range(2 * CONNECTIONS):
        with suppress(StorageBusy), getattr(database, way)() as connection:
            driver_of(connection).execute("SELECT pg_terminate_backend(pg_backend_pid())")
    with getattr(database, way)() as connection:
        assert driver_of(connection).execute("SELECT 1").fetchone() == (1,)
    database.close()


def test_why_a_database_is_away_is_for_the_operator_alone(postgresql):
    """Whoever asks is told `what`, and not at which address who was not let in."""
    database = Database(postgresql.database() + "-none")
    with pytest.raises(StorageBusy, match=r"No such file.*--database names") as told, database.begin_read():
        pass
    assert told.value.what == "the database is away"
    database.close()


def test_followers_at_any_process_hear_of_a_change(tmp_path, postgresql):
    with several(tmp_path, postgresql, 2) as (first, second):
        Client(first.address, first.token).create_table("casino", table="t1")
        alice = Client(first.address).table("t1").sit("alice", 1000)
        elsewhere = Client(second.address).table("t1")
        assert elsewhere.newer()["chips"]["1"] == 1000
        seen = []
        waiting = threading.Thread(target=lambda: seen.append(elsewhere.newer()))
        waiting.start()
        time.sleep(0.3)
        alice.send("chips", op="buy-in", amount=5)
        waiting.join(SECONDS)
        assert seen[0]["chips"]["1"] == 1005


def test_what_waits_in_a_process_is_handed_on_together_and_each_has_its_own_answer(postgresql):
    database, vault, sizes = Database(postgresql.database()), Vault(bytes(32)), []
    with database.begin_write() as connection:
        make_shared(connection)
    asking, leading, head = (
        CommandForwarder(database, vault),
        CommandForwarder(database, vault),
        Checkpoint("house", 0, Tree().root),
    )

    def answered(number):
        return KeyError(lambda: "no process but this one knows it") if number == 5 else Reply(200, b"%d" % number)

    def hand_on(number):
        return asking.hand_on(ForwardedCommand("act", SentRequest(None, (), None, body_of), (number,)))

    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(hand_on, 0)]
        while not leading.asked():
            time.sleep(0.01)
        waiting += [pool.submit(hand_on, number) for number in range(1, 8)]
        while len(asking._turns._waiting) < 8:
            time.sleep(0.01)
        while not all(each.done() for each in waiting):
            with database.begin_write() as connection:
                parcels = leading.take(connection)
                sizes += [len(orders) for _, orders in parcels]
                answers = [(boxed, [answered(*order.more) for order in orders]) for boxed, orders in parcels]
                leading.answer(connection, head, answers)
            for id, (covering, told) in asking.fetch():
                assert covering == head
                asking.tell(id, told)
    assert sizes == [1, 7]
    assert not asking.waits
    for number, each in enumerate(waiting):
        assert isinstance(each.result(), RuntimeError) if number == 5 else each.result() == Reply(200, b"%d" % number)
    database.close()
