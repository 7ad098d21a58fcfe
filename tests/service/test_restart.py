"""Nothing that matters is kept in memory. A restart in any phase: test_any_order.py; `kill -9`: test_turns.py."""

from __future__ import annotations

import pytest

from fairshoe.client import Client, RemoteTable, Seat
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.service.house import open_house
from fairshoe.service.server import HouseServer
from fairshoe.service.signing import KEPT_FILE

from .place import at, step

pytestmark = pytest.mark.wire


def seat_again(seat, address):
    """The same token at the address of a restarted service."""
    table = RemoteTable(Client(address, seat.token), seat.table.name)
    return Seat(table, seat.book, table.state())


@pytest.mark.both
def test_a_commit_is_on_the_disk(place):
    with place.house.database.begin_read() as connection:
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
