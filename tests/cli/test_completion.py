"""Completion is click's own: the script for a shell, and what bash offers with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .process import ENVIRONMENT, ROOT

INSTALLED = Path(sys.executable).parent


def completed(program: str, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    line = [program, *words]
    name = program.replace("-", "_")
    script = f"""
        eval "$(_{name.upper()}_COMPLETE=bash_source {program})"
        COMP_WORDS=("$@") COMP_CWORD={len(words)}
        compopt() {{ echo "compopt $1 $2"; }}
        _{name}_completion {program}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**ENVIRONMENT, "PATH": f"{INSTALLED}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script, "bash", *line], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("program", "words", "offered"),
    [
        ("fairshoe", ["sh"], ["shuffle"]),
        ("fairshoe-audit", ["verify", "x", "--format", "j"], ["json", "jsonl"]),
        ("fairshoe-audit", ["explain", "payout-d"], ["payout-differs"]),
        ("fairshoe", ["serve", "--data", "d"], ["compopt -o dirnames"]),
    ],
)
def test_bash_completes_commands_options_and_values(program: str, words: list[str], offered: list[str]) -> None:
    assert [line for line in completed(program, *words) if line] == offered
