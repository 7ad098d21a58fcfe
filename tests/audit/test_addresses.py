"""A log at an address that fsspec reads: in that library's memory and on its disk."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from audit_cli.main import main
from audit_cli.verify.evidence.address import entries_address, log_address
from audit_cli.verify.findings.report import Report
from audit_cli.verify.pool import WorkerPool
from audit_cli.verify.sharing import audit_shared
from tests.audit.test_shares import Here
from tests.simulated import simulated


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """A log in a directory, and at `memory://bucket/log`."""
    log = simulated(tmp_path / "log", rounds=12)
    memory = fsspec.filesystem("memory")
    memory.put(str(log), "/bucket/log", recursive=True)
    yield log
    memory.rm("/bucket", recursive=True)


def test_what_is_found_is_that_of_the_files(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    addresses = ("memory://bucket/log", "memory://bucket/log/log.jsonl", f"file://{log}", f"simplecache::file://{log}")
    told = []
    for name in (str(log), *addresses):
        assert main(["verify", name, "--key", str(log / "log.vkey"), "--format", "json"]) == 0
        told.append(capsys.readouterr().out)
    assert told[1:] == told[:1] * len(addresses)


def test_workers_elsewhere_read_the_address(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    shutil.copyfile(log / "log.jsonl", copy)
    report = Report()
    audit_shared(copy, report, WorkerPool(Here(), 2, True, entries_address("memory://bucket/log")))
    assert report.rounds == 12


@pytest.mark.parametrize("name", ["memory:///bucket/nothing", "memory:///bucket/log/nothing.jsonl"])
def test_nothing_lies_there(name: str, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", name]) == 2
    assert f"no such file\n  where:    {name}\n" in capsys.readouterr().err


def test_the_library_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert main(["verify", "s3://bucket/log"]) == 2
    assert "pip install '.[cluster]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("s3://bucket/log", "s3://bucket/log"),
        ("file:///tmp/log", "file:///tmp/log"),
        ("simplecache::s3://bucket/log", "simplecache::s3://bucket/log"),
        ("simplecache::file:///tmp/log", "simplecache::file:///tmp/log"),
        ("https://house.example/log", ""),
        ("folder/s3:/log", ""),
        ("c:/log", ""),
    ],
)
def test_which_names_are_addresses(given: str, address: str) -> None:
    assert log_address(Path(given)) == address
