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

LONGEST = """
test_compiled tables/test_playing playing/test_playing tables/test_operator tables/test_player_table
player/test_places verifier/test_frauds_too placer/test_second_reading placer/test_proofs test_distribution
tables/test_trust audit/test_receipts player/test_lies verifier/test_verifier service/test_processes
long/test_survival client/test_placers tables/test_placing audit/test_frauds placer/test_machine foreign/test_go
audit/test_hand_shoe player/test_sitting tables/test_following ceremony/test_machine tables/test_slips
service/test_turns client/test_honest_house page/test_hands page/test_german service/test_placers audit/test_hand
long/test_house tables/test_placers client/test_player_deceived page/test_log tables/test_rules_pages
audit/test_shares audit/test_proof_house ceremony/test_progress service/test_documentation service/test_following
placer/test_openings audit/test_order other_houses/test_foreign service/test_any_order page/test_giving
"""
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
if "PYTEST_XDIST_WORKER" in os.environ:
    gc.disable()  # until all tests are collected: what is made for them stays
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
    order = {f"tests/{name}.py": number for number, name in enumerate(LONGEST.split())}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


def pytest_collection_finish() -> None:
    """What was collected stays until the end: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """`tests/run` sets up everything that the tests need."""
    gc.unfreeze()
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
