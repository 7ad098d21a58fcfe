"""A table that moves by itself: events after each commit, and answers that wait for one."""

from __future__ import annotations

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest

from fairshoe.ceremony.acting.commands import BuyIn
from fairshoe.service.errors import StorageBusy
from fairshoe.service.replies import SentRequest
from fairshoe.service.settings import Settings
from fairshoe.service.tokens import SEAT
from fairshoe.serving import followers
from fairshoe.serving import server as serving

from .place import Place, at, step, wait_for
from .wire import Wire, call

pytestmark = pytest.mark.wire
MANY = 200
CHANGES = 12
PADDING = b":" + b"x" * (1 << 20) + b"\n\n"
"""More than any socket takes that nobody reads from."""


class Events:
    """One that follows a table."""

    def __init__(self, place, token=None, last=None, table="t1"):
        self._connection = http.client.HTTPConnection(urlsplit(place.address).netloc, timeout=60)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._connection.request(
            "GET", f"/v1/tables/{table}/events", headers=headers | ({"Last-Event-ID": last} if last else {})
        )
        self.answer = self._connection.getresponse()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def line(self):
        """The next line without its end; None where the stream is over."""
        line = self.answer.readline()
        return line.decode().removesuffix("\n") if line else None

    def next(self):
        """Id and state of the next event; None where no more come."""
        id = None
        while (line := self.line()) is not None:
            name, _, value = line.partition(": ")
            if name == "id":
                id = value
            elif name == "data":
                return id, json.loads(value)
        return None


def passing(state):
    return {name: value for name, value in state.items() if name not in ("at", "log")}


@pytest.mark.both
def test_an_event_after_each_commit_in_order_and_the_same_as_everybody_gets(place):
    seats = place.casino()
    with Events(place) as events:
        assert (events.answer.status, events.answer.headers["Content-Type"]) == (
            200,
            "text/event-stream; charset=utf-8",
        )
        assert events.answer.headers["X-Accel-Buffering"] == "no"
        ids, seen = [], events.next()
        for _ in range(6):
            for seat in seats:
                before = place.public.table("t1").state()
                assert passing(seen[1]) == passing(before)
                step(seat)
                if passing(place.public.table("t1").state()) != passing(before):
                    seen = events.next()
                    ids.append(int(seen[0]))
        assert len(ids) > 5
        assert ids == sorted(set(ids))
        assert "you" not in seen[1]


def test_a_seats_own_view_needs_its_token_and_ends_with_it(place):
    alice, bob = place.casino()
    with Events(place, alice.token) as mine, Events(place) as everybodys, Events(place, bob.token) as bobs:
        assert mine.next()[1]["you"]["player"] == "p1"
        assert bobs.next()[1]["you"]["player"] == "p2"
        everybodys.next()
        place.operator.post("/v1/tables/t1/seats/1/token", {"token_sha256": "0" * 64})
        bob.send("chips", op="buy-in", amount=5)
        assert bobs.next()[1]["you"]["player"] == "p2"
        assert "you" not in everybodys.next()[1]
        assert mine.next() is None
    for token, table, status in ((alice.token, "t1", 401), (bob.token, "t2", 404), (None, "t9", 404)):
        with Events(place, token, table=table) as refused:
            assert refused.answer.status == status


def test_who_comes_again_is_told_only_what_is_new_and_who_is_behind_the_whole(place):
    alice, _ = place.casino()
    with Events(place) as events:
        last, _ = events.next()
    with Events(place, last=last) as events:
        assert events.line() == ":"
        alice.send("chips", op="buy-in", amount=5)
        newer, state = events.next()
        assert (int(newer) > int(last), state["chips"]["1"]) == (True, 1005)
    for old in (last, "0", "no number"):
        with Events(place, last=old) as events:
            assert events.next()[0] == newer


def test_a_stream_with_nothing_to_say_says_so(place):
    place.casino()
    with patch.object(followers, "KEEP_ALIVE", 0.01), Events(place) as events:
        events.next()
        assert [events.line() for _ in range(5)] == ["", ":", "", ":", ""]


