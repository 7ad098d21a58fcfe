"""`fairshoe-audit verify` and `explain` as a program: exit codes, JSON, what it imports, what it opens."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audit_cli.findings.finding import CHECKS, Place, next_step
from audit_cli.registry import CATALOGUE
from fairshoe.log.directory import CHECKPOINT, ENTRIES, write_log
from tests.house import SIGNER

from .planting import KEY, encoded, entries_of, log, places
from .test_evidence import OTHER

ROOT = Path(__file__).parents[2]
LINES = list(log("banker"))
REPORT = {
    "tool",
    "verdict",
    "complete",
    "log",
    "parameters",
    "tables",
    "entries",
    "shoes",
    "rounds",
    "cards",
    "open",
    "checks",
    "unchecked",
    "groups",
    "findings",
    "choices",
}
FINDING = {
    "code",
    "severity",
    "fault",
    "entry",
    "table",
    "shoe",
    "round",
    "field",
    "subject",
    "expected",
    "found",
    "cause",
    "next",
    "follows",
}


def run(*args: object, prelude: str = "") -> subprocess.CompletedProcess[str]:
    """The auditor as a process of its own; `prelude` is Python that runs before it."""
    code = f"{prelude}\nimport sys\nfrom audit_cli.main import main\nsys.exit(main())"
    command = [sys.executable, "-c", code] if prelude else [sys.executable, "-m", "audit_cli.main"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, *map(str, args)], capture_output=True, text=True, env=environment, timeout=60, check=False
    )


def check_told(stderr: str) -> None:
    """One error: what, then lines that say where, what was expected, what to do and whose fault it is."""
    head, *rest = stderr.splitlines()
    assert head.startswith("fairshoe-audit: ")
    names = [line.partition(":")[0].strip() for line in rest]
    assert set(names) <= {"where", "usage", "expected", "remedy", "fault"}
    assert names[-1] == "fault"


def audit(*args: object, prelude: str = "") -> tuple[int, dict[str, Any]]:
    done = run("verify", *args, "--format", "json", prelude=prelude)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    entries = entries_of("banker")
    entries[places(entries, "round")[0]]["hands"][0]["total"] = 30
    write_log(tmp_path / "bad", encoded(entries), SIGNER)
    return tmp_path / "bad"


# The report.


def test_a_clean_log_is_exit_0(good: Path) -> None:
    done = run("verify", good, "--key", KEY)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PASS: 50 entries, 8 shoes, 8 rounds, ")
    assert "explain limits" in done.stdout


def test_findings_are_exit_1(bad: Path) -> None:
    done = run("verify", bad)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("FAIL: ")
    for part in (
        "total-differs",
        "banker-p1's total in round banker#1 is 30, should be",
        "hands[0].total",
        "fault: house",
    ):
        assert part in done.stdout


def test_the_json_report_has_exactly_this_shape(good: Path, bad: Path) -> None:
    code, report = audit(good, "--key", KEY)
    assert (code, report["verdict"], report["findings"]) == (0, "pass", [])
    assert report.keys() == REPORT
    assert (report["entries"], report["shoes"], report["rounds"], report["open"]) == (50, 8, 8, 0)
    cards = sum(len(e["cards"]) for e in entries_of("banker") if e["kind"] == "round")
    assert report["cards"] == cards
    assert list(report["checks"]) == list(CHECKS)
    assert set(report["checks"].values()) <= {"pass", "fail", "not-checked"}
    code, report = audit(bad, "--key", KEY)
    assert (code, report["verdict"]) == (1, "fail")
    assert report.keys() == REPORT
    (finding,) = report["findings"]
    assert finding == {
        "code": "total-differs",
        "severity": "fail",
        "fault": "house",
        "entry": 6,
        "table": "banker",
        "shoe": "banker/1",
        "round": 1,
        "field": "hands[0].total",
        "subject": "banker-p1's total",
        "expected": entries_of("banker")[6]["hands"][0]["total"],
        "found": 30,
        "cause": CATALOGUE["total-differs"].cause,
        "next": next_step(CATALOGUE["total-differs"], Place("banker", "banker/1", 1)),
        "follows": None,
    }
    assert report["checks"]["cards"] == "fail"


# Signature, tree, memory.


def test_without_a_key_the_signature_is_not_checked(good: Path) -> None:
    assert audit(good)[1]["checks"]["signature"] == "not-checked"
    assert audit(good, "--key", KEY)[1]["checks"]["signature"] == "pass"


def test_the_key_may_stand_in_a_file(good: Path, tmp_path: Path) -> None:
    (tmp_path / "house.vkey").write_text(KEY + "\n")
    assert audit(good, "--key", tmp_path / "house.vkey")[1]["checks"]["signature"] == "pass"


def codes(report: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in report["findings"]]


def test_another_key_than_the_houses(good: Path) -> None:
    code, report = audit(good, "--key", OTHER.verifier)
    assert (code, codes(report)) == (1, ["key-differs"])
    assert report["checks"]["signature"] == "fail"


def test_a_tampered_checkpoint(good: Path) -> None:
    text = (good / CHECKPOINT).read_text()
    (good / CHECKPOINT).write_text(text.replace("\n50\n", "\n49\n"))
    code, report = audit(good, "--key", KEY)
    assert (code, codes(report)) == (1, ["signature-invalid", "root-differs", "entries-unsigned"])
    assert [group["code"] for group in report["groups"]] == ["signature-invalid"]


def test_a_missing_checkpoint_is_a_note_and_two_checks_not_made(good: Path) -> None:
    (good / CHECKPOINT).unlink()
    code, report = audit(good)
    assert (code, codes(report)) == (0, ["checkpoint-missing"])
    assert [report["checks"][name] for name in ("signature", "tree")] == ["not-checked"] * 2


def test_a_missing_checkpoint_fails_where_there_is_something_to_hold_it_against(good: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "old", LINES[:20], SIGNER)
    (good / CHECKPOINT).unlink()
    (good / ENTRIES).write_bytes(b"".join(line + b"\n" for line in LINES[:40]))
    for args in (("--key", KEY), ("--checkpoint", tmp_path / "old" / CHECKPOINT)):
        code, report = audit(good, *args)
        assert (code, codes(report)) == (1, ["checkpoint-required"])


def test_a_truncated_log(good: Path) -> None:
    (good / ENTRIES).write_bytes(b"".join(line + b"\n" for line in LINES[:40]))
    code, report = audit(good, "--key", KEY)
    assert code == 1
    (finding,) = report["findings"]
    assert (finding["code"], finding["expected"], finding["found"]) == ("log-truncated", 50, 40)


def test_appended_entries(good: Path) -> None:
    shutil.copytree(good, good.parent / "longer")
    write_log(good, [*LINES, *[LINES[-1]]], SIGNER)
    shutil.copy(good / ENTRIES, good.parent / "longer" / ENTRIES)
    code, report = audit(good.parent / "longer", "--key", KEY)
    assert code == 1
    assert "entries-unsigned" in codes(report)


def test_a_remembered_checkpoint_and_a_remembered_copy(good: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "old", LINES[:20], SIGNER)
    code, report = audit(good, "--checkpoint", tmp_path / "old" / CHECKPOINT, "--checkpoint", tmp_path / "old")
    assert (code, codes(report), report["checks"]["remembered"]) == (0, [], "pass")
    write_log(tmp_path / "old", [*LINES[:9], LINES[2], *LINES[10:20]], SIGNER)
    code, report = audit(good, "--checkpoint", tmp_path / "old" / CHECKPOINT)
    assert (code, codes(report), report["checks"]["remembered"]) == (1, ["remembered-differs"], "fail")
    assert report["findings"][0]["entry"] is None
    code, report = audit(good, "--checkpoint", tmp_path / "old" / ENTRIES)
    assert (code, codes(report)) == (1, ["remembered-differs"])
    assert report["findings"][0]["entry"] == 9


def test_a_checkpoint_of_another_origin(good: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "old", LINES[20:40], OTHER)
    code, report = audit(good, "--checkpoint", tmp_path / "old" / CHECKPOINT)
    assert (code, codes(report)) == (1, ["remembered-other-log"])


# Not a log, wrong usage.


@pytest.mark.parametrize("data", [b"", b"Dear reader\n", bytes(1000), b"[1, 2]\n"])
def test_what_is_no_log_is_exit_2_with_one_error(data: bytes, tmp_path: Path) -> None:
    (tmp_path / ENTRIES).write_bytes(data)
    done = run("verify", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fairshoe-audit: no ")
    assert "  expected: " in done.stderr
    check_told(done.stderr)


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    done = run("verify", tmp_path / "nowhere")
    assert done.returncode == 2
    check_told(done.stderr)
    assert "  remedy: " in done.stderr


@pytest.mark.parametrize("args", [[], ["verify"], ["verify", ".", "--format", "xml"], ["dance"]])
def test_wrong_usage_is_exit_2(args: list[str]) -> None:
    done = run(*args)
    assert done.returncode == 2
    check_told(done.stderr)
    assert "  usage:    fairshoe-audit" in done.stderr
    assert "  fault:    reader" in done.stderr


@pytest.mark.parametrize("args", [["--key", "nonsense"], ["--checkpoint", "nowhere"]])
def test_a_bad_key_or_memory_is_exit_2(args: list[str], good: Path) -> None:
    done = run("verify", good, *args)
    assert (done.returncode, done.stdout) == (2, "")
    check_told(done.stderr)


# Explain.


def test_every_code_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    from audit_cli.main import main

    for name, code in CATALOGUE.items():
        assert main(["explain", name]) == 0
        text = capsys.readouterr().out
        for part in (name, code.explain, code.check, code.severity, code.fault, code.cause):
            assert part in text
    assert main(["explain"]) == 0
    assert capsys.readouterr().out.count("\n") == len(CATALOGUE)


def test_an_unknown_code_is_exit_2() -> None:
    done = run("explain", "bad-luck")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no code 'bad-luck'" in done.stderr
    assert "explain" in done.stderr


# Offline, and without the service.

NO_SERVICE = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"flask", "flask_smorest", "sqlalchemy", "marshmallow", "uvicorn"}:
            raise ImportError("blocked: " + name)
        if name.startswith(("fairshoe.service", "fairshoe.serving")):
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, Blocked())
"""
NO_NETWORK = """
import socket
def refuse(*args, **kwargs):
    raise RuntimeError("the network was touched")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
"""


def test_it_needs_no_service_and_no_network(good: Path) -> None:
    code, report = audit(good, "--key", KEY, prelude=NO_SERVICE + NO_NETWORK)
    assert (code, report["verdict"]) == (0, "pass")
