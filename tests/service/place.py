"""The service under test: a data directory, a clock, a server that can be stopped and started."""

from __future__ import annotations

import hashlib
import io
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

import pytest
import urllib3
from werkzeug.routing import Rule
from werkzeug.test import Client as Asking

from fairshoe.client import Client, Problem
from fairshoe.connection import Connection
from fairshoe.log.directory import write_log
from fairshoe.log.times import SECOND
from fairshoe.service.clock import HouseClock, Outages
from fairshoe.service.house import open_house
from fairshoe.service.server import HouseServer
from fairshoe.service.settings import Settings
from tests.verifier.readings import reading, second_readings

START = 1_800_000_000 * SECOND


def sitting(player, amount, token="", **more):
    """The body of a request for a chair, by this token or a fresh one."""
    digest = hashlib.sha256((token or secrets.token_hex()).encode()).hexdigest()
    return {"player": player, "amount": amount, "token_sha256": digest, **more}


_builders: dict[tuple[str, bool], Callable[..., tuple[str, str]]] = {}
_compile_builder = Rule._compile_builder


def _compile_builder_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """What werkzeug compiles of a route takes half of a house's start, and is the same for every house."""
    key = rule.rule, append_unknown
    if key not in _builders:
        _builders[key] = _compile_builder(rule, append_unknown)
    return _builders[key]


Rule._compile_builder = _compile_builder_once


class Moments:
    """The machine's two clocks in microseconds: time passes on both, and only the wall clock can be set."""

    def __init__(self):
        self._now = START, 0, 0

    wall = property(lambda self: self._now[0])
    steady = property(lambda self: self._now[1])
    answering = property(lambda self: self._now[2])
    """What the service goes by when it looks whether commands are answered: it stands still."""

    def _pass(self, *seconds):
        """All at once: threads of the house look at any time."""
        self._now = tuple(moment + int(SECOND * more) for moment, more in zip(self._now, seconds, strict=True))

    def forward(self, seconds):
        self._pass(seconds, seconds, 0)

    def leave_unanswered(self, seconds, passed=0):
        """No command is answered for so many seconds, in which `passed` pass on both clocks."""
        self._pass(passed, passed, seconds)

    def set_wall(self, seconds):
        """The wall clock is set forward or, below zero, back; no time passes."""
        self._pass(seconds, 0, 0)

    def clock(self):
        return HouseClock(lambda: self.wall, lambda: self.steady)


