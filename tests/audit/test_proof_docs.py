"""docs/proof.md and its check.py: the program is a verifier, and what the page says of the code is so."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from fairshoe.log.hand_proof import KIND, MAX_ENTRIES, MAX_PROOF, VERSION
from tests.house import SIGNER
from tests.witness.logs import WITNESS

from .proofs import GAMES, VECTORS, proven
from .telling import said
from .test_proof_beside import cosigned
from .test_proof_house import mutated

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/proof.md").read_text(encoding="utf-8")
CHECK = VECTORS / "check.py"


def example() -> Any:
    module = ModuleType("example")
    exec((ROOT / CHECK).read_text(encoding="utf-8"), module.__dict__)
    return module


def test_the_example_prints_what_the_page_says() -> None:
    (printed,) = re.findall(r"```text\n(.*?)```", TEXT, re.S)
    arguments = [sys.executable, str(CHECK), str(VECTORS / "banker.json"), str(VECTORS / "key")]
    assert subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=ROOT).stdout == printed


@pytest.mark.parametrize("rules", GAMES)
def test_the_example_reads_the_proof_of_each_game(rules: str) -> None:
    """Of some kilobytes; cosignatures it passes over."""
    entries = list(example().entries_of((ROOT / VECTORS / f"{rules}.json").read_bytes(), str(SIGNER.verifier)))
    form = json.loads(proven(rules))
    assert len(proven(rules)) < 8_000
    assert list(example().entries_of(cosigned(rules, WITNESS), str(SIGNER.verifier))) == entries
    assert entries == [(entry["index"], json.loads(entry["line"])) for entry in form["entries"]]


def test_the_example_refuses_a_changed_byte_too() -> None:
    """But for the name of the round, which it does not read."""
    chance, data, verifier = Random(7), proven("casino"), example()
    named = data.index(b'"round":"', data.index(KIND.encode()))
    for number in range(60):
        other = mutated(data, number, chance)
        if other in (data, data[:named] + other[named:]):
            continue
        with pytest.raises(Exception):  # noqa: B017, PT011
            list(verifier.entries_of(other, str(SIGNER.verifier)))


def test_the_command_that_is_shown_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (line,) = (line for line in TEXT.splitlines() if line.startswith("fairshoe-audit hand docs/"))
    assert said(*shlex.split(line)[1:]).code == 0


def test_bounds_and_names_are_those_of_the_code() -> None:
    assert f"At most {MAX_PROOF:,} bytes" in TEXT
    assert f"1 to {MAX_ENTRIES:,}, by rising" in TEXT
    assert f"- `kind` (text): `{KIND}`" in TEXT
    assert f"- `v` (integer): {VERSION}, the version" in TEXT
