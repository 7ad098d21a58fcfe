"""What stands where a file may: `-`, what has no end, and outputs, written whole or not at all, never over inputs."""

from __future__ import annotations

import json
import os
import pty
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairshoe import commit, french
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from tests.audit.planting import KEY, log
from tests.house import SIGNER

from .process import call, check_told, run

LINES = list(log("banker"))
AUDIT = "fairshoe-audit"
SHUFFLE = ("shuffle", "--key", "00" * 32, "--shoe", "s", "--first", "1", "--deck")
READERS = {
    "a proof": ("fairshoe", ["verify", "FILE"]),
    "a deck": ("fairshoe", [*SHUFFLE, "@FILE"]),
    "a log": (AUDIT, ["verify", "FILE"]),
    "a log with a hand": (AUDIT, ["hand", "FILE", "--round", "banker#1"]),
    "a log with refunds": (AUDIT, ["refunds", "FILE"]),
    "a checkpoint": (AUDIT, ["verify", "LOG", "--checkpoint", "FILE"]),
    "a key": (AUDIT, ["verify", "LOG", "--key", "FILE"]),
}
readers = pytest.mark.parametrize("what", READERS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", LINES, SIGNER)
    return tmp_path / "log"


def words_of(what: str, folder: Path, file: Path | str) -> tuple[str, list[str]]:
    program, words = READERS[what]
    return program, [word.replace("FILE", str(file)).replace("LOG", str(folder)) for word in words]


@contextmanager
def special(kind: str, folder: Path) -> Iterator[Path]:
    """Something with a name that is no file."""
    path = folder / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            yield path
        return
    elif kind in ("folder", "nothing"):
        path = folder if kind == "folder" else path
    else:
        path = Path("/dev") / kind
    yield path


@readers
def test_what_is_no_file_is_refused_before_it_is_read(what: str, folder: Path, tmp_path: Path) -> None:
    for kind in ("zero", "null", "tty", "full", "pipe", "link", "socket", "nothing", "folder"):
        with special(kind, tmp_path) as path:
            program, words = words_of(what, folder, path)
            told = check_told(program, call(program, *words))
        assert kind in ("folder", "nothing") or told["remedy"]
        assert told.get("fault") in (None, "reader")


@readers
def test_standard_input_that_is_no_stream_of_a_file_is_refused(what: str, folder: Path) -> None:
    program, words = words_of(what, folder, "-")
    main, side = pty.openpty()
    for stream in (os.open("/dev/zero", os.O_RDONLY), os.open("/dev/null", os.O_RDONLY), side):
        told = check_told(program, call(program, *words, stdin=stream))
        os.close(stream)
        assert "standard input is " in told["what"]
        assert told["remedy"]
    os.close(main)
    if what == "a log":
        done = run(program, *words, prelude="import os\nos.close(0)")
        assert "standard input is closed" in check_told(program, done)["what"]


@pytest.mark.parametrize("what", ["a proof", "a deck", "a checkpoint", "a key"])
def test_a_small_file_without_end_is_not_read_to_its_end(what: str, folder: Path) -> None:
    program, words = words_of(what, folder, "-")
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        os.execvp("cat", ["cat", "/dev/zero"]) if os.dup2(writing, 1) else os._exit(1)
    os.close(writing)
    done = call(program, *words, stdin=reading)
    os.close(reading)
    os.wait()
    check_told(program, done)


def given(data: bytes, program: str, *words: object) -> str:
    """What a command that is fine says to this as its standard input."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        done = call(program, *words, stdin=file.fileno())
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_standard_input_may_be_what_a_file_may_be(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "The proof holds" in given(
        commit("s", french(1)).seal().reveal().to_json().encode(), "fairshoe", "verify", "-"
    )
    assert given(b"only\n", "fairshoe", *SHUFFLE, "@-") == "only\n"
    for option, data, check in (
        ("--key", KEY.encode() + b"\n", "signature"),
        ("--checkpoint", (folder / CHECKPOINT).read_bytes(), "remembered"),
    ):
        told = given(data, AUDIT, "verify", folder, option, "-", "--format", "json")
        assert json.loads(told)["checks"][check] == "pass"
    monkeypatch.chdir(folder)
    data = (folder / ENTRIES).read_bytes()
    findings = json.loads(given(data, AUDIT, "verify", "-", "--format", "json"))["findings"]
    assert "checkpoint-missing" in [finding["code"] for finding in findings], "not even that of the present folder"
    assert given(data, AUDIT, "hand", "-", "--round", "banker#1")
    assert given(data, AUDIT, "refunds", "-")


@pytest.mark.parametrize(
    "words", [["-", "--key", "-"], ["-", "--checkpoint", "-"], ["LOG", "--checkpoint", "-", "--checkpoint", "-"]]
)
def test_standard_input_is_read_once(words: list[str]) -> None:
    assert "standard input" in check_told(AUDIT, call(AUDIT, "verify", *words))["what"]


def test_a_line_without_end_in_a_log_is_bounded(folder: Path) -> None:
    done = run(AUDIT, "verify", "-", input=LINES[0] + b"\n" + b"a" * (64 << 20))
    assert done.returncode in (1, 2)
    assert len(done.stdout + done.stderr) < 1 << 16


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_file_has_what_standard_output_would_have(form: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "report").write_text("old")
    (tmp_path / "link").symlink_to("report")
    words = ("refunds", folder, "--format", form)
    shown = call(AUDIT, *words)
    done = call(AUDIT, *words, "--output", tmp_path / "link")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "report").read_text(encoding="utf-8") == shown.stdout
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("name", [ENTRIES, CHECKPOINT, VERIFIER])
@pytest.mark.parametrize("how", ["as it is", "by its link", "by a hard link", "through standard input", "elsewhere"])
def test_what_is_read_is_never_written_over(name: str, how: str, folder: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    out, other, words, stdin = folder / name, tmp_path / name, [folder], -1
    if how == "by its link":
        out = other
        out.symlink_to(folder / name)
    elif how == "by a hard link":
        out = other
        out.hardlink_to(folder / name)
    elif how == "through standard input":
        out, words, stdin = folder / ENTRIES, [Path("-")], os.open(folder / ENTRIES, os.O_RDONLY)
    elif how == "elsewhere" and name != ENTRIES:
        out = other
        out.write_bytes(before[name])
        words += [Path("--key" if name == VERIFIER else "--checkpoint"), out]
    done = call(AUDIT, "refunds", *words, "--output", out, stdin=stdin)
    assert "what is read" in check_told(AUDIT, done)["what"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert not other.exists() or other.read_bytes() == before[name]


@pytest.mark.parametrize("out", ["/dev/null", "nowhere/report", ".", "pipe", "report"])
def test_an_output_is_left_as_it_was_where_the_audit_ends_early(
    out: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can be no file is refused before the audit."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("report").write_text("as it was")
    (folder / ENTRIES).write_bytes(b"no log\n")
    before = set(os.listdir())
    told = check_told(AUDIT, call(AUDIT, "refunds", folder, "--output", out))
    assert told["what"].startswith("cannot write") == (out != "report")
    assert Path("report").read_text() == "as it was"
    assert set(os.listdir()) == before
    assert not os.path.isfile("/dev/null")


def test_a_disk_that_fills_up_leaves_the_file_as_it_was(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    out.write_text("as it was")
    before = set(os.listdir(tmp_path))
    prelude = (
        "import os, errno\ndef full(_):\n    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\nos.fsync = full"
    )
    told = check_told(AUDIT, run(AUDIT, "refunds", folder, "--output", out, prelude=prelude))
    assert told["what"].startswith("cannot write: ")
    assert out.read_text() == "as it was"
    assert set(os.listdir(tmp_path)) == before