class Place:
    """`direct`: its clients ask the application itself, and no server runs."""

    def __init__(self, directory: Path, settings: Settings | None = None, *, direct: bool = False):
        self.directory = directory
        self.settings = settings or Settings()
        self.direct = direct
        self.clock = Moments()
        self.token = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self, *, clock_is_right=False, port=0):
        self.house = open_house(self.directory, self.clock.clock(), settings=self.settings)
        self.token = self.house.token or self.token
        outages = Outages(self.house.sequencer.transactions.outages.clock, lambda: self.clock.answering)
        self.house.sequencer.transactions.outages = outages
        self.server = HouseServer(self.house, port=port, clock_is_right=clock_is_right)
        self.address = self.server.address
        self.application = self.server._uvicorn.config.app.application
        self._way = answered_by(self.application, self.address) if self.direct else self.server
        self._way.__enter__()
        self.operator = Client(self.address, self.token)
        self.public = Client(self.address)

    def stop(self):
        self.operator.close()
        self.public.close()
        self._way.__exit__(None, None, None)
        if self.direct:
            self.server.workers.close()
            self.server.loop.close()
            self.server._socket.close()
            self.house.close()

    def restart(self, **how):
        self.stop()
        self.start(**how)

    def again(self, seat, address=None):
        """The seat, with its token and its seeds, at the address of a restarted service."""
        table = Client(address or self.address, seat.token).table(seat.table.name)
        return type(seat)(table, seat.book, table.state())

    def entries(self, start=0):
        """The log's, as the house has them."""
        sequencer = self.house.sequencer
        return [json.loads(line) for line in sequencer.log.lines(start, sequencer.log.size())]

    def of_kind(self, kind):
        return [entry for entry in self.entries() if entry["kind"] == kind]

    def kinds(self, start=0):
        return [entry["kind"] for entry in self.entries(start)]

    def last(self):
        """The last entry's kind, with why a shoe ended."""
        entry = self.entries()[-1]
        return (entry["kind"], entry["why"]) if "why" in entry else entry["kind"]

    def audit(self):
        """The auditor's report on the log as it is served now."""
        from audit_cli.verify.run import verify

        log = self.directory / "audited"
        write_log(log, self.public.log(), self.house.sequencer.signer)
        return verify(log)

    def assert_clean(self):
        report = self.audit()
        assert not report.failed, report.findings
        return report

    def assert_both_pass(self):
        """The second reading passes the log, too."""
        report = self.assert_clean()
        (second,) = second_readings([self.directory / "audited" / "log.jsonl"])
        assert second == reading("pass")
        return report

    # Tables in a given phase.

    def sit(self, rules, players, chips=1000, name="t1", **fields):
        """A table with players, and no shoe; the newest chair is the last."""
        table = self.operator.create_table(rules, table=name, **fields)
        seats = []
        for i in range(players):
            seats.append(table.sit(f"p{i + 1}", 10_000 if rules == "lounge" else chips))
        return seats

    def casino(self, players=2, chips=1000, name="t1", **fields):
        return self.sit("casino", players, chips, name, **fields)

    def sealed(self, players=2, **fields):
        """A casino table whose shoe is sealed, with everybody's seed."""
        seats = self.casino(players, **fields)
        self.make_shoe(seats)
        return seats

    def make_shoe(self, seats):
        seats[0].send("shoe")
        self.contribute(seats)

    def contribute(self, seats):
        """Hashes and seeds, until no more is waited for."""
        while any(at(seat).contribute() for seat in seats):
            pass

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
        """By default until the round is over."""
        while (turn := self.turn(seats)) is not None:
            default(turn)

    def bet_and_finish(self, seats, amount=10):
        """A whole round."""
        for seat in seats:
            at(seat).bet(amount)
        self.contribute(seats)
        self.finish(seats)


# Clients that ask the application itself, where it matters what it answers and not how it is reached.

_APPLICATIONS: dict[str, WSGIApplication] = {}
_of_sockets = Connection._make_pool


class Pool:
    """In the place of urllib3's, for one application: the same requests and answers, without a socket."""

    def __init__(self, application: WSGIApplication) -> None:
        self._client = Asking(application)

    def request(
        self, method: str, url: str, *, body: bytes | None, headers: Mapping[str, str], **_: Any
    ) -> urllib3.BaseHTTPResponse:
        parts = urlsplit(url)
        told = self._client.open(
            parts.path,
            method=method,
            query_string=parts.query,
            headers=headers,
            data=body,
            base_url=f"http://{parts.netloc}",
            environ_base={"REMOTE_ADDR": "127.0.0.1"},
        )
        return urllib3.HTTPResponse(
            io.BytesIO(told.get_data()), list(told.headers), told.status_code, preload_content=False
        )

    def clear(self) -> None:
        """It keeps no connection."""


def _make_pool(connection: Connection, ca: Path | None) -> Any:
    application = _APPLICATIONS.get(str(connection.address))
    return _of_sockets(connection, ca) if application is None else Pool(application)


@contextmanager
def answered_by(application: WSGIApplication, address: str) -> Iterator[None]:
    """Clients of this address that are made meanwhile ask the application."""
    _APPLICATIONS[address] = application
    try:
        with patch.object(Connection, "_make_pool", _make_pool):
            yield
    finally:
        del _APPLICATIONS[address]


def wait_for(done: Callable[[], object], seconds: float = 120) -> None:
    """Wait until another thread or process has done something."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.005)


# What seats do.


def at(seat):
    seat.refresh()
    return seat


def default(seat):
    """Choose what the table would at the time limit."""
    return seat.decide(**seat.next()["default"])


def step(seat):
    """Do the first thing that is expected of the seat, some way; gives whether there was any."""
    wanted = at(seat).next()
    if wanted is None or wanted["do"] in ("hash", "seed"):
        return seat.contribute(waive=True)
    if wanted["do"] == "bets":
        seat.bet(wanted["low"])
    elif wanted["do"] == "shoe":
        seat.send("shoe")
    else:
        default(seat)
    return True


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
