"""`fairshoe simulate --log DIR` as a command: a whole log or none, whatever happens; what it tells and refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from fairshoe.cli import main
from fairshoe.errors import InputError
from fairshoe.log.directory import read_lines
from fairshoe.simulate.house import plan_house, write_house_log
from fairshoe.terminal import INTERRUPTED
from tests.cli.process import command_of, on_terminal, run
from tests.cli.test_terminal import AT_ONCE

KEY = bytes(range(32))
LOG = ("log.jsonl", "checkpoint", "log.vkey")


# The directory: a whole log, or none.


def test_nothing_is_written_beside_anything(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        write_house_log(tmp_path, plan_house(["casino"], 5, KEY))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_an_empty_directory_and_one_with_a_torn_file_are_written_to(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl.part").write_text("torn")
    write_house_log(tmp_path, plan_house(["casino"], 5, KEY))
    assert {path.name for path in tmp_path.iterdir()} == set(LOG)


SIMULATE = ("simulate", "--log")
SMALL_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))"


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run("fairshoe", *SIMULATE, log, "--rounds", "3000", prelude=SMALL_FILES)
    assert done.returncode == 2
    assert "cannot" in done.stderr
    assert "Traceback" not in done.stderr
    assert not log.exists()


def test_an_interrupt_leaves_nothing_and_says_so(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = started(log)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == INTERRUPTED
    assert told.decode().splitlines() == [f"fairshoe: interrupted; {log} holds no log"]
    assert not log.exists()


def test_a_kill_leaves_no_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = started(log)
    process.kill()
    process.communicate(timeout=30)
    assert [path.name for path in log.iterdir()] == ["log.jsonl.part"]


def started(log: Path) -> subprocess.Popen[bytes]:
    """A simulation that has begun to write, in a process group of its own, as a terminal would start it."""
    words = ("simulate", "--log", log, "--rounds", 10**7)
    process = subprocess.Popen(
        command_of("fairshoe", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0
    )
    part = log / "log.jsonl.part"
    end = time.monotonic() + 30
    while not part.exists() or part.stat().st_size == 0:
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.05)
    return process


# The command line.


def test_it_says_how_far_it_is_on_a_terminal(tmp_path: Path) -> None:
    words = ("--rounds", 500, "--rules", "casino")
    code, text = on_terminal("fairshoe", *SIMULATE, tmp_path / "log", *words, prelude=AT_ONCE)
    assert code == 0
    assert "rounds" in text.partition("%")[0]


def test_the_command_tells_what_it_wrote(tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run("fairshoe", *SIMULATE, log, "--rounds", "20", "--rules", "casino,boxes", "--key", KEY.hex(), "--json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert told["rules"] == ["casino", "boxes"]
    assert (told["tables"], told["rounds"], told["key"]) == (2, 20, KEY.hex())
    assert told["verifier"] == (log / "log.vkey").read_text().strip()
    assert told["entries"] == len(list(read_lines(log)))
    verified = run("fairshoe-audit", "verify", log, "--key", told["verifier"])
    assert verified.returncode == 0
    words = ("--rounds", "20", "--rules", "casino", "--rules", "boxes", "--key", KEY.hex())
    assert main([*SIMULATE, str(tmp_path / "again"), *words]) == 0
    assert all((log / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in LOG)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "--rounds"),
        (["--rounds", "5"], "rounds"),
        (["--rounds", "0"], "--rounds"),
        (["--rounds", "50", "--rules", "whist"], "whist"),
        (["--rounds", "50", "--rules", "casino,casino"], "given twice"),
        (["--rounds", "50", "--rules", "casino,"], "no rule set ''"),
        (["--rounds", "50", "--tables", "5"], "tables"),
        (["--rounds", "50", "--tables", "10001"], "tables"),
        (["--rounds", "50", "--seats", "2"], "seats"),
        (["--rounds", "50", "--seats", "8", "--rules", "casino"], "seats"),
        (["--rounds", "50", "--careless", "0.6"], "careless"),
        (["--rounds", "50", "--careless", "nan"], "careless"),
        (["--rounds", "50", "--careless", "-0.1"], "careless"),
        (["--rounds", "50", "--careless", "often"], "--careless"),
        (["--rounds", "50", "--strategy", "bicycle"], "bicycle"),
        (["--rounds", "50", "--strategy", "luck"], "luck"),
        (["--rounds", "50", "--option", "insert=61"], "insert"),
        (["--rounds", "50", "--rules", "casino", "--option", "packs=2"], "packs"),
        (["--rounds", "50", "--key", "00"], "key"),
        (["--rounds", "50", "--jobs", "2"], "--jobs"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    log = tmp_path / "log"
    assert main([*SIMULATE, str(log), *words]) == 2
    assert told in capsys.readouterr().err
    assert not log.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--rules", "casino"],
        ["--strategy", "mimic"],
        ["--rules", "casino", "--rules", "boxes", "--strategy", "mimic"],
        ["--rules", "casino", "--strategy", "mimic", "--tables", "2"],
        ["--rules", "casino", "--strategy", "mimic", "--careless", "0.1"],
    ],
)
def test_counting_needs_one_game_and_one_strategy(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["simulate", "--rounds", "5", *words]) == 2
    assert "--log" in capsys.readouterr().err
