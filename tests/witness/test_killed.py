"""A witness that is killed has promised nothing that it does not remember: SIGKILL at every step, and under load."""

from __future__ import annotations

import http.client
import random
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from audit_cli.evidence.private_keys import new_witness
from audit_cli.witness.memory import origin_hash
from fairshoe.log.cosignature import cosigned_at
from tests.cli.process import ENVIRONMENT, ROOT, command_of, run

from .logs import HOUSE, body, entries, note, write

KILL_AT = """
import os, signal
left = {at}
def counting(step):
    def counted(*args, **kwargs):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return step(*args, **kwargs)
    return counted
os.fsync, os.replace, os.mkdir = map(counting, (os.fsync, os.replace, os.mkdir))
"""
KILLED = -9


@pytest.fixture
def key(tmp_path):
    return new_witness("witness.example/w1", tmp_path / "key")


def look(path, log, *more, prelude=""):
    words = ["witness", path / "memory", "--key", path / "key", *more, path / log]
    return run("fairshoe-audit", *words, prelude=prelude)


def test_killed_at_any_step_it_never_cosigns_two_histories(tmp_path, key) -> None:
    """Where the cosignature was said the second history is refused; the first is cosigned afterwards in any case
    in which the second was not."""
    for name, lines in (("begun", entries(8)), ("one", entries(20)), ("two", entries(20, 10))):
        write(tmp_path / name, lines)
    assert look(tmp_path, "begun", "--log", HOUSE.verifier).returncode == 0
    shutil.copytree(tmp_path / "memory", tmp_path / "as it was")
    at, code = 0, KILLED
    while code == KILLED:
        at += 1
        shutil.rmtree(tmp_path / "memory")
        shutil.copytree(tmp_path / "as it was", tmp_path / "memory")
        killed = look(tmp_path, "one", prelude=KILL_AT.format(at=at))
        code = killed.returncode
        second = look(tmp_path, "two").returncode
        assert not killed.stdout or second == 1
        assert look(tmp_path, "one").returncode == (0 if second else 1)
    assert (code, at > 4) == (0, True)


@contextmanager
def serving(path):
    """The process and the address of a witness that serves."""
    words = ["witness", path / "memory", "--key", path / "key", "--log", HOUSE.verifier, "--serve", "127.0.0.1:0"]
    with subprocess.Popen(
        command_of("fairshoe-audit", *words), stdout=subprocess.PIPE, text=True, env=ENVIRONMENT, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split("//")[1].strip()
        finally:
            process.kill()


def post(address, data):
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        connection.request("POST", "/add-checkpoint", data)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def submit(address, lines, said):
    """Submit the log as it grows until nobody answers; `said` are the sizes that were cosigned."""
    old = 0
    with suppress(OSError, http.client.HTTPException):
        while True:
            new = min(old + 1, len(lines))
            status, text = post(address, body(old, lines[:new], note(lines[:new])))
            if status == 200:
                assert text.startswith("— ")
                said.append(new)
                old = new
            elif status == 409:
                old = int(text)
            else:
                return


def test_killed_under_load_it_remembers_all_that_it_said(tmp_path, key) -> None:
    """Two histories of one key compete for the witness, which is killed again and again: one of them is cosigned."""
    one, two = entries(400), entries(400, 0)
    said: dict[str, list[int]] = {"one": [], "two": []}
    pause = random.Random(8)
    log = tmp_path / "memory" / "logs" / origin_hash(HOUSE.verifier.name)
    for _ in range(6):
        with serving(tmp_path) as (process, address):
            threads = [
                threading.Thread(target=submit, args=(address, lines, said[name]))
                for name, lines in (("one", one), ("two", two), ("one", one), ("two", two))
            ]
            for thread in threads:
                thread.start()
            time.sleep(pause.uniform(0.05, 0.4))
            process.kill()
            for thread in threads:
                thread.join()
        winner, loser = ("one", "two") if said["one"] else ("two", "one")
        assert not said[loser]
        if said[winner]:
            kept = (log / "checkpoint").read_text()
            assert int(kept.split("\n")[1]) >= max(said[winner])
            assert cosigned_at(kept, key)
    assert said["one"] or said["two"]
    lines = two if said["one"] else one
    with serving(tmp_path) as (process, address):
        size = int(post(address, body(0, lines))[1])
        assert post(address, body(size, lines))[0] == 422
        process.terminate()
        assert process.wait(30) == 0