def test_an_answer_waits_for_a_change_and_is_304_without_one(place):
    alice, bob = place.casino()
    for token in (None, alice.token):
        path = "/v1/tables/t1?wait=60"
        first = call(place, "GET", path, token=token)
        assert first.status == 200
        tag = first.headers["ETag"]
        short = call(place, "GET", "/v1/tables/t1?wait=1", token=token, If_None_Match=tag)
        assert (short.status, short.body, short.headers["ETag"]) == (304, b"", tag)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(call, place, "GET", path, token=token, If_None_Match=tag)
            follows(place, 1)
            bob.send("chips", op="buy-in", amount=5)
            later = waiting.result()
        plain = call(place, "GET", "/v1/tables/t1", token=token)
        assert (later.status, later.json["chips"], later.headers["ETag"]) == (
            200,
            plain.json["chips"],
            plain.headers["ETag"],
        )
        assert passing(later.json) == passing(plain.json)
        assert {**later.headers, "x-request-id": "", "date": ""} == {**plain.headers, "x-request-id": "", "date": ""}
    assert call(place, "GET", "/v1/tables/t1?wait=61").status == 422


def paid(place, seat):
    sent = SentRequest(seat.token, (SEAT,), "t1", lambda *_: b"")
    return place.house.sequencer.act("t1", sent, BuyIn(1, 5))


def test_what_changes_before_the_wait_begins_is_not_missed(place):
    alice, _ = place.casino()
    tag = call(place, "GET", "/v1/tables/t1").headers["ETag"]
    followed = place.server.requests.following
    full = followed.full_limit

    def late(wish):
        """The answer is made, and nobody waits yet."""
        paid(place, alice)
        return full(wish)

    with patch.object(followed, "full_limit", late):
        answer = call(place, "GET", "/v1/tables/t1?wait=60", If_None_Match=tag)
    assert (answer.status, answer.json["chips"]["1"]) == (200, 1005)


def test_what_changes_while_it_is_looked_at_is_shown_too(place):
    alice, _ = place.casino()
    look, bought = place.house.sequencer.show_table, []

    def slowly(*asked):
        seen = look(*asked)
        if not bought:
            bought.append(paid(place, alice))
        return seen

    with Events(place) as events:
        events.next()
        with patch.object(place.house.sequencer, "show_table", slowly):
            alice.send("chips", op="buy-in", amount=5)
            while events.next()[1]["chips"]["1"] != 1010:
                pass


def test_what_cannot_be_shown_ends_the_stream_and_is_told_to_who_comes_again(place):
    alice, _ = place.casino()
    with Events(place) as events:
        events.next()
        with patch.object(place.house.sequencer, "show_table", side_effect=StorageBusy("the disk fails")):
            alice.send("chips", op="buy-in", amount=5)
            assert events.next() is None
            with Events(place) as again:
                assert again.answer.status == 503
    with Events(place) as again:
        assert again.next()[1]["chips"]["1"] == 1005


def test_who_asks_for_the_head_of_a_stream_gets_it_and_no_more(place):
    place.casino()
    answer = call(place, "HEAD", "/v1/tables/t1/events")
    assert (answer.status, answer.body) == (200, b"")


def follows(place, many):
    """Wait until so many follow."""
    following = place.server.requests.following
    wait_for(lambda: following.count == many)


def test_many_follow_one_table_and_each_is_told_by_one_look(place):
    alice, _ = place.casino()
    with ExitStack() as stack:
        streams = [stack.enter_context(Events(place)) for _ in range(MANY)]
        with Events(place, alice.token):
            follows(place, MANY + 1)
        follows(place, MANY)
        for events in streams:
            events.next()
        looks = []
        look = place.house.sequencer.show_table
        with patch.object(place.house.sequencer, "show_table", lambda *asked: looks.append(asked) or look(*asked)):
            alice.send("chips", op="buy-in", amount=5)
            told = [events.next() for events in streams]
        assert len({id for id, _ in told}) == 1
        assert [state["chips"]["1"] for _, state in told] == [1005] * MANY
        assert looks == [("t1", [None])]
    follows(place, 0)


