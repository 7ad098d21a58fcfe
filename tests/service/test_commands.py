"""`fairshoe serve`, `fairshoe keys token`, `fairshoe demo`."""

from __future__ import annotations

import re
import signal
import sys
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest

from fairshoe.cli import main
from fairshoe.client import Client, Problem, Unreachable
from fairshoe.commands import demo
from fairshoe.terminal import screen
from tests.long.serving import Serving

from .wire import Wire


def test_serve_prints_the_operators_token_once_and_token_makes_a_new_one(tmp_path, capsys):
    data = tmp_path / "data"
    server = Serving(data).begin()
    first = server.token
    assert Client(server.address).get("/")["documentation"] == "/docs"
    Client(server.address, first).create_table("casino")
    assert main(["keys", "token", "--data", str(data)]) == 0
    second = capsys.readouterr().out.strip()
    with pytest.raises(Problem, match="401"):
        Client(server.address, first).create_table("casino")
    Client(server.address, second).create_table("casino")
    assert server.end(signal.SIGTERM) == 0
    with Serving(data) as again:
        assert again.token == ""


@pytest.mark.parametrize(
    ("words", "what", "remedy"),
    [
        (["--host", "192.0.2.1", "--port", "0"], "cannot listen", "--host an address of this machine"),
        (["--host", "nowhere.invalid", "--port", "0"], "no such host", "an address of this machine"),
        (["--port", "0", "--data", "file"], "cannot use the data directory", "--data a directory"),
        (["--port", "0", "--data", "/proc/none"], "cannot use the data directory", "--data a directory"),
        (["--port", "0", "--beacon", "none.jsonl"], "cannot be read", "a file that this user may read"),
        (["--port", "0", "--beacon", "/proc"], "cannot be read", "a file that this user may read"),
    ],
)
def test_serve_says_what_to_do(words, what, remedy, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert main(["serve", *words]) == 2
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.startswith(f"fairshoe: {what}")
    assert any(line.startswith("  remedy:") and remedy in line for line in rest)


@pytest.mark.parametrize(
    "argv",
    [
        ["serve", "--port", "70000"],
        ["serve", "--port", "x"],
        ["keys", "token", "--data", "nothing-here"],
        ["demo", "--rules", "whist"],
        ["demo", "--rounds", "0"],
        ["demo", "--seats", "many"],
    ],
)
def test_wrong_usage_is_explained(argv, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(argv) == 2
    assert capsys.readouterr().err.startswith("fairshoe: ")
    assert not (tmp_path / "fairshoe-demo").exists()


def test_the_port_is_taken(tmp_path, capsys):
    server = Serving(tmp_path / "one").begin()
    port = server.address.rpartition(":")[2]
    assert main(["serve", "--port", port, "--data", str(tmp_path / "two")]) == 2
    told = capsys.readouterr()
    assert "in use" in told.err
    assert "give another --port" in told.err
    assert told.out == ""
    assert not (tmp_path / "two").exists()
    server.end(signal.SIGTERM)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_second_signal_does_not_wait(tmp_path):
    """It waits for a body that does not come."""
    server = Serving(tmp_path, "--stop-seconds", "600").begin()
    head = f"Host: x\r\nAuthorization: Bearer {server.token}\r\nExpect: 100-continue\r\nContent-Length: 2"
    with Wire(server) as sender:
        assert sender.send(f"POST /v1/tables HTTP/1.1\r\n{head}\r\n\r\n".encode()).answer()[0] == 100
        server.process.send_signal(signal.SIGTERM)
        while not refused(Client(server.address, patience=0)):
            pass
        assert server.end(signal.SIGTERM) == 128 + signal.SIGTERM


def refused(client):
    """Whether nobody listens any more."""
    try:
        client.get("/")
    except Unreachable:
        return True
    return False


def test_demo_plays_every_game_and_the_audit_decides_the_exit_code(tmp_path, capfd, monkeypatch):
    """A terminal shows how many of all games' rounds are played, and a first verdict is a plain PASS."""
    out = str(tmp_path / "log")
    with monkeypatch.context() as terminal:
        terminal.setattr(screen, "steers", lambda stream: True)
        terminal.setattr("click._termui_impl.isatty", lambda stream: True)
        terminal.setattr(screen, "FIRST_SHOWN", 0.0)
        terminal.setattr(screen, "SHOWN_EVERY", 0.0)
        clock = SimpleNamespace(time=partial(next, count(0, 2)))  # a quick machine has no time left to tell
        terminal.setattr("click._termui_impl.time", clock)
        assert main(["demo", "--rules", "all", "--rounds", "1", "--out", out]) == 0
    text, bars = capfd.readouterr()
    assert re.findall(r"playing[^%\r]*?(\d+)%", bars) == ["16", "33", "50", "66", "83", "100"]
    assert re.search(r"\d%  \d\d:\d\d:\d\d", bars), "the time that is left"
    assert {*re.findall(r"^(PASS(?: so far)?|CANNOT SAY|FAIL)", text, re.M)} == {"PASS"}
    assert "✗" not in text
    assert text.count("✓") > 10
    monkeypatch.setattr(demo, "_audit", lambda *_: 1)
    assert main(["demo", "--rounds", "1", "--seats", "1", "--out", out]) == 1
