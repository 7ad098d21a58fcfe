"""`node verify.mjs` on the command line: proofs, tiles, and input that means no good."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fairshoe.log.directory import write_log
from fairshoe.page import BUILT
from tests.audit.planting import KEY, log
from tests.audit.proofs import file_of
from tests.audit.tiled import export_copy
from tests.house import SIGNER

from .node import node

VERIFY = BUILT / "verify.mjs"


class Said(NamedTuple):
    code: int
    last: dict[str, Any]
    error: str


def said(*words: object) -> Said:
    done = subprocess.run([node(), str(VERIFY), *map(str, words)], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    return Said(done.returncode, json.loads(lines[-1]) if lines else {}, done.stderr)


def test_tiles_are_the_auditors(tmp_path: Path) -> None:
    write_log(tmp_path / "log", log("banker"), SIGNER)
    export_copy(tmp_path / "log", tmp_path / "tiles")
    refused = said(tmp_path / "tiles", "--key", KEY)
    assert refused.code == 2
    assert "fairshoe-audit" in refused.error


def test_the_proof_of_a_hand(tmp_path: Path) -> None:
    proof = tmp_path / "hand.json"
    proof.write_bytes(file_of(log("casino"), "casino#3"))
    told = said(proof, "--key", KEY)
    assert (told.code, told.last["outcome"], told.last["round"]) == (0, "PASS", "casino#3")
    assert said(proof).code == 2
    proof.write_bytes(proof.read_bytes().replace(b"casino#3", b"casino#2"))
    assert said(proof, "--key", KEY).code == 2


HOSTILE = {
    "empty": b"",
    "no JSON": b"hello\n" * 10,
    "deep": b"[" * 60_000 + b"\n",
    "deeper": b'{"a":' * 12_000 + b"1" + b"}" * 12_000 + b"\n",
    "binary": bytes(range(256)) * 100,
    "long": b'{"kind":"table"' + b" " * 1_000_000 + b"}\n",
    "proto": b'{"__proto__":{"kind":"start"},"at":"2026-01-01T00:00:00.000000Z","kind":"constructor","v":1}\n',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_log_is_refused_alone_and_fails_among_others(what: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(HOSTILE[what])
    told = said(path)
    assert (told.code, told.last) == (2, {})
    assert told.error.startswith("verify: ")
    path.write_bytes(b"\n".join(log("banker")) + b"\n" + (HOSTILE[what] or b"\n"))
    told = said(path)
    assert (told.code, told.last["verdict"]) == (1, "fail")


def test_special_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    assert said(tmp_path).code == 2
    assert said(tmp_path / "log.jsonl").code == 2
    (tmp_path / "log").mkdir()
    assert said(tmp_path / "log").code == 2
    assert said(tmp_path, "--what", "x").code == 2
    assert said().code == 2
