"""Slips of the reader with an honest log: both programs end in the same exit code, and neither blames the house."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_cli.main import main
from fairshoe.log.directory import CHECKPOINT, ENTRIES, PACKED, VERIFIER, write_log
from tests.audit.planting import KEY, log
from tests.audit.proofs import file_of
from tests.house import SIGNER

from .test_verify_options import said

LINES = list(log("banker"))
UTF_16 = "a text in UTF-16"

Change = Callable[[bytes], bytes]
SLIPS: dict[str, tuple[str, str, Change, int, str]] = {
    "a packed log": (ENTRIES, PACKED, gzip.compress, 0, ""),
    "a packed log, cut short": (ENTRIES, PACKED, lambda data: gzip.compress(data)[:-9], 2, PACKED),
    "a packed log, damaged": (ENTRIES, PACKED, lambda data: gzip.compress(data)[:-8] + bytes(8), 2, PACKED),
    "a packed log under the plain name": (ENTRIES, ENTRIES, gzip.compress, 0, ""),
    "a packed web page": (ENTRIES, PACKED, lambda _: gzip.compress(b"<html>\n"), 2, "a web page"),
    "a log in bzip2": (ENTRIES, ENTRIES, bz2.compress, 2, "a bzip2 file"),
    "a log in zstd": (ENTRIES, ENTRIES, lambda data: b"\x28\xb5\x2f\xfd" + bz2.compress(data), 2, "a zstd file"),
    "a picture": (ENTRIES, ENTRIES, lambda data: b"\x89PNG\r\n\x1a\n" + data[:9], 2, "a picture (PNG)"),
    "a log in UTF-16": (ENTRIES, ENTRIES, lambda data: data.decode().encode("utf-16"), 2, UTF_16),
    "a checkpoint in UTF-16": (CHECKPOINT, CHECKPOINT, lambda data: data.decode().encode("utf-16"), 2, UTF_16),
    "a key in UTF-16": (VERIFIER, VERIFIER, lambda data: data.decode().encode("utf-16"), 2, UTF_16),
    "a checkpoint that is a web page": (CHECKPOINT, CHECKPOINT, lambda _: b"<html>\n", 2, "a web page"),
    "a key that is a web page": (VERIFIER, VERIFIER, lambda _: b"<html>\n", 2, "a web page"),
    "a checkpoint without its last line feed": (CHECKPOINT, CHECKPOINT, lambda data: data[:-1], 0, ""),
    "a checkpoint with one more": (CHECKPOINT, CHECKPOINT, lambda data: data + b"\n", 0, ""),
    "a checkpoint from an editor": (
        CHECKPOINT,
        CHECKPOINT,
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
        0,
        "",
    ),
    "a checkpoint that is no text": (CHECKPOINT, CHECKPOINT, lambda data: data[:-20] + b"\xff" + data[-20:], 1, ""),
    "a key that is none": (VERIFIER, VERIFIER, lambda _: b"hello\n", 1, ""),
}
"""The file that is changed, its new name, how it is changed; the exit code, and what the error names."""


@pytest.mark.parametrize("what", SLIPS)
def test_both_programs_say_the_same(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after, change, code, word = SLIPS[what]
    write_log(tmp_path, LINES, SIGNER)
    (tmp_path / after).write_bytes(change((tmp_path / before).read_bytes()))
    if before != after:
        (tmp_path / before).unlink()
    assert main(["verify", str(tmp_path), "--format", "json"]) == code
    out, error = capsys.readouterr()
    second = said(tmp_path)
    assert second.code == code
    if code == 2:
        assert error.endswith("\n  fault:    reader\n")
        assert "\n  remedy:   " in error
        assert word in error
        assert word in second.error
        assert second.error.count("\n") == 1
    else:
        assert (out != "", second.last["entries"]) == (True, len(LINES))
        assert {group["fault"] for group in json.loads(out)["groups"]} <= {"unknown"}


PROOFS: dict[str, tuple[Change, str]] = {
    "saved by an editor": (lambda data: b"\xef\xbb\xbf" + data, "a byte order mark"),
    "packed": (gzip.compress, "a gzip file"),
    "in UTF-16": (lambda data: data.decode().encode("utf-16"), UTF_16),
}


@pytest.mark.parametrize("what", PROOFS)
def test_the_proof_of_a_hand(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, word = PROOFS[what]
    proof = tmp_path / "hand.json"
    proof.write_bytes(change(file_of(LINES, "banker#3")))
    assert main(["hand", str(proof), "--key", KEY]) == 2
    error = capsys.readouterr().err
    second = said(proof, "--key", KEY)
    assert second.code == 2
    assert word in error
    assert word in second.error
    assert "fairshoe-audit hand" not in error
    assert error.endswith("\n  fault:    reader\n")
