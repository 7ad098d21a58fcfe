"""A log of many tables, which are shared out among workers of any kind: the report is that of one pass."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from functools import cache
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit_cli.commands._log import MIN_BYTES_PER_PROCESS
from audit_cli.verify import sharing
from audit_cli.verify.evidence.memory import RememberedHead
from audit_cli.verify.findings.report import Report
from audit_cli.verify.pool import WorkerPool
from audit_cli.verify.registry import new_audit
from audit_cli.verify.run import verify
from audit_cli.verify.sharing import AuditedLines, NotShareable, audit_share, audit_shared
from audit_cli.verify.workers import processes
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.tree import Tree
from fairshoe.terminal import EXIT_INTERRUPTED
from tests import everything
from tests.house import SIGNER, House, Seating
from tests.simulated import simulated

from .frauds import FRAUDS
from .planting import KEY, Fraud, encoded
from .telling import said as said_by
from .walk import decoded

GAMES = ("casino", "lounge", "pontoon", "chinese", "boxes")


class Here(Executor):
    """Does the work at once, and sends it through pickle both ways as if it were done elsewhere."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            found = function(*pickle.loads(pickle.dumps(args)), **kwargs)
            future.set_result(pickle.loads(pickle.dumps(found)))
        except Exception as error:
            future.set_exception(error)
        return future


def here(many: int = 3) -> WorkerPool:
    return WorkerPool(Here(), many)


def same(
    folder: Path, workers: WorkerPool, lines: Sequence[bytes] = (), **options: Any
) -> tuple[Report, AuditedLines | None]:
    """The report of one pass, after both were compared to the byte, and what the shares came to: None where the log was
    left to one pass. `lines`: write them as a log first."""
    if lines:
        write_log(folder, lines, SIGNER)
    wholes: list[AuditedLines] = []

    def shared(*args: Any, **kwargs: Any) -> AuditedLines:
        wholes.append(sharing.audit_shared(*args, **kwargs))
        return wholes[-1]

    one = verify(folder, key=KEY, **options)
    with patch("audit_cli.verify.run.audit_shared", shared):
        two = verify(folder, key=KEY, workers=workers, **options)
    assert json.dumps(two.as_json()) == json.dumps(one.as_json())
    return one, wholes[0] if wholes else None


def interleaved(tables: int, rounds: int, seed: int = 3, **options: object) -> House:
    """Tables of all games in turn, step by step."""
    house = House(seed)
    seatings = [Seating(house, f"t{i}", GAMES[i % len(GAMES)], careless=0.05, **options) for i in range(tables)]  # type: ignore[arg-type]
    for _ in zip_longest(*(seating.steps(rounds) for seating in seatings)):
        pass
    return house


SOME = FRAUDS[::20]


@cache
def log() -> tuple[bytes, ...]:
    return tuple(interleaved(6, 8).lines)


@pytest.mark.parametrize(("many", "shares"), [(1, [6]), (4, [1, 1, 2, 2]), (8, [])])
def test_many_tables(many: int, shares: list[int], tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(many), log())
    assert not report.failed
    assert whole is not None
    assert whole.tables == (shares or [1] * 6 + [0] * 2)


@pytest.mark.parametrize(
    "of", [everything.casinos, everything.pontoon, everything.lounge, everything.unfinished_lounge]
)
def test_everything_that_may_happen_at_tables(of: Callable[[House], None], tmp_path: Path) -> None:
    """Closings, voids, lapses, debts, starts, put-out players, refunds, a first banker's draws, resting tables."""
    house = House(5)
    Seating(house, "before", "casino", (1, 2)).play(10)
    of(house)
    for name in "ab":
        Seating(house, name, "casino", (1, 2)).play(10)
    report, whole = same(tmp_path, here(3), house.lines)
    assert not report.failed
    assert whole is not None


def test_everything_at_once_is_left_to_one_pass_for_its_raffles(tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(), everything.everything().lines)
    assert not report.failed
    assert whole is None, "shoes without a table"


def test_tree_heads_that_somebody_asks_for(tmp_path: Path) -> None:
    """Checkpoints of earlier days, and one of another log."""
    tree, olds = Tree(), []
    for size in (0, 1, 77, len(log())):
        tree.extend(log()[tree.size : size])
        olds.append(RememberedHead(Checkpoint(SIGNER.verifier.name, size, tree.root).signed(SIGNER)))
    report, whole = same(tmp_path, here(), log(), remembered=olds)
    assert not report.failed
    assert whole is not None
    assert whole.roots.keys() == {0, 1, 77, len(log())}
    other = RememberedHead(Checkpoint(SIGNER.verifier.name, 78, tree.root).signed(SIGNER))
    assert same(tmp_path, here(), log(), remembered=[other])[0].failed


