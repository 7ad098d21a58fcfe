"""Who audits the shares: processes of this machine, and a Dask cluster of which a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import distributed
import pytest

from audit_cli.sharing import Workers, audited
from audit_cli.workers import LEAST, cluster, processes
from fairshoe.terminal import INTERRUPTED
from tests.simulated import simulated

from .sharing import interleaved, same


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    interleaved(5, 60).write(folder)
    return folder


def test_processes(log: Path) -> None:
    with processes(2) as workers:
        report, whole = same(log, workers)
    assert not report.failed
    assert whole is not None


class Murderous(Executor):
    """Kills a process once, when so many shares were given out."""

    def __init__(self, executor: Executor, kill: Callable[[], None], after: int) -> None:
        self.executor, self.kill, self.left = executor, kill, after

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self.executor.submit(function, *args, **kwargs)
        if function is audited:
            self.left -= 1
            if not self.left:
                self.kill()
        return future


def test_the_death_of_a_process_costs_time_only(log: Path) -> None:
    with processes(2) as workers:

        def kill() -> None:
            os.kill(next(iter(workers.executor._processes)), signal.SIGKILL)  # type: ignore[attr-defined]

        report, whole = same(log, Workers(Murderous(workers.executor, kill, 2), 2))
    assert not report.failed
    assert whole is None, "one pass did it"


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as started:
        yield started


def test_a_cluster_of_which_a_worker_is_killed(log: Path, dask: Any) -> None:
    with cluster(dask.scheduler_address) as workers:
        assert workers.many == 2
        with distributed.Client(dask.scheduler_address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            pids = list(client.run(os.getpid).values())  # type: ignore[no-untyped-call]
        murderous = Murderous(workers.executor, lambda: os.kill(pids[0], signal.SIGKILL), 3)
        report, whole = same(log, Workers(murderous, 5))
    assert not report.failed
    assert whole is not None, "what the dead worker was at was done again"
    assert whole.tables == [1] * 5


# The program.


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a few MB, which the program gives to several processes."""
    folder = tmp_path_factory.mktemp("large") / "house"
    return simulated(folder, ["casino"], rounds=4 * LEAST // 500, tables=3, seats=1)


def audit(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "audit_cli.main", "verify", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def written(log: Path, *options: str) -> str:
    process = audit(log, "--format", "json", *options)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    assert not error
    return out


def test_the_report_is_the_same_whoever_makes_it(large: Path, dask: Any) -> None:
    one = written(large, "--jobs", "1")
    assert written(large, "--jobs", "3") == one
    assert written(large, "--jobs", dask.scheduler_address) == one


def children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else []


def begun(log: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """An audit by two processes, which have begun, and these."""
    process = audit(log, "--jobs", "2")
    while len(started := children(process.pid)) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    return process, started


def are_gone(processes: list[int]) -> bool:
    """Whether they end; nobody has to wait for them then."""
    end = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in processes) and time.monotonic() < end:
        time.sleep(0.01)
    return time.monotonic() < end


def test_ctrl_c_ends_all_processes_at_once(large: Path) -> None:
    process, started = begun(large)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert process.returncode == INTERRUPTED
    assert "Traceback" not in error
    assert are_gone(started)


def test_no_process_outlives_the_program(large: Path) -> None:
    process, started = begun(large)
    process.kill()
    process.communicate(timeout=20)
    assert are_gone(started)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--jobs", "0"), "--jobs"),
        (("--jobs", "2", "--resume", "state"), "not with --resume"),
        (("--jobs", "nonsense://x"), "--jobs"),
        (("--jobs", "tcp://127.0.0.1:1"), "--jobs"),
        (("--jobs", "0"), "neither a number"),
    ],
)
def test_what_cannot_be_is_refused(log: Path, options: tuple[str, ...], said: str) -> None:
    process = audit(log, *options)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert not out
    assert said in error
    assert "Traceback" not in error
