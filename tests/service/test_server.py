"""HTTP as the service speaks it: full queues, long answers, odd requests, and the end."""

from __future__ import annotations

import threading

import pytest

from fairshoe.log.canonical import encode
from fairshoe.service import server
from fairshoe.service.settings import Settings
from fairshoe.service.store.journal import read_head

from .place import Place, at
from .test_outages import no_threads
from .wire import GET, Wire

pytestmark = pytest.mark.wire

POST = b"POST /v1/tables/t1/shoe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
MANY = 20


def plays(place):
    """Whether a table plays a round."""
    seats = place.sealed()
    place.bet_and_finish(seats)
    assert place.of_kind("round")
    return True


def filled(place, size):
    """A log of so many entries of a thousand bytes each: more than a socket's buffers take."""
    with place.house.database.begin_write() as connection:
        end = read_head(connection, hold=True)
        end.append([encode({"kind": "none", "fill": 1_000 * "x"})] * size, place.clock.wall)
        end.write(connection)


def test_who_does_not_read_the_log_takes_no_thread(place):
    filled(place, 6_000)
    wires = [Wire(place, unread=4096).send(b"GET /v1/log HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(MANY)]
    assert plays(place)
    with Wire(place) as reader:
        status, _, body = reader.send(b"GET /v1/log HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").answer()
        assert (status, body.count(b"\n") > 6_000) == (200, True)
    for wire in wires:
        wire.socket.close()


def test_who_does_not_send_a_body_takes_no_thread(place):
    wires = [Wire(place).send(POST + b"Content-Length: 100\r\n\r\n{") for _ in range(MANY)]
    assert plays(place)
    for wire in wires:
        wire.socket.close()


def test_a_full_queue_is_503_at_once_and_reading_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "COMMAND_THREADS", 1)
    with Place(tmp_path / "data", Settings(queue=1)) as place:
        place.casino()
        command = b"POST /v1/tables/t1/shoe HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        look = b"GET /v1/tables/t1 HTTP/1.1\r\nHost: x\r\n\r\n"
        with no_threads(place) as release, Wire(place) as first, Wire(place) as second, Wire(place) as third:
            waiting = place.server.workers.commands
            for wire in (first, second):
                before = waiting.waiting
                wire.send(command)
                while waiting.waiting == before:
                    pass
            status, headers, body = third.send(command).answer()
            assert (status, headers["retry-after"], b"#busy" in body) == (503, "1", True)
            assert third.send(GET).answer()[0] == 200
            assert third.send(look).answer()[0] == 200
            assert third.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").answer()[0::2] == (200, b"alive\n")
            release()
            assert [wire.answer()[0] for wire in (first, second)] == [401, 401]


def test_head_has_the_headers_of_get_and_no_body(place):
    place.casino()
    for path in ("/", "/v1/tables/t1", "/v1/log", "/checkpoint", "/healthz"):
        with Wire(place) as wire:
            wire.send(f"HEAD {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            received = b""
            while part := wire.socket.recv(1 << 16):
                received += part
        head, _, body = received.partition(b"\r\n\r\n")
        assert (head.split()[1], body) == (b"200", b"")
        assert b"content-length: " in head.lower()


def test_a_header_with_an_underscore_is_none(place):
    (alice,) = place.casino(1)
    with Wire(place) as wire:
        wire.send(POST + f"Authorization_: Bearer {alice.token}\r\nContent-Length: 0\r\n\r\n".encode())
        assert wire.problem()[0] == 401


def test_each_answer_has_the_id_of_its_request(place):
    with Wire(place) as wire:
        given = b"GET /v1/nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: my-request-1\r\n\r\n"
        assert wire.send(given).answer()[1]["x-request-id"] == "my-request-1"
        made = [wire.send(GET).answer()[1]["x-request-id"] for _ in range(2)]
        odd = wire.send(given.replace(b"my-request-1", b"a b<c>")).answer()[1]["x-request-id"]
    assert len({*made, odd, "a b<c>"}) == 4


def test_a_stop_finishes_what_was_accepted(tmp_path):
    with Place(tmp_path / "data") as place:
        (alice,) = place.casino(1)
        silent = Wire(place)
        with no_threads(place) as release, Wire(place) as wire:
            before = place.server.workers.commands.waiting
            wire.send(POST + f"Authorization: Bearer {alice.token}\r\nContent-Length: 0\r\n\r\n".encode())
            while place.server.workers.commands.waiting == before:
                pass
            stopping = threading.Thread(target=place.server.stop)
            stopping.start()
            assert silent.is_over()
            release()
            assert wire.answer()[0] == 200
            assert wire.is_over()
        stopping.join()
    place.start()
    assert at(place.again(alice)).state["shoe"] is not None
    place.stop()


def test_a_stop_does_not_wait_for_ever_for_a_body(tmp_path):
    with Place(tmp_path / "data", Settings(stop_seconds=0)) as place:
        place.casino(1)
        half = Wire(place).send(POST + b"Content-Length: 9\r\n\r\n{")
        place.server.stop()
        assert half.is_over()


@pytest.mark.parametrize(
    ("line", "length", "first"),
    [
        ("POST /v1/nowhere", 2 << 30, 404),
        ("POST /v1/nowhere", 2, 404),
        ("PUT /v1/tables", 2, 405),
        ("POST /v1/tables", 2 << 30, 413),
        ("GET /v1/log/vkey", 2 << 30, 200),
        ("POST /v1/tables", 2, 100),
    ],
)
def test_a_body_is_asked_for_only_where_it_may_be_sent(place, line, length, first):
    with Wire(place) as wire:
        head = f"Host: x\r\nAuthorization: Bearer {place.token}\r\nExpect: 100-continue\r\nContent-Length: {length}"
        status, headers, _ = wire.send(f"{line} HTTP/1.1\r\n{head}\r\n\r\n".encode()).answer()
        assert (status, headers.get("connection")) == (first, None if first == 100 else "close")
        if first != 100:
            assert wire.is_over()
            return
        assert wire.send(b"{}").answer()[0] == 415
        assert wire.send(GET).answer()[0] == 200


@pytest.mark.parametrize("path", ["/v1/tables", "/v1/nowhere"])
def test_nothing_more_is_read_after_a_request_with_two_lengths(place, path):
    """Another one may lie in its body: RFC 9112, 6.1."""
    with Wire(place) as wire:
        sent = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        status, headers, _ = wire.send(sent.encode() + GET).answer()
        assert (status >= 400, headers["connection"]) == (True, "close")
        assert wire._rest + wire.socket.recv(1 << 16) == b""
