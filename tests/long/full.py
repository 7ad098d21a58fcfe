"""`python -m tests.long.full`: the disk becomes full while a table is played, and has room again. As root on Linux.

The data directory is on a small file system of its own. On the full disk commands are refused with 507, reading goes
on, and limits do not run. With room again the same commands are done without a restart, no log index is issued twice,
and the audit is clean. The first start on a full disk, and the start after it, are tried as well.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairshoe.client import Client, Problem
from tests.long.held import audit_faults, log_of
from tests.long.serving import Serving

SMALL, LARGE = "1m", "64m"
FULL = 507
OUTAGE = 12
"""Seconds on the full disk, longer than two limits of the table."""


@contextmanager
def small_disk(directory: Path, size: str) -> Iterator[None]:
    directory.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(directory)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def resize(directory: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(directory)], check=True)


def fill(directory: Path) -> None:
    """Take all the room that is left."""
    handle = os.open(directory / "filler", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        while os.write(handle, bytes(512)):
            pass
    except OSError:
        os.close(handle)


def refused(table: Any, token: str) -> int:
    """The status of a buy-in."""
    try:
        table.client.with_token(token).post(table.path("chips"), {"op": "buy-in", "amount": 1})
    except Problem as problem:
        return problem.status
    return 200


def first_start(directory: Path) -> list[str]:
    """The codes of a start on a full disk, and of the next one."""
    faults = []
    for kib in (4, 8, 12, 40, 120):
        disk = directory / f"disk-{kib}"
        with small_disk(disk, f"{kib}k"):
            words = [
                sys.executable,
                "-m",
                "fairshoe",
                "serve",
                "--port",
                "0",
                "--data",
                str(disk / "data"),
                "--no-limits",
            ]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 2 or "Traceback" in done.stderr or "fairshoe: " not in done.stderr:
                faults.append(f"first start with {kib} KiB: {done.returncode} {done.stderr}")
            resize(disk, LARGE)
            with Serving(disk / "data") as serving:
                if not serving.token or serving.end(signal.SIGTERM):
                    faults.append(f"second start after {kib} KiB")
    return faults


def while_playing(directory: Path) -> list[str]:
    disk = directory / "disk"
    faults = []
    with small_disk(disk, SMALL), Serving(disk / "data") as serving:
        operator = Client(serving.address, serving.token)
        table = operator.create_table("casino", table="t1", policy={"hash": 5})
        alice = table.sit("alice", 1000)
        alice.send("shoe")
        fill(disk)
        answers = [refused(table, alice.token) for _ in range(200)]
        print(f"on the full disk: {sorted(set(answers))}, the first {FULL} after {answers.index(FULL)} buy-ins")
        if set(answers[answers.index(FULL) :]) != {FULL}:
            faults.append("a command was done on a full disk")
        before = list(operator.log())
        for _ in range(OUTAGE):
            time.sleep(1)
            if refused(table, alice.token) != FULL:
                faults.append("a command was done on a full disk")
        signed = operator.checkpoint().split()[1]
        print(f"reading goes on: phase {alice.refresh()['phase']}, {len(before)} entries, a checkpoint of {signed}")
        if list(operator.log()) != before:
            faults.append("the log changed on a full disk")
        ready = Client(serving.address, serving.token, patience=0)
        try:
            ready.get("/readyz")
            faults.append("it is ready on a full disk")
        except Problem as problem:
            print(f"/readyz: {problem.status}, {problem.body['checks']['storage'].partition(': ')[2]}")
        resize(disk, LARGE)
        began = time.monotonic()
        while refused(table, alice.token) == FULL:
            time.sleep(0.05)
        lines = list(operator.log())
        kinds = [json.loads(line)["kind"] for line in lines[len(before) :]]
        print(f"with room again, after {time.monotonic() - began:.1f} s: {', '.join(kinds)}")
        if kinds != ["start", "chips"]:
            faults.append("limits ran while nobody could act")
        if lines[: len(before)] != before:
            faults.append("the log has another history")
        serving.end(signal.SIGTERM)
        log_of(disk / "data", directory / "log")
        faults += audit_faults(directory / "log")
    return faults


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        faults = first_start(Path(name)) + while_playing(Path(name))
    print("\n".join(faults) or "nothing was lost on the full disk, nothing done that was refused, the audit is clean")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
