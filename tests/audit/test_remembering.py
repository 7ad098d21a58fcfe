"""What an audit keeps of a whole log: exact however little of it is in memory."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_cli.main import main
from audit_cli.verify.run import verify
from audit_cli.verify.walk import audit
from audit_cli.verify.walk.digest_set import DigestSet
from fairshoe.errors import LogError
from fairshoe.log.directory import write_log
from tests.house import SIGNER

from .frauds import FRAUDS
from .planting import KEY, Fraud, log

REUSED = [case for case in FRAUDS if case.code.endswith("-reused")]


def record(number: int) -> bytes:
    return sha256(b"%d" % number).digest()


@given(st.lists(st.tuples(st.integers(0, 60), st.sampled_from([1, 2])), max_size=200), st.integers(1, 9))
def test_what_was_seen_is_told_at_once_and_for_ever(numbers: list[tuple[int, int]], most: int) -> None:
    seen, known = DigestSet(most), dict[bytes, int]()
    for number, mark in numbers:
        before = known.get(record(number), 0)
        assert seen.add(record(number), mark) == before
        known[record(number)] = before | mark
    assert set(seen) == known.keys()
    assert all((record(number) in seen) == (record(number) in known) for number in range(61))


@pytest.mark.parametrize("case", REUSED, ids=[case.name for case in REUSED])
def test_what_comes_twice_is_found_at_the_same_place(case: Fraud, tmp_path: Path) -> None:
    write_log(tmp_path, case.plant().lines, SIGNER)
    wanted = verify(tmp_path, key=KEY).as_json()
    with patch.object(audit, "DigestSet", lambda: DigestSet(3)):
        assert verify(tmp_path, key=KEY).as_json() == wanted


def full(*_: Any, **__: Any) -> Any:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_full_disk_is_the_machine_s_fault_and_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path, log("banker"), SIGNER)
    with patch.object(sqlite3, "connect", full), patch.object(audit, "DigestSet", lambda: DigestSet(3)):
        with pytest.raises(LogError, match="disk is full"):
            verify(tmp_path, key=KEY)
        assert main(["verify", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "TMPDIR" in told
    assert "machine" in told
