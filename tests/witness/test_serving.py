"""A witness on a socket: what is broken, too large or too slow never reaches it, and a signal ends it in order."""

from __future__ import annotations

import signal
import socket

import pytest

from audit_cli.evidence.private_keys import new_witness
from audit_cli.witness.server import listening
from audit_cli.witness.submission import MOST_BODY
from fairshoe.errors import InputError
from tests.cli.process import run
from tests.service.wire import Wire

from .logs import HOUSE, WITNESS, body, entries, witness_in
from .test_killed import serving

KEY = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture
def served(tmp_path):
    with witness_in(tmp_path / "memory") as witness, listening(witness, "127.0.0.1", 0) as server:
        yield server


def submit(data):
    return POST + f"Content-Length: {len(data)}\r\n\r\n".encode() + data


def told(answer):
    """Status, type and text."""
    status, headers, text = answer
    return status, headers["content-type"].partition(";")[0], text.decode()


def test_a_connection_is_kept_for_one_request_after_the_other(served) -> None:
    with Wire(served) as wire:
        assert told(wire.send(KEY).answer()) == (200, "text/plain", f"{WITNESS.key}\n")
        status, _, line = told(wire.send(submit(body(0, entries(8)))).answer())
        assert (status, line.startswith(f"— {WITNESS.key.name} ")) == (200, True)
        assert told(wire.send(submit(body(0, entries(20)))).answer()) == (409, "text/x.tlog.size", "8\n")


def test_what_is_no_http_is_told_in_plain_text(served) -> None:
    with Wire(served) as wire:
        status, media, _ = told(wire.send(b"\x00nonsense\r\n\r\n").answer())
        assert (status, media) == (400, "text/plain")
        assert wire.is_over()


def test_a_body_that_is_too_large_is_413(served) -> None:
    with Wire(served) as wire:
        wire.send(POST + f"Content-Length: {MOST_BODY + 1}\r\n\r\n".encode() + b" " * (MOST_BODY + 1))
        status, media, _ = told(wire.answer())
        assert (status, media) == (413, "text/plain")


def test_a_whole_body_may_be_as_large_as_it_says(served) -> None:
    with Wire(served) as wire:
        assert told(wire.send(submit(b"x" * MOST_BODY)).answer())[0] == 400


def test_a_port_that_is_taken_and_a_host_that_is_none(served) -> None:
    port = int(served.address.rpartition(":")[2])
    for host, at in (("127.0.0.1", port), ("nowhere.invalid", 0), ("a" * 70, 0)):
        with pytest.raises(InputError) as error:
            listening(None, host, at)  # type: ignore[arg-type]
        assert error.value.where == "--serve"


def test_a_port_that_is_taken_is_one_line(tmp_path) -> None:
    new_witness("witness.example/w1", tmp_path / "key")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        words = ["witness", tmp_path / "memory", "--key", tmp_path / "key", "--log", HOUSE.verifier, "--serve", place]
        done = run("fairshoe-audit", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot listen" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_in_order(tmp_path, number, code) -> None:
    new_witness("witness.example/w1", tmp_path / "key")
    with serving(tmp_path) as (process, address), Wire(type("Place", (), {"address": f"http://{address}"})) as wire:
        assert wire.send(KEY).answer()[0] == 200
        process.send_signal(number)
        assert process.wait() == code
        assert wire.is_over()
