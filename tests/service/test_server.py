"""Clients that are slow, broken, or too many: they are dropped, and tables play on."""

from __future__ import annotations

import select
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from fairshoe.service.bounds import Bounds

from .place import Place, at
from .test_outages import no_threads
from .wire import GET, Wire

POST = b"POST /v1/tables/t1/shoe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
QUICK = Bounds(head_seconds=0.3, body_seconds=0.3, write_seconds=0.3, idle_seconds=1)
MANY = 20
elsewhere = pytest.mark.skipif(sys.platform != "linux", reason="another address of this machine")


@pytest.fixture
def quick(tmp_path):
    """A service that waits for nobody."""
    yield from served(tmp_path, QUICK)


def served(tmp_path, bounds):
    place = Place(tmp_path / "data")
    place.bounds = bounds
    with place:
        yield place


def plays(place):
    """Whether a table plays a round."""
    seats = place.sealed()
    place.bet_and_finish(seats)
    assert place.of_kind("round")
    return True


# Slow ones.


def test_who_says_nothing_is_dropped(quick):
    wires = [Wire(quick) for _ in range(MANY)]
    assert plays(quick)
    assert all(wire.is_over() for wire in wires)


def test_who_sends_headers_without_end_is_dropped_however_often_a_byte_comes(quick):
    with Wire(quick) as wire:
        ended = threading.Event()

        def drip():
            try:
                while not ended.wait(0.05):
                    wire.send(b"x")
            except OSError:
                pass

        wire.send(b"GET / HTTP/1.1\r\nX-Slow: ")
        dripping = threading.Thread(target=drip)
        dripping.start()
        assert wire.is_over()
        ended.set()
        dripping.join()


def test_a_body_that_does_not_come_is_408(quick):
    wires = [Wire(quick).send(POST + b"Content-Length: 100\r\n\r\n{") for _ in range(MANY)]
    assert plays(quick)
    for wire in wires:
        assert wire.problem() == (408, "request-timeout")
        assert wire.is_over()


