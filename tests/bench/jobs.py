"""The audit of a log in shares of its tables, by processes, beside one pass over it.

Wall clock on a machine that has nothing else to do; `work` is processor time, of one pass and of all shares together
in one process, and says what the sharing costs, whoever else is at work. `python -m tests.bench.jobs ROUNDS` takes
another size.
"""

from __future__ import annotations

import pickle
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from audit_cli.evidence.reading import Reading
from audit_cli.findings.report import Report
from audit_cli.sharing import Workers, shared
from audit_cli.verify import verify
from audit_cli.workers import processes
from fairshoe.simulate.house import plan_house, write_house_log

ROUNDS = 300_000
TABLES = (8, 512)
REPEATS = 3
KEY = bytes(32)


class Timed(Executor):
    """Does each task at once, here; `spent` is the processor time of each."""

    def __init__(self) -> None:
        self.spent: list[float] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        start = time.process_time()
        found = pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(args)))))
        self.spent.append(time.process_time() - start)
        future.set_result(found)
        return future


@contextmanager
def log_of(rounds: int, tables: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        write_house_log(log, plan_house(["casino"], rounds, KEY, tables=tables, seats=1))
        yield log


def wall(log: Path, workers: Workers | None) -> float:
    start = time.perf_counter()
    if verify(log, workers=workers).failed:
        raise SystemExit("the benchmark's log does not pass the audit")
    return time.perf_counter() - start


def beside_one_pass(log: Path, label: str, workers: Workers) -> None:
    """Both in turn, so that a machine whose speed drifts treats them alike."""
    ratios = sorted(wall(log, None) / wall(log, workers) for _ in range(REPEATS))
    middle = statistics.median(ratios)
    print(f"  {label:<24} one pass takes {middle:.2f} times as long ({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)


def work(log: Path) -> None:
    """Processor time: where it goes."""
    start = time.process_time()
    verify(log)
    one = time.process_time() - start
    timed, start = Timed(), time.process_time()
    whole = shared(Reading(log).path, Report(), Workers(timed, 2))
    everything = time.process_time() - start
    shares = ", ".join(
        f"{spent / one:.3f} for {tables} tables" for spent, tables in zip(timed.spent, whole.tables, strict=True)
    )
    print(f"  work                     {everything / one:.3f} of one pass: {shares}", flush=True)


def run(rounds: int = ROUNDS) -> None:
    for tables in TABLES:
        with log_of(rounds, tables) as log:
            size = (log / "log.jsonl").stat().st_size
            print(f"jobs, casino, {rounds:,} rounds at {tables:,} tables, {size / 1e6:.0f} MB:", flush=True)
            work(log)
            with processes(2) as workers:
                beside_one_pass(log, "2 processes", workers)


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
