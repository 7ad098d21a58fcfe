"""`verify --follow`: a log is audited while somebody else writes it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from audit_cli import follow
from audit_cli.findings.report import Report
from audit_cli.main import main
from audit_cli.resume import Given
from audit_cli.verify import verify
from fairshoe.errors import NotALog
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.tree import Tree
from fairshoe.terminal.durable import replace
from tests.house import SIGNER

from . import frauds
from .planting import FRAUDS, KEY, log

GIVEN = Given(KEY)
LONG = 60.0
"""Seconds after which something does not come any more."""
WRITER = """
import sys, time
from pathlib import Path
from tests.audit.test_follow import append, log
folder, name, step = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
lines = log(name)
for start in range(0, len(lines), step):
    append(folder, lines[:start], lines[start:start + step], torn=True)
    time.sleep(0.05)
"""


def append(folder: Path, before: Any, lines: Any, *, torn: bool = False) -> None:
    """What a house or a pull does: the entries, then the checkpoint that covers them; `torn`: a line comes in parts."""
    folder.mkdir(exist_ok=True)
    with open(folder / "log.jsonl", "ab") as file:
        for line in lines:
            for part in (line[:20], line[20:] + b"\n") if torn else (line + b"\n",):
                file.write(part)
                if torn:
                    file.flush()
    tree = Tree()
    for line in (*before, *lines):
        tree.append(line)
    replace(folder / "log.vkey", f"{SIGNER.verifier}\n")
    replace(folder / "checkpoint", Checkpoint(SIGNER.verifier.name, tree.size, tree.root).signed(SIGNER))


class Reader(threading.Thread):
    """Looks again and again; the test says when to stop by setting `enough`."""

    def __init__(self, folder: Path, file: Path | None = None, given: Given = GIVEN) -> None:
        super().__init__(daemon=True)
        self.told: list[tuple[int, str]] = []
        self.said: list[str] = []
        self.failed: Report | None = None
        self.follower = follow.Follower(folder, given, file, self._tell, self.said.append)
        self.enough = threading.Event()
        self.start()

    def _tell(self, report: Report) -> None:
        self.told.append((report.log.size, json.dumps(report.as_json())))

    def run(self) -> None:
        while not self.enough.is_set():
            if self.follower.look():
                self.failed = self.follower.report
                return
            time.sleep(0.01)

    def until(self, size: int) -> str:
        """The report at that size."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            found = [report for told, report in self.told if told == size]
            if found:
                return found[-1]
            assert self.is_alive() or self.failed is not None
            time.sleep(0.01)
        raise AssertionError(f"no report of {size} entries; there are {[told for told, _ in self.told]}")


@contextmanager
def reading(folder: Path, file: Path | None = None, given: Given = GIVEN) -> Iterator[Reader]:
    reader = Reader(folder, file, given)
    try:
        yield reader
    finally:
        reader.enough.set()
        reader.join(LONG)


