"""The second reading says of every log and every hand of the corpus what is written down there."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.corpus import hands
from tests.corpus.case import FOLDER, verdicts

from .node import node
from .readings import Reading, second_outcomes, second_readings

CASES = verdicts()
AROUND = [name for name in CASES if name.startswith("around-")]
"""What is wrong there stands in the files around the entries, or in their last byte."""
VERIFY = FOLDER.parents[2] / "fairshoe" / "verifier" / "verify.mjs"
CODES = {"pass": 0, "fail": 1}


def test_every_log_has_its_verdict() -> None:
    names = [name for name in CASES if name not in AROUND]
    said = dict(zip(names, second_readings([FOLDER / name / "log.jsonl" for name in names]), strict=True))
    assert said == {name: Reading(CASES[name]["verdict"], CASES[name].get("entry")) for name in names}


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_around_a_log(name: str) -> None:
    done = subprocess.run([node(), str(VERIFY), str(FOLDER / name)], capture_output=True, text=True, timeout=60)
    assert done.returncode == CODES[CASES[name]["verdict"]], done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["verdict"] == CASES[name]["verdict"]


def test_every_hand_has_its_outcome() -> None:
    stated = {name: case["outcome"] for name, case in hands.outcomes().items()}
    files = [hands.FOLDER / f"{name}.json" for name in stated]
    assert dict(zip(stated, second_outcomes(files, hands.KEY.read_text().strip()), strict=True)) == stated
