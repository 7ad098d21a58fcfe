"""The service under test: a data directory, a clock, a server that can be stopped and started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_cli.verify import verify
from fairshoe.client import Client, Problem
from fairshoe.log.directory import write_log
from fairshoe.service.house import open_house
from fairshoe.service.server import Server

START = 1_800_000_000_000


class Clock:
    """Milliseconds since 1970, as the tests want them."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def forward(self, seconds):
        self.now += int(1000 * seconds)


class Place:
    def __init__(self, directory: Path):
        self.directory = directory
        self.clock = Clock()
        self.token = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.house = open_house(self.directory, self.clock)
        self.token = self.house.token or self.token
        self.server = Server(self.house)
        self.server.__enter__()
        self.address = self.server.address
        self.operator = Client(self.address, self.token)
        self.public = Client(self.address)

    def stop(self):
        self.operator.close()
        self.public.close()
        self.server.stop()

    def restart(self):
        self.stop()
        self.start()

    def entries(self, start=0):
        return [json.loads(line) for line in self.public.log(start)]

    def kinds(self, start=0):
        return [entry["kind"] for entry in self.entries(start)]

    def audit(self):
        """The auditor's report on the log as it is served now."""
        log = self.directory / "audited"
        write_log(log, self.public.log(), self.house.sequencer.signer)
        return verify(log)

    def assert_clean(self):
        report = self.audit()
        assert not report.failed, report.findings
        return report

    # Tables in a given phase.

    def casino(self, players=2, chips=1000, name="t1", **fields):
        """A casino table with players, and no shoe."""
        table = self.operator.create_table("casino", table=name, **fields)
        return [table.sit(f"p{i + 1}", chips) for i in range(players)]

    def sealed(self, players=2, **fields):
        """A casino table whose shoe is sealed, with everybody's seed."""
        seats = self.casino(players, **fields)
        self.make_shoe(seats)
        return seats

    def make_shoe(self, seats):
        seats[0].send("shoe")
        for _ in range(2):
            for seat in seats:
                at(seat).contribute()

    def playing(self, players=2, **fields):
        """A casino table in the middle of a round that waits for a decision; returns seats and whose turn it is."""
        seats = self.sealed(players, **fields)
        return seats, self.deal_until_asked(seats)

    def deal_until_asked(self, seats, amount=10):
        while True:
            for seat in seats:
                at(seat).bet(amount)
            if (turn := self.turn(seats)) is not None:
                return turn

    def turn(self, seats):
        """The seat that may decide in the open round."""
        return next((seat for seat in seats if (at(seat).next() or {}).get("do") == "decisions"), None)

    def finish(self, seats):
        """Stand until the round is over."""
        while (turn := self.turn(seats)) is not None:
            decline = any(move["move"] == "decline" for move in turn.next()["moves"])
            turn.decide("decline" if decline else "stand")


def at(seat):
    seat.refresh()
    return seat


def refusal(call, *args, **fields):
    """The problem that a call is refused with."""
    with pytest.raises(Problem) as caught:
        call(*args, **fields)
    body = caught.value.body
    assert body["status"] == caught.value.status
    assert body["type"].startswith("/docs#")
    assert body["title"]
    assert body["detail"]
    return body
