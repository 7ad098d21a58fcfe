"""What holds for every test: a skipped one is a failed run, chance is the same in each run, and time is not wasted."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

from .postgresql import PostgreSQL

LONGEST = (
    "tests/test_compiled.py",
    "tests/tables/test_trust.py",
    "tests/tables/test_playing.py",
    "tests/client/test_honest_house.py",
    "tests/playing/test_playing.py",
    "tests/long/test_survival.py",
    "tests/placer/test_second_reading.py",
    "tests/verifier/test_verifier.py",
    "tests/tables/test_slips.py",
    "tests/player/test_places.py",
    "tests/audit/test_proof_house.py",
    "tests/foreign/test_go.py",
    "tests/tables/test_placing.py",
    "tests/player/test_lies.py",
    "tests/other_houses/test_foreign.py",
    "tests/service/test_processes.py",
    "tests/page/test_german.py",
    "tests/player/test_sitting.py",
    "tests/client/test_placers.py",
    "tests/witness/test_service.py",
    "tests/page/test_hands.py",
    "tests/verifier/test_frauds_too.py",
    "tests/tables/test_following.py",
    "tests/placer/test_proofs.py",
    "tests/page/test_log.py",
    "tests/test_distribution.py",
    "tests/client/test_player_places.py",
    "tests/service/test_placers.py",
    "tests/placer/test_machine.py",
    "tests/service/test_documentation.py",
    "tests/service/test_any_order.py",
    "tests/tables/test_german.py",
    "tests/tables/test_placers.py",
    "tests/placer/test_placer.py",
    "tests/client/test_player_deceived.py",
    "tests/long/test_house.py",
    "tests/player/test_honest.py",
)
"""Files that begin first, in this order, so that at the end no process is left alone with one."""

os.environ["NODE_COMPILE_CACHE"] = os.path.join(sys.prefix, "node-cache")  # Node strips types once, not at each start
MEMORY = "/dev/shm"
ROOM = 4 << 30
"""Bytes that the files of a whole run fit in, several times."""
os.environ["FAIRSHOE_HOUSES"] = os.path.join(os.devnull, "houses")  # nobody's: what this user said changes no test


def choose_folder() -> None:
    """Make a folder in memory for every temporary file, unless TMPDIR says where: thousands of commits need not wait
    for a disk. It is removed at the end."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK | os.X_OK):
        return
    if os.statvfs(MEMORY).f_flag & os.ST_NOEXEC or shutil.disk_usage(MEMORY).free < ROOM:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp(prefix="fairshoe-tests-", dir=MEMORY)
    os.chmod(tempfile.tempdir, 0o711)  # the user `postgres` has a folder in it
    atexit.register(shutil.rmtree, tempfile.tempdir, ignore_errors=True)


choose_folder()
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job that a script starts in the background ignores it

settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "both: runs on SQLite and on PostgreSQL")
    config.addinivalue_line("markers", "wire: the service of the fixture `place` has a server and a socket")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    with PostgreSQL() as server:
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


def pytest_collection_finish() -> None:
    """What was collected stays until the end: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """`tests/run` sets up everything that the tests need."""
    gc.unfreeze()
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
