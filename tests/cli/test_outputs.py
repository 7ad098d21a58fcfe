"""`--output`, such as that of `fairshoe-audit refunds`: whole or not at all, never over what is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from tests.audit.planting import log
from tests.house import SIGNER

from .process import check_told, run

LINES = list(log("banker"))
AUDIT = "fairshoe-audit"
REFUNDS = (AUDIT, "refunds")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


def names(folder: Path) -> set[str]:
    return set(os.listdir(folder))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_file_has_what_standard_output_would_have(form: str, folder: Path, tmp_path: Path) -> None:
    shown = run(*REFUNDS, folder, "--format", form)
    done = run(*REFUNDS, folder, "--format", form, "--output", tmp_path / "report")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "report").read_text(encoding="utf-8") == shown.stdout


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
            done = run(*REFUNDS, "-", "--output", out, stdin=stdin)
    else:
        done = run(*REFUNDS, folder, "--output", out)
    assert "what is read" in check_told(AUDIT, done)["what"]
    assert {path: (folder / path).read_bytes() for path in names(folder)} == before


def test_neither_are_a_remembered_checkpoint_and_a_key(folder: Path, tmp_path: Path) -> None:
    for option, name in (("--checkpoint", CHECKPOINT), ("--key", VERIFIER)):
        kept = tmp_path / name
        kept.write_bytes((folder / name).read_bytes())
        done = run(*REFUNDS, folder, option, kept, "--output", kept)
        assert "what is read" in check_told(AUDIT, done)["what"]
        assert kept.read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("out", ["/dev/null", "/dev/stdout", "nowhere/report", ".", "pipe"])
def test_an_output_that_cannot_be_a_file_is_refused_before_the_audit(out: str, folder: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (folder / ENTRIES).write_bytes(b"no log\n")
    told = check_told(AUDIT, run(*REFUNDS, folder, "--output", out, cwd=tmp_path))
    assert told["what"].startswith("cannot write")
    assert not os.path.isfile("/dev/null")


def test_nothing_is_written_where_the_audit_ends_early(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    out.write_text("as it was")
    (folder / ENTRIES).write_bytes(b"no log\n")
    before = names(tmp_path)
    check_told(AUDIT, run(*REFUNDS, folder, "--output", out))
    assert out.read_text() == "as it was"
    assert names(tmp_path) == before


def test_a_disk_that_fills_up_leaves_the_file_as_it_was(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    out.write_text("as it was")
    before = names(tmp_path)
    prelude = (
        "import os, errno\ndef full(_):\n    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\nos.fsync = full"
    )
    told = check_told(AUDIT, run(*REFUNDS, folder, "--output", out, prelude=prelude))
    assert told["what"] == "cannot write: No space left on device"
    assert out.read_text() == "as it was"
    assert names(tmp_path) == before


def test_a_link_is_written_through(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    assert run(*REFUNDS, folder, "--output", tmp_path / "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith("PASS")
