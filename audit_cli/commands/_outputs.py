"""Where a report goes: to standard output and to files, in several formats."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from fairshoe.terminal.files import STDIN, check_writable, same_output, write_whole
from fairshoe.terminal.style import colourful

from ..findings.report import Report
from ..formats import FORMATS

SCREEN = STDIN
"""`-`: standard output."""


class Output(NamedTuple):
    """One form of the report and where it goes."""

    format: str
    path: Path


def paired(formats: Sequence[str], paths: Sequence[Path]) -> list[Output]:
    """As many outputs as formats, in order; a single format needs none. Raises UsageError."""
    names = formats or ["text"]
    if not paths and len(names) == 1:
        return [Output(names[0], SCREEN)]
    if len(paths) != len(names):
        raise click.UsageError(f"{len(names)} --format and {len(paths)} --output: give one --output for each --format")
    if list(paths).count(SCREEN) > 1:
        raise click.UsageError("--output - stands twice")
    return [Output(*pair) for pair in zip(names, paths, strict=True)]


def check_outputs(outputs: Sequence[Output], sources: Iterable[Path]) -> None:
    """Refuse, before the audit, what could not be written after it. Raises UsageError, InputError."""
    files = [output.path for output in outputs if output.path != SCREEN]
    if same_output(files):
        raise click.UsageError("two outputs have the same name")
    read = list(sources)
    for path in files:
        check_writable(path, read)


def write_outputs(report: Report, outputs: Sequence[Output], *, everything: bool) -> None:
    """Write every output, files whole or not at all; then what goes to standard output. Raises InputError."""
    files: dict[Path, bytes] = {}
    screen = ""
    for output in outputs:
        render = FORMATS[output.format]
        if output.path == SCREEN:
            screen = render(report, everything=everything, colour=colourful(sys.stdout))
        else:  # a lone surrogate is escaped as JSON does
            text = render(report, everything=everything, colour=False)
            files[output.path] = text.encode("utf-8", "backslashreplace")
    write_whole(files)
    print(screen, end="")
