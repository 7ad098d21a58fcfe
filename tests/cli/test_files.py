"""What stands where a file may: `-` is standard input, and nothing that might have no end is read."""

from __future__ import annotations

import json
import os
import pty
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairshoe import commit, french
from fairshoe.log.directory import CHECKPOINT, ENTRIES, write_log
from tests.audit.planting import KEY, log
from tests.house import SIGNER

from .process import check_told, run

LINES = list(log("banker"))
SHUFFLE = ("shuffle", "--key", "00" * 32, "--shoe", "s", "--first", "1", "--deck")
ROUND = ("--round", "1")
READERS = {
    "a proof": ("fairshoe", ["verify", "FILE"]),
    "a deck": ("fairshoe", [*SHUFFLE, "@FILE"]),
    "a log": ("fairshoe-audit", ["verify", "FILE"]),
    "a log with a hand": ("fairshoe-audit", ["hand", "FILE", *ROUND]),
    "a log with refunds": ("fairshoe-audit", ["refunds", "FILE"]),
    "a checkpoint": ("fairshoe-audit", ["verify", "LOG", "--checkpoint", "FILE"]),
    "a key": ("fairshoe-audit", ["verify", "LOG", "--key", "FILE"]),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log")
    write_log(path, LINES, SIGNER)
    return path


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
    else:
        path = Path("/dev") / kind
    yield path


@pytest.mark.parametrize(
    ("what", "kind"),
    [(what, kind) for what in READERS for kind in ("zero", "pipe")]
    + [(what, kind) for what in ("a proof", "a log", "a key") for kind in ("null", "tty", "full", "link", "socket")],
)
def test_what_is_no_file_is_refused_before_it_is_read(what: str, kind: str, folder: Path, tmp_path: Path) -> None:
    program, words = READERS[what]
    with special(kind, tmp_path) as path:
        names = {"FILE": str(path), "LOG": str(folder), "OUT": str(tmp_path / "report")}
        words = [names.get(word, word) for word in words]
        told = check_told(program, run(program, *[word.replace("@FILE", f"@{path}") for word in words], timeout=20))
    assert told["remedy"]
    assert told.get("fault") in (None, "reader")
    assert not (tmp_path / "report").exists()


@pytest.mark.parametrize("what", [name for name in READERS if name != "a key to sign with"])
@pytest.mark.parametrize("stream", ["/dev/zero", "/dev/null", "terminal", "closed"])
def test_standard_input_that_is_no_stream_of_a_file_is_refused(what: str, stream: str, folder: Path) -> None:
    program, words = READERS[what]
    words = [{"FILE": "-", "LOG": str(folder), "@FILE": "@-"}.get(word, word) for word in words]
    if stream == "closed":
        done = run(
            "fairshoe" if program == "fairshoe" else program, *words, prelude="import os\nos.close(0)", timeout=20
        )
    elif stream == "terminal":
        main, side = pty.openpty()
        done = run(program, *words, stdin=side, timeout=20)
        os.close(main)
        os.close(side)
    else:
        with open(stream, "rb") as device:
            done = run(program, *words, stdin=device, timeout=20)
    told = check_told(program, done)
    assert "standard input is " in told["what"]
    assert told["remedy"]


@pytest.mark.parametrize("what", READERS)
def test_a_name_of_nothing_and_a_folder_of_nothing(what: str, folder: Path, tmp_path: Path) -> None:
    program, words = READERS[what]
    for path in (tmp_path / "nothing", tmp_path):
        names = {"FILE": str(path), "LOG": str(folder), "OUT": str(tmp_path / "report")}
        given = [names.get(word, word) for word in words]
        check_told(program, run(program, *[word.replace("@FILE", f"@{path}") for word in given]))


@pytest.mark.parametrize("what", ["a proof", "a deck", "a checkpoint", "a key"])
def test_a_small_file_without_end_is_not_read_to_its_end(what: str, folder: Path) -> None:
    program, words = READERS[what]
    words = [{"FILE": "-", "LOG": str(folder), "@FILE": "@-"}.get(word, word) for word in words]
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        os.execvp("cat", ["cat", "/dev/zero"]) if os.dup2(writing, 1) else os._exit(1)
    os.close(writing)
    done = run(program, *words, stdin=reading, timeout=50)
    os.close(reading)
    os.wait()
    check_told(program, done)


def test_a_proof_and_a_deck_from_standard_input() -> None:
    shoe = commit("s", french(1)).seal()
    done = run("fairshoe", "verify", "-", input=shoe.reveal().to_json().encode())
    assert done.returncode == 0
    done = run("fairshoe", *SHUFFLE, "@-", input=b"only\n")
    assert (done.returncode, done.stdout) == (0, "only\n")


def test_a_log_from_standard_input_has_no_checkpoint_beside_it(folder: Path) -> None:
    """Not even where the present folder has one."""
    data = (folder / ENTRIES).read_bytes()
    done = run("fairshoe-audit", "verify", "-", "--format", "json", input=data, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "checkpoint-missing" in [finding["code"] for finding in json.loads(done.stdout)["findings"]]
    for words in (["hand", "-", *ROUND], ["refunds", "-"]):
        done = run("fairshoe-audit", *words, input=data, cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_key_and_a_checkpoint_from_standard_input(folder: Path) -> None:
    for option, data, check in (
        ("--key", KEY.encode() + b"\n", "signature"),
        ("--checkpoint", (folder / CHECKPOINT).read_bytes(), "remembered"),
    ):
        done = run("fairshoe-audit", "verify", folder, option, "-", "--format", "json", input=data)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["checks"][check] == "pass"


@pytest.mark.parametrize(
    "words", [["-", "--key", "-"], ["-", "--checkpoint", "-"], ["LOG", "--checkpoint", "-", "--checkpoint", "-"]]
)
def test_standard_input_is_read_once(words: list[str]) -> None:
    done = run("fairshoe-audit", "verify", *words, input=b"")
    assert "standard input can be read once" in check_told("fairshoe-audit", done)["what"]


def test_a_line_without_end_in_a_log_is_bounded(folder: Path) -> None:
    first = LINES[0] + b"\n"
    done = run("fairshoe-audit", "verify", "-", input=first + b"a" * (64 << 20), timeout=50)
    assert done.returncode in (1, 2)
    assert len(done.stdout + done.stderr) < 1 << 16
