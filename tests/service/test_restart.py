"""Nothing that matters is kept in memory: a restart in any phase, and `kill -9` in the middle of a round."""

from __future__ import annotations

import os
import signal

import pytest

from fairshoe.client import Client, Seat, Table
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import write_log
from fairshoe.service.house import open_house
from fairshoe.service.server import HouseServer
from fairshoe.service.signing import KEPT_FILE
from tests.long.serving import Serving

from .place import at, step

pytestmark = pytest.mark.wire

LATER = {"at": 0, "deadlines": 0, "log": 0}
"""What a restart may change: time, deadlines, and the log, which says that the service started."""


def seat_again(seat, address):
    """The same token at the address of a restarted service."""
    table = Table(Client(address, seat.token), seat.table.name)
    return Seat(table, seat.book, table.state())


@pytest.mark.both
def test_a_commit_is_on_the_disk(place):
    with place.house.database.reading() as connection:
        if place.settings.database:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        else:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_two_services_share_one_directory(place):
    """No truth in a process: every other request goes to the other one."""
    with HouseServer(open_house(place.directory, place.clock.clock())) as other:
        table = place.operator.create_table("casino", table="t1")
        seats = [table.sit(f"p{i}", 1000) for i in range(2)]
        twins = [seat_again(seat, other.address) for seat in seats]
        seats[0].send("shoe")
        for _ in range(30):
            for seat, twin in zip(seats, twins, strict=True):
                step(seat)
                step(twin)
                assert at(seat).state | {"at": 0} == at(twin).state | {"at": 0}
                kept = checkpoint_of((place.directory / KEPT_FILE).read_text())
                assert kept.size == place.house.sequencer.log.size(), "neither writes an older one over a newer one"
    assert "round" in place.kinds()
    place.assert_clean()


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_kill_9_in_the_middle_of_a_round_goes_on_at_the_same_card(tmp_path):
    from audit_cli.verify import verify

    data = tmp_path / "data"
    server = Serving(data).begin()
    token = server.token
    table = Client(server.address, server.token).create_table("casino", table="t1")
    seats = [table.sit(f"p{i}", 1000) for i in range(2)]
    seats[0].send("shoe")
    killed = 0
    while killed < 3:
        for index in range(2):
            seat = seats[index]
            while at(seat).next() is not None:
                if seat.next()["do"] == "decisions" and killed < 3:
                    seat.decide(seat.next()["moves"][0]["move"], **insured(seat))
                    before = at(seat).state
                    server.end()
                    killed += 1
                    server.begin()
                    assert server.token == token, "no other is made"
                    seats = [seat_again(each, server.address) for each in seats]
                    seat = seats[index]
                    assert seat.state | LATER == before | LATER
                else:
                    step(seat)
    for _ in range(4):
        for seat in seats:
            step(seat)
    assert server.end(signal.SIGTERM) == 0
    sequencer = open_house(data).sequencer
    write_log(tmp_path / "log", sequencer.log.lines(0, sequencer.log.size()), sequencer.signer)
    report = verify(tmp_path / "log")
    assert not report.failed, report.findings
    assert report.rounds >= 1


def insured(seat):
    move = seat.next()["moves"][0]
    return {"amount": move["low"]} if "low" in move else {}
