"""What is told at a start: to the supervisor that clients are answered, to the operator what is misspelt."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import pytest

from fairshoe.service.stray_variables import stray_variables
from fairshoe.service.supervisor import tell_ready


@pytest.fixture
def supervisor(tmp_path, monkeypatch):
    """The socket of one, as systemd makes it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.settimeout(60)
        listening.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def test_a_supervisor_hears_that_clients_are_answered(tmp_path, supervisor):
    words = [sys.executable, "-m", "fairshoe", "serve", "--data", str(tmp_path / "data"), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            assert supervisor.recv(64) == b"READY=1"
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


def test_a_supervisor_may_have_a_name_that_no_file_has(monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.settimeout(60)
        listening.bind("")
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{listening.getsockname()[1:].decode()}")
        tell_ready()
        assert listening.recv(64) == b"READY=1"


@pytest.mark.parametrize("address", ["", "notify", "/nowhere/at/all", "@nobody-listens-here", "/" + 200 * "x"])
def test_who_cannot_be_told_keeps_nobody_from_work(monkeypatch, address):
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    tell_ready()


def test_a_variable_that_is_no_setting_is_told():
    names = ["PATH", "FAIRSHOE_PORT", "FAIRSHOE_CONFIG", "FAIRSHOE_MASTER_KEY", "FAIRSHOE_NEW_MASTER_KEY"]
    names.append("FAIRSHOE_PURE")
    assert stray_variables(names) == []
    assert stray_variables([*names, "FAIRSHOE_SERVICE_HOST", "FAIRSHOE_IDEL_SECONDS"]) == [
        "FAIRSHOE_IDEL_SECONDS is no setting: FAIRSHOE_IDLE_SECONDS is",
        "FAIRSHOE_SERVICE_HOST is no setting",
    ]


def test_such_a_variable_is_a_line_of_the_log_and_no_error(tmp_path):
    words = [sys.executable, "-m", "fairshoe", "serve", "--data", str(tmp_path / "data"), "--port", "0"]
    given = {**os.environ, "FAIRSHOE_HOSTS": "127.0.0.1"}
    with subprocess.Popen(words, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told = process.stderr.readline()
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert "FAIRSHOE_HOSTS is no setting: FAIRSHOE_HOST is" in told
