"""Commands that somebody can copy, from where they are, and run."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

AUDITOR = "fairshoe-audit"


def as_argument(path: Path) -> str:
    """A path that no command takes for an option or for standard input."""
    text = str(path)
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def audit_hint(*arguments: str) -> str:
    """A line for a shell that runs the auditor."""
    return " ".join([_auditor(), *map(shlex.quote, arguments)])


def _auditor() -> str:
    """The auditor's name where the shell finds it, else where it lies: beside the program that runs, or its Python."""
    for program in (sys.argv[0], sys.executable):
        beside = Path(program).parent / AUDITOR
        if beside.is_file():
            found = shutil.which(AUDITOR)
            if found is not None and beside.samefile(found):
                return AUDITOR
            return shlex.quote(str(beside) if os.sep in str(beside) else os.path.join(os.curdir, beside))
    return shlex.join([sys.executable, "-m", "audit_cli.main"])
