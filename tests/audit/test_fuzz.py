"""Two thousand changed files before every command that reads one; `python -m tests.long.fuzz` takes many more."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.long import fuzz
from tests.long.fuzzing import running
from tests.long.fuzzing.cases import case

FILES = 2000
ROOT = Path(__file__).parents[2]


def test_no_changed_file_makes_a_command_fall_over_steer_a_terminal_or_pass() -> None:
    seen = fuzz.fuzzed(seed=1, files=FILES, jobs=min(2, os.cpu_count() or 1))
    assert not seen.faults, fuzz.summary(seen, FILES, 1, 0)
    assert {0, 1, 2} == seen.codes.keys()


def test_processes_hash_seeds_and_locales_change_nothing() -> None:
    """Two processes elsewhere say what two here do, to the byte."""
    here = fuzz.fuzzed(seed=2, files=60, jobs=2)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77", "LC_ALL": "C"}
    elsewhere = {"PYTHONUTF8": "0", "TZ": "Asia/Tokyo", "COLUMNS": "40", "TERM": "xterm"}
    command = [sys.executable, "-m", "tests.long.fuzz", "--files", "60", "--seed", "2", "--jobs", "1"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment | elsewhere, cwd=ROOT, timeout=120, check=False
    )
    assert done.stderr == ""
    assert f"digest {here.digest.hex()[:16]}, 0 faults" in done.stdout


def test_a_case_repeats_and_is_shown_with_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert case(1, 5) == case(1, 5) != case(2, 5)
    assert fuzz.main(["--case", "5", "--keep", str(tmp_path)]) == 0
    assert "exit code" in capsys.readouterr().out
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} >= {*case(1, 5).files}


def crashes(argv: list[str]) -> int:
    raise KeyError(argv[0])


def steers(argv: list[str]) -> int:
    sys.stdout.buffer.write("FAIL: \x9b31m\u202e\n".encode())
    return 1


def approves(argv: list[str]) -> int:
    print("PASS: all is well\nPASS: all is well")
    return 0


def ends_otherwise(argv: list[str]) -> int:
    raise SystemExit(70)


NUMBERS = count()


def wavers(argv: list[str]) -> int:
    print(f"FAIL: {next(NUMBERS)}\nFAIL: nothing")
    return 1


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (crashes, "raised KeyError"),
        (steers, "U+009B"),
        (steers, "U+202E"),
        (approves, "a false pass"),
        (approves, "not readable as json"),
        (ends_otherwise, "exit code 70"),
        (wavers, "something else when asked again"),
    ],
)
def test_the_fuzzer_sees(program: Callable[[list[str]], int], wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with each defect is faulted for it."""
    for name in running.PROGRAMS:
        monkeypatch.setitem(running.PROGRAMS, name, program)
    seen = fuzz.fuzzed(seed=1, files=40)
    assert any(wanted in fault.what for fault in seen.faults)
    assert fuzz.main(["--files", "40", "--jobs", "1"]) == 1
