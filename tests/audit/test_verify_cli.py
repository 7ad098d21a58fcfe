"""`fairshoe-audit verify` and `explain` as a program: exit codes, JSON, what it imports, what it opens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from audit_cli.main import main
from audit_cli.verify.findings.finding import CHECKS, Place, next_step
from audit_cli.verify.registry import CATALOGUE
from fairshoe.log.directory import ENTRIES, write_log
from fairshoe.log.note import Signer
from tests.house import SIGNER

from .planting import KEY, encoded, entries_of, log, places

ROOT = Path(__file__).parents[2]
LINES = list(log("banker"))


def run(*args: object, prelude: str = "") -> subprocess.CompletedProcess[str]:
    """The auditor as a process of its own; `prelude` is Python that runs before it."""
    code = f"{prelude}\nimport sys\nfrom audit_cli.main import main\nsys.exit(main())"
    command = [sys.executable, "-c", code] if prelude else [sys.executable, "-m", "audit_cli.main"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, *map(str, args)], capture_output=True, text=True, env=environment, timeout=60, check=False
    )


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


def test_a_clean_log_is_exit_0(good: Path) -> None:
    done = run("verify", good, "--key", KEY)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PASS: 50 entries, ")
    assert "explain limits" in done.stdout


def test_the_json_report_has_exactly_this_shape(good: Path, bad: Path) -> None:
    code, report = audit(good, "--key", KEY)
    assert (code, report["verdict"], report["findings"]) == (0, "pass", [])
    assert (report["entries"], report["shoes"], report["rounds"], report["open"]) == (50, 8, 8, 0)
    cards = sum(len(e["cards"]) for e in entries_of("banker") if e["kind"] == "round")
    assert report["cards"] == cards
    assert list(report["checks"]) == list(CHECKS)
    assert set(report["checks"].values()) <= {"pass", "fail", "not-checked"}
    code, report = audit(bad, "--key", KEY)
    assert (code, report["verdict"]) == (1, "fail")
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


def refused(*args: object) -> str:
    """What is said where no verdict is: one error, with what, where, what was expected, what to do, whose fault."""
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
    head, *rest = done.stderr.splitlines()
    assert head.startswith("fairshoe-audit: ")
    names = [line.partition(":")[0].strip() for line in rest]
    assert set(names) <= {"where", "usage", "expected", "remedy", "fault"}
    assert names[-1] == "fault"
    return done.stderr


def test_what_is_no_log_is_exit_2_with_one_error(tmp_path: Path) -> None:
    (tmp_path / ENTRIES).write_bytes(b"Dear reader\n")
    assert "  expected: " in refused("verify", tmp_path)
    assert "  remedy: " in refused("verify", tmp_path / "nowhere")


def test_every_code_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for name, code in CATALOGUE.items():
        assert main(["explain", name]) == 0
        text = capsys.readouterr().out
        for part in (name, code.explain, code.check, code.severity, code.fault, code.cause):
            assert part in text
    assert main(["explain"]) == 0
    assert capsys.readouterr().out.count("\n") == len(CATALOGUE)
    assert "explain" in refused("explain", "bad-luck")


NO_SERVICE = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"flask", "apispec", "sqlalchemy", "marshmallow", "uvicorn"}:
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


# Keys of houses that were said once, a log.tar; the verdict in one line.


@pytest.fixture
def houses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings" / "houses"
    monkeypatch.setenv("FAIRSHOE_HOUSES", str(path))
    return path


def quiet(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["verify", *map(str, words), "-q"])
    return code, *capsys.readouterr()


def test_a_key_that_was_said_is_known(houses: Path, good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert quiet(capsys, good)[:2] == (
        0,
        "PASS so far: not checked: the signature, for want of the house's key (--key)\n",
    )
    code, out, told = quiet(capsys, good, "--key", KEY, "--remember")
    assert (code, out[:6]) == (0, "PASS: ")
    assert KEY in told
    assert houses.read_text() == f"{KEY}\n"
    for _ in range(2):
        code, out, told = quiet(capsys, good, "--remember")
        assert (code, out[:6], told) == (0, "PASS: ", "")
    assert houses.read_text() == f"{KEY}\n"


def test_at_a_first_use_nothing_is_proved(houses: Path, good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, told = quiet(capsys, good, "--remember")
    assert (code, out[:12]) == (0, "PASS so far:")
    assert "proves no signature" in told
    assert quiet(capsys, good)[1].startswith("PASS: ")


def test_another_key_is_no_reason_to_forget_the_one_that_is_kept(
    houses: Path, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet(capsys, good, "--remember")
    other = Signer(SIGNER.verifier.name, b"o" * 32)
    write_log(tmp_path / "other", log("banker"), other)
    assert quiet(capsys, tmp_path / "other")[0] == 1
    assert quiet(capsys, tmp_path / "other", "--remember")[0] == 1
    code, _, told = quiet(capsys, tmp_path / "other", "--remember", "--key", other.verifier)
    assert code == 2
    assert str(houses) in told
    assert houses.read_text() == f"{KEY}\n"


def test_neither_a_log_that_fails_nor_a_damaged_file_of_keys_is_taken_for_good(
    houses: Path, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (good / ENTRIES).write_bytes(b"\n".join(LINES[:-1]) + b"\n")
    assert quiet(capsys, good, "--remember")[0] == 1
    assert not houses.exists()
    houses.parent.mkdir()
    houses.write_text(f"{KEY}\nno key\n")
    code, _, told = quiet(capsys, good)
    assert code == 2
    assert f"{houses}, line 2" in told


def test_a_log_tar_is_audited(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tarfile.open(tmp_path / "log.tar", "w") as archive:
        for name in ("checkpoint", "log.vkey", "log.jsonl"):
            archive.add(good / name, name)
    assert quiet(capsys, tmp_path / "log.tar", "--key", KEY) == quiet(capsys, good, "--key", KEY)
    with tarfile.open(tmp_path / "other.tar", "w") as archive:
        archive.add(good / "checkpoint", "../checkpoint")
    code, _, told = quiet(capsys, tmp_path / "other.tar")
    assert code == 2
    assert "an archive without log.jsonl" in told
