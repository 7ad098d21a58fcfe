"""The audit of a log in shares of its tables beside one pass over it. `python -m tests.bench.jobs ROUNDS` takes another
size.

Processor time, in turns, the least of each: of one pass, and of all shares together in one process, which says what the
sharing costs; how the shares are balanced is their sum by the longest of them. Then the clock, of `verify --jobs 1` and
`--jobs 2`, which says something on a machine that does nothing else.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from statistics import median
from typing import Any

from audit_cli.verify.findings.report import Report
from audit_cli.verify.pool import WorkerPool
from audit_cli.verify.run import verify
from audit_cli.verify.sharing import audit_shared
from fairshoe.simulate.house import plan_house, write_house_log

ROUNDS = 100_000
TABLES = (8, 512)
TURNS = 5
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


def one_pass(log: Path) -> float:
    start = time.process_time()
    if verify(log).failed:
        raise SystemExit("the benchmark's log does not pass the audit")
    return time.process_time() - start


def in_shares(log: Path) -> tuple[float, list[float]]:
    """All of it, and each share."""
    timed, start = Timed(), time.process_time()
    audit_shared(log / "log.jsonl", Report(), WorkerPool(timed, 2))
    return time.process_time() - start, timed.spent


def clock(log: Path, jobs: int) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "audit_cli.main", "verify", str(log), "--jobs", str(jobs)]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def run(rounds: int = ROUNDS) -> None:
    for tables in TABLES:
        with tempfile.TemporaryDirectory() as name:
            log = Path(name) / "log"
            write_house_log(log, plan_house(["casino"], rounds, KEY, tables=tables, seats=1))
            turns = [(one_pass(log), *in_shares(log), clock(log, 1), clock(log, 2)) for _ in range(TURNS)]
        one, every = min(turn[0] for turn in turns), min(turn[1] for turn in turns)
        ratio = median(turn[1] / turn[0] for turn in turns)
        shares = [min(each) for each in zip(*(turn[2] for turn in turns), strict=True)]
        alone, both = min(turn[3] for turn in turns), min(turn[4] for turn in turns)
        print(
            f"jobs, casino, {rounds:,} rounds at {tables:,} tables: {every / one:.3f} of one pass (median {ratio:.3f})"
        )
        print(f"  shares {', '.join(f'{each / one:.3f}' for each in shares)}: balance {sum(shares) / max(shares):.2f}")
        print(f"  by the clock {alone:.2f} s, {both:.2f} s: {alone / both:.2f} times as fast")


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