def test_who_does_not_read_holds_nobody_up_and_sees_the_newest_when_they_do(place):
    alice, _ = place.casino()
    followed = place.server.requests.following
    show = followed._show

    async def large(*asked):
        shown = await show(*asked)
        return {view: each._replace(event=each.event + PADDING) for view, each in shown.items()}

    with Wire(place, unread=1 << 16) as slow, Events(place) as events, patch.object(followed, "_show", large):
        slow.send(b"GET /v1/tables/t1/events HTTP/1.1\r\nHost: x\r\n\r\n")
        follows(place, 2)
        events.next()
        for _ in range(CHANGES):
            alice.send("chips", op="buy-in", amount=1)
            state = events.next()[1]
        newest, data = f'"1": {state["chips"]["1"]}'.encode(), b""
        while newest not in data:
            data += slow.socket.recv(1 << 20)
        assert 0 < data.count(b"\nid: ") < CHANGES


def test_only_so_many_follow(tmp_path):
    settings = Settings(followers=2, followers_by_address=1)
    with Place(tmp_path / "data", settings) as place:
        place.casino()
        with Events(place), Events(place):
            with Events(place) as refused:
                assert (refused.answer.status, refused.answer.headers["Retry-After"]) == (503, "1")
                assert "too many follow tables" in json.loads(refused.answer.read())["detail"]
            tag = call(place, "GET", "/v1/tables/t1").headers["ETag"]
            assert call(place, "GET", "/v1/tables/t1", If_None_Match=tag).status == 304
            assert call(place, "GET", "/v1/tables/t1?wait=60", If_None_Match=tag).status == 503


def test_one_address_follows_only_so_often(tmp_path):
    settings = Settings(followers_by_address=1, trusted_proxies=("127.0.0.1",))
    with Place(tmp_path / "data", settings) as place:
        place.casino()
        tag = call(place, "GET", "/v1/tables/t1").headers["ETag"]
        with Wire(place) as first:
            first.send(b"GET /v1/tables/t1/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
            follows(place, 1)
            path, asked = "/v1/tables/t1?wait=60", {"If_None_Match": tag}
            refused = call(place, "GET", path, **asked, X_Forwarded_For="192.0.2.1")
            assert (refused.status, refused.headers["Retry-After"]) == (429, "5")
            assert call(place, "GET", "/v1/tables/t1?wait=1", **asked, X_Forwarded_For="192.0.2.2").status == 304


def test_the_end_of_the_service_is_the_end_of_its_streams_and_waits(tmp_path):
    place = Place(tmp_path / "data")
    place.start()
    place.casino()
    tag = call(place, "GET", "/v1/tables/t1").headers["ETag"]
    with Events(place) as events, ThreadPoolExecutor(1) as pool:
        events.next()
        waiting = pool.submit(call, place, "GET", "/v1/tables/t1?wait=60", If_None_Match=tag)
        follows(place, 2)
        place.stop()
        assert events.next() is None
        assert waiting.result().status == 304


def test_a_limit_that_runs_out_is_an_event(place):
    (alice,) = place.casino(1)
    alice.send("shoe")
    with Events(place) as events:
        assert events.next()[1]["phase"] == "hash"
        place.clock.forward(3600)
        assert events.next()[1]["phase"] != "hash"
    assert at(alice).state["shoe"] is None


def test_a_follower_that_never_reads_is_closed_and_others_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "UNREAD_SECONDS", 1)
    with Place(tmp_path / "data") as place:
        (alice,) = place.casino(1)
        followers, end = place.server.requests.following, time.monotonic() + 120
        with Wire(place, unread=2048) as mute, Events(place) as reader:
            mute.send(b"GET /v1/tables/t1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            follows(place, 2)
            while followers.count > 1 and time.monotonic() < end:
                alice.send("chips", op="buy-in", amount=1)
                assert reader.next() is not None
                time.sleep(0.1)
            assert followers.count == 1


def test_a_stream_ends_after_a_while_and_its_client_begins_another(place, monkeypatch):
    """Whoever never reads, and gets little, cannot be told from a reader: it does not come again."""
    place.casino(1)
    with Events(place) as events:
        last, _ = events.next()
    monkeypatch.setattr(followers, "STREAM_SECONDS", 0.2)
    monkeypatch.setattr(followers, "KEEP_ALIVE", 0.1)
    with Events(place, last=last) as events:
        assert events.next() is None
    with Events(place, last=last) as events:
        assert events.answer.status == 200