def test_a_key_comes_again_at_another_table(tmp_path: Path) -> None:
    house = House(2)
    one, other = Seating(house, "a", "boxes", (1, 2)), Seating(house, "b", "boxes", (1, 2))
    other.new_key = one.new_key = lambda: sha256(b"%d" % (one.shoes + other.shoes % 3)).digest()  # type: ignore[method-assign]
    one.play(3)
    other.play(3)
    write_log(tmp_path, house.lines, SIGNER)
    report, whole = same(tmp_path, here(2))
    assert whole is None
    assert {found.code for found in report.findings if found.severity == "fail"} == {"commitment-reused"}


def test_cards_beyond_the_bound_are_left_to_one_pass(tmp_path: Path) -> None:
    """So many cards as the log asks for may be put in order: of one share more, were the other like it."""
    audit = new_audit(Report())
    for line in log():
        audit.take(line)
    walk = "audit_cli.verify.walk.audit"
    with patch(f"{walk}.FREE_CARDS", audit.ordered), patch(f"{walk}.CARDS_AN_ENTRY", 0):
        report, whole = same(tmp_path, here(2), log())
    assert not report.failed
    assert whole is None


@pytest.mark.parametrize("case", SOME, ids=[case.name for case in SOME])
def test_a_planted_fraud(case: Fraud, tmp_path: Path) -> None:
    """Whatever one pass finds the shares leave to it; what is missing at the log's end is found in the end."""
    assert same(tmp_path, here(2), case.plant().lines)[0].failed


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_change_anywhere(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    there = decoded(log())
    index = data.draw(st.integers(0, len(there) - 1))
    field = data.draw(st.sampled_from(sorted(there[index])))
    value = data.draw(st.sampled_from([0, 1, -1, "x", "", [], {}, None, True, 2**60, "t1/3", "t2", [1, 2]]))
    lines = encoded([*there[:index], there[index] | {field: value}, *there[index + 1 :]])
    same(tmp_path_factory.mktemp("log"), here(data.draw(st.integers(1, 7))), lines)


def test_a_file_that_changes_between_two_readings_is_left_to_one_pass(tmp_path: Path) -> None:
    """The first worker's first line, for which the second has no use but the time."""
    write_log(tmp_path, log(), SIGNER)
    path = tmp_path / "log.jsonl"

    class Changing(Here):
        def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            future = super().submit(function, *args, **kwargs)
            future.result()
            path.write_bytes(path.read_bytes().replace(b'"at":"2026', b'"at":"2025', 1))
            return future

    assert audit_shared(path, Report(), here(2)).tables == [3, 3]
    with pytest.raises(NotShareable):
        audit_shared(path, Report(), WorkerPool(Changing(), 2))


# Who audits the shares: processes of this machine.


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    interleaved(5, 60).write(folder)
    return folder


class Murderous(Executor):
    """Kills a process when both shares were given out."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.given = executor, 0

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self.executor.submit(function, *args, **kwargs)
        self.given += function is audit_share
        if self.given == 2:
            os.kill(next(iter(self.executor._processes)), signal.SIGKILL)  # type: ignore[attr-defined]
        return future


def test_the_death_of_a_process_costs_time_only(many: Path) -> None:
    with processes(2) as workers:
        report, whole = same(many, WorkerPool(Murderous(workers.executor), 2))
    assert not report.failed
    assert whole is None, "one pass did it"


LINES = 460
"""Fewer bytes than a round has in a log, with what comes before it."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a few MB, which the program gives to several processes."""
    folder = tmp_path_factory.mktemp("large") / "house"
    return simulated(folder, ["casino"], rounds=2 * MIN_BYTES_PER_PROCESS // LINES, tables=3, seats=1)


def audit(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "audit_cli.main", "verify", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def test_the_report_is_the_same_whoever_makes_it(large: Path) -> None:
    one, two = (said_by("verify", large, "--format", "json", "--jobs", jobs) for jobs in "12")
    assert (one.code, one.out) == (0, two.out)


def children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else []


def are_gone(processes: list[int]) -> bool:
    """Whether they end; nobody has to wait for them then."""
    end = time.monotonic() + 120
    while any(Path(f"/proc/{child}").exists() for child in processes) and time.monotonic() < end:
        time.sleep(0.01)
    return time.monotonic() < end


@pytest.mark.parametrize("how", ["Ctrl-C", "killed"])
def test_no_process_outlives_the_program(how: str, large: Path) -> None:
    process = audit(large, "--jobs", "2")
    while len(started := children(process.pid)) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    if how == "killed":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=120)
    assert how == "killed" or process.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in error
    assert are_gone(started)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--jobs", "0"), "--jobs"),
        (("--jobs", "tcp://127.0.0.1:1"), "--jobs"),
        (("--jobs", "2", "--resume", "state"), "not with --resume"),
    ],
)
def test_what_cannot_be_is_refused(options: tuple[str, ...], said: str, many: Path) -> None:
    told = said_by("verify", many, *options)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