def test_a_body_without_an_end_is_413(place):
    with Wire(place) as wire:
        wire.send(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(17):
            wire.send(b"10000\r\n" + b" " * 65_536 + b"\r\n")
        assert wire.problem()[0] == 413


def test_who_does_not_read_the_log_takes_no_thread_and_is_dropped(quick):
    filled(quick, 60_000)
    wires = [Wire(quick, unread=4096).send(b"GET /v1/log HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(MANY)]
    assert plays(quick)
    with Wire(quick) as reader:
        status, _, body = reader.send(b"GET /v1/log HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").answer()
        assert (status, body.count(b"\n") > 60_000) == (200, True)
    for wire in wires:
        with wire:
            assert wire.is_over()


def filled(place, size):
    """A log of so many entries."""
    from fairshoe.log.canonical import encode
    from fairshoe.log.times import timestamp
    from fairshoe.record.entries import start_entry
    from fairshoe.service.store.journal import append, read_head

    now = place.clock.wall
    with place.house.database.writing() as connection:
        end = read_head(connection, hold=True)
        append(connection, end, [encode(start_entry(timestamp(now - size + n))) for n in range(size)], now)


def test_an_idle_connection_is_kept_for_a_while_and_then_closed(quick):
    with Wire(quick) as wire:
        for _ in range(3):
            assert wire.send(GET).answer()[0] == 200
        assert wire.is_over()


# Too many.


@pytest.fixture
def few(tmp_path):
    yield from served(tmp_path, Bounds(connections_by_address=3, exempt=()))


@elsewhere
def test_one_address_has_so_many_connections_and_others_theirs(few):
    few.operator.close()
    few.public.close()
    taken = [Wire(few, "127.0.0.9") for _ in range(3)]
    assert all(wire.send(GET).answer()[0] == 200 for wire in taken)
    with Wire(few, "127.0.0.9") as refused:
        assert refused.problem() == (429, "too-many-connections")
        assert refused.is_over()
    with Wire(few, "127.0.0.8") as other:
        assert other.send(GET).answer()[0] == 200
    for wire in taken:
        wire.socket.close()
    few.public.get("/")
    assert few.server.connections.refused == 1


@pytest.fixture
def narrow(tmp_path):
    yield from served(tmp_path, Bounds(connections=8))


def test_above_the_limit_the_connection_that_was_idle_for_longest_makes_room(narrow):
    wires = [Wire(narrow) for _ in range(30)]
    assert plays(narrow)
    assert wires[0].is_over()
    assert len(narrow.server.connections) <= 8


@pytest.fixture
def one_at_a_time(tmp_path):
    yield from served(tmp_path, Bounds(command_threads=1, commands_waiting=1))


def test_a_full_queue_is_503_at_once_and_reading_goes_on(one_at_a_time):
    place = one_at_a_time
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
        status, headers, _ = third.send(command).answer()
        assert (status, headers["retry-after"]) == (503, "1")
        assert third.send(GET).answer()[0] == 200
        assert third.send(look).answer()[0] == 200
        assert third.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").answer()[0::2] == (200, b"alive\n")
        release()
        assert [wire.answer()[0] for wire in (first, second)] == [401, 401]


@pytest.fixture
def shared(tmp_path):
    yield from served(tmp_path, Bounds(looking_by_address=2, exempt=()))


@elsewhere
def test_one_address_does_not_keep_others_from_looking(shared):
    place = shared
    place.casino(1)
    look = b"GET /v1/tables/t1 HTTP/1.1\r\nHost: x\r\n\r\n"
    held, lane = threading.Event(), place.server.workers.looks
    begun = [lane.submit(held.wait) for _ in range(lane.threads)]
    many = [Wire(place, "127.0.0.9").send(look) for _ in range(3)]
    other = Wire(place, "127.0.0.8").send(look)
    told = select.select([wire.socket for wire in many], [], [], 30)[0]
    refused = [wire for wire in many if wire.socket in told]
    assert [wire.problem() for wire in refused] == [(503, "busy")]
    held.set()
    assert all(each.result() for each in begun)
    assert [wire.answer()[0] for wire in (other, *many) if wire not in refused] == [200] * 3


# HTTP.


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


@pytest.mark.parametrize("method", [b"GET /v1/log/vkey", b"POST /v1/tables/t1/shoe"])
def test_expect_continue_is_answered(place, method):
    with Wire(place) as wire:
        wire.send(method + b" HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert wire.answer()[0] == 100
        assert wire.send(b"{}").answer()[0] in (200, 401)


def test_a_get_that_expects_something_and_has_no_body_is_answered(place):
    with Wire(place) as wire:
        wire.send(b"GET /v1/log/vkey HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n")
        found = wire.answer()[0]
        assert (wire.answer()[0] if found == 100 else found) == 200


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(place):
    with Wire(place) as wire:
        wire.send(POST + b"Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n")
        assert wire.problem()[0] == 413


def test_requests_one_after_the_other_without_waiting_are_answered_in_their_order(place):
    place.casino()
    with Wire(place) as wire:
        wire.send(GET + b"GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n" + GET)
        assert [wire.answer()[0] for _ in range(3)] == [200, 404, 200]


def test_something_broken_after_a_request_ends_the_connection(place):
    with Wire(place) as wire:
        wire.send(GET + b"\x00\x00 nonsense\r\n\r\n")
        assert wire.answer()[0] == 200
        assert wire.is_over()
    assert place.public.get("/")


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


# The end.


def test_who_asks_after_the_stop_is_answered_once_more_and_hung_up_on(place):
    """A connection that is kept, or that was made just then, would go on as long as its client asks."""
    with Wire(place) as kept, Wire(place) as made:
        assert "connection" not in kept.send(GET).answer()[1]
        place.server.connections.stop()
        for wire in (kept, made):
            status, headers, _ = wire.send(GET + GET).answer()
            assert (status, headers["connection"]) == (200, "close")
            assert wire.is_over()


def test_a_stop_finishes_what_was_accepted_and_drops_the_rest(tmp_path):
    place = Place(tmp_path / "data")
    place.bounds = replace(QUICK, body_seconds=600.0, head_seconds=600.0)
    with place:
        (alice,) = place.casino(1)
        silent, half = Wire(place), Wire(place).send(POST + b"Content-Length: 9\r\n\r\n{")
        with no_threads(place) as release, Wire(place) as wire:
            before = place.server.workers.commands.waiting
            wire.send(POST + f"Authorization: Bearer {alice.token}\r\nContent-Length: 0\r\n\r\n".encode())
            while place.server.workers.commands.waiting == before:
                pass
            stopping = threading.Thread(target=place.server.stop)
            stopping.start()
            assert half.is_over()
            release()
            status, headers, _ = wire.answer()
            assert (status, headers["connection"]) == (200, "close")
        stopping.join()
        assert silent.is_over()
    place.start()
    assert at(place.again(alice)).state["shoe"] is not None
    place.stop()


# Manners.


def test_a_later_head_has_no_more_time_than_the_first_one(tmp_path):
    """Whoever goes on sending a byte now and then is not idle."""
    place = Place(tmp_path / "data")
    place.bounds = replace(QUICK, idle_seconds=600)
    with place, Wire(place) as wire:
        assert wire.send(GET).answer()[0] == 200
        wire.send(b"GET / HTTP/1.1\r\nX-Slow: ")
        assert wire.is_over()


def test_the_beginning_of_a_head_behind_another_request_has_its_time_too(tmp_path):
    place = Place(tmp_path / "data")
    place.bounds = replace(QUICK, idle_seconds=600)
    with place, Wire(place) as wire:
        assert wire.send(GET + b"GET / HTTP/1.1\r\nX-Slow: ").answer()[0] == 200
        assert wire.is_over()


@pytest.mark.parametrize("version", [b"1.1", b"1.0"])
def test_a_request_with_two_ends_is_400_and_the_last_one(place, version):
    with Wire(place) as wire:
        length = b"Content-Length: 2\r\n" if version == b"1.1" else b""
        head = POST.replace(b"HTTP/1.1", b"HTTP/" + version) + length + b"Transfer-Encoding: chunked\r\n\r\n"
        wire.send(head + b"2\r\n{}\r\n0\r\n\r\n" + GET)
        status, headers, body = wire.answer()
        assert (status, headers["connection"]) == (400, "close")
        assert b"bad-request" in body
        assert wire.socket.recv(1) == b""


def test_who_would_rather_speak_another_protocol_is_answered_in_this_one(place):
    with Wire(place) as wire:
        wire.send(b"GET /v1/tables HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert wire.answer()[0] == 200


def test_too_few_open_files_are_told_before_anything_is_done(tmp_path):
    words = [sys.executable, "-m", "fairshoe", "serve", "--data", str(tmp_path / "data"), "--port", "0"]
    told = subprocess.run(["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", *words], capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (2, "")
    assert "open files" in told.stderr
    assert not (tmp_path / "data").exists()
