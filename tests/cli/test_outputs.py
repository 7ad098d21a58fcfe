"""`fairshoe-audit verify --output`: several forms in one run, whole or not at all, never over what is read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from tests.audit.planting import encoded, entries_of, log, places
from tests.house import SIGNER

from .process import check_told, run

LINES = list(log("banker"))
FORMATS = ("text", "json", "jsonl")
AUDIT = "fairshoe-audit"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    entries = entries_of("banker")
    entries[places(entries, "round")[0]]["hands"][0]["total"] = 30
    write_log(tmp_path / "bad", encoded(entries), SIGNER)
    return tmp_path / "bad"


def names(folder: Path) -> set[str]:
    return set(os.listdir(folder))


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_has_what_standard_output_would_have(form: str, folder: Path, bad: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    for audited, code in ((folder, 0), (bad, 1)):
        shown = run(AUDIT, "verify", audited, "--format", form)
        assert (shown.returncode, shown.stderr) == (code, "")
        done = run(AUDIT, "verify", audited, "--format", form, "--output", out)
        assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
        assert out.read_text(encoding="utf-8") == shown.stdout
        assert shown.stdout.endswith("\n")


def test_several_formats_in_one_run(bad: Path, tmp_path: Path) -> None:
    words = [word for form in FORMATS for word in ("--format", form, "--output", tmp_path / f"report.{form}")]
    done = run(AUDIT, "verify", bad, *words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    for form in FORMATS:
        assert (tmp_path / f"report.{form}").read_text(encoding="utf-8") == run(
            AUDIT, "verify", bad, "--format", form
        ).stdout


def test_one_of_them_may_be_standard_output(bad: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    done = run(AUDIT, "verify", bad, "--format", "text", "--format", "json", "--output", "-", "--output", out)
    assert done.stdout.startswith("FAIL: ")
    assert json.loads(out.read_text())["verdict"] == "fail"


def test_an_output_without_a_format_is_text(bad: Path, tmp_path: Path) -> None:
    assert run(AUDIT, "verify", bad, "--output", tmp_path / "report").returncode == 1
    assert (tmp_path / "report").read_text().startswith("FAIL: ")


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "text", "--format", "json"],
        ["--format", "text", "--format", "json", "--output", "a"],
        ["--format", "json", "--output", "a", "--output", "b"],
        ["--output", "a", "--output", "b"],
        ["--format", "text", "--format", "json", "--output", "-", "--output", "-"],
        ["--format", "text", "--format", "json", "--output", "a", "--output", "./a"],
    ],
)
def test_outputs_that_do_not_fit_are_wrong_usage(words: list[str], folder: Path, tmp_path: Path) -> None:
    before = names(tmp_path)
    told = check_told(AUDIT, run(AUDIT, "verify", folder, *words, cwd=tmp_path))
    assert told["usage"].startswith("fairshoe-audit verify")
    assert names(tmp_path) == before


@pytest.mark.parametrize("name", [ENTRIES, CHECKPOINT, VERIFIER])
@pytest.mark.parametrize("how", ["as it is", "by its link", "by a hard link", "through standard input"])
def test_what_is_read_is_never_written_over(name: str, how: str, folder: Path, tmp_path: Path) -> None:
    before = {path: (folder / path).read_bytes() for path in names(folder)}
    out = folder / name
    if how == "by its link":
        out = tmp_path / "link"
        out.symlink_to(folder / name)
    elif how == "by a hard link":
        out = tmp_path / "hard"
        out.hardlink_to(folder / name)
    if how == "through standard input":
        out = folder / ENTRIES
        with open(out, "rb") as stdin:
            done = run(AUDIT, "verify", "-", "--output", out, stdin=stdin)
    else:
        done = run(AUDIT, "verify", folder, "--output", out)
    assert "what is read" in check_told(AUDIT, done)["what"]
    assert {path: (folder / path).read_bytes() for path in names(folder)} == before


def test_neither_are_a_remembered_checkpoint_and_a_key(folder: Path, tmp_path: Path) -> None:
    for option, name in (("--checkpoint", CHECKPOINT), ("--key", VERIFIER)):
        kept = tmp_path / name
        kept.write_bytes((folder / name).read_bytes())
        done = run(AUDIT, "verify", folder, option, kept, "--output", kept)
        assert "what is read" in check_told(AUDIT, done)["what"]
        assert kept.read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("out", ["/dev/null", "/dev/stdout", "nowhere/report", ".", "pipe"])
def test_an_output_that_cannot_be_a_file_is_refused_before_the_audit(out: str, folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (folder / ENTRIES).write_bytes(b"no log\n")
    told = check_told(AUDIT, run(AUDIT, "verify", folder, "--output", out, cwd=tmp_path))
    assert told["what"].startswith("cannot write")
    assert not os.path.isfile("/dev/null")


def test_nothing_is_written_where_the_audit_ends_early(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    out.write_text("as it was")
    (folder / ENTRIES).write_bytes(b"no log\n")
    before = names(tmp_path)
    check_told(AUDIT, run(AUDIT, "verify", folder, "--output", out))
    assert out.read_text() == "as it was"
    assert names(tmp_path) == before


def test_a_disk_that_fills_up_leaves_every_file_as_it_was(folder: Path, tmp_path: Path) -> None:
    words = []
    for form in ("text", "json"):
        (tmp_path / form).write_text("as it was")
        words += ["--format", form, "--output", tmp_path / form]
    before = names(tmp_path)
    prelude = "import os, errno\ntimes = []\ndef full(_):\n    times.append(1)\n    if len(times) == 2:\n"
    prelude += "        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\nos.fsync = full"
    told = check_told(AUDIT, run(AUDIT, "verify", folder, *words, prelude=prelude))
    assert told["what"] == "cannot write: No space left on device"
    assert [(tmp_path / form).read_text() for form in ("text", "json")] == ["as it was"] * 2
    assert names(tmp_path) == before


def test_a_link_is_written_through(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    assert run(AUDIT, "verify", folder, "--output", tmp_path / "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith("PASS")


def test_what_is_not_complete_fails_where_that_is_required(folder: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "short", LINES[:-1], SIGNER)
    assert run(AUDIT, "verify", tmp_path / "short").returncode == 0
    assert run(AUDIT, "verify", tmp_path / "short", "--require-complete").returncode == 1
