"""A simulated log on disk, whole or not there: all tables' lines in order of time, from one process or several."""

from __future__ import annotations

import heapq
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from ..errors import InputError, LogError
from ..log.checkpoint import Checkpoint
from ..log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from ..terminal.durable import PART, alone_in, told_of_the_disk
from .house import HousePlan
from .play import lines_of
from .seating import Line

BATCH = 1_000
"""So many lines go from one process to another at a time."""


def write_house_log(
    directory: Path, plan: HousePlan, *, jobs: int = 1, progress: Callable[[int], None] = lambda played: None
) -> Checkpoint:
    """Play the plan in `jobs` processes and write `log.jsonl`, `checkpoint` and `log.vkey`; `progress` hears how many
    rounds are over. Other processes import the caller's main module. Raises InputError where the directory holds
    anything, LogError."""
    with _new(directory):
        return write_log(directory, _entries(plan, jobs, progress), plan.signer())


def _entries(plan: HousePlan, jobs: int, progress: Callable[[int], None]) -> Iterator[bytes]:
    played = 0
    for _, rounds, entry in all_lines(plan, jobs):
        yield entry
        if rounds:
            played += rounds
            progress(played)


@contextmanager
def _new(directory: Path) -> Iterator[None]:
    """A directory that is empty, and is so again, or gone, where anything goes wrong."""
    with told_of_the_disk(directory):
        there = directory.exists()
        directory.mkdir(parents=True, exist_ok=True)
        with alone_in(directory, "simulation"):
            if any(not path.name.endswith(PART) for path in directory.iterdir()):
                what, expected = "is not empty", "a new directory, or an empty one"
                raise InputError(what, where=str(directory), expected=expected, remedy="name another")
            try:
                yield
            except BaseException:
                for name in (ENTRIES, CHECKPOINT, VERIFIER):
                    (directory / name).unlink(missing_ok=True)
                if not there:
                    directory.rmdir()
                raise


def all_lines(plan: HousePlan, jobs: int) -> Iterator[Line]:
    """Every line of the plan's log; the tables are shared out among at most `jobs` processes. LogError."""
    count = len(plan.tables)
    shares = [range(first, count, min(jobs, count)) for first in range(min(jobs, count))]
    if len(shares) == 1:
        yield from _merged(plan, shares[0])
        return
    with ExitStack() as processes:
        yield from heapq.merge(*[processes.enter_context(_elsewhere(plan, share)) for share in shares])


def _merged(plan: HousePlan, share: Iterable[int]) -> Iterator[Line]:
    """The lines of some of the tables, by their numbers."""
    streams = [lines_of(plan.tables[number], plan.key, number, len(plan.tables)) for number in share]
    return streams[0] if len(streams) == 1 else heapq.merge(*streams)


@contextmanager
def _elsewhere(plan: HousePlan, share: range) -> Iterator[Iterator[Line]]:
    """The same, played by a process of its own, which ends with the block. It inherits nothing, so that it notices
    when this one is gone."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, plan, share), daemon=True)
    with _deaf():
        process.start()
    there.close()
    try:
        yield _received(here)
    finally:
        here.close()
        process.terminate()
        process.join()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started here hear no interrupt: a terminal sends it to all, and this one ends the others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _send(pipe: Connection, plan: HousePlan, share: range) -> None:
    """Send batches, and nothing as the last one."""
    lines = _merged(plan, share)
    try:
        while batch := list(islice(lines, BATCH)):
            pipe.send(tuple(zip(*batch, strict=True)))
        pipe.send(())
    except ConnectionError:
        return


def _received(pipe: Connection) -> Iterator[Line]:
    try:
        while columns := pipe.recv():
            yield from zip(*columns, strict=True)
    except (EOFError, OSError):
        what = "one of the processes ended before its tables were played"
        raise LogError(what, where="--jobs", remedy="look for what it wrote, or simulate with fewer") from None
