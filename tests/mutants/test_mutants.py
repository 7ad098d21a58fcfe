"""The tool that plants mutants: what it changes."""

from __future__ import annotations

from pathlib import Path

from .making import mutants_of, text

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


def test_what_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "counting.py"
    path.write_text(COUNTING)
    mutants = mutants_of({"counting": path})
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
