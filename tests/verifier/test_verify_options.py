"""`node verify.mjs`: what was remembered, witnesses, and input that means no good."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fairshoe.log.directory import CHECKPOINT, write_log
from fairshoe.log.hand_proof import proof_over, proof_text
from tests.audit.planting import KEY, log
from tests.audit.proofs import entries_for, file_of, note_over
from tests.audit.tiled import export_copy
from tests.cosigner import Cosigner
from tests.house import SIGNER, honest
from tests.kept import Played

from .node import node

VERIFY = Path(__file__).parents[2] / "fairshoe" / "verifier" / "verify.mjs"
WITNESS = Cosigner("witness.example/w", b"w" * 32)
OTHER = Cosigner("other.example/w", b"o" * 32)
TIME = 1_770_000_000


class Said(NamedTuple):
    code: int
    last: dict[str, Any]
    error: str


def said(*words: object) -> Said:
    done = subprocess.run([node(), str(VERIFY), *map(str, words)], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    return Said(done.returncode, json.loads(lines[-1]) if lines else {}, done.stderr)


@pytest.fixture
def casino(tmp_path: Path) -> Path:
    write_log(tmp_path / "log", log("casino"), SIGNER)
    return tmp_path / "log"


def test_a_remembered_checkpoint(casino: Path, tmp_path: Path) -> None:
    write_log(tmp_path / "old", log("casino")[:20], SIGNER)
    write_log(tmp_path / "fork", [*log("casino")[:20], *honest("banker", 1, seats=(1,)).lines], SIGNER)
    write_log(tmp_path / "longer", [*log("casino"), *honest("banker", 1, seats=(1,)).lines], SIGNER)
    for old in (tmp_path / "old", tmp_path / "old" / CHECKPOINT, casino):
        told = said(casino, "--key", KEY, "--checkpoint", old)
        assert (told.code, told.last["checkpoint"]) == (0, "pass")
    for old in (tmp_path / "fork", tmp_path / "longer"):
        told = said(casino, "--key", KEY, "--checkpoint", old)
        assert (told.code, told.last["checkpoint"]) == (1, "fail")
    name = "casino#3"
    (tmp_path / "hand.json").write_bytes(file_of(log("casino"), name))
    assert said(casino, "--key", KEY, "--checkpoint", tmp_path / "hand.json").last["checkpoint"] == "pass"
    assert said(tmp_path / "hand.json", "--key", KEY, "--checkpoint", casino).code == 0
    assert said(tmp_path / "hand.json", "--key", KEY, "--checkpoint", tmp_path / "old").code == 2
    assert said(casino, "--key", KEY, "--checkpoint", tmp_path / "nothing").code == 2


def test_witnesses(casino: Path) -> None:
    both = ["--witness", WITNESS.key, "--witness", OTHER.key]
    assert said(casino, "--key", KEY, "--witness", WITNESS.key).code == 1
    note = (casino / CHECKPOINT).read_text()
    text = note[: note.index("\n\n") + 1]
    (casino / CHECKPOINT).write_text(note + WITNESS.cosign(text, TIME))
    told = said(casino, "--key", KEY, "--witness", WITNESS.key)
    assert (told.code, told.last["witnesses"]) == (0, 1)
    assert said(casino, "--key", KEY, *both).code == 1
    (casino / CHECKPOINT).write_text(note + WITNESS.cosign(text, TIME) + OTHER.cosign(text, TIME))
    told = said(casino, "--key", KEY, *both)
    assert (told.code, told.last["witnesses"]) == (0, 2)


def test_tiles_are_the_auditors(casino: Path, tmp_path: Path) -> None:
    tiles = tmp_path / "tiles"
    export_copy(casino, tiles)
    refused = said(tiles, "--key", KEY)
    assert refused.code == 2
    assert "fairshoe-audit" in refused.error


def proof_of(game: Played, lines: list[bytes], name: str) -> str:
    note, leaves = note_over(lines, game.signer)
    return proof_text(proof_over(name, note, entries_for(lines, name), leaves.node))


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
def test_what_is_no_log(what: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(HOSTILE[what])
    told = said(tmp_path / "log.jsonl")
    assert (told.code, told.last) == (2, {})
    assert told.error.startswith("verify: ")


@pytest.mark.parametrize("what", [what for what in HOSTILE if what != "empty"])
def test_lines_among_others(what: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(log("banker")) + b"\n" + HOSTILE[what])
    told = said(tmp_path / "log.jsonl")
    assert (told.code, told.last["verdict"]) == (1, "fail")


def test_special_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    assert said(tmp_path).code == 2
    assert said(tmp_path / "log.jsonl").code == 2
    (tmp_path / "log").mkdir()
    assert said(tmp_path / "log").code == 2
    assert said(tmp_path, "--what", "x").code == 2
    assert said().code == 2
