"""The command lines' `main`, called in this process as a shell would start them."""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import NamedTuple

from audit_cli.main import main as audit_main
from fairshoe.cli import main as fairshoe_main

PROGRAMS: dict[str, Callable[[list[str]], int]] = {"fairshoe": fairshoe_main, "fairshoe-audit": audit_main}
PATIENCE = 30.0
"""Seconds after which a command counts as hanging."""


class Hang(BaseException):
    """A command does not end."""


class Outcome(NamedTuple):
    """What a command said. `crash`: the traceback, where it raised."""

    code: int | None
    out: bytes
    err: bytes
    crash: str


def run(words: Sequence[str], stdin: bytes | None = None) -> Outcome:
    """Run `fairshoe …` or `fairshoe-audit …`, its output to ASCII streams that are no terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="ascii", newline="") for _ in range(2))
    code: int | None = None
    crash = ""
    with redirect_stdout(out), redirect_stderr(err), standard_input(stdin), patience():
        try:
            code = PROGRAMS[words[0]](list(words[1:]))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            crash = traceback.format_exc()
    return Outcome(code, _bytes(out), _bytes(err), crash)


def _bytes(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer = stream.buffer
    return buffer.getvalue() if isinstance(buffer, io.BytesIO) else b""


@contextmanager
def patience() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def standard_input(data: bytes | None) -> Iterator[None]:
    """The file descriptor 0 and `sys.stdin`, with these bytes in it."""
    if data is None:
        yield
        return
    kept, before = os.dup(0), sys.stdin
    file = os.memfd_create("stdin") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDWR)
    try:
        with open(file, "wb", closefd=False) as stream:
            stream.write(data)
        os.lseek(file, 0, os.SEEK_SET)
        os.dup2(file, 0)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")
        yield
    finally:
        sys.stdin = before
        os.dup2(kept, 0)
        os.close(kept)
        os.close(file)
