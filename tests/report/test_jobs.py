"""A report by several processes: the same bytes, whatever shares of its tables they have."""

import json
from pathlib import Path

import pytest

from audit_cli import verify
from audit_cli.report.blocks import PROFILES
from audit_cli.report.making import Made, make
from audit_cli.workers import processes
from tests.simulated import simulated

HIGH = PROFILES["99"]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine tables, of which some are busier than others; void shoes, late seeds, several starts of nothing."""
    return simulated(tmp_path_factory.mktemp("log") / "house", rounds=180, tables=9, careless=0.1)


@pytest.fixture(scope="module")
def alone(log: Path) -> Made:
    """By one process."""
    return make(log, HIGH, key=(log / "log.vkey").read_text())


def reported(log: Path, jobs: int) -> Made:
    with processes(jobs) as workers:
        return make(log, HIGH, key=(log / "log.vkey").read_text(), workers=workers)


@pytest.mark.parametrize("jobs", [2, 20])
def test_the_same_bytes(log: Path, alone: Made, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_pass(*_: object) -> None:
        pytest.fail("the log was audited in one pass")

    monkeypatch.setattr(verify, "_one_pass", one_pass)
    made = reported(log, jobs)
    assert json.dumps(made.as_json()) == json.dumps(alone.as_json())
    assert made.html() == alone.html()


def test_what_is_wrong_is_told_alike(log: Path, tmp_path: Path) -> None:
    """Something is found in a share, and one pass has the last word: what the shares counted is forgotten."""
    for name in ("checkpoint", "log.vkey"):
        (tmp_path / name).write_bytes((log / name).read_bytes())
    data = (log / "log.jsonl").read_bytes()
    (tmp_path / "log.jsonl").write_bytes(data.replace(b'"net":-', b'"net":-1', 1))
    alone = make(tmp_path, HIGH, key=(log / "log.vkey").read_text())
    assert json.dumps(reported(tmp_path, 2).as_json()) == json.dumps(alone.as_json())


def test_one_table_is_one_share(tmp_path: Path) -> None:
    log = simulated(tmp_path / "log", ["casino"], rounds=60)
    alone = make(log, HIGH, key=(log / "log.vkey").read_text())
    assert json.dumps(reported(log, 2).as_json()) == json.dumps(alone.as_json())
