"""A service behind a real nginx, configured as docs/deploy/nginx.conf says."""

from __future__ import annotations

import resource
import socket
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import urllib3

from fairshoe.client import Client
from fairshoe.commands._demo import BUY_IN, Bot
from tests.long.flood import before
from tests.long.serving import Serving

from .test_following import Events

ADDRESSES, OF_EACH = 50, 100
FEW = 40
ROUNDS = 5


@pytest.fixture
def behind(tmp_path):
    """The service, and its address through nginx."""
    with Serving(tmp_path / "data", "--trusted-proxy", "127.0.0.1") as serving, before(serving.address, tmp_path) as at:
        yield serving, at


def idle(stack, place, address):
    """A connection from one of this machine's addresses on which nothing is ever said."""
    one = stack.enter_context(socket.socket())
    one.bind((address, 0))
    one.connect(place)


def test_idle_connections_from_many_addresses_do_not_reach_the_service(behind):
    serving, proxy = behind
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    url = urlsplit(proxy)
    with ExitStack() as stack:
        for number in range(ADDRESSES * OF_EACH):
            idle(stack, (url.hostname, url.port), f"127.0.1.{1 + number % ADDRESSES}")
        bot = Bot(Client(proxy, serving.token).create_table("casino", table="t1").sit("alice", BUY_IN))
        while bot.act(ROUNDS):
            pass
        opened = list(Path(f"/proc/{serving.process.pid}/fd").iterdir())
    assert bot.seat.state["rounds"] == ROUNDS
    assert "by" not in str(bot.seat.state["last"]["decisions"])
    assert len(opened) < FEW


def test_events_pass_through_as_they_happen(behind):
    serving, proxy = behind
    seat = Client(proxy, serving.token).create_table("casino", table="t1").sit("alice", BUY_IN)
    with Events(SimpleNamespace(address=proxy)) as events:
        assert events.next()[1]["chips"]["1"] == BUY_IN
        for times in (2, 3):
            seat.send("chips", op="buy-in", amount=BUY_IN)
            assert events.next()[1]["chips"]["1"] == times * BUY_IN


def test_clients_are_told_to_wait_while_the_service_is_away(behind):
    serving, proxy = behind
    serving.end()
    answer = urllib3.request("GET", f"{proxy}/v1/tables", retries=False)
    assert (answer.status, answer.headers["Retry-After"], answer.json()["status"]) == (503, "1", 503)
