"""`fairshoe serve` as a process of its own, which can be killed at any moment and started again at its address."""

from __future__ import annotations

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

WORKER_PORTS = 1_500
_worker, _first = int(os.environ.get("PYTEST_XDIST_WORKER", "gw9")[2:]) % 10, secrets.randbelow(WORKER_PORTS)
_ports = (15_000 + WORKER_PORTS * _worker + number % WORKER_PORTS for number in count(_first))


def free_port() -> int:
    """Choose a free port that the system gives to nobody: it lies below those of outgoing connections and of port 0.
    Two calls give two ports, also in two workers of pytest."""
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError


class Serving:
    """A context manager, which starts it and kills it in the end. `under`: the words of a program that it runs under;
    `token` is the operator's, from the first start."""

    def __init__(self, data: Path, *more: str, under: Sequence[str] = ()) -> None:
        port = str(free_port())
        serve = [sys.executable, "-m", "fairshoe", "serve", "--port", port, "--data", str(data), "--no-limits", *more]
        self._command = [*under, *serve]
        self.address = f"http://127.0.0.1:{port}"
        self.token = ""
        self.process: subprocess.Popen[str] | None = None

    def begin(self) -> Serving:
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            if found := re.search(r"token.*(fs_\S+)", line):
                self.token = found[1]
            if "listens on" in line:
                return self
        raise AssertionError(f"the service did not start: {self.process.wait()}")

    def __enter__(self) -> Serving:
        return self.begin()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.end()

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal, to whatever it runs under as well; gives the exit code."""
        assert self.process is not None
        assert self.process.stdout is not None
        os.killpg(self.process.pid, how)
        code = self.process.wait()
        self.process.stdout.close()
        return code
