"""Errors as a person reads them on standard error."""

from __future__ import annotations

import sys

from ..errors import FairshoeError
from .style import printable

READER = "reader"
"""Who is at fault for what the auditor's own user passed."""


def explain(error: FairshoeError, program: str = "fairshoe", *, fault: str = "") -> str:
    """A few lines: what, where, expected, what to do, and with `fault` whose fault it is."""
    told = {"where": error.where, "expected": error.expected, "remedy": error.remedy, "fault": fault}
    return lines_of(f"{program}: {error.what}", told)


def fault_for_reader(error: FairshoeError) -> str:
    """The error's fault in the words of a report: its caller is the report's reader."""
    return READER if error.fault == "caller" else error.fault


def lines_of(head: str, told: dict[str, str]) -> str:
    """The head and, below it, what is told under each name; nothing of it steers a terminal."""
    lines = [head, *(f"  {name + ':':<9} {text}" for name, text in told.items() if text)]
    return "\n".join(map(printable, lines))


def complain(text: str) -> None:
    """Write to standard error, where there is one that can be written to."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return
