"""The audit of a log in shares of its tables beside one pass over it: processor time, of one pass and of all shares
together in one process, which says what the sharing costs. `python -m tests.bench.jobs ROUNDS` takes another size.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from audit_cli.findings.report import Report
from audit_cli.sharing import Workers, shared
from audit_cli.verify import verify
from fairshoe.simulate.house import plan_house, write_house_log

ROUNDS = 300_000
TABLES = (8, 512)
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


def run(rounds: int = ROUNDS) -> None:
    for tables in TABLES:
        with tempfile.TemporaryDirectory() as name:
            log = Path(name) / "log"
            write_house_log(log, plan_house(["casino"], rounds, KEY, tables=tables, seats=1))
            start = time.process_time()
            if verify(log).failed:
                raise SystemExit("the benchmark's log does not pass the audit")
            one = time.process_time() - start
            timed, start = Timed(), time.process_time()
            whole = shared(log / "log.jsonl", Report(), Workers(timed, 2))
            everything = time.process_time() - start
        pairs = zip(timed.spent, whole.tables, strict=True)
        shares = ", ".join(f"{spent / one:.3f} for {count} tables" for spent, count in pairs)
        print(f"jobs, casino, {rounds:,} rounds at {tables:,} tables: {everything / one:.3f} of one pass: {shares}")


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
