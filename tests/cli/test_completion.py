"""`completion SHELL`: the scripts, and bash with one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .process import ENVIRONMENT, PROGRAMS, ROOT, run

both = pytest.mark.parametrize("program", PROGRAMS)
INSTALLED = Path(sys.executable).parent


@both
@pytest.mark.parametrize(
    ("shell", "part"), [("bash", "complete -o nosort -F"), ("zsh", "compdef"), ("fish", "--command")]
)
def test_a_script_for_every_shell(program: str, shell: str, part: str) -> None:
    done = run(program, "completion", shell)
    assert done.returncode == 0
    assert part in done.stdout
    assert program in done.stdout


def completed(program: str, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    line = [program, *words]
    function = f"_{program.replace('-', '_')}_completion"
    script = f"""
        eval "$({program} completion bash)"
        COMP_WORDS=("$@") COMP_CWORD={len(words)}
        compopt() {{ echo "compopt $1 $2"; }}
        {function} {program}
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
        ("fairshoe", ["completion", "f"], ["fish"]),
        ("fairshoe", ["simulate", "--str"], ["--strategy"]),
        ("fairshoe-audit", ["ver"], ["verify"]),
        ("fairshoe-audit", ["verify", "--req"], ["--require-complete"]),
        ("fairshoe-audit", ["verify", "x", "--format", "j"], ["json", "jsonl", "junit"]),
        ("fairshoe-audit", ["explain", "payout-d"], ["payout-differs"]),
    ],
)
def test_bash_completes_commands_options_and_values(program: str, words: list[str], offered: list[str]) -> None:
    assert completed(program, *words) == offered


@pytest.mark.parametrize(
    ("program", "words", "how"),
    [
        ("fairshoe-audit", ["verify", "lo"], "compopt -o default"),
        ("fairshoe-audit", ["verify", "log", "--checkpoint", "o"], "compopt -o default"),
        ("fairshoe", ["serve", "--data", "d"], "compopt -o dirnames"),
    ],
)
def test_bash_completes_names_of_files(program: str, words: list[str], how: str) -> None:
    assert how in completed(program, *words)
