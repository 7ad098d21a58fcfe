"""What the page tells (`fairshoe/verifier/telling`) of proofs of an honest house: the auditor's outcome, in the page's
words."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.audit.proofs import checked, file_of
from tests.house import SIGNER
from tests.simulated import simulated

from .node import node

SCRIPT = Path(__file__).parent / "support" / "tells.mjs"
KEY = str(SIGNER.verifier)
GAMES = ("banker", "boxes", "casino", "chinese", "lounge", "pontoon")
WORDS = {"PASS": "pass", "PASS so far": "bound", "FAIL": "fail", "CANNOT SAY": "unsure"}
ROUNDS = 8
Told = dict[str, Any]


def tells(files: Iterable[Path], key: str = KEY) -> list[Told]:
    given = [json.dumps({"file": str(file), "key": key}) for file in files]
    done = subprocess.run([node(), str(SCRIPT), *given], capture_output=True, text=True, timeout=120, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def rounds_of(lines: list[bytes]) -> list[str]:
    entries = [json.loads(line) for line in lines]
    return [f"{each['shoe'].rpartition('/')[0]}#{each['round']}" for each in entries if each["kind"] == "open"]


def kinds_of(lines: list[bytes]) -> list[str]:
    return [json.loads(line)["kind"] for line in lines]


@pytest.mark.parametrize("game", GAMES)
def test_honest_rounds_are_told_as_the_auditor_does(game: str, tmp_path: Path) -> None:
    """Dealt, void, not revealed, with limits that passed and reshuffles in the middle of a deal."""
    log = simulated(tmp_path / "log", [game], rounds=ROUNDS, careless=0.2)
    whole = (log / "log.jsonl").read_bytes().splitlines()
    ends = [place for place, kind in enumerate(kinds_of(whole)) if kind in ("round", "seal", "open")]
    expected: list[str] = []
    files: list[Path] = []
    for count, lines in enumerate([whole, whole[: ends[-1] + 1], whole[: ends[len(ends) // 2] + 1]]):
        for name in rounds_of(lines) if count == 0 else rounds_of(lines)[-1:]:
            data = file_of(lines, name)
            files.append(tmp_path / f"{len(files)}.json")
            files[-1].write_bytes(data)
            expected.append(WORDS[checked(data).outcome.word])
    found = tells(files)
    assert [each["verdict"] for each in found] == expected, [each["failed"] for each in found]
    assert "pass" in expected
    for each in found:
        assert each["verdict"] == "pass" or "open" in each["steps"].values()
        assert (each["cards"] > 0) == (each["steps"]["decisions"] == "pass")
    assert not [each for each in found if each["verdict"] == "pass" and each["down"]]
    assert {each["verdict"] for each in tells(files, "")} == {"bound"}