@pytest.mark.parametrize("name", ["casino", "lounge", "everything"])
def test_each_verdict_is_that_of_one_pass(name: str, tmp_path: Path) -> None:
    lines, folder = log(name), tmp_path / "log"
    folder.mkdir()
    with reading(folder) as reader:
        for start in range(0, len(lines), step := max(9, len(lines) // 7)):
            append(folder, lines[:start], lines[start : start + step])
            size = min(start + step, len(lines))
            assert reader.until(size) == json.dumps(verify(folder, key=KEY).as_json())
    assert not reader.said


def test_remembered_checkpoints_and_more_entries_than_are_looked_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit_cli.verify.FIRST_LOOK", 20)
    lines, folder, old = log("casino"), tmp_path / "log", tmp_path / "old"
    write_log(old, lines[:15], SIGNER)
    folder.mkdir()
    given = Given(KEY, [old / "checkpoint"])
    with reading(folder, given=given) as reader:
        for start, end in ((0, 18), (18, 30), (30, 60), (60, len(lines))):
            append(folder, lines[:start], lines[start:end])
            wanted = verify(folder, key=KEY, remembered=given.remembered)
            assert reader.until(end) == json.dumps(wanted.as_json())
            assert not wanted.failed


def test_a_process_appends_while_another_follows(tmp_path: Path) -> None:
    folder, state = tmp_path / "log", tmp_path / "state"
    folder.mkdir()
    asked = ["verify", str(folder), "--key", KEY, "--follow", "--format", "jsonl", "--resume", str(state)]
    with subprocess.Popen(
        [sys.executable, "-m", "audit_cli.main", *asked], stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdout is not None
        subprocess.run([sys.executable, "-c", WRITER, str(folder), "casino", "9"], check=True)
        told: list[dict[str, Any]] = []
        while not told or told[-1]["size"] < len(log("casino")):
            told.append(json.loads(reader.stdout.readline()))
        reader.send_signal(signal.SIGTERM)
        rest = reader.stdout.read().splitlines()
        assert reader.wait(LONG) == 0
    assert all(each["type"] == "checkpoint" and not each["failed"] for each in told)
    assert json.loads(rest[0]) == {"type": "report"} | {
        key: value for key, value in verify(folder, key=KEY).as_json().items() if key not in ("groups", "findings")
    }
    assert state.exists()
    assert main(["verify", str(folder), "--key", KEY, "--resume", str(state)]) == 0


def test_it_ends_at_once_where_something_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in FRAUDS if case.code == "payout-differs" and case.module.startswith(frauds.__name__))
    write_log(tmp_path, case.plant().lines, SIGNER)
    assert main(["verify", str(tmp_path), "--key", KEY, "--follow"]) == 1
    assert "payout-differs" in capsys.readouterr().out


def test_entries_that_nobody_signed_wait(tmp_path: Path) -> None:
    lines = log("banker")
    append(tmp_path, (), lines[:10])
    with open(tmp_path / "log.jsonl", "ab") as file:
        file.write(b"".join(line + b"\n" for line in lines[10:15]) + lines[15][:9])
    with reading(tmp_path) as reader:
        reader.until(10)
        (tmp_path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines[:10]))
        append(tmp_path, lines[:10], lines[10:])
        reader.until(len(lines))
    assert [size for size, _ in reader.told] in ([10, len(lines)], [10, 10, len(lines)])


def test_a_checkpoint_that_changes_before_each_look_is_audited_all_the_same(tmp_path: Path) -> None:
    lines, folder, told = log("casino"), tmp_path / "log", []
    folder.mkdir()
    follower = follow.Follower(folder, GIVEN, None, lambda report: told.append(report.log.size), print)
    for start in range(0, len(lines), 20):
        append(folder, lines[:start], lines[start : start + 20])
        assert not follower.look()
        assert told[-1] == min(start + 20, len(lines))


def test_a_copy_in_its_place_that_begins_alike_goes_on(tmp_path: Path) -> None:
    lines = log("banker")
    append(tmp_path, (), lines[:10])
    with reading(tmp_path) as reader:
        reader.until(10)
        (tmp_path / "copy").write_bytes(b"".join(line + b"\n" for line in lines))
        os.replace(tmp_path / "copy", tmp_path / "log.jsonl")
        append(tmp_path, lines, ())
        assert reader.until(len(lines)) == json.dumps(verify(tmp_path, key=KEY).as_json())
    assert "replaced" in reader.said[0]


def test_another_log_in_its_place_fails(tmp_path: Path) -> None:
    append(tmp_path, (), log("banker"))
    with reading(tmp_path) as reader:
        reader.until(len(log("banker")))
        (tmp_path / "log.jsonl").unlink()
        append(tmp_path, (), log("casino"))
        reader.join(LONG)
    assert reader.failed is not None
    assert {"remembered-differs", "memory-differs"} & {f.code for f in reader.failed.findings}
    assert "replaced" in reader.said[0]


def test_a_file_that_stays_short_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "COPYING", 0.05)
    lines = log("banker")
    append(tmp_path, (), lines)
    with reading(tmp_path) as reader:
        reader.until(len(lines))
        (tmp_path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines[:10]))
        reader.join(LONG)
    assert reader.failed is not None
    assert "log-truncated" in {f.code for f in reader.failed.findings}


def test_what_cannot_be_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path / "log", log("banker"), SIGNER)
    os.replace(tmp_path / "log" / "log.jsonl", tmp_path / "other.jsonl")
    for log_given in (Path("-"), tmp_path / "other.jsonl", tmp_path / "nothing"):
        with pytest.raises(NotALog, match="followed"):
            follow.Follower(log_given, Given(), None, print, print)
    asked = ["verify", str(tmp_path / "log"), "--follow"]
    assert main([*asked, "--format", "json"]) == 2
    assert main([*asked, "--before", str(tmp_path)]) == 2
    write_log(tmp_path / "copy", log("banker"), SIGNER)
    assert main([*asked, "--checkpoint", str(tmp_path / "copy")]) == 2
    assert main([*asked, "--subset", "1/2"]) == 2
    assert main([*asked, "--witness", KEY]) == 2
    told = capsys.readouterr().err
    assert "--subset-seed" in told
    assert "a copy of a log" in told
