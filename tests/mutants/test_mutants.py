"""The tool that plants mutants: what it changes, which of them live, and that the working tree stays as it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .making import ROOT, mutants_of, text

COUNTING = '''"""Text, and nothing to change: 1 < 2."""

from __future__ import annotations

__all__ = ["down", "larger"]


def larger(one: int, other: int = 1) -> int:
    """The larger one."""
    if one > other:
        return one
    if one < 0:
        raise ValueError(f"{one} is below {0}")
    return other


def down(number: int) -> int:
    while number > 0:
        number -= 1
    return number
'''
TEST = """
from counting import down, larger


def test_counting():
    assert [larger(2, 1), larger(1, 2), down(3)] == [2, 2, 0]
"""
RUN = """
import sys
from pathlib import Path
from tests.mutants.making import mutants_of
from tests.mutants.running import Limits, fates
folder = Path(sys.argv[1])
mutants = mutants_of({"counting": folder / "counting.py"})
chosen = [mutant for mutant in mutants if any(words in str(mutant) for words in sys.argv[2:])]
for mutant, code in fates([(mutant, [[folder / "test_counting.py"]]) for mutant in chosen], Limits(2, 60), 2):
    print(code, str(mutant).split("  ", 1)[1])
"""


def planted(folder: Path) -> Path:
    (folder / "counting.py").write_text(COUNTING)
    (folder / "test_counting.py").write_text(TEST)
    return folder


def test_what_is_changed(tmp_path: Path) -> None:
    mutants = mutants_of({"counting": planted(tmp_path) / "counting.py"})
    assert [f"{text(mutant.old)} → {text(mutant.new)}" for mutant in mutants] == [
        "def larger: … → def larger: return one",
        "def larger: … → def larger: return other",
        "return one → return None",
        "return one → return other",
        "return other → return None",
        "return other → return one",
        "1 → 2",
        "1 → 0",
        "one > other → one <= other",
        "one > other → one >= other",
        "one < 0 → one >= 0",
        "one < 0 → one <= 0",
        "0 → 1",
        "0 → -1",
        "raise ValueError(f'{one} is below {0}') → pass",
        "def down: … → def down: return number",
        "return number → return None",
        "number > 0 → number <= 0",
        "number > 0 → number >= 0",
        "0 → 1",
        "0 → -1",
        "number -= 1 → pass",
        "number -= 1 → number += 1",
        "1 → 2",
        "1 → 0",
    ]


def test_a_planted_mutant_is_killed_and_a_meaningless_one_lives(tmp_path: Path) -> None:
    folder = planted(tmp_path)
    before = (folder / "counting.py").read_bytes()
    chosen = ["one > other", "return one  →  return None", "number -= 1  →  pass"]
    asked = [sys.executable, "-c", RUN, str(folder), *chosen]
    paths = os.pathsep.join([str(ROOT), str(folder)])
    ran = subprocess.run(asked, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    said = [line.split("    in  ")[0].partition(" ") for line in ran.stdout.splitlines()]
    fates = {what: code for code, _, what in said}
    assert fates == {
        "return one  →  return None": "1",
        "one > other  →  one <= other": "1",
        "one > other  →  one >= other": "0",
        "number -= 1  →  pass": "-27",
    }, "-27: it was ended, since it would have run for ever"
    assert (folder / "counting.py").read_bytes() == before
