"""Pulls from a real service while bots play on it, and one that is killed in the middle."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

from audit_cli.verify import verify
from fairshoe.cli import main
from fairshoe.commands._demo import play
from fairshoe.log.checkpoint import checkpoint_of

from .servers import connect, head_of, listening, place_of

ROUNDS = 24


@contextmanager
def playing(place):
    """Bots play in a thread; gives what is true as long as they do."""
    failed = []

    def rounds():
        try:
            play(place.operator, "casino", ROUNDS, 2, lambda _: None)
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=rounds)
    thread.start()
    try:
        yield thread.is_alive
    finally:
        thread.join()
    assert not failed, failed


def pulled(address, directory):
    assert main(["pull", address, str(directory)]) == 0
    report = verify(directory)
    assert not report.failed, report.findings
    checkpoint = checkpoint_of((directory / "checkpoint").read_text())
    assert (directory / "log.jsonl").read_bytes().count(b"\n") == checkpoint.size
    return checkpoint.size


def test_every_pull_of_a_live_house_verifies(place, tmp_path):
    sizes = []
    with playing(place) as live:
        while not place.house.sequencer.log_size():
            assert live()
        while live():
            sizes.append(pulled(place.address, tmp_path / "kept"))
            pulled(place.address, tmp_path / f"fresh-{len(sizes)}")
    sizes.append(pulled(place.address, tmp_path / "kept"))
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 2, "the log grew between the pulls"
    assert sizes[-1] == place.house.sequencer.log_size()


@contextmanager
def stalling(upstream, after):
    """Leads to host:port, and stops after so many bytes of an answer that is longer; yields the address and an event
    that says that it did."""
    stalled, go_on = threading.Event(), threading.Event()

    def serve(connection):
        with connect(upstream) as outside:
            while head := head_of(connection):
                outside.sendall(head.replace(b"HTTP/1.1\r\n", b"HTTP/1.1\r\nConnection: close\r\n", 1))
                sent = 0
                while data := outside.recv(1024):
                    connection.sendall(data)
                    sent += len(data)
                    if sent > after:
                        stalled.set()
                        go_on.wait()
                return

    with listening(serve) as place:
        yield f"http://{place}", stalled
        go_on.set()


def test_a_pull_that_is_killed_in_the_middle_goes_on_later(place, tmp_path):
    directory = tmp_path / "log"
    with playing(place):
        pass
    with stalling(place_of(place.address), 12_000) as (slow, stalled):
        process = subprocess.Popen([sys.executable, "-m", "fairshoe", "pull", slow, str(directory)])
        assert stalled.wait(60)
        part = directory / "log.jsonl.0.part"
        while not part.stat().st_size:
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = part.read_bytes()
        assert kept
        assert {path.name for path in directory.iterdir()} == {"log.vkey", part.name}
        pulled(place.address, directory)
    assert (directory / "log.jsonl").read_bytes().startswith(kept[: kept.rindex(b"\n")])
    assert pulled(place.address, directory) == place.house.sequencer.log_size()
