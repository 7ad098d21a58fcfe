"""A log at an address that fsspec reads: by a stand-in for that library here, by itself in `tests.long.cluster`."""

import shutil
import sys
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from audit_cli.main import main
from audit_cli.verify.evidence.address import address_of, entries_at
from audit_cli.verify.findings.report import Report
from audit_cli.verify.pool import WorkerPool
from audit_cli.verify.sharing import audit_shared
from tests.audit.test_shares import Here
from tests.simulated import simulated


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log in a bucket, which is a directory."""

    def path_of(address: str) -> str:
        return str(tmp_path / address.removeprefix("s3://"))

    files = SimpleNamespace(
        isdir=lambda path: Path(path).is_dir(), isfile=lambda path: Path(path).is_file(), get_file=shutil.copyfile
    )
    library = ModuleType("fsspec")
    library.core = SimpleNamespace(url_to_fs=lambda address: (files, path_of(address)))  # type: ignore[attr-defined]
    library.open = lambda address, mode: SimpleNamespace(open=partial(open, path_of(address), mode))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fsspec", library)
    monkeypatch.chdir(tmp_path)
    return simulated(tmp_path / "bucket" / "log", rounds=12)


def test_what_is_found_is_that_of_the_files(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for name in (str(log), "s3://bucket/log", "s3://bucket/log/log.jsonl"):
        assert main(["verify", name, "--key", str(log / "log.vkey"), "--format", "json"]) == 0
        told.append(capsys.readouterr().out)
    assert told[1:] == told[:1] * 2


def test_workers_elsewhere_read_the_address(log: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    shutil.copyfile(log / "log.jsonl", copy)
    report = Report()
    audit_shared(copy, report, WorkerPool(Here(), 2, True, entries_at("s3://bucket/log")))
    assert report.rounds == 12


@pytest.mark.parametrize("name", ["s3://bucket/nothing", "s3://bucket/log/nothing.jsonl"])
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
    assert address_of(Path(given)) == address
